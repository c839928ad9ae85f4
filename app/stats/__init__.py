"""Statistics on runs × examples: NumPy, SciPy and statsmodels alone. Fractions in, fractions out.

`correct` is a boolean or 0/1 array of shape (runs, examples). Results are small frozen dataclasses.
"""

from app.stats.consensus import (
    Agreement,
    LabelAgreement,
    agreement,
    agreement_from_counts,
    label_agreement,
    majority_vote,
)
from app.stats.describe import (
    AboveChance,
    Summary,
    mean_sampling_error,
    runs_above_chance,
    sampling_error,
    summary,
)
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
from app.stats.variance import VarianceParts, decompose_variance, decompose_variance_from_counts

__all__ = [
    "AboveChance",
    "Agreement",
    "LabelAgreement",
    "Pattern",
    "Summary",
    "TwoByTwo",
    "VarianceParts",
    "agreement",
    "agreement_from_counts",
    "cluster_order",
    "cohen_kappa",
    "decompose_variance",
    "decompose_variance_from_counts",
    "error_overlap",
    "fdr",
    "label_agreement",
    "majority_vote",
    "mcnemar",
    "mean_sampling_error",
    "pairwise_agreement",
    "pairwise_kappa",
    "patterns",
    "runs_above_chance",
    "sampling_error",
    "summary",
    "two_by_two",
]
