"""The rules of Mnemonic in short: figures for the sentences in ``templates/mnemonic/reference.yaml``."""

from __future__ import annotations

from collections.abc import Iterable

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.reference import Reference, read_reference
from loomtable.engine.mnemonic.almanac import band_of
from loomtable.engine.mnemonic.state import MEANINGS, TRUTH_RATING
from loomtable.engine.mnemonic.system import MNEMONIC
from loomtable.engine.mnemonic.uses import CLEAN, LEARNED
from loomtable.engine.mnemonic.weaving import INJURING


def _by_outcome(outcomes: Iterable[tuple[int, str]]) -> tuple[tuple[str, str], ...]:
    """Faces of a die with what each brings: those of the same outcome together, as ``2-5``."""
    faces: dict[str, list[int]] = {}
    for face, outcome in outcomes:
        faces.setdefault(outcome, []).append(face)
    return tuple(
        ("-".join(str(face) for face in sorted({min(same), max(same)})), outcome)
        for outcome, same in faces.items()
    )


def _learned(face: int) -> str:
    """What a face brings when a skill is learned (MN-7)."""
    rating, complicated = LEARNED[face]
    return f"rating {rating}{', complicated' if complicated else ', the suit is injured' if face == CLEAN else ''}"


@MNEMONIC.reference
def mnemonic_reference() -> Reference:
    """Mnemonic: skills, weavings, scenes."""
    notes = {band.label: "the suit is injured" for band in INJURING}
    weaving = _by_outcome((face, band_of(face).label) for face in range(1, 7))
    return read_reference(
        package_file("templates", "mnemonic", "reference.yaml"),
        {
            "suits": tuple((suit.label, MEANINGS[suit]) for suit in CardSuit),
            "weaving": tuple((faces, name, notes.get(name, "")) for faces, name in weaving),
            "learned": _by_outcome((face, _learned(face)) for face in LEARNED),
            "truth": TRUTH_RATING,
        },
    )
