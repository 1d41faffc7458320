"""Does an adventure hold together? Every finding is one sentence, with the file and the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec
import yaml

from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.yamlfile import Installed, YamlLines, compose
from loomtable.engine.storm_weavers.adventure import Adventure, Paragraph, ParagraphChoice, Place, parse_adventure
from loomtable.engine.storm_weavers.adventure_reading import trouble_in_reading
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.fights import trouble_with_fight
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start, trouble_with_map_fight
from loomtable.engine.storm_weavers.movement import Ground, way_to_reach
from loomtable.engine.storm_weavers.plans import FightOutcome, MapFightPlan, dice_of_a_test
from loomtable.engine.storm_weavers.sheet import Attribute, Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding


class AdventureFinding(msgspec.Struct, frozen=True):
    """Something in an adventure that does not hold together.

    ``stops_play`` marks what would break the play of it; other findings are surely not meant, but can be played.
    """

    file: str
    line: int
    says: str
    stops_play: bool = True

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.says}"


def check_adventure_text(text: str, name: str) -> list[AdventureFinding]:
    """Everything that does not hold together in an adventure, by line; ``name`` is its file's."""
    twice = list(_numbers_that_stand_twice(text, name))
    if twice:
        return twice
    try:
        adventure, lines = parse_adventure(text, name)
    except ContentInvalid as error:
        return [_unreadable(error, name)]
    return sorted(_Check(adventure, lines).findings(), key=lambda finding: finding.line)


def _numbers_that_stand_twice(text: str, name: str) -> Iterator[AdventureFinding]:
    """Repeated paragraph numbers; looked for before anything, for a YAML reader knows only one of them."""
    try:
        root = compose(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value != "paragraphs" or not isinstance(value, yaml.MappingNode):
            continue
        first: dict[str, int] = {}
        for number, _ in value.value:
            line = number.start_mark.line + 1
            if number.value in first:
                trouble = f"paragraph {number.value} is here again; it is first in line {first[number.value]}"
                yield AdventureFinding(name, line, trouble)
            first.setdefault(str(number.value), line)


def _unreadable(error: LoomtableError, name: str) -> AdventureFinding:
    found = re.fullmatch(re.escape(name) + r"(?: line (\d+))?: (.*)", str(error), re.DOTALL)
    line, trouble = (int(found[1] or 1), found[2]) if found else (1, str(error))
    return AdventureFinding(name, line, trouble)


class _Check:
    def __init__(self, adventure: Adventure, lines: YamlLines) -> None:
        self.adventure = adventure
        self.paragraphs = adventure.paragraphs
        self.lines = lines

    def findings(self) -> Iterator[AdventureFinding]:
        yield from self._start_and_death()
        for number, paragraph in self.paragraphs.items():
            for place, trouble in _of_one(paragraph):
                yield self._finding(f"paragraph {number} {trouble}", "paragraphs", number, *place)
            yield from self._references(number, paragraph)
            yield from self._choices(number, paragraph)
            yield from self._over_at_once(number, paragraph)
            if paragraph.map_fight is not None:
                yield from self._reachable_enemies(number, paragraph.map_fight)
        yield from self._ways()
        for item in self.adventure.items.keys() - self._gained():
            trouble = f"{item!r} is described under 'items', and Thymin can nowhere gain it"
            yield self._finding(trouble, "items", item, stops_play=False)
        asked = {item for paragraph in self.paragraphs.values() for item, _ in _asked_for(paragraph)}
        for item in self._gained() - asked - self.adventure.gear.keys() - {""}:
            trouble = f"{item!r} is gained, and nothing asks for it"
            yield self._finding(trouble, "paragraphs", stops_play=False)
        for trouble, place in trouble_in_reading(self.adventure):
            yield self._finding(trouble, *place, stops_play=False)

    def _finding(self, trouble: str, *place: str | int, stops_play: bool = True) -> AdventureFinding:
        return AdventureFinding(self.lines.name, self.lines.line(*place), trouble, stops_play)

    def _start_and_death(self) -> Iterator[AdventureFinding]:
        if self.adventure.start not in self.paragraphs:
            yield self._finding(
                f"the adventure begins at paragraph {self.adventure.start}, which is missing", "start"
            )
        death = self.paragraphs.get(DEATH_PARAGRAPH)
        if death is None:
            yield self._finding(f"paragraph {DEATH_PARAGRAPH}, Thymin's death, is missing", "paragraphs")
        elif death.ending is not AdventureEnding.DEATH:
            trouble = f"paragraph {DEATH_PARAGRAPH} is Thymin's death and needs 'ending: death'"
            yield self._finding(trouble, "paragraphs", DEATH_PARAGRAPH)

    def _references(self, number: int, paragraph: Paragraph) -> Iterator[AdventureFinding]:
        for target, place in paragraph.exits():
            if target not in self.paragraphs:
                trouble = f"paragraph {number} leads to paragraph {target}, which is missing"
                yield self._finding(trouble, "paragraphs", number, *place)
        for place_, choice in enumerate(paragraph.choices):
            for asked in (choice.needs.visited, choice.needs.unvisited):
                if asked is not None and asked not in self.paragraphs:
                    missing = f"but there is no paragraph {asked}"
                    trouble = f"paragraph {number} asks whether paragraph {asked} was read, {missing}"
                    yield self._finding(trouble, "paragraphs", number, "choices", place_, "if")

    def _choices(self, number: int, paragraph: Paragraph) -> Iterator[AdventureFinding]:
        if paragraph.choices and not _something_always_open(paragraph.choices):
            trouble = f"paragraph {number} has only choices with conditions; Thymin may find none open"
            yield self._finding(trouble, "paragraphs", number, "choices")
        known = {*Sheet(0, 0).items, *self._gained()}
        for item, place in _asked_for(paragraph):
            if item not in known:
                trouble = f"paragraph {number} asks for the item {item!r}, which Thymin can nowhere gain"
                yield self._finding(trouble, "paragraphs", number, *place, stops_play=False)

    def _gained(self) -> set[str]:
        return {change.gain for p in self.paragraphs.values() for change, _ in p.all_changes()}

    def _over_at_once(self, number: int, paragraph: Paragraph) -> Iterator[AdventureFinding]:
        """Ends that hold before a blow whatever Thymin's Health is, so that there is never a fight."""
        for name, plan in (("fight", paragraph.fight), ("map_fight", paragraph.map_fight)):
            foes = plan.enemies if isinstance(plan, MapFightPlan) else (plan.enemy,) if plan else ()
            for place, end in enumerate(plan.ends if plan else ()):
                meant = foes[end.enemy - 1 : end.enemy] if end.enemy else foes
                if end.when is FightOutcome.ENEMY_HEALTH and any(enemy.health <= end.at for enemy in meant):
                    trouble = (
                        f"paragraph {number} has a fight that ends before it begins: '{end.when}' at {end.at}"
                    )
                    yield self._finding(trouble, "paragraphs", number, name, "ends", place, stops_play=False)

    def _reachable_enemies(self, number: int, plan: MapFightPlan) -> Iterator[AdventureFinding]:
        """Enemies who could not come to Thymin even if they were alone; they would never fight."""
        try:
            if trouble_with_map_fight(plan):
                return  # said already
        except ContentInvalid:
            return
        crosses = frozenset(plan.conditions.enemies_cross)
        for enemy_number, enemy in placed_enemies(plan).items():
            ground = Ground(combat_map(plan.map), frozenset([thymins_start(plan)]), crosses)
            comes = not (enemy.still or enemy.keeps_away or enemy.peaceful)
            if comes and way_to_reach(ground, enemy.square, thymins_start(plan)) is None:
                trouble = (
                    f"paragraph {number}: {enemy.name} {enemy_number} has no way to Thymin on the map {plan.map}"
                )
                yield self._finding(trouble, "paragraphs", number, "map_fight", stops_play=False)

    def _ways(self) -> Iterator[AdventureFinding]:
        """What cannot be reached, and what leads nowhere."""
        onward = {n: {t for t, _ in p.exits() if t in self.paragraphs} for n, p in self.paragraphs.items()}
        back: dict[int, set[int]] = {n: set() for n in self.paragraphs}
        for number, targets in onward.items():
            for target in targets:
                back[target].add(number)
        # Fights and lost Health lead to 225 without a word, so it is always in reach.
        reached = _closure([self.adventure.start, DEATH_PARAGRAPH], onward)
        for number in sorted(self.paragraphs.keys() - reached):
            trouble = f"paragraph {number} can never be reached"
            yield self._finding(trouble, "paragraphs", number, stops_play=False)
        endings = [n for n, p in self.paragraphs.items() if p.ending is not None]
        for number in sorted(reached & self.paragraphs.keys() - _closure(endings, back)):
            yield self._finding(f"from paragraph {number} no ending can be reached", "paragraphs", number)
        victories = [n for n in reached & set(endings) if self.paragraphs[n].ending is AdventureEnding.VICTORY]
        if not victories:
            yield self._finding("no victory can be reached", "paragraphs", stops_play=False)


def _asked_for(paragraph: Paragraph) -> Iterator[tuple[str, Place]]:
    """Every item that it asks for, and where that stands."""
    for at, choice in enumerate(paragraph.choices):
        if choice.needs.item:
            yield choice.needs.item, ("choices", at, "if")
    yield from paragraph.helpful_items()


def _of_one(paragraph: Paragraph) -> Iterator[tuple[Place, str]]:
    """What is wrong with one paragraph by itself."""
    if not paragraph.text.strip():
        yield ("text",), "has no text"
    ways = paragraph.ways_on
    if len(ways) != 1:
        found = f"has several: {', '.join(ways)}" if ways else "has no way on"
        yield (), f"{found}; it needs exactly one of choices, test, coin, fight, map_fight, then and ending"
    for change, place in paragraph.all_changes():
        if change.trouble:
            yield place, f"has a change that is none: {change.trouble}"
    if paragraph.test is not None and paragraph.test.attribute not in (Attribute.WISDOM, Attribute.DEXTERITY):
        yield (
            ("test", "attribute"),
            f"tests {paragraph.test.attribute.label}; only Wisdom and Dexterity can be tested",
        )
    if paragraph.test is not None:
        try:
            dice_of_a_test(paragraph.test.dice)
        except ReadingMisfit as error:
            yield ("test", "dice"), f"has a test that cannot be made: {error}"
    fight, map_fight = paragraph.fight, paragraph.map_fight
    if fight is not None:
        yield from _of_a_fight("fight", lambda: trouble_with_fight(fight))
    if map_fight is not None:
        yield from _of_a_fight("map_fight", lambda: trouble_with_map_fight(map_fight))
    for name, plan in (("fight", fight), ("map_fight", map_fight)):
        for place_, end in enumerate(plan.ends if plan else ()):
            if end.to is None:
                yield (name, "ends", place_), f"does not say where the end '{end.when}' leads"
        if plan is not None and all(end.when is not FightOutcome.ALL_DEAD for end in plan.ends):
            yield (name,), f"has a fight that needs an end '{FightOutcome.ALL_DEAD}'"


def _of_a_fight(name: str, trouble: Callable[[], str]) -> Iterator[tuple[Place, str]]:
    try:
        wrong = trouble()
    except ContentInvalid as error:  # no such map, or a broken one
        wrong = str(error)
    if wrong:
        yield (name,), f"has a fight that cannot be: {wrong}"


def _something_always_open(choices: tuple[ParagraphChoice, ...]) -> bool:
    """Whether one choice has no condition, or two have opposite ones."""
    needs = [c.needs for c in choices]
    items = {n.item for n in needs if n.item and msgspec.structs.replace(n, item="").always}
    without = {n.without for n in needs if n.without and msgspec.structs.replace(n, without="").always}
    seen = {n.visited for n in needs if msgspec.structs.replace(n, visited=None).always}
    unseen = {n.unvisited for n in needs if msgspec.structs.replace(n, unvisited=None).always}
    return any(n.always for n in needs) or bool(items & without) or bool((seen & unseen) - {None})


def _closure(starts: Iterable[int], onward: dict[int, set[int]]) -> set[int]:
    seen: set[int] = set()
    waiting = list(starts)
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            waiting.extend(onward.get(number, ()))
    return seen


def _playable(text: str, name: str) -> Adventure:
    """The adventure, unless something in it would break its play.

    Raises:
        ContentInvalid: something would; the message is the first finding.
    """
    for finding in check_adventure_text(text, name):
        if finding.stops_play:
            raise ContentInvalid(str(finding))
    return parse_adventure(text, name)[0]


ADVENTURES = Installed("adventure", _playable, "storm_weavers", "adventures")
adventure_names, playable_adventure = ADVENTURES.names, ADVENTURES.named
"""The names of all that are installed; and what the file of a name holds, or ``ContentInvalid``."""
