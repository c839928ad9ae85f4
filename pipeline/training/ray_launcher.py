"""Many runs on many machines: each a Ray task, started anew where its worker or machine is lost.

Every machine needs Flock installed and the data that the recipe names: from the hub, the grammar, or a folder that all
share. Results and weights come back through Ray into one store, which no other machine needs to see. A run that
lost its worker goes on from its newest saved state where it finds that, else from the beginning, to the same end.
"""

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import Timeout

from pipeline.errors import FlockError
from pipeline.store import RunResults
from pipeline.training import folder, launch, loop, models, results
from pipeline.training.launch import Outcome
from pipeline.training.loop import Job

RETRIES = 5
"""How often a run is started again after it lost its worker."""

_POLL = 0.2
_OBJECT_STORE = 512 * 2**20
"""Bytes of a local Ray's shared memory: enough for the results and weights that wait to be stored."""


@dataclass(frozen=True)
class _Returned:
    """What a task sends back: results and weights (step -> file name -> content), or why there are none."""

    results: RunResults | None = None
    weights: dict[int, dict[str, bytes]] | None = None
    failed: str | None = None
    busy: bool = False


def launch_on_ray(
    jobs: Sequence[Job],
    *,
    address: str | None = None,
    at_once: int = 1,
    watch: Callable[[Sequence[Job]], None] = lambda _: None,
) -> Outcome:
    """Train `jobs` as Ray tasks on the cluster at `address`, or on a Ray of this machine's own, `at_once` on its CPU.

    `watch` is called several times a second. Raises FlockError when Ray is missing or the cluster is not there.
    """
    ray = _ray()
    outcome = Outcome()
    if not jobs:
        return outcome
    for job in jobs:
        if not job.folder.is_locked():
            job.folder.report(state=folder.WAITING, note=None)
    _start(ray, address, at_once * jobs[0].recipe.cpus_per_run)
    try:
        gpus = _gpus(ray, jobs[0])
        task = ray.remote(num_cpus=jobs[0].recipe.cpus_per_run, num_gpus=gpus, max_retries=RETRIES)(train_run)
        running = {task.remote(replace(job, device="cuda" if gpus else "cpu")): job for job in jobs}
        while running:
            ended, _ = ray.wait(list(running), timeout=_POLL)
            for reference in ended:
                _note(ray, outcome, running.pop(reference), reference)
            watch(jobs)
    finally:
        ray.shutdown()
    return outcome


def train_run(job: Job) -> _Returned:
    """The task: one run from its newest saved state to its end, on whatever machine Ray chose."""
    try:
        with job.folder.lock():
            finished = loop.train(job)
    except Timeout:
        return _Returned(busy=True)
    except (loop.RunFailed, FlockError) as error:
        return _Returned(failed=str(error))
    kept = {step: job.folder.weights(step) for step in finished.checkpoints["step"].to_pylist()}
    weights = {step: _read(path) for step, path in kept.items() if path.exists()}
    return _Returned(finished, weights)


def _read(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


def _write(path: Path, files: dict[str, bytes]) -> None:
    path.mkdir()
    for name, content in files.items():
        (path / name).write_bytes(content)


def _note(ray, outcome: Outcome, job: Job, reference) -> None:
    """Store what came back, or note why nothing did."""
    try:
        returned = ray.get(reference)
    except ray.exceptions.RayError as error:
        returned = _Returned(failed=f"lost {RETRIES + 1} times, or broke: {models.first_line(error)}")
    if returned.busy:
        outcome.busy.append(job.run)
    elif returned.failed is not None:
        job.folder.report(state=folder.FAILED, left=None, note=returned.failed)
        outcome.failed[job.run] = returned.failed
    else:
        for step, files in returned.weights.items():
            folder.write(job.folder.weights(step), lambda aside, files=files: _write(aside, files))
        results.publish(job, returned.results)
        outcome.done.append(job.run)
        if note := returned.results.runs["notes"][0].as_py():
            outcome.at_chance[job.run] = note


def _ray():
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Ray would otherwise hide the GPUs from tasks that ask for none, and warns that this will change.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise FlockError("--launcher ray needs Ray: pip install -r requirements-cluster.txt") from None
    return ray


def _start(ray, address: str | None, cpus: int) -> None:
    settings = {"configure_logging": False, "log_to_driver": False}
    if address is None:
        for name, value in launch.ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        settings |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": _OBJECT_STORE}
        settings["_node_ip_address"] = "127.0.0.1"
    try:
        _reach(address)
        ray.init(address or "local", **settings)
    except (OSError, ValueError, RuntimeError) as error:
        raise FlockError(f"--address {address}: no Ray cluster there ({models.first_line(error)})") from None


def _reach(address: str | None) -> None:
    """Raise OSError at once where nothing listens; Ray by itself would go on trying for minutes."""
    host, colon, port = (address or "").rpartition("//")[2].rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=10).close()


def _gpus(ray, job: Job) -> float:
    """GPUs that each run takes: the recipe's, where the cluster has any and `--device` does not say cpu."""
    if job.device == "cpu" or not ray.cluster_resources().get("GPU"):
        return 0
    return job.recipe.gpus_per_run
