"""``loom check``: whether content that somebody wrote holds together, before anybody plays it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.kernel.errors import ContentInvalid, LoomtableError
from engine.kernel.yamlfile import parse_yaml, read_text
from table.commands.output import AsJson, say, write_json

DOES_NOT_HOLD = 1


def check(
    files: Annotated[list[Path], typer.Argument(help="Playsets, adventures, maps, transcripts, spells, prompts.")],
    as_json: AsJson = False,
) -> int:
    """Check content files: everything that does not hold together, each with its line."""
    results: list[dict[str, Any]] = []
    for path in files:
        text = read_text(path)
        sort = sort_of(text, str(path))
        findings = _CHECKS[sort](text, str(path))
        results.append({"file": str(path), "sort": sort, "findings": findings})
        if not as_json:
            say(*findings)
            count = len(findings)
            say(f"{path}: {sort}, {'holds together' if not count else f'{count} to put right'}")
    if as_json:
        write_json(results)
    return DOES_NOT_HOLD if any(r["findings"] for r in results) else 0


def sort_of(text: str, name: str) -> str:
    """What a content file is, by the field it begins with.

    Raises:
        ContentInvalid: it is none of those that can be checked.
    """
    fields, lines = parse_yaml(text, dict[str, Any], name)
    for sort in _CHECKS:
        if sort in fields:
            return sort
    raise ContentInvalid(f"{lines.place()}: this is none of what can be checked: {', '.join(_CHECKS)}")


def _playset(text: str, name: str) -> list[str]:
    from engine.weave.playset import parse_playset

    return _first_trouble(lambda: parse_playset(text, name))


def _adventure(text: str, name: str) -> list[str]:
    from engine.storm_weavers.adventure_check import check_adventure_text

    return [str(finding) for finding in check_adventure_text(text, name)]


def _map(text: str, name: str) -> list[str]:
    from engine.storm_weavers.combat_map import parse_map

    return _first_trouble(lambda: parse_map(text, name))


def _transcript(text: str, name: str) -> list[str]:
    from engine.kernel.transcript import parse_transcript

    return _first_trouble(lambda: parse_transcript(text, name))


def _region_map(text: str, name: str) -> list[str]:
    from engine.woven.region_map import parse_region_map

    return _first_trouble(lambda: parse_region_map(text, name))


def _spells(text: str, name: str) -> list[str]:
    from engine.woven.spells import parse_spells

    return _first_trouble(lambda: parse_spells(text, name))


def _weaving_dice(text: str, name: str) -> list[str]:
    from engine.mnemonic.almanac import parse_weaving_dice

    return _first_trouble(lambda: parse_weaving_dice(text, name))


def _concepts(text: str, name: str) -> list[str]:
    from engine.mnemonic.almanac import parse_concepts

    return _first_trouble(lambda: parse_concepts(text, name))


def _scenes(text: str, name: str) -> list[str]:
    from engine.mnemonic.almanac import parse_prompts

    return _first_trouble(lambda: parse_prompts(text, name))


def _figures(text: str, name: str) -> list[str]:
    from printkit.components.figure_file import parse_figures

    return _first_trouble(lambda: parse_figures(text, name))


def _first_trouble(read: Callable[[], object]) -> list[str]:
    """These readers stop at the first thing that is wrong."""
    try:
        read()
    except LoomtableError as error:
        return [str(error)]
    return []


_CHECKS: Mapping[str, Callable[[str, str], list[str]]] = {
    "playset": _playset,
    "adventure": _adventure,
    "map": _map,
    "transcript": _transcript,
    "region_map": _region_map,
    "spells": _spells,
    "dice": _weaving_dice,
    "concepts": _concepts,
    "scenes": _scenes,
    "figures": _figures,
}
