"""Disagreement: which examples split the runs, and which runs agree."""

import streamlit as st

from app import data, disagreement, sidebar, widgets
from app.figures import disagreement as figures
from app.figures import theme
from app.queries import catalogue, votes
from app.queries import examples as listing
from app.text import common as words
from app.text import disagreement as text
from app.text import examples as example_text

view = sidebar.current().changed(example=None)
connection = data.connection()
st.title("Disagreement")
st.markdown(text.INTRO)
widgets.synthetic(catalogue.collections(connection), [view.collection])

everything = data.votes(view)
rows = listing.page(connection, everything, view, listing.Selection(), None)
known = rows[rows["correct"].notna()]
graded = not known.empty
if rows.empty or (not graded and view.rule == "sum"):
    predictions = votes.has_predictions(connection, view)
    if rows.empty:
        counts = not predictions and not data.votes(view.changed(runs=(), step=None)).empty
        sentence = example_text.no_votes(view, predictions=predictions, counts=counts)
    else:
        sentence = example_text.no_logits(view)
    widgets.empty(sentence, clear=["run", "step", "heuristic", "gold", "subcase", "rule"])
    st.stop()
runs = int(rows["runs"].max())
widgets.in_view(view.describe(runs=runs, examples=len(rows)))
if runs == 1:
    widgets.note(text.ONE_RUN)

if graded:
    st.subheader("How many runs are right")
    log = st.toggle("Logarithmic", key="log", bind="query-params")
    counts = disagreement.histogram(known)
    alt = text.histogram_alt(counts)
    picked = widgets.figure(figures.histogram(counts, log=log), counts, name="right-runs", alt=alt, select=("points",))
    st.caption(text.CLICK_BAR)
    if picked:
        title = f"right in {picked[0]} of {runs} runs"
        widgets.reader(known[known["correct"].isin(picked)], view, title=title, key="bar")
    widgets.metrics(text.numbers(disagreement.agreement(known)), text.NUMBERS_HELP)
else:
    widgets.note(text.ONLY_LABELS.format(reason=example_text.no_gold(view)))

answers = data.answers(view)
if answers is None:
    widgets.note(text.no_predictions(view))
elif len(answers.runs) > 1:
    answers = answers.at(rows["position"])
    st.subheader("Which runs agree")
    left, right = st.columns(2)
    with left:
        kinds = ["correctness", "labels"] if graded else ["labels"]
        what = widgets.choice("Agreement in", kinds, key="agree", help=text.LABELS_NOTE)
    with right:
        value = widgets.choice("Colour", ["agreement", "kappa"], key="value")
    order, together, kappa = disagreement.pairs(answers, what)
    table = disagreement.matrix_rows(order, together, kappa)
    left, right = st.columns([3, 2])
    with left:
        figure = figures.matrix(table, order, value)
        pair = widgets.figure(
            figure, table, name="agreement", alt=f"{value} in {what} of all pairs", select=("points",)
        )
        if graded:
            st.caption(text.CLICK_CELL)
    with right:
        if what == "labels":
            widgets.metrics(text.label_numbers(disagreement.label_agreement(answers)), text.LABEL_NUMBERS_HELP)
        else:
            scatter = disagreement.by_accuracy(answers)
            alt = "mean agreement against accuracy, a point a run"
            widgets.figure(figures.by_accuracy(scatter), scatter, name="agreement-accuracy", alt=alt)
    st.caption(text.KAPPA)

if graded and answers is not None and len(answers.runs) > 1:
    st.subheader("Two runs or groups")
    left, right = st.columns(2)
    with left:
        a = widgets.choices("A", answers.runs, key="a", placeholder="the first run, or a square clicked above")
    with right:
        b = widgets.choices("B", answers.runs, key="b", placeholder="the other runs, or a square clicked above")
    a, b = disagreement.sides(answers.runs, a, b, pair[0][:2] if pair else None)
    found = disagreement.compare(answers, a, b)
    sides = text.side(a), text.side(b)
    left, right = st.columns([2, 3])
    with left:
        cell = widgets.quarters(disagreement.cell_rows(found), name="two-by-two")
    with right:
        st.markdown(text.compared(found, *sides))
        st.caption(f"{text.CLICK_QUARTER} {text.GROUPS} {text.MCNEMAR}")
        if cell:
            chosen = known[known["position"].isin(found["positions"][cell])]
            widgets.reader(chosen, view, title=cell, key="cell")

    st.subheader("Who is right together")
    if len(answers.runs) > disagreement.MOST_RUNS_IN_PATTERNS:
        widgets.note(text.CHOOSE_FEW)
    else:
        patterns = disagreement.patterns(answers)
        figure = figures.patterns(patterns, answers.runs)
        pattern = widgets.figure(figure, patterns, name="patterns", alt="examples by pattern", select=("points",))
        st.caption(text.CLICK_PATTERN)
        if pattern:
            positions = disagreement.positions_of_pattern(answers, pattern[0])
            widgets.reader(known[known["position"].isin(positions)], view, title="this pattern", key="pattern")

subcases = disagreement.by_subcase(known, known.set_index("position")["subcase"])
if runs > 1 and len(subcases):
    st.subheader("Subcases by how much they split the runs")
    names = [words.subcase_with_cell(s) for s in subcases["subcase"]]
    heuristics = rows.drop_duplicates("subcase").set_index("subcase")["heuristic"]
    colours = [theme.colour(h) for h in subcases["subcase"].map(heuristics)]
    figure = figures.subcases(subcases, names, colours)
    widgets.figure(figure, subcases, name="split-subcases", alt="share of examples that split the runs, by subcase")
    widgets.table(disagreement.subcase_table(subcases, names), name="subcases-split", full=lambda: subcases)
