"""The odds before a roll in Mnemonic: skills, single dice, group scenes and Game Face."""

from __future__ import annotations

from fractions import Fraction

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Choose, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.events.people import WentAlone
from loomtable.engine.mnemonic.events.scenes import SkillFaced
from loomtable.engine.mnemonic.game_face import choosing_first
from loomtable.engine.mnemonic.state import Chronicle, GameFace
from loomtable.engine.odds.exact import ONE
from loomtable.engine.odds.game_face import ALL, dice_odds, game_face_odds
from loomtable.engine.odds.mnemonic import group_scene_odds, single_die_odds, use_odds
from loomtable.engine.odds.words import OddsLine, line


def mnemonic_lines(session: Session[Chronicle], pending: Request) -> tuple[OddsLine, ...] | None:
    """What the open request may bring; ``None`` where it is no roll and no choice of a die."""
    if session.state.game_face is not None:
        return _face_lines(session, session.state.game_face, pending)
    if not isinstance(pending, Roll):
        return None
    match pending.rule:
        case "MN-3" | "MN-9":
            return _use_lines(session, pending)
        case "MN-12":
            return _group_lines(session)
        case "MN-5" | "MN-8":
            return _weaving_lines(truth=pending.rule == "MN-8")
        case "MN-7":
            return _learning_lines()
        case "MN-13":
            return _alone_lines(session)
    return None


def _use_lines(session: Session[Chronicle], pending: Roll) -> tuple[OddsLine, ...] | None:
    faced = next((e for e in reversed(session.played[-1].events) if isinstance(e, SkillFaced)), None)
    if faced is None:
        return None
    odds = use_odds(pending.count)
    lines = [line("clean", odds.clean), line("complicated", odds.complicated)]
    spared = faced.helps and session.game.rulings["helpers-complication"] == "spared"
    if spared or session.state.characters[faced.who].skill(faced.skill).complicated:
        lines.pop()
    return (*lines, line("improved", odds.improved)) if faced.improves else tuple(lines)


def _weaving_lines(*, truth: bool) -> tuple[OddsLine, ...]:
    odds = single_die_odds()
    injury = line("weaving-injury", odds.injured)
    if truth:
        return line("truth-solves", odds.truth_answers), injury
    return (*(line("band", chance, band=band.label) for band, chance in odds.bands.items()), injury)


def _learning_lines() -> tuple[OddsLine, ...]:
    odds = single_die_odds()
    return (
        line("learned-at-2", odds.learned_at_2),
        line("learned-complicated", odds.learned_complicated),
        line("weaving-injury", odds.learned_injured),
    )


def _alone_lines(session: Session[Chronicle]) -> tuple[OddsLine, ...]:
    odds = single_die_odds()
    absent = line("alone-absent", odds.alone_absent)
    grows = any(isinstance(e, WentAlone) and e.grows for e in session.played[-1].events)
    return (absent, line("alone-grows", odds.alone_grows)) if grows else (absent,)


def _group_lines(session: Session[Chronicle]) -> tuple[OddsLine, ...] | None:
    """From what lies already, and what is still to be rolled."""
    group = session.state.group
    if group is None:
        return None
    odds = group_scene_odds(
        0 if group.adversary_faces else group.adversary,
        [stand.dice for stand in group.stands if not stand.faces],
        adversary_faces=group.adversary_faces,
        faces=[face for stand in group.stands for face in stand.faces],
    )
    return line("victory", odds.victory), line("draw", odds.draw), line("defeat", odds.defeat)


# Game Face


def _face_lines(session: Session[Chronicle], game: GameFace, pending: Request) -> tuple[OddsLine, ...]:
    """For whoever is asked. A die that was chosen in secret counts for nothing before both are."""
    chosen = {name: _sides(die) for name, die in game.chosen.items()}
    if isinstance(pending, Choose):
        who = choosing_first(game)[1 if chosen else 0]
        return _choice_lines(session, game, who, None if game.secret else next(iter(chosen.values()), None))
    first, second = game.players
    last = session.played[-1].step.what
    lying = last.pips[0] if _second_roll(session, pending) and isinstance(last, DiceReading) else None
    round_end, end = dice_odds(
        _left(game, first),
        _left(game, second),
        chosen[first],
        chosen[second],
        score=(game.score[first], game.score[second]),
        first=choosing_first(game)[0] == first,
        lying=lying,
        rulings=session.game.rulings,
    )
    return (
        line("face-round", round_end.won, who=first),
        line("face-round", round_end.lost, who=second),
        *_end_lines(end.won, end.lost, first, second),
    )


def _second_roll(session: Session[Chronicle], pending: Request) -> bool:
    """Whether one of the two dice of this throw lies already: then nothing has happened since but that roll."""
    last = session.played[-1]
    return isinstance(last.step.what, DiceReading) and not last.events and isinstance(pending, Roll)


def _choice_lines(
    session: Session[Chronicle], game: GameFace, who: str, answer_to: int | None
) -> tuple[OddsLine, ...]:
    other = next(name for name in game.players if name != who)
    plan = game_face_odds(
        _left(game, who),
        _left(game, other),
        score=(game.score[who], game.score[other]),
        first=choosing_first(game)[0] == who,
        answer_to=answer_to,
        rulings=session.game.rulings,
    )
    by_die = tuple(line("face-by-die", chance, who=who, die=f"d{die}") for die, chance in plan.wins.items())
    return (*by_die, *_end_lines(plan.ending.won, plan.ending.lost, who, other))


def _end_lines(won: Fraction, lost: Fraction, first: str, second: str) -> tuple[OddsLine, ...]:
    lines = (line("face-win", won, who=first), line("face-win", lost, who=second))
    drawn = ONE - won - lost
    return (*lines, line("face-draw", drawn)) if drawn else lines


def _left(game: GameFace, who: str) -> tuple[int, ...]:
    left = list(ALL)
    for die in game.used[who]:
        left.remove(_sides(die))
    return tuple(left)


def _sides(die: str) -> int:
    return len(Die(die).faces)
