"""Every statistic reproduces what the published numbers give, to the digits printed."""

import numpy as np
import pytest

from app import stats
from tests.app.stats.conftest import as_printed

MNLI = "MNLI dev acc."
SHORT = {
    "lexical e": "Lexical (entailed)",
    "lexical ne": "Lexical (nonent)",
    "subsequence e": "Subseq (entailed)",
    "subsequence ne": "Subseq (nonent)",
    "constituent e": "Constituent (entailed)",
    "constituent ne": "Constituent (nonent)",
    "swap": "ln_subject/object_swap",
    "overall": "Overall accuracy",
    "MNLI": MNLI,
}
SMALL_CLUSTER = [15, 25, 26, 42, 44, 46, 56, 61, 63, 70, 73, 89]

# Column: mean, SD, minimum, maximum in percent, correlation with MNLI (empty where constant).
COLUMNS = [
    ("MNLI dev acc.", "84.339", "0.242", "83.668", "84.768", ""),
    ("Lexical (entailed)", "95.837", "1.136", "92.960", "97.740", "-0.002"),
    ("Subseq (entailed)", "99.334", "0.370", "98.400", "99.900", "0.006"),
    ("Constituent (entailed)", "99.046", "0.575", "96.160", "99.920", "0.343"),
    ("Lexical (nonent)", "27.657", "12.364", "5.240", "54.520", "0.487"),
    ("Subseq (nonent)", "5.183", "2.416", "0.900", "14.020", "0.247"),
    ("Constituent (nonent)", "13.049", "4.063", "3.220", "23.860", "-0.330"),
    ("Overall accuracy", "56.685", "2.355", "52.710", "62.680", "0.387"),
    ("ln_subject/object_swap", "19.021", "17.303", "0.000", "66.200", "0.390"),
    ("ln_preposition", "41.129", "17.687", "3.900", "76.300", "0.519"),
    ("ln_relative_clause", "32.856", "13.940", "9.400", "66.800", "0.448"),
    ("ln_passive", "0.500", "0.877", "0.000", "4.200", "0.273"),
    ("ln_conjunction", "44.780", "15.246", "11.900", "72.300", "0.503"),
    ("le_relative_clause", "97.553", "1.205", "93.800", "99.700", "-0.115"),
    ("le_around_prepositional_phrase", "99.646", "0.470", "97.600", "100.000", "0.492"),
    ("le_around_relative_clause", "98.967", "0.569", "97.000", "100.000", "0.460"),
    ("le_conjunction", "83.055", "4.802", "71.700", "91.600", "-0.075"),
    ("le_passive", "99.966", "0.078", "99.400", "100.000", "-0.121"),
    ("sn_NP/S", "1.826", "1.009", "0.100", "4.800", "-0.074"),
    ("sn_PP_on_subject", "11.585", "7.047", "0.300", "34.600", "0.326"),
    ("sn_relative_clause_on_subject", "6.500", "4.430", "0.400", "23.400", "0.281"),
    ("sn_past_participle", "0.427", "0.438", "0.000", "2.000", "-0.426"),
    ("sn_NP/Z", "5.578", "2.260", "1.700", "12.500", "-0.131"),
    ("se_conjunction", "97.623", "1.596", "92.900", "99.900", "-0.207"),
    ("se_adjective", "99.999", "0.010", "99.900", "100.000", "-0.005"),
    ("se_understood_object", "99.786", "0.644", "95.300", "100.000", "0.316"),
    ("se_relative_clause_on_obj", "99.285", "0.528", "97.500", "100.000", "0.208"),
    ("se_PP_on_obj", "99.979", "0.077", "99.500", "100.000", "0.359"),
    ("cn_embedded_under_if", "41.091", "12.102", "13.800", "69.700", "-0.354"),
    ("cn_after_if_clause", "0.363", "0.607", "0.000", "3.200", "0.186"),
    ("cn_embedded_under_verb", "17.306", "8.423", "1.500", "41.600", "-0.208"),
    ("cn_disjunction", "0.496", "0.625", "0.000", "3.100", "-0.185"),
    ("cn_adverb", "5.990", "3.766", "0.300", "17.300", "-0.175"),
    ("ce_embedded_under_since", "95.973", "2.477", "81.200", "99.700", "0.276"),
    ("ce_after_since_clause", "99.997", "0.022", "99.800", "100.000", "0.099"),
    ("ce_embedded_under_verb", "99.259", "0.996", "93.000", "100.000", "0.300"),
    ("ce_conjunction", "100.000", "0.000", "100.000", "100.000", ""),
    ("ce_adverb", "100.000", "0.000", "100.000", "100.000", ""),
]


@pytest.mark.parametrize(("column", "mean", "sd", "low", "high", "r"), COLUMNS)
def test_every_published_column(published, column, mean, sd, low, high, r):
    found = stats.summary(100 * published[column])
    assert found.n == 100
    assert (found.mean, found.sd) == (as_printed(mean), as_printed(sd))
    assert (found.min, found.max) == (as_printed(low), as_printed(high))
    with_mnli = stats.correlation(published[MNLI], published[column])
    if r:
        assert with_mnli.r == as_printed(r)
    elif column != MNLI:
        assert np.isnan(with_mnli.r)
        assert "constant" in with_mnli.note


def test_claims_about_mnli(mnli):
    gold, counts = mnli
    assert dict(zip(*np.unique(gold, return_counts=True), strict=True)) == {
        "entailment": 3479,
        "contradiction": 3213,
        "neutral": 3123,
    }
    assert counts.sum() == 827_790
    found = stats.agreement_from_counts(counts, 100)
    assert (found.examples, found.runs) == (9815, 100)
    assert found.all_right * 9815 == pytest.approx(6526)
    assert found.all_wrong * 9815 == pytest.approx(526)
    assert found.split * 9815 == pytest.approx(2763)
    assert 100 * found.all_right == as_printed("66.49")
    assert 100 * found.all_wrong == as_printed("5.36")
    assert 100 * found.split == as_printed("28.15")
    assert 100 * (found.all_right + found.all_wrong) == as_printed("71.85")
    assert found.pairwise == as_printed("0.9372")
    assert found.fleiss_kappa == as_printed("0.762")


@pytest.mark.parametrize(
    ("a", "b", "raw", "given_mnli"),
    [
        ("lexical ne", "subsequence ne", ".7814", ".7810"),
        ("lexical ne", "constituent ne", "-.0812", ".0962"),
        ("subsequence ne", "constituent ne", ".1622", ".2664"),
        ("lexical e", "lexical ne", "-.4134", "-.4720"),
        ("lexical e", "subsequence ne", "-.5258", "-.5421"),
        ("lexical e", "constituent ne", "-.2648", "-.2814"),
        ("constituent e", "lexical ne", ".2371", ".0855"),
        ("constituent e", "constituent ne", "-.4633", "-.3949"),
        ("lexical e", "subsequence e", ".5904", ".5904"),
    ],
)
def test_raw_and_partial_correlations(published, a, b, raw, given_mnli):
    x, y = published[SHORT[a]], published[SHORT[b]]
    assert stats.correlation(x, y).r == as_printed(raw)
    assert stats.partial_correlation(x, y, published[MNLI]).r == as_printed(given_mnli)


@pytest.mark.parametrize(
    ("a", "b", "quadratic", "cubic", "rank"),
    [
        ("lexical ne", "subsequence ne", ".774", ".773", ".779"),
        ("lexical ne", "constituent ne", ".104", ".087", ".063"),
        ("subsequence ne", "constituent ne", ".277", ".247", ".196"),
    ],
)
def test_partial_correlations_by_other_regressions(published, a, b, quadratic, cubic, rank):
    columns = published[SHORT[a]], published[SHORT[b]], published[MNLI]
    for method, expected in (("quadratic", quadratic), ("cubic", cubic), ("rank", rank)):
        assert stats.partial_correlation(*columns, method).r == as_printed(expected)


def test_spearman_with_mnli(published):
    for column, expected in (("lexical ne", ".423"), ("constituent ne", "-.365")):
        assert stats.correlation(published[MNLI], published[SHORT[column]], "spearman").r == as_printed(expected)


def test_strongest_pairs_of_subcases(published):
    subcases = [name for name in published if name[:3] in {"ln_", "le_", "sn_", "se_", "cn_", "ce_"}]
    assert len(subcases) == 30
    found = {
        (a, b): stats.correlation(published[a], published[b]).r
        for place, a in enumerate(subcases)
        for b in subcases[place + 1 :]
    }
    first, second = sorted((pair for pair in found if not np.isnan(found[pair])), key=lambda p: -abs(found[p]))[:2]
    assert first == ("ln_preposition", "ln_relative_clause")
    assert found[first] == as_printed(".970")
    assert second == ("ln_subject/object_swap", "ln_relative_clause")
    assert found[second] == as_printed(".932")


@pytest.mark.parametrize(
    ("column", "all_runs", "large_cluster"),
    [
        ("lexical ne", ".487", ".217"),
        ("swap", ".390", ".200"),
        ("constituent ne", "-.330", "-.187"),
        ("subsequence ne", ".247", ".021"),
    ],
)
def test_correlation_with_mnli_inside_the_large_cluster(published, column, all_runs, large_cluster):
    large = np.setdiff1d(np.arange(100), SMALL_CLUSTER)
    x, y = published[MNLI], published[SHORT[column]]
    assert stats.correlation(x, y).r == as_printed(all_runs)
    assert stats.correlation(x[large], y[large]).r == as_printed(large_cluster)


@pytest.mark.parametrize(
    ("column", "small", "large"),
    [
        ("swap", "0.08", "21.60"),
        ("MNLI", "83.93", "84.40"),
        ("lexical ne", "9.6", "30.1"),
        ("constituent ne", "16.9", "12.5"),
    ],
)
def test_means_of_the_two_clusters(published, column, small, large):
    values = 100 * published[SHORT[column]]
    assert stats.summary(values[SMALL_CLUSTER]).mean == as_printed(small)
    assert stats.summary(np.delete(values, SMALL_CLUSTER)).mean == as_printed(large)


def test_spread_against_sampling_error(published):
    mnli, lexical = stats.summary(published[MNLI]), stats.summary(published[SHORT["lexical ne"]])
    assert 100 * stats.sampling_error(mnli.mean, 9815) == as_printed("0.367")
    assert 100 * stats.sampling_error(lexical.mean, 5000) == as_printed("0.63")
    assert mnli.sd < stats.sampling_error(mnli.mean, 9815)
    assert lexical.sd / stats.sampling_error(lexical.mean, 5000) == as_printed("20")
    assert stats.mean_sampling_error(published[MNLI], 9815) == pytest.approx(0.003668, abs=1e-6)


def test_agreement_of_the_instability_seeds_on_hans(hans_right, hans, labels):
    found = stats.agreement(hans_right)
    assert found.pairwise == as_printed(".937")
    assert found.fleiss_kappa == as_printed(".866")
    assert 100 * found.all_right == as_printed("53.7")
    assert 100 * found.all_wrong == as_printed("29.2")
    assert 100 * found.split == as_printed("17.1")
    merged = stats.label_agreement(labels["hans"] == "entailment")
    assert merged.fleiss_kappa == as_printed(".729")
    assert merged.pairwise == pytest.approx(found.pairwise)


@pytest.mark.parametrize(
    ("heuristic", "pairwise", "kappa"),
    [
        ("lexical_overlap", ".785", ".531"),
        ("subsequence", ".945", ".372"),
        ("constituent", ".931", ".547"),
    ],
)
def test_agreement_per_heuristic(hans_right, hans, heuristic, pairwise, kappa):
    gold, heuristics, _ = hans
    found = stats.agreement(hans_right[:, (heuristics == heuristic) & (gold == "non-entailment")])
    assert (found.pairwise, found.fleiss_kappa) == (as_printed(pairwise), as_printed(kappa))


def test_agreement_of_the_instability_seeds_on_mnli(mnli_right, labels):
    assert stats.agreement(mnli_right).fleiss_kappa == as_printed(".766")
    assert stats.label_agreement(labels["mnli"]).fleiss_kappa == as_printed(".899")


def test_majority_vote(mnli, hans_right):
    _, counts = mnli
    runs = np.arange(100)[:, None] < counts
    assert stats.majority_vote(runs).sum() == 8347
    assert 100 * stats.majority_vote(runs).mean() == as_printed("85.04")


def points(parts):
    return tuple(100 * abs(part) ** 0.5 for part in (parts.total, parts.independent, parts.covariance))


def test_decomposed_variance(published, mnli, mnli_right, hans_right, hans):
    _, counts = mnli
    _, _, subcases = hans
    found = {
        (".2420", ".1788", ".1630"): stats.decompose_variance_from_counts(counts, 100, published[MNLI]),
        (".2394", ".1755", ".1628"): stats.decompose_variance(mnli_right),
        ("1.514", ".1025", "1.511"): stats.decompose_variance(hans_right),
        ("7.32", ".85", "7.27"): stats.decompose_variance(hans_right[:, subcases == "ln_subject/object_swap"]),
        ("20.09", "1.21", "20.05"): stats.decompose_variance(hans_right[:, subcases == "ln_passive"]),
    }
    for expected, parts in found.items():
        assert points(parts) == tuple(map(as_printed, expected))


@pytest.mark.parametrize(
    ("column", "maxima"),
    [
        ("MNLI", (".84339", ".84587", ".84648", ".84738", ".84759")),
        ("swap", (".190", ".411", ".490", ".617", ".643")),
        ("lexical ne", (".277", ".422", ".465", ".526", ".537")),
        ("overall", (".567", ".596", ".605", ".619", ".623")),
    ],
)
def test_expected_maximum(published, column, maxima):
    found = [stats.expected_maximum(published[SHORT[column]], n) for n in (1, 5, 10, 50, 100)]
    assert found == [as_printed(value) for value in maxima]


@pytest.mark.parametrize(
    ("column", "widths"),
    [("MNLI", ("0.30", "0.17", "0.05")), ("lexical ne", ("15.4", "8.8", "2.5")), ("swap", ("21.5", "12.4", "3.4"))],
)
def test_half_width_of_a_mean(published, column, widths):
    sd = stats.summary(100 * published[SHORT[column]]).sd
    assert [stats.half_width(sd, n) for n in (5, 10, 100)] == [as_printed(width) for width in widths]


def test_accuracies_of_the_instability_seeds(hans_right, mnli_right, hans):
    expected = [".6055", ".6287", ".6395", ".6052", ".6389", ".6058", ".6091", ".6356", ".6383", ".6242"]
    assert list(hans_right.mean(axis=1)) == [as_printed(value) for value in expected]
    mnli = stats.summary(100 * mnli_right.mean(axis=1))
    assert (mnli.min, mnli.max) == (as_printed("84.22"), as_printed("85.02"))
    swap = stats.summary(100 * hans_right[:, hans[2] == "ln_subject/object_swap"].mean(axis=1))
    assert (swap.min, swap.max) == (as_printed("69.8"), as_printed("94.4"))
