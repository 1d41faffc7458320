"""Reading an adventure: arriving at paragraphs, and going on from them (SW-16, SW-17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.storm_weavers.adventure import Paragraph, ParagraphChoice
from loomtable.engine.storm_weavers.adventure_check import playable_adventure
from loomtable.engine.storm_weavers.attacks import flip_coin_test, helped_by, living_thymin, make_test, sheet_of
from loomtable.engine.storm_weavers.endings import FightVerdict
from loomtable.engine.storm_weavers.events.journey import (
    AdventureBegun,
    AdventureEnded,
    AttributeChanged,
    ItemGained,
    ItemLost,
    ParagraphReached,
)
from loomtable.engine.storm_weavers.fights import fight_without_map, refuse_second_fight
from loomtable.engine.storm_weavers.map_fights import fight_on_map
from loomtable.engine.storm_weavers.plans import Change
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, THYMIN, Attribute, Gear, least_value
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, Tale


def begin_adventure(play: Play[Tale], name: str) -> Steps[None]:
    """Set out: the first paragraph is read (SW-17)."""
    living_thymin(play)
    refuse_second_fight(play)
    if play.state.adventure and play.state.ending is None:
        raise IllegalAction(f"the adventure {play.state.adventure} is not yet at its end")
    adventure = playable_adventure(name)
    yield AdventureBegun(adventure=name, title=adventure.title)
    yield from arrive(play, adventure.start)


def page_of(tale: Tale) -> Paragraph | None:
    """The paragraph of the adventure where Thymin is; ``None`` without an adventure."""
    if not tale.adventure or tale.paragraph is None:
        return None
    return playable_adventure(tale.adventure).paragraphs[tale.paragraph]


def arrive(play: Play[Tale], number: int) -> Steps[None]:
    """Come to a paragraph: what it changes on the sheet changes at once, every time it is read (SW-17)."""
    rule = "SW-16" if number == DEATH_PARAGRAPH else "SW-17"
    if not play.state.adventure:
        yield ParagraphReached(paragraph=number, rule=rule)
        return
    page = playable_adventure(play.state.adventure).paragraphs[number]
    yield ParagraphReached(paragraph=number, text=page.text.strip(), rule=rule)
    if (yield from apply_changes(play, page.changes, f"paragraph {number}")):
        return
    if page.ending is not None:
        yield AdventureEnded(ending=page.ending, paragraph=number)


def apply_changes(play: Play[Tale], changes: Iterable[Change], reason: str) -> Steps[bool]:
    """Change the sheet as a paragraph says; returns whether that led to 225 (SW-2, SW-16).

    A paragraph takes no more than there is: gold and attributes end at 0, Weapon Bonus and Armour Class by the
    table's ruling (below-zero); an item that is not there is not lost.
    """
    for change in changes:
        sheet = sheet_of(play)
        if change.gain:
            yield from take_item(play, change.gain, gear_known(play.state).get(change.gain, Gear()))
        elif change.lose:
            if change.lose in sheet.items:
                yield from drop_item(play, change.lose)
        elif change.attribute is not None:
            by = change_by(sheet.value(change.attribute), change, play.ruled("below-zero"))
            if by:
                yield AttributeChanged(attribute=change.attribute, by=by, reason=reason)
    return (yield from die_if_spent(play))


def gear_known(tale: Tale) -> Mapping[str, Gear]:
    """The items whose bonuses the adventure that is on describes."""
    return playable_adventure(tale.adventure).gear if tale.adventure else {}


def take_item(play: Play[Tale], item: str, gear: Gear) -> Steps[None]:
    """Take an item, with the bonuses that come with it (SW-2)."""
    yield ItemGained(item=item, brought=sheet_of(play).brought_by(gear, play.ruled("below-zero")))


def drop_item(play: Play[Tale], item: str) -> Steps[None]:
    """Lose an item that is there, and the bonuses that came with it (SW-2)."""
    yield ItemLost(item=item, brought=sheet_of(play).taken_with(item, play.ruled("below-zero")))


def change_by(now: int, change: Change, below_zero: str = "falls-below") -> int:
    """By how much a paragraph changes a number that is ``now``; Health never to more than 20 (SW-1, SW-2)."""
    by = change.by if change.to is None else change.to - now
    assert by is not None and change.attribute is not None, "an attribute changes by nothing"
    least = least_value(change.attribute, below_zero)
    if least is not None:
        return max(by, min(0, least - now))
    return min(by, max(0, MAX_HEALTH - now)) if change.attribute is Attribute.HEALTH else by


def die_if_spent(play: Play[Tale]) -> Steps[bool]:
    """Health 0 or less sends Thymin to his death's paragraph, once; returns whether it did (SW-16)."""
    if sheet_of(play).health > 0 or play.state.paragraph == DEATH_PARAGRAPH:
        return False
    yield from arrive(play, DEATH_PARAGRAPH)
    return True


def go_on(play: Play[Tale]) -> Steps[None]:
    """Do what the paragraph says, and come to the next one (SW-17)."""
    sheet = living_thymin(play)
    refuse_second_fight(play)
    page = page_of(play.state)
    if page is None:
        raise IllegalAction("no adventure is being played; begin one first (Begin adventure)")
    if play.state.ending is not None:
        raise IllegalAction(f"the adventure ended at paragraph {play.state.paragraph}")
    if page.choices:
        choice = yield from _choose(play, open_choices(play.state))
        if not (yield from apply_changes(play, choice.changes, f"paragraph {play.state.paragraph}")):
            yield from arrive(play, choice.to)
    elif page.test is not None:
        added = yield from helped_by(page.test, page.test.attribute, sheet.items)
        passed = yield from make_test(play, page.test.attribute, added, page.test.dice)
        yield from arrive(play, page.test.passed if passed else page.test.failed)
    elif page.coin is not None:
        passed = yield from flip_coin_test(play, page.coin.side)
        yield from arrive(play, page.coin.passed if passed else page.coin.failed)
    elif page.fight is not None:
        yield from follow(play, (yield from fight_without_map(play, page.fight)))
    elif page.map_fight is not None:
        yield from follow(play, (yield from fight_on_map(play, page.map_fight)))
    elif page.then is not None:
        yield from arrive(play, page.then)


def follow(play: Play[Tale], verdict: FightVerdict) -> Steps[None]:
    """The consequences of a fight that is over (SW-5)."""
    if (yield from die_if_spent(play)) or verdict.end is None:
        return
    died = yield from apply_changes(play, verdict.end.changes, "the fight")
    if not died and verdict.end.to is not None:
        yield from arrive(play, verdict.end.to)


def open_choices(tale: Tale) -> dict[str, ParagraphChoice]:
    """The choices of the paragraph whose conditions hold, by the keys of their options: ``to-7`` (SW-17)."""
    page = page_of(tale)
    if page is None or tale.thymin is None:
        return {}
    choices: dict[str, ParagraphChoice] = {}
    for choice in page.choices:
        key, again = f"to-{choice.to}", 1
        while key in choices:
            again += 1
            key = f"to-{choice.to}-{again}"
        choices[key] = choice
    return {key: c for key, c in choices.items() if c.needs.holds(tale.thymin, tale.visited)}


def _choose(play: Play[Tale], choices: dict[str, ParagraphChoice]) -> Steps[ParagraphChoice]:
    if not choices:
        raise IllegalAction(f"no choice of paragraph {play.state.paragraph} is open to Thymin")
    options = tuple(Option(key, choice.says) for key, choice in choices.items())
    purpose = f"Where to from paragraph {play.state.paragraph}"
    question = Choose(purpose, options, by=THYMIN, rule="SW-17", words="What do you do?")
    return choices[(yield from ask(question)).key]
