"""What a run keeps on disk until it is complete: LOCAL/training/COLLECTION/RUN/.

    run.lock            held by the process that trains the run
    progress.json       where it is: for bars and `status`; also why it failed
    state.pt            newest saved state: weights, optimiser, step
    results/STEP.json   epoch and training loss at an evaluated checkpoint
    results/STEP-SET.parquet  its predictions on a test set
    weights/STEP/       its weights, where the recipe keeps them

Every file is written aside, synced and renamed, so that a kill at any moment leaves it old or new, never half.
"""

import json
import os
import shutil
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from pipeline import store
from pipeline.errors import FlockError
from pipeline.store.layout import file_name

TRAINING = store.LOCAL / "training"

WAITING, RUNNING, EVALUATING, DONE, FAILED, STOPPED = "waiting", "running", "evaluating", "done", "failed", "stopped"


@dataclass
class Progress:
    """Where a run is. `loss`: mean since the checkpoint before; `rate`: training pairs a
    second; `share`: of all work, evaluation included; `left`: seconds."""

    collection: str
    run: str
    state: str = WAITING
    step: int = 0
    steps: int = 0
    share: float = 0.0
    loss: float | None = None
    rate: float | None = None
    left: float | None = None
    note: str | None = None
    updated: float = field(default_factory=time.time)


class RunFolder:
    """The folder of one run."""

    def __init__(self, collection: str, run: str, root: Path | None = None):
        self.collection, self.run = collection, run
        self.path = (root or TRAINING) / file_name(collection) / file_name(run)

    def lock(self) -> FileLock:
        """Held while the run is trained; let go by the system when the process dies."""
        self.path.mkdir(parents=True, exist_ok=True)
        return FileLock(self.path / "run.lock", timeout=0)

    def is_locked(self) -> bool:
        try:
            with self.lock():
                return False
        except Timeout:
            return True

    @property
    def state(self) -> Path:
        return self.path / "state.pt"

    def report(self, **changes) -> Progress:
        """Change what `progress.json` says."""
        progress = self.progress() or Progress(self.collection, self.run)
        for name, value in changes.items():
            setattr(progress, name, value)
        progress.updated = time.time()
        self.path.mkdir(parents=True, exist_ok=True)
        write(self.path / "progress.json", lambda aside: aside.write_text(json.dumps(asdict(progress))), sync=False)
        return progress

    def progress(self) -> Progress | None:
        try:
            return Progress(**json.loads((self.path / "progress.json").read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def has_predictions(self, step: int, dataset: str) -> bool:
        return self._predictions(step, dataset).exists()

    def write_predictions(self, step: int, dataset: str, predictions: pa.Table) -> None:
        write(self._predictions(step, dataset), lambda aside: pq.write_table(predictions, aside))

    def read_predictions(self, step: int, dataset: str) -> pa.Table:
        return pq.read_table(self._predictions(step, dataset))

    def write_checkpoint(self, step: int, row: dict) -> None:
        write(self.path / "results" / f"{step:08d}.json", lambda aside: aside.write_text(json.dumps(row)))

    def checkpoints(self) -> list[dict]:
        """What was noted at the evaluated checkpoints, by step."""
        return [json.loads(p.read_text()) for p in sorted((self.path / "results").glob("[0-9]*.json"))]

    def weights(self, step: int) -> Path:
        return self.path / "weights" / f"{step:08d}"

    def guard(self, fingerprint: str) -> None:
        """Refuse to go on with a saved state of another recipe or of other data."""
        path = self.path / "fingerprint"
        if not path.exists():
            write(path, lambda aside: aside.write_text(fingerprint))
        elif path.read_text() != fingerprint:
            raise FlockError(
                f"{self.run} was begun with another recipe or other data, saved in {self.path}; "
                "take those again, name another --collection, or begin anew with --restart"
            )

    def clear(self) -> None:
        """Remove all but the lock and progress.json."""
        for path in self.path.glob("*"):
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in ("run.lock", "progress.json"):
                path.unlink()

    def _predictions(self, step: int, dataset: str) -> Path:
        return self.path / "results" / f"{step:08d}-{file_name(dataset)}.parquet"


def all_folders(root: Path | None = None) -> list[RunFolder]:
    """Every run that has been begun, sorted by collection and run."""
    found = [_read(path) for path in sorted((root or TRAINING).glob("*/*/progress.json"))]
    return [RunFolder(progress["collection"], progress["run"], root) for progress in found if progress]


def write(path: Path, writer: Callable[[Path], object], *, sync: bool = True) -> None:
    """Write a file or folder aside with `writer(aside)`, then put it in place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".new-{uuid.uuid4().hex}-{path.name}")
    try:
        writer(aside)
        if sync:
            for file in sorted(aside.rglob("*")) if aside.is_dir() else [aside]:
                with file.open("rb") as opened:
                    os.fsync(opened.fileno())
        if aside.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        aside.replace(path)
    finally:
        if aside.is_dir():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.unlink(missing_ok=True)


def _read(path: Path) -> dict | None:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None
