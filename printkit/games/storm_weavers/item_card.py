"""Item cards of Storm Weavers: what an adventure gives, to lay beside the sheet until it is spent."""

from __future__ import annotations

from loomtable.engine.storm_weavers.adventure_check import adventure_names, playable_adventure
from loomtable.engine.storm_weavers.sheet import GEAR, Gear
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.ready_cards import picture_for
from loomtable.printkit.decks.own import ready_cards
from loomtable.printkit.games.storm_weavers.theme import THEME
from loomtable.printkit.sheet.pieces import PrintedCard


def items(options: RenderOptions) -> list[PrintedCard]:
    """What Thymin has, then what each installed adventure can give him."""
    cards: dict[str, dict[str, str]] = {item: _card(item, "Thymin's own", gear) for item, gear in GEAR.items()}
    for name in adventure_names():
        adventure = playable_adventure(name)
        gained = [change.gain for part in adventure.paragraphs.values() for change, _ in part.all_changes()]
        for item in sorted({*gained} - {"", *cards}):
            cards[item] = _card(item, adventure.title, adventure.items.get(item, Gear()))
    return ready_cards("thing", list(cards.values()), "item cards")


def _card(item: str, source: str, gear: Gear) -> dict[str, str]:
    colour = "".join(f"{round(part * 255):02X}" for part in THEME.deep)
    text = "\n".join(filter(None, (gear.about, f"**{gear.said}**" if gear.said else "")))
    return {"name": item, "role": source, "text": text, "colour": colour, **picture_for("storm_weavers", item)}
