"""When a passive mechanic may hold, how far the engine knows it, and what is asked of people (WV-10)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.weave.cards.mechanics import (
    VOCABULARY,
    Effect,
    Given,
    Moment,
    Passive,
    RangeBand,
    Whose,
)
from loomtable.engine.weave.cards.passive_words import changes
from loomtable.engine.weave.cards.playset import Quality, QualityKind
from loomtable.engine.weave.encounter.turns import by_today, is_hostile, others
from loomtable.engine.weave.events.figures import Applied, PassiveJudged, PassivesApplied
from loomtable.engine.weave.state import STRIKE_TRACK, Encounter, Figure, ScannedQuality, Season
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.words import hears

A = TypeVar("A", Effect, Passive)


def applied(play: Play[Season], listed: tuple[A, ...]) -> tuple[A, ...]:
    """What this table has applied of what is listed (ruling ``cards-applied``)."""
    return listed if play.ruled("cards-applied") == "all" else tuple(each for each in listed if not each.optional)


class Occasion(msgspec.Struct, frozen=True):
    """What happens when a passive mechanic may hold: whose it is, in which suit, against whom."""

    at: Moment
    who: str
    suit: Suit | None = None
    attacker: str = ""
    target: str = ""
    healing: bool = False
    strikes: int = 0
    failing: bool = False
    bands: int = 0
    asset: bool = False
    """Of an attack: it is made with an Asset."""


class OfferedPassives(msgspec.Struct, frozen=True):
    """A passive mechanic that holds, or may hold, on an occasion."""

    owner: str
    """Whose it is; empty for a place's or a thing's."""
    quality: Quality
    change: Passive
    certain: bool


def sources(season: Season) -> Iterator[tuple[str, ScannedQuality]]:
    """Every quality that can be always on, with its owner: on sheets, of places, of Subplots."""
    met = season.encounter
    figures: list[Figure] = [*season.characters.values(), *season.npcs.values()]
    for figure in figures:
        away = met is not None and figure.name not in met.participants
        if not (figure.left or figure.out or away):
            yield from ((figure.name, q) for q in figure.qualities)
    for place in season.locations:
        if season.place in ("", place.quality.name):
            yield "", place
    yield from (("", element) for element in season.elements if element.kind is QualityKind.SUBPLOT)


def offers(play: Play[Season], occasion: Occasion) -> list[OfferedPassives]:
    """What holds, or may hold, on an occasion; not what the engine knows not to hold."""
    found: list[OfferedPassives] = []
    for owner, scanned in sources(play.state):
        mechanic = scanned.quality.mechanic
        if mechanic is None:
            continue
        for change in applied(play, mechanic.always):
            if change.at is not occasion.at or spent(play, owner or occasion.who, scanned.quality.name, change):
                continue
            holds = _holds(play, owner, scanned, change, occasion)
            if holds is None:
                holds = play.state.judged.get(_judged_as(owner, scanned.quality, change, occasion))
            if holds is not False:
                found.append(OfferedPassives(owner, scanned.quality, change, certain=holds is True))
    return found


def spent(play: Play[Season], keeper: str, quality: str, change: Passive) -> bool:
    return change.once is not None and quality in play.state.figure(keeper).spent


def _judged_as(owner: str, quality: Quality, change: Passive, occasion: Occasion) -> str:
    """By what the storyteller's word on it is kept for the scene."""
    return f"{owner}: {quality.name}, {changes(change, occasion.who)}, {occasion.at.value} of {occasion.who}"


def _holds(
    play: Play[Season], owner: str, scanned: ScannedQuality, change: Passive, occasion: Occasion
) -> bool | None:
    """Whether it holds; ``None`` where only people can say."""
    if change.suits and occasion.suit not in change.suits:
        return False
    answers = [_is_about(play, owner, change.whose, occasion.who)]
    answers += [_known(play, owner, given, occasion) for given in change.given]
    if not owner and scanned in play.state.locations:
        answers.append(True if play.state.place == scanned.quality.name else None)
    if False in answers:
        return False
    return None if change.judged or None in answers else True


def _is_about(play: Play[Season], owner: str, whose: Whose, who: str) -> bool | None:
    """Whether it is about this figure; of those who come and go the engine knows in encounters only."""
    if not owner:
        return True
    if whose in (Whose.OWNER, Whose.ALL) and owner == who:
        return True
    if whose is Whose.OWNER or owner == who:
        return False
    season = play.state
    same_side = is_hostile(season.figure(owner)) == is_hostile(season.figure(who))
    if (whose is Whose.ALLY and not same_side) or (whose is Whose.FOE and same_side):
        return False
    there = season.encounter is not None or (owner in season.characters and whose is not Whose.OTHERS)
    return True if there else None


def _known(play: Play[Season], owner: str, given: Given, occasion: Occasion) -> bool | None:
    """A condition as far as the engine knows."""
    met, who = play.state.encounter, occasion.who
    attack = bool(occasion.attacker)
    match given:
        case Given.WOUNDED:
            return play.state.figure(who).wounds > 0
        case Given.HEALING:
            return occasion.healing
        case Given.ATTACK:
            return attack
        case Given.AGAINST:
            return occasion.target == owner if attack else None
        case Given.ENCOUNTER:
            return met is not None
        case Given.BY_OWNER:
            return occasion.attacker == owner
        case Given.A_STRIKE | Given.TWO_STRIKES | Given.THREE_STRIKES | Given.FOUR_STRIKES:
            return occasion.strikes > _STRIKES.index(given)
        case Given.TENTH_STRIKE:
            return play.state.figure(who).strikes + occasion.strikes >= STRIKE_TRACK
        case Given.FACING:
            return owner in (occasion.attacker, occasion.target)
        case Given.BY_OTHERS:
            return occasion.attacker not in ("", owner)
        case Given.FAILING:
            return occasion.failing
        case Given.WITH_ASSET:
            return occasion.asset
        case Given.TWO_BANDS:
            return occasion.bands >= 2
    if met is None:
        return False if given in _TOLD_BY_ROUND or given in (Given.FROM_MELEE, Given.FROM_AFAR) else None
    match given:
        case Given.FIRST_ROUND:
            had = occasion.at is Moment.TURN and met.round == 1 and who == met.starter and by_today(play)
            return met.round <= 1 and not had
        case Given.LATER_ROUNDS:
            return met.round >= 3
        case Given.ODD_NUMBER:
            return len(met.participants) % 2 == 1
        case Given.FROM_MELEE | Given.FROM_AFAR:
            close = attack and met.band(occasion.attacker, occasion.target) is RangeBand.MELEE
            return attack and close == (given is Given.FROM_MELEE)
        case Given.MELEE | Given.SHORT:
            return _apart(met, owner, who, RangeBand.MELEE if given is Given.MELEE else RangeBand.SHORT)
        case Given.NO_ALLY_MELEE | Given.NO_ALLY_SHORT:
            band = RangeBand.MELEE if given is Given.NO_ALLY_MELEE else RangeBand.SHORT
            return not any(_apart(met, who, ally, band) for ally in others(play, who, against=False))
        case _:
            foes = others(play, who, against=True)
            return sum(_apart(met, who, foe, RangeBand.MELEE) for foe in foes) >= 2


_STRIKES = (Given.A_STRIKE, Given.TWO_STRIKES, Given.THREE_STRIKES, Given.FOUR_STRIKES)
_TOLD_BY_ROUND = (Given.FIRST_ROUND, Given.LATER_ROUNDS)


def _apart(met: Encounter, one: str, other: str, most: RangeBand) -> bool:
    """Whether two who take part are no farther from each other than a band."""
    bands = list(RangeBand)
    return one == other or bands.index(met.band(one, other)) <= bands.index(most)


# Asked


def answered(
    play: Play[Season], occasion: Occasion, without: Sequence[OfferedPassives] = ()
) -> Steps[tuple[list[OfferedPassives], list[OfferedPassives], tuple[str, ...]]]:
    """What holds, ``without`` what is ticked with the roll; what was asked about; and what was ticked."""
    found = [o for o in offers(play, occasion) if o not in without]
    asked = [o for o in found if not o.certain]
    ticked: tuple[str, ...] = ()
    if asked:
        ticked = (yield from ask(question(play, asked, occasion))).keys
    for n, passive in enumerate(asked, start=1):
        if {f"{ALWAYS}-{n}", f"{NEVER}-{n}"} <= {*ticked}:
            raise IllegalAction(f"{passive.quality.name} cannot both always and never apply; tick one of them")
    chosen = [o for o in found if o.certain or o in ticked_of(asked, ticked)]
    if chosen:
        yield felt(occasion, chosen)
    return chosen, asked, ticked


def judged(occasion: Occasion, asked: Sequence[OfferedPassives], ticked: Collection[str]) -> Steps[None]:
    """What was said for the whole scene is kept."""
    for n, passive in enumerate(asked, start=1):
        if {f"{ALWAYS}-{n}", f"{NEVER}-{n}"} & {*ticked}:
            kept = _judged_as(passive.owner, passive.quality, passive.change, occasion)
            yield PassiveJudged(quality=passive.quality.name, occasion=kept, applies=f"{ALWAYS}-{n}" in ticked)


def felt(occasion: Occasion, applying: Iterable[OfferedPassives]) -> PassivesApplied:
    """The event that says what applies."""
    told = tuple(Applied(o.quality.name, o.owner, o.change, words_of(o.change, o.quality)) for o in applying)
    return PassivesApplied(who=occasion.who, applied=told)


def words_of(change: Passive, quality: Quality) -> str:
    """The words of a quality, unless every clause of them is seen to."""
    whole = quality.mechanic is not None and quality.mechanic.whole and not change.tells
    return "" if whole else _says(quality)


def ticked_of(asked: Sequence[OfferedPassives], ticked: Collection[str]) -> list[OfferedPassives]:
    """Those of what was asked about that apply, by the keys that were ticked."""
    return [o for n, o in enumerate(asked, start=1) if {str(n), f"{ALWAYS}-{n}"} & {*ticked}]


def tick(ticked: tuple[str, ...], keys: Iterable[str]) -> tuple[str, ...]:
    """The keys that are ticked once some were ticked or unticked: of each passive at most one."""
    for key in keys:
        others = tuple(tick for tick in ticked if tick.rpartition("-")[2] != key.rpartition("-")[2])
        ticked = others if key in ticked else (*others, key)
    return ticked


ALWAYS, NEVER = "always", "never"


def question(play: Play[Season], asked: Sequence[OfferedPassives], occasion: Occasion) -> Choose:
    """What applies this time, or in the whole scene; the words name what is asked about where it is one."""
    options = [
        Option(
            str(n),
            f"{o.quality.name}: {changes(o.change, occasion.who)}",
            _says(o.quality),
            open=hears(felt(occasion, (o,)), play.state, occasion.who),
        )
        for n, o in enumerate(asked, start=1)
    ]
    for n, passive in enumerate(asked, start=1):
        for word in (ALWAYS, NEVER):
            label = f"{word.capitalize()} in this scene"
            named = label if len(asked) == 1 else f"{passive.quality.name}: {label.lower()}"
            options.append(Option(f"{word}-{n}", named, stays=True))
    purpose = VOCABULARY.moments[occasion.at].format(who=occasion.who)
    ask_whether = "Does this apply" if len(asked) == 1 else "Which of these apply"
    words = purpose.replace("What holds for", f"{ask_whether} to").replace("What holds", ask_whether)
    return Choose(purpose, tuple(options), 0, len(asked), by=STORYTELLER, rule="WV-10", words=words)


def _says(quality: Quality) -> str:
    return quality.mechanic.says.strip() if quality.mechanic is not None else ""
