"""Text files as Windows editors save them, with a byte-order mark in front: read as if it were not there."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from loomtable.printkit.sheet.printer import CorrectionScope, Misregistration, Printer, printer_named, save_printer
from loomtable.table.commands.main import run
from loomtable.table.content.whole import shipped_content
from loomtable.table.settings import setting, settings_file
from tests.short import Loom


def marked(file: Path, content: bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(codecs.BOM_UTF8 + content)
    return file


def test_settings_are_read_and_changed(capsys: pytest.CaptureFixture[str]) -> None:
    file = marked(settings_file(), b'paper = "letter"  # ours\r\n')
    assert setting("paper") == "letter"
    assert run(["settings", "colour", "never"]) == 0, capsys.readouterr().err
    assert file.read_bytes().decode().split() == ["paper", "=", '"letter"', "#", "ours", "colour", "=", '"never"']


def test_a_printers_profile_is_read() -> None:
    profile = Printer("desk", Misregistration(dx=1.5), Misregistration(), CorrectionScope.BOTH)
    file = save_printer(profile)
    marked(file, file.read_bytes())
    assert printer_named("desk") == profile


ONE_OF_EACH = {path.parent.name: path for path in shipped_content() if path.stat().st_size < 8000}
"""A small file of each folder."""


@pytest.mark.parametrize("shipped", ONE_OF_EACH.values(), ids=lambda path: path.stem)
def test_content_of_each_kind_is_checked_as_without_the_mark(tmp_path: Path, loom: Loom, shipped: Path) -> None:
    found = []
    for file in (shipped, marked(tmp_path / shipped.name, shipped.read_bytes())):
        found.append(json.loads(loom("check", file, "--json").out.replace(str(file), "the file")))
    assert found[0] == found[1]
