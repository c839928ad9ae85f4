"""The upstream files that Flock knows, and how each is recognised: by its git blob id, whatever it is called."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import FlockError

REPOSITORY = "tommccoy1/hans"
COMMIT = "7299f6f657089ce06a0f98e7e81f8d0f5b7741ce"


@dataclass(frozen=True)
class UpstreamFile:
    """`path` in the upstream repository; `blob` is sha1 of "blob SIZE\\0" followed by the content."""

    path: str
    blob: str

    @property
    def name(self) -> str:
        return Path(self.path).name


HANS = UpstreamFile("heuristics_evaluation_set.txt", "e042af242b19708d9c0256c713e873415c0b58a1")
MNLI_COUNTS = UpstreamFile(
    "berts_of_a_feather/mnli_development_set_number_of_correct_responses.txt",
    "d4d55297a1112373bae42d1c74013903aeca18cc",
)
FEATHER_ACCURACIES = UpstreamFile(
    "berts_of_a_feather/berts_of_a_feather_accuracies_by_run.csv", "257810e88604cd50a2dbbddd4d80528ec6cbb808"
)
HANS_2019 = {
    "bert": UpstreamFile("bert_preds.txt", "aa8d1491e43263771b6c5e1a2c8371556b6cf009"),
    "decomposable-attention": UpstreamFile("decomp_attn_heur_preds.txt", "4e764e2b77b1b15a88dfde660fedf21c6d450395"),
    "esim": UpstreamFile("esim_heur_preds.txt", "445bd8c920d84b5495cb5ffa55bef5191b8e5385"),
    "spinn": UpstreamFile("spinn_preds_heur.txt", "c039d76a8a45703796ac63a8de616c9168e1a0e0"),
}
FEATHER_HANS = UpstreamFile("berts_of_a_feather/all_hans_predictions.txt", "68ae09d247e721ea978aa83e3a0f477fd7b32a57")
FEATHER_MNLI = UpstreamFile(
    "berts_of_a_feather/all_mnli_development_set_predictions.txt", "4e3dddc91bf26953367a6d837a121e0365a38222"
)


LARGEST = 100_000_000
"""Bytes; no upstream file is larger, and a folder given to `find` may hold weights of many gigabytes."""


def _content(path: Path) -> bytes | None:
    """What a file holds; None for one that may not be read, which is not a reason to give up on the others."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def blob_id(content: bytes) -> str:
    """The id that git gives a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def find(folder: Path, file: UpstreamFile) -> bytes:
    """The content of an upstream file, found anywhere under `folder` by its blob id.

    Raises FlockError when there is none; a file of the right name and other content is named.
    """
    if not folder.is_dir():
        raise FlockError(f"{folder}: no such folder; --from takes the folder that holds {file.name}")
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size <= LARGEST)
    named = [path for path in found if path.name == file.name]
    for path in named + [path for path in found if path.name != file.name]:
        content = _content(path)
        if content is not None and blob_id(content) == file.blob:
            return content
    named = [path for path in named if _content(path) is not None]
    if named:
        raise FlockError(
            f"{named[0]} is not the published file: its git blob id is {blob_id(named[0].read_bytes())}, "
            f"expected {file.blob}; download it again"
        )
    raise FlockError(f"{file.name} (git blob {file.blob}) is nowhere under {folder}; copy it there or drop --from")
