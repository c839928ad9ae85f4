"""Dynamics: accuracy along training, and the examples that move underneath."""

import streamlit as st

from app import data, dynamics, sidebar, widgets
from app.figures import dynamics as figures
from app.queries import accuracies as queries
from app.queries import catalogue
from app.queries import dynamics as changing
from app.queries import examples as listing
from app.text import common as words
from app.text import dynamics as text

view = sidebar.current().changed(example=None)
connection = data.connection()
st.title("Dynamics")
st.markdown(text.INTRO)
widgets.synthetic(catalogue.collections(connection), [view.collection])

if len(catalogue.steps(connection, view.collection)) < 2:
    widgets.empty(text.no_steps(view), clear=["run"])
    if text.SHOWCASE in set(catalogue.collections(connection)["collection"]):
        showcase = {"collection": text.SHOWCASE, "run": []}
        st.button(f"See {text.SHOWCASE}", on_click=sidebar.choose, kwargs=showcase)
    st.stop()
measures = {m.label: m for m in queries.measures(connection, [view.collection])}
default = dynamics.default_measures(list(measures.values()))
chosen = widgets.choices("Accuracies", list(measures), key="show", placeholder=", ".join(default)) or default
chosen = [measures[label] for label in dict.fromkeys(chosen)]
accuracies = queries.by_run(connection, view, chosen, every_step=True)
if accuracies.empty:
    widgets.empty("No run is in view.", clear=["run", "rule"])
    st.stop()
runs = accuracies["run"].nunique()
widgets.in_view(view.changed(dataset=None, heuristic=None, gold=None, subcases=()).describe(runs=runs))
for scoring, panel in dynamics.by_scoring(chosen).items():
    labels = [m.label for m in panel]
    rows = accuracies[accuracies["measure"].isin(labels)]
    alt = f"accuracy of {words.count(runs, 'run')} against training step: {', '.join(labels)}"
    widgets.figure(figures.trajectories(rows, panel), rows, name=f"dynamics-{scoring}", alt=alt)
st.caption(text.FIXED)

st.subheader("Between checkpoints and between seeds")
spreads = dynamics.spreads(accuracies)
widgets.table(dynamics.spread_table(spreads), name="spreads", full=lambda: spreads)
st.caption(text.SPREADS)
if runs == 1:
    widgets.note(text.ONE_RUN)

st.subheader("Examples learnt and forgotten")
moved = changing.changes(connection, view)
widgets.in_view(view.describe(examples=int(moved["examples"].max()) if len(moved) else 0))
if moved.empty:
    widgets.note(text.no_predictions(view, words.dataset(view.dataset or "")))
    st.stop()
run = widgets.choice("Run", list(dict.fromkeys(moved["run"])), key="of")
own = moved[moved["run"] == run]
alt = f"examples learnt and forgotten by {run} between checkpoints"
picked = widgets.figure(figures.changes(own), own, name="changes", alt=alt, select=("points",))
st.caption(text.CHANGES)
if picked:
    step, change, _ = picked[0]
    positions = changing.changed_positions(connection, view, run, step, change)
    everything = data.votes(view.changed(runs=(run,), step=step))
    rows = listing.page(connection, everything, view, listing.Selection(), None)
    title = f"{change} by {run} up to step {step:,}"
    widgets.reader(rows[rows["position"].isin(positions)], view.changed(step=step), title=title, key="changed")

restless = changing.restless(connection, view)
if len(restless):
    st.subheader("Forgotten most often")
    everything = data.votes(view)
    rows = listing.page(connection, everything, view, listing.Selection(), None)
    rows = restless[["position", "forgotten"]].merge(rows, on="position")
    widgets.reader(rows, view, title="forgotten at least once", key="often")
