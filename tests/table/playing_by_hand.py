"""People who play an evening by hand: what they lay, throw and move for whatever their game asks."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from msgspec import structs

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.gestures import LETTERS, options_shown
from loomtable.engine.kernel.readings import (
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    Reading,
    TextReading,
    rolled,
)
from loomtable.engine.kernel.requests import Choose, Flip, Request, Roll
from loomtable.testing import EveningByHand
from loomtable.testing.evening_by_hand import Meant, Upshot

Place = tuple[float, float]


class Players:
    """Hands that do what is asked; what they choose and throw is chance, with a seed.

    Args:
        evening: where they play.
        seed: of what they choose and throw.
        answers: where answer cards are laid, one after another.
        tray: where dice are thrown.
        turn: by how much answer cards are turned, where there is no room for them as they are read.
    """

    def __init__(
        self,
        evening: EveningByHand,
        seed: int,
        *,
        answers: Sequence[Place],
        tray: Place,
        turn: float | None = None,
    ) -> None:
        self.evening, self.chance, self._turn = evening, random.Random(seed), turn
        self._answers, self._tray = list(answers), tray
        self._laid: list[str] = []
        """Answer cards that still lie there, the oldest first."""

    def play_on(self, prefer: Sequence[str] = ()) -> None:
        """Answer by hand until nothing is asked; of several options those with these keys are preferred."""
        while (asked := self.evening.state.pending) is not None:
            self.answer(asked, prefer)

    def answer(self, asked: Request, prefer: Sequence[str] = (), then: Sequence[Meant] = ()) -> Upshot:
        """Answer one question, with dice, a coin or an answer card, ``then`` what follows by itself; what no card
        can say is touched."""
        if isinstance(asked, Roll | Flip):
            given = random_answer(asked, self.chance)
            faces: tuple[Face, ...] = given.faces if isinstance(given, DiceReading) else (given.side,)  # type: ignore[union-attr]
            return self.throw(asked.die if isinstance(asked, Roll) else Die.COIN, faces)
        options = options_shown(asked)[: len(LETTERS)]
        if isinstance(asked, Choose) and asked.at_most > 1 and not asked.at_least:
            return self.say(AnswerCard.GO_ON, ChoiceReading(()))
        if not options or (isinstance(asked, Choose) and asked.at_least > 1):
            self.evening.touch(random_answer(asked, self.chance))
            return Upshot.MISSED
        place = next(
            (k for k, one in enumerate(options) if one.key in prefer), self.chance.randrange(len(options))
        )
        return self.say(LETTERS[place], _chosen(asked, options[place].key), then=then)

    def throw(
        self, die: Die, faces: Sequence[Face], *, near: Place | None = None, means: Sequence[Meant] | None = None
    ) -> Upshot:
        """Throw dice: those that lie there are picked up, as many as are needed, and the rest put away."""
        if means is None:
            means = [rolled(die, *faces) if die is not Die.COIN else CoinReading(str(faces[0]))]
        lying = [name for name in self.evening.table.lying if name.startswith(f"{die} ")]
        others = [name for name in self.evening.table.lying if name.split()[0] in list(Die) and name not in lying]
        if others or len(lying) != len(faces):
            if lying or others:
                self.evening.take_away(*lying, *others)
            lying = []
        what = lying or f"{len(faces)}{die}"
        return self.settled(self.evening.throw(what, faces, near=near or self._tray, means=means), means)

    def say(self, card: AnswerCard, *means: Meant, then: Sequence[Meant] = ()) -> Upshot:
        """Lay an answer card, which ``means`` this, ``then`` what follows by itself; the oldest is put away where
        there is no more room, or it lies there already."""
        if card in self._laid or len(self._laid) == len(self._answers):
            gone = card.value if card in self._laid else self._laid[0]
            self.evening.take_away(gone)
            self._laid.remove(gone)
        taken = {(round(one.x), round(one.y)) for one in self.evening.table.lying.values()}
        free = next(at for at in self._answers if (round(at[0]), round(at[1])) not in taken)
        self._laid.append(card.value)
        return self.settled(self.evening.lay(card.value, at=free, turn=self._turn, means=[*means, *then]), means)

    def agree(self, card: AnswerCard, faces: Sequence[Face], *means: Meant) -> bool:
        """Agree by a card to thrown dice, if the screens tell what lies there; else they are asked about."""
        shown = self.evening.camera()["proposal"]
        told = re.findall(r"\d+", shown["says"].rpartition(":")[2]) if shown is not None else []
        if shown is not None and shown["sure"] | (card in LETTERS) and sorted(told) == sorted(map(str, faces)):
            self.say(card, *means)
            return True
        outcome, said = (Upshot.MISSED, None) if shown is None else (Upshot.ASKED, shown["says"])
        self.evening.played[-1] = structs.replace(self.evening.played[-1], outcome=outcome, said=said)
        return False

    def settled(self, outcome: Upshot, meant: Sequence[Meant]) -> Upshot:
        """Where something was not taken, a device says it, so that the evening goes on."""
        if outcome in (Upshot.ASKED, Upshot.MISSED):
            for one in meant:
                self.evening.touch(one)
        return outcome


def _chosen(asked: Request, key: str) -> Reading:
    match asked:
        case Choose():
            return ChoiceReading((key,))
        case _ if hasattr(asked, "low"):
            return NumberReading(int(key))
        case _:
            return TextReading(key)
