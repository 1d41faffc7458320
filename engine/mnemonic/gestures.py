"""What hands say on the table of Mnemonic: a card is turned and a scene begins, Go on begins the next round."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.gestures import Offer, Situation
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, Source
from loomtable.engine.mnemonic.state import Chronicle, PlayMode
from loomtable.engine.mnemonic.system import MNEMONIC


@MNEMONIC.gesture("scene")
def scene(situation: Situation[Chronicle]) -> Iterator[Offer]:
    """A card that is turned, or played from the hand, is the next person's scene (MN-3, MN-11)."""
    laid = situation.table.things(Kind.POKER)
    sitting = situation.state.sitting
    if not laid or situation.asked is not None or sitting is None:
        return
    if len(laid) > 1:
        yield Offer("Playing cards are on the table", reason="turn one at a time", things=laid)
        return
    free = sitting.mode is PlayMode.FREE_PLAY
    for who in situation.state.active if free else situation.state.due[:1]:
        if sitting.mode is PlayMode.INTO_THE_GREY:
            yield Offer(f"A scene of {who}'s", Action("scene", {"who": who, "card": laid[0].short}), things=laid)
        else:
            turned = (CardReading(laid[0], Source.CAMERA),)
            yield Offer(f"A scene of {who}'s", Action("scene", {"who": who}), turned, things=laid)


@MNEMONIC.gesture("next-round")
def next_round(situation: Situation[Chronicle]) -> Iterator[Offer]:
    """The card Go on begins the next round, when everybody has had a scene (MN-11)."""
    if situation.state.sitting is not None:
        yield from situation.go_on("The next round begins", "next-round")
