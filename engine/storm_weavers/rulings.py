"""Where the rules of Storm Weavers are silent or contradict themselves."""

from __future__ import annotations

from engine.kernel.rulings import RulingBook, ruling

RULINGS = RulingBook(
    [
        ruling(
            "health-exactly-4",
            "SW-3",
            "What is added to a test when Health is exactly 4?",
            "Testing attributes: +2 is given for Health below 10 but more than 4, +4 for Health below 4.",
            plus_2="Exactly 4 still counts as the milder injury: add 2.",
            plus_4="Exactly 4 already counts as the graver injury: add 4.",
            none="Exactly 4 is named by neither sentence: add nothing.",
        ),
        ruling(
            "cunning-strike-without-map",
            "SW-15",
            "May a Cunning Strike be made in a fight without a map?",
            "A fight without a Combat map: the text leaves special actions out, the worked example makes one.",
            as_the_example="Yes, as the worked example does.",
            forbidden="No, as the text says.",
        ),
        ruling(
            "tie",
            "SW-8",
            "What happens when Attack and Defence are equal?",
            "Playing the Attack Action out: the higher score wins; equal scores are not mentioned.",
            no_winner="Nobody wins and nobody is hurt.",
            defender_wins="The defender wins with a difference of 0; a Weapon Bonus can still hurt.",
        ),
    ]
)
