"""Mnemonic on a television: the card that lies, what it asks, the group scene, and everybody's skills."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.poker import PokerCard, Suit
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import dice_count, how_many
from loomtable.engine.mnemonic.almanac import prompts
from loomtable.engine.mnemonic.state import MEANINGS, Character, GroupScene, Sitting, Skill
from loomtable.table.screens.panel import Seen, card_picture, component, fitted, joined
from loomtable.table.screens.television import Television, person_card, prose

MARKS = {Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.CLUBS: "♣"}


def television(session: Session[Any], seen: Seen) -> Television:
    """The television of a chronicle."""
    title, subtitle, due = "Between play modes", "", ""
    if seen["ended"]:
        title = "The story is at rest"
    elif seen["sitting"]:
        sitting = from_builtins(seen["sitting"], Sitting)
        title, due = sitting.mode.label, session.system.turn(session.game)
        subtitle = " · ".join(filter(None, (f"Round {sitting.round}", f"{due}'s scene is next" if due else "")))
    return Television(
        title=title,
        subtitle=subtitle,
        stage=_stage(seen),
        people=tuple(_person(seen, from_builtins(plain, Character), due) for plain in seen["characters"].values()),
    )


def _stage(seen: Seen) -> Markup:
    if seen["ended"]:
        return prose(seen["ended"])
    if seen["group"]:
        return _group(from_builtins(seen["group"], GroupScene))
    lying = (seen["cards"] or {}).get("deck", {}).get("discards", [])
    card = component(lying[-1]) if lying else ""
    if not isinstance(card, ComponentId):
        return Markup()
    prompt = prompts().cards[card.number]
    return fitted(
        '<div class="prompt">{card}<div><h2>{name}</h2>{prompt}{suits}</div></div>',
        card=card_picture(card),
        name=PokerCard(card.number).name,
        prompt=prose(prompt),
        suits=_suits(seen),
    )


def _suits(seen: Seen) -> Markup:
    """What each suit stands for at this table."""
    items = joined(
        fitted(
            '<li><span class="pip {suit}" aria-hidden="true">{mark}</span> {meaning}</li>',
            suit=suit.value,
            mark=MARKS[suit],
            meaning=seen["suits"].get(suit.value, MEANINGS[suit]),
        )
        for suit in Suit
    )
    return fitted('<ul class="chips meanings">{items}</ul>', items=items)


def _group(scene: GroupScene) -> Markup:
    """Everybody's dice against the adversary's."""
    sides = [("The adversary", scene.adversary_faces, scene.adversary)]
    sides += [(f"{stand.who}, {stand.skill}", stand.faces, stand.dice) for stand in scene.stands]
    rows = joined(
        fitted(
            '<li><b>{who}</b> <span class="thrown">{dice}</span></li>',
            who=who,
            dice=joined(map(_die, faces)) if faces else f"{dice_count(count)} to roll",
        )
        for who, faces, count in sides
    )
    return fitted('<ul class="sides">{rows}</ul>', rows=rows)


def _die(face: int) -> Markup:
    return fitted(
        '<svg viewBox="0 0 20 20" role="img" aria-label="{face}">'
        '<use href="/art/sheet/dice.svg#d6-{face}"/></svg>',
        face=face,
    )


def _person(seen: Seen, sheet: Character, due: str) -> Markup:
    hand = (seen["cards"] or {}).get("hands", {}).get(sheet.name)
    about = how_many(hand["count"], "card", "cards") if hand else sheet.player
    skills = joined(_skill(sheet, skill) for skill in sheet.skills)
    state = "out" if sheet.at_rest else "now" if sheet.name == due else ""
    return person_card(
        sheet.name, fitted('<ul class="skills">{skills}</ul>', skills=skills), about=about, state=state
    )


def _skill(sheet: Character, skill: Skill) -> Markup:
    return fitted(
        '<li class="{state}"><span class="pip {suit}" aria-label="{suit}">{mark}</span> {name} '
        "<b>{rating}</b></li>",
        state="locked" if sheet.locked(skill) else "",
        suit=skill.suit.value,
        mark=MARKS[skill.suit],
        name=skill.name,
        rating=skill.rating,
    )
