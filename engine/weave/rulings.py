"""Where the rules of Weave are silent or contradict themselves; ``docs/systems/weave.md`` explains each."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import RulingBook, ruling

PIP_FACES = {
    "flames-first": ("flames", "brooks", "gales", "stones", "weave", "strike"),
    "strike-first": ("strike", "flames", "brooks", "gales", "stones", "weave"),
}
"""What the pips 1 to 6 of an ordinary die mean, by the choice of the ruling ``pip-faces``."""

_DICE = [
    ruling(
        "pip-faces",
        "WV-17",
        "What do the pips of an ordinary die mean, at a table without Weave dice?",
        "The rulebook knows only its own dice.",
        flames_first="1 Flames, 2 Brooks, 3 Gales, 4 Stones, 5 Weave, 6 Strike.",
        strike_first="1 Strike, 2 Flames, 3 Brooks, 4 Gales, 5 Stones, 6 Weave.",
    ),
    ruling(
        "minimum-pool",
        "WV-17",
        "How many dice are left when Wounds would take the whole pool?",
        "Receiving Wounds: each Wound removes a die; an empty pool is not mentioned.",
        one_die="At least one die is always rolled.",
        none="None: a Challenge with an empty pool scores no success.",
    ),
    ruling(
        "strikes-on-rerolls",
        "WV-17",
        "Do Strikes rolled on re-rolled dice count?",
        "Marking Strikes: any Strike rolled during the Challenge; re-rolls are not named.",
        counted="Yes, over all rolls of the Challenge.",
        not_counted="No, only those of the first roll.",
    ),
    ruling(
        "core-challenge-wounds",
        "WV-22",
        "Do Wounds take dice from the pool of a Core Challenge?",
        "Receiving Wounds speaks of any Challenge; Core and Normal Challenges of three or four dice only.",
        not_reduced="No: three dice, four with the Core Suit.",
        reduced="Yes, one for each Wound.",
    ),
]

_HURT = [
    ruling(
        "epic-fail-wound-and-strikes",
        "WV-18",
        "Does an epic fail mark its Wound in addition to the Strikes rolled?",
        "Epic Fail: a Wound is marked; whether Strikes are still marked is not said.",
        both="Yes, the Wound and the Strikes.",
        wound_only="Only the Wound.",
    ),
    ruling(
        "strikes-overflow",
        "WV-8",
        "What becomes of Strikes beyond the tenth?",
        "Strikes: they do not roll over; the track starts again on the next roll.",
        stops_at_10="They are lost: the track stops at ten for that roll.",
        carried="They begin the new track.",
    ),
    ruling(
        "combat-strikes-on-npc",
        "WV-24",
        "How do those whom the storyteller plays take Strikes?",
        "Passing a Combat Challenge deals Strikes to the target; what an enemy does with them is not said.",
        like_characters="Like characters: ten Strikes are a Wound, three Wounds end it.",
        own_track="On a track of their own length; once it is full they are beaten, and they take no Wounds.",
    ),
    ruling(
        "healing-deadline",
        "WV-9",
        "By when must a character with three Wounds be healed to stay in the season?",
        "Three Wounds: at least one must be healed to go on in the season; no time is given.",
        next_episode="By the start of the next episode, or the character leaves.",
        none="There is no deadline: the character is out until healed.",
    ),
]

_MECHANICS = [
    ruling(
        "trigger-pass-symbols",
        "WV-10",
        "Which symbols pay for the pass, when a Trigger needs additional ones of the same suit?",
        "Triggers: additional symbols that match exactly; which ones the pass has used up is not said.",
        weave_first="Weave symbols pay first, so that more of the suit are left over.",
        suit_first="Symbols of the suit pay first.",
    ),
    ruling(
        "lucky-strike-rerolls",
        "WV-10",
        "How often may Strikes be rolled again towards a Lucky Trigger?",
        "Lucky Mechanics lets dice of both faces be rolled again; how often is not said.",
        until_none="As long as dice show them, like Weave.",
        first_roll="Only Strikes of the first roll.",
    ),
    ruling(
        "lucky-rerolled-strikes",
        "WV-10",
        "Is a Strike still marked if its die was rolled again?",
        "Lucky Mechanics: Strikes may be re-rolled; whether such a one is still marked is not said.",
        still_marked="Yes, it was rolled.",
        taken_back="No, only what the dice show at the end.",
    ),
    ruling(
        "signature-move-activation",
        "WV-12",
        "How is a Signature Move activated?",
        "Signature Move: once in an episode; the roll is not described.",
        core_challenge="Like a Talent, by a Core Challenge.",
        challenge="Like an Asset, by a Challenge.",
    ),
    ruling(
        "signature-move-failed",
        "WV-12",
        "Is a Signature Move used up when its activation fails?",
        "Signature Move: it can be used once in an episode; a failed try is not mentioned.",
        used_up="Yes.",
        kept="No, it can be tried again.",
    ),
    ruling(
        "two-signature-moves",
        "WV-12",
        "May a character of level 11 use both Signature Moves in one episode?",
        "Signature Move and Level Bonuses: one move once an episode; two are not discussed.",
        each_once="Yes, each of them once.",
        one_in_all="No, one of the two.",
    ),
    ruling(
        "level-up-cards",
        "WV-11",
        "Which Story cards may be scanned for a Level Up?",
        "Note on Character Leveling: a creation card or a new one; the storyteller may prefer either.",
        any_="One of the four creation cards, or a new one.",
        creation="Only one of the four creation cards.",
        new="Only a new one.",
    ),
    ruling(
        "level-up-when",
        "WV-11",
        "When in an episode can a character level up?",
        "The Level Up Button names only an episode's start; when that is over is not said.",
        at_the_start="Before anything has been played in the episode.",
        any_time="At any time, once in the episode.",
    ),
    ruling(
        "level-up-first-episode",
        "WV-11",
        "Can a character level up in the season's first episode?",
        "The Level Up Button: at the start of a new episode; whether the first one counts is not said.",
        allowed="Yes, like in any other.",
        refused="No, from the second episode on; everybody begins at level 1.",
    ),
]

_CARDS = [
    ruling(
        "decks",
        "WV-13",
        "Who deals the cards?",
        "The rulebook knows only printed decks.",
        physical="The people: cards are drawn from printed decks and shown.",
        dealt="The computer, from the shuffled decks that it keeps.",
    ),
    ruling(
        "undrawn-hand",
        "WV-13",
        "Can a card be played before the storyteller's hand has been drawn?",
        "The Storyteller's Hand: it is drawn before the episode; a table may keep it to itself.",
        from_the_deck="Yes, straight from the deck.",
        refused="No, the hand comes first.",
    ),
    ruling(
        "empty-pile",
        "WV-13",
        "What happens when a draw pile has run out?",
        "Creating a Spread: cards go back when a scene ends; an empty pile before that is not mentioned.",
        discards_shuffled="The discards are shuffled and become the new pile.",
        hand_stays_short="Nothing is drawn until cards go back.",
    ),
    ruling(
        "discards-return",
        "WV-14",
        "When do discarded cards go back into their deck?",
        "Creating a Spread returns played cards when a scene ends; discarded ones are not mentioned.",
        scene_end="At the end of the scene, with the spread.",
        new_episode="At the start of the next episode.",
    ),
    ruling(
        "kept-cards-at-new-episode",
        "WV-27",
        "Do players keep their unredeemed Challenge cards into the next episode?",
        "Accepting an Enticement: redeemed in any future action; Starting an Episode: the deck is shuffled.",
        kept="Yes.",
        handed_back="No, they are shuffled in.",
    ),
    ruling(
        "subplot-cards",
        "WV-16",
        "How many Challenge cards does a resolved Subplot bring?",
        "Resolving a Subplot: a card is drawn; whether one each or one between all is not clear.",
        each="One for each player involved.",
        one="One between them.",
    ),
    ruling(
        "enticement-challenge-failed",
        "WV-26",
        "What happens when the Challenge of a refused enticement is failed?",
        "Refusing an Enticement: it must be passed before the initial Challenge; failing it is not described.",
        initial_fails="The initial action fails.",
        initial_rolled="The initial Challenge is still rolled.",
    ),
    ruling(
        "enticement-elsewhere",
        "WV-26",
        "Can an enticement be played at a Core Challenge or a move?",
        "Playing an Enticement: after an action is announced; whether these count as actions is not said.",
        allowed="Yes, wherever a player announces something.",
        refused="No, only at Challenges and at Talents, Assets and Signature Moves.",
    ),
    ruling(
        "redeem-floor",
        "WV-27",
        "How far can redeemed cards lower a Challenge?",
        "Redeeming Enticements: by the level of the card; no lower bound is given.",
        level_1="To level 1.",
        may_reach_0="To 0, and at 0 it is passed without a roll.",
    ),
    ruling(
        "redeem-several",
        "WV-27",
        "Can more than one card be redeemed for one Challenge?",
        "Redeeming Enticements: players redeem cards; a number is not given.",
        any_number="Yes.",
        one="No, one.",
    ),
]

_ENCOUNTERS = [
    ruling(
        "starter-acts-again",
        "WV-23",
        "Does whoever took the initial turn act again in the first round?",
        "Determining Turn Order: the starter may act before the order is rolled; no more is said.",
        yes="Yes, the order holds for everyone.",
        no="No, from the second round on.",
    ),
    ruling(
        "npc-actions",
        "WV-23",
        "When does somebody whom the storyteller plays act?",
        "Non-Player Actions: between player actions; Combat: enemies roll for the order of turns.",
        on_their_turn="On their turn if they are in the order, else at any time between.",
        at_any_time="At any time between other actions.",
    ),
    ruling(
        "attack-without-asset",
        "WV-24",
        "Can a character attack without an Asset?",
        "Attacking speaks of Assets and Talents; bare hands are not mentioned.",
        melee="Yes, at Melee Range.",
        refused="No.",
    ),
]

RULINGS = RulingBook([*_DICE, *_HURT, *_MECHANICS, *_CARDS, *_ENCOUNTERS])
