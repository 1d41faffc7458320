"""The demo's evening: a season from three cards, a character from four, and a Challenge with real dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import Broken
from loomtable.engine.kernel.readings import CardReading, DiceReading, Source, rolled
from loomtable.engine.kernel.requests import Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.before import odds_before
from loomtable.engine.odds.words import OddsLine
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.weave.state import Character, Season
from loomtable.table.choices.odds import odds_of
from loomtable.table.games.weave.demo.camera_backends import CameraBackend
from loomtable.table.games.weave.demo.people import Person
from loomtable.table.reading.pictures import card_marks, cards_in, dice_marks
from loomtable.vision.dice import TrayReading, Verdict, read_either
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage, write_picture

LOOKS = 3
"""How often the demo looks at one thing before it gives up."""


class NotSeen(Broken):
    """What the demo needs does not lie in the picture; the message says what does."""


@dataclass(frozen=True)
class ReadFrame:
    """A picture that was looked at, as it was taken and with what was read drawn on it, and what came of it."""

    title: str
    frame: Path
    picture: Path
    verdict: str
    line: int = 0
    """The journal's line that it brought; 0 where it brought none, or cards that the engine asks for later."""


@dataclass(frozen=True)
class Before:
    """What the table knew before a roll: the question, and the odds in words."""

    asked: Roll
    odds: tuple[OddsLine, ...]


@dataclass
class Evening:
    """Plays the demo. ``tell`` is called with each line as it happens."""

    session: Session[Season]
    eyes: CameraBackend
    person: Person
    folder: Path
    tell: Callable[[str], None]
    name: str = ""
    """The session's name, and where it is kept."""
    session_store: str = ""
    frames: list[ReadFrame] = field(default_factory=list)
    before: dict[int, Before] = field(default_factory=dict)
    """What was known before each roll, by the journal's line that it became."""
    _cards: deque[ComponentId] = field(default_factory=deque)
    _told: int = 0

    def play(self, playset: str, player: str) -> None:
        """The whole evening.

        Raises:
            NotSeen: a picture does not show what is needed, and no other can be had.
        """
        self._story_cards("Three Story cards: Theme, Location, Boss", 3)
        self._act("new-season", playset=playset)
        self._story_cards("Four Story cards: a character", 4)
        self._act("add-character", player=player)
        foundation = tuple(q.card for q in self.session.state.foundation)
        [card] = self._look_at_cards(Kind.CHALLENGE, 1, "A Challenge card joins the spread", foundation)
        suit = challenge_card(card).suit
        self._act("challenge", who=self.character.name, suit=suit.value, card=card.short)

    @property
    def character(self) -> Character:
        """The one character of the evening."""
        return next(iter(self.session.state.characters.values()))

    # Acting and answering

    def _act(self, name: str, **args: object) -> None:
        self.session.perform(name, **args)
        self._tell_news()
        while (asked := self.session.pending) is not None:
            if isinstance(asked, ShowCard):
                self.session.answer(CardReading(self._cards.popleft(), Source.CAMERA))
            elif isinstance(asked, Roll):
                self._roll(asked)
            else:
                self.session.answer(self.person.answer(asked, may_roll=self.eyes.has_more))
            self._tell_news()

    def _roll(self, asked: Roll) -> None:
        """Say the odds, roll, and remember both under the line of the journal that they became."""
        self.tell(f"\n{asked.purpose}: {asked.dice}")
        known = Before(asked, odds_before(self.session) or ())
        self.tell(f"  {odds_of(known.odds, 1)}")
        reading, first = self._rolled(asked), len(self.frames) - 1
        self.session.answer(reading)
        line = self.session.lines()[-1].seq
        self.before[line] = known
        self.frames[first] = replace(self.frames[first], line=line)

    def _tell_news(self) -> None:
        story = self.session.story()
        for line in story[self._told :]:
            self.tell(f"  {line}")
        self._told = len(story)

    # Looking

    def _story_cards(self, title: str, count: int) -> None:
        """Look at so many Story cards; they wait in their order until the engine asks for them."""
        self._cards = deque(self._look_at_cards(Kind.STORY, count, title, ()))

    def _look_at_cards(
        self, kind: Kind, count: int, title: str, also: tuple[ComponentId, ...]
    ) -> list[ComponentId]:
        """So many cards of a kind, in the order in which they lie; those in ``also`` do not count."""
        self.tell(f"\n{title}")
        label = kind.value.capitalize()
        for look in range(LOOKS):
            picture = self.eyes.at_cards(kind, count, also, again=look > 0)
            scan = cards_in(picture)
            found = [c for c in scan.ids if c.kind is kind and c not in also]
            self._keep(
                title, picture, card_marks(scan, picture), f"{how_many(len(scan.ids), 'card', 'cards')} read"
            )
            for refused in scan.refused:
                self.tell(f"  Refused: {refused.reason}.")
            if len(found) == len(set(found)) == count:
                return found
            expected = how_many(count, f"{label} card", f"{label} cards")
            trouble = f"{self.eyes.name}: {expected} expected, {len(set(found))} seen"
            if scan.advice:
                trouble += f"; {scan.advice}"
            if not self.eyes.can_look_again:
                raise NotSeen(trouble)
            self.tell(f"  {trouble}. Looking again.")
        raise NotSeen(f"{self.eyes.name}: the cards could not be read in {LOOKS} looks")

    def _rolled(self, asked: Roll) -> DiceReading:
        """Look at the dice, or at ordinary ones in their stead; ask a person where the reader is not sure."""
        kinds = (asked.die, Die.D6) if asked.stand_in else (asked.die,)
        for look in range(LOOKS):
            picture = self.eyes.at_dice(asked.die, asked.count, asked.purpose, again=look > 0)
            tray = read_either(picture, [(asked.count, die) for die in kinds])
            verdict = f"{tray.verdict.value}: {tray.reason}"
            self._keep(asked.purpose, picture, dice_marks(tray, _words(asked, tray)), verdict)
            self.tell(f"  The reader says {verdict}.")
            if tray.verdict is Verdict.ASK:
                tray = self._put_right(asked, tray)
            if tray.verdict is Verdict.ACCEPTED:
                self.tell(f"  {', '.join(_words(asked, tray))}.")
                return tray.rolled()
            if not self.eyes.can_look_again:
                raise NotSeen(f"{self.eyes.name}: the dice cannot be counted on: {tray.reason}")
            if look + 1 < LOOKS:
                self.tell("  The dice are moved apart and looked at again.")
        lying = self.eyes.lying()
        typed = rolled(asked.die, *lying) if lying else self.person.typed(asked)
        if typed is None:
            raise NotSeen(f"{self.eyes.name}: the dice could not be read in {LOOKS} looks")
        self.tell(f"  Typed at the table instead: {', '.join(str(die.face) for die in typed.dice)}.")
        return typed

    def _put_right(self, asked: Roll, tray: TrayReading) -> TrayReading:
        """A person taps the dice that the reader is not sure of."""
        told = self.eyes.looked_closely(tray) or self.person.correct(tray)
        if told is None or told.verdict is not Verdict.ACCEPTED:
            return tray
        self.tell("  Somebody at the table says what the doubtful dice show.")
        return told

    def _keep(self, title: str, picture: BgrImage, marks: list[Mark], verdict: str) -> None:
        number = len(self.frames) + 1
        frame, path = self.folder / f"frame-{number}.jpg", self.folder / f"seen-{number}.jpg"
        write_picture(frame, picture)
        write_picture(path, draw_marks(picture, marks))
        self.frames.append(ReadFrame(title, frame, path, verdict))


def _words(asked: Roll, tray: TrayReading) -> list[str]:
    """Each die's face; of an ordinary die its pips, and what they mean in place of the die that was asked for."""
    return [
        str(die.face).capitalize()
        if die.die is asked.die
        else f"{die.face} {asked.stand_in[int(die.face) - 1].capitalize()}"
        for die in tray.dice
    ]
