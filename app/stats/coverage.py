"""How far to trust the multi-bootstrap's interval with few runs."""

# Simulated by benchmarks/coverage.py: nominal 95 %, 2,000 repetitions, standard error 0.011 at most.
# Groups -> runs a group -> coverage.
COVERAGE = {
    1: {
        2: 0.616,
        3: 0.743,
        4: 0.807,
        5: 0.846,
        6: 0.859,
        7: 0.877,
        8: 0.894,
        9: 0.896,
        10: 0.910,
        11: 0.914,
        12: 0.910,
        15: 0.918,
        20: 0.923,
        30: 0.938,
        50: 0.952,
        100: 0.946,
    },
    2: {
        2: 0.700,
        3: 0.815,
        4: 0.866,
        5: 0.883,
        6: 0.905,
        7: 0.904,
        8: 0.921,
        9: 0.913,
        10: 0.923,
        11: 0.928,
        12: 0.931,
        15: 0.939,
        20: 0.937,
        30: 0.931,
        50: 0.941,
        100: 0.946,
    },
}


def simulated_coverage(runs: int, groups: int = 1) -> float:
    """How often the nominal 95 % percentile interval of `multi_bootstrap` held the truth, with so many runs.

    `groups`: 1 for an accuracy, or a difference over paired runs; 2 for a difference of two independent groups of about
    as many runs. Where one group is far larger, take 1 and the runs of the smaller, which then makes all the noise.
    The setting is the hard one, runs that differ far more than the test set is noisy (see benchmarks/coverage.py), so
    this is about the least to expect. Between simulated numbers of runs the lower one's is given. NaN for one run,
    whose interval knows nothing of other runs.
    """
    table = COVERAGE[groups]
    known = [number for number in table if number <= runs]
    return table[max(known)] if known else float("nan")
