"""Many runs, as a user starts them: killed, failing, stopped, watched. Real processes, real signals."""

import os
import random
import signal
import time
from pathlib import Path

import pytest
import torch
from filelock import Timeout

from pipeline import checking, store
from pipeline.__main__ import main
from pipeline.errors import FlockError
from pipeline.training import folder, launch, loop, progress, recipe
from tests.pipeline.training.test_loop import logits


@pytest.fixture
def train(toy):
    """Starts `train` on the toy recipe."""
    toy.recipe()

    def train(*arguments, save_every="0.1"):
        fixed = ("--training-data", str(toy.data), "--store", str(toy.store), "--device", "cpu")
        return toy.command("train", str(toy.folder / "toy.toml"), *fixed, "--save-every", save_every, *arguments)

    return train


def finish(process) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def report(toy, run: str) -> folder.Progress | None:
    return folder.RunFolder("toy", run, toy.folder / "local" / "training").progress()


def wait_for(condition, process, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def lengthen(toy, epochs: int) -> None:
    path = toy.folder / "toy.toml"
    path.write_text(path.read_text().replace("epochs = 2", f"epochs = {epochs}"))


def test_killed_stopped_and_started_again_ends_the_same(toy, train):
    """SIGKILL to the whole process group while it starts, SIGKILL after a saved state, Ctrl-C, then to the end.

    Training lasts several seconds, so that all fall into it also on a fast machine.
    """
    whole = loop.train(toy.job(1, collection="toy", epochs=16))
    lengthen(toy, 16)
    run = toy.folder / "local" / "training" / "toy" / "toy_01"
    starting = train("--seeds", "1")
    time.sleep(random.uniform(0, 3))
    os.killpg(starting.pid, signal.SIGKILL)
    assert finish(starting)[0] == -9
    assert checking.check([toy.store]).problems == []

    steps = [saved_step(run)]
    for number in (signal.SIGKILL, signal.SIGINT):
        process = train("--seeds", "1")
        wait_for(lambda: saved_step(run) > steps[-1], process)
        time.sleep(random.uniform(0, 0.3))
        os.killpg(process.pid, number)
        code, _, err = finish(process)
        assert code == (-9 if number == signal.SIGKILL else 130)
        assert checking.check([toy.store]).problems == []
        assert store.read_run(toy.store, "toy", "toy_01") is None
        steps.append(saved_step(run))
    assert err == "stopped, everything saved; the same command goes on from here\n"
    assert report(toy, "toy_01").state == "stopped"
    assert steps[0] < steps[1] < steps[2]
    code, out, err = finish(train("--seeds", "1"))
    assert (code, err) == (0, "")
    assert "toy_01: done" in out

    resumed = store.read_run(toy.store, "toy", "toy_01")
    assert logits(resumed) == logits(whole)
    assert resumed.checkpoints == whole.checkpoints
    assert checking.check([toy.store]).problems == []
    assert {p.name for p in run.iterdir()} == {"progress.json", "run.lock"}


def saved_step(run: Path) -> int:
    """The step of the newest saved state; 0 before the first."""
    state = run / "state.pt"
    return torch.load(state, weights_only=True)["step"] if state.exists() else 0


def test_the_miniature_killed_and_resumed_ends_the_same(toy):
    """The shipped recipe, a tenth of its first epoch, in-domain test set."""
    short = {"epochs = ": "epochs = 0.1", "checkpoints = ": "checkpoints = [0.05]", "test_sets = ": SHORT_TEST}
    lines = (recipe.SHIPPED / "miniature.toml").read_text().splitlines()
    path = toy.folder / "miniature.toml"
    path.write_text("\n".join(next((new for key, new in short.items() if old.startswith(key)), old) for old in lines))
    arguments = ("train", str(path), "--seeds", "3", "--device", "cpu", "--store")

    code, _, at_chance = finish(toy.command(*arguments, str(toy.folder / "whole")))
    assert code == 0
    run = toy.folder / "local" / "training" / "miniature" / "miniature_03"
    process = toy.command(*arguments, str(toy.store), "--save-every", "0.2")
    wait_for(lambda: saved_step(run) > 0, process)
    time.sleep(random.uniform(0, 0.5))
    os.killpg(process.pid, signal.SIGKILL)
    assert finish(process)[0] == -9
    assert checking.check([toy.store]).problems == []
    code, _, err = finish(toy.command(*arguments, str(toy.store)))
    assert (code, err) == (0, at_chance)
    whole, resumed = (
        store.read_run(folder, "miniature", "miniature_03") for folder in (toy.folder / "whole", toy.store)
    )
    assert logits(resumed) == logits(whole)
    assert len(logits(whole)) == 2 * 2000
    assert checking.check([toy.store]).problems == []


SHORT_TEST = 'test_sets = ["miniature"]'


def test_one_run_fails_the_others_go_on(toy, train):
    broken = toy.folder / "local" / "training" / "toy" / "toy_01" / "state.pt"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"not a state")
    code, out, err = finish(train("--seeds", "0-1", "--jobs", "2"))
    assert code == 1
    assert "error: 1 runs failed: toy_01 (" in err and "state.pt is damaged" in err
    assert "1 runs complete" in out
    assert store.read_run(toy.store, "toy", "toy_00")
    assert store.read_run(toy.store, "toy", "toy_01") is None
    assert report(toy, "toy_01").state == "failed"

    code, out, err = finish(toy.command("status"))
    assert code == 0
    rows = {line.split()[1]: line for line in out.splitlines() if line.startswith("toy ")}
    assert rows["toy_01"].split()[2] == "failed" and rows["toy_00"].split()[2:4] == ["done", "100"]
    assert "1 done, 1 failed" in out


def test_restart_forgets_a_saved_state(toy):
    with pytest.raises(loop.Interrupted):
        loop.train(toy.job(), should_stop=lambda: True)
    assert toy.job().folder.state.exists()
    launch.prepare([toy.job()])
    assert toy.job().folder.state.exists()
    launch.prepare([toy.job()], restart=True)
    assert not toy.job().folder.state.exists()


def test_a_run_is_trained_by_one_process_at_a_time(toy):
    with toy.job().folder.lock(), pytest.raises(Timeout):
        launch.run_here(toy.job())


def test_writing_is_all_or_nothing(tmp_path):
    path = tmp_path / "state.pt"
    folder.write(path, lambda aside: aside.write_text("old"))

    def fails(aside):
        aside.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.write(path, fails)
    assert [p.name for p in tmp_path.iterdir()] == ["state.pt"]
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--seeds", "5-2"], 'error: --seeds 5-2: write seeds as "0-99" or "0,3,7-9"\n'),
        (["--seeds", "1", "--init-seeds", "2"], "error: --seeds sets all three seeds: leave out --init-seeds,"),
        (["--device", "abacus"], "error: --device abacus: give auto, cpu, cuda or cuda:0\n"),
        (["--device", "cuda:99"], "error: --device cuda:99: this machine has "),
        (["--training-data", "absent.tsv"], "error: training data absent.tsv: no such file"),
    ],
)
def test_mistakes_are_one_line(toy, capsys, arguments, message):
    toy.recipe()
    fixed = ["train", str(toy.folder / "toy.toml"), "--store", str(toy.store), "--training-data", str(toy.data)]
    with pytest.raises(SystemExit) as stopped:
        main([*fixed, *arguments])
    err = capsys.readouterr().err
    assert stopped.value.code == 1
    assert err.startswith(message) and err.count("\n") == 1


def test_refuses_a_stored_run_of_another_recipe(toy):
    launch.run_here(toy.job(0, epochs=0.1, checkpoints=[]))
    with pytest.raises(FlockError, match=r"_00 is in .*, trained with another recipe or other data; .* --replace"):
        launch.prepare([toy.job(0), toy.job(1)])
    assert [j.run for j in launch.prepare([toy.job(0)], replace_existing=True)] == [toy.job(0).run]
    assert launch.prepare([toy.job(0, epochs=0.1, checkpoints=[])]) == []


def test_what_a_bar_says():
    report = folder.Progress("c", "r", "running", step=1200, steps=5000, loss=0.5, rate=61.2, left=3725.0)
    assert progress.words(report) == "step 1,200/5,000 · loss 0.500 · 61 examples/s · 1:02:05 left"
    report.state, report.note, report.rate, report.left = "evaluating", "hans", None, 61.0
    assert progress.words(report) == "step 1,200/5,000 · evaluating hans · 1:01 left"


def test_time_left_counts_those_that_wait():
    def at(state, share=0.0, left=None):
        return folder.Progress("c", "r", state, share=share, left=left)

    assert progress.time_left([at("waiting"), at("done", 1.0)]) is None
    assert progress.time_left([at("running", 0.5, 50.0)]) == 50.0
    assert progress.time_left([at("running", 0.5, 50.0), at("evaluating", 0.9, 10.0)]) == 50.0
    assert progress.time_left([at("running", 0.5, 50.0), at("running", 0.5, 50.0), *[at("waiting")] * 4]) == 250.0


def test_a_dead_run_is_told_as_stopped(tmp_path):
    run = folder.RunFolder("c", "r", tmp_path)
    run.report(state="running", step=3)
    assert progress.truthful(run).state == "stopped"
    with run.lock():
        assert progress.truthful(run).state == "running"
    assert [f.run for f in folder.all_folders(tmp_path)] == ["r"]
