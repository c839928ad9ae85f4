"""Statistics on runs × examples: NumPy, SciPy and statsmodels alone. Fractions in, fractions out.

`correct` is a boolean or 0/1 array of shape (runs, examples). Results are small frozen dataclasses.
"""

from app.stats.bootstrap import Bootstrap, multi_bootstrap
from app.stats.consensus import (
    Agreement,
    LabelAgreement,
    agreement,
    agreement_from_counts,
    label_agreement,
    majority_vote,
)
from app.stats.correlations import Correlation, correlation, partial_correlation, residuals
from app.stats.coverage import simulated_coverage
from app.stats.describe import (
    AboveChance,
    Summary,
    mean_sampling_error,
    runs_above_chance,
    sampling_error,
    summary,
)
from app.stats.intervals import Interval, accuracy_interval, clustered_interval, half_width, mean_interval
from app.stats.multiplicity import fdr
from app.stats.pairs import (
    Pattern,
    TwoByTwo,
    cluster_order,
    cohen_kappa,
    error_overlap,
    mcnemar,
    pairwise_agreement,
    pairwise_kappa,
    patterns,
    two_by_two,
)
from app.stats.planning import RunsNeeded, expected_maximum, expected_range, runs_needed
from app.stats.variance import VarianceParts, decompose_variance, decompose_variance_from_counts

__all__ = [
    "AboveChance",
    "Agreement",
    "Bootstrap",
    "Correlation",
    "Interval",
    "LabelAgreement",
    "Pattern",
    "RunsNeeded",
    "Summary",
    "TwoByTwo",
    "VarianceParts",
    "accuracy_interval",
    "agreement",
    "agreement_from_counts",
    "cluster_order",
    "clustered_interval",
    "cohen_kappa",
    "correlation",
    "decompose_variance",
    "decompose_variance_from_counts",
    "error_overlap",
    "expected_maximum",
    "expected_range",
    "fdr",
    "half_width",
    "label_agreement",
    "majority_vote",
    "mcnemar",
    "mean_interval",
    "mean_sampling_error",
    "multi_bootstrap",
    "pairwise_agreement",
    "pairwise_kappa",
    "partial_correlation",
    "patterns",
    "residuals",
    "runs_above_chance",
    "runs_needed",
    "sampling_error",
    "simulated_coverage",
    "summary",
    "two_by_two",
]
