"""Where the rules of Weave are silent or contradict themselves."""

from __future__ import annotations

from engine.kernel.rulings import RulingBook, ruling

PIP_FACES = {
    "flames-first": ("flames", "brooks", "gales", "stones", "weave", "strike"),
    "strike-first": ("strike", "flames", "brooks", "gales", "stones", "weave"),
}
"""What the pips 1 to 6 of an ordinary die mean, by the choice of the ruling ``pip-faces``."""

RULINGS = RulingBook(
    [
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
            "pip-faces",
            "WV-17",
            "What do the pips of an ordinary die mean, at a table without Weave dice?",
            "The rulebook knows only its own dice.",
            flames_first="1 Flames, 2 Brooks, 3 Gales, 4 Stones, 5 Weave, 6 Strike.",
            strike_first="1 Strike, 2 Flames, 3 Brooks, 4 Gales, 5 Stones, 6 Weave.",
        ),
    ]
)
