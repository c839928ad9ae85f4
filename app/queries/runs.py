"""What is known about the runs themselves: their cluster, model, seeds, and columns that a user added."""

from collections.abc import Sequence

import pandas as pd

_OWN = ("cluster", "model", "recipe", "training_data", "device", "init_seed", "order_seed", "dropout_seed")


def properties(connection, collections: Sequence[str]) -> list[str]:
    """Names of what tells these collections' runs apart: columns of `runs` and of `run_columns` with two values."""
    rows = connection.execute(
        f"SELECT name FROM ({_long()}) GROUP BY name HAVING count(DISTINCT value) > 1 ORDER BY name != 'cluster', name",
        {"collections": list(collections)},
    ).fetchall()
    return [name for (name,) in rows]


def values(connection, collections: Sequence[str], name: str) -> pd.DataFrame:
    """One row a run that has the property: collection, run, value (text)."""
    return connection.execute(
        f"SELECT collection, run, any_value(value) AS value FROM ({_long()}) WHERE name = $name GROUP BY ALL",
        {"collections": list(collections), "name": name},
    ).df()


def _long() -> str:
    """Runs × properties; a user's column hides one of ours of the same name."""
    ours = " UNION ALL ".join(
        f"SELECT collection, run, '{column}' AS name, {column}::VARCHAR AS value FROM runs "
        f"WHERE {column} IS NOT NULL AND list_contains($collections, collection)"
        for column in _OWN
    )
    return f"""
        SELECT collection, run, name, value FROM run_columns WHERE list_contains($collections, collection)
        UNION ALL
        SELECT * FROM ({ours}) o WHERE NOT EXISTS (
            FROM run_columns c WHERE c.collection = o.collection AND c.run = o.run AND c.name = o.name)
    """
