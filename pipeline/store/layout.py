"""Names and folders of a store."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from pipeline.errors import FlockError

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "data" / "published"
LOCAL = Path(os.environ.get("FLOCK_LOCAL") or ROOT / "data" / "local")
"""Where the user's pipeline and fetch write; FLOCK_LOCAL moves it, to a larger disk for example."""

RUN_TABLES = ("runs", "checkpoints", "accuracies", "predictions")
COLLECTION_TABLES = ("collections", "agreement", "run_columns")

NEW, OLD = ".new-", ".old-"


def default_stores() -> list[Path]:
    """The stores that are read as one: published, local, then those in FLOCK_STORES (separated as in PATH)."""
    extra = [Path(p) for p in os.environ.get("FLOCK_STORES", "").split(os.pathsep) if p]
    for path in extra:
        if not path.is_dir():
            raise FlockError(f"{path}: no such store; FLOCK_STORES names a folder that does not exist")
    return [PUBLISHED, LOCAL, *extra]


def file_name(name: str) -> str:
    """A name as a file name: reversible, no separator, no leading dot, safe on every system."""
    quoted = quote(name, safe=" +=,@()-_.")
    return quoted.replace(".", "%2E", 1) if quoted.startswith(".") else quoted


def collection_folder(store: Path, collection: str) -> Path:
    return store / "collections" / file_name(collection)


def run_folder(store: Path, collection: str, run: str) -> Path:
    """Where a run's tables are; after a writer was killed in mid-swap, where its old state is."""
    folder = collection_folder(store, collection) / "runs" / file_name(run)
    aside = folder.with_name(OLD + folder.name)
    return aside if aside.exists() and not folder.exists() else folder


def run_folders(store: Path, collection: str | None = None) -> list[Path]:
    """Every run's folder, sorted by collection and run."""
    pattern = "collections/*" if collection is None else f"collections/{file_name(collection)}"
    folders: dict[Path, Path] = {}
    for folder in sorted(store.glob(f"{pattern}/runs/*")):
        if folder.name.startswith(NEW) or not folder.is_dir():
            continue
        final = folder.with_name(folder.name.removeprefix(OLD))
        if folder == final or not final.exists():
            folders[final] = folder
    return [folders[final] for final in sorted(folders)]


def weights_folder(store: Path, collection: str, run: str, step: int | None = None) -> Path:
    """Where a store keeps a run's weights: the final ones, or those of a checkpoint before."""
    name = file_name(run) if step is None else f"{file_name(run)}@{step:08d}"
    return store / "weights" / file_name(collection) / name


def kept_weights(stores: Sequence[Path], collection: str) -> dict[tuple[str, int | None], Path]:
    """(run, step) -> folder of every checkpoint whose weights are kept, later stores over earlier; None is final."""
    found = {}
    for store in stores:
        for folder in sorted((store / "weights" / file_name(collection)).glob("[!.]*/")):
            step = re.search(r"@(\d{8})$", folder.name)
            name = folder.name[: step.start()] if step else folder.name
            found[unquote(name), int(step[1]) if step else None] = folder
    return found


def collection_names(store: Path) -> list[str]:
    """The collections that a store holds anything of."""
    return [
        unquote(folder.name)
        for folder in sorted(store.glob("collections/*"))
        if not folder.name.startswith(".") and folder.is_dir() and any(folder.iterdir())
    ]
