"""Weave's character sheet: suits and dice, Strikes and Wounds, levels, and every quality."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from loomtable.engine.kernel.wording import how_many
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.weave.cards.playset import CREATION, QualityKind
from loomtable.engine.weave.state import (
    BASE_POOL,
    HIGHEST_LEVEL,
    MOST_WOUNDS,
    STRIKE_TRACK,
    Character,
    ScannedQuality,
    Season,
)
from loomtable.engine.weave.story.character import LEVEL_BONUSES
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.components.journal_pages import game_journal
from loomtable.printkit.components.sheet_style import DrawnSheet, Side, game_sheets, panel, row_panel, small
from loomtable.printkit.draw.forms import row_of
from loomtable.printkit.draw.palette import WHITE, Style
from loomtable.printkit.draw.path import lens
from loomtable.printkit.draw.suits import draw_suit, draw_suit_sign
from loomtable.printkit.draw.type import Font
from loomtable.printkit.games.weave.theme import THEME

_GAP = 3.0
_FRAME = 9.0
"""What a panel's frame and title take of its height (mm)."""
_TALL = 34.0
"""Slots of this height (mm) have room for a new line for the mechanic and the Trigger."""


def slots_of(kind: QualityKind) -> int:
    """How many qualities of a kind a character of the highest level has (WV-6, WV-11)."""
    return CREATION.count(kind) + sum(kinds.count(kind) for kinds in LEVEL_BONUSES.values())


def in_words(quality: ScannedQuality, joint: str = " \u2022 ") -> str:
    """A quality's text, its mechanic and its Trigger, as they stand on a sheet (WV-7, WV-10)."""
    said = [quality.quality.text]
    mechanic = quality.quality.mechanic
    if mechanic is not None:
        suit = f" {mechanic.suit.label}" if mechanic.suit else ""
        once = f", once an {mechanic.once}".replace("an s", "a s") if mechanic.once else ""
        said.append(f"{mechanic.type.value.capitalize()}{suit}{once}: {mechanic.says}")
        if mechanic.trigger:
            trigger = mechanic.trigger
            said.append(f"Trigger, {trigger.symbols} {trigger.suit.label}: {trigger.says}")
    return joint.join(said)


def _of(sheet: Character | None, *kinds: QualityKind) -> list[ScannedQuality]:
    return [q for q in sheet.qualities if q.kind in kinds] if sheet else []


def _front(side: Side, sheet: Character | None) -> None:
    _who(side, sheet)
    room = side.box[3]
    suits, levels = min(62.0, room * 0.265), 21.0
    y = side.top - suits
    _suits(side, side.left, y, 103, suits, sheet)
    _harm(side, side.left + 103 + _GAP, y, side.width - 103 - _GAP, suits, sheet)
    y -= levels + _GAP
    _levels(side, side.left, y, side.width, levels, sheet)
    row = (room - suits - levels - 4 * _GAP - 3 * _FRAME) / 5
    for kinds, rows in ((QualityKind.BACKSTORY, 2), (QualityKind.FLAW, 1), (QualityKind.ASSET, 2)):
        height = row * rows + _FRAME
        y -= height + _GAP
        _qualities(side, y, height, rows, kinds, _of(sheet, kinds), sheet)


def _who(side: Side, sheet: Character | None) -> None:
    form = side.form
    left, right = side.left + 82, side.left + side.width
    top = side.top + 24
    form.ruled("name", "Name", (left, top - 10.5, right - left, 9), sheet and sheet.name, label="Name", points=17)
    suits = right - len(Suit) * 10.8
    form.ruled(
        "player", "Player", (left, top - 19.5, suits - 15 - left, 7.4), sheet and sheet.player, label="Player"
    )
    small(side, suits - 1.4, top - 17.8, "Core Suit", align="right")
    for at, suit in enumerate(Suit):
        x = suits + at * 10.8
        draw_suit_sign(side.pen, suit, x + 2.2, top - 16.4, 4.2)
        chosen = sheet is not None and sheet.core_suit is suit
        form.tick(f"core.{suit}", f"Core Suit is {suit.label}", x + 5.2, top - 18.9, 5.0, chosen)


def _suits(side: Side, x: float, y: float, width: float, height: float, sheet: Character | None) -> None:
    """A row for each suit: its sign, a box for each die that is added to the three, and the pool."""
    left, foot, _, tall = panel(side, x, y, width, height, "Suits", f"{BASE_POOL} dice, and one for each mark")
    most = slots_of(QualityKind.BACKSTORY) + 1
    step = tall / len(Suit)
    for at, suit in enumerate(Suit):
        base = foot + tall - (at + 1) * step
        draw_suit_sign(side.pen, suit, left + 6, base + step / 2, 10.5)
        side.pen.text(left + 14, base + step / 2 + 0.6, suit.label, Font.TITLE, 12, side.theme.deep)
        small(side, left + 14, base + step / 2 - 3.2, suit.means)
        bonus = sheet.dice_bonus(suit) if sheet else 0
        if not at:
            small(side, left + 37, base + step - 2.4, "dice added")
        small(side, left + 81.6, base + step / 2 - 0.9, "dice", align="right")
        label = f"{suit.label}, die added"
        side.form.ticks(f"dice.{suit}", label, row_of(left + 37, base + step / 2 - 3.1, most, 7.6), 6.2, bonus)
        pool = max(1, BASE_POOL + bonus - sheet.wounds) if sheet else None
        side.form.number(f"pool.{suit}", f"{suit.label}, dice to roll", (left + 83, base + 1, 12, step - 2), pool)
        if at:
            side.pen.solid(lens(left + (width - 6) / 2, base + step, width - 10, 0.25), side.theme.warm)


def _harm(side: Side, x: float, y: float, width: float, height: float, sheet: Character | None) -> None:
    """The Strike track and the three Wounds, large enough for the other end of the table (WV-8, WV-9)."""
    form, pen = side.form, side.pen
    tall = height * 0.53
    left, foot, wide, high = panel(
        side, x, y + height - tall, width, tall, "Strikes", f"the {STRIKE_TRACK}th is a Wound"
    )
    across, size = STRIKE_TRACK // 2, 10.4
    step = (wide - size) / (across - 1)
    for at in range(STRIKE_TRACK):
        row, column = divmod(at, across)
        bx, by = left + column * step, foot + high - size - row * (high - size) + 0.2
        form.tick(f"strike.{at + 1}", f"Strike {at + 1}", bx, by, size, bool(sheet and at < sheet.strikes))
        if not (sheet and at < sheet.strikes) or form.fillable:
            small(side, bx + size - 1, by + 1, str(at + 1), align="right", points=6.5)
    low = height - tall - _GAP
    left, foot, wide, high = panel(side, x, y, width, low, "Wounds", "each takes a die from every pool")
    size = min(high - 0.5, 15.0)
    step = wide / MOST_WOUNDS
    for at in range(MOST_WOUNDS):
        bx, by = left + at * step + (step - size) / 2, foot + (high - size) / 2
        marked = bool(sheet and at < sheet.wounds)

        def sign(middle: tuple[float, float] = (bx + size / 2, by + size / 2)) -> None:
            if pen.style is not Style.LOW_INK:
                draw_suit(
                    pen, "strike", *middle, size * 0.66, side.theme.pale.towards(side.theme.deep, 0.12), WHITE
                )

        form.tick(f"wound.{at + 1}", f"Wound {at + 1}", bx, by, size, marked, round_=True, sign=sign)


def _levels(side: Side, x: float, y: float, width: float, height: float, sheet: Character | None) -> None:
    """A box for each level, and what it brings (WV-11)."""
    left, foot, wide, high = panel(side, x, y, width, height, "Level", "once in an episode, at its start")
    step = wide / HIGHEST_LEVEL
    size = 6.6
    for level in range(1, HIGHEST_LEVEL + 1):
        middle = left + (level - 0.5) * step
        reached = bool(sheet and sheet.level >= level)
        side.form.tick(
            f"level.{level}", f"Level {level} reached", middle - size / 2, foot + high - size, size, reached
        )
        small(side, middle + size / 2 + 0.8, foot + high - 2.4, str(level), points=8)
        brings = LEVEL_BONUSES.get(level, CREATION)
        words = ["Four cards"] if level == 1 else [kind.label.replace(" Move", "") for kind in brings]
        for line, word in enumerate(words):
            small(side, middle, foot + 2.1 - line * 2.4, word, align="middle", points=6.2)


def _qualities(
    side: Side,
    y: float,
    height: float,
    rows: int,
    kind: QualityKind,
    held: Sequence[ScannedQuality],
    sheet: Character | None,
) -> None:
    """Slots for qualities of one kind; those beyond the slots go to the back."""
    titles = {QualityKind.BACKSTORY: "Backstories", QualityKind.SIGNATURE_MOVE: "Signature Moves"}
    notes = {
        QualityKind.BACKSTORY: "each adds a die in its suit",
        QualityKind.FLAW: "the storyteller tempts with them",
        QualityKind.ASSET: "used by a Challenge",
        QualityKind.TALENT: "used by a Core Challenge in their suit",
        QualityKind.SIGNATURE_MOVE: "once in an episode",
    }
    title = titles.get(kind, f"{kind.label}s")
    left, foot, wide, high = row_panel(side, y, height, title, notes[kind])
    cell, tall = (wide - 4) / 2, high / rows
    for at in range(rows * 2):
        row, column = divmod(at, 2)
        box = (left + column * (cell + 4), foot + high - (row + 1) * tall + 0.8, cell, tall - 1.4)
        _quality(
            side, f"{kind}.{at + 1}", f"{kind.label} {at + 1}", box, held[at] if at < len(held) else None, sheet
        )


def _quality(
    side: Side,
    name: str,
    label: str,
    box: tuple[float, float, float, float],
    held: ScannedQuality | None,
    sheet: Character | None,
) -> None:
    """One slot: the card, the name, what it does, and a box for having used it (WV-7, WV-12)."""
    x, y, width, height = box
    form, top = side.form, y + height - 6.2
    form.number(
        f"{name}.card", f"{label}, number of its Story card", (x, top, 9, 6), held and held.card.number, points=9
    )
    used = bool(held and sheet and held.quality.name in sheet.spent)
    tickable = not name.startswith(("backstory", "flaw"))
    end = x + width - (7.4 if tickable else 0)
    suit = held.quality.suit if held else None
    if name.startswith("backstory"):
        end -= 31
        for at, option in enumerate(Suit):
            bx = end + 2.6 + at * 7.4
            form.tick(f"{name}.{option}", f"{label} is of {option.label}", bx, top + 1.4, 5, suit is option)
            draw_suit_sign(side.pen, option, bx + 2.5, top - 0.6, 2.9)
    form.ruled(
        f"{name}.name", f"{label}, name", (x + 10.4, top - 0.4, end - x - 11.4, 6.6), held and held.quality.name
    )
    small(side, x + 4.5, top - 2.1, "card", align="middle", points=6)
    if tickable:
        small(side, x + width - 2.9, top - 2.1, "used", align="middle", points=6)
        form.tick(f"{name}.used", f"{label}, used", x + width - 5.6, top + 0.4, 5.4, used)
    lines = max(1, int((height - 8) / 6.0))
    if not held and not form.fillable:
        for line in range(lines):
            base = top - 1.2 - (line + 1) * (height - 7.6) / lines
            side.pen.solid(lens(x + width / 2, base + 0.8, width, 0.12), side.theme.deep)
    text = in_words(held, "\n" if height > _TALL else " \u2022 ") if held else ""
    form.paragraph(
        f"{name}.says",
        f"{label}, what it does",
        (x, y, width - 0.2, height - 8.8),
        text,
        points=9.5,
        least=4.5,
    )


def _back(side: Side, sheet: Character | None) -> None:
    room = side.box[3]
    low = 40.0
    block = (room - low - 2 * _GAP) / 4
    y = side.top - 3 * block
    kind = QualityKind.TALENT
    _qualities(side, y, 3 * block, 3, kind, _of(sheet, kind), sheet)
    y -= block + _GAP
    kind = QualityKind.SIGNATURE_MOVE
    _qualities(side, y, block, 1, kind, _of(sheet, kind), sheet)
    half = (side.width - _GAP) / 2
    height = y - _GAP - side.foot
    left, foot, wide, high = panel(side, side.left, side.foot, half, height, "To redeem", "Challenge cards kept")
    kept = ", ".join(name_of(card) for card in sheet.kept) if sheet else ""
    side.form.paragraph("kept", "Challenge cards kept", (left, foot, wide, high), kept, points=11)
    box = panel(
        side, side.left + half + _GAP, side.foot, half, height, "Until then", "dice, levels and things that last"
    )
    side.form.paragraph("boons", "What waits or lasts", box, _lasting(sheet), points=9)


def _lasting(sheet: Character | None) -> str:
    if sheet is None:
        return ""
    said = []
    for boon in sheet.boons:
        suit = f" in {boon.suit.label}" if boon.suit else ""
        times = f", {how_many(boon.challenges, 'Challenge', 'Challenges')}" if boon.challenges > 1 else ""
        said.append(f"{boon.do.label} {boon.amount}{suit}{times}, by {boon.because}")
    shown = [slots_of(QualityKind.BACKSTORY), slots_of(QualityKind.FLAW), 4, slots_of(QualityKind.TALENT)]
    for kind, most in zip(
        (QualityKind.BACKSTORY, QualityKind.FLAW, QualityKind.ASSET, QualityKind.TALENT), shown, strict=True
    ):
        said += [f"{q.quality.name} ({kind.label}): {in_words(q)}" for q in _of(sheet, kind)[most:]]
    return "\n".join(said)


def _sheets(season: Season | None) -> list[DrawnSheet]:
    def sheet(who: Character | None) -> DrawnSheet:
        return DrawnSheet(
            f"Character sheet of {who.name}" if who else "Character sheet",
            "Character sheet",
            lambda side: _front(side, who),
            lambda side: _back(side, who),
            "Talents and Signature Moves",
        )

    people: list[Character | None] = [*season.characters.values()] if season else []
    return [sheet(who) for who in people or [None]]


sheets = partial(game_sheets, THEME, _sheets)
journal = partial(game_journal, THEME, "Scene", lambda season: f"{season.episode}.{season.scene}")
