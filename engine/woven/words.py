"""Every event of Woven as a sentence: the one place to translate.

No sentence names a spell that lies hidden, or a home card: whoever reads the story may be any player (WO-16).
"""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import how_many, listed, number_word
from loomtable.engine.woven.effects import Loss
from loomtable.engine.woven.events import beginning as b
from loomtable.engine.woven.events import ground as g
from loomtable.engine.woven.events import weaving as w
from loomtable.engine.woven.region_map import RegionKey
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import Spot


def tell(event: Event, contest: Contest) -> str:
    """The event as a sentence for people; ``contest`` is the game after it."""
    sentence = _of_the_beginning(event, contest) or _of_turns(event) or _of_weaving(event)
    return sentence or _of_the_map(event, contest) or _of_combat(event, contest)


def _of_the_beginning(event: Event, contest: Contest) -> str:
    match event:
        case b.SetUp(players=players, last_round=last, colours=colours):
            rounds = f", for {how_many(last, 'round', 'rounds')}" if last else ""
            people = [f"{name} ({colour.label})" for name, colour in zip(players, colours, strict=False)]
            return f"{listed(people)} sit down to Woven on the map {contest.ground.title}{rounds}."
        case b.HomeDealt(who=who):
            return f"{who} takes a home card and looks at it alone."
        case b.SpellsDealt(hands=hands):
            count = len(next(iter(hands.values())))
            return f"Everybody is dealt {number_word(count)} spells."
        case b.SpellKept(who=who):
            return f"{who} keeps a spell, face down."
        case b.HandsPassed():
            return "Everybody passes the rest to the left."
        case b.SpellsSetAside(count=count, shown=True):
            named = listed([spell_named(key).name for key in contest.aside])
            return f"{how_many(count, 'spell is', 'spells are')} set aside face up: {named}."
        case b.SpellsSetAside(count=count):
            return f"{how_many(count, 'spell is', 'spells are')} set aside unseen."
    return ""


def _of_turns(event: Event) -> str:
    match event:
        case b.TurnBegun(who=who, round=round_):
            return f"Round {round_}: it is {who}'s turn."
        case b.MayActAgain(who=who):
            return f"{who} may take another action."
        case b.Passed(who=who):
            return f"{who} passes the turn."
        case b.Rested(who=who, thread=thread, mana=mana):
            back = (
                f"a thread from {spot_in_words(thread)} and {mana} spent mana" if thread else f"{mana} spent mana"
            )
            return f"{who} rests: {back} back in the pool."
        case b.PointsScored(who=who, points=points):
            return f"{who} scores {how_many(points, 'point', 'points')} for cities."
        case b.ContestWon(winners=winners, because=because):
            return f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the victory'}: {because}."
    return ""


def _of_weaving(event: Event) -> str:
    match event:
        case w.CardDrawn(who=who, card=card, cost=cost):
            return f"{who} draws tapestry card {card}{_for(cost)}."
        case w.CardLaid(who=who, placement=placement, covered=covered):
            back = f"; {how_many(len(covered), 'thread comes', 'threads come')} back" if covered else ""
            return f"{who} lays card {placement.card}{placement.side} at {spot_in_words(placement.at)}{back}."
        case w.StackRenewed(cards=cards):
            return f"{how_many(cards, 'discarded card makes', 'discarded cards make')} a new stack."
        case w.TapestryDiscarded(who=who):
            return f"{who}'s tapestry is discarded, and its threads are spent."
        case w.ThreadPlaced(who=who, at=at):
            return f"{who} places a thread at {spot_in_words(at)}."
        case w.ThreadsRecovered(who=who, at=at):
            return f"{who} takes {how_many(len(at), 'thread', 'threads')} off the tapestry."
        case w.SpellCast(who=who, spell=spell, revealed=revealed):
            return f"{who} {'reveals and casts' if revealed else 'casts'} {_spell(spell)}."
        case w.NoEffect(spell=spell, why=why):
            return f"{_spell(spell)} does nothing here: {why}."
        case w.ChargePlaced(who=who, spell=spell):
            return f"{who} puts a charge on {_spell(spell)}."
        case w.ChargeLost(who=who, spell=spell, loss=w.ChargeLoss.SPENT):
            return f"{who} spends a charge of {_spell(spell)}."
        case w.ChargeLost(who=who, spell=spell, loss=loss):
            return f"A charge of {who}'s {_spell(spell)} is {loss}."
        case w.ChargeRecovered(who=who, spell=spell):
            return f"{who} takes a charge off {_spell(spell)}."
    return ""


def _of_the_map(event: Event, contest: Contest) -> str:
    match event:
        case g.Entered(who=who, at=at, cost=cost):
            return f"{who} enters the map at {_place(contest, at)}{_for(cost)}."
        case g.Moved(who=who, end=end, cost=cost, spell=spell):
            return f"{who} moves to {_place(contest, end)}{_for(cost)}{_by(spell)}."
        case g.Teleported(who=who, end=end):
            return f"{who} is in {_place(contest, end)} at once."
        case g.Pushed(who=who, start=start, end=end) if start == end:
            return f"There is nowhere to push {who}, who stays in {_place(contest, start)}."
        case g.Pushed(who=who, end=end):
            return f"{who} is pushed into {_place(contest, end)}."
        case g.TendrilPlaced(who=who, at=at, spell=spell):
            return f"{who} places a tendril in {_place(contest, at)}{_by(spell)}."
        case g.TendrilMoved(who=who, by=by, start=start, end=end, cost=cost):
            whose = "a tendril" if who == by else f"{who}'s tendril"
            way = f"from {_place(contest, start)} to {_place(contest, end)}"
            return f"{by} moves {whose} {way}{_for(cost)}."
        case g.TendrilLost(who=who, at=at, loss=Loss.CONSUMED):
            return f"{who}'s tendril in {_place(contest, at)} is consumed."
        case g.TendrilLost(who=who, at=at):
            return f"{who}'s tendril in {_place(contest, at)} is removed."
        case g.TendrilSacrificed(who=who, at=at, to=None):
            return f"{who} gives up the tendril in {_place(contest, at)}."
        case g.TendrilSacrificed(who=who, at=at, to=str(to)):
            return f"{who}'s tendril snaps from {_place(contest, at)} to {_place(contest, to)}."
        case g.TendrilKept(who=who, at=at, spell=spell):
            return f"{who} keeps the tendril in {_place(contest, at)}{_by(spell)}."
        case g.TendrilRecovered(who=who, at=at):
            return f"{who} takes the tendril in {_place(contest, at)} back."
    return ""


def _of_combat(event: Event, contest: Contest) -> str:
    match event:
        case g.Attacked(at=at, spell=spell, strength=strength):
            return f"{_spell(spell)} strikes {_place(contest, at)} with strength {strength}."
        case g.Struck(who=who, spell=spell, strength=strength):
            return f"{_spell(spell)} throws the attack back at {who}, with strength {strength}."
        case g.Protected(who=who, spell=spell):
            return f"{_spell(spell)} protects {who}."
        case g.BodyDestroyed(who=who, by=by) if who == by:
            return f"{who}'s body is destroyed by {who}'s own attack; {who} is in the Astral Plane."
        case g.BodyDestroyed(who=who, by=by):
            return f"{who}'s body is destroyed by {by}; {who} is in the Astral Plane."
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _spell(key: str) -> str:
    return spell_named(key).name


def _place(contest: Contest, place: RegionKey) -> str:
    return contest.ground.region(place).name


def spot_in_words(spot: Spot) -> str:
    """``column 2, row -1``: where a cell of a tapestry lies, counted from the first card's first cell."""
    return f"column {spot[0]}, row {spot[1]}"


def _by(spell: str) -> str:
    return f" by {_spell(spell)}" if spell else ""


def _for(cost: int) -> str:
    return f", for {cost} mana" if cost else ""
