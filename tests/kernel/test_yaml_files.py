"""YAML that grows: aliases that stand for aliases are refused in words, others are read."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.yamlfile import MOST_PARTS, ReadLater, compose, parse_value, parse_yaml
from tests.short import raises


def nested(levels: int) -> str:
    """Lists of nine, each but the first of nine aliases of the one before; of ``9 ** levels`` parts and more."""
    lines = ["- &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"- &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]" for at in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize("levels", [7, 9, 60, 3000])
def test_what_aliases_stand_for_is_bounded_before_anything_is_made_of_it(levels: int) -> None:
    words = f"more than {MOST_PARTS:,} parts, with what its aliases stand for"
    raises(
        ContentInvalid,
        f"deck.yaml line 1: is not good YAML: it has {words}",
        parse_yaml,
        nested(levels),
        Any,
        "deck.yaml",
    )
    raises(yaml.YAMLError, words, parse_value, nested(levels))
    raises(yaml.YAMLError, words, compose, nested(levels))


def test_aliases_that_save_some_writing_are_read() -> None:
    text = "usual: &usual [wood, iron]\ncards:\n- {name: Bell, of: *usual}\n- {name: Key, of: *usual}\n"
    read, lines = parse_yaml(text, dict[str, Any], "deck.yaml")
    assert read["cards"] == [{"name": name, "of": ["wood", "iron"]} for name in ("Bell", "Key")]
    assert lines.line("cards", 1) == 4
    assert len(parse_value(nested(5))) == 5


def test_what_is_in_itself_is_refused() -> None:
    for text in ("&a [*a]", "&a {b: [*a]}", "&a {? *a : 1}"):
        raises(ContentInvalid, "deck.yaml line 1: is not good", parse_yaml, text, Any, "deck.yaml")


def test_a_file_is_read_once_and_not_before_something_of_it_is_wanted() -> None:
    read: list[str] = []

    def whole() -> dict[str, int]:
        read.append("read")
        return {"bell": 1, "key": 2}

    later = ReadLater(whole)
    assert not read
    assert (later["key"], list(later), len(later), later.get("lamp")) == (2, ["bell", "key"], 2, None)
    assert read == ["read"]
