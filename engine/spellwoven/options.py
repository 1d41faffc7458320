"""The optional combat rules, each a switch that is off until a table turns it on (SP-22)."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import Ruling, ruling

_PLACE = "Optional Combat Rules: "


def _option(option_id: str, question: str, place: str, **choices: str) -> Ruling:
    return ruling(option_id, "SP-22", question, _PLACE + place, off="No.", **choices)


OPTIONS = (
    _option(
        "ambush",
        "Do ambushers get a free attack on those who fail to notice them?",
        "Ambushes.",
        on="Yes, one each, on whoever fails a test of Senses.",
    ),
    _option(
        "attack-of-opportunity",
        "May those nearby strike at somebody who disengages, flees or is distracted?",
        "Attack of Opportunity.",
        on="Yes, where the storyteller permits it.",
    ),
    _option(
        "blackpowder",
        "Do blackpowder weapons take an action to load, and go through armour?",
        "Blackpowder Weapons.",
        on="Yes: a full action to load, and a hit marks soak and wound at once.",
    ),
    _option(
        "death-at-discretion",
        "Does the player decide whether a Mortal wound kills their character?",
        "Death at the Player's Discretion.",
        on="Yes: dead, or incapacitated only.",
    ),
    _option(
        "heroic-death",
        "May a player whose character would fall choose a heroic death instead?",
        "Heroic Death.",
        on="Yes: nothing stops the character and every roll has three successes more, until the conflict is over.",
    ),
    _option(
        "encumbrance",
        "Does every sixth soak of armour worn make its wearer easier to hit?",
        "Encumbrance.",
        on="Yes, by 1.",
    ),
    _option(
        "intentional-incapacitation",
        "May an attacker turn a Mortal wound into a Felling one?",
        "Intentional Incapacitation.",
        on="Yes.",
        with_test="Yes, if a test of Quickness passes; the storyteller sets its difficulty.",
    ),
    _option(
        "maiming",
        "Do more wounds than Fortitude hinder all tests?",
        "Maiming.",
        on="Yes, until fully healed; running and defending are not hindered.",
    ),
    _option(
        "outnumbering",
        "Is somebody who is outnumbered hindered in all tests?",
        "Outnumbering.",
        engaged_sides="Yes, while more opponents than friends (oneself included) are Engaged.",
        own_attackers="Yes, once two or more opponents have attacked in this round.",
    ),
    _option(
        "over-swing",
        "Does a miss with a very heavy weapon leave its wielder open?",
        "Over-swing.",
        on="Yes, the next attack against them has an advantage.",
    ),
    _option(
        "ranged-first",
        "Do those who shoot or throw act before all who fight hand to hand?",
        "Ranged Actions First.",
        on="Yes, in each round.",
    ),
    _option(
        "shields-and-arrows-1",
        "Does an arrow that is caught on a shield still wound?",
        "Shields & Arrows I.",
        on="Yes, a Shallow wound.",
    ),
    _option(
        "shields-and-arrows-2",
        "Does catching an arrow take a test of Manoeuvre?",
        "Shields & Arrows II.",
        on="Yes, and then any number can be caught: the shield is not marked.",
    ),
    _option(
        "shield-in-the-way",
        "Does a medium or large shield hinder the attack after a block?",
        "Shield in the Way.",
        on="Yes, the next attack roll.",
    ),
    _option(
        "situational-modifiers",
        "May the storyteller declare a test in combat to be at an advantage or disadvantage?",
        "Situational Modifiers.",
        on="Yes.",
    ),
    _option(
        "wound-limit",
        "Do twelve wounds of any severity incapacitate?",
        "Wound Limit.",
        on="Yes, until a Healing action succeeds.",
    ),
)
"""All sixteen; the first choice of each, our default, is off."""
