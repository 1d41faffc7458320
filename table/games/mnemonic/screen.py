"""Mnemonic on a screen: the play mode and whose turn it is, skills by suit, hands, the scene, journals."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from loomtable.engine.kernel.poker import Suit
from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import dice_count, how_many
from loomtable.engine.mnemonic.journal import in_words
from loomtable.engine.mnemonic.state import MEANINGS, Character, GameFace, GroupScene, Sitting, Skill
from loomtable.table.games.mnemonic.television import television
from loomtable.table.screens import GameScreen
from loomtable.table.screens.panel import Panel, Seen, cards_laid, component, facts, fitted, joined, listing

MARKS = {Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.CLUBS: "♣"}


def _panels(session: Session[Any], viewer: str, seen: Seen) -> tuple[Panel, ...]:
    """The panels of a chronicle."""
    panels = [Panel("evening", _title(seen), _evening(seen), wide=True)]
    if seen["group"]:
        panels.append(Panel("group", "Group scene", _group(from_builtins(seen["group"], GroupScene)), wide=True))
    if seen["game_face"]:
        panels.append(Panel("game-face", "Game Face", _game_face(seen["game_face"]), wide=True))
    for who, hand in (seen["cards"] or {}).get("hands", {}).items():
        if hand.get("cards"):
            cards = cards_laid(component(card) for card in hand["cards"])
            panels.append(Panel(f"hand-{who}", f"{who}'s hand", cards, wide=True))
    for name, plain in seen["characters"].items():
        panels.append(Panel(f"sheet-{name}", name, _sheet(from_builtins(plain, Character))))
    return tuple(panels)


def _title(seen: Seen) -> str:
    if seen["ended"]:
        return "The story is at rest"
    if not seen["sitting"]:
        return "Between play modes"
    sitting = from_builtins(seen["sitting"], Sitting)
    return f"{sitting.mode.label}, round {sitting.round}"


def _evening(seen: Seen) -> Markup:
    parts = []
    if seen["ended"]:
        parts.append(fitted('<div class="prose"><p>{ended}</p></div>', ended=seen["ended"]))
    if seen["sitting"]:
        sitting = from_builtins(seen["sitting"], Sitting)
        seats = [
            fitted(
                '<li class="{kind}">{who}{cards}</li>',
                kind="done" if who in sitting.acted else "",
                who=who,
                cards=_held(seen, who),
            )
            for who in sitting.order
        ]
        parts.append(fitted('<ol class="order seats">{seats}</ol>', seats=joined(seats)))
    parts.append(_suits(seen))
    if seen["cards"]:
        deck = seen["cards"]["deck"]
        parts.append(facts({"Draw pile": str(deck["pile"]), "Played": " ".join(deck["discards"][-12:])}))
    return joined(parts)


def _held(seen: Seen, who: str) -> str:
    hand = (seen["cards"] or {}).get("hands", {}).get(who)
    return f": {how_many(hand['count'], 'card', 'cards')}" if hand else ""


def _suits(seen: Seen) -> Markup:
    """What each suit stands for at this table."""
    lines = [
        fitted(
            '<li><span class="pip {suit}" aria-hidden="true">{mark}</span> {name}: {meaning}</li>',
            suit=suit.value,
            mark=MARKS[suit],
            name=suit.value.capitalize(),
            meaning=seen["suits"].get(suit.value, MEANINGS[suit]),
        )
        for suit in Suit
    ]
    return fitted('<ul class="meanings">{lines}</ul>', lines=joined(lines))


def _sheet(sheet: Character) -> Markup:
    about = [sheet.player, sheet.concept, f"strong in {sheet.strong.value}", f"weak in {sheet.weak.value}"]
    if sheet.at_rest:
        about.append("at rest")
    if sheet.absent:
        about.append("out of the next group scene")
    if sheet.gift:
        about.append(f"a gift of {dice_count(sheet.gift)}")
    suits = joined(_suit(sheet, suit) for suit in Suit)
    lines = [in_words(line) for line in sheet.journal[-40:]]
    return fitted(
        '<p class="sheet-head">{about}</p><div class="skills">{suits}</div>'
        "<details><summary>Journal ({count})</summary>{lines}</details>",
        about=" · ".join(filter(None, about)),
        suits=suits,
        count=how_many(len(sheet.journal), "line", "lines"),
        lines=listing(lines, "journal-lines"),
    )


def _suit(sheet: Character, suit: Suit) -> Markup:
    skills = [skill for skill in sheet.skills if skill.suit is suit]
    if not skills and suit not in sheet.injured:
        return Markup()
    return fitted(
        '<section class="suit"><h3><span class="pip {suit}" aria-hidden="true">{mark}</span> {name}{injured}</h3>'
        "{skills}</section>",
        suit=suit.value,
        mark=MARKS[suit],
        name=suit.value.capitalize(),
        injured=", injured" if suit in sheet.injured else "",
        skills=listing(map(_skill, skills), "skills"),
    )


def _skill(skill: Skill) -> Markup:
    marks = ", ".join(filter(None, ("complicated" if skill.complicated else "", "a truth" if skill.truth else "")))
    return fitted(
        '<span class="{kind}">{name}{marks}</span><span class="boxes" aria-hidden="true">{boxes}</span> '
        "<b>{rating}</b>",
        kind="locked" if skill.complicated else "",
        boxes=Markup('<i class="on"></i>') * skill.rating,
        name=skill.name,
        rating=skill.rating,
        marks=f" ({marks})" if marks else "",
    )


def _group(scene: GroupScene) -> Markup:
    stands = [
        fitted(
            "<b>{who}</b> with {skill}: {dice}",
            who=s.who,
            skill=s.skill,
            dice=" ".join(map(str, s.faces)) if s.faces else f"{dice_count(s.dice)} to roll",
        )
        for s in scene.stands
    ]
    return joined(
        [
            facts(
                {
                    "Players": ", ".join(scene.players),
                    "The adversary": " ".join(map(str, scene.adversary_faces))
                    or f"{dice_count(scene.adversary)} to roll",
                    "Best so far": scene.best,
                }
            ),
            listing(stands),
        ]
    )


def _game_face(seen: Seen) -> Markup:
    game = from_builtins({**seen, "chosen": {}}, GameFace)
    lines = [
        fitted(
            "<b>{who}</b>: {score} won; used {used}; {chosen}",
            who=who,
            score=game.score.get(who, 0),
            used=", ".join(game.used.get(who, ())) or "nothing yet",
            chosen=f"has chosen {seen['chosen'][who]}" if who in seen["chosen"] else "has not chosen",
        )
        for who in game.players
    ]
    return joined(
        [fitted("<p>Round {round}, about {about}</p>", round=game.round, about=game.about), listing(lines)]
    )


screen = GameScreen(_panels, television)
"""The screens of Mnemonic."""
