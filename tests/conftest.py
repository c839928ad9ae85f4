"""What all tests share."""

import os
import shutil
import tempfile
from pathlib import Path

# Before anything of Flock is imported: tests neither read nor write what the developer keeps in data/local.
os.environ["FLOCK_LOCAL"] = tempfile.mkdtemp(prefix="flock-local-")
os.environ.pop("FLOCK_STORES", None)

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def sources() -> Path:
    """The published files that Flock was built from; FLOCK_SOURCES says where they are."""
    folder = Path(os.environ.get("FLOCK_SOURCES", ROOT.parent / "shared" / "sources")).resolve()
    if not folder.is_dir():
        pytest.skip(f"the published source files are not at {folder}; set FLOCK_SOURCES")
    return folder


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["FLOCK_LOCAL"], ignore_errors=True)
