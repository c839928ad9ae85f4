"""Data sets of the Hugging Face hub: where their files are and what their labels mean."""

from dataclasses import dataclass
from pathlib import Path

from pipeline import schema
from pipeline.errors import FlockError


@dataclass(frozen=True)
class HubSet:
    """Files of one data set, in their order. `labels`: what class index 0, 1, … means there.

    `subcases`, where given, names a slice for each file.
    """

    repo: str
    files: tuple[str, ...]
    labels: tuple[str, ...] = schema.LABELS
    subcases: tuple[str, ...] = ()


_ANLI_ROUNDS = ("round 1", "round 2", "round 3")

TRAINING_DATA = {
    "mnli": HubSet("nyu-mll/glue", ("mnli/train-00000-of-00001.parquet",)),
    "snli": HubSet("stanfordnlp/snli", ("plain_text/train-00000-of-00001.parquet",)),
    "anli": HubSet("facebook/anli", tuple(f"plain_text/train_r{r}-00000-of-00001.parquet" for r in (1, 2, 3))),
    "wanli": HubSet("alisawuffles/WANLI", ("train.jsonl",)),
}

TEST_SETS = {
    "mnli-mm": HubSet("nyu-mll/glue", ("mnli/validation_mismatched-00000-of-00001.parquet",)),
    "snli-dev": HubSet("stanfordnlp/snli", ("plain_text/validation-00000-of-00001.parquet",)),
    "snli-test": HubSet("stanfordnlp/snli", ("plain_text/test-00000-of-00001.parquet",)),
    "anli": HubSet(
        "facebook/anli",
        tuple(f"plain_text/test_r{r}-00000-of-00001.parquet" for r in (1, 2, 3)),
        subcases=_ANLI_ROUNDS,
    ),
    "wanli": HubSet("alisawuffles/WANLI", ("test.jsonl",)),
    # Paraphrases entail one another; pairs that are none mean different things.
    "paws": HubSet(
        "google-research-datasets/paws",
        ("labeled_final/test-00000-of-00001.parquet",),
        (schema.NON_ENTAILMENT, "entailment"),
    ),
}


def download(found: HubSet, *, instead: str) -> list[Path]:
    """The files of a data set, from the hub or its cache on this machine.

    Raises FlockError, which ends with what to do `instead`, when neither has them.
    """
    try:
        import huggingface_hub
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    except ImportError:
        raise FlockError("huggingface_hub is not installed: pip install -r requirements.txt") from None
    import httpx

    paths = []
    for file in found.files:
        try:
            paths.append(Path(huggingface_hub.hf_hub_download(found.repo, file, repo_type="dataset")))
        except (OSError, httpx.HTTPError, HfHubHTTPError, HFValidationError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise FlockError(
                f"{file} of {found.repo} is not on this machine, and the hub did not give it ({reason}); "
                f"connect to the network, or {instead}"
            ) from None
    return paths
