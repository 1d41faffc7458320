"""Characters get better as the table agrees, for the pages at hand have no rule for it (SP-1, SP-9)."""

from __future__ import annotations

from typing import Annotated

from loomtable.engine.kernel.action_rules import ASKED
from loomtable.engine.kernel.arguments import Names
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.spellwoven.arguments import Hero, SkillName
from loomtable.engine.spellwoven.armoury import key_of, look_up, skills, talents
from loomtable.engine.spellwoven.events.people import Advanced
from loomtable.engine.spellwoven.lookup import at_peace, living
from loomtable.engine.spellwoven.people import HIGHEST_RATING
from loomtable.engine.spellwoven.state import Advance, Adventure
from loomtable.engine.spellwoven.system import SPELLWOVEN

LONGEST_REASON = 80
AnyTalent = Annotated[str, Names(lambda view: talents(), title=lambda key: talents()[key].name)]


@SPELLWOVEN.action("advance", "SP-1", "SP-9", begun_by=ASKED, group="People")
def advance(
    play: Play[Adventure],
    *,
    who: Hero,
    because: str,
    skill: SkillName | None = None,
    talent: AnyTalent | None = None,
) -> Steps[None]:
    """Outside a conflict, raise a character's rating in a skill by one, or add a skill at 1, or a talent."""
    if play.ruled("advancement") == "off":
        raise IllegalAction("nobody advances at this table (ruling advancement)")
    at_peace(play, "advancing")
    sheet = living(play, who)
    if not sheet.is_player_character:
        raise IllegalAction(f"{who} is played by the storyteller; only the players' characters advance")
    if (skill is None) == (talent is None):
        raise IllegalAction("name either a skill or a talent")
    if not because.strip() or len(because) > LONGEST_REASON:
        raise IllegalAction(f"say in at most {LONGEST_REASON} characters why {who} advances")
    if talent is not None:
        learnt = look_up("talent", key_of(talent), talents())
        if learnt in sheet.talents:
            raise IllegalAction(f"{who} has the talent {learnt.name} already")
        yield Advanced(who=who, advance=Advance(learnt.name, 0, because.strip()), talent=learnt, rule="SP-9")
        return
    key = key_of(skill or "")
    known = key in sheet.ratings and key not in skills()
    named = key.replace("-", " ").capitalize() if known else look_up("skill", key, skills()).name
    rating = sheet.ratings.get(key, 0) + 1
    if rating > HIGHEST_RATING:
        raise IllegalAction(f"{who} has {HIGHEST_RATING} in {named}; no rating is higher")
    yield Advanced(who=who, advance=Advance(named, rating, because.strip()), skill=key)
