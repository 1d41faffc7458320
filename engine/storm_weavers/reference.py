"""The rules of Storm Weavers in short: figures for the sentences in ``templates/storm_weavers/reference.yaml``."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import Reference, read_reference
from loomtable.engine.kernel.wording import number_word
from loomtable.engine.storm_weavers.attacks import CUNNING_STRIKE_INJURIES, added_when_hurt
from loomtable.engine.storm_weavers.map_attacks import CHARGE_BONUS, COLLISION, PUSHING_INJURIES
from loomtable.engine.storm_weavers.movement import RUN_UP, lost_when_flanked
from loomtable.engine.storm_weavers.rulings import RULINGS as STORM_RULINGS
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH
from loomtable.engine.storm_weavers.system import STORM_WEAVERS


@STORM_WEAVERS.reference
def storm_weavers_reference() -> Reference:
    """Storm Weavers: tests, attacks, the map."""
    exactly = STORM_RULINGS["health-exactly-4"].default
    steps = [(health, added_when_hurt(health, exactly)) for health in range(MAX_HEALTH, 0, -1)]
    worse = [step for step, (_, before) in zip(steps[1:], steps, strict=False) if step[1] != before]
    return read_reference(
        package_file("templates", "storm_weavers", "reference.yaml"),
        {
            "hurt": "; ".join(f"Health {health} or less adds {added}" for health, added in worse),
            "cunning_injuries": number_word(CUNNING_STRIKE_INJURIES),
            "death": DEATH_PARAGRAPH,
            "pushing": PUSHING_INJURIES,
            "collision": COLLISION,
            "run_up": RUN_UP,
            "charge": CHARGE_BONUS,
            "flanked": ", ".join(f"{number_word(n)} take {lost_when_flanked(n)}" for n in range(2, 5)),
        },
    )
