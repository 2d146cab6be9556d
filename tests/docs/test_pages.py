"""Examples on pages: code runs, commands run one after another, outputs that are shown are real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.docs.pages import ROOT, WRITTEN, Fence, commands, fences, name, shorter, with_fences

_COMING: list[tuple[str, str]] = re.findall(
    r"^## Coming from (\S+)\n(.*?)(?=^## )",
    (ROOT / "docs" / "howto" / "coming-from.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
"""The sections of the page for users of other projects, each of which is a program of its own."""

_PROGRAMS = [page for page in with_fences("python") if page.name != "coming-from.md"]


@pytest.mark.slow
@pytest.mark.parametrize("page", _PROGRAMS, ids=name)
def test_code_runs(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All Python of a page, as one program."""
    scope: dict[str, object] = {"__name__": "example"}
    for number, fence in enumerate(fences(page)):
        if fence.file:
            (folder / fence.file).write_text(fence.text, encoding="utf-8")
        if fence.language != "python":
            continue
        exec(compile(shorter(fence.text), f"{name(page)}, block {number + 1}", "exec"), scope)
    capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(_COMING)), ids=lambda number: _COMING[number][0])
def test_code_for_users_of_other_projects_stands_alone(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader copies the block of one project, and none of those before it."""
    project, text = _COMING[number]
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        exec(compile(shorter(block), f"coming from {project}", "exec"), {"__name__": "example"})
    capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("page", with_fences("sh"), ids=name)
def test_commands_run(page: Path, folder: Path, ludoport: Command) -> None:
    """All commands of a page, in order, each in the same folder; where an output is shown, it is the real one."""
    found = fences(page)
    for fence, following in zip(found, [*found[1:], Fence("", "", "")], strict=True):
        if fence.file:
            (folder / fence.file).write_text(fence.text, encoding="utf-8")
        if fence.language != "sh":
            continue
        printed = ""
        for words in commands(shorter(fence.text)):
            answer = ludoport(*words)
            assert answer.code == 0, f"ludoport {' '.join(words)}: {answer.err}"
            printed += answer.out
        if following.language == "text" and shorter(fence.text) == fence.text:
            _all_in(following.text, printed)


def _all_in(shown: str, printed: str) -> None:
    """Every line that a page shows was printed, whatever its columns; a line of dots stands for any lines."""
    found = {" ".join(line.split()) for line in printed.splitlines()}
    for line in shown.splitlines():
        if line.strip() != "...":
            assert " ".join(line.split()) in found, f"not printed: {line}"


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name(page)} links to {target}, which does not exist"


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        inside = page.relative_to(ROOT / "docs").as_posix()
        part_of_another = inside.startswith("results/") and page.name != "report.md"
        if inside != "README.md" and not inside.startswith("reference/") and not part_of_another:
            assert f"]({inside})" in contents, f"docs/README.md does not mention {inside}"
