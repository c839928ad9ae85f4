"""Accuracies of runs: correct over n, pooled over the slices of a measure."""

from collections.abc import Sequence

import duckdb
import pandas as pd

from app.filters import Filter
from app.measures import TRAINING_DOMAINS, Measure
from pipeline import schema

_FIRST = (*TRAINING_DOMAINS, "hans")
_SUBCASES = [s for sides in schema.SUBCASES.values() for names in sides.values() for s in names]


def measures(connection: duckdb.DuckDBPyConnection, collections: Sequence[str]) -> list[Measure]:
    """Every accuracy that at least one of the collections has: test sets, then their cells, then their subcases."""
    rows = connection.execute(
        """
        WITH scored AS (FROM accuracies WHERE list_contains($collections, collection)),
             rules AS (SELECT dataset, count(DISTINCT scoring) > 1 AS split FROM scored GROUP BY dataset)
        SELECT dataset, scoring, heuristic, gold, subcase, split
        FROM scored JOIN rules USING (dataset)
        GROUP BY GROUPING SETS ((dataset, scoring, split), (dataset, scoring, split, heuristic, gold),
                                (dataset, scoring, split, heuristic, gold, subcase))
        HAVING grouping(heuristic) = 1 OR (grouping(subcase) = 1 AND heuristic IS NOT NULL) OR subcase IS NOT NULL
        """,
        {"collections": list(collections)},
    ).fetchall()
    return sorted({Measure(*row) for row in rows}, key=_place)


def _place(measure: Measure) -> tuple:
    """Where a measure stands in a list: training domains, HANS, others; cells and subcases in the paper's order."""

    def index(name: str | None, names: Sequence[str]) -> tuple:
        return (names.index(name), "") if name in names else (len(names), name or "")

    level = 2 if measure.subcase else 1 if measure.is_cell or measure.gold else 0
    return (
        index(measure.dataset, _FIRST),
        measure.scoring,
        level,
        index(measure.heuristic, schema.HEURISTICS),
        measure.gold or "",
        index(measure.subcase, _SUBCASES),
    )


def by_run(
    connection, view: Filter, wanted: Sequence[Measure], also: Sequence[str] = (), *, every_step: bool = False
) -> pd.DataFrame:
    """One row a run and measure: collection, run, step, measure (its label), n, correct, accuracy, scoring, origin.

    The runs are those of `view` (its test set and slices aside) and all final checkpoints of the collections `also`.
    With `every_step` a row for each checkpoint. By the rule "sum" runs without logits are absent.
    """
    runs_only = view.changed(dataset=None, heuristic=None, gold=None, subcases=())
    where, values = runs_only.to_where("runs" if every_step else "accuracies")
    final, _ = Filter().to_where("accuracies")
    right = "correct_summed" if view.rule == "sum" else "correct"
    return connection.execute(
        f"""
        WITH wanted AS (
            SELECT unnest($labels) AS measure, unnest($datasets) AS dataset, unnest($scorings) AS scoring,
                   unnest($heuristics) AS heuristic, unnest($golds) AS gold, unnest($subcases) AS subcase,
                   unnest(range(len($labels))) AS place),
        chosen AS (
            FROM accuracies WHERE ({where}) OR (list_contains($also, collection) AND {final}))
        SELECT c.collection, c.run, c.step, w.measure, sum(n)::BIGINT AS n, sum({right})::BIGINT AS correct,
               sum({right}) / sum(n) AS accuracy, any_value(c.scoring) AS scoring,
               string_agg(DISTINCT origin, ', ' ORDER BY origin) AS origin
        FROM chosen c JOIN wanted w
          ON c.dataset = w.dataset AND c.scoring = w.scoring
          AND (w.heuristic = '' OR c.heuristic = w.heuristic) AND (w.gold = '' OR c.gold = w.gold)
          AND (w.subcase = '' OR c.subcase = w.subcase)
        GROUP BY c.collection, c.run, c.step, w.measure, place
        HAVING count({right}) = count(*)
        ORDER BY place, collection, regexp_replace(run, '[0-9]+$', ''),
                 try_cast(regexp_extract(run, '[0-9]+$') AS HUGEINT), run, c.step
        """,
        {
            **values,
            "also": list(also),
            "labels": [m.label for m in wanted],
            "datasets": [m.dataset for m in wanted],
            "scorings": [m.scoring for m in wanted],
            "heuristics": [m.heuristic or "" for m in wanted],
            "golds": [m.gold or "" for m in wanted],
            "subcases": [m.subcase or "" for m in wanted],
        },
    ).df()
