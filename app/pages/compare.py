"""Compare: two groups of runs, and whether their difference is more than noise."""

import streamlit as st

from app import comparing, data, other_group, sidebar, spreading, widgets
from app.figures import compare as figures
from app.queries import accuracies as queries
from app.queries import catalogue
from app.queries import compare as reading
from app.text import common as words
from app.text import compare as text
from pipeline import store


@st.cache_data(max_entries=32, show_spinner="Drawing runs and examples …")
def differences(fingerprint, views, measures, draw_runs, draw_examples, _groups, _examples):
    """`comparing.compare`, kept between reruns until a store changes; all but the last two tell results apart."""
    return comparing.compare(*_groups, measures, _examples, draw_runs=draw_runs, draw_examples=draw_examples)


view = sidebar.current().changed(example=None, q="")
connection = data.connection()
st.title("Compare")
st.markdown(text.INTRO)
collections = catalogue.collections(connection)
asked = other_group.choose(view, connection, collections)
shown = list(dict.fromkeys([view.collection, asked.collection]))
widgets.synthetic(collections, shown)
known = queries.measures(connection, shown)
view, other = comparing.applicable(view, known), comparing.applicable(asked, known)
if other != asked:
    widgets.note(text.not_split(view))
levels = comparing.levels(known, view)
if not levels:
    widgets.empty(text.nothing("A", view, ""), clear=["heuristic", "gold", "subcase", "dataset"])
    st.stop()
columns = st.columns(3)
with columns[0]:
    level = widgets.choice("Slices", list(levels), key="slices")
with columns[1]:
    draw_runs = widgets.choice("Draw runs", ["drawn", comparing.FIXED], key="runs", help=text.DRAW_HELP) == "drawn"
with columns[2]:
    draw_examples = widgets.choice("Draw examples", comparing.EXAMPLES, key="examples", help=text.DRAW_HELP)

measures = levels[level]
a, b = (other_group.load(asked, connection, measures) for asked in (view, other))
examples = {m.dataset: reading.examples(connection, m.dataset) for m in measures}
runs = comparing.runs(a), comparing.runs(b)
widgets.in_view(text.in_view(view, other, runs, level))
for name, group in (("A", a), ("B", b)):
    if group.accuracies.empty:
        widgets.empty(text.nothing(name, group.view, level), clear=["run", "step", "rule"])
        st.stop()
same = comparing.is_same(a, b)
if same:
    widgets.note(text.SAME)
else:
    for sentence in text.cautions(a, b):
        widgets.note(sentence)
    key = (store.fingerprint(), (view, other), measures, draw_runs, draw_examples)
    table = differences(*key, (a, b), examples)
    if left_out := [m for m in measures if table.empty or m.label not in set(table["measure"])]:
        widgets.note(text.absent(left_out))
    if len(table):
        for sentence in text.limits(table, a, b, measures, draw_examples):
            widgets.note(sentence)
        everything = comparing.runs_shown(a, b, measures)
        for scoring, part in table.groupby("scoring", sort=False):
            if table["scoring"].nunique() > 1:
                st.markdown(f"**{words.SCORINGS[scoring].capitalize()} test sets**")
            fig = figures.forest(part, everything)
            widgets.figure(fig, part, name=f"differences-{scoring}", alt=text.alt(part))
        st.caption(f"{text.CAPTION} {text.COVERAGE}")
        widgets.table(text.comparison(table), name="differences", noun="slice", full=lambda: table)
        widgets.download("All runs (CSV)", lambda: widgets.to_csv(everything), "runs.csv", key="runs csv")

both = {"A": a} if same else {"A": a, "B": b}
st.subheader(text.VARIANCE)
variances = spreading.variances(both, measures, examples)
if variances["sd"].isna().all():
    widgets.note(text.NO_SPREAD)
for scoring, part in variances[variances["sd"].notna()].groupby("scoring", sort=False):
    widgets.figure(figures.variances(part), part, name=f"variance-{scoring}", alt=text.variance_alt(part))
st.caption(text.VARIANCE_CAPTION)
widgets.table(text.variance_table(variances), name="variances", full=lambda: variances)

st.subheader(text.SEEDS)
left, right = st.columns(2)
with left:
    label = widgets.choice("On", list(dict.fromkeys(variances["measure"])), key="on")
with right:
    points = st.number_input("Difference to find (points)", 0.01, 100.0, 1.0, key="difference", bind="query-params")
measure = next(m for m in measures if m.label == label)
curves = spreading.best_of(both, measure)
rows = comparing.runs_shown(a, b, [measure])
fig = figures.seeds(curves, rows)
widgets.figure(fig, curves, name="best-of-n", alt=f"expected best and worst of n runs on {label}")
st.caption(text.SEEDS_CAPTION)
for name, curve in curves.groupby("group"):
    st.markdown(text.best_of(curve, name, label))
needed = spreading.needed(both, measures, points / 100)
if len(needed):
    st.markdown(text.needed_title(points))
    widgets.table(text.needed_table(needed), name="runs-needed", full=lambda: needed)
    st.caption(text.ASSUMPTIONS)
