"""Whose turn it is: initiative, ties, cooperation, momentum (SP-3 to SP-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import GROUP, Choose, EnterNumber, Option, Roll
from loomtable.engine.kernel.wording import listed
from loomtable.engine.spellwoven.armoury import When
from loomtable.engine.spellwoven.attribute_tests import (
    DICE,
    EVEN,
    MANOEUVRE,
    PROWESS,
    QUICKNESS,
    leaning_in_conflict,
    rating_of,
    skill_test,
    usable_talents,
)
from loomtable.engine.spellwoven.events.order import InitiativeSet, MomentumChanged, TieRolled
from loomtable.engine.spellwoven.events.people import EffortChanged
from loomtable.engine.spellwoven.lookup import character, combatant, conflict, stands
from loomtable.engine.spellwoven.state import Adventure, Distraction

ROLLS, ALL_AT_ONCE = "initiative-rolls", "all-at-once"
EFFORT = "Who spends Effort on initiative"


def roll_initiatives(play: Play[Adventure], names: Sequence[str]) -> Steps[None]:
    """Everybody's initiative (SP-3), by the ruling ``initiative-rolls``."""
    way = play.ruled(ROLLS)
    if way == "one-by-one":
        for who in names:
            yield from roll_initiative(play, who)
        return
    foes = [who for who in names if _only_rolls(play, who)]
    heroes = [who for who in names if way == ALL_AT_ONCE and _is_hero(play, who) and _plain_dice(play, who)]
    throws = [(heroes, GROUP), (foes, STORYTELLER)]
    throws = [(of, by) for of, by in throws if len(of) > 1]
    at_once = [who for of, _ in throws for who in of]
    for who in names:
        if who not in at_once:
            yield from roll_initiative(play, who, effort=False)
    for of, by in throws:
        yield from _roll_at_once(play, of, by)
    yield from (_effort_in_one if way == ALL_AT_ONCE else _effort_of_all)(play, names)


def _roll_at_once(play: Play[Adventure], names: Sequence[str], by: str) -> Steps[None]:
    """One throw for all of them, three dice each; talents are asked for afterwards.

    Heroes' dice are their own: they may come in parts, of one after another. Foes' lie in any order.
    """
    thrown: dict[str, tuple[int, ...]] = {}
    while waiting := tuple(who for who in names if who not in thrown):
        roll = Roll(
            Die.D10,
            DICE * len(waiting),
            f"Initiative of {', '.join(waiting)}",
            by=by,
            rule="SP-3",
            why=f"{DICE} dice for each, in this order.",
            whose=waiting,
        )
        asked = roll if by == GROUP else msgspec.structs.replace(roll, whose=())
        thrown |= roll.shares((yield from ask(asked)))
    for who in names:
        yield from roll_initiative(play, who, effort=False, thrown=thrown[who])


def _is_hero(play: Play[Adventure], who: str) -> bool:
    return character(play, who).is_player_character


def _plain_dice(play: Play[Adventure], who: str) -> bool:
    """Whether three dice are rolled for its initiative: no fourth one, and not none."""
    rated = rating_of(play, who, initiative_skill(play, who)) is not None
    return rated and leaning_in_conflict(play, who) == EVEN


def _only_rolls(play: Play[Adventure], who: str) -> bool:
    """Whether it is the storyteller's, and nothing but three dice decides its initiative."""
    busy = character(play, who).heroic or usable_talents(play, who, When.INITIATIVE_ROLLED)
    return not (_is_hero(play, who) or busy) and _plain_dice(play, who)


def _effort_left(play: Play[Adventure], names: Sequence[str]) -> dict[str, int]:
    """Who can spend Effort on the initiative that was rolled, and how much (SP-2)."""
    if play.ruled("effort-on-initiative") != "allowed":
        return {}
    own = conflict(play).combatants
    left = {who: character(play, who).effort for who in names if own[who].initiative}
    return {who: effort for who, effort in left.items() if effort}


def _effort_in_one(play: Play[Adventure], names: Sequence[str]) -> Steps[None]:
    """How much Effort each spends on the initiative that was rolled, all in one question (SP-2)."""
    left, own = _effort_left(play, names), conflict(play).combatants
    amounts = [(who, n) for who, effort in left.items() for n in range(1, effort + 1)]
    if not amounts:
        return
    options = tuple(
        Option(f"{n} {who}", f"{who} spends {n}", f"Acts on {own[who].initiative + n}.") for who, n in amounts
    )
    why = "Where several of one person are chosen, the most counts."
    words = "Who spends Effort on initiative, and how much?"
    question = Choose(EFFORT, options, 0, len(options), by=STORYTELLER, rule="SP-2", why=why, words=words)
    chosen = yield from ask(question)
    spent = {who: n for who, n in amounts if f"{n} {who}" in chosen.keys}  # the most comes last
    yield from _spent(play, spent)


def _effort_of_all(play: Play[Adventure], names: Sequence[str]) -> Steps[None]:
    """Who spends Effort on the initiative that was rolled, in one question; then each of them how much (SP-2)."""
    left, own = _effort_left(play, names), conflict(play).combatants
    if not left:
        return
    options = tuple(Option(who, who, f"Acts on {own[who].initiative}.") for who in left)
    chosen = yield from ask(Choose(EFFORT, options, 0, len(options), by=STORYTELLER, rule="SP-2"))
    for who in chosen.keys:
        how_much = EnterNumber(f"Initiative of {who}: Effort to spend", 1, left[who], by=who, rule="SP-2")
        yield from _spent(play, {who: (yield from ask(how_much)).value if left[who] > 1 else 1})


def _spent(play: Play[Adventure], spent: Mapping[str, int]) -> Steps[None]:
    for who, effort in spent.items():
        yield EffortChanged(who=who, by=-effort)
        yield InitiativeSet(who=who, initiative=conflict(play).combatants[who].initiative + effort)


def roll_initiative(
    play: Play[Adventure], who: str, *, effort: bool = True, thrown: tuple[int, ...] = ()
) -> Steps[None]:
    """Three dice against Manoeuvre, Quickness or Prowess; successes and rating are the initiative (SP-3)."""
    skill = initiative_skill(play, who)
    counted = yield from skill_test(
        play,
        who,
        skill,
        None,
        f"Initiative of {who}",
        rule="SP-3",
        at=When.INITIATIVE_ROLLED,
        effort=effort and play.ruled("effort-on-initiative") == "allowed",
        words="Spend Effort on initiative?",
        thrown=thrown,
    )
    yield InitiativeSet(who=who, initiative=counted.successes + (rating_of(play, who, skill) or 0))


def initiative_skill(play: Play[Adventure], who: str) -> str:
    """What ``who`` rolls for initiative: an NPC Prowess; others Manoeuvre, or Quickness without it (SP-3)."""
    sheet = character(play, who)
    if not sheet.is_player_character:
        return PROWESS
    return MANOEUVRE if MANOEUVRE in sheet.ratings else QUICKNESS


def settle_ties(play: Play[Adventure]) -> Steps[None]:
    """Those who are tied roll a d10 each, and again while they are still tied; the lowest acts first (SP-3)."""
    while tied := _tied(play.state):
        for who in tied:
            own = conflict(play).combatants[who]
            again = f", roll {len(own.tie) + 1}" if own.tie else ""
            purpose = f"Tie of {who} on {own.initiative}{again}"
            if play.ruled(ROLLS) != "one-by-one":
                drawn = blake2b(f"{play.seed}/{conflict(play).round}/{purpose}".encode(), digest_size=8).digest()
                yield TieRolled(who=who, face=1 + int.from_bytes(drawn) % 10)
                continue
            words = f"{listed(tied)} tie on {own.initiative}: the lowest roll goes first"
            lying = yield from ask(Roll(Die.D10, 1, purpose, by=who, rule="SP-3", words=words))
            yield TieRolled(who=who, face=lying.pips[0])


def _tied(adventure: Adventure) -> list[str]:
    """Those who have to roll now: on the same initiative, and of the same dice for it so far."""
    assert adventure.conflict is not None, "a tie outside a conflict"
    combatants = adventure.conflict.combatants
    waiting = {n: c for n, c in combatants.items() if can_act(adventure, n) and not c.acted}
    for who, own in waiting.items():
        rivals = {n: c for n, c in waiting.items() if n != who and c.initiative == own.initiative}
        if rivals and not own.tie:  # nobody has rolled yet, or a newcomer to a tie that is settled
            return [who, *(n for n, c in rivals.items() if not c.tie)]
        same = [n for n, c in rivals.items() if c.tie[: len(own.tie)] == own.tie]
        if same:
            return [who, *same]
    return []


def order_of(adventure: Adventure) -> tuple[str, ...]:
    """Those who have still to act in this round, in the order in which they do (SP-6)."""
    return tuple(sorted(_waiting(adventure), key=lambda n: _place(adventure, n)))


def _waiting(adventure: Adventure) -> list[str]:
    assert adventure.conflict is not None, "an order outside a conflict"
    return [n for n, c in adventure.conflict.combatants.items() if can_act(adventure, n) and not c.acted]


def can_act(adventure: Adventure, who: str) -> bool:
    """Whether a combatant stands and does not rest after first aid (SP-13, SP-19)."""
    resting = adventure.characters[who].resting_until
    return stands(adventure, who) and (resting is None or resting <= adventure.hours)


def _place(adventure: Adventure, who: str) -> tuple[bool, bool, int, tuple[int, ...]]:
    """Ranged declarations first, distracted ones last; between them the highest initiative (SP-3, SP-5)."""
    assert adventure.conflict is not None, "a place outside a conflict"
    combatants = adventure.conflict.combatants
    own = combatants[who]
    last = own.distraction is Distraction.ACTS_LAST and own.distracted_in == adventure.conflict.round
    group = [c for c in combatants.values() if c.group == own.group] if own.cooperating else [own]
    lead = min(group, key=lambda c: (-c.initiative, c.tie))
    return last, not own.shoots, -lead.initiative, lead.tie


def due(adventure: Adventure) -> tuple[str, ...]:
    """Who may act now: the first in order, or all who cooperate with the first (SP-5, SP-6)."""
    places = {n: _place(adventure, n) for n in _waiting(adventure)}
    first = min(places.values(), default=None)
    return tuple(n for n, place in places.items() if place == first)


def on_turn(play: Play[Adventure], who: str) -> None:
    """Refuse an action of somebody whose turn it is not (SP-6).

    Raises:
        IllegalAction: out of the conflict, unable to act, has acted, or somebody else is next.
    """
    own = combatant(play, who)
    able(play, who)
    if own.acted:
        raise IllegalAction(f"{who} has no action left in round {conflict(play).round}")
    following = due(play.state)
    if who not in following:
        place = f"acts on {-_place(play.state, who)[2]}"  # the highest of those who cooperate (SP-5)
        raise IllegalAction(f"{who} {place}; {' or '.join(following)} is next")


def able(play: Play[Adventure], who: str) -> None:
    """Refuse somebody who is alive but cannot act.

    Raises:
        IllegalAction: incapacitated (SP-13), or resting after first aid (SP-19).
    """
    sheet = character(play, who)
    if sheet.incapacitated:
        raise IllegalAction(f"{who} is incapacitated and cannot act until tended or healed")
    if sheet.resting_until is not None and sheet.resting_until > play.state.hours:
        raise IllegalAction(f"{who} has to rest after first aid, until hour {sheet.resting_until}")


def momentum(who: str, succeeded: bool) -> MomentumChanged:
    """+1 for a success, -1 for a failure (SP-4)."""
    return MomentumChanged(who=who, by=1 if succeeded else -1)
