"""``loom cameras``: the cameras of this machine, what they send, and what to change before one plays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.wording import how_many
from loomtable.table.commands import completion
from loomtable.table.commands.options import argument, option
from loomtable.table.commands.output import AsJson, progress, say, warn, write_json

NONE_FOUND = 1
UNUSABLE = 2


def cameras_(
    camera: Annotated[
        str | None,
        argument(
            "A camera's number or address, a video, a picture or a folder to look at.",
            "CAMERA",
            completion.cameras,
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        option("--draw", "Save what it sees as this picture, with the readings drawn on it.", "FILE"),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List the cameras; or look through one and say what to change so that it sees better."""
    if camera is None:
        return _listed(as_json)
    try:
        with progress("Looking through the camera") as report:
            report(0, 1, "")
            found = _looked(camera, draw)
    except LoomtableError as error:
        warn(str(error))
        return UNUSABLE
    if as_json:
        write_json(found)
        return 0
    say(f"{found['camera']}: {found['mode']}", f"  {how_many(found['cards'], 'card', 'cards')} read")
    if found["elevation"] is not None:
        angle = f"{found['elevation']} degrees (give or take {found['elevation_error']})"
        say(f"  the camera stands {angle} above the table, as {found['told_by']} tell")
    if found["kept"]:
        say("  this is kept for rolls before this camera until it is moved")
    say(*(f"  {line}." for line in found["advice"] or ("all is well",)))
    return 0


def _listed(as_json: bool) -> int:
    from loomtable.vision.camera import cameras

    found = cameras()
    if as_json:
        write_json(found)
    elif found:
        say(*(f"{camera.number:>3}  {camera.name}" for camera in found))
        say("Look through one with: loom cameras NUMBER")
    else:
        say("This machine shows no camera. Plug one in, or give the address of a phone: loom cameras http://...")
    return 0 if found else NONE_FOUND


def _looked(camera: str, draw: Path | None) -> dict[str, Any]:
    from loomtable.table.reading.card_edges import flat_prints
    from loomtable.table.reading.kept_cameras import keep_camera
    from loomtable.table.reading.looking import two_frames
    from loomtable.table.reading.pictures import card_marks, cards_in
    from loomtable.vision.advice import advice, elevation_advice
    from loomtable.vision.dice import read_dice
    from loomtable.vision.overlay import draw_caption, draw_marks
    from loomtable.vision.pictures import write_picture
    from loomtable.vision.plane_pose import pose_by_prints
    from loomtable.vision.verdict import Verdict

    before, picture, mode, name = two_frames(camera)
    scan = cards_in(picture)
    prints = flat_prints(picture, [card for card in scan.cards if not card.doubt])
    table = pose_by_prints(prints, (picture.shape[1], picture.shape[0]))
    pose = read_dice(picture, camera=table).camera or table
    kept = bool(name) and pose is not None and pose.is_measured
    if kept:
        keep_camera(name, prints, picture)
    known = pose is not None and pose.is_known
    said = (*advice(picture, scan, before), *elevation_advice(pose))
    if draw is not None:
        drawn = draw_marks(picture, card_marks(scan, picture))
        words = "; ".join(said) or "all is well"
        write_picture(draw, draw_caption(drawn, words, Verdict.ASK if said else Verdict.ACCEPTED))
    return {
        "camera": camera,
        "mode": mode,
        "cards": len(scan.cards),
        "elevation": round(pose.elevation) if pose is not None and known else None,
        "elevation_error": round(pose.spread) if pose is not None and known else None,
        "told_by": "printed things" if pose is not None and pose.prints else "dice",
        "kept": kept,
        "advice": list(said),
    }
