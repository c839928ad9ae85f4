"""The words of the Subcases page: what each HANS subcase tests, with a pair of our own."""

from dataclasses import dataclass

import pandas as pd

from app.filters import Filter
from app.measures import Measure
from app.text import common as words

INTRO = (
    "HANS asks whether a model leans on three shortcuts. Each has five constructions where the shortcut happens to be "
    "right (*entailed*) and five where it is wrong (*non-entailed*). A histogram shows how the runs of a collection "
    "spread on one of them."
)
HOW_TO_READ = "Filled bars: entailed. Hatched bars: non-entailed. Dashed: what guessing gives."
NOISE = (
    "One and the same model would vary by the sampling error, too, over test sets of this size: where the SD over runs "
    "is no larger, as on MNLI, the runs' differences are no evidence that one is better."
)


@dataclass(frozen=True)
class Subcase:
    """What a construction tests, and an invented pair in which the hypothesis follows or does not."""

    explanation: str
    premise: str
    hypothesis: str


SUBCASES = {
    "le_relative_clause": Subcase(
        "The hypothesis takes out a relative clause and turns it into a sentence of its own; it follows.",
        "The gardener who greeted the pilot whistled .",
        "The gardener greeted the pilot .",
    ),
    "le_around_prepositional_phrase": Subcase(
        "The hypothesis leaves out a prepositional phrase between the subject and the verb; it follows.",
        "The gardener behind the pilots whistled .",
        "The gardener whistled .",
    ),
    "le_around_relative_clause": Subcase(
        "The hypothesis leaves out a relative clause between the subject and the verb; it follows.",
        "The gardener that the pilots greeted whistled .",
        "The gardener whistled .",
    ),
    "le_conjunction": Subcase(
        "Two things are joined by “and”; the hypothesis keeps one of them, and follows.",
        "The gardener greeted the pilot and the baker .",
        "The gardener greeted the baker .",
    ),
    "le_passive": Subcase(
        "The premise is passive, the hypothesis says the same actively; it follows.",
        "The pilot was greeted by the gardener .",
        "The gardener greeted the pilot .",
    ),
    "ln_subject/object_swap": Subcase(
        "Subject and object change places: the same words, another event.",
        "The gardener greeted the pilot .",
        "The pilot greeted the gardener .",
    ),
    "ln_preposition": Subcase(
        "Someone is placed by a preposition; the hypothesis makes that person do what another did.",
        "The gardener beside the pilots greeted the baker .",
        "The pilots greeted the baker .",
    ),
    "ln_relative_clause": Subcase(
        "Someone occurs in a relative clause; the hypothesis gives that person the main clause's part.",
        "The gardener who the pilots admired greeted the baker .",
        "The pilots greeted the baker .",
    ),
    "ln_passive": Subcase(
        "The premise is passive; the hypothesis takes it as active and turns it round.",
        "The gardener was greeted by the pilot .",
        "The gardener greeted the pilot .",
    ),
    "ln_conjunction": Subcase(
        "Two people are joined by “and”; the hypothesis lets one act on the other.",
        "The gardener and the pilot greeted the baker .",
        "The pilot greeted the gardener .",
    ),
    "se_conjunction": Subcase(
        "The hypothesis is the end of a sentence with two joined subjects, without the first; it follows.",
        "The gardener and the pilots whistled .",
        "The pilots whistled .",
    ),
    "se_adjective": Subcase(
        "The hypothesis drops an adjective that opens the sentence; it follows.",
        "Cheerful gardeners whistled .",
        "Gardeners whistled .",
    ),
    "se_understood_object": Subcase(
        "A verb that can do without its object loses it; what is left follows.",
        "The gardener sang a ballad .",
        "The gardener sang .",
    ),
    "se_relative_clause_on_obj": Subcase(
        "The hypothesis stops before a relative clause about the object; it follows.",
        "The gardener greeted the pilots that whistled .",
        "The gardener greeted the pilots .",
    ),
    "se_PP_on_obj": Subcase(
        "The hypothesis stops before a prepositional phrase about the object; it follows.",
        "The gardener greeted the pilots near the gate .",
        "The gardener greeted the pilots .",
    ),
    "sn_NP/S": Subcase(
        "What looks like the object is the subject of an embedded sentence.",
        "The gardener believed the pilots were late .",
        "The gardener believed the pilots .",
    ),
    "sn_PP_on_subject": Subcase(
        "The noun next to the verb belongs to a prepositional phrase about the real subject.",
        "The gardener near the pilots whistled .",
        "The pilots whistled .",
    ),
    "sn_relative_clause_on_subject": Subcase(
        "The noun next to the verb belongs to a relative clause about the real subject.",
        "The gardener that greeted the pilots whistled .",
        "The pilots whistled .",
    ),
    "sn_past_participle": Subcase(
        "A participle looks like the main verb, but only describes the noun.",
        "The gardener served in the café whistled .",
        "The gardener served in the café .",
    ),
    "sn_NP/Z": Subcase(
        "A noun that seems to be the object of the first verb is the subject of the second.",
        "While the gardener sang the ballad ended .",
        "The gardener sang the ballad .",
    ),
    "ce_embedded_under_since": Subcase(
        "A clause after “since” is presented as a fact, so it follows.",
        "Since the gardener whistled , the pilots smiled .",
        "The gardener whistled .",
    ),
    "ce_after_since_clause": Subcase(
        "The main clause after a since-clause is asserted, so it follows.",
        "Since the gardener whistled , the pilots smiled .",
        "The pilots smiled .",
    ),
    "ce_embedded_under_verb": Subcase(
        "A clause under a verb that presupposes its truth, such as “forgot that”; it follows.",
        "The gardener forgot that the pilots smiled .",
        "The pilots smiled .",
    ),
    "ce_conjunction": Subcase(
        "One of two clauses joined by “and” follows.",
        "The gardener whistled , and the pilots smiled .",
        "The gardener whistled .",
    ),
    "ce_adverb": Subcase(
        "A sentence after an adverb that leaves its truth alone, such as “of course”; it follows.",
        "Of course the gardener whistled .",
        "The gardener whistled .",
    ),
    "cn_embedded_under_if": Subcase(
        "A clause after “if” is a condition, not a fact.",
        "If the gardener whistled , the pilots smiled .",
        "The gardener whistled .",
    ),
    "cn_after_if_clause": Subcase(
        "What would happen under a condition need not happen.",
        "If the gardener whistled , the pilots smiled .",
        "The pilots smiled .",
    ),
    "cn_embedded_under_verb": Subcase(
        "A clause under a verb that does not promise its truth, such as “hoped that”.",
        "The gardener hoped that the pilots smiled .",
        "The pilots smiled .",
    ),
    "cn_disjunction": Subcase(
        "One of two clauses joined by “or” need not hold.",
        "The gardener whistled , or the pilots smiled .",
        "The gardener whistled .",
    ),
    "cn_adverb": Subcase(
        "A sentence after an adverb that leaves its truth open, such as “perhaps”.",
        "Perhaps the gardener whistled .",
        "The gardener whistled .",
    ),
}

SHOWN = {
    "measure": "accuracy on",
    "collection": "collection",
    "runs": "runs",
    "mean": "mean (%)",
    "sd": "SD",
    "error": "sampling error",
    "min": "min",
    "median": "median",
    "max": "max",
    "above_chance": "above chance",
    "n": "examples",
    "origin": "origin",
}
"""Columns of the table, and of the LaTeX, by their names in `app.subcases.summaries`."""

COLUMNS = (
    "*Sampling error*: the standard error of an accuracy at the mean, on a test set of this size. *Above chance*: how "
    "many runs beat guessing, each by an exact one-sided binomial test at the 5 % level."
)


def table(summaries: pd.DataFrame) -> pd.DataFrame:
    """The summaries in percent, as they are printed: two digits, since 1,000 examples support no more.

    Slices of one test set go without its name.
    """
    shown = summaries[list(SHOWN)].copy()
    if summaries["dataset"].nunique() == 1 and (summaries["part"] != "").all():
        shown["measure"] = summaries["part"]
    for column in ("mean", "sd", "min", "max", "median", "error"):
        shown[column] = (100 * shown[column]).round(2)
    return shown.rename(columns=SHOWN)


def printed(summaries: pd.DataFrame) -> pd.DataFrame:
    """The table for a paper: without origin, two digits everywhere."""
    shown = table(summaries).drop(columns=["origin"])
    return shown.map(lambda value: f"{value:.2f}" if isinstance(value, float) else value)


def alt(collections: list[str], measures: list[Measure], summaries: pd.DataFrame) -> str:
    """What the histograms show, for readers who cannot see them."""
    of_these = summaries[summaries["measure"].isin([m.label for m in measures])]
    ranges = "; ".join(
        f"{row.measure}, {row.collection}: {words.percent(row.min)} to {words.percent(row.max)}"
        for row in of_these.itertuples()
    )
    return f"Histograms of the runs of {', '.join(collections)}. {ranges}."


def in_view(view: Filter, accuracies: pd.DataFrame, preset: str) -> str:
    """Which runs the page shows, the chosen collection first, and on how many examples."""
    runs = accuracies.groupby("collection", sort=False)["run"].nunique()
    others = [f"{words.count(n, 'run')} of {name}" for name, n in runs.items() if name != view.collection]
    examples = accuracies.groupby(["collection", "run"])["n"].sum().max() if len(accuracies) else 0
    who = [view.describe(runs=int(runs.get(view.collection, 0))), *others]
    return " · ".join([*who, preset, words.count(int(examples), "example")])


def default(presets) -> str:
    """The paper's headline exhibit where there is one."""
    return "Lexical overlap, non-entailed" if "Lexical overlap, non-entailed" in presets else next(iter(presets))


def explain(measure: Measure) -> str:
    """Name, explanation and invented pair of a subcase, in Markdown."""
    subcase = SUBCASES[measure.subcase]
    arrow = "→" if measure.gold == "entailment" else "↛"
    return (
        f"**{words.literal(words.subcase(measure.subcase))}** `{measure.subcase}`  \n{subcase.explanation}  \n"
        f"*{subcase.premise}* {arrow} *{subcase.hypothesis}*"
    )


def missing(collection: str, preset: str, rule: str) -> str:
    logits = " scored by “sum, then merge”, which needs logits" if rule == "sum" else ""
    return f"{collection} is not shown: no run in view has results on {preset}{logits}."
