"""A transcript says the same after being printed and read again; a mistake in one is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import TranscriptFailed, TranscriptInvalid
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import parse_transcript, print_transcript, replay
from loomtable.engine.systems import SYSTEMS
from tests.tiers import examples

SHIPPED = sorted(package_file("templates", "transcripts").glob("*.yaml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_printing_and_reading_is_the_identity(path: Path) -> None:
    read = parse_transcript(path.read_text("utf-8"), path.name)
    printed = print_transcript(read)
    assert parse_transcript(printed, path.name) == read
    assert print_transcript(parse_transcript(printed, path.name)) == printed


HEAD = "transcript: t\nsystem: storm-weavers\nseed: s\nplay:\n- do: create\n  with: {dexterity_points: 3}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("play: [}", "t.yaml line 1: is not good YAML"),
        ("- a\n- b\n", "t.yaml line 1: expected a block of fields, got a list"),
        ("transcript: t\nsystem: chess\nseed: s\nplay: []\n", "t.yaml line 2: there is no system 'chess'"),
        (HEAD + "- strike: 3\n", "t.yaml line 7: there is no field `strike`"),
        (HEAD + "- do: figth\n", "t.yaml line 7: unknown action 'figth'"),
        (HEAD + "- do: coin-test\n  roll: [3]\n", "t.yaml line 7: a step is one of do, roll, flip"),
        (HEAD + "- note: only a note\n", "this one has none of them"),
        (HEAD + "- undo: 0\n", "t.yaml line 7: 'undo' counts steps"),
        (HEAD + "- card: X99\n", "t.yaml line 7: 'X99' is not a card code"),
        (HEAD + "- undo: 1\n  undo: 2\n", "t.yaml line 8: is not good YAML: 'undo' stands twice"),
        (
            HEAD + "- expect: {thymin.health: 20}\n  by: Ash\n",
            "t.yaml line 7: 'asked' and 'by' belong to an answer",
        ),
        ("rulings: {tie: draw}\n" + HEAD, "t.yaml line 1: the ruling tie has no choice 'draw'"),
        ("&a [*a]", "t.yaml"),
    ],
)
def test_a_transcript_that_cannot_be_read_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(TranscriptInvalid) as refused:
        replay(text, "t.yaml", SYSTEMS)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "- expect: {thymin.health: 19}\n", "t.yaml line 7: thymin.health is 20, expected 19"),
        (HEAD + "- expect: {thymin.heath: null}\n", "t.yaml line 7: the state has no thymin.heath"),
        (HEAD + "- roll: [3]\n", "t.yaml line 7: nothing is asked for here"),
        (HEAD + "- do: create\n  with: {dexterity_points: 1}\n", "t.yaml line 7: Thymin's sheet is already made"),
        (HEAD + "- do: coin-test\n- flip: heads\n", "t.yaml line 8: a coin flip does not answer the question"),
        (
            HEAD + "- do: coin-test\n- choose: heads\n  by: Goblin\n",
            "t.yaml line 8: Thymin is asked here, not Goblin",
        ),
        (HEAD + "- do: coin-test\n- choose: heads\n  asked: Name\n", "'Call the coin' is asked here, not 'Name'"),
        (HEAD + "- refused: {do: coin-test, because: no}\n", "should have been refused because of 'no'"),
        (
            HEAD + "- refused: {do: create, with: {dexterity_points: 1}, because: dead}\n",
            "refused for another reason than 'dead': Thymin's sheet is already made",
        ),
        ("rules: [SW-16]\n" + HEAD, "t.yaml line 1: the play never touches SW-16"),
    ],
)
def test_a_transcript_that_does_not_hold_fails_at_its_line(text: str, words: str) -> None:
    with pytest.raises(TranscriptFailed) as failed:
        replay(text, "t.yaml", SYSTEMS)
    assert words in str(failed.value)


@examples(60, 150)
@given(st.text(alphabet="transcipyldo:-[]{}&*#!\n \t'\"0123", max_size=60) | st.text(max_size=30))
def test_any_text_is_a_transcript_or_one_clear_sentence(text: str) -> None:
    try:
        parse_transcript(text, "t.yaml")
    except TranscriptInvalid as error:
        assert str(error).startswith("t.yaml")
        assert "\n" not in str(error)
