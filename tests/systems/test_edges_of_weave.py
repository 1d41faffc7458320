"""Weave at the edges of its rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Game, Play
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.weave.cards.effects import apply_effects
from loomtable.engine.weave.cards.mechanics import Effect, EffectKind, Given, Moment, Passive, RangeBand, Trigger
from loomtable.engine.weave.cards.occasions import Occasion, offers
from loomtable.engine.weave.cards.passives import strikes_after
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.challenge.challenge import check_words, face
from loomtable.engine.weave.challenge.core import Standing, ranked
from loomtable.engine.weave.challenge.tally import (
    Tally,
    challenge_pool,
    core_pool,
    outcome_of,
    roll_pool,
    trigger_met,
)
from loomtable.engine.weave.encounter.combat import attack, combat_level
from loomtable.engine.weave.encounter.encounter import begin_turn, change_actions, move
from loomtable.engine.weave.encounter.hurt import heal_wounds, mark_strikes, wound
from loomtable.engine.weave.encounter.turns import check_turn, near
from loomtable.engine.weave.state import Boon, Figure, Season
from loomtable.engine.weave.story.enticement import redeemed
from loomtable.engine.weave.story.scene import add_npc
from loomtable.engine.weave.suits import Suit
from tests.short import present
from tests.systems.edges import Edge, each, edge, holds, played
from tests.systems.weave_own_cards import quality
from tests.systems.weave_table import Table, pick, say, weave

MELEE, SHORT, LONG = RangeBand.MELEE, RangeBand.SHORT, RangeBand.LONG
FLAMES, GALES, STONES = Suit.FLAMES, Suit.GALES, Suit.STONES
STRIKE, MISS = weave("strike"), weave("flames")
TRIO, PAIR = ("Ilse", "Odo", "Wolf"), ("Ilse", "Wolf")


@cache
def fought() -> Game[Season]:
    """Ilse (Gales 2, Stones 0), Odo and a Wolf in a combat at Melee Range; Ilse acts."""
    table = Table()
    table.fight("Ilse", "Odo", "Wolf")
    return table.session.game


def game(*flaw: Passive, met: Any = None, wolf: Any = None, rulings: Any = None, **ilse: Any) -> Game[Season]:
    """The same with other values of the encounter, the Wolf and Ilse, and her Flaw always on."""
    season = fought().state
    old = season.characters["Ilse"]
    flawed = [q for q in old.qualities if q.kind is QualityKind.FLAW]
    own = tuple(replace(q, quality=quality("Her Flaw", *flaw)) if q in flawed else q for q in old.qualities)
    changed = replace(
        season,
        encounter=replace(present(season.encounter), **(met or {})),
        characters={**season.characters, "Ilse": replace(old, **{"qualities": own, **ilse})},
        npcs={"Wolf": replace(season.npcs["Wolf"], **(wolf or {}))},
    )
    return Game(changed, {**fought().rulings, **(rulings or {})})


def pool(suit: Suit, wounds: int, minimum: str = "one-die", dice: int = 0) -> int:
    """The dice of a Challenge of Ilse."""
    return challenge_pool(game(wounds=wounds).state.figure("Ilse"), suit, minimum=minimum, dice=dice)


def core(suit: Suit) -> int:
    """The dice of a Core Challenge of Ilse, who has three Wounds."""
    return core_pool(game(wounds=3).state.figure("Ilse"), suit, wounds="not-reduced", minimum="one-die")


def given(what: Given, met: Any = None, had: int = 0, wounds: int = 0, **occasion: Any) -> bool:
    """Whether the Flaw holds where it asks for this."""
    play = Play(game(Passive(given=(what,), tells=True), met=met, strikes=had, wounds=wounds), "s")
    return any(offer.certain for offer in offers(play, Occasion(Moment.CHALLENGE, "Ilse", **occasion)))


def shape(figure: Figure) -> tuple[int, int, bool]:
    """Strikes, Wounds, and whether it is out of the scene."""
    return figure.strikes, figure.wounds, figure.out


def marked(who: str, had: int, more: int, **rulings: str) -> tuple[int, int, bool]:
    begun = game(strikes=had, wolf={"strikes": had}, rulings=named(rulings))
    return shape(played(begun, lambda play: mark_strikes(play, who, more))[1].figure(who))


def named(rulings: dict[str, str]) -> dict[str, str]:
    return {ruling.replace("_", "-"): choice for ruling, choice in rulings.items()}


def wounded(before: int) -> tuple[int, int, bool]:
    done = played(game(wounds=before), lambda play: wound(play, "Ilse", "a fall", rule="WV-9"))
    return shape(done[1].figure("Ilse"))


def healed(before: int, by: int) -> int:
    return played(game(wounds=before), lambda play: heal_wounds(play, "Ilse", by))[1].figure("Ilse").wounds


def level(easier: int, harder: int, *ticks: str) -> int:
    """The level of a Challenge without a card, made harder by what is ticked with the roll."""
    answers: list[Reading] = [pick(*ticks)] if ticks else []
    begun = game(Passive(level=harder, judged=True))
    done = played(begun, lambda p: face(p, "Ilse", STONES, 1, easier=easier), *answers, weave(*["gales"] * 3))
    return done[0].level


def redeeming(before: int, *cards: str, floor: str = "level-1") -> int:
    answers: list[Reading] = [pick(*cards)] if cards else []
    begun = game(kept=(ComponentId.parse("C1"),), rulings={"redeem-floor": floor})
    return played(begun, lambda p: redeemed(p, "Ilse", FLAMES, before), *answers)[0]


def dealt(had: int, least: int) -> int:
    """Her Strikes after one more for those with ``least`` marked."""
    effect = Effect(EffectKind.DEAL_STRIKES, marked=least)
    return played(game(strikes=had), lambda p: apply_effects(p, "Ilse", (effect,), "x"))[1].figure("Ilse").strikes


def strikes(*answers: Reading, **rulings: str) -> int:
    """The Strikes of one lucky die, rolled again as the answers say."""
    begun, who = game(rulings=named(rulings)), game().state.figure("Ilse")
    rule = "WV-10"
    return played(begun, lambda p: roll_pool(p, who, STONES, 1, "x", rule=rule, lucky=True), *answers)[0].strikes


def meets(exact: int, weaves: int, level: int, paid_by: str, trigger: Suit = GALES) -> bool:
    """Whether a Trigger of two symbols is met by a pass in Gales, with two Stones beside."""
    tally = Tally(exact + weaves, 0, {**dict.fromkeys(Suit, 0), GALES: exact, STONES: 2})
    return trigger_met(tally, Trigger(2, trigger, "x"), GALES, level, paid_by)


def attack_level(suit: Suit, wolf: int) -> int:
    begun = game(wolf={"dice": {suit: wolf}}).state
    return combat_level(begun.figure("Ilse"), begun.figure("Wolf"), suit)


def reaches(band: RangeBand, within: RangeBand) -> bool:
    return near(Play(game(met={"bands": {}, "opening_band": band}), "s"), "Ilse", "Wolf", within)


def affords(left: int, actions: int) -> bool:
    begun = game(met={"actions_left": left})
    return check_turn(Play(begun, "s"), begun.state.figure("Ilse"), actions)


def lands(successes: int, ward: int = 0) -> int:
    """The Strikes of a Wolf that had three, after an attack at level 1, less what wards them off."""
    begun = game(wolf={"strikes": 3, "boons": (Boon(EffectKind.WARD, ward, "x"),) if ward else ()})
    dice = weave(*["gales"] * successes, *["stones"] * (5 - successes))
    return played(begun, lambda p: attack(p, who="Ilse", target="Wolf", suit=GALES), dice)[1].npcs["Wolf"].strikes


def newcomer(track: int = 10, bonus: int = 0, letters: int = 3) -> bool:
    """Whether somebody like that can come into the scene."""
    name = "x" * letters
    state = played(game(), lambda p: add_npc(p, npc=name, track=track, dice={FLAMES: bonus}))[1]
    return name in state.npcs


def begins(gained: int, lost: int) -> int:
    """The actions of a turn, where effects give some and take some."""
    boons = Boon(EffectKind.GAIN_ACTIONS, gained, "x"), Boon(EffectKind.LOSE_ACTIONS, lost, "x")
    return present(played(game(boons=boons), lambda p: begin_turn(p, "Ilse", 1))[1].encounter).actions_left


def changed(left: int, by: int) -> int:
    begun = game(met={"actions_left": left})
    return present(played(begun, lambda p: change_actions(p, by=by))[1].encounter).actions_left


def moved(bands: int, actions: int = 0, most: int = 0) -> tuple[int, str]:
    """What is left of two actions after a move away from the Wolf that takes more or fewer, and how far it led."""
    begun = game(Passive(at=Moment.MOVE, actions=actions, bands=most, tells=True))
    met = present(
        played(begun, lambda p: move(p, who="Ilse", other="Wolf", closer=False, bands=bands))[1].encounter
    )
    return met.actions_left, met.band("Ilse", "Wolf").value


def order(ilse: tuple[int, int], odo: tuple[int, int], *answers: Reading) -> tuple[str, ...]:
    """The order by successes and exact symbols."""
    return played(game(), lambda p: ranked([Standing("Odo", *odo), Standing("Ilse", *ilse)]), *answers)[0]


EDGES = (
    edge("WV-17 one short of the level", "fail", outcome_of, 1, 2),
    edge("WV-17 the level exactly", "pass", outcome_of, 2, 2),
    edge("WV-18 one beyond the level", "pass", outcome_of, 3, 2),
    edge("WV-18 two beyond the level", "epic pass", outcome_of, 4, 2),
    edge("WV-18 two short of the level", "epic fail", outcome_of, 0, 2),
    edge("WV-18 nothing at level 1", "fail", outcome_of, 0, 1),
    edge("WV-9 one Wound takes one die", 4, pool, GALES, 1),
    edge("WV-17 one die is left", 1, pool, STONES, 3),
    edge("WV-17 or none, never fewer", 0, pool, STONES, 3, "none", -1),
    edge("WV-22 Core Suit: four dice", 4, core, GALES),
    edge("WV-22 another suit: three", 3, core, STONES),
    edge("WV-8 the ninth Strike", (9, 0, False), marked, "Ilse", 8, 1),
    edge("WV-8 the tenth is a Wound", (0, 1, False), marked, "Ilse", 9, 1),
    edge("WV-8 the rest does not roll over", (0, 1, False), marked, "Ilse", 9, 12),
    edge("WV-8 it is carried", (1, 2, False), marked, "Ilse", 9, 12, strikes_overflow="carried"),
    edge("WV-9 with two Wounds one goes on", (0, 2, False), wounded, 1),
    edge("WV-9 the third ends the scene", (0, 3, True), wounded, 2),
    edge("WV-9 there is no fourth", (0, 3, True), wounded, 3),
    edge("WV-21 no more is healed than there is", 0, healed, 1, 2),
    edge("WV-24 own track, one short", (5, 0, False), marked, "Wolf", 4, 1, combat_strikes_on_npc="own-track"),
    edge("WV-24 own track full", (6, 0, True), marked, "Wolf", 4, 2, combat_strikes_on_npc="own-track"),
    edge("WV-24 own track, beyond", (6, 0, True), marked, "Wolf", 4, 5, combat_strikes_on_npc="own-track"),
    edge("WV-24 the same bonus", 1, attack_level, GALES, 2),
    edge("WV-24 a lower one", 1, attack_level, GALES, 0),
    edge("WV-24 two more", 2, attack_level, STONES, 2),
    edge("WV-24 a success at level 1 is one Strike", 4, lands, 1),
    edge("WV-24 two beyond it are two more", 6, lands, 3),
    edge("WV-24 a fail is none", 3, lands, 0),
    edge("WV-10 one is warded off", 3, lands, 1, 1),
    edge("WV-10 no more are than there are", 3, lands, 1, 5),
    edge("WV-24 a track of one Strike", True, newcomer, 1),
    edge("WV-24 of none", "1 to 10 Strikes", newcomer, 0),
    edge("WV-24 of ten", True, newcomer, 10),
    edge("WV-24 of eleven", "1 to 10 Strikes", newcomer, 11),
    edge("WV-20 five dice more", True, newcomer, bonus=5),
    edge("WV-20 six", "0 to 5", newcomer, bonus=6),
    edge("WV-20 sixty letters", True, newcomer, letters=60),
    edge("WV-20 sixty-one", "at most 60", newcomer, letters=61),
    edge("WV-17 eased below 1", 1, level, 3, 1),
    edge("WV-17 eased to -1, then one harder", 1, level, 2, 1, "1"),
    edge("WV-17 eased to -1, then three harder", 2, level, 2, 3, "1"),
    edge("WV-17 eased to 0, then one harder", 1, level, 1, 1, "1"),
    edge("WV-17 not eased, one harder", 2, level, 0, 1, "1"),
    edge("WV-10 six dice by words", None, check_words, 6, 6),
    edge("WV-10 seven dice by words", "at most 6 dice", check_words, 7, 0),
    edge("WV-10 seven fewer", "at most 6 dice", check_words, -7, 0),
    edge("WV-10 easier by less than nothing", "at most 6 dice", check_words, 0, -1),
    edge("WV-27 level 2 less 2 is level 1", 1, redeeming, 2, "C1"),
    edge("WV-27 or 0", 0, redeeming, 2, "C1", floor="may-reach-0"),
    edge("WV-27 or 0, never below", 0, redeeming, 1, "C1", floor="may-reach-0"),
    edge("WV-27 at level 1 nothing is asked", 1, redeeming, 1),
    edge("WV-10 for two marked: nothing marked", 0, dealt, 0, 2),
    edge("WV-10 for two marked: one", 1, dealt, 1, 2),
    edge("WV-10 for two marked: exactly two", 3, dealt, 2, 2),
    edge("WV-10 for everybody: nothing marked", 1, dealt, 0, 0),
    edge("WV-10 exactly two symbols are left", True, meets, 2, 1, 1, "weave-first"),
    edge("WV-10 one is left", False, meets, 2, 1, 2, "weave-first"),
    edge("WV-10 or the suit pays first", False, meets, 2, 1, 1, "suit-first"),
    edge("WV-10 Weave beyond the level is no symbol", False, meets, 1, 3, 2, "weave-first"),
    edge("WV-10 another suit pays for nothing", True, meets, 0, 2, 2, "weave-first", STONES),
    edge("WV-25 one band is not two", False, given, Given.TWO_BANDS, bands=1),
    edge("WV-25 two bands are", True, given, Given.TWO_BANDS, bands=2),
    edge("WV-10 two Strikes are not three", False, given, Given.THREE_STRIKES, strikes=2),
    edge("WV-10 three are", True, given, Given.THREE_STRIKES, strikes=3),
    edge("WV-10 three are not four", False, given, Given.FOUR_STRIKES, strikes=3),
    edge("WV-10 four are", True, given, Given.FOUR_STRIKES, strikes=4),
    edge("WV-8 up to the ninth", False, given, Given.TENTH_STRIKE, had=6, strikes=3),
    edge("WV-8 up to the tenth", True, given, Given.TENTH_STRIKE, had=7, strikes=3),
    edge("WV-9 without a Wound", False, given, Given.WOUNDED),
    edge("WV-9 with one", True, given, Given.WOUNDED, wounds=1),
    edge("WV-23 the starter's turn is of the first round", True, given, Given.FIRST_ROUND, {"round": 0}),
    edge("WV-23 the first round", True, given, Given.FIRST_ROUND, {"round": 1}),
    edge("WV-23 the second is not the first", False, given, Given.FIRST_ROUND, {"round": 2}),
    edge("WV-23 the second is not the third", False, given, Given.LATER_ROUNDS, {"round": 2}),
    edge("WV-23 from the third on", True, given, Given.LATER_ROUNDS, {"round": 3}),
    edge("WV-23 three are odd", True, given, Given.ODD_NUMBER, {"participants": TRIO}),
    edge("WV-23 two are not", False, given, Given.ODD_NUMBER, {"participants": PAIR}),
    edge("WV-25 one foe is not two", False, given, Given.TWO_FOES_MELEE),
    edge("WV-25 an ally stands near", False, given, Given.NO_ALLY_MELEE),
    edge("WV-25 none takes part", True, given, Given.NO_ALLY_MELEE, {"participants": PAIR}),
    edge("WV-25 within the very band", True, reaches, SHORT, SHORT),
    edge("WV-25 one band nearer", True, reaches, MELEE, SHORT),
    edge("WV-25 one band too far", False, reaches, LONG, SHORT),
    edge("WV-23 the last action", True, affords, 1, 1),
    edge("WV-25 two bands with one action", "only one action left", affords, 1, 2),
    edge("WV-23 no action", "no action left", affords, 0, 1),
    edge("WV-23 both actions are lost", 0, begins, 0, 2),
    edge("WV-23 no more are than there are", 0, begins, 0, 3),
    edge("WV-23 two are gained", 4, begins, 2, 0),
    edge("WV-23 and no more", 4, begins, 3, 0),
    edge("WV-23 by words to none", 0, changed, 2, -2),
    edge("WV-23 not to fewer", "0 to 4 actions", changed, 2, -3),
    edge("WV-23 by words to four", 4, changed, 2, 2),
    edge("WV-23 not to five", "0 to 4 actions", changed, 2, 3),
    edge("WV-25 two bands are two actions", (0, "long"), moved, 2),
    edge("WV-25 three bands are none", "one or two range bands", moved, 3),
    edge("WV-25 a move for nothing", (2, "short"), moved, 1, -1),
    edge("WV-25 and no action for it", (2, "short"), moved, 1, -2),
    edge("WV-25 one that takes all", (0, "short"), moved, 1, 1),
    edge("WV-25 one that takes more", (2, "melee"), moved, 2, 1),
    edge("WV-25 as many bands as there may be", (1, "short"), moved, 1, 0, 1),
    edge("WV-25 one more", "nobody moves more than 1", moved, 2, 0, 1),
    edge("WV-10 fewer Strikes than none", 0, strikes_after, 1, (Passive(strikes=-3),)),
    edge("WV-10 half of three", 2, strikes_after, 3, (Passive(half=True),)),
    edge("WV-10 doubled, then halved", 1, strikes_after, 1, (Passive(half=True), Passive(double=True))),
    edge("WV-10 a track that stops at five: one left", 1, strikes_after, 4, (Passive(track=5),), 4),
    edge("WV-10 it is full", 0, strikes_after, 4, (Passive(track=5),), 5),
    edge("WV-10 it was longer before", 0, strikes_after, 4, (Passive(track=5),), 7),
    edge("WV-10 a lucky Strike is marked", 1, strikes, STRIKE, say(1), MISS),
    edge("WV-10 or taken back", 0, strikes, STRIKE, say(1), MISS, lucky_rerolled_strikes="taken-back"),
    edge("WV-17 a Strike of a re-roll counts", 2, strikes, STRIKE, say(1), STRIKE, say(0)),
    edge("WV-17 or does not", 1, strikes, STRIKE, say(1), STRIKE, say(0), strikes_on_rerolls="not-counted"),
    edge(
        "WV-10 one that never counted is not taken back", 0, strikes, STRIKE, say(1), STRIKE, say(1), MISS,
        lucky_rerolled_strikes="taken-back", strikes_on_rerolls="not-counted",
    ),
    edge("WV-22 more successes come first", ("Ilse", "Odo"), order, (2, 0), (1, 1)),
    edge("WV-22 a tie goes to exact symbols", ("Ilse", "Odo"), order, (2, 1), (2, 0)),
    edge("WV-22 then to an agreement", ("Ilse", "Odo"), order, (2, 1), (2, 1), pick("Ilse", "Odo")),
)  # fmt: skip


@each(*EDGES)
def test_weave_at_the_edge_of_a_rule(edge: Edge) -> None:
    holds(edge)
