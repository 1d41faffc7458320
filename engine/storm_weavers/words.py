"""Every event of Storm Weavers as a sentence: the one place to translate."""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.storm_weavers import events as e
from loomtable.engine.storm_weavers.plans import Outcome
from loomtable.engine.storm_weavers.sheet import Gear
from loomtable.engine.storm_weavers.state import Ending, Tale


def tell(event: Event, tale: Tale) -> str:
    """The event as a sentence for people."""
    return _of_the_sheet(event) or _of_a_fight(event) or _of_the_map(event) or _of_the_journey(event)


def _of_the_sheet(event: Event) -> str:
    match event:
        case e.SheetMade(sheet=sheet):
            return f"Thymin sets out with Dexterity {sheet.dexterity} and Wisdom {sheet.wisdom}."
        case e.AttributeChanged(attribute=attribute, by=0, reason=reason):
            return f"{attribute.label} stays as it is ({reason})."
        case e.AttributeChanged(attribute=attribute, by=by, reason=reason):
            return f"{attribute.label} {by:+d} ({reason})."
        case e.ItemGained(item=item, brought=brought):
            return f"Thymin takes: {item}{_brought(brought)}."
        case e.ItemLost(item=item, brought=brought):
            return f"Thymin no longer has: {item}{_brought(brought)}."
        case e.Tested(attribute=attribute, total=total, modifier=modifier, value=value, passed=passed):
            sum_ = f"{total}{modifier:+d} = {total + modifier}" if modifier else str(total)
            return f"Test of {attribute.label}: {sum_} against {value}, {'passed' if passed else 'failed'}."
        case e.CoinTested(called=called, side=side, passed=passed, fixed=True):
            return f"The coin shows {side}, {called} passes: {'passed' if passed else 'failed'}."
        case e.CoinTested(called=called, side=side, passed=passed):
            return f"Thymin calls {called}; the coin shows {side}: {'passed' if passed else 'failed'}."
    return ""


def _of_a_fight(event: Event) -> str:
    match event:
        case e.FightBegun(enemy=enemy):
            return f"{enemy.name} bars the way (Dexterity {enemy.dexterity}, Health {enemy.health})."
        case e.Exchanged(attacker=attacker, attack=attack, defence=defence, winner=winner, injuries=injuries):
            outcome = f"{winner} wins, {how_many(injuries, 'injury', 'injuries')}" if winner else "nobody wins"
            return f"{attacker} attacks: {attack} against {defence}; {outcome}."
        case e.CunningStrikeMade(passed=passed):
            return f"Cunning Strike: {'it lands' if passed else 'it is seen through'}."
        case e.Injured(who=who, injuries=injuries, rule="SW-10"):
            return f"{who} loses {injuries} more Health in the collision."
        case e.Injured(who=who, injuries=injuries):
            return f"{who} loses {injuries} Health."
        case e.RoundEnded(round=round_, caused=caused, received=received, won=won):
            counted = f"{how_many(caused, 'injury', 'injuries')} caused, {_count(received)} received"
            return f"Round {round_} is {'won' if won else 'lost'}: {counted}."
        case e.FightEnded():
            return _fight_ended(event)
    return ""


def _fight_ended(ended: e.FightEnded) -> str:
    on_map = ended.rule == "SW-5"
    if not ended.exchanges and ended.outcome is Outcome.THYMIN_HEALTH:
        return f"There is no fight: Thymin's Health is already down to {ended.at} or less."
    if not ended.exchanges and ended.outcome is Outcome.ENEMY_HEALTH:
        who = "an enemy's Health" if on_map else f"the Health of {ended.enemy}"
        return f"There is no fight: {who} is {ended.at} or less to begin with."
    match ended.outcome:
        case Outcome.ALL_DEAD:
            return "The last enemy falls." if on_map else f"{ended.enemy} falls."
        case Outcome.THYMIN_DEAD:
            return f"Thymin falls to {ended.enemy}."
        case Outcome.ROUNDS:
            return f"The fight is over after {_rounds(ended.at)}."
        case Outcome.ENEMY_HEALTH:
            who = "an enemy's Health" if on_map else f"the Health of {ended.enemy}"
            return f"The fight is over: {who} is down to {ended.at} or less."
        case Outcome.THYMIN_HEALTH:
            return f"The fight is over: Thymin's Health is down to {ended.at} or less."
        case Outcome.ROUND_WON:
            return "The fight is over: Thymin won the round."
        case Outcome.ROUND_LOST:
            return "The fight is over: Thymin lost the round."


def _of_the_map(event: Event) -> str:
    match event:
        case e.MapFightBegun(plan=plan, thymin=thymin, enemies=enemies):
            places = ", ".join(f"{enemy.name} {n} at {enemy.square}" for n, enemy in enemies.items())
            return f"A fight on the map {plan.map}: Thymin at {thymin}, {places}."
        case e.RoundBegun(round=round_):
            return f"Round {round_}."
        case e.Moved(who=who, start=start, path=path, away=True):
            return f"{who} moves {'-'.join((start, *path))}, away from Thymin."
        case e.Moved(who=who, start=start, path=path, shortest=shortest, equally_short=ways, barred=barred):
            way = "-".join((start, *path))
            first = f"; the first of {ways} equally short ways" if ways > 1 else ""
            part = "the whole way" if len(path) == shortest else f"{len(path)} of {shortest} squares"
            part = "as near as it can come" if barred else part
            ahead = f", {part}{first}" if shortest else ""
            return f"{who} moves {way}{ahead}."
        case e.Waited(who=who):
            return f"{who} finds no way closer."
        case e.Roused(who=who):
            return f"{who} is roused and joins the fight."
        case e.Charged(who=who, direction=direction):
            return f"{who} charges {direction}: 1 is added to the Attack."
        case e.Flanked(enemies=enemies_beside, lost=lost):
            return f"Thymin is flanked by {enemies_beside} enemies: Dexterity -{lost}."
        case e.PushedOut(who=who, start=start, path=path, stopped_by=stopped_by):
            way = f"is pushed out {'-'.join((start, *path))}" if path else f"is pushed, but stays at {start}"
            return f"{who} {way}{f', stopped by {stopped_by}' if stopped_by else ''}."
    return ""


def _of_the_journey(event: Event) -> str:
    match event:
        case e.AdventureBegun(title=title):
            return f"The adventure begins: {title}."
        case e.ParagraphReached(paragraph=paragraph, text=""):
            return f"Go to paragraph {paragraph}."
        case e.ParagraphReached(paragraph=paragraph, text=text):
            return f"[{paragraph}] {text}"
        case e.NoteWritten(paragraph=paragraph, text=text):
            return f"Noted on the map at {paragraph}: {text}"
        case e.AdventureEnded(ending=Ending.VICTORY):
            return "The adventure ends well."
        case e.AdventureEnded():
            return "The adventure ends with Thymin's death."
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _brought(gear: Gear) -> str:
    return f" ({gear.said})" if gear.said else ""


def _count(count: int) -> str:
    return "none" if count == 0 else str(count)


def _rounds(count: int) -> str:
    return f"{count} round{'' if count == 1 else 's'}"
