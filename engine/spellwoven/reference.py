"""The rules of Spellwoven in short, in our own words.

Every figure that the engine knows is taken from the engine, so that no card can say anything else.
"""

from __future__ import annotations

from loomtable.engine.kernel.reference import Block, Reference
from loomtable.engine.kernel.wording import how_many, number_word
from loomtable.engine.spellwoven.armoury import Proximity, shields
from loomtable.engine.spellwoven.attribute_tests import DICE, successes_of
from loomtable.engine.spellwoven.levels import LEVELS, MOST_SOAK, severity_of
from loomtable.engine.spellwoven.state import AID_INTERVAL, AID_REST, COOPERATION_COST, Activity
from loomtable.engine.spellwoven.strike import EVASION_SLOTS
from loomtable.engine.spellwoven.system import SPELLWOVEN


@SPELLWOVEN.reference
def spellwoven_reference() -> Reference:
    """Spellwoven: tests, the round, wounds, healing."""
    wounds = tuple(
        (f"{n} or more" if n == len(LEVELS) else str(n), severity_of(n).label) for n in range(len(LEVELS) + 1)
    )
    rest = tuple((a.value.replace("-", " "), f"{a.days} days") for a in Activity)
    return Reference(
        (
            Block(
                "Test",
                "SP-1, SP-2",
                f"{number_word(DICE).capitalize()} ten-sided dice. A die at or under the rating is a success, "
                "a 1 is "
                f"{number_word(successes_of((1,), 1))}. Effort spent after the roll adds a success each.",
            ),
            Block(
                "Round",
                "SP-3 to SP-6",
                "Initiative: test Manoeuvre (or Quickness; an NPC Prowess), and add the rating. One action "
                "each, highest "
                "first. An action with a test moves your next initiative by 1, up or down. Player characters at "
                f"{COOPERATION_COST} or more may act together on the best of their initiatives, and lose "
                f"{COOPERATION_COST} each.",
            ),
            Block(
                "Attack",
                "SP-7, SP-10, SP-17",
                f"{', '.join(p.label for p in Proximity)}: an action for each step. Test the weapon's skill; "
                "as many successes as the "
                "target's Quickness Defence hit. Then roll Menace. Three equal dice, in either roll, pass "
                "armour and shield.",
            ),
            Block("Menace", "SP-11", table=(("Successes", "Wound"), *wounds)),
        ),
        (
            Block(
                "Where it goes",
                "SP-12, SP-13, SP-15, SP-18",
                "A shield catches what its bearer says: "
                f"{', '.join(f'{s.size.value} {s.soak}' for s in shields().values())} in all. Then soak at "
                "the wound's own level. Then the "
                "track: a full level flows to the next graver one. Felling takes you out of the fight, "
                "Mortal kills.",
            ),
            Block(
                "Armour",
                "SP-15, SP-16",
                f"Pieces add up to {MOST_SOAK} at a level. Every {number_word(EVASION_SLOTS)} slots worn cost "
                "1 Quickness Defence.",
            ),
            Block(
                "Talk",
                "SP-8",
                "A social skill against Presence Defence: talk down, distract, trick, delay, intrigue, parlay.",
            ),
            Block(
                "First aid",
                "SP-19",
                "A whole action, tested last in the round: each success of Healing eases a wound by a level. "
                f"Once in {AID_INTERVAL} hours; the patient rests for {how_many(AID_REST, 'hour', 'hours')}.",
            ),
            Block(
                "Time heals", "SP-20", "All wounds ease by a level after so many days of:", table=rest, bare=True
            ),
        ),
    )
