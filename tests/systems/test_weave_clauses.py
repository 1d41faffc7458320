"""Each clause of a card, played: ``weave_clauses.yaml`` has a small transcript for each, and what must come of it.

Ilse, whose turn it is, has the card, or ``who`` has it; Odo and Eva are her allies, Wolf and Bear are enemies.
An entry says whether the ``trigger`` is met, what is chosen (``choose``, ``by`` whom), what happens ``then``, what
the state is ``expect``ed to be afterwards, and words that are ``told``. Before it, figures may have Strikes and
Wounds (``has``), be elsewhere (``at``, ``bands``), be missing (``without``), or be in no encounter (``outside``).
Where a table has cards applied narrowly (``narrow``), all of their words are told.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, SupportsIndex

import msgspec
import pytest

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Roll
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import System
from loomtable.engine.weave.cards.decks import challenge_deck, story_deck
from loomtable.engine.weave.cards.effects import TOLD_ALOUD
from loomtable.engine.weave.cards.mechanics import Effect, EffectKind, Mechanic, MechanicType, RangeBand, Whom
from loomtable.engine.weave.cards.playset import (
    PLAYED_BY_STORYTELLER,
    Quality,
    QualityKind,
    playset,
    playset_names,
)
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import Character, Encounter, Npc, ScannedQuality, Season
from loomtable.engine.weave.suits import Suit
from tests.short import present
from tests.systems.weave_in_words import counts, read, sentences
from tests.systems.weave_table import pick, say, weave, write

PLAYS = msgspec.yaml.decode(Path(__file__).with_name("weave_clauses.yaml").read_bytes())
ALL = [(where, play) for where, plays in PLAYS.items() for play in plays]


SHOVE = ScannedQuality(
    QualityKind.TALENT,
    story_deck()[0].id,
    Quality(
        "Shove",
        "x",
        mechanic=Mechanic(
            MechanicType.STANDARD, "x", suit=Suit.FLAMES, effects=(Effect(EffectKind.PUSH, to=Whom.ENEMY),)
        ),
    ),
)
"""What the Wolf and the Bear can do besides."""


def qualities(where: str) -> dict[str, tuple[QualityKind, Quality]]:
    """Every option of a playset by its name, those of sheets too."""
    found: dict[str, tuple[QualityKind, Quality]] = {}
    for offer in playset(where).cards.values():
        for kind, offered in offer.items():
            for quality in offered:
                found[quality.name] = kind, quality
                found |= {own.name: (of, own) for of, sheet in quality.sheet.items() for own in sheet}
    return found


class Played:
    """A fight that has begun, with the card in somebody's hands."""

    def __init__(self, where: str, play: dict[str, Any]) -> None:
        kind, self.quality = qualities(where)[play["card"]]
        by_storyteller = kind in PLAYED_BY_STORYTELLER
        self.owner: str = play.get("who", "Wolf" if by_storyteller else "Ilse")
        self.answers: list[Any] = list(play.get("choose", []))
        self.by: str = play.get("by", "")
        self.counted: dict[str, int] = {}
        card = story_deck()[0].id
        own = ScannedQuality(kind, card, self.quality)
        suit = (self.quality.mechanic.suit if self.quality.mechanic else None) or Suit.GALES
        backstory = ScannedQuality(QualityKind.BACKSTORY, card, Quality("Before", "x", suit=suit))
        figures: dict[str, Any] = {
            **{n: Character(n, f"{n}-p", suit, (backstory,)) for n in ("Ilse", "Odo", "Eva")},
            **{n: Npc(n, enemy=True, reach=tuple(RangeBand), qualities=(SHOVE,)) for n in ("Wolf", "Bear")},
        }
        present(figures.get(self.owner))
        owner = figures[self.owner]
        figures[self.owner] = msgspec.structs.replace(owner, qualities=(*owner.qualities, own))
        if isinstance(owner, Npc):
            figures[self.owner] = msgspec.structs.replace(figures[self.owner], dice={suit: 2})
        for name, has in play.get("has", {}).items():
            figures[name] = msgspec.structs.replace(figures[name], **has)
        there = tuple(name for name in figures if name not in play.get("without", []))
        order = (self.owner, *(name for name in there if name != self.owner))
        met = Encounter(True, Suit.GALES, there, order=order, round=1, acting=self.owner, actions_left=2)
        met = msgspec.structs.replace(
            met,
            opening_band=RangeBand(play.get("at", "melee")),
            bands={pair: RangeBand(band) for pair, band in play.get("bands", {}).items()},
        )
        season = Season(
            name="A season",
            playset=where,
            characters={n: f for n, f in figures.items() if isinstance(f, Character) and n in there},
            npcs={n: f for n, f in figures.items() if isinstance(f, Npc) and n in there},
            encounter=None if play.get("outside") else met,
            challenges=Deck("c", tuple(c.id for c in challenge_deck())),
        )
        begun: System[Season] = copy(WEAVE)
        begun._setting_up = replace(WEAVE._setting_up, begin=lambda setup: season)
        self.session = Session.open(
            begun, seed="s", rulings={"cards-applied": "narrow" if "narrow" in play else "all", "decks": "dealt"}
        )

    def use(self, play: dict[str, Any]) -> None:
        """Use the card, on a pass with one success, and with the Trigger's symbols where it says so."""
        mechanic = present(self.quality.mechanic)
        faces = [str(present(mechanic.suit).value)] if mechanic.suit else ["flames"]
        if play.get("trigger"):
            trigger = present(mechanic.trigger)
            faces += [trigger.suit.value] * trigger.symbols
        more: dict[str, Any] = {"who": self.owner}
        if mechanic.reach:
            target = play.get("target", "Wolf")
            suit = {} if mechanic.suit else {"suit": "flames"}
            self.perform("attack", faces, **more, target=target, asset=self.quality.name, **suit)
        else:
            kind = qualities(self.session.state.playset)[self.quality.name][0]
            action, field = {
                QualityKind.TALENT: ("use-talent", "talent"),
                QualityKind.ASSET: ("use-asset", "asset"),
                QualityKind.SIGNATURE_MOVE: ("signature-move", "move"),
            }[kind]
            self.perform(action, faces, **more, **{field: self.quality.name})

    def then(self, step: str) -> None:
        """What happens afterwards, in a few words (``_step``); with ``no:`` before it, it is refused."""
        refused = step.startswith("no: ")
        words = step.removeprefix("no: ").split()
        if refused:
            with pytest.raises(IllegalAction):
                self._step(words)
            return
        self._step(words)

    def _step(self, words: list[str]) -> None:
        match words:
            case [who, "hits", target]:
                suit = "stones" if present(self.quality.mechanic).suit is Suit.FLAMES else "flames"
                self.perform("attack", [suit], who=who, target=target, suit=suit)
            case [who, "gets", do, amount]:
                self.perform("effect", [], who=who, do=do, amount=int(amount), because="the road")
            case [who, "misses", suit]:
                self.perform("challenge", [], who=who, suit=suit)
            case [who, "tries", suit] if who in self.session.state.characters:
                self.perform("challenge", [suit], who=who, suit=suit)
            case [who, "tries", suit]:
                self.perform("npc-challenge", [suit], npc=who, suit=suit)
            case [who, "leaves" | "nears" as way, other]:
                self.perform("move", ["flames"], who=who, other=other, closer=way == "nears")
            case [who, "breaks", "free"]:
                self.perform("break-free", [], who=who)
            case [who, "shoves"]:
                self.perform("use-talent", ["flames"], who=who, talent="Shove")
            case ["say", who]:
                self.perform("passive", [], who=who, quality=self.quality.name)
            case ["end"]:
                self.perform("end-turn", [])
            case ["scene"]:
                self.perform("end-scene", [])
            case _:
                raise AssertionError(words)

    def perform(self, action: str, faces: list[str], **arguments: Any) -> None:
        self.session.perform(action, **arguments)
        while (asked := self.session.pending) is not None:
            reading: Reading
            match asked:
                case Roll():
                    if asked.ticks is not None and not asked.ticked and self.answers:
                        self.session.answer(pick(*_keys(self.answers.pop(0))))
                        continue
                    self.counted["dice"] = asked.count
                    level = re.search(r"level (\d+)", asked.purpose)
                    self.counted["level"] = int(level[1]) if level is not None else 1
                    trigger = present(self.quality.mechanic).trigger
                    wanted = {*faces, trigger.suit.value if trigger else ""}
                    blank = next(s.value for s in Suit if s.value not in wanted)
                    assert asked.count >= len(faces), f"{asked.count} dice for {faces}"
                    reading = weave(*faces, *[blank] * (asked.count - len(faces)))
                case EnterNumber():
                    reading = say(0)
                case EnterText():
                    self.counted["answers"] = self.counted.get("answers", 0) + 1
                    reading = write(TOLD_ALOUD)
                case Choose():
                    assert self.answers, f"{asked.purpose}: {[option.key for option in asked.options]}"
                    assert self.by in ("", asked.by)
                    reading = pick(*_keys(self.answers.pop(0)))
                case _:
                    raise AssertionError(asked)
            self.session.answer(reading)

    def value(self, path: str) -> Any:
        """What the state has at a path; ``dice`` and ``level`` of the last roll; how many ``answers`` so far."""
        if path in ("dice", "level", "answers"):
            return self.counted.get(path, 0)
        state, name = to_builtins(self.session.state), path.split(".")[0]
        where: Any = state["characters"].get(name) or state["npcs"].get(name) or state["encounter"]
        for key in path.split(".")[1:] if where is not state["encounter"] else path.split("."):
            if isinstance(where, list):
                where = dict(enumerate(where)).get(int(key))
            else:
                where = where.get(key) if where is not None else None
        return where


def _keys(chosen: str | list[str]) -> list[str]:
    return [chosen] if isinstance(chosen, str) else chosen


@pytest.mark.parametrize(("where", "play"), ALL, ids=lambda v: v["card"] if isinstance(v, dict) else v)
def test_the_card_does_what_it_says(where: str, play: dict[str, Any]) -> None:
    table = Played(where, play)
    mechanic = present(table.quality.mechanic)
    if mechanic.type is not MechanicType.PASSIVE:
        table.use(play)
        told = " ".join(table.session.story())
        assert (mechanic.says.strip() in told) == (not mechanic.whole or "narrow" in play)
        if "trigger" in play:
            trigger = present(mechanic.trigger)
            assert (trigger.says.strip() in told) == (not trigger.whole or "narrow" in play)
    for step in play.get("then", []):
        table.then(step)
    assert not table.answers, f"nobody asked for {table.answers}"
    for path, value in play.get("expect", {}).items():
        assert table.value(path) == value, path
    story = " ".join(table.session.story())
    for words in play.get("told", []):
        assert words in story, story


class Whatever(list[Any]):
    """Answers that take the last that can be chosen, as many as there may be, and never end."""

    def __init__(self, table: Played) -> None:
        self.table = table

    def __bool__(self) -> bool:
        return True

    def pop(self, index: SupportsIndex = -1) -> list[str]:
        asked = self.table.session.pending
        question = present(asked.ticks) if isinstance(asked, Roll) else asked
        assert isinstance(question, Choose)
        keys = [option.key for option in question.options if not option.stays]
        return keys[-question.at_most :]


@pytest.mark.parametrize("where", playset_names())
def test_whatever_is_chosen_every_card_takes_effect_and_the_fight_goes_on(where: str) -> None:
    for name, (_, quality) in qualities(where).items():
        mechanic = quality.mechanic
        if mechanic is None or mechanic.type is MechanicType.PASSIVE:
            continue
        within = [effect.within for effect in mechanic.effects if effect.within is not None]
        band = (*mechanic.reach, *within, RangeBand.SHORT)[0]
        play = {"card": name, "at": band, "has": {"Ilse": {"wounds": 1, "strikes": 5}, "Odo": {"wounds": 1}}}
        table = Played(where, {**play, **({"trigger": True} if mechanic.trigger is not None else {})})
        table.answers = Whatever(table)
        table.use({"trigger": mechanic.trigger is not None})
        assert f"{name} takes effect" in " ".join(table.session.story())
        for _ in range(5):
            table.then("end")


def test_every_sentence_was_read_beside_its_data_as_they_are_now() -> None:
    known = read()
    unread = [str(one) for one in sentences() if str(one) not in known or known[str(one)].digest != one.digest]
    assert not unread, "read these beside their data: python -m tests.systems.weave_in_words --unread"
    assert len(known) == len(list(sentences()))


def test_what_is_left_to_people_is_told_and_what_is_not_is_whole() -> None:
    known = read()
    for one in sentences():
        told = known[str(one)].told
        assert all(clause in one.says and why for clause, why in told), one
        tells = any(change.tells for change in getattr(one.of, "always", ()))
        assert one.of.whole == (not told and not one.stands and not tells), one


def test_the_same_one_is_never_the_owner_by_mistake() -> None:
    """``same`` is whoever the effect before it was for: where that was the owner alone, it would say ``self``."""
    for one in sentences():
        if isinstance(one.of, Mechanic):
            trigger = one.of.trigger.effects if one.of.trigger is not None else ()
            effects = [*one.of.effects, *trigger]
            assert all(
                before.to is not Whom.SELF
                for before, after in pairwise([Effect(EffectKind.ANSWER), *effects])
                if after.to is Whom.SAME
            ), one


def test_no_more_clauses_than_before_are_left_to_people() -> None:
    found = counts()
    assert found["told"] <= 22
    assert found["stay"] <= 330
    assert found["sentences"] >= 1637
