"""Collections that differ in what they were trained on."""

from collections.abc import Sequence

import duckdb
import pandas as pd

from app.filters import Filter
from app.queries import accuracies


def training_sets(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Collections of one architecture, trained on different data: collection, model, training_data.

    Only collections whose runs share both, and only architectures with two kinds of training data at least.
    """
    return connection.execute(
        """
        WITH alike AS (
            SELECT collection, any_value(model) AS model, any_value(training_data) AS training_data
            FROM runs GROUP BY collection
            HAVING count(DISTINCT model) = 1 AND count(DISTINCT training_data) = 1
               AND count(model) = count(*) AND count(training_data) = count(*))
        FROM alike
        QUALIFY min(training_data) OVER (PARTITION BY model) != max(training_data) OVER (PARTITION BY model)
        ORDER BY model, training_data, collection
        """
    ).df()


def whole_sets(connection, collections: Sequence[str]) -> pd.DataFrame:
    """Accuracies of final checkpoints on whole test sets, as from `accuracies.by_run`, with their dataset."""
    measures = [m for m in accuracies.measures(connection, collections) if not m.part]
    rows = accuracies.by_run(connection, Filter(collection=collections[0]), measures, collections[1:])
    return rows.assign(dataset=rows["measure"].map({m.label: m.dataset for m in measures}))
