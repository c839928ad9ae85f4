"""A collection as one file to share: a store with its test sets and their origin, zipped."""

import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema, scoring, store
from pipeline.collections import scratch_store
from pipeline.errors import FlockError
from pipeline.sources.fetch import NAMES as FETCHABLE

TEXTS = ("own", "all", "none")

_README = """\
{collection} – a collection for Flock
{title}
{description}

Runs: {runs}. Test sets: {datasets}.
Licence of the numbers: {licence}
Source: {source}

Unpack this file and name the folder in FLOCK_STORES to browse it beside the shipped collections.
{text}
"""

_TEXT = {
    "own": "Sentences of HANS and MNLI are not in here; `python -m pipeline fetch hans mnli` brings them.",
    "all": "Sentences are in here, also those of other people's data sets: mind their licences.",
    "none": "No sentences are in here.",
}


def export(collection: str, output: Path, stores: list[Path], text: str = "own", decimals: int | None = None) -> None:
    """Write everything that `stores` hold of a collection into a zip file, the same bytes for the same content.

    `text`: "own" leaves out the sentences that `fetch` brings, "all" keeps every sentence, "none" keeps none.
    `decimals` rounds the logits, and counts anew what follows from them; labels stay those of the exact logits.
    Raises FlockError when there is no such collection or the file cannot be written.
    """
    if not output.parent.is_dir():
        raise FlockError(f"{output.parent}: no such folder; create it or choose another file")
    with scratch_store(output.parent) as scratch:
        about = _write_store(collection, scratch / collection, stores, text, decimals)
        (scratch / collection / "README.txt").write_text(about, encoding="utf-8")
        aside = scratch / "export.zip"
        _zip(scratch / collection, aside)
        aside.replace(output)


def _write_store(collection: str, folder: Path, stores: list[Path], text: str, decimals: int | None) -> str:
    """Write the merged collection as a store; returns its README."""
    with store.connect(stores) as connection:

        def rows(table: str) -> pa.Table:
            kind = schema.TABLES[table]
            # Merging several stores yields the rows in any order.
            query = f"SELECT * FROM {table} WHERE collection = ? ORDER BY {', '.join(kind.key)}"
            return kind.conform(connection.sql(query, params=[collection]).to_arrow_table())

        tables = {name: rows(name) for name in store.RUN_TABLES}
        if not tables["runs"].num_rows:
            known = [n for (n,) in connection.execute("SELECT DISTINCT collection FROM runs ORDER BY 1").fetchall()]
            raise FlockError(f"no collection {collection!r}; there are {', '.join(known) or 'none'}")
        for run in tables["runs"]["run"].to_pylist():
            parts = {name: table.filter(pc.equal(table["run"], run)) for name, table in tables.items()}
            if not parts["predictions"].num_rows:
                parts["predictions"] = None
            elif decimals is not None:
                parts |= _rounded(parts["predictions"], parts["accuracies"], connection, decimals)
            store.write_run(folder, store.RunResults(**parts))
        agreement = rows("agreement")
        if "published" in agreement["origin"].to_pylist():
            published = agreement.filter(pc.equal(agreement["origin"], "published"))
            store.write_collection_table(folder, "agreement", published)
        for name in ("collections", "run_columns"):
            if rows(name).num_rows:
                store.write_collection_table(folder, name, rows(name))
        results = [tables["accuracies"], tables["predictions"], agreement]
        datasets = sorted(set().union(*(table["dataset"].unique().to_pylist() for table in results)))
        for dataset in datasets:
            query = "SELECT * FROM examples WHERE dataset = ?"
            examples = connection.sql(query, params=[dataset]).to_arrow_table()
            if examples.num_rows:
                store.write_examples(folder, _without_text(examples, dataset, text))
        about = (rows("collections").to_pylist() or [{}])[0]
    words = {name: about.get(name) or "not stated" for name in ("title", "description", "licence", "source")}
    count = tables["runs"].num_rows
    return _README.format(collection=collection, runs=count, datasets=", ".join(datasets), text=_TEXT[text], **words)


def _rounded(predictions: pa.Table, accuracies: pa.Table, connection, decimals: int) -> dict[str, pa.Table]:
    """A run's tables `predictions`, its logits rounded, and `accuracies`, where not published counted from them."""
    for name in (f"logit_{label}" for label in schema.LABELS):
        exact = predictions[name].cast(pa.float64())
        place = predictions.schema.get_field_index(name)
        predictions = predictions.set_column(place, name, pc.round(exact, decimals).cast(pa.float32()))
    query = "SELECT * EXCLUDE (premise, hypothesis) FROM examples WHERE list_contains($sets, dataset)"
    examples = connection.sql(query, params={"sets": predictions["dataset"].unique().to_pylist()}).to_arrow_table()
    kept, counted = accuracies, []
    for origin in sorted(set(accuracies["origin"].to_pylist()) - {"published"}):
        of_origin = pc.equal(kept["origin"], origin)
        sets = kept.filter(of_origin)["dataset"].unique()
        anew = scoring.score(predictions.filter(pc.is_in(predictions["dataset"], sets)), examples, origin)
        old = pc.and_(of_origin, pc.is_in(kept["dataset"], anew["dataset"].unique()))
        kept, counted = kept.filter(pc.invert(old)), [*counted, anew]
    return {"predictions": predictions, "accuracies": pa.concat_tables([kept, *counted])}


def _without_text(examples: pa.Table, dataset: str, text: str) -> pa.Table:
    if text == "all" or (text == "own" and dataset not in FETCHABLE):
        return examples
    return examples.drop_columns(["premise", "hypothesis"])


def _zip(folder: Path, output: Path) -> None:
    """Deterministic: files in order, no times; Parquet is compressed already."""
    with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != ".lock"):
            entry = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
