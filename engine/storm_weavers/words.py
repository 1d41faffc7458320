"""Every event of Storm Weavers in words, and what the chronicle keeps of it: the one place to translate."""

from __future__ import annotations

from loomtable.engine.kernel.chronicle import (
    Decisive,
    EndingMark,
    PassageMark,
    RollMark,
    SceneMark,
    Sentence,
    Spoken,
    Telling,
)
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.events import fights as f
from loomtable.engine.storm_weavers.events import journey as j
from loomtable.engine.storm_weavers.plans import FightOutcome
from loomtable.engine.storm_weavers.sheet import Gear
from loomtable.engine.storm_weavers.state import AdventureEnding, Tale


def tell(event: Event, tale: Tale, viewer: str) -> Telling:
    """The event in words; whoever plays sees everything."""
    return _of_the_sheet(event) or _of_a_fight(event) or _of_the_map(event) or _of_the_journey(event)


def _of_the_sheet(event: Event) -> Telling:
    match event:
        case j.AttributeChanged(attribute=attribute, by=0, reason=reason):
            return Spoken(f"Thymin's {attribute.label} stays as it is ({reason}).")
        case j.AttributeChanged(attribute=attribute, by=by, reason=reason):
            return Spoken(f"Thymin {'gains' if by > 0 else 'loses'} {abs(by)} {attribute.label} ({reason}).")
        case j.ItemGained(item=item, brought=brought):
            return Spoken(f"Thymin takes: {item}{_brought(brought)}.", Sentence(f"Thymin takes: {item}."))
        case j.ItemLost(item=item, brought=brought):
            return Spoken(f"Thymin no longer has: {item}{_brought(brought)}.")
        case j.Tested(attribute=attribute, total=total, modifier=modifier, value=value, passed=passed):
            sum_ = f"{total}{modifier:+d} = {total + modifier}" if modifier else str(total)
            word = "pass" if passed else "fail"
            mark = RollMark(f"Thymin tests {attribute.label}.", ("pass-highest",), missed=not passed, word=word)
            return Spoken(f"Test of {attribute.label}: {sum_} against {value}, {word}ed.", mark)
        case j.CoinTested(called=called, side=side, passed=passed, fixed=fixed):
            word = "pass" if passed else "fail"
            mark = RollMark(f"Thymin calls {called}; the coin shows {side}.", word=word)
            how = (
                f"The coin shows {side}, {called} passes"
                if fixed
                else f"Thymin calls {called}; the coin shows {side}"
            )
            return Spoken(f"{how}: {word}ed.", mark)
    return ""


def _of_a_fight(event: Event) -> Telling:
    match event:
        case f.FightBegun(enemy=enemy):
            sentence = f"{enemy.name} bars the way (Dexterity {enemy.dexterity}, Health {enemy.health})."
            return Spoken(sentence, SceneMark(f"The fight with {enemy.name}"))
        case f.Exchanged(attacker=attacker, attack=attack, defence=defence, winner=winner, injuries=injuries):
            hit = "it lands" if winner == attacker else f"{winner} strikes back"
            came = f"{hit}, {how_many(injuries, 'injury', 'injuries')}" if winner else "nobody is hit"
            sentence = f"{attacker} attacks, {attack} against {defence}: {came}."
            return RollMark(sentence, minor=not (winner and injuries))
        case f.CunningStrikeMade(passed=passed):
            word = "it lands" if passed else "it is seen through"
            mark = RollMark("A Cunning Strike.", ("cunning-lands",), missed=not passed, word=word)
            return Spoken(f"A Cunning Strike: {word}.", mark)
        case f.Injured(who=who, injuries=injuries, rule="SW-10"):
            return Spoken(f"{who} loses {injuries} more Health in the collision.")
        case f.Injured(who=who, injuries=injuries):
            return Spoken(f"{who} loses {injuries} Health.")
        case f.RoundEnded(round=round_, caused=caused, received=received, won=won):
            if not caused and not received:
                return Spoken(f"Round {round_}: nobody is hurt.")
            counted = f"{how_many(caused, 'injury', 'injuries')} caused, {received or 'none'} received"
            return Spoken(f"Round {round_} is {'won' if won else 'lost'}: {counted}.")
        case f.FightEnded():
            sentence = _fight_ended(event)
            fell = event.outcome in (FightOutcome.ALL_DEAD, FightOutcome.THYMIN_DEAD)
            return Spoken(sentence, Decisive(sentence) if fell else Sentence(sentence), SceneMark())
    return ""


def _fight_ended(ended: f.FightEnded) -> str:
    on_map = ended.rule == "SW-5"
    health = "an enemy's Health" if on_map else f"the Health of {ended.enemy}"
    match ended.outcome:
        case FightOutcome.THYMIN_HEALTH if not ended.exchanges:
            return f"There is no fight: Thymin's Health is already down to {ended.at} or less."
        case FightOutcome.ENEMY_HEALTH if not ended.exchanges:
            return f"There is no fight: {health} is {ended.at} or less to begin with."
        case FightOutcome.ALL_DEAD:
            return "The last enemy falls." if on_map else f"{ended.enemy} falls."
        case FightOutcome.THYMIN_DEAD:
            return f"Thymin falls to {ended.enemy}."
        case FightOutcome.ROUNDS:
            return f"The fight is over after {how_many(ended.at, 'round', 'rounds')}."
        case FightOutcome.ENEMY_HEALTH:
            return f"The fight is over: {health} is down to {ended.at} or less."
        case FightOutcome.THYMIN_HEALTH:
            return f"The fight is over: Thymin's Health is down to {ended.at} or less."
        case FightOutcome.ROUND_WON:
            return "The fight is over: Thymin won the round."
        case FightOutcome.ROUND_LOST:
            return "The fight is over: Thymin lost the round."


def _of_the_map(event: Event) -> Telling:
    match event:
        case f.MapFightBegun(plan=plan, enemies=enemies):
            ground, stands = combat_map(plan.map).title, listed(enemy.name for enemy in enemies.values())
            sentence = f"Thymin stands against {stands}."
            return Spoken(
                f"{ground}. {sentence}", SceneMark(ground, picture=f"ground/{plan.map}"), Sentence(sentence)
            )
        case f.Moved(who=who, path=path, barred=barred, away=away):
            how = ", away from Thymin" if away else ", as near as it can come" if barred else ""
            return Spoken(f"{who} comes to {path[-1]}{how}.")
        case f.PushedOut(who=who, start=start, path=path, stopped_by=stopped_by):
            way = f"is pushed to {path[-1]}" if path else f"is pushed, but stays at {start}"
            return Spoken(f"{who} {way}{f', stopped by {stopped_by}' if stopped_by else ''}.")
    return ""


def _of_the_journey(event: Event) -> Telling:
    match event:
        case j.AdventureBegun(title=title):
            return Spoken(f"The adventure begins: {title}.", SceneMark(title, episode=title))
        case j.ParagraphReached(paragraph=paragraph, text=""):
            return Spoken(f"Go to paragraph {paragraph}.")
        case j.ParagraphReached(paragraph=paragraph, text=text):
            return Spoken(f"[{paragraph}] {text}", PassageMark(text))
        case j.AdventureEnded(ending=ending):
            sentence = "The adventure ends " + (
                "well." if ending is AdventureEnding.VICTORY else "with Thymin's death."
            )
            return Spoken(sentence, EndingMark(sentence))
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _brought(gear: Gear) -> str:
    return f" ({gear.said})" if gear.said else ""
