"""From how far a camera reads what is printed: the codes and the tags of our own components."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components import figure, layout
from loomtable.printkit.draw.code_size import CameraKind, fitting_module, tag_reach
from loomtable.printkit.draw.codes import PLATE
from loomtable.printkit.errors import CodeUnreadable
from loomtable.printkit.games.storm_weavers import combat_map
from loomtable.printkit.games.woven import region_map, region_map_plan, tapestry_card

_TAG_WIDTHS = {
    Kind.TAPESTRY: tapestry_card.TAG,
    Kind.FIGURE: min(figure.TOKEN_TAG, figure.FLAP_TAG),
    Kind.MAP: min(combat_map.TAG, region_map_plan.TAG * region_map.LEAST_SCALE),
}
"""The smallest tags (mm) of what carries tags and no code."""
ALSO_TAGGED = (Kind.STORY, Kind.CHALLENGE, Kind.SPELL)
"""What carries a tag besides its code where that is asked for."""


def what_is_read(
    components: Sequence[Component], options: RenderOptions, camera: CameraKind, distance: float
) -> list[str]:
    """A line for each component that carries codes or tags: by what this camera reads it from ``distance`` mm.

    Raises:
        CodeUnreadable: one of them could not be read from there, or none carries any code.
    """
    lines: list[str] = []
    for component in components:
        kinds = sorted({piece.id.kind for piece in component.pieces(options) if piece.id})
        lines += [
            f"{component.name}: {_read_by(component.name, kind, options, camera, distance)}" for kind in kinds
        ]
    if not lines:
        raise CodeUnreadable("none of these carry a code; leave --camera out")
    return lines


def _read_by(name: str, kind: Kind, options: RenderOptions, camera: CameraKind, distance: float) -> str:
    scale = layout.face_scale(options.card_size)
    width = _TAG_WIDTHS.get(kind) or (layout.TAG * scale if options.tags and kind in ALSO_TAGGED else None)
    if width is not None:
        reach = tag_reach(camera, width)
        if reach < distance:
            raise CodeUnreadable(
                f"{name}: tags of {width:.1f} mm are read by a {camera.name} camera "
                f"from up to {reach / 10:.0f} cm, not from {distance / 10:g} cm"
            )
        return f"tags of {width:.1f} mm, read from up to {reach / 10:.0f} cm"
    try:
        module = fitting_module(camera, distance, PLATE * scale, name)
    except CodeUnreadable as error:
        afar = tag_reach(camera, layout.TAG * scale)
        if kind not in ALSO_TAGGED or afar < distance:
            raise
        raise CodeUnreadable(f"{error}; with --tags the cards are read from up to {afar / 10:.0f} cm") from None
    return f"needs modules of {module:.2f} mm, and has larger ones"
