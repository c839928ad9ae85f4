"""The words of the Examples page."""

from app.filters import Filter
from app.text import common as words
from app.text import subcases

INTRO = "Single examples and how many of the runs get them right. Select a row to read the pair and every run's answer."
SEARCH_HELP = 'All words must occur; "quotes" hold a phrase together; -word excludes it.'
SHARE = "Share of runs that are right, in percent"
PREDICTED_HELP = "The label that most runs give; where labels tie, each of them counts."
NO_EXAMPLE = "No example {example} in {dataset}."
NOT_IN_LIST = "Not in the list below: the filters leave it out."
SHARED = "Marked: words that premise and hypothesis share."
RULE_NOTE = "Right or wrong by the rule “{rule}”."


def no_votes(view: Filter, *, predictions: bool, counts: bool) -> str:
    """Why the list is empty before any filter."""
    dataset = words.dataset(view.dataset or "")
    if counts:
        return (
            f"Of {view.collection} only the number of runs that are right on each example of {dataset} was published, "
            "over all runs and the final checkpoint: choose no runs and no step. `python -m pipeline fetch feather` "
            "brings the predictions of the 100 BERTs of a feather."
        )
    if predictions:
        return f"None of the chosen runs has predictions on {dataset} at this checkpoint."
    if view.collection == "berts-of-a-feather":
        return (
            f"Of berts-of-a-feather only accuracies on {dataset} are here. `python -m pipeline fetch feather` brings "
            "every single prediction of the 100 runs."
        )
    return (
        f"{view.collection} has accuracies on {dataset}, but no predictions. `python -m pipeline import` adds "
        "predictions of your own runs, `python -m pipeline evaluate` makes them from a checkpoint."
    )


def no_text(dataset: str) -> str:
    """Why there are no sentences, and how to get them."""
    if dataset in ("hans", "mnli"):
        return f"The sentences are not here yet: `python -m pipeline fetch {dataset}` brings them."
    return "The sentences of this test set are not here: `python -m pipeline add-dataset` brings a test set with text."


def no_logits(view: Filter) -> str:
    return (
        f"{view.collection} has no logits on {words.dataset(view.dataset or '')}, which “{words.RULES['sum']}” needs: "
        f"choose “{words.RULES['argmax']}”."
    )


def no_gold(view: Filter) -> str:
    return f"The gold labels of {words.dataset(view.dataset or '')} are not known, so no answer is right or wrong."


def explained(row: dict) -> str:
    """What the example tests, in words; empty where nothing is known of its subcase."""
    known = subcases.SUBCASES.get(row["subcase"])
    return known.explanation if known else ""


def facts(row: dict) -> str:
    """Id, gold label and slices of an example in one line."""
    parts = [f"example {row['example']}", f"gold: {row['gold'] or 'unknown'}"]
    if row["subcase"]:
        parts.append(words.subcase_with_cell(row["subcase"]))
    elif row["heuristic"]:
        parts.append(words.heuristic(row["heuristic"]))
    parts += [f"{name} {row[name]}" for name in ("template", "genre") if row[name]]
    return " · ".join(parts)


def right_of(labels) -> str:
    """ "7 of 10 runs are right", or what can be said without gold labels."""
    known = labels["correct"].notna()
    if not known.any():
        return words.count(len(labels), "run")
    return f"{int(labels['correct'].sum())} of {words.count(len(labels), 'run')} right"
