"""Many runs on this machine: a process each, several at a time; one that fails does not stop the others."""

import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from filelock import Timeout

from pipeline import schema, store
from pipeline.errors import FlockError
from pipeline.training import data, folder, loop, models, results
from pipeline.training.loop import Job

_POLL = 0.2
_PATIENCE = 30.0
"""Seconds that runs have to save their state when the user stops them."""

ENVIRONMENT = {
    "TOKENIZERS_PARALLELISM": "false",
    # Keep freed memory instead of handing it back to the system after every operation, and take it in large pages: a
    # quarter faster on a CPU (MiniLM's size on one core: 34 pairs/s without, 37 with the first two, 45 with all three).
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 33),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


@dataclass
class Outcome:
    """Names of the runs by how they ended; `failed` and `at_chance` with their reason. `busy`: another process has
    them."""

    done: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    at_chance: dict[str, str] = field(default_factory=dict)
    busy: list[str] = field(default_factory=list)


def prepare(
    jobs: Sequence[Job],
    *,
    restart: bool = False,
    replace_existing: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> list[Job]:
    """Everything that can go wrong before training goes wrong here; returns the jobs that are still to be done.

    Reads data and tokenizer once (so that the runs find them in the cache), makes the collection and its test sets
    known to the store; `say` hears of pairs without a label. Raises FlockError when the store holds a run of that name
    with another recipe or data.
    """
    first = jobs[0]
    loop.resolve_device(first.device)
    pairs = data.training_pairs(first.recipe, first.data_source, say)
    tests = data.test_sets(first.recipe, first.store)
    encoded = data.encode(first.recipe, pairs, tests, models.load_tokenizer(first.recipe, pairs, first.model_source))
    fingerprint = loop.fingerprint(first.recipe, encoded)
    todo = []
    for job in jobs:
        existing = store.read_run(job.store, job.recipe.collection, job.run)
        if existing is None or replace_existing:
            todo.append(job)
        elif fingerprint not in (existing.runs["hyperparameters"][0].as_py() or ""):
            raise FlockError(
                f"run {job.run} is in {job.store} already, trained with another recipe or other data; "
                "name another --collection, or overwrite it with --replace"
            )
    for job in todo:
        if restart and not job.folder.is_locked():
            job.folder.clear()
    _introduce(first, tests)
    return todo


def launch(
    jobs: Sequence[Job],
    *,
    at_once: int = 1,
    runs_per_device: int = 1,
    watch: Callable[[Sequence[Job]], None] = lambda _: None,
) -> Outcome:
    """Train `jobs`, `at_once` on the CPU, or `runs_per_device` on each GPU. `watch` is called several times a second.

    On Ctrl-C or SIGTERM the runs save their state and KeyboardInterrupt goes on to the caller.
    """
    outcome, waiting = Outcome(), list(jobs)
    slots = _slots(jobs[0].device if jobs else "cpu", at_once, runs_per_device)
    running: dict[multiprocessing.Process, tuple[Job, str]] = {}
    for job in waiting:
        if not job.folder.is_locked():
            job.folder.report(state=folder.WAITING, note=None)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while waiting or running:
            while waiting and slots:
                job, slot = waiting.pop(0), slots.pop(0)
                running[_start(replace(job, device=slot))] = (job, slot)
            time.sleep(_POLL)
            for process in [p for p in running if not p.is_alive()]:
                job, slot = running.pop(process)
                slots.append(slot)
                _note(outcome, job, process.exitcode)
            watch(jobs)
    except KeyboardInterrupt:
        _stop(list(running))
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    return outcome


def run_here(job: Job, should_stop: Callable[[], bool] = lambda: False) -> str | None:
    """Train one run in this process and put it into the store; returns its note. For launchers.

    Raises filelock.Timeout when another process trains it, and what `loop.train` raises.
    """
    with job.folder.lock():
        finished = loop.train(job, should_stop)
        results.publish(job, finished)
    return finished.runs["notes"][0].as_py()


_DONE, _FAILED, _INTERRUPTED, _BUSY = 0, 1, 3, 4


def _work(job: Job, parent: int) -> None:
    """A run's process."""
    stop = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.append(True))
    job.folder.path.mkdir(parents=True, exist_ok=True)
    log = (job.folder.path / "log.txt").open("a", buffering=1)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    try:
        run_here(job, lambda: bool(stop) or os.getppid() != parent)
        sys.exit(_DONE)
    except loop.Interrupted:
        sys.exit(_INTERRUPTED)
    except Timeout:
        sys.exit(_BUSY)
    except (loop.RunFailed, FlockError) as error:
        job.folder.report(state=folder.FAILED, left=None, note=str(error))
    except Exception as error:
        traceback.print_exc()
        job.folder.report(state=folder.FAILED, left=None, note=f"{type(error).__name__}: {models.first_line(error)}")
    sys.exit(_FAILED)


def _start(job: Job) -> multiprocessing.Process:
    os.environ["OMP_NUM_THREADS"] = str(job.recipe.cpus_per_run)
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    process = multiprocessing.get_context("spawn").Process(target=_work, args=(job, os.getpid()), daemon=True)
    # A child that is still loading must not die of Ctrl-C with a traceback; it handles it once it can.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, handler)
    return process


def _slots(device: str, at_once: int, runs_per_device: int) -> list[str]:
    found = loop.resolve_device(device)
    if found.type == "cpu":
        return ["cpu"] * at_once
    devices = loop.all_devices() if device in ("auto", "cuda") else [str(found)]
    return devices * runs_per_device


def _note(outcome: Outcome, job: Job, code: int | None) -> None:
    progress = job.folder.progress()
    if code == _DONE:
        outcome.done.append(job.run)
        if progress and progress.note:
            outcome.at_chance[job.run] = progress.note
    elif code == _BUSY:
        outcome.busy.append(job.run)
    elif code == _INTERRUPTED:
        outcome.failed[job.run] = "stopped from outside; start again to go on"
    else:
        if code is not None and code < 0:
            job.folder.report(
                state=folder.FAILED,
                left=None,
                note=f"killed by signal {-code}, perhaps for lack of memory; start again to go on",
            )
        outcome.failed[job.run] = getattr(job.folder.progress(), "note", None) or f"ended with status {code}"


def _stop(processes: Sequence[multiprocessing.Process]) -> None:
    """Ask the runs to save and end; those that do not are killed, which loses no more than since their last save."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _PATIENCE
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def _introduce(job: Job, tests: dict) -> None:
    """Write the collection's description and test sets that no store has the sentences of."""
    recipe = job.recipe
    if not (store.collection_folder(job.store, recipe.collection) / "collections.parquet").exists():
        row = {
            "collection": recipe.collection,
            "title": recipe.title,
            "description": recipe.description or None,
            "source": f"trained by Flock, recipe {recipe.name}",
            "synthetic": recipe.synthetic,
        }
        store.write_collection_table(job.store, "collections", schema.COLLECTIONS.rows([row]))
    with store.connect([*store.default_stores(), job.store]) as connection:
        known = {name for (name,) in connection.execute("SELECT dataset FROM datasets WHERE has_text").fetchall()}
    for name, examples in tests.items():
        if name not in known:
            store.write_examples(job.store, examples)
