"""What is installed: no version with known holes, none that nobody has tried, and exact ones held by hashes."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.container import FILE
from tests.locks import LOCKS, PROJECT, needed

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)( ; .*?)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n")
_EXTRAS = PROJECT["project"]["optional-dependencies"]
PLAYED_WITH = [
    Requirement(line)
    for line in (
        *PROJECT["project"]["dependencies"],
        *_EXTRAS["decks"],
        *_EXTRAS["postgresql"],
        *_EXTRAS["scripts"],
    )
]
"""Everything that somebody who plays can install."""
FREE_OF_HOLES = {
    "h11": "0.16",  # CVE-2025-43859
    "starlette": "1.3.1",  # CVE-2025-62727, CVE-2026-48710, CVE-2026-54283
    "jinja2": "3.1.6",  # CVE-2025-27516
    "python-multipart": "0.0.31",  # CVE-2024-53981, CVE-2026-40347, CVE-2026-42561, GHSA-v9pg-7xvm-68hf
    "cryptography": "50.0",  # CVE-2026-26007, CVE-2026-34073, CVE-2026-69247
    "pillow": "12.3",  # CVE-2025-48379, CVE-2026-40192, CVE-2026-59200
    "fonttools": "4.60.2",  # CVE-2025-66034
    "opencv-python-headless": "5.0",  # CVE-2026-40962, in the FFmpeg within
}
"""The first version of each without the holes that were known when this was last looked up."""


def pinned(name: str) -> dict[str, list[Version]]:
    """The versions in a lock, by package: several where one does not serve every Python."""
    found: dict[str, list[Version]] = {}
    for pin in _PIN.finditer((LOCKS / f"{name}.txt").read_text("utf-8")):
        found.setdefault(canonicalize_name(pin["name"]), []).append(Version(pin["version"]))
    return found


@pytest.mark.parametrize("name", ["run", "test", "build"])
def test_a_lock_holds_what_the_project_asks_for_by_hashes_and_names_no_index(name: str) -> None:
    text = (LOCKS / f"{name}.txt").read_text("utf-8")
    assert _PIN.sub("", text) == "", "something is not pinned by a hash"
    assert "://" not in text
    pins = pinned(name)
    for requirement in map(Requirement, needed()[name]):
        versions = pins.get(canonicalize_name(requirement.name))
        assert versions, f"{requirement.name} is not in locks/{name}.txt: make locks"
        for version in versions:
            assert version in requirement.specifier, f"{requirement}, {version}: make locks"


def test_what_plays_is_tested_in_the_versions_it_is_played_with() -> None:
    tested = pinned("test")
    for name in ("run", "build"):
        for package, versions in pinned(name).items():
            assert tested[package] == versions, f"{package}: make locks"


def test_every_library_has_a_version_above_which_nobody_has_tried_it() -> None:
    for requirement in PLAYED_WITH:
        assert any(bound.operator == "<" for bound in requirement.specifier), requirement


def test_no_library_may_be_of_a_version_with_known_holes() -> None:
    least = {
        canonicalize_name(one.name): Version(bound.version)
        for one in PLAYED_WITH
        for bound in one.specifier
        if bound.operator == ">="
    }
    for name, first in FREE_OF_HOLES.items():
        assert least[name] >= Version(first), name


def test_the_checkout_and_the_container_install_by_the_locks() -> None:
    make = (LOCKS.parent / "Makefile").read_text("utf-8")
    assert "--require-hashes -r locks/build.txt -r locks/$(1).txt" in make
    steps = re.findall(r"pip (?:install|wheel) [^&\n]*", FILE.read_text("utf-8"))
    assert len(steps) == 4
    for step in steps:
        assert "--require-hashes" in step or "--no-deps" in step, step
