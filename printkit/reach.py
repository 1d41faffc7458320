"""From how far a camera reads what is printed: the codes and the tags of our own components."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components import layout
from loomtable.printkit.draw.code_size import CameraKind, reach_of, tag_reach
from loomtable.printkit.draw.codes import MODULE, SYMBOL
from loomtable.printkit.errors import CodeUnreadable

ALSO_TAGGED = (Kind.STORY, Kind.CHALLENGE, Kind.SPELL)
"""What carries a tag besides its code where that is asked for."""


def what_is_read(
    components: Sequence[Component], options: RenderOptions, camera: CameraKind, distance: float
) -> list[str]:
    """A line for each component that carries codes or tags: from how far this camera reads them.

    Where that is nearer than ``distance`` mm, it says what helps.

    Raises:
        CodeUnreadable: none carries any code.
    """
    lines = [
        f"{component.name}: {_read_by(kind, component.tag, options, camera, distance)}"
        for component in components
        for kind in component.kinds
    ]
    if not lines:
        raise CodeUnreadable("none of these carry a code; leave --camera out")
    return lines


def _read_by(kind: Kind, tag: float | None, options: RenderOptions, camera: CameraKind, distance: float) -> str:
    scale = layout.face_scale(options.card_size)
    might_have_tags = kind in ALSO_TAGGED and not options.tags
    width = tag or (layout.TAG * scale if kind in (*ALSO_TAGGED, Kind.ANSWER) else None)
    if width is None or might_have_tags:
        read, reach = f"codes are {SYMBOL * scale:.1f} mm", reach_of(camera, MODULE * scale)
    else:
        read, reach = f"tags are {width:.1f} mm", tag_reach(camera, width)
    sentence = f"{read} wide and read from up to {reach / 10:.0f} cm"
    if reach < distance:
        sentence += f"; you said {distance / 10:g} cm: move the camera closer"
        if width and might_have_tags:
            sentence += f", or add --tags, which are read from up to {tag_reach(camera, width) / 10:.0f} cm"
    return sentence
