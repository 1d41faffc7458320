"""Run by hatchling before it builds a wheel: one that lacks a part of the program is not built."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WholeWheel(BuildHookInterface):
    """Stops where a file or folder of ``only-include`` is missing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before each build, also of an editable installation."""
        missing = [name for path, name in self.build_config.only_include.items() if not Path(path).exists()]
        if missing:
            raise FileNotFoundError(f"the program is not complete here: there is no {' and no '.join(missing)}")
