"""Where the rules of Storm Weavers are silent or contradict themselves."""

from __future__ import annotations

from loomtable.engine.kernel.rulings import RulingBook, ruling

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
            "below-zero",
            "SW-2",
            "Can Weapon Bonus and Armour Class fall below 0?",
            "Character Sheet: all attributes may decrease, and these two begin at 0; no least value is named.",
            falls_below="Yes: from then on they weaken what they used to strengthen.",
            stops_at_0="No: both end at 0.",
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
        ruling(
            "cunning-strike-pushes",
            "SW-11",
            "Do the three injuries of a Cunning Strike push out?",
            "Special Attacks: any three injuries push out, the Cunning Strike's own paragraph speaks of no push.",
            like_any_other="Yes, three injuries are three injuries, whoever suffers them.",
            never="No, a Cunning Strike leaves everybody where they stand.",
        ),
        ruling(
            "push-off-map",
            "SW-10",
            "What happens when a push out leads over the edge of the map?",
            "Push out: obstacles and characters stop a push; the edge of the map is not mentioned.",
            edge_is_an_obstacle="The edge is an obstacle: stop before it and lose 1 more Health.",
            edge_only_stops="The edge stops the push, and nothing more is lost.",
        ),
        ruling(
            "enemy-charge",
            "SW-12",
            "Do enemies charge too?",
            "Attack with a Charge: it speaks of the Attacker, among things that only Thymin does.",
            enemies_too="Yes, whoever attacks directly after such a move adds 1.",
            only_thymin="No, only Thymin does.",
        ),
        ruling(
            "charge-run-up",
            "SW-12",
            "Must the whole move be in one line for a charge, or only its last two squares?",
            "Attack with a Charge: written for Speed 2, where both are the same; fights may give more.",
            last_two="The last two squares, whatever way came before them.",
            whole_move="The whole move, of two squares or more.",
        ),
        ruling(
            "charge-direction",
            "SW-12",
            "Must a charge run towards the enemy who is attacked?",
            "Attack with a Charge: two squares in a straight line are asked for, not where the line leads.",
            any_line="No, any straight line will do.",
            towards_the_enemy="Yes, the enemy stands where a third step would lead.",
        ),
        ruling(
            "charge-several-attacks",
            "SW-12",
            "Where an attacker has several attacks after one run-up, which of them are charges?",
            "Attack with a Charge: directly after moving; more than one attack in a phase is not thought of.",
            until_pushed="All of them, until whoever charges is pushed out.",
            first_attack="Only the first: no other comes directly after the move.",
        ),
        ruling(
            "flanked-defence",
            "SW-13",
            "Does flanking lower Thymin's Dexterity in his Attack as well as in his Defence?",
            "Flanking: his Dexterity decreases; what for is not said.",
            attack_and_defence="Yes, in both: it is his Dexterity that is lower.",
            only_defence="No, only while he defends himself.",
        ),
        ruling(
            "enemy-path-blocked",
            "SW-7",
            "What does an enemy do when others bar every path to Thymin?",
            "The Movement Action: enemies come closer by the shortest way; no way at all is not mentioned.",
            as_near_as_it_can="It goes where its way would be shortest if the others were gone.",
            stays="It stays where it is.",
        ),
        ruling(
            "fallen-enemies",
            "SW-6",
            "Does a fallen enemy's figure stay in the way?",
            "The Movement Action: characters cannot be passed; whether the dead are taken off is not said.",
            taken_off="No, the figure is taken off the map.",
            stay_in_the_way="Yes, its square is an obstacle from then on.",
        ),
        ruling(
            "round-without-map",
            "SW-15",
            "What is a round in a fight without a map?",
            "A fight without a Combat map: rounds count as usual, yet the example calls every attack one.",
            both_attacks="Thymin's attack and the enemy's, as on a map.",
            each_attack="Every single attack, as in the example.",
        ),
    ]
)
