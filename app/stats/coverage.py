"""How far to trust the multi-bootstrap's interval with few runs."""

# Simulated by benchmarks/coverage.py: nominal 95 %, 2,000 repetitions, standard error 0.011 at most.
# Groups -> runs a group -> coverage.
COVERAGE = {
    1: {
        2: 0.718,
        3: 0.860,
        4: 0.912,
        5: 0.931,
        6: 0.938,
        7: 0.928,
        8: 0.940,
        9: 0.945,
        10: 0.952,
        11: 0.949,
        12: 0.944,
        15: 0.944,
        20: 0.947,
        30: 0.947,
        50: 0.956,
        100: 0.951,
    },
    2: {
        2: 0.811,
        3: 0.914,
        4: 0.944,
        5: 0.946,
        6: 0.957,
        7: 0.948,
        8: 0.956,
        9: 0.955,
        10: 0.956,
        11: 0.952,
        12: 0.959,
        15: 0.954,
        20: 0.949,
        30: 0.942,
        50: 0.947,
        100: 0.951,
    },
}


def simulated_coverage(runs: int, groups: int = 1) -> float:
    """How often the nominal 95 % interval of `multi_bootstrap` held the truth, with so many runs.

    `groups`: 1 for an accuracy, or a difference over paired runs; 2 for a difference of two independent groups of about
    as many runs. Where one group is far larger, take 1 and the runs of the smaller, which then makes all the noise.
    The setting is the hard one, runs that differ far more than the test set is noisy (see benchmarks/coverage.py), so
    this is about the least to expect. Between simulated numbers of runs the lower one's is given. NaN for one run,
    whose interval knows nothing of other runs.
    """
    table = COVERAGE[groups]
    known = [number for number in table if number <= runs]
    return table[max(known)] if known else float("nan")
