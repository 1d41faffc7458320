"""Can an adventure be read as it is meant? Lengths, manners of enemies, things asked for too early.

What is found here never keeps an adventure from being played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from loomtable.engine.storm_weavers.adventure import Adventure, Paragraph, Place
from loomtable.engine.storm_weavers.sheet import Sheet

MOST_WORDS = 130
"""In a paragraph: what can be read aloud in a minute."""
MOST_LETTERS = 100
"""In what a choice says."""


def trouble_in_reading(adventure: Adventure) -> Iterator[tuple[str, Place]]:
    """Each trouble as a sentence, and where in the file it stands."""
    yield from _lengths(adventure.paragraphs)
    yield from _manners(adventure)
    yield from _too_early(adventure)


def _lengths(paragraphs: Mapping[int, Paragraph]) -> Iterator[tuple[str, Place]]:
    for number, page in paragraphs.items():
        words = len(page.text.split())
        if words > MOST_WORDS:
            trouble = f"paragraph {number} has {words} words; {MOST_WORDS} at most can be read aloud in one breath"
            yield trouble, ("paragraphs", number, "text")
        for place, choice in enumerate(page.choices):
            if not choice.says.strip():
                yield (
                    f"paragraph {number} has a choice that says nothing",
                    ("paragraphs", number, "choices", place),
                )
            elif len(choice.says) > MOST_LETTERS:
                trouble = f"paragraph {number} has a choice of {len(choice.says)} letters; {MOST_LETTERS} at most"
                yield trouble, ("paragraphs", number, "choices", place)


def _manners(adventure: Adventure) -> Iterator[tuple[str, Place]]:
    """Where manners of enemies are described at all, every enemy has one, and nobody else."""
    if not adventure.enemies:
        return
    met: dict[str, Place] = {}
    for number, page in adventure.paragraphs.items():
        if page.fight is not None:
            met.setdefault(page.fight.enemy.name, ("paragraphs", number, "fight"))
        for enemy in page.map_fight.enemies if page.map_fight else ():
            met.setdefault(enemy.name, ("paragraphs", number, "map_fight"))
    for name, place in met.items():
        if not adventure.enemies.get(name, "").strip():
            yield f"nothing is said under 'enemies' about {name!r}, who fights in paragraph {place[1]}", place
    for name in adventure.enemies:
        if name not in met:
            yield f"{name!r} is described under 'enemies' and fights nowhere", ("enemies", name)


def _too_early(adventure: Adventure) -> Iterator[tuple[str, Place]]:
    """Choices and items that can never be open, for what they ask about lies only on other ways or later on."""
    before = _before(adventure)
    gained: dict[str, set[int]] = {}
    for number, page in adventure.paragraphs.items():
        for change, _ in page.all_changes():
            if change.gain:
                gained.setdefault(change.gain, set()).add(number)
    owned = set(Sheet(0, 0).items)
    for number, page in adventure.paragraphs.items():
        had = {item for item, places in gained.items() if places & (before[number] | {number})} | owned
        for place, choice in enumerate(page.choices):
            where: Place = ("paragraphs", number, "choices", place, "if")
            if choice.needs.item in gained and choice.needs.item not in had:
                yield (
                    f"paragraph {number} asks for the item {choice.needs.item!r}, which is gained only later",
                    where,
                )
            visited = choice.needs.visited
            if visited in adventure.paragraphs and visited != number and visited not in before[number]:
                yield (
                    f"paragraph {number} asks whether paragraph {visited} was read, which cannot come before it",
                    where,
                )
        for item, within in page.helpful_items():
            if item in gained and item not in had:
                trouble = f"paragraph {number} asks for the item {item!r}, which is gained only later"
                yield trouble, ("paragraphs", number, *within)


def _before(adventure: Adventure) -> dict[int, set[int]]:
    """For each paragraph, those that can have been read before it."""
    before: dict[int, set[int]] = {number: set() for number in adventure.paragraphs}
    grown = True
    while grown:
        grown = False
        for number, page in adventure.paragraphs.items():
            come = before[number] | {number}
            for to, _ in page.exits():
                if to in before and not come <= before[to]:
                    before[to] |= come
                    grown = True
    return before
