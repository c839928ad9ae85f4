"""The multi-bootstrap beside a loop over draws, in one process.

    python benchmarks/multi_bootstrap.py [--runs 100] [--examples 30000] [--draws 1000] [--naive-draws 30]

The loop picks the drawn rows and columns and takes their mean; it is timed on fewer draws and scaled up. Prints the
times, their ratio, how far the two standard errors differ, and the peak memory. Exits with 1 where the multi-bootstrap
takes over a second or 2 GB.
"""

import argparse
import resource
import sys
import time

import numpy as np

from app.stats import multi_bootstrap

SECONDS, GIGABYTES = 1.0, 2.0


def loop(correct: np.ndarray, draws: int) -> np.ndarray:
    """What the multi-bootstrap means, one draw at a time."""
    rng = np.random.default_rng(0)
    runs, examples = correct.shape
    replicates = np.empty(draws)
    for draw in range(draws):
        rows, columns = rng.integers(runs, size=runs), rng.integers(examples, size=examples)
        replicates[draw] = correct[np.ix_(rows, columns)].mean()
    return replicates


def timed(function, *arguments, **options):
    start = time.perf_counter()
    result = function(*arguments, **options)
    return result, time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("runs", 100), ("examples", 30_000), ("draws", 1000), ("naive-draws", 30)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()

    rng = np.random.default_rng(0)
    hardness = rng.normal(size=(1, options.examples)) + 0.3 * rng.normal(size=(options.runs, 1))
    correct = rng.normal(size=(options.runs, options.examples)) < hardness
    other = np.roll(correct, 1, axis=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first, cold = timed(multi_bootstrap, correct, draws=options.draws)
    one = min([cold] + [timed(multi_bootstrap, correct, draws=options.draws)[1] for _ in range(2)])
    _, two = timed(multi_bootstrap, correct, other, draws=options.draws)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    replicates, naive = timed(loop, correct, options.naive_draws)
    naive *= options.draws / options.naive_draws

    print(f"{options.draws} draws of {options.runs} runs × {options.examples} examples")
    print(f"one group         {one:8.3f} s (first call {cold:.3f} s)")
    print(f"two groups        {two:8.3f} s")
    print(
        f"loop over draws   {naive:8.1f} s (scaled from {options.naive_draws} draws): {naive / one:.0f} times as long"
    )
    print(f"standard errors   {first.draws.std():.5f}, loop {replicates.std():.5f}")
    print(f"peak memory       {peak:8.2f} GB, {peak - before / 2**20:.2f} GB of it the multi-bootstrap's")
    return int(one > SECONDS or peak > GIGABYTES)


if __name__ == "__main__":
    sys.exit(main())
