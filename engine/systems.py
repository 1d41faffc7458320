"""All game systems, by the name they have on the command line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.system import System
from loomtable.engine.mnemonic.rules import MNEMONIC
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.woven.rules import WOVEN

SYSTEMS: Mapping[str, System[Any]] = {s.key: s for s in (WEAVE, SPELLWOVEN, STORM_WEAVERS, MNEMONIC, WOVEN)}


class UnknownSystem(LoomtableError):
    """No game system of that name is played here."""


def system_named(key: str) -> System[Any]:
    """The system of this name.

    Raises:
        UnknownSystem: there is none; the message lists those there are.
    """
    if key not in SYSTEMS:
        near = difflib.get_close_matches(key, SYSTEMS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(SYSTEMS)}"
        raise UnknownSystem(f"there is no system {key!r}; {hint}")
    return SYSTEMS[key]
