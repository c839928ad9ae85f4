"""The examples of test sets: which slice and which template each belongs to."""

import duckdb
import pandas as pd


def examples(connection: duckdb.DuckDBPyConnection, dataset: str) -> pd.DataFrame:
    """One row an example in order: position, heuristic, gold, subcase, template (None where there is none)."""
    rows = connection.execute(
        "SELECT position, heuristic, gold, subcase, template FROM examples WHERE dataset = $dataset ORDER BY position",
        {"dataset": dataset},
    ).df()
    return rows.astype({c: object for c in rows if c != "position"}).where(rows.notna(), None)


def counts(connection, collection: str, dataset: str) -> pd.DataFrame:
    """How many of a collection's runs are right on each example: position, runs, correct; by argmax, final checkpoints.

    Empty where neither predictions nor published counts exist.
    """
    return connection.execute(
        "SELECT position, runs, correct FROM agreement WHERE collection = $collection AND dataset = $dataset "
        "ORDER BY position",
        {"collection": collection, "dataset": dataset},
    ).df()
