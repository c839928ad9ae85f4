"""What the stores hold: collections, their runs, test sets, slices and groups of runs."""

import duckdb
import pandas as pd

from app.filters import Filter


def collections(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """One row a collection: title, description, source, licence, synthetic, and how much of it there is.

    Columns runs, checkpoints, datasets (list of names), predictions (count), with_logits, by_example (whether it can
    say which examples are right, from predictions or published counts).
    """
    return connection.execute(
        """
        WITH scored AS (SELECT collection, dataset FROM accuracies UNION SELECT collection, dataset FROM prediction_sets
                        UNION SELECT collection, dataset FROM published_agreement),
             sets AS (SELECT collection, list(dataset ORDER BY dataset) AS datasets FROM scored GROUP BY collection),
             guesses AS (SELECT collection, sum(n)::BIGINT AS predictions, bool_or(has_logits) AS with_logits
                         FROM prediction_sets GROUP BY collection),
             steps AS (SELECT collection, count(*) AS checkpoints FROM checkpoints GROUP BY collection),
             counted AS (SELECT DISTINCT collection FROM published_agreement)
        SELECT collection, coalesce(any_value(c.title), collection) AS title,
               coalesce(any_value(c.description), '') AS description,
               any_value(c.source) AS source, any_value(c.licence) AS licence,
               coalesce(bool_or(c.synthetic), false) AS synthetic, count(*) AS runs,
               coalesce(any_value(checkpoints), 0) AS checkpoints, coalesce(any_value(s.datasets), []) AS datasets,
               coalesce(any_value(g.predictions), 0) AS predictions,
               coalesce(bool_or(g.with_logits), false) AS with_logits,
               bool_or(g.collection IS NOT NULL OR k.collection IS NOT NULL) AS by_example
        FROM runs LEFT JOIN collections c USING (collection) LEFT JOIN sets s USING (collection)
             LEFT JOIN guesses g USING (collection) LEFT JOIN steps USING (collection)
             LEFT JOIN counted k USING (collection)
        GROUP BY collection
        ORDER BY collection != 'berts-of-a-feather', synthetic, runs DESC, collection
        """
    ).df()


def runs(connection, collection: str | None) -> list[str]:
    """The runs of a collection, numbers in names in their natural order."""
    rows = connection.execute(
        "SELECT run FROM runs WHERE collection = $collection "
        "ORDER BY regexp_replace(run, '[0-9]+$', ''), try_cast(regexp_extract(run, '[0-9]+$') AS HUGEINT), run",
        {"collection": collection},
    ).fetchall()
    return [run for (run,) in rows]


def steps(connection, collection: str | None) -> list[int]:
    """The training steps at which a collection has checkpoints."""
    rows = connection.execute(
        "SELECT DISTINCT step FROM checkpoints WHERE collection = $collection ORDER BY step", {"collection": collection}
    ).fetchall()
    return [step for (step,) in rows]


def datasets(connection, collection: str | None) -> list[str]:
    """The test sets that a collection has results on; HANS and MNLI first."""
    rows = connection.execute(
        """
        SELECT dataset FROM (
            SELECT collection, dataset FROM accuracies UNION SELECT collection, dataset FROM prediction_sets
            UNION SELECT collection, dataset FROM published_agreement)
        WHERE collection = $collection ORDER BY dataset != 'hans', dataset != 'mnli', dataset
        """,
        {"collection": collection},
    ).fetchall()
    return [dataset for (dataset,) in rows]


def slices(connection, dataset: str | None) -> pd.DataFrame:
    """The slices of a test set: distinct heuristic, gold, subcase, in the order of its examples."""
    return connection.execute(
        """
        SELECT heuristic, gold, subcase FROM (
            SELECT heuristic, gold, subcase, min(position) AS place FROM examples WHERE dataset = $dataset GROUP BY ALL
            UNION ALL
            SELECT heuristic, gold, subcase, 1000000000 FROM accuracies WHERE dataset = $dataset GROUP BY ALL)
        GROUP BY heuristic, gold, subcase ORDER BY min(place), heuristic, gold, subcase
        """,
        {"dataset": dataset},
    ).df()


def groups(connection, collection: str | None) -> pd.DataFrame:
    """Named groups of runs: every value of a user's column about the runs, and of the weight-space cluster.

    Columns name, value, runs (list). A group saved in the app is a column whose value is "yes".
    """
    return connection.execute(
        """
        SELECT name, value, list(run ORDER BY run) AS runs FROM (
            SELECT name, value, run FROM run_columns WHERE collection = $collection
            UNION ALL
            SELECT 'cluster', cluster, run FROM runs WHERE collection = $collection AND cluster IS NOT NULL)
        GROUP BY name, value
        HAVING count(*) < (SELECT count(*) FROM runs WHERE collection = $collection) AND count(DISTINCT run) > 0
        ORDER BY name, value LIMIT 200
        """,
        {"collection": collection},
    ).df()


def counts(connection, view: Filter) -> tuple[int, int]:
    """How many runs and how many test examples are in view, from the accuracies."""
    where, values = view.to_where("accuracies")
    return connection.execute(
        f"""
        SELECT coalesce(max(runs), 0), coalesce(sum(n), 0)::BIGINT FROM (
            SELECT max(n) AS n, count(DISTINCT run) AS runs FROM accuracies WHERE {where}
            GROUP BY dataset, heuristic, subcase, gold)
        """,
        values,
    ).fetchone()
