"""The small player: held to the exact odds where there are some, to laws, and to the fights that are kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from benchmarks.fair_fights import KEPT, TIMES, rows
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Action, Game, Play, ask, changed
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Request
from loomtable.engine.odds.fight import CunningStrikes, fight_odds
from loomtable.engine.odds.played import Fights, Share, fair_fights, spellwoven_fight, weave_fight
from loomtable.engine.odds.spellwoven import attack_odds
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.spellwoven.people import incidentals, npcs
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.rulings import RULINGS
from loomtable.engine.spellwoven.strike import quickness_defence
from loomtable.engine.spellwoven.turns import due
from loomtable.engine.storm_weavers.adventure_check import ADVENTURES
from loomtable.engine.storm_weavers.plans import Enemy
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.state import AdventureEnding
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.games.spellwoven.screen import spellwoven_fights
from loomtable.printkit.games.weave.screen import weave_fights
from loomtable.testing import play_on
from loomtable.testing.player import in_all
from loomtable.testing.players import spellwoven, weave
from loomtable.testing.players.storm_weavers import adventure_played
from tests.short import raises
from tests.tiers import mostly

PLAYS = 400
HEAD = "adventure: small\ntitle: Small\nabout: A walk.\nlicence: CC0\nparagraphs:\n"
TAIL = "  9: {text: Home., ending: victory}\n  225: {text: The end., ending: death}\n"


def agrees(came: int, times: int, chance: float) -> bool:
    """Within four standard errors, which chance exceeds once in 16,000 tries."""
    return abs(came / times - chance) <= 4 * (chance * (1 - chance) / times) ** 0.5 + 1e-9


# Shares


def test_a_share_is_told_with_its_error() -> None:
    assert [str(Share(came, 400)) for came in (0, 1, 200, 399, 400)] == [
        "0% ±1",
        "<1% ±2",
        "50% ±5",
        ">99% ±2",
        "100% ±1",
    ]
    low, high = Share(10, 40).bounds
    assert (low, high) == pytest.approx((0.1419, 0.4019), abs=1e-4)  # Wilson's, from a table


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5, 0.9])
def test_the_truth_is_within_the_bounds_95_times_of_100(chance: float) -> None:
    source, within, tries = random.Random(1), 0, 2000
    for _ in range(tries):
        low, high = Share(sum(source.random() < chance for _ in range(60)), 60).bounds
        within += low <= chance <= high
    assert 0.92 < within / tries < 0.99


# The player itself


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_without_a_preference_chance_plays_any_game_the_same_way_each_time(key: str) -> None:
    system, steps = SYSTEMS[key], 0

    def soon(state: Any) -> bool:
        nonlocal steps
        steps += 1
        return steps % 12 == 0

    first, again = (play_on(system, system.new_game({}, {}), soon, seed="s") for _ in range(2))
    assert first == again
    assert first != system.new_game({}, {})


def test_what_the_rules_refuse_is_passed_over_and_an_opening_that_they_refuse_is_said() -> None:
    system = SYSTEMS["storm-weavers"]
    game: Game[Any] = system.new_game({}, {})
    test = Action("test", {"attribute": "wisdom"})
    raises(IllegalAction, "there is no Thymin yet", play_on, system, game, lambda tale: True, opening=[test])

    def prefers(play: Play[Any], asked: Request | None, source: random.Random) -> Iterator[Any]:
        yield ChoiceReading(("nonsense",))
        yield from (test, Action("nonsense"), Action("create", {"dexterity_points": 4}))

    played = play_on(system, game, lambda tale: tale.thymin is not None, prefers=prefers)
    assert played.state.thymin.dexterity == 9


def test_an_action_whose_answer_is_refused_is_begun_anew_also_in_an_opening() -> None:
    system, asked = SYSTEMS["storm-weavers"], []

    class Refusing:
        """A game's rules, which refuse whatever is thrown first."""

        @staticmethod
        def start(play: Play[Any], action: Action) -> Any:
            running = system.start(play, action)
            if action.name != "test":
                return running
            return refusing(running)

    def refusing(running: Any) -> Any:
        yield from ask(next(running))
        asked.append(1)
        if len(asked) == 1:
            raise IllegalAction("not these dice")

    opening = [Action("create", {"dexterity_points": 3}), Action("test", {"attribute": "wisdom"})]
    play_on(Refusing, system.new_game({}, {}), lambda tale: True, opening=opening)  # type: ignore[arg-type]
    assert len(asked) == 2


def test_an_action_of_which_nothing_came_is_not_begun_again_and_again() -> None:
    """A test leaves no trace on the sheet: once it has been made, what comes next in the preference is done."""
    system = SYSTEMS["storm-weavers"]
    opening = [Action("create", {"dexterity_points": 3})]

    def prefers(play: Play[Any], asked: Request | None, source: random.Random) -> Iterator[Any]:
        if asked is None:
            yield from (Action("test", {"attribute": "wisdom"}), Action("gain-item", {"item": "Rope"}))

    played = play_on(
        system, system.new_game({}, {}), lambda tale: "Rope" in tale.thymin.items, opening=opening, prefers=prefers
    )
    assert "Rope" in played.state.thymin.items


# Beside the exact odds


def small(folder: Path, *paragraphs: str) -> str:
    file = folder / "small.yaml"
    file.write_text(HEAD + "".join(f"  {line}\n" for line in paragraphs) + TAIL)
    return ADVENTURES.lent(file)


def won(adventure: str, times: int = PLAYS, **given: Any) -> int:
    given = {"dexterity_points": 2, "rulings": {}, **given}
    tales = (adventure_played(adventure, str(number), **given) for number in range(times))
    return sum(tale.ending is AdventureEnding.VICTORY for tale in tales)


@pytest.mark.parametrize(
    ("points", "dexterity", "enemy", "health", "strikes"),
    [
        (2, 7, 10, 10, CunningStrikes.NEVER),  # an attack promises as much to him as to the enemy
        (4, 9, 16, 8, CunningStrikes.NEVER),
        (0, 15, 9, 20, CunningStrikes.ALWAYS),  # he is sure to be hurt by an attack, and wise
    ],
)
def test_a_fight_is_won_as_often_as_its_odds_say(
    tmp_path: Path, points: int, dexterity: int, enemy: int, health: int, strikes: CunningStrikes
) -> None:
    plan = f"enemy: {{name: Goblin, dexterity: {dexterity}, health: {enemy}}}"
    name = small(tmp_path, f"1: {{text: A goblin., fight: {{{plan}, ends: [{{when: all-dead, to: 9}}]}}}}")
    always = strikes is CunningStrikes.ALWAYS
    rulings = {"cunning-strike-without-map": "as-the-example" if always else "forbidden"}
    thymin = Sheet(5 + points, 9 - points, health=health)
    odds = fight_odds(thymin, Enemy("Goblin", dexterity, enemy), cunning_strikes=strikes, rulings=rulings)
    assert 0.05 < odds.won < 0.95
    came = won(name, dexterity_points=points, health=health, rulings=rulings)
    assert agrees(came, PLAYS, float(odds.won))


def test_he_uses_what_helps_and_takes_the_way_that_costs_nothing(tmp_path: Path) -> None:
    """Dexterity 7: 30 of 36 throws pass with the axe. Of four ways two are alike; one costs, one is known."""
    name = small(
        tmp_path,
        "1: {text: A gap., test: {attribute: dexterity, items: {Axe: -2}, pass: 2, fail: 225}}",
        "2:",
        "  text: A square.",
        "  choices:",
        "  - {says: Jump., to: 225, changes: [{attribute: health, by: -3}]}",
        "  - {says: Back., to: 1}",
        "  - {says: On., to: 3}",
        "  - {says: Or on., to: 4}",
        "3: {text: A lane., then: 9}",
        "4: {text: A wall., then: 225}",
    )
    assert agrees(won(name), PLAYS, 30 / 36 / 2)


def test_going_round_for_ever_comes_to_no_ending(tmp_path: Path) -> None:
    ways = "{says: On., to: 1}, {says: Bribe the guard., to: 9, if: {gold: 999}}"
    name = small(tmp_path, f"1: {{text: A ring., choices: [{ways}]}}")
    assert adventure_played(name, "s", 2, {}).ending is None


def test_one_paragraph_alone_leads_where_its_fight_ends() -> None:
    """A fight on a map of an installed adventure, unhurt and nearly dead."""
    name = "the-light-on-karrow-head"
    ends = [adventure_played(name, str(n), 2, {}, health, 8).paragraph for health in (20, 6) for n in range(40)]
    assert {*ends} <= {81, 99, 58, 225}
    assert ends[:40].count(81) > ends[40:].count(81)


def test_one_attack_of_spellwoven_hits_as_often_as_its_odds_say() -> None:
    """The first to act in a conflict with a wolf that is without talents, with the Effort that it has."""
    opening = spellwoven.against(["wolf"])
    for seed in range(60):
        game = play_on(SPELLWOVEN, spellwoven.the_four({}), lambda one: True, opening=opening, seed=str(seed))
        if due(game.state)[0] == "Foe 1":
            break
    attack = next(spellwoven.fighter_prefers(Play(game, ""), None, random.Random(0)))
    assert isinstance(attack, Action)
    wolf, plain = game.state.characters["Foe 1"], {**RULINGS.defaults(), **game.rulings}
    target, [weapon] = attack.args["target"], wolf.weapons
    defence = quickness_defence(Play(game, ""), target)
    effort = min(wolf.effort, spellwoven.MOST_EFFORT)
    odds = attack_odds(wolf.ratings[attack.args["skill"]], defence, weapon.menace, effort=effort, rulings=plain)

    def prefers(play: Play[Any], asked: Request | None, source: random.Random) -> Iterator[Any]:
        yield from ([attack] if asked is None else spellwoven.fighter_prefers(play, asked, source))

    plays = (
        play_on(SPELLWOVEN, game, lambda one: one.conflict.combatants["Foe 1"].acted, prefers=prefers, seed=str(n))
        for n in range(PLAYS)
    )
    hits = sum(play.state.conflict.combatants["Foe 1"].momentum > 0 for play in plays)
    assert agrees(hits, PLAYS, float(odds.with_effort[-1].hit))


@pytest.mark.parametrize(("bonus", "level"), [(1, 1), (3, 2), (4, 3)])
def test_one_attack_of_weave_hits_as_often_as_its_odds_say(bonus: int, level: int) -> None:
    """A hero with a Core Suit alone: four dice in it, against a foe who has so many more in every suit."""
    game = weave.party(1, 1, 1, "s")
    [ada] = game.state.characters
    game = Game(changed(game.state, "characters", ada, qualities=(), core_suit=Suit.GALES), game.rulings)
    foe = {"npc": "Foe", "enemy": True, "dice": dict.fromkeys([suit.value for suit in Suit], bonus)}
    begin = {"who": [ada], "against": ["Foe"], "combat": True, "band": "melee"}
    opening = [Action("add-npc", foe), Action("begin-encounter", begin)]
    for seed in range(60):
        met = play_on(WEAVE, game, lambda one: True, opening=opening, seed=str(seed))
        if met.state.encounter is not None and met.state.encounter.acting == ada:
            break
    fighter = weave.fighter_prefers
    plays = [
        play_on(WEAVE, met, lambda one: one.encounter.actions_left < 2, prefers=fighter, seed=str(n)).state
        for n in range(PLAYS)
    ]
    hits = sum(bool(one.npcs["Foe"].strikes or one.npcs["Foe"].wounds) for one in plays)
    assert agrees(hits, PLAYS, float(challenge_odds(4, level).passed))


# The fights that are kept


def kept(game: str, name: str) -> Fights:
    return fair_fights().fair_fights[game][name]


def test_every_fight_is_kept_by_the_rules_of_today() -> None:
    """If this fails, play again what changed: ``python -m benchmarks.fair_fights play``."""
    assert fair_fights().rules == {game: SYSTEMS[game].rules_version for game in KEPT}
    for game in KEPT:
        assert fair_fights().fair_fights[game].keys() == dict(KEPT[game]()).keys()
    assert {fights.times for game in KEPT for fights in fair_fights().fair_fights[game].values()} == {TIMES}


@pytest.mark.parametrize(("game", "doubtful"), mostly(product(KEPT, (1, 3)), product(KEPT, (1,))))
def test_played_again_the_most_doubtful_come_out_the_same_within_their_error(game: str, doubtful: int) -> None:
    """If this fails, a rule or the player has changed: delete the file and play anew."""
    once = dict(KEPT[game]())
    for name in sorted(once, key=lambda name: abs(kept(game, name).share.chance - 0.5))[:doubtful]:
        again = in_all([once[name](f"again/{number}") for number in range(40)])
        share = (again.won + kept(game, name).won) / (again.times + TIMES)
        error = (share * (1 - share) * (1 / again.times + 1 / TIMES)) ** 0.5
        assert abs(again.share.chance - kept(game, name).share.chance) < 4 * error, name
        assert abs(again.cost - kept(game, name).cost) < 0.8, name


def test_more_foes_and_more_dice_never_help_and_a_backstory_in_the_core_suit_does() -> None:
    def chance(*given: int, **more: Any) -> float:
        return kept("weave", weave_fight(*given, **more)).share.chance

    slack = 0.07
    for heroes, level in ((2, 3), (4, 1), (4, 3), (6, 3)):
        for track in (0, 10):
            for n in (1, 2, 4):
                by_dice = [chance(heroes, level, n, dice, track=track) for dice in (3, 4, 5)]
                assert by_dice[0] + slack >= by_dice[1] and by_dice[1] + slack >= by_dice[2]
            for dice in (3, 4, 5):
                by_foes = [chance(heroes, level, n, dice, track=track) for n in (1, 2, 4)]
                assert by_foes[0] + slack >= by_foes[1] and by_foes[1] + slack >= by_foes[2]
    suited = [chance(4, 1, 1, 4, suited=n) for n in range(5)]
    assert suited == sorted(suited)
    assert chance(4, 3, 4, 3, spread=True) < chance(4, 3, 4, 3)


def test_the_page_and_the_screens_show_what_is_kept() -> None:
    pages = Path(__file__).parents[2] / "docs" / "systems"
    text = "".join((pages / f"{game}.md").read_text("utf-8") for game in ("weave", "spellwoven"))
    for row in rows():
        assert f"| {' | '.join(row)} |" in text
    _, *weaves = weave_fights()
    for dice, (bonus, *cells) in enumerate(weaves):
        fights = [kept("weave", weave_fight(4, 3, foes, dice)) for foes in (1, 2, 4)]
        assert (bonus, cells) == (f"+{dice}", [f"{one.share.percent}, {one.cost:.1f}" for one in fights])
    _, *foes = spellwoven_fights()
    for (key, sheet), (name, *_) in zip((npcs() | incidentals()).items(), foes, strict=True):
        assert name == sheet.name and kept("spellwoven", spellwoven_fight(key, 3))
