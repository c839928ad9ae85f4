"""How single examples change between the checkpoints of a run."""

import duckdb
import pandas as pd

from app.filters import Filter

CHANGES = {
    "learnt": "NOT before AND ok AND NOT ever",
    "forgotten": "before AND NOT ok",
    "learnt again": "NOT before AND ok AND ever",
}
"""From one checkpoint to the next: right for the first time, no longer right, right again."""

_CHANGED = """
WITH e AS (SELECT position, gold FROM examples WHERE {examples}),
d AS (SELECT two_way FROM datasets WHERE dataset = $filter_dataset),
answered AS (
    SELECT run, step, position,
           CASE WHEN $rule = 'sum' AND two_way THEN
               is_correct_summed(predicted, logit_entailment, logit_neutral, logit_contradiction, gold, two_way)
               ELSE is_correct(predicted, gold) END AS ok
    FROM (SELECT * FROM predictions WHERE collection = $filter_collection AND dataset = $filter_dataset
          AND (len($runs) = 0 OR list_contains($runs, run))) p JOIN e USING (position), d),
changed AS (
    SELECT run, step, position, ok, lag(ok) OVER w AS before,
           bool_or(ok) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ever
    FROM answered WHERE ok IS NOT NULL WINDOW w AS (PARTITION BY run, position ORDER BY step))
"""


def _query(view: Filter, select: str) -> tuple[str, dict]:
    where, values = view.changed(example=None).to_where("examples")
    values |= {"filter_collection": view.collection, "runs": list(view.runs), "rule": view.rule}
    return _CHANGED.format(examples=where) + select, values


def changes(connection: duckdb.DuckDBPyConnection, view: Filter) -> pd.DataFrame:
    """One row a run and checkpoint after its first: run, step, examples, and how many of them made each of CHANGES.

    The view's slice and rule apply, at every step of its runs.
    """
    counts = ", ".join(f'count(*) FILTER ({condition}) AS "{name}"' for name, condition in CHANGES.items())
    query, values = _query(
        view,
        f"SELECT run, step, count(*) AS examples, {counts} FROM changed WHERE before IS NOT NULL "
        "GROUP BY run, step ORDER BY run, step",
    )
    return connection.execute(query, values).df()


def changed_positions(connection, view: Filter, run: str, step: int, change: str) -> list[int]:
    """The positions of the examples that made a change on the way to a step of one run."""
    query, values = _query(
        view.changed(runs=(run,)),
        f"SELECT position FROM changed WHERE before IS NOT NULL AND step = $step AND {CHANGES[change]} ORDER BY 1",
    )
    return [position for (position,) in connection.execute(query, {**values, "step": step}).fetchall()]


def restless(connection, view: Filter) -> pd.DataFrame:
    """Examples by how often the runs in view forgot them: position, forgotten (times, over all runs), runs."""
    query, values = _query(
        view,
        f"SELECT position, count(*) FILTER ({CHANGES['forgotten']}) AS forgotten, count(DISTINCT run) AS runs "
        "FROM changed GROUP BY position HAVING forgotten > 0 ORDER BY forgotten DESC, position",
    )
    return connection.execute(query, values).df()
