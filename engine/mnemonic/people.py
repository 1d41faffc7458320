"""Suits, characters, their journals, and universal truths (MN-1, MN-2, MN-8, MN-10, MN-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.names import MOST
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.requests import GROUP, Choose, EnterText, Option
from loomtable.engine.kernel.wording import nearest
from loomtable.engine.mnemonic.almanac import LONGEST_NAME, Concept, concepts, key_of, name_trouble
from loomtable.engine.mnemonic.arguments import ConceptName, PlayerName, SkillName, Who
from loomtable.engine.mnemonic.events.people import (
    CharacterMade,
    JournalWritten,
    SkillWritten,
    SuitsDefined,
    TruthMarked,
)
from loomtable.engine.mnemonic.state import TRUTH_RATING, Character, Chronicle, Skill
from loomtable.engine.mnemonic.system import MNEMONIC, active, character

STRONG = (2, 2)
STANDARD = (1,)
LONGEST_LINE = 300
LONGEST_MEANING = 60


@MNEMONIC.action("define-suits", "MN-1", group="Characters", opens=True)
def define_suits(
    play: Play[Chronicle], *, hearts: str = "", diamonds: str = "", spades: str = "", clubs: str = ""
) -> Steps[None]:
    """Say what suits stand for at this table; those left out stay as they are."""
    given = dict(zip(CardSuit, (hearts, diamonds, spades, clubs), strict=True))
    meanings = {suit: said.strip() for suit, said in given.items() if said.strip()}
    if not meanings:
        raise IllegalAction("say what at least one suit stands for, such as weather for Hearts")
    for suit, said in meanings.items():
        if len(said) > LONGEST_MEANING or not said.isprintable():
            raise IllegalAction(f"what {suit.label} stand for takes at most {LONGEST_MEANING} characters")
    together = [play.state.meaning(suit) if suit not in meanings else meanings[suit] for suit in CardSuit]
    if len({key_of(said) for said in together}) < len(together):
        raise IllegalAction("two suits cannot stand for the same")
    yield SuitsDefined(meanings=meanings)


@MNEMONIC.action("add-character", "MN-2", "MN-10", begun_by=PLAYER, group="Characters", opens=True, drafted=True)
def add_character(
    play: Play[Chronicle],
    *,
    player: PlayerName,
    name: str,
    concept: ConceptName = "",
    strong: CardSuit | None = None,
    weak: CardSuit | None = None,
    skills: dict[CardSuit, tuple[str, ...]] | None = None,
) -> Steps[None]:
    """Make a character: two skills at 2 in the strong suit, one at 1 in each standard suit, none in the weak.

    ``concept`` is one of the almanac's; ``skills`` are names by suit. What is left out is asked for.
    """
    player, name = player.strip(), name.strip()
    _check_newcomer(play, player, name)
    like = _concept(concept)
    if like is not None:
        strong, weak = strong or like.strong, weak or like.weak
    _check_some_fit(skills, strong, weak)
    strong = yield from _suit(play, strong, "Strong suit", tuple(CardSuit), player)
    _check_some_fit(skills, strong, weak)
    others = tuple(s for s in CardSuit if s is not strong)
    weak = yield from _suit(play, weak, "Weak suit", others, player)
    written = _given_skills(skills, strong, weak) if skills is not None else None
    made = Character(name, player, strong, weak, like.name if like else "")
    yield CharacterMade(character=made)
    for suit in CardSuit:
        ratings = () if suit is weak else STRONG if suit is strong else STANDARD
        for place, rating in enumerate(ratings):
            if written is not None:
                called = written[suit][place]
            else:
                called = yield from name_skill(play, name, suit, like=like, rule="MN-10", rating=rating)
            yield SkillWritten(who=name, skill=Skill(called, suit, rating))


def _check_newcomer(play: Play[Chronicle], player: str, name: str) -> None:
    if play.state.sitting is not None:
        raise IllegalAction("make characters between play modes; end this one first (End mode)")
    if play.state.ended:
        raise IllegalAction("this story was laid to rest; a new one needs a new session")
    if not player or not player.isprintable() or player in (STORYTELLER, GROUP):
        raise IllegalAction(f"a character needs a player, and {player!r} is none")
    wrong = name_trouble(name) or ("has a full stop" if "." in name else "")
    if wrong:
        raise IllegalAction(f"the name {name!r} {wrong}")
    for known in play.state.characters.values():
        if key_of(known.name) == key_of(name):
            raise IllegalAction(f"{known.name} is already in this chronicle; give another name")
        if known.player == player and not known.at_rest:
            raise IllegalAction(f"{player} plays {known.name} already")


def _concept(wanted: str) -> Concept | None:
    if not wanted.strip():
        return None
    key = key_of(wanted)
    if key not in concepts():
        hint = nearest(key, concepts(), f"there are {', '.join(concepts())}")
        raise IllegalAction(f"the almanac has no concept {wanted!r}{hint}")
    return concepts()[key]


def _suit(
    play: Play[Chronicle], given: CardSuit | None, purpose: str, offered: Sequence[CardSuit], player: str
) -> Steps[CardSuit]:
    if given is not None:
        return given
    return (yield from choose_suit(play, purpose, offered, by=player, rule="MN-10"))


def choose_suit(
    play: Play[Chronicle], purpose: str, offered: Sequence[CardSuit], *, by: str, rule: str
) -> Steps[CardSuit]:
    """Ask for one of the suits, with what each stands for at this table."""
    options = tuple(Option(suit.value, suit.label, play.state.meaning(suit)) for suit in offered)
    chosen = yield from ask(Choose(purpose, options, by=by, rule=rule))
    return CardSuit(chosen.key)


def _check_some_fit(
    skills: Mapping[CardSuit, Sequence[str]] | None, strong: CardSuit | None, weak: CardSuit | None
) -> None:
    """Refuse suits and skills that no answer about a suit that was left out could make right."""
    if weak is not None and weak is strong:
        raise IllegalAction(f"{weak.label} cannot be the strong suit and the weak one")
    why = IllegalAction()
    for one, other in permutations(CardSuit, 2):
        if skills is not None and strong in (None, one) and weak in (None, other):
            try:
                _given_skills(skills, one, other)
                return
            except IllegalAction as error:
                why = error
    if skills is not None:
        raise why


def _given_skills(
    skills: Mapping[CardSuit, Sequence[str]], strong: CardSuit, weak: CardSuit
) -> dict[CardSuit, tuple[str, ...]]:
    """The names of the skills by suit, if they are as many as they have to be."""
    seen: set[str] = set()
    for suit in CardSuit:
        names = skills.get(suit, ())
        needed = 0 if suit is weak else len(STRONG if suit is strong else STANDARD)
        if len(names) != needed:
            sort = "weak" if suit is weak else "strong" if suit is strong else "standard"
            raise IllegalAction(
                f"{suit.label} is a {sort} suit: {needed} skill{'' if needed == 1 else 's'}, not {len(names)}"
            )
        for called in names:
            wrong = name_trouble(called) or ("stands twice" if key_of(called) in seen else "")
            if wrong:
                raise IllegalAction(f"the skill {called!r} {wrong}")
            seen.add(key_of(called))
    return {suit: tuple(skills.get(suit, ())) for suit in CardSuit}


def name_skill(
    play: Play[Chronicle],
    who: str,
    suit: CardSuit,
    *,
    rule: str,
    like: Concept | None = None,
    rating: int = 0,
    instead: str = "",
) -> Steps[str]:
    """Ask for the name of a skill until it is one that the character does not have yet (MN-2)."""
    sheet = play.state.characters[who]
    why = f"{suit.label} are {play.state.meaning(suit)}{f'; it begins at {rating}' if rating else ''}."
    if like is not None:
        why = f"{why} {like.name} might have {', '.join(like.skills[suit])}."
    purpose = f"New name of {instead}" if instead else f"Name of a skill of {suit.label} for {who}"
    ideas = _skills_like(sheet, suit, like)
    while True:
        question = EnterText(purpose, LONGEST_NAME, by=sheet.player, rule=rule, why=why, suggestions=ideas)
        wrote = yield from ask(question)
        called = wrote.text.strip()
        taken = any(key_of(s.name) == key_of(called) for s in play.state.characters[who].skills)
        if not taken and not name_trouble(called):
            return called
        why = f"{who} has {called} already." if taken else f"The name {name_trouble(called)}."


def _skills_like(sheet: Character, suit: CardSuit, like: Concept | None) -> tuple[str, ...]:
    """Skills of a suit that the almanac knows and the character lacks; those of the own concept first."""
    mine = like or _concept(sheet.concept)
    every = [called for known in (mine, *concepts().values()) if known for called in known.skills.get(suit, ())]
    has = {key_of(skill.name) for skill in sheet.skills}
    return tuple(dict.fromkeys(called for called in every if key_of(called) not in has))[:MOST]


@MNEMONIC.action("note", "MN-16", begun_by=PLAYER, group="Characters")
def note(play: Play[Chronicle], *, who: Who, text: str) -> Steps[None]:
    """Write a line of your own into a character's journal."""
    character(play, who)
    text = text.strip()
    if not text or not text.isprintable() or len(text) > LONGEST_LINE:
        raise IllegalAction(f"a line of a journal has 1 to {LONGEST_LINE} characters that can be shown")
    yield JournalWritten(who=who, text=text)


@MNEMONIC.action("mark-truth", "MN-8", begun_by=PLAYER, group="Characters")
def mark_truth(play: Play[Chronicle], *, who: Who, skill: SkillName) -> Steps[None]:
    """Mark a skill of rating 6 as a universal truth: it improves no further, and others can ask for it."""
    if play.ruled("universal-truth") == "off":
        raise IllegalAction("universal truths are not played at this table (ruling universal-truth)")
    known = skill_named(active(play, who), skill)
    if known.truth:
        raise IllegalAction(f"{known.name} is a universal truth already")
    if known.rating < TRUTH_RATING:
        raise IllegalAction(f"{known.name} is at {known.rating}; a universal truth needs {TRUTH_RATING}")
    yield TruthMarked(who=who, skill=known.name)


def skill_named(sheet: Character, skill: str) -> Skill:
    """The skill that is meant by a name, however it is written.

    Raises:
        IllegalAction: the character has no such skill.
    """
    for known in sheet.skills:
        if key_of(known.name) == key_of(skill):
            return known
    names = ", ".join(s.name for s in sheet.skills) or "none yet"
    raise IllegalAction(f"{sheet.name} has no skill {skill!r}; there are {names}")
