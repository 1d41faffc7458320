"""Every event of Woven in words, and what the chronicle keeps of it: the one place to translate.

No sentence names a spell that lies hidden, or a home card: whoever reads the story may be any player (WO-16).
"""

from __future__ import annotations

from loomtable.engine.kernel.chronicle import (
    CardsMark,
    Decisive,
    EndingMark,
    Lead,
    SceneMark,
    Sentence,
    Spoken,
    Telling,
)
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import how_many, listed, number_word
from loomtable.engine.woven.effects import Loss
from loomtable.engine.woven.events import beginning as b
from loomtable.engine.woven.events import ground as g
from loomtable.engine.woven.events import weaving as w
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import Spot


def tell(event: Event, contest: Contest, viewer: str) -> Telling:
    """The event in words, which are the same for everybody; ``contest`` is the game after it."""
    telling = _of_the_beginning(event, contest) or _of_turns(event, contest) or _of_weaving(event)
    return telling or _of_the_map(event, contest) or _of_combat(event, contest)


def _of_the_beginning(event: Event, contest: Contest) -> Telling:
    match event:
        case b.SetUp(players=players, last_round=last, colours=colours):
            rounds = f", for {how_many(last, 'round', 'rounds')}" if last else ""
            people = [f"{name} ({colour.label})" for name, colour in zip(players, colours, strict=False)]
            meet = Sentence(f"{listed(players)} meet on {contest.ground.title}{rounds}.")
            return Spoken(
                f"{listed(people)} meet on {contest.ground.title}{rounds}.",
                SceneMark("The contest", picture=f"region/{contest.map}"),
                meet,
            )
        case b.SpellsDealt(hands=hands):
            count = len(next(iter(hands.values())))
            return Spoken(f"Everybody is dealt {number_word(count)} spells.")
        case b.SpellsSetAside(count=count, shown=shown):
            how = f"face up: {listed(spell_named(key).name for key in contest.aside)}" if shown else "unseen"
            kept = number_word(len(next(iter(contest.mages.values())).hand))
            mark = Sentence(f"Each keeps {kept} spells, and shows nobody which.")
            return Spoken(f"{how_many(count, 'spell is', 'spells are')} set aside {how}.", mark)
    return ""


def _of_turns(event: Event, contest: Contest) -> Telling:
    match event:
        case b.TurnBegun(who=who, round=round_):
            first = contest.turn is not None and contest.turn.mage == next(iter(contest.mages))
            return Spoken(f"Round {round_}: it is {who}'s turn.", *([Lead(f"Round {round_}.")] if first else ()))
        case b.Rested(who=who, thread=thread, mana=mana):
            taken = f"a thread from {spot_in_words(thread)} and " if thread else ""
            return Spoken(f"{who} rests: {taken}{mana} spent mana back in the pool.")
        case b.ContestWon(winners=winners, because=because):
            sentence = f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the victory'}: {because}."
            return Spoken(sentence, Decisive(sentence), EndingMark(sentence))
    return ""


def _of_weaving(event: Event) -> Telling:
    match event:
        case w.CardDrawn(who=who, card=card, cost=cost):
            return Spoken(f"{who} draws tapestry card {card}{_for(cost)}.")
        case w.CardLaid(who=who, placement=placement, covered=covered):
            back = f"; {how_many(len(covered), 'thread comes', 'threads come')} back" if covered else ""
            where = f"{placement.card}{placement.side} at {spot_in_words(placement.at)}"
            return Spoken(f"{who} lays card {where}{back}.")
        case w.ThreadPlaced(who=who, at=at):
            return Spoken(f"{who} places a thread at {spot_in_words(at)}.")
        case w.ThreadsRecovered(who=who, at=at):
            return Spoken(f"{who} takes {how_many(len(at), 'thread', 'threads')} off the tapestry.")
        case w.SpellCast(who=who, spell=spell, revealed=revealed):
            sentence = f"{who} {'reveals and casts' if revealed else 'casts'} {_spell(spell)}."
            shown = [CardsMark((spell_named(spell).component,))] if revealed else []
            return Spoken(sentence, *shown, Sentence(sentence))
        case w.NoEffect(spell=spell, why=why):
            return Sentence(f"{_spell(spell)} does nothing here: {why}.")
        case w.ChargePlaced(who=who, spell=spell):
            return Spoken(f"{who} puts a charge on {_spell(spell)}.")
        case w.ChargeLost(who=who, spell=spell, loss=w.ChargeLoss.SPENT):
            return Spoken(f"{who} spends a charge of {_spell(spell)}.")
        case w.ChargeLost(who=who, spell=spell, loss=loss):
            return Spoken(f"A charge of {who}'s {_spell(spell)} is {loss}.")
        case w.ChargeRecovered(who=who, spell=spell):
            return Spoken(f"{who} takes a charge off {_spell(spell)}.")
    return ""


def _of_the_map(event: Event, contest: Contest) -> Telling:
    match event:
        case g.Entered(who=who, at=at, cost=cost):
            sentence = f"{who} comes onto the map at {_place(contest, at)}"
            return Spoken(f"{sentence}{_for(cost)}.", Sentence(f"{sentence}."))
        case g.Moved(who=who, end=end, cost=cost, spell=spell):
            sentence = f"{who} goes to {_place(contest, end)}"
            return Spoken(f"{sentence}{_for(cost)}{_by(spell)}.", Sentence(f"{sentence}."))
        case g.Teleported(who=who, end=end):
            return Sentence(f"{who} is in {_place(contest, end)} at once.")
        case g.Pushed(who=who, start=start, end=end) if start == end:
            return Spoken(f"There is nowhere to push {who}, who stays in {_place(contest, start)}.")
        case g.Pushed(who=who, end=end):
            return Sentence(f"{who} is pushed into {_place(contest, end)}.")
        case g.TendrilPlaced(who=who, at=at, spell=spell):
            sentence = f"{who} sends a tendril into {_place(contest, at)}"
            return Spoken(f"{sentence}{_by(spell)}.", Sentence(f"{sentence}."))
        case g.TendrilMoved(who=who, by=by, start=start, end=end, cost=cost):
            whose = "a tendril" if who == by else f"{who}'s tendril"
            way = f"from {_place(contest, start)} to {_place(contest, end)}"
            return Spoken(f"{by} moves {whose} {way}{_for(cost)}.")
        case g.TendrilLost(who=who, at=at, loss=Loss.CONSUMED):
            return Spoken(f"{who}'s tendril in {_place(contest, at)} is consumed.")
        case g.TendrilLost(who=who, at=at):
            return Spoken(f"{who}'s tendril in {_place(contest, at)} is removed.")
        case g.TendrilSacrificed(who=who, at=at, to=None):
            return Spoken(f"{who} gives up the tendril in {_place(contest, at)}.")
        case g.TendrilSacrificed(who=who, at=at, to=str(to)):
            return Spoken(f"{who}'s tendril snaps from {_place(contest, at)} to {_place(contest, to)}.")
        case g.TendrilKept(who=who, at=at, spell=spell):
            return Spoken(f"{who} keeps the tendril in {_place(contest, at)}{_by(spell)}.")
        case g.TendrilRecovered(who=who, at=at):
            return Spoken(f"{who} takes the tendril in {_place(contest, at)} back.")
    return ""


def _of_combat(event: Event, contest: Contest) -> Telling:
    match event:
        case g.Attacked(at=at, spell=spell, strength=strength):
            return Sentence(f"{_spell(spell)} strikes {_place(contest, at)} with strength {strength}.")
        case g.Struck(who=who, spell=spell, strength=strength):
            return Sentence(f"{_spell(spell)} throws the attack back at {who}, with strength {strength}.")
        case g.Protected(who=who, spell=spell):
            return Sentence(f"{_spell(spell)} protects {who}.")
        case g.BodyDestroyed(who=who, by=by):
            sentence = f"{who}'s body is destroyed by {'their own attack' if who == by else by}"
            return Spoken(f"{sentence}; {who} is in the Astral Plane.", Decisive(f"{sentence}."))
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
