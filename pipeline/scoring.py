"""What "right" means, once, as DuckDB macros that the store, the writers and the app share.

HANS and other two-way sets: argmax over the three labels first, then neutral and contradiction merge into
non-entailment ("argmax, then merge"), as in McCoy et al. (2020). The alternative adds the two probabilities before
choosing ("sum, then merge"). On three-way sets nothing merges and both rules agree.
"""

import duckdb
import pyarrow as pa

from pipeline import schema

MACROS = """
CREATE OR REPLACE MACRO is_correct(predicted, gold) AS
    CASE WHEN gold = 'non-entailment' OR predicted = 'non-entailment'
         THEN (predicted = 'entailment') = (gold = 'entailment')
         ELSE predicted = gold END;

-- ln(exp(a) + exp(b)) without overflow, and for -inf
CREATE OR REPLACE MACRO log_add(a, b) AS
    CASE WHEN a = b THEN a + ln(2)
         ELSE greatest(a, b) + ln(1 + exp(least(a, b) - greatest(a, b))) END;

CREATE OR REPLACE MACRO probability_entailment(e, n, c) AS
    1 / (1 + exp(log_add(n::DOUBLE, c::DOUBLE) - e::DOUBLE));

CREATE OR REPLACE MACRO is_correct_summed(predicted, e, n, c, gold, two_way) AS
    CASE WHEN e IS NULL THEN NULL
         WHEN NOT two_way THEN is_correct(predicted, gold)
         ELSE (e::DOUBLE > log_add(n::DOUBLE, c::DOUBLE)) = (gold = 'entailment') END;
"""

_ACCURACIES = """
WITH sets AS (
    SELECT dataset,
           coalesce(bool_or(gold = 'non-entailment'), false) AS two_way,
           coalesce(bool_or(gold = 'non-entailment'), false) AND bool_or(heuristic IS NOT NULL) AS by_gold
    FROM examples GROUP BY dataset
),
scored AS (
    SELECT p.collection, p.run, p.step, p.dataset, e.heuristic, e.subcase,
           CASE WHEN s.by_gold THEN e.gold END AS gold,
           is_correct(p.predicted, e.gold) AS correct,
           is_correct_summed(p.predicted, p.logit_entailment, p.logit_neutral, p.logit_contradiction,
                             e.gold, s.two_way) AS correct_summed,
           s.two_way OR bool_or(p.predicted = 'non-entailment')
               OVER (PARTITION BY p.collection, p.run, p.step, p.dataset) AS merged
    FROM predictions p JOIN examples e USING (dataset, position) JOIN sets s USING (dataset)
    WHERE e.gold IS NOT NULL
)
SELECT collection, run, step, dataset, heuristic, subcase, gold, count(*) AS n,
       count(*) FILTER (correct) AS correct,
       CASE WHEN count(correct_summed) = count(*) THEN count(*) FILTER (correct_summed) END AS correct_summed,
       CASE WHEN bool_or(merged) THEN '2-way' ELSE '3-way' END AS scoring,
       $origin AS origin
FROM scored GROUP BY collection, run, step, dataset, heuristic, subcase, gold ORDER BY ALL
"""


def score(predictions: pa.Table, examples: pa.Table, origin: str) -> pa.Table:
    """The `accuracies` rows of these `predictions`, at the finest slice that `examples` gives.

    Both tables follow `pipeline.schema`. Test sets without gold labels give no rows. Two-way predictions on a
    three-way set are scored two-way and marked so.
    """
    with duckdb.connect() as connection:
        connection.execute(MACROS)
        connection.register("predictions", predictions)
        connection.register("examples", examples)
        result = connection.sql(_ACCURACIES, params={"origin": origin}).to_arrow_table()
    return schema.ACCURACIES.conform(result)
