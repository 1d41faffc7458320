"""Who decides in the demo: chance, with a seed, or a person at the terminal."""

from __future__ import annotations

import random
from typing import Protocol

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.names import MOST, NAMES
from loomtable.engine.kernel.readings import (
    ChoiceReading,
    DiceReading,
    NumberReading,
    Reading,
    Source,
    TextReading,
    rolled,
)
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Request, Roll
from loomtable.vision.dice import TrayReading, Verdict


class Person(Protocol):
    """Answers what neither cards nor dice can."""

    def answer(self, request: Request, *, may_roll: bool) -> Reading:
        """An answer; ``may_roll`` is whether more dice can be rolled."""
        ...

    def correct(self, tray: TrayReading) -> TrayReading | None:
        """The tray with every doubtful die put right, or ``None`` where nobody can tell."""
        ...

    def typed(self, asked: Roll) -> DiceReading | None:
        """Dice that no camera can read, typed; ``None`` where nobody can tell."""
        ...


class ChancePerson:
    """Decides by a seeded generator; every answer is marked as random."""

    def __init__(self, seed: int, season_name: str) -> None:
        self._source = random.Random(seed + 1)
        self._season_name = season_name

    def answer(self, request: Request, *, may_roll: bool) -> Reading:
        """A random choice; a plausible name; all Weave dice rolled again while that is possible."""
        if isinstance(request, EnterText):
            named = self._season_name if "season" in request.purpose else self._source.choice(NAMES[:MOST])
            return TextReading(named, Source.RANDOM)
        if isinstance(request, EnterNumber):
            return NumberReading(request.high if may_roll else request.low, Source.RANDOM)
        return random_answer(request, self._source)

    def correct(self, tray: TrayReading) -> TrayReading | None:
        """Chance never guesses what a die shows."""
        return None

    def typed(self, asked: Roll) -> DiceReading | None:
        """Chance never guesses what a die shows."""
        return None


class AtTerminal:
    """A person who reads questions and types answers."""

    def answer(self, request: Request, *, may_roll: bool) -> Reading:
        """Ask until the answer fits."""
        while True:
            try:
                reading = self._typed(request)
                request.check(reading)
                return reading
            except ReadingMisfit as error:
                print(f"  {error}")

    def _typed(self, request: Request) -> Reading:
        if isinstance(request, Choose):
            print(f"  {request.purpose} ({request.by}):")
            for option in request.options:
                print(f"    {option.key}: {option.label}. {option.says}".rstrip())
            return ChoiceReading((input("  Which? ").strip(),))
        if isinstance(request, EnterNumber):
            text = input(f"  {request.purpose} ({request.low} to {request.high})? {request.why} ".rstrip() + " ")
            if not text.strip().isdecimal():
                raise ReadingMisfit(f"{text!r} is not a number")
            return NumberReading(int(text))
        return TextReading(input(f"  {request.purpose} ({request.by})? "))

    def correct(self, tray: TrayReading) -> TrayReading | None:
        """Ask for every doubtful die what it shows; an empty line confirms what the camera read."""
        for place, die in enumerate(tray.dice):
            while die.doubt and tray.verdict is not Verdict.ACCEPTED:
                typed = input(f"  Die {place + 1} reads {die.face}, but {die.doubt}. What does it show? ").strip()
                try:
                    tray = tray.corrected(place, die.die.parse_face(typed) if typed else die.face)
                    break
                except ReadingMisfit as error:
                    print(f"  {error}")
        return tray

    def typed(self, asked: Roll) -> DiceReading | None:
        """Ask for the faces (or the pips of ordinary dice) until they are as many as were rolled."""
        while True:
            which = "the die shows" if asked.count == 1 else f"the {asked.count} dice show, with spaces between"
            said = input(f"  Type what {which}: ").split()
            die = Die.D6 if asked.stand_in and all(word.isdecimal() for word in said) else asked.die
            try:
                reading = rolled(die, *(die.parse_face(word) for word in said))
                asked.check(reading)
                return reading
            except ReadingMisfit as error:
                print(f"  {error}")
