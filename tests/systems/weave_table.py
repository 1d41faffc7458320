"""A table of Weave for tests: a season with two characters, and short words for what people do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    DiceReading,
    NumberReading,
    Reading,
    TextReading,
    rolled,
)
from loomtable.engine.kernel.requests import Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.cards.decks import challenge_deck, story_deck
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import Character, Npc, Season

ALL_CARDS = sorted([c.id for c in story_deck()] + [c.id for c in challenge_deck()])
HAND = ("C10", "C25", "C31", "C1", "S2", "S21")


def weave(*faces: str) -> DiceReading:
    return rolled(Die.WEAVE, *faces)


def card(short: str) -> CardReading:
    return CardReading(ComponentId.parse(short))


def pick(*keys: str) -> ChoiceReading:
    return ChoiceReading(keys)


def say(number: int) -> NumberReading:
    return NumberReading(number)


def write(text: str) -> TextReading:
    return TextReading(text)


class Table:
    """Ilse (Ada): Gales +2, Leap the Gap, a boat anchor. Odo (Ben): Brooks +2, a bruised pear."""

    def __init__(
        self, rulings: Mapping[str, str] | None = None, *, hand: bool = False, people: bool = True
    ) -> None:
        self.session: Session[Season] = Session.open(WEAVE, seed="s", rulings=dict(rulings or {}))
        if people:
            self.season("S5", "S17", "S14")
            self.character("Ada", "Ilse", "gales", ("S1", "2"), ("S8", "2"), ("S6", "2"), ("S16", "1"))
            self.character("Ben", "Odo", "brooks", ("S3", "1"), ("S22", "2"), ("S12", "2"), ("S15", "1"))
        if hand:
            self.do("draw-hand", *(card(c) for c in HAND))

    def season(self, *cards: str, playset: str = "the-salt-road") -> None:
        scans = [answer for c in cards for answer in (card(c), pick("1"))]
        self.do("new-season", *scans, write("A season"), playset=playset)

    def dealt_season(self) -> None:
        """A season whose cards the computer deals."""
        self.do("new-season", pick("1"), pick("1"), pick("1"), write("Dealt"), playset="the-salt-road")

    def character(self, player: str, name: str, core: str, *scans: tuple[str, str]) -> None:
        answers = [answer for c, option in scans for answer in (card(c), pick(option))]
        self.do("add-character", pick(core), *answers, write(name), player=player)

    def do(self, action: str, *answers: Reading, open_: bool = False, **arguments: Any) -> None:
        """Begin an action and answer all it asks; ``open_`` leaves a question open."""
        self.session.perform(action, **arguments)
        for answer in answers:
            self.session.answer(answer)
        assert (self.pending is not None) == open_, self.pending

    @property
    def pending(self) -> Request | None:
        return self.session.pending

    @property
    def state(self) -> Season:
        return self.session.state

    @property
    def ilse(self) -> Character:
        return self.state.characters["Ilse"]

    @property
    def odo(self) -> Character:
        return self.state.characters["Odo"]

    def npc(self, name: str) -> Npc:
        return self.state.npcs[name]

    def story(self) -> tuple[str, ...]:
        return self.session.story()

    # Things that happen often

    def wound(self, who: str, times: int = 1) -> None:
        """An epic fail against a Stones card of level 3 or 4, at a table whose hand is not kept here."""
        for _ in range(times):
            number = next(c.number for c in self.state.challenges.pile if 31 <= c.number <= 36)
            dice = max(1, 3 - self.state.characters[who].wounds)
            self.do("challenge", weave(*["flames"] * dice), who=who, suit="stones", card=f"C{number}")

    def strikes(self, who: str, count: int) -> None:
        self.do("effect", who=who, do="deal-strikes", amount=count, because="the road")

    def fight(self, *order: str, band: str = "melee", **dice: int) -> None:
        """A combat of both characters against a Wolf; the first in ``order`` rolls best."""
        self.do("add-npc", npc="Wolf", enemy=True, dice=dice, track=6)
        best = {name: len(order) - place for place, name in enumerate(order)}
        rolls = []
        for name in ("Ilse", "Odo", "Wolf"):
            pool = 4 if name == "Ilse" else 3
            rolls.append(weave(*["gales"] * best[name], *["stones"] * (pool - best[name])))
        self.do("begin-encounter", *rolls, against=["Wolf"], combat=True, band=band)
