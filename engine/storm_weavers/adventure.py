"""Adventures: numbered paragraphs as a file that people write (SW-17).

An adventure is a YAML file in ``templates/storm_weavers/adventures``; ``docs/adventures.md`` describes it. This
module reads one; ``adventure_check`` finds what does not hold together in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.yamlfile import Titled, YamlLines, parse_yaml, part
from loomtable.engine.storm_weavers.plans import USUAL_DICE, Change, FightPlan, MapFightPlan, NamedSide, Terms
from loomtable.engine.storm_weavers.sheet import Attribute, Gear, Sheet
from loomtable.engine.storm_weavers.state import AdventureEnding

Place = tuple[str | int, ...]
"""Where something stands in an adventure's file."""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What has to hold for a choice to be open; everything that is named must hold."""

    item: str = ""
    without: str = ""
    gold: int = 0
    at_least: dict[Attribute, int] = {}
    visited: int | None = None
    unvisited: int | None = None

    def holds(self, sheet: Sheet, visited: tuple[int, ...]) -> bool:
        """Whether it holds for this sheet and these paragraphs."""
        return (
            (not self.item or self.item in sheet.items)
            and (not self.without or self.without not in sheet.items)
            and sheet.gold >= self.gold
            and all(sheet.value(attribute) >= least for attribute, least in self.at_least.items())
            and (self.visited is None or self.visited in visited)
            and (self.unvisited is None or self.unvisited not in visited)
        )

    @property
    def always(self) -> bool:
        """Whether it asks for nothing."""
        return self == Condition()


class ParagraphChoice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A way on that the player can choose, where its condition holds."""

    says: str
    to: int
    needs: Condition = msgspec.field(name="if", default=Condition())
    changes: tuple[Change, ...] = ()


class AttributeTest(Terms, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A test of Wisdom or Dexterity, with two d6 unless the paragraph names other ``dice`` (SW-3)."""

    attribute: Attribute
    passed: int = msgspec.field(name="pass")
    failed: int = msgspec.field(name="fail")
    dice: str = USUAL_DICE


class CoinTest(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A coin test, whose ``side`` is called unless the paragraph names the one that passes (SW-4)."""

    passed: int = msgspec.field(name="pass")
    failed: int = msgspec.field(name="fail")
    side: NamedSide | None = None


class Paragraph(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One numbered paragraph: its text, what changes on reading it, and exactly one way on."""

    text: str
    changes: tuple[Change, ...] = ()
    choices: tuple[ParagraphChoice, ...] = ()
    test: AttributeTest | None = None
    coin: CoinTest | None = None
    fight: FightPlan | None = None
    map_fight: MapFightPlan | None = None
    then: int | None = None
    ending: AdventureEnding | None = None

    @property
    def ways_on(self) -> tuple[str, ...]:
        """The fields by which it goes on; a good paragraph has exactly one."""
        return tuple(way for way in WAYS_ON if getattr(self, way) not in (None, ()))

    def exits(self) -> Iterator[tuple[int, Place]]:
        """Every paragraph it can lead to, and where in the paragraph that stands; death is not named."""
        for place, choice in enumerate(self.choices):
            yield choice.to, ("choices", place, "to")
        if self.test is not None:
            yield self.test.passed, ("test", "pass")
            yield self.test.failed, ("test", "fail")
        if self.coin is not None:
            yield self.coin.passed, ("coin", "pass")
            yield self.coin.failed, ("coin", "fail")
        for name, plan in (("fight", self.fight), ("map_fight", self.map_fight)):
            for place, end in enumerate(plan.ends if plan else ()):
                if end.to is not None:
                    yield end.to, (name, "ends", place, "to")
        if self.then is not None:
            yield self.then, ("then",)

    def helpful_items(self) -> Iterator[tuple[str, Place]]:
        """Every item that a test of it asks about, a Cunning Strike's too, and where that stands."""
        terms: tuple[tuple[Terms | None, Place], ...] = (
            (self.test, ("test", "items")),
            (self.fight.strike_test if self.fight else None, ("fight", "strike_test", "items")),
            (self.map_fight.strike_test if self.map_fight else None, ("map_fight", "strike_test", "items")),
        )
        for asked, place in terms:
            for item in asked.items if asked else ():
                yield item, place

    def all_changes(self) -> Iterator[tuple[Change, Place]]:
        """Every change it can make, and where in the paragraph that stands."""
        for place, change in enumerate(self.changes):
            yield change, ("changes", place)
        for place, choice in enumerate(self.choices):
            for inner, change in enumerate(choice.changes):
                yield change, ("choices", place, "changes", inner)
        for name, plan in (("fight", self.fight), ("map_fight", self.map_fight)):
            for place, end in enumerate(plan.ends if plan else ()):
                for inner, change in enumerate(end.changes):
                    yield change, (name, "ends", place, "changes", inner)


WAYS_ON = ("choices", "test", "coin", "fight", "map_fight", "then", "ending")


class Adventure(msgspec.Struct, frozen=True):
    """Numbered paragraphs, and the one where it begins."""

    name: str
    title: str
    about: str
    start: int
    paragraphs: dict[int, Paragraph]
    enemies: dict[str, str] = {}
    """The manner of each kind of enemy, in a sentence or two; no rule, but worth reading before a fight."""
    items: dict[str, Gear] = {}
    """What its items bring and what their cards say of them (SW-2)."""
    content_notes: str = ""
    """What people may want to know before they play it."""

    @property
    def gear(self) -> dict[str, Gear]:
        """Those of its items that carry a bonus."""
        return {item: gear for item, gear in self.items.items() if gear.said}


class _AdventureFile(Titled, frozen=True):
    adventure: str
    about: str
    paragraphs: dict[int, dict[str, Any]]
    start: int = 1
    enemies: dict[str, str] = msgspec.field(default_factory=dict)
    items: dict[str, Gear] = msgspec.field(default_factory=dict)
    content_notes: str = ""


def parse_adventure(text: str, name: str) -> tuple[Adventure, YamlLines]:
    """Read an adventure and the lines in which its parts stand; ``name`` is the file's name in messages.

    Only its shape is held here; see ``adventure_check.check_adventure_text`` for whether it holds together.

    Raises:
        ContentInvalid: not good YAML, or not of the format; the message says in which line.
    """
    file, lines = parse_yaml(text, _AdventureFile, name)
    paragraphs: dict[int, Paragraph] = {}
    for number, plain in file.paragraphs.items():
        if number < 1:
            raise ContentInvalid(f"{lines.place('paragraphs', number)}: paragraphs are numbered from 1")
        paragraphs[number] = part(plain, Paragraph, lines, "paragraphs", number)
    adventure = Adventure(
        file.adventure,
        file.title,
        file.about,
        file.start,
        paragraphs,
        file.enemies,
        file.items,
        file.content_notes.strip(),
    )
    return adventure, lines
