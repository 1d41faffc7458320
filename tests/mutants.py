"""Breaks the lines that trust rests on, one at a time, and runs the tests that must fail: ``make mutants``.

The lines are in ``mutants.yaml``. They are changed in a copy of the checkout, under ``output/``. Results are kept
beside the copy until a source or a test changes, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import msgspec

from tests.alone import HOME

FOLDER = HOME / "output" / "mutants"
COPIED = (
    *("pyproject.toml", "benchmarks", "docs/examples", "engine", "loomtable", "models"),
    *("printkit", "table", "templates", "tests", "vision"),
)
LIMIT = 600
"""Seconds that the tests of one mutant may take; one that hangs counts as killed."""
PASSED, FAILED = 0, 1
"""As pytest exits. Anything else, as for a test that is not there, is neither."""


@dataclass(frozen=True)
class Mutant:
    """One line put wrong."""

    id: str
    file: str
    before: str
    """Text that is in the file once."""
    after: str
    lets: str
    """What would happen at the table."""
    killed_by: tuple[str, ...]
    """Tests that must fail, as pytest names them."""

    def source(self, home: Path) -> str:
        """The file with this mutant in it."""
        return (home / self.file).read_text("utf-8").replace(self.before, self.after)


MUTANTS = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=tuple[Mutant, ...])


def main(named: Sequence[str]) -> int:
    """Run all mutants, or those named, and print which survive; 1 if any does."""
    if unknown := set(named) - {mutant.id for mutant in MUTANTS}:
        sys.exit(f"there is no mutant {', '.join(sorted(unknown))} in tests/mutants.yaml")
    copy = _copied()
    results = copy.with_suffix(".json")
    # Tests by their names as they are, and mutants by theirs: whether all tests of one pass with it.
    passed: dict[str, bool] = msgspec.json.decode(results.read_bytes()) if results.exists() else {}
    survivors: list[Mutant] = []
    for mutant in MUTANTS:
        if named and mutant.id not in named:
            continue
        began = time.monotonic()
        for test in mutant.killed_by:
            if test not in passed:
                passed[test] = _passes(copy, [test])
            if not passed[test]:
                sys.exit(f"{test} fails without any mutant")
        if mutant.id not in passed:
            passed[mutant.id] = _passes_with(mutant, copy)
            results.write_bytes(msgspec.json.encode(passed))
        if passed[mutant.id]:
            survivors.append(mutant)
        print("SURVIVED" if passed[mutant.id] else "killed", f"{mutant.id} ({time.monotonic() - began:.0f} s)")
        sys.stdout.flush()
    for mutant in survivors:
        print(f"{mutant.id} in {mutant.file} survives {' '.join(mutant.killed_by)}: {mutant.lets}")
    print(f"{len(survivors)} survived")
    return 1 if survivors else 0


def _passes_with(mutant: Mutant, copy: Path) -> bool:
    file = copy / mutant.file
    whole = file.read_text("utf-8")
    try:
        _write(file, mutant.source(copy))
        return _passes(copy, mutant.killed_by)
    finally:
        _write(file, whole)


def _write(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    # Python tells a changed source by its second and size, and both may be the same.
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def _passes(copy: Path, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests]
    inside = os.environ | {"PYTHONPATH": str(copy)}
    try:
        run = subprocess.run(command, cwd=copy, env=inside, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return False
    if run.returncode not in (PASSED, FAILED):
        sys.exit(f"{' '.join(tests)} could not be run:\n{run.stdout}{run.stderr}")
    return run.returncode == PASSED


def _copied() -> Path:
    """A new copy of the checkout. It is called by its content, and so are the results; those of others go."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", *COPIED],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in sorted(listed.stdout.split("\0")) if name and (HOME / name).exists()]
    content = hashlib.sha256()
    for name in names:
        content.update(f"{name}\0".encode() + ((HOME / name).read_bytes() if (HOME / name).is_file() else b""))
    copy = FOLDER / content.hexdigest()[:16]
    for old in FOLDER.glob("*"):
        if old.is_dir():  # a run that was stopped may have left a mutant in it
            shutil.rmtree(old)
        elif old.stem != copy.name:
            old.unlink()
    for name in names:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(HOME / name, copy / name, follow_symlinks=False)
    return copy


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
