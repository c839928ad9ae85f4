"""Stores: directories of Parquet tables, written atomically by `pipeline`, read as one through DuckDB.

    STORE/examples/DATASET.parquet
    STORE/collections/COLLECTION/{collections,agreement,run_columns}.parquet
    STORE/collections/COLLECTION/runs/RUN/{runs,checkpoints,accuracies,predictions}.parquet
    STORE/weights/COLLECTION/{RUN,RUN@STEP}/ – where kept: the final weights, those of a checkpoint before

A run's folder appears and is replaced whole, so its accuracies and predictions always belong together. The small
tables are read into memory when a store is opened; predictions stay on disk. Several stores read as one: later over
earlier, by the rules of `pipeline.store.reading.MERGE`.
"""

from pipeline.store.layout import (
    COLLECTION_TABLES,
    LOCAL,
    PUBLISHED,
    ROOT,
    RUN_TABLES,
    collection_folder,
    collection_names,
    default_stores,
    kept_weights,
    run_folder,
    run_folders,
    weights_folder,
)
from pipeline.store.reading import connect, fingerprint
from pipeline.store.results import RunResults
from pipeline.store.writing import (
    read_file,
    read_run,
    remove_collection,
    update_run,
    write_collection_table,
    write_examples,
    write_run,
)

__all__ = [
    "COLLECTION_TABLES",
    "LOCAL",
    "PUBLISHED",
    "ROOT",
    "RUN_TABLES",
    "RunResults",
    "collection_folder",
    "collection_names",
    "connect",
    "default_stores",
    "fingerprint",
    "kept_weights",
    "read_file",
    "read_run",
    "remove_collection",
    "run_folder",
    "run_folders",
    "update_run",
    "weights_folder",
    "write_collection_table",
    "write_examples",
    "write_run",
]
