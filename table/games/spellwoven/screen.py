"""Spellwoven on a screen: the encounter, the conflict in lanes, sheets with wounds by level and soak."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended, how_many, listed, number_word
from loomtable.engine.odds.spellwoven_fight import fight_ahead
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.state import Adventure, Character, Combatant, Conflict, Left
from loomtable.engine.spellwoven.views import AdventureView, EncounterView, FromAfar
from loomtable.table.screens import GameScreen, imported_later
from loomtable.table.screens.blocks import (
    Badges,
    Block,
    Boxes,
    Facts,
    Foldout,
    Group,
    Ladder,
    Lanes,
    Listing,
    Meters,
    Prose,
    Strong,
    Table,
    TableRow,
    Text,
    Token,
    Track,
    Words,
)
from loomtable.table.screens.panel import Panel, PersonCard, Television


def _panels(session: Session[Adventure], viewer: str, adventure: AdventureView) -> tuple[Panel, ...]:
    """The panels of an adventure."""
    panels = []
    if adventure.conflict is not None:
        panels.append(Panel("conflict", _round(adventure.conflict), _conflict(adventure.conflict), wide=True))
    if adventure.encounter is not None:
        known = tuple(_encounter(adventure.encounter, fair_fight(session) if viewer == STORYTELLER else ""))
        panels.append(Panel("encounter", adventure.encounter.title, known, wide=True))
    panels += [Panel(f"sheet-{n}", n, tuple(_sheet(sheet)), whose=n) for n, sheet in adventure.sheets.items()]
    if adventure.others:
        others = Listing(tuple(map(_from_afar, adventure.others.values())))
        panels.append(Panel("others", "Seen from across the table", (others,)))
    if adventure.hours:
        panels.append(Panel("time", "Time", (Facts({"Since the beginning": _time(adventure.hours)}),)))
    return tuple(panels)


def fair_fight(session: Session[Adventure]) -> str:
    """What it may cost the heroes to fight everybody else who is there, before they do (SP-10)."""
    if (ahead := fight_ahead(session.state)) is None:
        return ""
    heroes, foes, fought = ahead
    fall = f"{fought.fell:.1f} of them fall" if fought.fell >= 0.05 else "none of them falls"
    them = listed(foe.name for foe in foes)
    return f"{number_word(len(heroes)).capitalize()} against {them}: about {fought.won:.0%} win, {fall}."


def _television(session: Session[Adventure], adventure: AdventureView) -> Television:
    """The encounter that is read, or the conflict as a ladder, and the heroes' wounds."""
    met, turn = adventure.encounter, session.system.turn(session.game).split(" and ")
    stage: tuple[Block, ...] = ()
    if adventure.conflict is not None:
        asked = {session.pending.by: "answers"} if session.pending is not None else {}
        stage = (_ladder(adventure, adventure.conflict, {**asked, **dict.fromkeys(turn, "now")}),)
    elif met is not None or not adventure.characters:
        stage = (Prose(met.opening if met else session.system.presentation.about),)
    return Television(
        met.title if met else session.system.title,
        _round(adventure.conflict) if adventure.conflict is not None else "",
        stage=stage,
        people=tuple(_heroes(adventure, turn)),
    )


def _round(conflict: Conflict) -> str:
    return f"Round {conflict.round}" if conflict.round else "A conflict begins"


def _time(hours: int) -> str:
    days, rest = divmod(hours, 24)
    told = [how_many(days, "day", "days")] if days else []
    return listed([*told, how_many(rest, "hour", "hours")] if rest or not days else told)


def _encounter(encounter: EncounterView, fight: str) -> Iterator[Block]:
    """What is read aloud; for the storyteller also what everybody wants, and how it can end."""
    yield Prose(encounter.opening)
    yield Facts({"They want": encounter.wants, "If all only fight": fight})
    if encounter.reward is not None:
        ends = {f"If they {how}": text for how, text in encounter.endings.items()}
        yield from (Foldout("How it can end", (Facts(ends),)), Facts({"Reward": encounter.reward.says}))


def _conflict(conflict: Conflict) -> tuple[Block, ...]:
    """Who acts when, highest initiative first, and a lane for each distance from the fight."""
    head = ("Initiative", "Who", "Momentum", "Where", "Now")
    there = {name: c for name, c in conflict.combatants.items() if not c.left}
    lanes = {
        proximity.label: tuple(Token(name) for name, c in there.items() if c.proximity is proximity)
        for proximity in Proximity
    }
    return Table(tuple(_line(name, c) for name, c in _by_initiative(conflict)), head, "order"), Lanes(lanes)


def _by_initiative(conflict: Conflict) -> list[tuple[str, Combatant]]:
    return sorted(conflict.combatants.items(), key=lambda known: (-known[1].initiative, known[0]))


def _line(name: str, combatant: Combatant) -> TableRow:
    return TableRow(
        (
            str(combatant.initiative),
            Strong(name),
            f"{combatant.momentum:+d}" if combatant.momentum else "0",
            combatant.proximity.label,
            _now(combatant),
        ),
        "done" if combatant.acted or combatant.left else "",
    )


def _now(combatant: Combatant) -> str:
    """What there is to say about a combatant in this round."""
    notes = [
        combatant.left.value.replace("-", " ") if combatant.left else "",
        "has acted" if combatant.acted and not combatant.left else "",
        "cooperates" if combatant.cooperating else "",
        f"guards (+{combatant.guard})" if combatant.guard else "",
        f"tends {combatant.aiding}" if combatant.aiding else "",
        "is open to attack" if combatant.open_to_attack else "",
        "is hampered" if combatant.hampered else "",
        "shoots" if combatant.shoots else "",
        f"is distracted: {combatant.distraction.value.replace('-', ' ')}" if combatant.distraction else "",
    ]
    return ", ".join(filter(None, notes)) or "may act"


def _sheet(sheet: Character) -> Iterator[Block]:
    """A whole sheet: wounds by level, soak, ratings, what is carried."""
    ratings = {name.replace("-", " ").capitalize(): value for name, value in sorted(sheet.ratings.items())}
    yield Text(_about(sheet), "sheet-head")
    yield _levels(sheet)
    if sheet.shield:
        yield Track("Shield", sheet.shield.marked, sheet.shield.soak, kind="shield")
    yield Badges(
        {
            "Quickness Defence": sheet.quickness_defence,
            "Presence Defence": sheet.presence_defence,
            "Effort": sheet.effort,
        }
    )
    yield Meters(ratings, max(ratings.values(), default=0))
    yield Facts(
        {
            "Weapons": ", ".join(f"{w.name} (Menace {w.menace})" for w in sheet.weapons),
            "Armour": ", ".join(piece.name for piece in sheet.armour),
            "Loaded": ", ".join(sheet.loaded),
        }
    )
    for talent in sheet.talents:
        text = (Text(talent.does, "does"), Text(talent.says))
        yield Foldout((Strong("Talent"), f" {talent.name}"), text, "quality")
    if sheet.advances:
        steps = [(f"{a.what} {a.rating or ''}".strip(), ended(a.because)) for a in sheet.advances]
        learnt = tuple(Text(f"{what}: {because}") for what, because in steps)
        yield Foldout((Strong("Advanced"), f" {how_many(len(learnt), 'time', 'times')}"), learnt)


def _about(sheet: Character) -> str:
    """Who keeps the sheet, whose side it is on, and the worst that can be said of its bearer."""
    worst = {
        "dead": sheet.dead,
        "in a last stand": sheet.heroic,
        "incapacitated": sheet.incapacitated,
        "maimed": sheet.maimed,
    }
    state = next((word for word, is_so in worst.items() if is_so), "")
    return " · ".join(filter(None, (sheet.keeper, sheet.side, state)))


def _levels(sheet: Character) -> Table:
    """The wound track: for each level its slots, and the soak that comes before them."""
    rows = []
    for level in LEVELS:
        wounds, slots = sheet.wounds.at(level), sheet.wound_slots.at(level)
        soak = Boxes(sheet.soak_marked.at(level), sheet.soak_slots.at(level), "soak")
        rows.append(TableRow((Strong(level.label), Boxes(wounds, max(slots, wounds), "wound"), soak)))
    return Table(tuple(rows), ("Level", "Wounds", "Soak"), "levels")


def _from_afar(sheet: FromAfar) -> Words:
    carried = ", ".join((*sheet.weapons, *sheet.armour))
    return Strong(sheet.name), f": {sheet.condition}{', with ' if carried else ''}{carried}"


def _ladder(adventure: AdventureView, conflict: Conflict, states: dict[str, str]) -> Ladder:
    """Who acts when, the quickest first, how near they are, and what anybody can see of them."""
    seats = (_token(adventure, name, combatant, states) for name, combatant in _by_initiative(conflict))
    return Ladder(tuple(seats), "initiative")


def _token(adventure: AdventureView, name: str, combatant: Combatant, states: dict[str, str]) -> Token:
    state = states.get(name) or ("done" if combatant.acted or combatant.left else "")
    about = _looks(adventure.others[name], combatant.left) or combatant.proximity.label
    return Token(name, about, str(combatant.initiative or "–"), state)


def _looks(sheet: FromAfar, left: Left | None) -> str:
    if left is not None:
        return left.value.replace("-", " ")
    return "" if sheet.condition == "unhurt" else sheet.condition


def _heroes(adventure: AdventureView, turn: list[str]) -> Iterator[PersonCard]:
    """Every hero with the wounds that are marked, the Effort and the shield."""
    for name, hero in adventure.tracks.items():
        levels = tuple(
            Track(level.label, wounds, max(slots, wounds), kind="wound")
            for level in LEVELS
            if (slots := hero.wound_slots.at(level)) + (wounds := hero.wounds.at(level))
        )
        shield = f" · shield {hero.shield.left} of {hero.shield.soak}" if hero.shield else ""
        looks = adventure.others[name]
        gone = looks.condition in ("dead", "incapacitated")
        yield PersonCard(
            name,
            (Group(levels, "levels"), Text(f"Effort {hero.effort}{shield}")),
            about=looks.condition if gone else looks.player or "",
            state="out" if gone else "now" if name in turn else "",
        )


screen = GameScreen(
    _panels,
    _television,
    AdventureView,
    board=imported_later("loomtable.table.games.spellwoven.ring_mat:ring_board"),
)
"""The screens of Spellwoven."""
