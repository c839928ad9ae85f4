"""Home: what is here, the paper's contrast, and where to go."""

import streamlit as st

from app import data, sidebar, subcases, widgets
from app.figures import home as figures
from app.filters import Filter
from app.queries import accuracies as queries
from app.queries import catalogue
from app.text import common as words
from app.text import home as text

connection = data.connection()
collections = catalogue.collections(connection)
st.title("Flock")
st.markdown(text.INTRO)
if collections.empty:
    st.info(words.NOTHING)
    st.stop()

st.subheader(text.CONTRAST_TITLE)
collection, measures = subcases.contrast({c: queries.measures(connection, [c]) for c in collections["collection"]})
if collection:
    accuracies = queries.by_run(connection, Filter(collection=collection), measures)
    summaries = subcases.summaries(accuracies, measures)
    st.markdown(text.contrast(summaries))
    widgets.figure(figures.contrast(accuracies, measures), accuracies, name="contrast", alt=text.alt(summaries))
else:
    st.info(text.NO_CONTRAST)

st.subheader("Where to go")
for question, page, parameters in text.QUESTIONS:
    sidebar.link(page, question, Filter(collection=collection or collections["collection"].iloc[0]), **parameters)

st.subheader("What is here")
widgets.in_view(text.totals(collections))
for row in collections.itertuples():
    st.markdown(text.about(row))
widgets.table(
    text.collections_table(collections),
    name="collections",
    noun="collection",
    full=lambda: collections,
    column_config={"predictions": st.column_config.NumberColumn(format="localized")},
)
