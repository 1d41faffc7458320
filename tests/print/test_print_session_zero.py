"""The session zero card is on paper, every word of it, and names the ways out that the table has."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import read_reference
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from tests.print.sheet_reading import printed, words

SAYS = read_reference(package_file("templates", "session-zero.yaml"), {})


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_all_of_the_card_is_on_paper(paper: Paper) -> None:
    pdf = printed("session-zero", paper=paper)
    for page, blocks in ((0, SAYS.front), (1, SAYS.back)):
        said = words(pdf, page)
        for block in blocks:
            assert block.title in said and " ".join(block.text.split()) in said


def test_it_names_lines_and_veils_and_every_way_to_stop() -> None:
    assert {"Lines", "Veils"} <= {block.title for block in SAYS.front}
    stops = {block.title: block.text for block in SAYS.back}
    assert str(AnswerCard.PAUSE) in stops["Pause"] and str(AnswerCard.UNDO) in stops["Take it back"]
