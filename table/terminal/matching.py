"""Which of several names somebody means who types one of them, or its beginning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def meant(typed: str, names: Mapping[str, Iterable[str]]) -> list[str]:
    """The keys that have this name, in capitals or not; where none has, those with a name that begins so."""
    wanted = typed.casefold()
    lower = {key: [name.casefold() for name in called] for key, called in names.items()}
    exact = [key for key, called in lower.items() if wanted in called]
    return exact or [key for key, called in lower.items() if wanted and any(n.startswith(wanted) for n in called)]
