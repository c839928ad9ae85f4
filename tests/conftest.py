"""What all tests share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def sources() -> Path:
    """The published files that Flock was built from; FLOCK_SOURCES says where they are."""
    folder = Path(os.environ.get("FLOCK_SOURCES", ROOT.parent / "shared" / "sources")).resolve()
    if not folder.is_dir():
        pytest.skip(f"the published source files are not at {folder}; set FLOCK_SOURCES")
    return folder
