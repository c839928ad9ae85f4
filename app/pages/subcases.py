"""Subcases: how far the runs spread on each construction, beside sampling error and chance."""

import streamlit as st

from app import data, latex, sidebar, subcases, widgets
from app.figures import subcases as figures
from app.figures import theme
from app.queries import accuracies as queries
from app.queries import catalogue
from app.text import common as words
from app.text import subcases as text

view = sidebar.current()
connection = data.connection()
st.title("Subcases")
st.markdown(text.INTRO)

collections = catalogue.collections(connection)
others = [c for c in collections["collection"] if c != view.collection]
left, right = st.columns(2)
with right:
    also = widgets.choices("Together with", others, key="with", placeholder="other collections")
shown = [view.collection, *also]
presets = subcases.presets(queries.measures(connection, shown))
if not presets:
    widgets.empty(f"{view.collection} has no accuracies yet.")
    st.stop()
with left:
    preset = widgets.choice("Show", list(presets), key="show", default=text.default(presets))
measures = presets[preset]

accuracies = queries.by_run(connection, view, measures, also)
widgets.in_view(text.in_view(view, accuracies, preset))
widgets.synthetic(collections, shown)
for collection in shown:
    if collection not in set(accuracies["collection"]):
        widgets.note(text.missing(collection, preset, view.rule))
if accuracies.empty:
    widgets.empty("No run is in view.", clear=["run", "step", "rule"])
    st.stop()

summaries = subcases.summaries(accuracies, measures)
colours = theme.group_colours(shown) if also else None
panels = subcases.by_cell(measures)
columns = st.columns(min(3, len(panels)))
for i, (cell, panel) in enumerate(panels.items()):
    rows = accuracies[accuracies["measure"].isin([m.label for m in panel])]
    with columns[i % len(columns)]:
        if cell:
            st.markdown(f"**{words.literal(cell)}**")
        widgets.figure(
            figures.histograms(rows, panel, colours, whole=len(measures) > 1),
            rows,
            name=f"subcases-{i + 1}",
            alt=text.alt(shown, panel, summaries),
        )
st.caption(text.HOW_TO_READ)

st.subheader("In numbers")
widgets.table(
    text.table(summaries),
    name="subcases",
    full=lambda: summaries,
    latex=lambda: latex.table(text.printed(summaries), caption=f"{preset}, in percent.", label="tab:subcases"),
)
st.caption(f"{text.COLUMNS} {text.NOISE}")

if explained := [m for m in measures if m.subcase in text.SUBCASES]:
    st.subheader("What these subcases test")
    for cell, panel in subcases.by_cell(explained).items():
        with st.expander(words.literal(cell), expanded=len(panels) == 1):
            st.markdown("\n\n".join(text.explain(m) for m in panel))
