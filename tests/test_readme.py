"""What the README shows works: its commands are run as they stand."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from pipeline import store

README = (store.ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)


def block(word: str) -> str:
    """The one block of commands that holds `word`."""
    (found,) = [text for text in BLOCKS if word in text]
    return found


def environment(tmp_path) -> dict[str, str]:
    binaries = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(store.ROOT),
        "FLOCK_LOCAL": str(tmp_path / "local"),
        "FLOCK_UPSTREAM": "http://127.0.0.1:9",
    }


def test_the_picture_and_every_file_named_exist():
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (store.ROOT / name).exists(), name
    for name in re.findall(r"`((?:app|pipeline|data)/[\w./-]+)`", README):
        assert (store.ROOT / name).exists(), name


def test_it_fits_on_a_screen_or_two():
    assert len(README.splitlines()) < 90


def test_own_predictions_as_shown(tmp_path):
    """Two seeds with HANS files in any order and MNLI logits, through the README's own commands."""
    with store.connect([store.PUBLISHED]) as connection:
        query = "SELECT example, gold FROM examples WHERE dataset = ? ORDER BY position"
        hans, mnli = (connection.execute(query, [name]).fetchall() for name in ("hans", "mnli"))
    order = ("contradiction", "entailment", "neutral")
    chance = random.Random(0)
    for seed in (1, 2):
        lines = [f"{example},{gold if chance.random() < 0.6 else 'entailment'}" for example, gold in hans]
        chance.shuffle(lines)
        logits = [[float(g == label) + chance.gauss(0, 0.4) for label in order] for _, g in mnli]
        for folder in ("hans", "mnli"):
            (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / "hans" / f"seed_{seed}.txt").write_text("\n".join(["pairID,prediction", *lines]) + "\n")
        (tmp_path / "mnli" / f"seed_{seed}.json").write_text(json.dumps(logits))
    commands = "set -e\n" + block("import hans")
    result = subprocess.run(
        ["bash", "-c", commands], cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("imported 2 runs into collection my-bert") == 2
    rows = [line.split() for line in result.stdout.splitlines()[-4:]]
    assert [row[:2] for row in rows] == [[f"seed_{s}", d] for s in (1, 2) for d in ("hans", "mnli")]
    assert all(0.75 < float(row[2]) < 0.95 for row in rows)


def test_make_app_starts_the_app_without_a_network(tmp_path):
    if not (store.ROOT / ".venv" / ".app").exists():
        pytest.skip("make app would install; run the tests through `make test`")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = block("--server.headless").splitlines()[1].replace("8501", str(port))
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=store.ROOT,
            env=environment(tmp_path),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        answer = wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)
    assert answer == "ok", log.read_text()
    assert log.read_text().count("error:") == 1  # no network: one line, and on


def wait_for(url: str, process: subprocess.Popen) -> str | None:
    for _ in range(400):
        if process.poll() is not None:
            return None
        try:
            with urllib.request.urlopen(url, timeout=1) as response:
                return response.read().decode()
        except OSError:
            time.sleep(0.1)
    return None


def test_every_command_in_the_readme_explains_itself(tmp_path):
    commands = {c for c in re.findall(r"python -m pipeline ([a-z-]+)", README) if c != "--help"}
    assert {"fetch", "import", "check", "sql"} <= commands
    for command in commands:
        arguments = [sys.executable, "-m", "pipeline", command, "--help"]
        assert subprocess.run(arguments, env=environment(tmp_path), capture_output=True).returncode == 0, command
