"""Events of the sheet, of tests, and of the journey through paragraphs."""

from __future__ import annotations

from loomtable.engine.kernel.play import changed
from loomtable.engine.storm_weavers.events.base import TaleEvent, sheet_of
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, Attribute, Gear, Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding, Leg, Tale


class SheetMade(TaleEvent, frozen=True, kw_only=True):
    """Thymin's sheet was made (SW-1)."""

    sheet: Sheet
    rule: str = "SW-1"

    def apply(self, state: Tale) -> Tale:
        return Tale(thymin=self.sheet)


class AttributeChanged(TaleEvent, frozen=True, kw_only=True):
    """A number on the sheet changed (SW-2)."""

    attribute: Attribute
    by: int
    reason: str
    rule: str = "SW-2"

    def apply(self, state: Tale) -> Tale:
        sheet = sheet_of(state)
        value = sheet.value(self.attribute) + self.by
        if self.attribute is Attribute.HEALTH:
            value = min(value, MAX_HEALTH)
        return changed(state, "thymin", **{self.attribute: value})


class ItemGained(TaleEvent, frozen=True, kw_only=True):
    """Thymin took an item (SW-2)."""

    item: str
    brought: Gear = Gear()
    """What comes with it."""
    rule: str = "SW-2"

    def apply(self, state: Tale) -> Tale:
        return changed(state, thymin=sheet_of(state).taking(self.item, self.brought))


class ItemLost(TaleEvent, frozen=True, kw_only=True):
    """Thymin lost an item, used it up or gave it away (SW-2)."""

    item: str
    brought: Gear = Gear()
    """What comes of the loss: less of a bonus that it carried."""
    rule: str = "SW-2"

    def apply(self, state: Tale) -> Tale:
        return changed(state, thymin=sheet_of(state).losing(self.item, self.brought))


class Tested(TaleEvent, frozen=True, kw_only=True):
    """A test of an attribute was made (SW-3)."""

    attribute: Attribute
    total: int
    modifier: int
    value: int
    passed: bool
    rule: str = "SW-3"


class CoinTested(TaleEvent, frozen=True, kw_only=True):
    """A coin test was made (SW-4)."""

    called: str
    side: str
    passed: bool
    fixed: bool = False
    """Whether the paragraph named the side, and nobody called one."""
    rule: str = "SW-4"


class AdventureBegun(TaleEvent, frozen=True, kw_only=True):
    """Thymin set out on an adventure (SW-17)."""

    adventure: str
    title: str
    rule: str = "SW-17"

    def apply(self, state: Tale) -> Tale:
        return Tale(thymin=state.thymin, adventure=self.adventure)


class ParagraphReached(TaleEvent, frozen=True, kw_only=True):
    """Thymin came to a paragraph (SW-17), or a rule sent him there (SW-16)."""

    paragraph: int
    text: str = ""
    rule: str = "SW-16"

    def apply(self, state: Tale) -> Tale:
        if not state.adventure:
            return changed(state, paragraph=self.paragraph)
        leg = () if state.paragraph is None else (Leg(state.paragraph, self.paragraph),)
        fresh = () if self.paragraph in state.visited else (self.paragraph,)
        return changed(
            state,
            paragraph=self.paragraph,
            visited=(*state.visited, *fresh),
            journey=(*state.journey, *leg),
        )


class NoteWritten(TaleEvent, frozen=True, kw_only=True):
    """The player wrote something on the map of the journey (SW-17)."""

    paragraph: int
    text: str
    rule: str = "SW-17"

    def apply(self, state: Tale) -> Tale:
        notes = (*state.notes.get(self.paragraph, ()), self.text)
        return changed(state, notes={**state.notes, self.paragraph: notes})


class AdventureEnded(TaleEvent, frozen=True, kw_only=True):
    """An adventure came to its end (SW-17)."""

    ending: AdventureEnding
    paragraph: int = DEATH_PARAGRAPH
    rule: str = "SW-17"

    def apply(self, state: Tale) -> Tale:
        return changed(state, ending=self.ending)
