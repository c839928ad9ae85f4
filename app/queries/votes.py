"""How many of the runs in view are right on each example: the one pass over predictions that pages share."""

import duckdb
import pandas as pd

from app.filters import Filter

LABEL_COLUMNS = {
    "entailment": "n_entailment",
    "neutral": "n_neutral",
    "contradiction": "n_contradiction",
    "non-entailment": "n_non_entailment",
}

_FROM_PREDICTIONS = """
WITH counted AS (
    SELECT position, count(*)::INTEGER AS runs,
           count(*) FILTER (predicted = 'entailment')::INTEGER AS n_entailment,
           count(*) FILTER (predicted = 'neutral')::INTEGER AS n_neutral,
           count(*) FILTER (predicted = 'contradiction')::INTEGER AS n_contradiction,
           count(*) FILTER (predicted = 'non-entailment')::INTEGER AS n_non_entailment,
           {logits}
    FROM predictions WHERE {where} GROUP BY position
),
two_way AS (SELECT two_way FROM datasets WHERE dataset = $filter_dataset)
SELECT c.position, runs,
       CASE WHEN gold IS NULL THEN NULL
            WHEN gold = 'non-entailment' THEN runs - n_entailment
            WHEN gold = 'entailment' THEN n_entailment
            WHEN gold = 'neutral' THEN n_neutral + n_non_entailment
            ELSE n_contradiction + n_non_entailment END AS correct,
       n_entailment, n_neutral, n_contradiction, n_non_entailment,
       CASE WHEN with_logits = runs THEN p_mean END AS p_mean, CASE WHEN with_logits = runs THEN p_sd END AS p_sd,
       'computed' AS origin,
       CASE WHEN NOT two_way OR gold IS NULL THEN correct
            WHEN with_logits = runs THEN CASE gold WHEN 'entailment' THEN summed ELSE runs - summed END END
            AS correct_summed
FROM counted c CROSS JOIN two_way
JOIN (SELECT position, gold FROM examples WHERE dataset = $filter_dataset) e ON e.position = c.position
ORDER BY c.position
"""

_LOGITS = """
           count(logit_entailment)::INTEGER AS with_logits,
           count(*) FILTER (logit_entailment::DOUBLE > log_add(logit_neutral::DOUBLE, logit_contradiction::DOUBLE))
               ::INTEGER AS summed,
           avg(probability_entailment(logit_entailment, logit_neutral, logit_contradiction)) AS p_mean,
           stddev_samp(probability_entailment(logit_entailment, logit_neutral, logit_contradiction)) AS p_sd
"""
_NO_LOGITS = "0 AS with_logits, NULL::INTEGER AS summed, NULL::DOUBLE AS p_mean, NULL::DOUBLE AS p_sd"

_FROM_COUNTS = """
SELECT position, runs, correct, NULL::INTEGER AS n_entailment, NULL::INTEGER AS n_neutral,
       NULL::INTEGER AS n_contradiction, NULL::INTEGER AS n_non_entailment, NULL::DOUBLE AS p_mean,
       NULL::DOUBLE AS p_sd, origin, correct AS correct_summed
FROM published_agreement WHERE collection = $filter_collection AND dataset = $filter_dataset ORDER BY position
"""


def votes(connection: duckdb.DuckDBPyConnection, view: Filter) -> pd.DataFrame:
    """One row an example of the view's test set that the view's runs have answered; slices and words aside.

    Columns position, runs, correct (by the view's rule; null without gold labels, or without logits where the rule
    needs them), n_entailment, n_neutral, n_contradiction, n_non_entailment (how many runs say so; null for published
    counts), p_mean, p_sd (mean and SD over runs of P(entailment), null without logits), origin. Empty where neither
    predictions nor counts exist; counts cannot be asked about a choice of runs.
    """
    return by_rule(by_both_rules(connection, view), view.rule)


def by_rule(votes: pd.DataFrame, rule: str) -> pd.DataFrame:
    """`votes` by one rule, from those by both."""
    correct = votes["correct_summed" if rule == "sum" else "correct"]
    return votes.assign(correct=correct).drop(columns="correct_summed")


def by_both_rules(connection: duckdb.DuckDBPyConnection, view: Filter) -> pd.DataFrame:
    """`votes` with one more column: correct is by the rule "argmax", correct_summed by "sum"."""
    chosen = Filter(collection=view.collection, runs=view.runs, step=view.step, dataset=view.dataset)
    sets = connection.execute(
        "SELECT coalesce(bool_or(has_logits), false) AS logits, count(*) AS n FROM prediction_sets "
        "WHERE collection = $collection AND dataset = $dataset",
        {"collection": view.collection, "dataset": view.dataset},
    ).fetchall()
    (logits, n) = sets[0]
    if n:
        where, values = chosen.to_where("predictions")
        query = _FROM_PREDICTIONS.format(where=where, logits=_LOGITS if logits else _NO_LOGITS)
        return connection.execute(query, values).df()
    if view.runs or view.step is not None:
        return connection.execute(f"SELECT * FROM ({_FROM_COUNTS}) LIMIT 0", _key(view)).df()
    return connection.execute(_FROM_COUNTS, _key(view)).df()


def _key(view: Filter) -> dict:
    return {"filter_collection": view.collection, "filter_dataset": view.dataset}


def has_predictions(connection, view: Filter) -> bool:
    """Whether any of the view's runs has predictions on its test set."""
    found = connection.execute(
        "SELECT count(*) FROM prediction_sets WHERE collection = $filter_collection AND dataset = $filter_dataset",
        _key(view),
    ).fetchall()
    return found[0][0] > 0


def has_text(connection, dataset: str | None) -> bool:
    """Whether the sentences of a test set are here."""
    return bool(connection.execute("SELECT 1 FROM datasets WHERE dataset = $d AND has_text", {"d": dataset}).fetchall())
