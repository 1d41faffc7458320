"""The rules of Storm Weavers in short, in our own words.

Every figure that the engine knows is taken from the engine, so that no card can say anything else.
"""

from __future__ import annotations

from loomtable.engine.kernel.reference import Block, Reference
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
    steps = [(h, added_when_hurt(h, exactly)) for h in range(MAX_HEALTH, 0, -1)]
    hurt = [(h, a) for (h, a), (_, before) in zip(steps[1:], steps, strict=False) if a != before]
    flanked = ", ".join(f"{number_word(beside)} take {lost_when_flanked(beside)}" for beside in range(2, 5))
    worse = "; ".join(f"Health {health} or less adds {added}" for health, added in hurt)
    return Reference(
        (
            Block(
                "Test", "SW-3", f"Two dice and what the paragraph adds, at or under Wisdom or Dexterity. {worse}."
            ),
            Block("Coin", "SW-4", "Call a side and flip; an unclear coin is flipped again."),
            Block(
                "Attack",
                "SW-8, SW-9",
                "Both roll a die and add Dexterity. The higher wins, whoever attacked. Injuries are the "
                "difference, with "
                "the winner's Weapon Bonus, less the loser's Armour Class.",
            ),
            Block(
                "Cunning Strike",
                "SW-11",
                f"In place of an attack, test Wisdom: {number_word(CUNNING_STRIKE_INJURIES)} injuries to the "
                "enemy if it is passed, to "
                "Thymin if not. Armour does not help.",
            ),
            Block("The end", "SW-16", f"Health 0 or less: go to paragraph {DEATH_PARAGRAPH}."),
        ),
        (
            Block(
                "Round on a map",
                "SW-5 to SW-7",
                "Thymin moves and attacks, then each enemy by its number. A step goes to a neighbouring "
                "square, not diagonally, "
                "not through figures or obstacles. Enemies take the shortest way to a square beside Thymin.",
            ),
            Block(
                "On the map",
                "SW-10, SW-12, SW-13",
                table=(
                    (
                        "Push",
                        f"{PUSHING_INJURIES} injuries or more push the loser two squares straight away; "
                        f"whatever stops it costs {COLLISION} more",
                    ),
                    ("Charge", f"{RUN_UP} squares in a line before the attack add {CHARGE_BONUS}"),
                    ("Flanked", f"enemies beside you take Dexterity: {flanked}"),
                ),
                bare=True,
            ),
            Block(
                "Won and lost",
                "SW-14",
                "A round is won with injuries caused and none received, and lost otherwise.",
            ),
            Block("Without a map", "SW-15", "One enemy, attack and attack in turn, no moves."),
        ),
    )
