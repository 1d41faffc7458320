"""What the new things on a table offer, each tried on a copy of the session: the rules say what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.gestures import Offer, Situation, Table, answer_cards
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import S, System
from loomtable.engine.kernel.wording import article, listed


def rolls_ahead(session: Session[S]) -> tuple[Roll, ...]:
    """The rolls that a throw can answer before they are asked for."""
    found = []
    for begins in _begun_by_throws(session.system, _situation(session, Table())):
        trial = session.copy()
        with suppress(LoomtableError):
            begins.take(trial)
            if isinstance(trial.pending, Roll):
                found.append(trial.pending)
    return tuple(found)


def _begun_by_throws(system: System[S], situation: Situation[S]) -> list[Offer]:
    return [begins for throw in system.throws for begins in throw(situation)]


def _situation(session: Session[S], table: Table) -> Situation[S]:
    return Situation(session.game, session.pending, session.system.turn(session.game), table)


def _thrown(system: System[S], situation: Situation[S]) -> Iterator[Offer]:
    """What dice say by where they fell; where nothing is asked, people are, unless they fell at a figure.

    Dice in doubt are put right once their roll is asked for.
    """
    thrown = situation.table.thrown
    if thrown is None:
        return
    begun = _begun_by_throws(system, situation)
    if thrown.unread:
        if begun and situation.asked is None:
            yield Offer("The dice cannot be read", reason=f"{thrown.unread}; throw them again")
        return
    beside = thrown.beside(offer.about for offer in begun)
    for offer in begun:
        if offer.about not in beside:
            continue
        if thrown.dice is None:
            yield replace(offer, says=f"{offer.says}; the dice are not clear", sure=False)
        else:
            faces = ", ".join(str(face).capitalize() for face in thrown.dice.faces)
            sure = offer.action is None or thrown.at(offer.about)
            yield replace(offer, says=f"{offer.says}: {faces}", answers=(*offer.answers, thrown.dice), sure=sure)


def refusal(session: Session[S], *steps: Action | Reading) -> str:
    """Why the rules do not allow these steps now, in their own words; empty where they do."""
    trial = session.copy()
    try:
        for step in steps:
            trial.take(step)
    except LoomtableError as error:
        return str(error)
    return ""


def _said_by(system: System[S], table: Table, offer: Offer) -> str:
    """Which cards said so, and beside whose markers; an answer card is named by what it says."""
    lying = [one for one in table.lying if one.thing in offer.things and one.thing.kind is not Kind.ANSWER]
    name = system.presentation.card_names.get(Kind.MARKER)
    markers = [marker for one in lying for marker in one.beside if name is not None]
    named = [f"the {name(marker).lower()}" for marker in markers if name is not None]
    beside = f", {'between' if len(named) > 1 else 'beside'} {listed(named)}" if named else ""
    return listed(str(one.thing) for one in lying) + beside


def offers(session: Session[S], table: Table) -> tuple[Offer, ...]:
    """What the new things on a table seem to say; each was tried on a copy, and says why it cannot be taken.

    What nothing was made of is said as well, as an offer without steps; its kind alone, for a card may be secret.
    """
    system, situation = session.system, _situation(session, table)
    found = [
        *answer_cards(situation),
        *_thrown(system, situation),
        *(offer for gesture in system.gestures.values() for offer in gesture(situation)),
    ]
    reasons = [offer.reason or (refusal(session, *offer.steps) if offer.steps else "") for offer in found]
    said = [_said_by(system, table, offer) for offer in found]
    tried = tuple(replace(offer, by=by, reason=why) for offer, by, why in zip(found, said, reasons, strict=True))
    claimed = {thing for offer in found for thing in offer.things}
    new = [lies.thing for lies in table.lying if lies.new and lies.thing.kind is not Kind.MARKER]
    useless = [thing for thing in new if thing not in claimed]
    if not useless:
        return tried
    kinds = Counter(f"{thing.kind.capitalize()} card" for thing in useless)
    named = listed(article(kind) if many == 1 else f"{kind}s" for kind, many in kinds.items())
    says = f"{named} {'is' if len(useless) == 1 else 'are'} on the table"
    asked = situation.asked
    reason = f"{asked.by} is asked something else" if asked is not None else "nothing can be begun with that now"
    return (*tried, Offer(says, reason=reason, things=tuple(useless)))
