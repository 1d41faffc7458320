"""All rules of Weave: importing this module registers every action of the system, in the order of its lists."""

from __future__ import annotations

# isort: off
from loomtable.engine.weave.challenge import challenge  # noqa: F401  each tells the system what it has
from loomtable.engine.weave.story import character  # noqa: F401
from loomtable.engine.weave.encounter import combat  # noqa: F401
from loomtable.engine.weave.challenge import core  # noqa: F401
from loomtable.engine.weave.encounter import encounter  # noqa: F401
from loomtable.engine.weave import gestures  # noqa: F401
from loomtable.engine.weave.story import oracle  # noqa: F401
from loomtable.engine.weave.challenge import outcomes  # noqa: F401
from loomtable.engine.weave.cards import passives, qualities  # noqa: F401
from loomtable.engine.weave import reference  # noqa: F401
from loomtable.engine.weave.story import scene, season  # noqa: F401
from loomtable.engine.weave.system import WEAVE

# isort: on

__all__ = ["WEAVE"]
