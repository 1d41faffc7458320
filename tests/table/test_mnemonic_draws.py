"""The computer draws from a hand that only its player sees."""

from __future__ import annotations

from pathlib import Path

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import ShowCard
from loomtable.table.hosting.devices import Role
from loomtable.table.store import open_store
from tests.systems.mnemonic_table import ILSE
from tests.table.asking import table


def test_draw_for_me_draws_a_card_that_is_in_the_hand(tmp_path: Path) -> None:
    """Half of the deck is in each hand: one draw alone would be refused half of the time."""
    with open_store(tmp_path / "s.db") as store:
        asked = table(store)
        host = asked.join(Role.HOST)
        live = asked.host.begin("mnemonic", "friday", rulings={"cards": "dealt"})
        for name, player in (("Ilse", "Ada"), ("Odo", "Ben")):
            args = {"player": player, "name": name, "strong": "hearts", "weak": "clubs", "skills": ILSE}
            live.take(Action("add-character", args), by="", revision=live.revision)
        live.take(Action("begin-mode", {"mode": "into-the-grey"}), by="", revision=live.revision)
        for _ in range(8):
            live.take(Action("scene", {"who": "Ilse"}), by="", revision=live.revision)
            assert isinstance(live.session.pending, ShowCard)
            assert host.play("answer", random="1").status == 200
            live.undo(by="", revision=live.revision)
            live.undo(by="", revision=live.revision)
