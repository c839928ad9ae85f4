"""Transfer: does one result predict another, once in-domain accuracy is accounted for?"""

import streamlit as st

from app import data, sidebar, transferring, widgets
from app.figures import transfer as figures
from app.queries import accuracies as queries
from app.queries import catalogue, runs
from app.queries import transfer as training
from app.text import common as words
from app.text import seeds as seed_words
from app.text import transfer as text


def correlations(view, connection, measures: dict) -> None:
    """The two heat maps, their table, and the runs behind one cell."""
    presets = transferring.presets(list(measures.values()))
    steps = catalogue.steps(connection, view.collection)
    columns = [*st.columns(2), *st.columns(2)]
    with columns[0]:
        preset = widgets.choice("Correlate", list(presets), key="show")
    with columns[1]:
        given = widgets.choice("In-domain accuracy", list(measures), key="given", help=text.GIVEN_HELP)
    with columns[2]:
        method = widgets.choice("Regression", transferring.REGRESSIONS, key="method", help=text.REGRESSION_HELP)
    with columns[3]:
        few_runs = len(catalogue.runs(connection, view.collection)) < 3 <= len(steps)
        units = list(text.UNITS) if len(steps) > 1 else ["runs"]
        unit = widgets.choice("Unit", units, key="unit", default="checkpoints" if few_runs else "runs")
    wanted = list(dict.fromkeys([measures[given], *presets[preset]]))
    rows = queries.by_run(connection, view, wanted, every_step=unit == "checkpoints")
    table = transferring.wide(rows, wanted)
    widgets.in_view(text.in_view(view, table, unit, preset))
    if absent := [m for m in wanted if m.label not in table]:
        widgets.note(text.missing(absent, view.collection, view.rule))
    if table.empty or given not in table or len(table.columns) < 2:
        widgets.empty("No run in view has both the in-domain accuracy and another.", clear=["run", "step", "rule"])
        return
    st.markdown(text.UNITS[unit])
    if len(table) < 3:
        widgets.empty(text.too_few(len(table), unit, len(steps)), clear=["run"])
        return
    if len(table) < 20:
        widgets.note(text.few(len(table), transferring.least_r(len(table))))
    if "model" in runs.properties(connection, [view.collection]):
        widgets.note(text.MODELS)
    if constant := transferring.constants(table):
        widgets.note(text.constant(constant, len(table), unit))

    found = st.cache_data(transferring.pairs, max_entries=16)(table, given, method)
    names = text.names([m for m in wanted if m.label in table])
    for column, kind in zip(st.columns(2), transferring.KINDS, strict=True):
        with column:
            st.markdown("**Raw**" if kind == "raw" else f"**Given {words.literal(given)}** ({method})")
            fig = figures.heat_map(found, list(table), names, kind)
            clicked = widgets.figure(fig, found, name=kind, alt=text.alt(kind, found), select=("points",))
            transferring.follow(st.session_state, kind, clicked)
    st.caption(f"{text.STARS} {text.NO_GENERAL_SIGN}")
    if view.collection == seed_words.FEATHER and not view.runs:
        st.caption(f"{seed_words.CLUSTERS} {text.ONE_CLUSTER}")

    st.subheader("One pair")
    left, right = st.columns(2)
    others = [label for label in table if label != given]
    with left:
        x = widgets.choice("x", list(table), key="x", default=others[0])
    with right:
        y = widgets.choice("y", [label for label in table if label != x], key="y", default=others[-1])
    st.markdown(text.pair(transferring.find(found, x, y), x, y, given, method))
    points = transferring.points(table, x, y, given, method)
    for column, residual in zip(st.columns(2), (False, True), strict=True):
        titles = [text.axis(measures[m], residual=residual, given=given, method=method) for m in (x, y)]
        with column:
            percent = not residual or method != "rank"
            fig = figures.scatter(points, titles, residual=residual, percent=percent, unit=unit)
            alt = f"{words.count(len(points), unit[:-1])}: {titles[1]} against {titles[0]}"
            widgets.figure(fig, points, name="residuals" if residual else "accuracies", alt=alt)
    st.subheader("All pairs")
    widgets.table(text.pair_table(found), name="pairs", noun="pair", full=lambda: found)


def trained_and_tested(connection, given: str) -> None:
    """Training sets × test sets, for each architecture that has several."""
    st.subheader(text.TRAINED)
    trained = training.training_sets(connection)
    if trained.empty:
        widgets.note(text.NO_TRAINED)
    for model, own in trained.groupby("model", sort=False):
        st.markdown(text.TRAINED_INTRO.format(model=words.literal(model)))
        accuracies = training.whole_sets(connection, list(own["collection"]))
        homes = {}
        for column, row in zip(st.columns(len(own)), own.itertuples(), strict=True):
            sets = list(accuracies[accuracies["collection"] == row.collection]["dataset"].unique())
            default = transferring.default_home(row.training_data, sets, given)
            with column:
                homes[row.collection] = widgets.choice(
                    f"Own test set of {row.collection}", sets, key=f"home-{row.collection}", default=default
                )
        table = transferring.train_by_test(accuracies, own, homes)
        for scoring, part in table.groupby("scoring", sort=False):
            alt = f"accuracy of {len(own)} collections by training set and {words.SCORINGS[scoring]} test set"
            widgets.figure(figures.train_by_test(part), part, name=f"train-test-{scoring}", alt=alt)
        st.caption(text.NOT_COMPARABLE)
        widgets.table(text.train_table(table), name="train-by-test", full=lambda table=table: table)


view = sidebar.current()
connection = data.connection()
st.title("Transfer")
st.markdown(text.INTRO)
collections = catalogue.collections(connection)
widgets.synthetic(collections, [view.collection])
measures = {m.label: m for m in queries.measures(connection, [view.collection])}
if not measures:
    widgets.empty(f"{view.collection} has no accuracies yet.")
elif len(measures) < 2:
    widgets.note(f"{view.collection} has one accuracy alone: nothing to correlate it with.")
else:
    correlations(view, connection, measures)
trained_and_tested(connection, "mnli")
