"""The rules of Storm Weavers as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction, ReadingMisfit
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.storm_weavers import gestures, outcomes, reference
from loomtable.engine.storm_weavers.arguments import AdventureName, GearName, ItemName, MapName, Points, TestDice
from loomtable.engine.storm_weavers.attacks import flip_coin_test, living_thymin, make_test
from loomtable.engine.storm_weavers.events.journey import AttributeChanged, NoteWritten, SheetMade
from loomtable.engine.storm_weavers.fights import fight_without_map, refuse_second_fight
from loomtable.engine.storm_weavers.map_fights import fight_on_map
from loomtable.engine.storm_weavers.paragraphs import (
    begin_adventure,
    change_by,
    die_if_spent,
    drop_item,
    follow,
    gear_known,
    go_on,
    take_item,
)
from loomtable.engine.storm_weavers.plans import (
    USUAL_DICE,
    Change,
    Conditions,
    Enemy,
    FightEnd,
    FightPlan,
    MapEnemy,
    MapFightPlan,
    Modifiers,
    NamedSide,
    Terms,
    dice_of_a_test,
)
from loomtable.engine.storm_weavers.sheet import (
    ATTRIBUTE_BASE,
    ATTRIBUTE_POINTS,
    GEAR,
    Attribute,
    Gear,
    Sheet,
    least_value,
)
from loomtable.engine.storm_weavers.squares import Square
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.storm_weavers.system import STORM_WEAVERS

__all__ = ["STORM_WEAVERS", "gestures", "outcomes", "reference"]

LONGEST_NOTE = 200
_PLAIN, _USUAL, _UNCHANGED = Modifiers(), Conditions(), Terms()


@STORM_WEAVERS.action("create", "SW-1", group="The journey", opens=True)
def create(play: Play[Tale], *, dexterity_points: Points) -> Steps[None]:
    """Make Thymin's sheet, with so many of the four points on Dexterity and the rest on Wisdom.

    After his death a new one can be made, as a reader turns back to the first page.
    """
    if play.state.thymin is not None and not play.state.thymin_is_dead:
        raise IllegalAction("Thymin's sheet is already made; a new adventure is a new session")
    if not 0 <= dexterity_points <= ATTRIBUTE_POINTS:
        raise IllegalAction(f"{dexterity_points} of the {ATTRIBUTE_POINTS} points cannot go to Dexterity")
    wisdom_points = ATTRIBUTE_POINTS - dexterity_points
    yield SheetMade(sheet=Sheet(ATTRIBUTE_BASE + dexterity_points, ATTRIBUTE_BASE + wisdom_points))


@STORM_WEAVERS.action("change", "SW-2", "SW-16", group="The sheet")
def change(
    play: Play[Tale], *, attribute: Attribute, reason: str, by: int | None = None, to: int | None = None
) -> Steps[None]:
    """Change a number on the sheet by so much, or to so much, as a paragraph says."""
    sheet = living_thymin(play)
    wanted = Change(attribute=attribute, by=by, to=to)
    if wanted.trouble:
        raise IllegalAction(wanted.trouble)
    now = sheet.value(attribute)
    asked = by if by is not None else (to or 0) - now
    least = least_value(attribute, play.ruled("below-zero"))
    if least is not None and now + asked < least and asked < 0:
        raise IllegalAction(f"{attribute.label} is {now} and cannot change by {asked:+d}")
    difference = change_by(now, wanted, play.ruled("below-zero"))
    yield AttributeChanged(attribute=attribute, by=difference, reason=reason)
    yield from die_if_spent(play)


@STORM_WEAVERS.action("gain-item", "SW-2", group="The sheet")
def gain_item(play: Play[Tale], *, item: str, weapon_bonus: int = 0, armour_class: int = 0) -> Steps[None]:
    """Take an item, with the bonuses that it carries, if any; they go again when it is lost."""
    living_thymin(play)
    if not item.strip():
        raise IllegalAction("an item needs a name")
    yield from take_item(play, item, Gear(weapon_bonus, armour_class))


@STORM_WEAVERS.action("gain-gear", "SW-2", group="The sheet")
def gain_gear(play: Play[Tale], *, item: GearName) -> Steps[None]:
    """Take a weapon or armour that the rulebook or the adventure names with its bonuses."""
    living_thymin(play)
    known = {**GEAR, **gear_known(play.state)}
    if item not in known:
        raise IllegalAction(f"no bonuses of {item!r} are known, only those of {', '.join(known)}")
    yield from take_item(play, item, known[item])


@STORM_WEAVERS.action("lose-item", "SW-2", group="The sheet")
def lose_item(play: Play[Tale], *, item: ItemName) -> Steps[None]:
    """Lose an item, use it up or give it away."""
    items = living_thymin(play).items
    if item not in items:
        raise IllegalAction(f"Thymin has no {item!r}; he has {', '.join(items) or 'nothing'}")
    yield from drop_item(play, item)


@STORM_WEAVERS.action("test", "SW-3", group="Tests and fights")
def attribute_test(
    play: Play[Tale], *, attribute: Attribute, modifier: int = 0, dice: TestDice = USUAL_DICE
) -> Steps[None]:
    """Test Wisdom or Dexterity; ``modifier`` is what the paragraph and items add, ``dice`` are those it names."""
    living_thymin(play)
    try:
        dice_of_a_test(dice)
    except ReadingMisfit as error:
        raise IllegalAction(str(error)) from None
    yield from make_test(play, attribute, modifier, dice)


@STORM_WEAVERS.action("coin-test", "SW-4", group="Tests and fights")
def coin_test(play: Play[Tale], *, side: NamedSide | None = None) -> Steps[None]:
    """Call a side and flip, or for the ``side`` that the paragraph names; an unclear coin is flipped again."""
    living_thymin(play)
    yield from flip_coin_test(play, side)


@STORM_WEAVERS.action("fight", "SW-8", "SW-9", "SW-11", "SW-14", "SW-15", "SW-16", group="Tests and fights")
def fight(
    play: Play[Tale],
    *,
    enemy: Enemy,
    modifiers: Modifiers = _PLAIN,
    ends: tuple[FightEnd, ...] = (),
    strike_test: Terms = _UNCHANGED,
) -> Steps[None]:
    """Fight one enemy without a map: the attacks alternate until somebody falls or one of ``ends`` holds."""
    living_thymin(play)
    _check_ends(play, ends)
    yield from follow(play, (yield from fight_without_map(play, FightPlan(enemy, modifiers, ends, strike_test))))


@STORM_WEAVERS.action("map-fight", *(f"SW-{n}" for n in range(5, 15)), "SW-16", group="Tests and fights")
def map_fight(
    play: Play[Tale],
    *,
    map: MapName,  # noqa: A002 - the argument's name in transcripts
    enemies: tuple[MapEnemy, ...],
    thymin: Square = "",
    speed: int | None = None,
    conditions: Conditions = _USUAL,
    modifiers: Modifiers = _PLAIN,
    ends: tuple[FightEnd, ...] = (),
    strike_test: Terms = _UNCHANGED,
) -> Steps[None]:
    """Fight on a combat map, round by round, until somebody falls or one of ``ends`` holds."""
    living_thymin(play)
    _check_ends(play, ends)
    plan = MapFightPlan(map, enemies, thymin, speed, conditions, modifiers, ends, strike_test)
    yield from follow(play, (yield from fight_on_map(play, plan)))


def _check_ends(play: Play[Tale], ends: tuple[FightEnd, ...]) -> None:
    """A fight that a person sets up may name paragraphs of a printed book, not of an adventure that is on."""
    if play.state.adventure and play.state.ending is None and any(end.to is not None for end in ends):
        raise IllegalAction(f"in {play.state.adventure}, only a paragraph's own fight leads to other paragraphs")
    for wanted in (change for end in ends for change in end.changes):
        if wanted.trouble:
            raise IllegalAction(wanted.trouble)


@STORM_WEAVERS.action("begin-adventure", "SW-17", group="The journey", opens=True)
def set_out(play: Play[Tale], *, adventure: AdventureName) -> Steps[None]:
    """Set out on an installed adventure: its first paragraph is read."""
    yield from begin_adventure(play, adventure)


@STORM_WEAVERS.action("go-on", "SW-3", "SW-4", "SW-5", "SW-15", "SW-17", group="The journey")
def go_on_from_here(play: Play[Tale]) -> Steps[None]:
    """Do what the paragraph says, then read on."""
    yield from go_on(play)


@STORM_WEAVERS.action("note", "SW-17", group="The journey")
def note(play: Play[Tale], *, text: str) -> Steps[None]:
    """Write something on the map of the journey, at the paragraph where Thymin is."""
    refuse_second_fight(play)
    if not play.state.adventure or play.state.paragraph is None:
        raise IllegalAction("no adventure is being played; there is no map of a journey to write on")
    if not text.strip() or len(text) > LONGEST_NOTE or not text.isprintable():
        raise IllegalAction(f"a note is one line of 1 to {LONGEST_NOTE} characters")
    yield NoteWritten(paragraph=play.state.paragraph, text=text.strip())
