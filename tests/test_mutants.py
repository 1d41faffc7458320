"""The list of ``make mutants`` fits the code: each line is where it says, and tests are named that are there."""

from __future__ import annotations

from tests.alone import HOME
from tests.mutants import MUTANTS


def test_each_mutant_changes_one_line_that_is_there_and_names_tests_that_are() -> None:
    for mutant in MUTANTS:
        source = (HOME / mutant.file).read_text("utf-8")
        assert source.count(mutant.before) == 1, f"{mutant.before!r} has to be in {mutant.file} once"
        compile(mutant.source(HOME), mutant.file, "exec")
        for test in mutant.killed_by:
            file, _, name = test.partition("::")
            assert f"def {name.partition('[')[0]}" in (HOME / file).read_text("utf-8"), test


def test_every_mutant_has_a_name_of_its_own() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS)
