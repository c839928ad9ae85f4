"""The words of the page Audit."""

INTRO = (
    "What the paper says about its 100 runs, recomputed from the data at this moment. Each row shows the claim, the "
    "number now, and the query that gave it."
)

CLAIMS = {
    "mnli_range": ("MNLI accuracy of all 100 runs lies between these two values", "83.6 – 84.8 %"),
    "swap_range": ("Accuracy on subject/object swap ranges over", "0.0 – 66.2 %"),
    "preposition_range": ("Accuracy on the non-entailed prepositional phrases ranges over", "4 – 76 %"),
    "lexical_range": ("Accuracy on lexical overlap, non-entailed, ranges over", "5 – 55 %"),
    "all_wrong": ("MNLI examples that every run gets wrong", "526"),
    "unanimous": ("Share of MNLI examples on which all runs are right or all are wrong", "72 %"),
    "one_cell_of_six": (
        "Five of the six HANS cells are consistent over runs; lexical overlap, non-entailed, is not",
        "five of six",
    ),
}
"""Claim -> (the claim in our words, the number as the paper prints it)."""

NOTES = {
    "mnli_range": "The lowest run has 83.668 %, which rounds to 83.7; only cutting off gives 83.6.",
    "one_cell_of_six": "The contrast holds; 'consistent' does not mean 'equal' for the constituent heuristic.",
}

VERDICT_COLOURS = {
    "exact": "green",
    "right": "green",
    "right as a contrast": "blue",
    "right only if cut off, not rounded": "orange",
    "different": "red",
    "no data": "gray",
}

REPRODUCED = (
    ("MNLI accuracy as a histogram", "subcases", "preset *MNLI*"),
    ("The six HANS cells as histograms over runs", "subcases", "preset *six cells*"),
    ("Five lexical-overlap subcases as histograms", "subcases", "preset *lexical overlap*"),
    ("Mean, spread and extremes of all 30 subcases", "subcases", "the table under *all 30*"),
    ("MNLI examples that k of 100 runs get right", "disagreement", "the counts are published"),
)
"""(exhibit, page, where on the page)."""

IMPOSSIBLE = (
    (
        "HANS examples on which the 100 runs differ",
        "needs every prediction: `python -m pipeline fetch feather` brings all 3,981,500 of them",
    ),
    (
        "Initial weights and training order apart",
        "in these 100 runs both changed together; train crossed seeds to separate them",
    ),
    ("The weights themselves", "they are public elsewhere (1.2 GB a run); `evaluate` reads them once downloaded"),
)
"""(what cannot be shown from the shipped data, why and what would open it)."""

SOURCE_LABELS = {"accuracies": "published accuracies", "predictions": "every single prediction"}

NO_PREDICTIONS = (
    "Only the published accuracies are here. After `python -m pipeline fetch feather` the same claims can be "
    "recomputed from every single prediction."
)
NO_DATA = "None of the stores holds berts-of-a-feather, so there is nothing to audit. It ships in `data/published`."
