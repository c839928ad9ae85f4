"""The paper's claims as queries: each gives one row of numbers, fractions inside, recomputed from the store."""

import duckdb

COLLECTION = "berts-of-a-feather"

SOURCES = {
    "accuracies": """
        SELECT run, dataset, heuristic, subcase, gold, n, correct FROM accuracies WHERE collection = $collection
    """,
    "predictions": """
        SELECT p.run, p.dataset, e.heuristic, e.subcase, CASE WHEN e.heuristic IS NOT NULL THEN e.gold END AS gold,
               count(*) AS n, count(*) FILTER (is_correct(p.predicted, e.gold)) AS correct
        FROM predictions p JOIN examples e USING (dataset, position)
        WHERE p.collection = $collection AND e.gold IS NOT NULL GROUP BY ALL
    """,
}
"""Where the runs' accuracies come from: as published, or counted again from every single prediction."""

CLAIMS = {
    "mnli_range": "SELECT min(correct / n) AS low, max(correct / n) AS high FROM per_run WHERE dataset = 'mnli'",
    "swap_range": """
        SELECT min(correct / n) AS low, max(correct / n) AS high
        FROM per_run WHERE dataset = 'hans' AND subcase = 'ln_subject/object_swap'
    """,
    "preposition_range": """
        SELECT min(correct / n) AS low, max(correct / n) AS high
        FROM per_run WHERE dataset = 'hans' AND subcase = 'ln_preposition'
    """,
    "lexical_range": """
        SELECT min(accuracy) AS low, max(accuracy) AS high
        FROM cells WHERE heuristic = 'lexical_overlap' AND gold = 'non-entailment'
    """,
    "all_wrong": "SELECT CASE WHEN count(*) > 0 THEN count(*) FILTER (correct = 0) END AS examples FROM counts",
    "unanimous": "SELECT count(*) FILTER (correct IN (0, runs)) / nullif(count(*), 0) AS share FROM counts",
    "one_cell_of_six": """
        SELECT max(sd) FILTER (odd) AS odd_sd, max(sd) FILTER (NOT odd) AS largest_other_sd,
               max(span) FILTER (heuristic = 'constituent' AND gold = 'non-entailment') AS constituent_span,
               (SELECT max(correct / n) - min(correct / n) FROM per_run WHERE subcase = 'cn_embedded_under_if')
               AS if_span
        FROM (SELECT heuristic, gold, stddev_samp(accuracy) AS sd, max(accuracy) - min(accuracy) AS span,
                     heuristic = 'lexical_overlap' AND gold = 'non-entailment' AS odd
              FROM cells GROUP BY heuristic, gold)
    """,
}

_WITH = """
WITH per_run AS ({source}),
cells AS (
    SELECT run, heuristic, gold, sum(correct) / sum(n) AS accuracy
    FROM per_run WHERE dataset = 'hans' GROUP BY run, heuristic, gold
),
counts AS (
    SELECT runs, correct FROM agreement WHERE collection = $collection AND dataset = 'mnli'
)
{claim}
"""


def statement(claim: str, source: str) -> str:
    """The whole SQL of a claim, as the page shows it; `$collection` is bound."""
    return _WITH.format(source=SOURCES[source].strip(), claim=CLAIMS[claim].strip()).strip()


def values(connection: duckdb.DuckDBPyConnection, claim: str, source: str) -> dict[str, float | None]:
    """The numbers of one claim by name; accuracies, shares and spreads are fractions. None where there are no rows."""
    result = connection.cursor().execute(statement(claim, source), {"collection": COLLECTION})
    return dict(zip([column[0] for column in result.description], result.fetchone(), strict=True))


def has_predictions(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether every single prediction of the published runs is in a store, for MNLI and HANS."""
    found = connection.cursor().execute(
        "SELECT count(DISTINCT dataset) FROM prediction_sets WHERE collection = ? AND dataset IN ('mnli', 'hans')",
        [COLLECTION],
    )
    return found.fetchone()[0] == 2
