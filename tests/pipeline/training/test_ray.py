"""A real Ray on this machine, and a worker that is killed on the way."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline import checking, schema, store
from pipeline.errors import FlockError
from pipeline.training import folder, launch, ray_launcher
from tests.pipeline.training.conftest import examples

pytest.importorskip("ray", reason="Ray is not installed: pip install -r requirements-cluster.txt")

SEEDS = range(4)


def workers() -> list[int]:
    """Process ids of Ray's workers that train a run, among the descendants of this process."""
    parents, training = {}, []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if b"ray::train_run" in (process / "cmdline").read_bytes():
                training.append(int(process.name))
        except (OSError, ValueError):
            continue

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return [pid for pid in training if is_ours(pid)]


class Killer:
    """Kills the worker of the first run that has trained some steps, once."""

    def __init__(self):
        self.killed = None
        self.at_once = 0

    def __call__(self, jobs) -> None:
        self.at_once = max(self.at_once, len(workers()))
        for job in jobs:
            progress = job.folder.progress()
            under_way = progress and progress.state == folder.RUNNING and job.folder.state.exists()
            if self.killed is None and under_way and (found := workers()):
                self.killed = found[0]
                os.kill(self.killed, signal.SIGKILL)


def comparable(results: store.RunResults) -> tuple[pa.Table, pa.Table, pa.Table]:
    return results.predictions, results.accuracies, results.checkpoints


def test_four_runs_over_two_workers_survive_a_kill_and_equal_local_runs(toy, tmp_path):
    jobs = [toy.job(seed, epochs=5, keep_weights="final") for seed in SEEDS]
    for job in jobs:
        launch.run_here(job)
    elsewhere = tmp_path / "ray"
    for name in ("toy-three", "toy-hans"):
        store.write_examples(elsewhere, schema.EXAMPLES.rows(examples(name)))
    jobs = launch.prepare([replace(job, store=elsewhere, save_every=0.05) for job in jobs])
    killer = Killer()
    outcome = ray_launcher.launch_on_ray(jobs, at_once=2, watch=killer)

    assert killer.killed is not None
    assert killer.at_once == 2
    assert (sorted(outcome.done), outcome.failed, outcome.busy) == (sorted(job.run for job in jobs), {}, [])
    for job in jobs:
        local, other = (store.read_run(s, job.recipe.collection, job.run) for s in (toy.store, elsewhere))
        for mine, theirs in zip(comparable(local), comparable(other), strict=True):
            assert mine.equals(theirs)
        weights = Path("weights", job.recipe.collection, job.run, "model.safetensors")
        assert (toy.store / weights).read_bytes() == (elsewhere / weights).read_bytes()
        assert job.folder.progress().state == folder.DONE
        assert not job.folder.state.exists()
    assert checking.check([elsewhere]).problems == []
    assert workers() == []


def test_the_command_trains_on_ray_what_it_trains_here(toy, tmp_path):
    toy.recipe()
    found = {}
    for launcher in ("ray", "local"):
        target = tmp_path / launcher
        for name in ("toy-three", "toy-hans"):
            store.write_examples(target, schema.EXAMPLES.rows(examples(name)))
        where = ("--store", str(target), "--training-data", str(toy.data), "--collection", f"by-{launcher}")
        how = ("--seeds", "0-1", "--device", "cpu", "--launcher", launcher, "--jobs", "2")
        process = toy.command("train", str(toy.folder / "toy.toml"), *where, *how)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert "2 runs complete" in output
        with store.connect([target]) as connection:
            query = "SELECT * EXCLUDE (collection, run) FROM predictions ORDER BY run, step, dataset, position"
            found[launcher] = connection.execute(query).fetchall()
    assert found["ray"] == found["local"] != []


def test_no_cluster_at_the_address(toy):
    with pytest.raises(FlockError, match=r"--address 127\.0\.0\.1:1: no Ray cluster there"):
        ray_launcher.launch_on_ray([toy.job()], address="127.0.0.1:1")
