"""Every kind of error that a person can meet is explained in the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.legal import why_not
from loomtable.engine.kernel.play import Action
from loomtable.engine.systems import SYSTEMS
from loomtable.vision.pool import parse_dice
from tests.playing import evening
from tests.source_read import HOME, modules, read

PACKAGES = ("engine", "printkit", "vision", "table", "training", "loomtable/testing")


def every_module() -> list[Path]:
    """Also those of training, of which nothing is imported here."""
    return [path for package in PACKAGES for path in modules(package)]


def errors_of_the_family() -> dict[str, Path]:
    """The classes that descend from ``LoomtableError``, by name."""
    bases = {name: (parents, path) for path in every_module() for name, parents in read(path).bases.items()}
    family = {"LoomtableError"}
    while True:
        more = {name for name, (parents, _) in bases.items() if family.intersection(parents)} - family
        if not more:
            return {name: bases[name][1] for name in sorted(family - {"LoomtableError"})}
        family |= more


def test_every_error_is_explained() -> None:
    """By a docstring: the sentence that people read says what to do."""
    family = errors_of_the_family()
    assert len(family) > 40
    for name, path in family.items():
        assert re.search(rf'class {name}\(.*\):\n    """', path.read_text("utf-8")), f"say what {name} is"


def test_every_sentence_that_the_page_of_troubles_quotes_is_the_program_s_own() -> None:
    page = (HOME / "docs" / "errors.md").read_text("utf-8").partition("## Asking for help")[0]
    quoted = re.findall(r'^- "([^"]+)"', page, re.MULTILINE)
    assert len(quoted) > 25
    texts = [text for path in every_module() for text in read(path).texts]
    for sentence in quoted:
        parts = [re.escape(part.strip()) for part in sentence.split("...") if part.strip()]
        said = re.compile(".*?".join(parts))
        assert any(said.search(text) for text in texts), f"nobody says {sentence!r}"


def test_the_dice_that_can_be_expected_are_those_that_are_read() -> None:
    page = (HOME / "docs" / "errors.md").read_text("utf-8")
    [row] = [line for line in page.splitlines() if "is not a pool of dice" in line]
    named = re.findall(r"\bd\d+\b|\d+weave|\d+coin", row.partition("): ")[2])
    assert {die for one in named for die in parse_dice(one).dice} == set(Die)


def code_words() -> re.Pattern[str]:
    """Names of actions and their arguments as nobody says them: with a hyphen, in brackets or in marks."""
    rules = [rule for system in SYSTEMS.values() for rule in system.actions.values()]
    names = {rule.name for rule in rules} | {f.encode_name for rule in rules for f in fields_in(rule.arguments)}
    spelled = "|".join(sorted(name for name in names if re.search("[-_]", name)))
    return re.compile(rf"(?<![\w-])(?:{spelled})(?![\w-])|[(`'](?:{'|'.join(sorted(names))})[)`']")


@pytest.mark.parametrize("game", sorted(SYSTEMS))
def test_no_refusal_of_a_game_calls_an_action_or_argument_otherwise_than_screens_do(game: str) -> None:
    words, system = code_words(), SYSTEMS[game]
    assert words.search("end it first (end-mode)") and words.search("say whom to engage (towards)")
    said = {why_not(system.start, evening(game, 0).game, Action(name)) for name in system.actions}
    for seed in range(4):
        session = evening(game, seed)
        said |= {why for why in system.refusals(session.game, STORYTELLER).values() if why}
    in_files = ("_check.py", "encounters.py", "plans.py", "adventure_reading.py")  # they name what authors write
    source = [path for path in modules(f"engine/{game.replace('-', '_')}") if not path.name.endswith(in_files)]
    said |= {text for path in source for _, text in read(path).raised}
    assert len(said) > 20
    assert [one for one in said if words.search(one)] == []
