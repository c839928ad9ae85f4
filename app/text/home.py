"""The words of the Home page."""

import pandas as pd

from app.text import common as words

INTRO = (
    "Train the same model many times, changing nothing but the random seed, and the runs agree on the test set that "
    "resembles their training data – and disagree on what they have learnt. Flock shows which runs differ, where, on "
    "which examples, and whether it is more than noise."
)
CONTRAST_TITLE = "Alike on MNLI, unlike on HANS"
NO_CONTRAST = "No collection here has both MNLI and HANS accuracies; the contrast of the two appears once one does."

QUESTIONS = (
    # question, page, parameters of its address
    (
        "How far apart are runs that score alike on MNLI?",
        "seeds",
        {"x": "MNLI matched dev", "y": "HANS: lexical overlap, non-entailed"},
    ),
    ("On which constructions do the runs differ most?", "subcases", {"show": "All 30 subcases"}),
    ("Which single examples split the runs?", "disagreement", {}),
    ("Is a difference between runs more than noise?", "compare", {}),
)


def contrast(summaries: pd.DataFrame) -> str:
    """The contrast in a sentence; two summaries, MNLI's and HANS's."""
    mnli, hans = summaries.itertuples()
    name = words.literal(mnli.collection)
    return (
        f"The {mnli.runs} runs of {name} score between {words.percent(mnli.min, 2)} and {words.percent(mnli.max, 2)} "
        f"on MNLI: an SD of {100 * mnli.sd:.2f} points, {_than_noise(mnli)} sampling error of the test set "
        f"({100 * mnli.error:.2f}). On the lexical-overlap examples of HANS that the shortcut gets wrong they score "
        f"between {words.percent(hans.min, 1)} and {words.percent(hans.max, 1)}: an SD of {100 * hans.sd:.1f} points, "
        f"{_than_noise(hans)} sampling error ({100 * hans.error:.2f})."
    )


def _than_noise(row) -> str:
    return "less than the" if row.sd < row.error else f"{row.sd / row.error:.1f} times the"


def totals(collections: pd.DataFrame) -> str:
    """How much there is in all."""
    return " · ".join(
        (
            words.count(len(collections), "collection"),
            words.count(int(collections["runs"].sum()), "run"),
            words.count(int(collections["checkpoints"].sum()), "checkpoint"),
            words.count(int(collections["predictions"].sum()), "prediction"),
        )
    )


def alt(summaries: pd.DataFrame) -> str:
    ranges = "; ".join(
        f"{row.measure}: {words.percent(row.min)} to {words.percent(row.max)}" for row in summaries.itertuples()
    )
    return f"Two histograms of runs of {summaries['collection'].iloc[0]}. {ranges}."


def collections_table(collections: pd.DataFrame) -> pd.DataFrame:
    """What is here, a row a collection."""
    return pd.DataFrame(
        {
            "collection": collections["collection"],
            "runs": collections["runs"],
            "checkpoints": collections["checkpoints"],
            "test sets": collections["datasets"].map(len),
            "predictions": collections["predictions"],
            "can answer": [_can_answer(row) for row in collections.itertuples()],
            "source": collections["source"].fillna("—"),
            "licence": collections["licence"].fillna("—"),
        }
    )


def about(row) -> str:
    """A collection's title and description, in Markdown; what its owner wrote appears as written."""
    made_up = f" *Synthetic: {words.SYNTHETIC}.*" if row.synthetic else ""
    return f"**{words.literal(row.title)}** – {words.literal(row.description or 'no description')}{made_up}"


def _can_answer(row) -> str:
    if row.predictions:
        return "every run's label on every example" + (", with logits" if row.with_logits else "")
    return "accuracies, and how many runs are right on some examples" if row.by_example else "accuracies"
