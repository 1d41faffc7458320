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


def test_the_rule_in_the_architecture_is_the_real_one() -> None:
    text = (HOME / "docs" / "architecture.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    source = "\n".join(p.read_text("utf-8") for p in (HOME / "engine").rglob("*.py"))
    assert blocks
    for block in blocks:
        assert block.strip() in source


def test_the_makefile_does_what_the_readme_says() -> None:
    makefile = (HOME / "Makefile").read_text("utf-8")
    readme = (HOME / "README.md").read_text("utf-8")
    for target in re.findall(r"^make (\w+)$", readme, re.MULTILINE):
        assert f"\n{target}:" in makefile


def test_help_is_quick_because_nothing_heavy_is_loaded() -> None:
    probe = (
        "import sys; from table.commands.main import run; run(['--help']);"
        "heavy = {'cv2', 'numpy', 'reportlab', 'onnxruntime', 'PIL', 'pypdfium2', 'zxingcpp'} & set(sys.modules);"
        "sys.exit(f'loaded for help: {sorted(heavy)}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
