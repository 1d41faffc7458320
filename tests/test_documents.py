"""The documents tell the truth: their commands work, their outputs are real, their links lead somewhere."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernel.transcript import replay
from engine.systems import SYSTEMS
from table.commands.main import app, run
from table.evening_pages import EVENINGS, evening_page

HOME = Path(__file__).parent.parent
PAGES = sorted(
    [*HOME.glob("*.md"), *HOME.glob("docs/**/*.md"), *HOME.glob("models/*.md"), *HOME.glob("benchmarks/*.md")]
)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_the_readmes_output_is_what_the_command_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HOME)
    shown = re.findall(
        r"<!-- the output of: loom (.*?) -->\n```text\n(.*?)```",
        (HOME / "README.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert shown
    for command, output in shown:
        assert run(shlex.split(command)) == 0
        assert capsys.readouterr().out == output


def test_the_readmes_commands_exist(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ loom (.*)$", (HOME / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command)
        names = list(itertools.takewhile(lambda word: not word.startswith("-"), words))
        assert run([*names, "--help"]) == 0
        helped = capsys.readouterr().out
        for option in (word for word in words if word.startswith("--")):
            assert option in helped, f"loom {' '.join(names)} has no {option}"
    assert app.info.name == "loom"


def test_the_transcript_in_the_docs_replays() -> None:
    text = (HOME / "docs" / "transcripts.md").read_text("utf-8")
    [example] = re.findall(r"```yaml\n(transcript: .*?)```", text, re.DOTALL)
    assert replay(example, "docs/transcripts.md", SYSTEMS).expectations == 3


@pytest.mark.parametrize("page", ["architecture.md", "a-rule.md"])
def test_rules_in_the_documents_are_the_real_ones(page: str) -> None:
    text = (HOME / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"```(?:python|yaml)\n(.*?)```", text, re.DOTALL)
    files = [
        *(HOME / "engine").rglob("*.py"),
        *(HOME / "tests").rglob("*.py"),
        *(HOME / "templates").rglob("*.yaml"),
    ]
    source = "\n".join(p.read_text("utf-8") for p in files)
    assert blocks
    for block in blocks:
        assert block.rstrip() in source, f"{page} shows what is not in the source:\n{block}"


def test_the_makefile_does_what_the_readme_says() -> None:
    makefile = (HOME / "Makefile").read_text("utf-8")
    readme = (HOME / "README.md").read_text("utf-8")
    for target in re.findall(r"^make (\w+)$", readme, re.MULTILINE):
        assert f"\n{target}:" in makefile


def test_help_is_quick_because_nothing_heavy_is_loaded() -> None:
    probe = (
        "import sys; from table.commands.main import run; run(['--help']);"
        "heavy = {'cv2', 'numpy', 'reportlab', 'onnxruntime', 'PIL', 'pypdfium2', 'zxingcpp', 'sqlalchemy',"
        "'starlette', 'uvicorn', 'jinja2', 'cryptography'} & set(sys.modules);"
        "sys.exit(f'loaded for help: {sorted(heavy)}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("system", EVENINGS)
def test_the_evenings_are_what_the_transcripts_play(system: str) -> None:
    written = (HOME / "docs" / "evenings" / f"{system}.md").read_text("utf-8")
    assert written == evening_page(system), "make it anew: python -m table.evening_pages"


def test_the_documents_build_as_a_site_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    command = [sys.executable, str(HOME / "docs" / "site" / "build.py"), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {page.stem for page in (tmp_path / "site").rglob("*.html")}
    assert {page.stem for page in HOME.glob("docs/**/*.md")} <= pages
    assert {"changes", "models", "benchmarks", "contributing"} <= pages
