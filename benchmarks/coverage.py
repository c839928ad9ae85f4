"""How often the multi-bootstrap's 95 % interval holds the truth, by number of runs.

    OMP_NUM_THREADS=1 python benchmarks/coverage.py

prints the table in app/stats/coverage.py (about ten minutes on one core).

The setting is the hard one, where runs differ far more than the test set is noisy, as on HANS, lexical overlap,
non-entailed: run r is right on each of 1,000 examples with probability Φ(a + b z_r), z_r standard normal, which has
mean 27.7 % and SD 12 points over runs. The expectation over all runs is Φ(a / √(1 + b²)). With two groups both come
from the same population, unpaired, and the true difference is zero. Where the test set's own noise is larger beside the
spread of runs, as on MNLI, coverage lies nearer to 95 %.
"""

import numpy as np
from scipy.stats import norm

from app.stats import multi_bootstrap

A, B = -0.629, 0.36
EXAMPLES = 1000
REPETITIONS = 2000
RUNS = (*range(2, 13), 15, 20, 30, 50, 100)


def simulate(runs: int, groups: int, repetitions: int = REPETITIONS, seed: int = 0) -> float:
    """Share of `repetitions` simulated data sets whose interval holds the truth."""
    rng = np.random.default_rng([seed, runs, groups])
    truth = norm.cdf(A / np.sqrt(1 + B**2)) if groups == 1 else 0.0
    held = 0
    for repetition in range(repetitions):
        right = [rng.random((runs, EXAMPLES)) < norm.cdf(A + B * rng.normal(size=(runs, 1))) for _ in range(groups)]
        interval = multi_bootstrap(*right, seed=repetition)
        held += interval.low <= truth <= interval.high
    return held / repetitions


if __name__ == "__main__":
    for groups in (1, 2):
        print(f"{groups}: {{{', '.join(f'{runs}: {simulate(runs, groups):.3f}' for runs in RUNS)}}}", flush=True)
