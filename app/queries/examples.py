"""Single examples: the list in view, page by page, and all that is known about one."""

from dataclasses import dataclass

import duckdb
import pandas as pd

from app.filters import Filter
from app.queries.votes import LABEL_COLUMNS

SPLITS = {
    "all right": "correct = runs",
    "all wrong": "correct = 0",
    "split": "correct > 0 AND correct < runs",
}

SORTS = {
    "order of the test set": "position",
    "runs right": "correct / runs",
    "closest to half and half": "abs(correct / runs - 0.5)",
    "mean P(entailment)": "p_mean",
    "spread of P(entailment)": "p_sd",
    "example": "position",
    "gold": "gold",
    "heuristic": "heuristic",
    "subcase": "subcase",
    "template": "template",
    "genre": "genre",
    "premise": "premise",
    "hypothesis": "hypothesis",
}


@dataclass(frozen=True)
class Selection:
    """What the Examples page asks beyond the sidebar. Shares in percent of the runs in view; None means all."""

    template: str | None = None
    low: int = 0
    high: int = 100
    split: str | None = None
    predicted: str | None = None
    sort: str = "order of the test set"
    descending: bool = False

    def to_where(self) -> tuple[str, dict]:
        """The condition on an example joined with its votes, and its bound parameters."""
        where, values = [], {}
        if self.template is not None:
            where.append("template = $template")
            values["template"] = self.template
        if (self.low, self.high) != (0, 100):
            where.append("100 * correct / runs BETWEEN $low AND $high")
            values |= {"low": self.low, "high": self.high}
        if self.split is not None:
            where.append(SPLITS[self.split])
        if self.predicted is not None:
            columns = ", ".join(LABEL_COLUMNS.values())
            where.append(f"{LABEL_COLUMNS[self.predicted]} = greatest({columns})")
        return " AND ".join(where) or "TRUE", values

    def order(self) -> str:
        """ORDER BY, with ties in the order of the test set."""
        direction = "DESC" if self.descending else "ASC"
        return f"{SORTS[self.sort]} {direction} NULLS LAST, position"


def _listed(view: Filter, selection: Selection) -> tuple[str, dict]:
    """SQL of the list in view, and its parameters; `votes` is the registered frame of `queries.votes`."""
    where, values = view.changed(example=None).to_where("examples")
    more, more_values = selection.to_where()
    query = f"""
        SELECT e.*, v.* EXCLUDE (position)
        FROM (SELECT * FROM examples WHERE {where}) e JOIN votes v ON v.position = e.position
        WHERE {more}
        """
    return query, {**values, **more_values}


def _with_votes(connection: duckdb.DuckDBPyConnection, votes: pd.DataFrame) -> duckdb.DuckDBPyConnection:
    cursor = connection.cursor()
    cursor.register("votes", votes)
    return cursor


def count(connection, votes: pd.DataFrame, view: Filter, selection: Selection) -> int:
    """How many examples are in the list."""
    query, values = _listed(view, selection)
    return _with_votes(connection, votes).execute(f"SELECT count(*) FROM ({query})", values).fetchall()[0][0]


def page(
    connection, votes: pd.DataFrame, view: Filter, selection: Selection, limit: int | None, offset: int = 0
) -> pd.DataFrame:
    """Rows of the list: all columns of `examples` and of `votes`. All of them without `limit`."""
    query, values = _listed(view, selection)
    cut = "" if limit is None else " LIMIT $limit OFFSET $offset"
    bound = values if limit is None else {**values, "limit": limit, "offset": offset}
    statement = f"SELECT * FROM ({query}) ORDER BY {selection.order()}{cut}"
    return _with_votes(connection, votes).execute(statement, bound).df()


def neighbours(connection, votes, view: Filter, selection: Selection, example: str) -> tuple:
    """(place from 1, previous id, next id) of an example in the list; all None when it is not in it."""
    query, values = _listed(view, selection)
    order = selection.order()
    found = (
        _with_votes(connection, votes)
        .execute(
            f"""
        SELECT place, previous, next FROM (
            SELECT example, row_number() OVER w AS place, lag(example) OVER w AS previous, lead(example) OVER w AS next
            FROM ({query}) WINDOW w AS (ORDER BY {order}))
        WHERE example = $this
        """,
            {**values, "this": example},
        )
        .fetchall()
    )
    return found[0] if found else (None, None, None)


def templates(connection, view: Filter) -> list[str]:
    """The templates in the view's slice."""
    where, values = view.changed(example=None, q="").to_where("examples")
    rows = connection.execute(
        f"SELECT template FROM examples WHERE {where} AND template IS NOT NULL GROUP BY template "
        "ORDER BY regexp_replace(template, '[0-9]+$', ''), try_cast(regexp_extract(template, '[0-9]+$') AS HUGEINT)",
        values,
    ).fetchall()
    return [template for (template,) in rows]


def one(connection, dataset: str, example: str) -> dict | None:
    """The row of `examples`, or None."""
    found = connection.execute(
        "SELECT * FROM examples WHERE dataset = $dataset AND example = $example",
        {"dataset": dataset, "example": example},
    ).df()
    return None if found.empty else found.astype(object).where(found.notna(), None).iloc[0].to_dict()


def labels(connection, view: Filter, position: int) -> pd.DataFrame:
    """What each run in view says of one example: run, predicted, entailment, neutral, contradiction (probabilities,
    null without logits), correct (by the view's rule; null where it cannot be told)."""
    chosen = Filter(collection=view.collection, runs=view.runs, step=view.step, dataset=view.dataset)
    where, values = chosen.to_where("predictions")
    return connection.execute(
        f"""
        WITH p AS (SELECT * FROM predictions WHERE {where} AND position = $position),
             e AS (SELECT gold FROM examples WHERE dataset = $filter_dataset AND position = $position),
             d AS (SELECT two_way FROM datasets WHERE dataset = $filter_dataset)
        SELECT run, predicted,
               probability_entailment(logit_entailment, logit_neutral, logit_contradiction) AS entailment,
               probability_entailment(logit_neutral, logit_entailment, logit_contradiction) AS neutral,
               probability_entailment(logit_contradiction, logit_neutral, logit_entailment) AS contradiction,
               CASE WHEN $rule = 'sum' AND two_way THEN
                   is_correct_summed(predicted, logit_entailment, logit_neutral, logit_contradiction, gold, two_way)
                   ELSE is_correct(predicted, gold) END AS correct
        FROM p, e, d
        ORDER BY entailment DESC NULLS LAST, predicted, regexp_replace(run, '[0-9]+$', ''),
                 try_cast(regexp_extract(run, '[0-9]+$') AS HUGEINT), run
        """,
        {**values, "position": position, "rule": view.rule},
    ).df()


def by_step(connection, view: Filter, position: int) -> pd.DataFrame:
    """The same example along training: step, runs, correct (by the view's rule; null without gold label or, where the
    rule needs them, logits), p_mean; over all steps of the view's runs."""
    values = {"collection": view.collection, "dataset": view.dataset, "runs": list(view.runs), "position": position}
    return connection.execute(
        """
        WITH e AS (SELECT gold FROM examples WHERE dataset = $dataset AND position = $position),
             d AS (SELECT two_way FROM datasets WHERE dataset = $dataset),
             p AS (SELECT * FROM predictions WHERE collection = $collection AND dataset = $dataset
                   AND position = $position AND (len($runs) = 0 OR list_contains($runs, run))),
             graded AS (
                 SELECT step,
                        probability_entailment(logit_entailment, logit_neutral, logit_contradiction) AS entailment,
                        CASE WHEN $rule = 'sum' AND two_way THEN
                            is_correct_summed(predicted, logit_entailment, logit_neutral, logit_contradiction, gold,
                                              two_way)
                            ELSE is_correct(predicted, gold) END AS correct
                 FROM p, e, d)
        SELECT step, count(*) AS runs,
               CASE WHEN count(correct) = count(*) THEN count(*) FILTER (correct) END AS correct,
               avg(entailment) AS p_mean
        FROM graded GROUP BY step ORDER BY step
        """,
        {**values, "rule": view.rule},
    ).df()
