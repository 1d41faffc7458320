"""Mnemonic on a screen: the play mode and whose turn it is, skills by suit, hands, the scene, journals."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import dice_count, how_many
from loomtable.engine.mnemonic.almanac import prompts
from loomtable.engine.mnemonic.journal import in_words
from loomtable.engine.mnemonic.state import MEANINGS, Character, GameFace, GroupScene, Skill
from loomtable.engine.mnemonic.views import ChronicleView
from loomtable.table.screens import GameScreen
from loomtable.table.screens.blocks import (
    Block,
    Cards,
    Facts,
    Foldout,
    Group,
    Heading,
    Ladder,
    Listing,
    Prose,
    Rating,
    Ratings,
    Strong,
    Text,
    Throws,
    Token,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television


def _panels(session: Session[object], viewer: str, chronicle: ChronicleView) -> tuple[Panel, ...]:
    """The panels of a chronicle."""
    panels = [Panel("evening", _title(chronicle), tuple(_evening(chronicle)), wide=True)]
    if chronicle.group is not None:
        best = {"Best so far": str(chronicle.group.best)} if chronicle.group.best else {}
        about = Facts({"Players": ", ".join(chronicle.group.players), **best})
        panels.append(Panel("group", "Group scene", (about, _throws(chronicle.group)), wide=True))
    if chronicle.game_face is not None:
        panels.append(Panel("game-face", "Game Face", _game_face(chronicle.game_face), wide=True))
    for who, hand in (chronicle.cards.hands if chronicle.cards is not None else {}).items():
        if hand.cards:
            panels.append(Panel(f"hand-{who}", f"{who}'s hand", (Cards(hand.cards),), wide=True))
    for name, sheet in chronicle.characters.items():
        panels.append(Panel(f"sheet-{name}", name, _sheet(sheet), whose=name))
    return tuple(panels)


def _television(session: Session[object], chronicle: ChronicleView) -> Television:
    """The card that lies and what it asks, or the group scene, and everybody's skills."""
    title, subtitle, due = "Between play modes", "", ""
    if chronicle.ended:
        title = "The story is at rest"
    elif chronicle.sitting is not None:
        title, due = chronicle.sitting.mode.label, session.system.turn(session.game)
        subtitle = f"Round {chronicle.sitting.round}" + (f" · {due}'s scene is next" if due else "")
    if chronicle.game_face is not None:
        subtitle, due = " against ".join(chronicle.game_face.players), ""
    people = tuple(_person(chronicle, sheet, due) for sheet in chronicle.characters.values())
    return Television(title, subtitle, stage=_stage(chronicle), people=people, over=bool(chronicle.ended))


def _title(chronicle: ChronicleView) -> str:
    if chronicle.ended:
        return "The story is at rest"
    if chronicle.sitting is None:
        return "Between play modes"
    return f"{chronicle.sitting.mode.label}, round {chronicle.sitting.round}"


def _evening(chronicle: ChronicleView) -> Iterator[Block]:
    if chronicle.ended:
        yield Prose(chronicle.ended)
    if chronicle.sitting is not None:
        yield Ladder(
            tuple(_seat(chronicle, who, chronicle.sitting.acted) for who in chronicle.sitting.order), "seats"
        )
    yield _suits(chronicle)
    if chronicle.cards is not None:
        deck = chronicle.cards.deck
        yield Facts({"Draw pile": str(deck.pile), "Played": " ".join(deck.discards[-12:])})


def _seat(chronicle: ChronicleView, who: str, acted: tuple[str, ...]) -> Token:
    hand, state = chronicle.hand(who), "done" if who in acted else ""
    return Token(f"{who}: {how_many(hand.count, 'card', 'cards')}" if hand else who, state=state)


def _suits(chronicle: ChronicleView) -> Listing:
    """What each suit stands for at this table."""
    meanings = {suit: chronicle.suits.get(suit, MEANINGS[suit]) for suit in CardSuit}
    items = ((suit, f" {suit.value.capitalize()}: {meaning}") for suit, meaning in meanings.items())
    return Listing(tuple(items), "meanings")


def _sheet(sheet: Character) -> tuple[Block, ...]:
    about = (
        sheet.player,
        sheet.concept,
        f"strong in {sheet.strong.value}",
        f"weak in {sheet.weak.value}",
        "at rest" if sheet.at_rest else "",
        "out of the next group scene" if sheet.absent else "",
        f"a gift of {dice_count(sheet.gift)}" if sheet.gift else "",
    )
    lines = tuple(in_words(line) for line in sheet.journal[-40:])
    return (
        Text(" · ".join(filter(None, about)), "sheet-head"),
        Group(tuple(part for suit in CardSuit for part in _suit(sheet, suit)), "skills"),
        Foldout(f"Journal ({how_many(len(sheet.journal), 'line', 'lines')})", (Listing(lines, "journal-lines"),)),
    )


def _suit(sheet: Character, suit: CardSuit) -> Iterator[Block]:
    skills = tuple(_skill(skill) for skill in sheet.skills if skill.suit is suit)
    injured = suit in sheet.injured
    if skills or injured:
        name = f" {suit.value.capitalize()}{', injured' if injured else ''}"
        yield Group((Heading((suit, name)), Ratings(skills, "skills")), "suit")


def _skill(skill: Skill) -> Rating:
    marks = ", ".join(filter(None, ("complicated" if skill.complicated else "", "a truth" if skill.truth else "")))
    return Rating(f"{skill.name} ({marks})" if marks else skill.name, skill.rating)


def _throws(scene: GroupScene) -> Throws:
    """Everybody's dice against the adversary's."""
    sides = [("The adversary", scene.adversary_faces, scene.adversary)]
    sides += [(f"{stand.who}, {stand.skill}", stand.faces, stand.dice) for stand in scene.stands]
    return Throws(tuple((who, faces, f"{dice_count(dice)} to roll") for who, faces, dice in sides))


def _game_face(game: GameFace) -> tuple[Block, ...]:
    lines = tuple(
        (
            Strong(who),
            f": {game.score.get(who, 0)} won; used {', '.join(game.used.get(who, ())) or 'nothing yet'}; ",
            f"has chosen {game.chosen[who]}" if who in game.chosen else "has not chosen",
        )
        for who in game.players
    )
    return Text(f"Round {game.round}, about {game.about}"), Listing(lines)


def _duel(game: GameFace) -> tuple[Block, ...]:
    """A game of Game Face from afar: how often each has won, and whether they have chosen a die."""
    names = tuple(game.players)
    due = {who: "has chosen a die" if who in game.chosen else "chooses a die" for who in names}
    seats = tuple(
        Token(who, due[who], str(game.score.get(who, 0)), "done" if who in game.chosen else "") for who in names
    )
    about = (Prose(game.about),) if game.about else ()
    return Heading(f"Game Face, round {game.round}"), *about, Ladder(seats, "initiative")


def _stage(chronicle: ChronicleView) -> tuple[Block, ...]:
    if chronicle.ended:
        return (Prose(chronicle.ended),)
    if chronicle.group is not None:
        return (_throws(chronicle.group),)
    if chronicle.game_face is not None:
        return (Group(_duel(chronicle.game_face), "asks"),)
    if chronicle.cards is None or not chronicle.cards.deck.discards:
        return ()
    card = ComponentId.parse(chronicle.cards.deck.discards[-1])
    asks = (Heading(PokerCard(card.number).name), Prose(prompts().cards[card.number]), _suits(chronicle))
    return (Group((Cards((card,)), Group(asks, "asks")), "prompt"),)


def _person(chronicle: ChronicleView, sheet: Character, due: str) -> PersonCard:
    hand = chronicle.hand(sheet.name)
    skills = tuple(
        Rating(skill.name, skill.rating, symbol=skill.suit, state="locked" if sheet.locked(skill) else "")
        for skill in sheet.skills
    )
    return PersonCard(
        sheet.name,
        (Ratings(skills, "skills"),),
        about=how_many(hand.count, "card", "cards") if hand else sheet.player,
        state="out" if sheet.at_rest else "now" if sheet.name == due else "",
    )


screen = GameScreen(_panels, _television, ChronicleView, playing_cards=True)
"""The screens of Mnemonic."""
