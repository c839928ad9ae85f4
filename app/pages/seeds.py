"""Seeds: one point a run, any accuracy against any other."""

import streamlit as st

from app import data, seeds, sidebar, widgets
from app.figures import seeds as figures
from app.queries import accuracies as queries
from app.queries import catalogue, runs
from app.text import common as words
from app.text import seeds as text

view = sidebar.current()
connection = data.connection()
st.title("Seeds")
st.markdown(text.INTRO)

collections = catalogue.collections(connection)
others = [c for c in collections["collection"] if c != view.collection]
controls = [*st.columns(3), *st.columns(3)]
with controls[3]:
    also = widgets.choices("Together with", others, key="with", placeholder="other collections")
shown = [view.collection, *also]
measures = {m.label: m for m in queries.measures(connection, shown)}
if not measures:
    widgets.empty(f"{view.collection} has no accuracies yet.")
    st.stop()

labels = list(measures)
properties = runs.properties(connection, shown)
with controls[0]:
    x = measures[widgets.choice("x", labels, key="x")]
with controls[1]:
    y = measures[widgets.choice("y", labels, key="y", default=text.default_y(list(measures.values())))]
with controls[2]:
    colour = widgets.choice("Colour", ["collection", *properties, *labels], key="colour")
with controls[4]:
    whole = widgets.choice("Axes", ["zoomed", "0 to 100 %"], key="axes") != "zoomed"
with controls[5]:
    whiskers = widgets.choice("Whiskers", ["sampling error", "none"], key="whiskers", help=text.WHISKERS) != "none"

wanted = {label: measures[label] for label in (x.label, y.label, colour) if label in measures}
accuracies = queries.by_run(connection, view, list(wanted.values()), also)
values = seeds.colours(accuracies, colour, runs.values(connection, shown, colour))
points = seeds.colour_by(seeds.points(accuracies, x, y), values)

widgets.in_view(text.in_view(view, points))
widgets.synthetic(collections, shown)
for collection in shown:
    if collection not in set(points["collection"]):
        widgets.note(text.missing(collection, x, y, view.rule))
if points.empty:
    widgets.empty("No run is in view.", clear=["run", "step", "rule"])
    st.stop()

correlations = seeds.correlations(points)
selected = widgets.figure(
    figures.scatter(points, x, y, colour=colour, whole=whole, whiskers=whiskers),
    points,
    name="seeds",
    alt=text.alt(x, y, len(points), correlations),
    select=("points", "box", "lasso"),
)
st.caption(text.HOW_TO_SELECT)

if selected:
    st.subheader(f"{words.count(len(selected), 'selected run')}")
    rows = seeds.chosen(points, selected)
    widgets.table(text.points_table(rows, x, y, colour), name="selected-runs", noun="run", full=lambda: rows)
    widgets.open_elsewhere(view, rows, "seeds")

st.subheader("Do the two go together?")
widgets.table(text.correlation_table(correlations), name="correlations", full=lambda: correlations)
for paragraph in text.about(colour, shown):
    st.markdown(paragraph)
st.subheader("Is the spread more than noise?")
for row in seeds.spreads(points).itertuples():
    st.markdown(text.spread(row, x if row.axis == "x" else y))
