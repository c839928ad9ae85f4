"""Many runs, as a user starts them: killed, failing, stopped, watched. Real processes, real signals."""

import os
import random
import signal
import time

import pytest

from pipeline import checking, store
from pipeline.__main__ import main
from pipeline.errors import FlockError
from pipeline.training import folder, launch, loop, progress
from tests.pipeline.training.test_loop import logits


@pytest.fixture
def train(toy):
    """Starts `train` on the toy recipe."""
    toy.recipe()

    def train(*arguments, save_every="0"):
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


def test_killed_at_any_moment_and_started_again_ends_the_same(toy, train):
    """SIGKILL to the whole process group: while it starts, then at random moments after a newly saved state."""
    whole = loop.train(toy.job(1, collection="toy", epochs=4))
    lengthen(toy, 4)
    folder_ = toy.folder / "local" / "training" / "toy" / "toy_01"
    chance = random.Random(11)
    steps = []
    for number in range(3):
        process = train("--seeds", "1")
        if number == 0:
            time.sleep(chance.uniform(1, 6))
        else:
            saved = modified(folder_ / "state.pt")
            wait_for(lambda saved=saved: modified(folder_ / "state.pt") > saved, process)
            time.sleep(chance.uniform(0, 0.3))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        assert checking.check([toy.store]).problems == []
        assert store.read_run(toy.store, "toy", "toy_01") is None
        steps.append(r.step if (r := report(toy, "toy_01")) else 0)
    assert steps == sorted(steps) and steps[-1] > 0
    code, _, err = finish(train("--seeds", "1"))
    assert code == 0, err

    resumed = store.read_run(toy.store, "toy", "toy_01")
    assert logits(resumed) == logits(whole)
    assert resumed.checkpoints == whole.checkpoints
    assert checking.check([toy.store]).problems == []
    assert {p.name for p in folder_.iterdir()} == {"progress.json", "run.lock"}


def modified(path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


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

    code, out, err = finish(train("--seeds", "0-1", "--restart"))
    assert (code, err) == (0, "")
    assert "1 runs complete, 1 were before" in out


def test_control_c_saves_and_another_process_does_not_interfere(toy, train):
    lengthen(toy, 200)
    process = train("--seeds", "0-1", "--jobs", "1", save_every="1000")
    wait_for(lambda: (r := report(toy, "toy_00")) and r.state == "running" and r.step > 5, process)

    code, _, err = finish(train("--seeds", "0"))
    assert (code, err.strip()) == (0, "toy_00: another process trains it")

    os.killpg(process.pid, signal.SIGINT)
    code, _, err = finish(process)
    assert (code, err) == (130, "stopped, everything saved; the same command goes on from here\n")
    stopped = report(toy, "toy_00")
    assert stopped.state == "stopped" and stopped.step > 5
    assert (toy.folder / "local" / "training" / "toy" / "toy_00" / "state.pt").exists()
    assert store.read_run(toy.store, "toy", "toy_00") is None


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
