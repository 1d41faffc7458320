"""Run by hatchling before it builds a wheel: one that lacks a part of the program is not built.

A wheel also gets a bill of materials (CycloneDX, PEP 770): the libraries it was tried with, by the hashes of
``locks/run.txt``, and the networks in it. The same checkout always gives the same bytes.
"""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PIN = re.compile(r"^([\w.-]+)==(\S+)((?:.|\n)*?)(?=^[\w.-]+==|\Z)", re.MULTILINE)
_HASH = re.compile(r"sha256:([0-9a-f]{64})")


class WholeWheel(BuildHookInterface):
    """Stops where a file or folder of ``only-include`` is missing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before each build, also of an editable installation."""
        missing = [name for path, name in self.build_config.only_include.items() if not Path(path).exists()]
        if missing:
            raise FileNotFoundError(f"the program is not complete here: there is no {' and no '.join(missing)}")
        self._folder = tempfile.TemporaryDirectory()
        written = Path(self._folder.name, "loomtable.cdx.json")
        bill = bill_of_materials(Path(self.root), self.metadata.version, self.metadata.core.license_expression)
        written.write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
        build_data["sbom_files"] = [str(written)]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called after each build."""
        self._folder.cleanup()


def bill_of_materials(root: Path, version: str, licence: str) -> dict[str, Any]:
    """What a wheel of this checkout needs and holds, as CycloneDX 1.6."""
    libraries = [
        {
            "type": "library",
            "bom-ref": (purl := f"pkg:pypi/{name.lower().replace('_', '-')}@{pinned}"),
            "name": name,
            "version": pinned,
            "purl": purl,
            "hashes": [{"alg": "SHA-256", "content": found} for found in sorted(_HASH.findall(rest))],
        }
        for name, pinned, rest in _PIN.findall((root / "locks" / "run.txt").read_text("utf-8"))
    ]
    networks = [
        {
            "type": "machine-learning-model",
            "bom-ref": f"models/{name}",
            "name": name,
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        for digest, name in map(str.split, (root / "models" / "SHA256SUMS").read_text("utf-8").splitlines())
        if name.endswith(".onnx")
    ]
    itself = {
        "type": "application",
        "bom-ref": "loomtable",
        "name": "loomtable",
        "version": version,
        "licenses": [{"expression": licence}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": itself},
        "components": [*libraries, *networks],
        "dependencies": [{"ref": "loomtable", "dependsOn": sorted(part["bom-ref"] for part in libraries)}],
    }
