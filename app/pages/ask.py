"""Ask: type a pair of sentences and see how the runs vote."""

import streamlit as st

from app import asking, data, sidebar, widgets
from app.figures import ask as figures
from app.queries import accuracies as queries
from app.queries import catalogue
from app.text import ask as text
from app.text import common as words
from pipeline.errors import FlockError

view = sidebar.current()
connection = data.connection()
st.title("Ask")
st.markdown(text.INTRO)
widgets.synthetic(catalogue.collections(connection), [view.collection])

kept = asking.steps(view.collection)
if not kept:
    st.info(text.no_weights(view.collection), icon=":material/info:")
    st.stop()
names = {"final" if step is None else f"step {step:,}": step for step in kept}
step = names[widgets.choice("Checkpoint", list(names), key="at")] if len(names) > 1 else kept[0]
folders = asking.checkpoints(view.collection, view.runs, step)
folders = {run: folders[run] for run in catalogue.runs(connection, view.collection) if run in folders}
if not folders:
    widgets.empty(text.none_chosen(view.collection), clear=["run"])
    st.stop()

premise = st.text_input("Premise", text.PREMISE, key="premise", bind="query-params").strip()
hypothesis = st.text_input("Hypothesis", text.HYPOTHESIS, key="hypothesis", bind="query-params").strip()
if not premise or not hypothesis:
    widgets.note(text.EMPTY)
    st.stop()
try:
    answers = asking.ask(folders, premise, hypothesis)
except asking.NotInstalled:
    st.info(text.INSTALL, icon=":material/info:")
    st.stop()
except FlockError as error:
    st.error("The weights of a run cannot be read.")
    st.text(str(error))
    st.stop()
if answers.unknown:
    widgets.note(text.unknown(answers.unknown))

chosen = view.changed(step=step)
measures = {m.label: m for m in queries.measures(connection, [view.collection])}
measure, accuracies = None, None
if measures:
    misleading = (label for label, m in measures.items() if m.subcase and m.misleads)
    measure = widgets.choice("Beside their accuracy on", list(measures), key="beside", default=next(misleading, None))
    accuracies = queries.by_run(connection, chosen, [measures[measure]])
else:
    widgets.note(text.no_accuracy(view.collection))
rows = asking.with_accuracy(answers.votes, accuracies)
widgets.in_view(chosen.describe(runs=len(rows)))
said = asking.tally(rows)
st.markdown(f"**{words.literal(said)}**")
widgets.figure(figures.answers(rows), rows, name="answers", alt=f"probability of each label by run; {said}")
st.caption(words.literal(text.beside(measure)))
widgets.table(asking.table(rows, measure or ""), name="votes", noun="run", full=lambda: rows)
