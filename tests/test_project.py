"""The project as a whole: imports go one way, pins are exact, and the app starts without torch."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def tracked(*patterns):
    return [ROOT / name for name in run("git", "ls-files", *patterns).stdout.splitlines()]


def test_imports_go_one_way():
    result = run(str(Path(sys.executable).with_name("lint-imports")))
    assert result.returncode == 0, result.stdout


WITHOUT_TORCH = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "transformers", "peft", "safetensors", "huggingface_hub", "ray"}:
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Refuse())
import app, pipeline.__main__
for module in pkgutil.walk_packages(app.__path__, "app."):
    if ".pages" not in module.name and module.name != "app.Home":
        importlib.import_module(module.name)
"""


def test_browsing_and_the_command_line_need_no_torch():
    result = run(sys.executable, "-c", WITHOUT_TORCH)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["-app", "", "-cluster", "-dev"])
def test_every_requirement_is_pinned(name):
    for line in (ROOT / f"requirements{name}.txt").read_text().splitlines():
        if line and not line.startswith(("#", "-")):
            assert line.count("==") == 1, line


def test_the_lean_set_has_no_torch_and_the_full_set_includes_it():
    lean, full = ((ROOT / f"requirements{name}.txt").read_text() for name in ("-app", ""))
    assert "torch" not in lean.replace("no torch", "")
    assert "-r requirements-app.txt" in full
    assert "torch==2.13.0" in full


def test_what_is_packaged_is_what_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["license"] == "Apache-2.0"
    assert (ROOT / "LICENSE").read_text().lstrip().startswith("Apache License")


def test_pages_hold_no_sql():
    for page in tracked("app/pages/*.py"):
        text = page.read_text()
        for word in ("SELECT ", ".execute(", "read_parquet", ".sql("):
            assert word not in text, f"{page.name} holds SQL: {word}"


def test_the_shipped_data_stays_small():
    sizes = {file: file.stat().st_size for file in tracked("data/published")}
    assert sum(sizes.values()) < 60e6
