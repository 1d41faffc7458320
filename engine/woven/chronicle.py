"""How a game of Woven is told afterwards: spells, journeys, bodies lost, and who won.

Nothing is told of hands, of home cards, or of spells that lie face down (WO-16).
"""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.chronicle import Cards, Decisive, Ending, Lead, Mark, Scene, Sentence
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.wording import how_many, listed, number_word
from loomtable.engine.woven.events import beginning as b
from loomtable.engine.woven.events import ground as g
from loomtable.engine.woven.events import weaving as w
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import WOVEN


@WOVEN.chronicle
def woven_chronicle(event: Event, contest: Contest, viewer: str, action: Action) -> Iterator[Mark]:
    """Rounds as paragraphs; spells with their cards when they are first shown."""

    def place(key: str) -> str:
        return contest.ground.region(key).name

    match event:
        case b.SetUp(players=players, map=ground, last_round=last):
            yield Scene("The contest", picture=f"region/{ground}")
            rounds = f" for {how_many(last, 'round', 'rounds')}" if last else ""
            yield Sentence(f"{listed(players)} meet on {contest.ground.title}{rounds}.")
        case b.SpellsSetAside():
            kept = number_word(len(next(iter(contest.mages.values())).hand))
            yield Sentence(f"Each keeps {kept} spells, and shows nobody which.")
        case b.TurnBegun(round=round_) if _first_of_round(contest):
            yield Lead(f"Round {round_}.")
        case w.SpellCast(who=who, spell=spell, revealed=revealed):
            known = spell_named(spell)
            if revealed:
                yield Cards((ComponentId(Kind.SPELL, known.number),))
            yield Sentence(f"{who} {'reveals and casts' if revealed else 'casts'} {known.name}.")
        case w.NoEffect(why=why):
            yield Sentence(f"It does nothing: {why}.")
        case g.Entered(who=who, at=at):
            yield Sentence(f"{who} comes onto the map at {place(at)}.")
        case g.Moved(who=who, end=end) | g.Teleported(who=who, end=end):
            yield Sentence(f"{who} goes to {place(end)}.")
        case g.Pushed(who=who, start=start, end=end) if start != end:
            yield Sentence(f"{who} is pushed into {place(end)}.")
        case g.TendrilPlaced(who=who, at=at):
            yield Sentence(f"{who} sends a tendril into {place(at)}.")
        case g.Attacked(at=at, spell=spell, strength=strength):
            yield Sentence(f"{spell_named(spell).name} strikes {place(at)} with strength {strength}.")
        case g.Struck(who=who, spell=spell):
            yield Sentence(f"{spell_named(spell).name} throws the attack back at {who}.")
        case g.Protected(who=who, spell=spell):
            yield Sentence(f"{spell_named(spell).name} protects {who}.")
        case g.BodyDestroyed(who=who, by=by):
            whose = "their own attack" if who == by else by
            yield Decisive(f"{who}'s body is destroyed by {whose}.")
        case b.PointsScored(who=who, points=points):
            yield Sentence(f"{who} scores {how_many(points, 'point', 'points')}.")
        case b.ContestWon(winners=winners, because=because):
            says = f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the victory'}: {because}."
            yield Decisive(says)
            yield Ending(says)


def _first_of_round(contest: Contest) -> bool:
    return contest.turn is not None and contest.turn.mage == next(iter(contest.mages))
