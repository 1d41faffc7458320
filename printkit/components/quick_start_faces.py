"""What lay on the table in a quick start's example: dice, a coin and cards, drawn small, and not for a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.transcript import LyingDie, TranscriptStep
from loomtable.engine.quick_start import QuickStart
from loomtable.engine.systems import card_name
from loomtable.printkit.components.die_faces import FACE_SIZE, draw_face
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.palette import WHITE
from loomtable.printkit.draw.path import rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, width_of

EDGE = 8.6
"""Width of a die, mm."""
GAP = 1.7
_CARD_HEIGHT = 7.0


@dataclass(frozen=True)
class Shown:
    """Something that lies on the table: a die with its face, or a card by its name."""

    die: Die | None = None
    face: Face = ""
    card: str = ""

    @property
    def width(self) -> float:
        """Width in mm."""
        return EDGE if self.die else width_of(self.card, Font.TITLE, 9.5) + 5.0


def lying(start: QuickStart, played: Sequence[TranscriptStep]) -> list[Shown]:
    """Every die, coin and card of these steps, in their order."""
    found: list[Shown] = []
    for step in played:
        for die in step.roll or ():
            face = die.face if isinstance(die, LyingDie) else die
            found.append(Shown(start.die, face))
        if step.flip is not None:
            found.append(Shown(Die.COIN, step.flip))
        if step.card is not None:
            found.append(Shown(card=card_name(step.card)))
        if "card" in step.args:
            found.append(Shown(card=card_name(ComponentId.parse(str(step.args["card"])))))
    return found


def draw_lying(pen: Pen, theme: Theme, things: Sequence[Shown], right: float, y: float) -> None:
    """A row of them about the height ``y``, ending at ``right``."""
    x = right - sum(thing.width for thing in things) - GAP * (len(things) - 1)
    for thing in things:
        if thing.die is None:
            outline = rounded(x, y - _CARD_HEIGHT / 2, thing.width, _CARD_HEIGHT, 1.2)
            pen.fill_background(outline, theme.pale.towards(WHITE, 0.4))
            pen.stroke(outline, theme.deep, 0.35)
            inner = rounded(x + 0.7, y - _CARD_HEIGHT / 2 + 0.7, thing.width - 1.4, _CARD_HEIGHT - 1.4, 0.8)
            pen.stroke(inner, theme.warm, 0.15)
            pen.text(x + thing.width / 2, y - 1.15, thing.card, Font.TITLE, 9.5, theme.deep, align="middle")
        else:
            with pen.at(x, y - EDGE / 2, scale=EDGE / FACE_SIZE):
                draw_face(pen, thing.die, thing.face)
        x += thing.width + GAP
