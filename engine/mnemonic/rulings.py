"""Where the rules of Mnemonic are silent or offer an option; ``docs/systems/mnemonic.md`` explains each."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import RulingBook, ruling

_CARDS = [
    ruling(
        "cards",
        "MN-14",
        "Who shuffles and deals the cards?",
        "The rulebook knows only a deck on the table.",
        physical="The people, with a poker deck of their own; a card that is turned or played is shown.",
        dealt="The computer, from a shuffled deck that it keeps.",
    ),
    ruling(
        "joker-suit",
        "MN-3",
        "Which suit is a joker?",
        "How Skills Work: a skill is matched to the suit of a card; the deck has two without one.",
        wild="Any: the player names the suit.",
        none="None: no skill can be used with it, and the scene passes.",
    ),
    ruling(
        "uneven-deal",
        "MN-14",
        "What happens when a pile does not go evenly round the table?",
        "Into the Grey: the piles are dealt round; remainders are not mentioned.",
        goes_on="All are dealt, and the next pile starts where the last one stopped.",
        each_pile_anew="All is dealt, and each pile begins with the first player again.",
        left_over_aside="Each pile goes round only as far as it goes evenly; the rest is put aside, unseen.",
    ),
    ruling(
        "aces",
        "MN-14",
        "Are Aces dealt with the face cards or with the numbers?",
        "Into the Grey: face cards, then numbers, then jokers.",
        numbers="With the numbers: there are 12 face cards and 40 numbers.",
        faces="With the face cards: there are 16 of them and 36 numbers.",
    ),
    ruling(
        "deck-burner-end",
        "MN-14",
        "What happens when the deck of a Deck Burner is used up?",
        "Deck Burner: the top card of the shuffled deck; its end is not described.",
        deck_used_up="The mode is over.",
        shuffled_again="The cards are shuffled again, and it goes on as long as the group likes.",
    ),
    ruling(
        "free-play-cards",
        "MN-14",
        "What says the suit of a scene in Free Play?",
        "How Skills Work asks for a card with every skill; Free Play sets no deal.",
        top_of_the_deck="The top card of the shuffled deck.",
        chosen="The player: no card is needed.",
    ),
    ruling(
        "prompt-suit",
        "MN-14",
        "What says which question somebody is asked in the First Gathering and in Laid to Rest?",
        "Both are told, not rolled; how a question is picked is left to the table.",
        by_card="A card is turned, and its suit says it.",
        chosen="The one who is asked chooses the suit.",
    ),
]

_SKILLS = [
    ruling(
        "learning-needs-card",
        "MN-7",
        "Does learning a new skill need a card of its suit?",
        "Learning New Skills names a name and a die, and no card.",
        of_its_suit="Yes: it is learned in a scene, in the suit of the card on the table.",
        any_time="No: it can also be learned between scenes, in any suit.",
    ),
    ruling(
        "learned-and-used",
        "MN-7",
        "Can a skill be used in the very scene in which it was learned?",
        "Learning New Skills does not say whether the scene goes on.",
        not_at_once="No, learning it is the scene.",
        at_once="Yes, if it is not locked.",
    ),
    ruling(
        "learning-in-an-injured-suit",
        "MN-7",
        "Can a new skill be learned in an injured suit?",
        "An injured suit locks its skills; new ones are not mentioned.",
        not_allowed="No, not before it is healed.",
        allowed="Yes, and it is locked like the others.",
    ),
    ruling(
        "rating-above-6",
        "MN-6",
        "How high can a rating rise?",
        "Improving Your Skills has no bound; only a universal truth improves no further.",
        no_bound="As high as it comes.",
        stops_at_6="To 6.",
    ),
    ruling(
        "no-usable-skill",
        "MN-11",
        "What can somebody do who has no usable skill of the suit?",
        "How Skills Work: the suits must match; what else is left is not said.",
        learn_or_help="Learn a skill of that suit, or ask another player to use one of theirs.",
        passes="Nothing: the scene passes.",
        another_card="Take another card.",
    ),
    ruling(
        "locked-skill-as-helper",
        "MN-4",
        "Can a locked skill be used to help somebody else?",
        "A locked skill cannot be used again; helping is not mentioned.",
        not_allowed="No.",
        allowed="Yes; it stays locked.",
    ),
    ruling(
        "helpers-complication",
        "MN-3",
        "Does the skill of a helper become complicated?",
        "How Skills Work: the skill that was used becomes complicated; whose scene it was in is not asked.",
        as_always="Yes, like any other use.",
        spared="No, helping is never held against anybody.",
    ),
]

_WEAVINGS = [
    ruling(
        "gift-or-repair",
        "MN-11",
        "Does a weaving that gives another player a die also remove the complication?",
        "Avoiding Complications: it is removed regardless of the result; the die is named beside it.",
        either_or="No: a weaving does one or the other.",
        both="Yes, both at once.",
    ),
    ruling(
        "weaving-after-a-clean-use",
        "MN-11",
        "Can a weaving give a die away after a clean use?",
        "Weavings come after a use that would be complicated; others are not excluded.",
        allowed="Yes.",
        only_complicated="No, only where the skill has become complicated.",
    ),
    ruling(
        "weaving-alone",
        "MN-5",
        "Who rolls the weaving die when there is no other player?",
        "Avoiding Complications asks another player; a lone one is not mentioned.",
        impossible="Nobody: there is no weaving.",
        oneself="The one who weaves.",
    ),
    ruling(
        "universal-truth",
        "MN-8",
        "Are universal truths played?",
        "Optional Rule: Universal Truth.",
        off="No.",
        on="Yes: a skill at 6 can be marked, and asked for instead of a weaving.",
    ),
    ruling(
        "truth-unavailable",
        "MN-8",
        "Is the complication removed when a universal truth is not available?",
        "Universal Truth: on a 1 there is no help and an injury; the complication is not mentioned.",
        stays="No: nothing was solved.",
        removed="Yes, as by any weaving.",
    ),
    ruling(
        "truth-injury",
        "MN-8",
        "Which suit is injured when a universal truth brings an injury?",
        "Universal Truth: they mark an injury; the suit is not named.",
        used_suit="The suit of the skill that was used, as by a weaving.",
        chosen="A suit that whoever asked chooses.",
    ),
    ruling(
        "truth-when-locked",
        "MN-8",
        "Can a universal truth be asked for that is locked: complicated, or of an injured suit?",
        "Universal Truth: anybody can ask for it; what locks a skill is not mentioned there.",
        not_allowed="No: it cannot be used, for others either.",
        allowed="Yes: asking for it is no use of the skill.",
    ),
    ruling(
        "truth-after-a-clean-use",
        "MN-8",
        "Can a universal truth be asked for after a clean use, where a weaving could be made?",
        "Universal Truth: it is asked for instead of a weaving; what it does after a clean use is open.",
        not_allowed="No: it is there to solve something.",
        allowed="Yes, in place of the weaving that gives a die; its 1 and 6 injure all the same.",
    ),
]

_SCENES = [
    ruling(
        "turn-order",
        "MN-11",
        "In which order do individual scenes come?",
        "Individual scenes go from player to player; the order is not fixed.",
        round_the_table="Round the table, as everybody came.",
        anyone="Anyone who wants to and has had none this round.",
    ),
    ruling(
        "group-scene-cards",
        "MN-12",
        "Does a skill in a group scene need a card of its suit?",
        "How Skills Work asks for a card with every use; the group scene names only the roll.",
        needed="Yes, like any other use.",
        free_choice="No, everybody uses what they like.",
    ),
    ruling(
        "group-scene-complications",
        "MN-12",
        "Do skills rolled in a group scene become complicated unless they are clean?",
        "A group scene has outcomes of its own; whether the ordinary one comes too is not said.",
        never="No.",
        as_always="Yes, before the outcome is told.",
    ),
    ruling(
        "complications-after-draw",
        "MN-12",
        "What becomes of the complications after a draw?",
        "A draw is a shared highest die; what it does is not said.",
        stay="They stay.",
        cleared="They are cleared, as by a victory.",
    ),
    ruling(
        "group-scene-without-complications",
        "MN-12",
        "Can there be a group scene when nothing is complicated?",
        "The adversary has one die for each complication; none is not mentioned.",
        refused="No: there is nothing to repair.",
        one_die="Yes, and the adversary rolls one die.",
    ),
]

_GAME_FACE = [
    ruling(
        "game-face-choice",
        "MN-14",
        "How are the dice of a round of Game Face chosen?",
        "Game Face: four dice, each used once; how they are picked is left open.",
        in_secret="Both choose before either shows.",
        in_turn="One after the other, openly; who chose first in a round chooses second in the next.",
    ),
    ruling(
        "game-face-tie",
        "MN-14",
        "What happens when both dice of a round of Game Face show the same?",
        "Game Face is the best of three; ties are not mentioned.",
        re_rolled="The same dice are rolled again.",
        nobody_scores="Nobody scores; after three rounds the higher score wins, and equal ones are a draw.",
    ),
]

RULINGS = RulingBook([*_CARDS, *_SKILLS, *_WEAVINGS, *_SCENES, *_GAME_FACE])
