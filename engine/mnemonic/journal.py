"""A character's journal in words: to read, and to print (MN-16)."""

from __future__ import annotations

from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.wording import article, ended
from loomtable.engine.mnemonic.almanac import band_of, weaving_dice
from loomtable.engine.mnemonic.state import Character, Chronicle, JournalLine, Mark


def journal_page(chronicle: Chronicle, who: str) -> str:
    """The whole journal of a character in Markdown: the sheet as it is, then everything that happened, by scene.

    Raises:
        KeyError: there is no such character.
    """
    sheet = chronicle.characters[who]
    like = f", {article(sheet.concept)}" if sheet.concept else ""
    rest = ", at rest" if sheet.at_rest else ""
    lines = [f"# {sheet.name}{like}{rest}", "", f"Played by {sheet.player}.", ""]
    for suit in CardSuit:
        lines += [*_suit(chronicle, sheet, suit), ""]
    scene = -1
    for line in sheet.journal:
        if line.scene != scene:
            scene = line.scene
            lines += ["", f"## {'Before the first scene' if scene == 0 else f'Scene {scene}'}", ""]
        lines.append(f"- {in_words(line)}")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _suit(chronicle: Chronicle, sheet: Character, suit: CardSuit) -> list[str]:
    sort = ", strong" if suit is sheet.strong else ", weak" if suit is sheet.weak else ""
    injured = ", injured" if suit in sheet.injured else ""
    lines = [f"**{suit.label}**, {chronicle.meaning(suit)}{sort}{injured}", ""]
    for skill in (s for s in sheet.skills if s.suit is suit):
        marks = [m for m, on in (("complicated", skill.complicated), ("universal truth", skill.truth)) if on]
        lines.append(f"- {skill.name} {skill.rating}{' (' + ', '.join(marks) + ')' if marks else ''}")
    if lines[-1] == "":
        lines.append("- no skill yet")
    return lines


def in_words(line: JournalLine) -> str:
    """One line of a journal as a sentence."""
    suit = line.suit.label if line.suit else ""
    skill, text, rating = line.skill, line.text, line.rating
    match line.mark:
        case Mark.MADE:
            return f"Begun{', as ' + article(text) if text else ''}, strong in {suit}."
        case Mark.SKILL:
            return f"{skill}, of {suit}, at {rating}."
        case Mark.LEARNED:
            return f"Learned {skill}, of {suit}, at {rating}."
        case Mark.SCENE:
            return f"Used {skill}{' to help ' + text if text else ''}."
        case Mark.HELPED:
            return f"{text} helped with {skill}."
        case Mark.PASSED:
            return "Let a scene pass."
        case Mark.COMPLICATED:
            return f"{skill} became complicated."
        case Mark.REPAIRED:
            return f"{skill} is no longer complicated."
        case Mark.INJURED:
            return f"{suit} injured."
        case Mark.HEALED:
            return f"A moment alone healed {suit}."
        case Mark.ABSENT:
            return "Away from the next group scene."
        case Mark.IMPROVED:
            return f"{skill} rose to {rating}."
        case Mark.RENAMED:
            return f"{text} became {skill}, at {rating}."
    return _with_others(line)


def _with_others(line: JournalLine) -> str:
    skill, text, rating = line.skill, line.text, line.rating
    match line.mark:
        case Mark.WOVE:
            assert rating is not None, "a weaving without a die"
            die, band = weaving_dice()[skill], band_of(rating)
            return f"{text} wove {die.name}, {band.label}: {die.text(band)}"
        case Mark.TRUTH:
            return f"{skill} became a universal truth."
        case Mark.CALLED:
            return f"Called for {skill} of {text}{', in vain' if rating == 1 else ''}."
        case Mark.GIVEN:
            return f"A die for the next roll, from {text}."
        case Mark.GROUP_SCENE:
            return f"A group scene, {'with ' + skill if skill else 'staying back'}: {text}."
        case Mark.MET:
            return f"About {skill}: {ended(text)}"
        case Mark.MOURNED:
            return f"In memory of {skill or 'the story'}: {ended(text)}"
        case Mark.AT_REST:
            return f"Laid to rest. {ended(text)}"
        case Mark.GAME_FACE:
            return f"Game Face against {skill}: {text}, with {rating} of three rounds."
    return ended(text)
