"""The rules of Woven in short, in our own words.

Every figure that the engine knows is taken from the engine, so that no card can say anything else.
"""

from __future__ import annotations

from loomtable.engine.kernel.reference import Block, Reference
from loomtable.engine.woven.acting import TENDRIL_COST, TENDRIL_MOVE_COST
from loomtable.engine.woven.regions import RIVER_COST, Terrain
from loomtable.engine.woven.state import MANA
from loomtable.engine.woven.system import WOVEN
from loomtable.engine.woven.tapestries import CARD_COST


@WOVEN.reference
def woven_reference() -> Reference:
    """Woven: turns, costs, casting, attacks."""
    ground = tuple((terrain.value.capitalize(), str(terrain.cost)) for terrain in Terrain)
    return Reference(
        (
            Block(
                "Your turn",
                "WO-3, WO-4",
                f"Rest: a thread and all spent mana come back. Or one action. You have {MANA} mana, wherever "
                "they lie.",
            ),
            Block(
                "Actions",
                "WO-5 to WO-9",
                table=(
                    ("Action", "Mana"),
                    ("Thread into an empty box", "1"),
                    ("Tendril where you are", str(TENDRIL_COST)),
                    ("Tendril to a neighbouring place", str(TENDRIL_MOVE_COST)),
                    ("Tapestry card, laid at once", str(CARD_COST)),
                    ("Charge or tendril back, and act again", "0"),
                ),
            ),
            Block("Moving", "WO-5", table=(*ground, ("over a river", f"{RIVER_COST} more")), bare=True),
        ),
        (
            Block(
                "Casting",
                "WO-6, WO-10, WO-11",
                "A thread that completes a pattern, turned or mirrored as you like, casts its spell; threads "
                "stay and serve "
                "again. Without a spell you may act again.",
            ),
            Block(
                "Cards",
                "WO-8",
                "Laid over at least one cell, in any quarter turn, never beneath. Threads that it covers "
                "come back.",
            ),
            Block("Charges", "WO-12", "Spent at any time, in another's turn too."),
            Block(
                "Attack and protection",
                "WO-13, WO-14",
                "An attack strikes everybody in its place. A protection holds off all of it, and is gone if "
                "the attack is as "
                "strong. One hit destroys the body: to the Astral Plane, tendrils and charges to spent mana.",
            ),
        ),
    )
