"""The figures of Storm Weavers' rules in short, for the sentences in its ``reference.yaml``."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import Figures, Reference, read_reference
from loomtable.engine.kernel.wording import number_word
from loomtable.engine.storm_weavers.attacks import CUNNING_STRIKE_INJURIES, added_when_hurt
from loomtable.engine.storm_weavers.map_attacks import CHARGE_BONUS, COLLISION, PUSHING_INJURIES
from loomtable.engine.storm_weavers.movement import RUN_UP, lost_when_flanked
from loomtable.engine.storm_weavers.rulings import RULINGS as STORM_RULINGS
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_BASE, ATTRIBUTE_POINTS, MAX_HEALTH, STARTING_GOLD
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH
from loomtable.engine.storm_weavers.system import STORM_WEAVERS

FILE = package_file("templates", "storm_weavers", "reference.yaml")


def figures() -> Figures:
    """What the engine knows of what the card and the booklets say."""
    exactly = STORM_RULINGS["health-exactly-4"].default
    steps = [(health, added_when_hurt(health, exactly)) for health in range(MAX_HEALTH, 0, -1)]
    worse = [step for step, (_, before) in zip(steps[1:], steps, strict=False) if step[1] != before]
    below, *lower = [f"{added} with less than {health + 1}" for health, added in worse]
    beside = {number_word(count): lost_when_flanked(count) for count in range(2, 5)}
    return {
        "hurt": "; ".join(f"Health {health} or less adds {added}" for health, added in worse),
        "hurt_below": ", ".join([f"{below} Health", *lower]),
        "points": ATTRIBUTE_POINTS,
        "base": ATTRIBUTE_BASE,
        "health": MAX_HEALTH,
        "gold": STARTING_GOLD,
        "cunning": CUNNING_STRIKE_INJURIES,
        "cunning_injuries": number_word(CUNNING_STRIKE_INJURIES),
        "death": DEATH_PARAGRAPH,
        "pushing": PUSHING_INJURIES,
        "pushed_by": number_word(PUSHING_INJURIES).capitalize(),
        "collision": COLLISION,
        "run_up": RUN_UP,
        "charge": CHARGE_BONUS,
        "flanked": ", ".join(f"{count} take {lost}" for count, lost in beside.items()),
        **{f"beside_{count}": lost for count, lost in beside.items()},
    }


@STORM_WEAVERS.reference
def storm_weavers_reference() -> Reference:
    """Storm Weavers: tests, attacks, the map."""
    return read_reference(FILE, figures())
