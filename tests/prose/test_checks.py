"""What reads as translated is found, with what to write instead; good English and code are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prose import checks
from tests.prose.checks import findings, house_remarks, sentences


@pytest.mark.parametrize(
    ("reads", "instead"),
    [
        ("After either, `loom` lies in the folder.", '"is"'),
        ("Type what lies there.", "what you rolled"),
        ("How often it is right stands in the figures.", '"see"'),
        ("How that goes is told in printing.", "see"),
        ("The documents, a page a task.", "per"),
        ("The doctor looks whether all is well.", "checks whether"),
        ("It goes on where it stopped.", "continues"),
        ("It says what to do where it is not.", "if not"),
        ("'foo' is no card.", "is not a"),
        ("Its name here (may stay empty)", "optional"),
        ("Scan it. Who cannot scan types the address.", "If you"),
        ("Printed dice are read from further aslant.", "at an angle"),
    ],
)
def test_what_reads_as_translated_is_found(reads: str, instead: str) -> None:
    assert instead in " ".join(says for _, says in house_remarks(reads))


@pytest.mark.parametrize(
    "reads",
    [
        "Loomtable checks your setup and tells you how to fix any problem.",
        "There is no card with that code.",
        "Who is asked: the player whose turn it is.",
        "One page per task. A picture of a die, a page of cards.",
        "Continue where you stopped.",
    ],
)
def test_plain_english_passes(reads: str) -> None:
    assert not list(house_remarks(reads))


def test_a_page_is_read_without_its_code_and_with_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "HOME", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n```text\nthe file lies here\n```\n\nRun `lies`.\nThe die lies\nhere, qwrtzy.\n")
    assert [(one.line, one.says.split(":")[0].split(" spelt")[0]) for one in findings([page])] == [
        (8, "'lies'"),
        (9, "is 'qwrtzy'"),
    ]


def test_of_a_module_what_it_says_is_read_and_not_what_it_explains() -> None:
    module = (
        '"""The file lies here."""\nimport re\nre.compile("it lies here")\nraise Refused(f"{file} lies there")\n'
    )
    assert [line for line, words in sentences(module) if list(house_remarks(words))] == [4]
