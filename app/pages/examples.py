"""Examples: the list in view, and one example opened."""

import streamlit as st

from app import data, examples, sidebar, widgets
from app.figures import examples as figures
from app.queries import catalogue, votes
from app.queries import examples as queries
from app.text import common as words
from app.text import examples as text

PAGE_SIZE = 50

view = sidebar.current()
connection = data.connection()
st.title("Examples")
st.markdown(text.INTRO)
widgets.synthetic(catalogue.collections(connection), [view.collection])

counted = data.votes(view)
has_text = votes.has_text(connection, view.dataset)
if counted.empty:
    predictions = votes.has_predictions(connection, view)
    counts = not predictions and not data.votes(view.changed(runs=(), step=None)).empty
    widgets.empty(text.no_votes(view, predictions=predictions, counts=counts), clear=["run", "step", "q"])
    st.stop()
graded = counted["correct"].notna().any()
if not graded:
    widgets.note(text.no_logits(view) if view.rule == "sum" else text.no_gold(view))

with st.expander("More filters", icon=":material/tune:"):
    left, middle, right = st.columns(3)
    with left:
        template = widgets.choice("Template", ["all", *queries.templates(connection, view)], key="template")
        split = widgets.choice("Runs agree", ["all", *queries.SPLITS], key="split", disabled=not graded)
    with middle:
        low, high = widgets.span(text.SHARE, key="share", disabled=not graded)
        labels = counted.filter(like="n_").sum()
        labels = [label for label, column in votes.LABEL_COLUMNS.items() if labels[column] > 0]
        predicted = widgets.choice("Most runs say", ["all", *labels], key="says", help=text.PREDICTED_HELP)
    with right:
        sort = widgets.choice("Sort by", list(queries.SORTS), key="sort")
        descending = widgets.choice("Order", ["ascending", "descending"], key="order") == "descending"
chosen = queries.Selection(
    template=None if template == "all" else template,
    low=low,
    high=high,
    split=None if split == "all" else split,
    predicted=None if predicted == "all" else predicted,
    sort=sort,
    descending=descending,
)

total = queries.count(connection, counted, view, chosen)
widgets.in_view(view.changed(example=None).describe(runs=int(counted["runs"].max()), examples=total))
if not has_text:
    widgets.note(text.no_text(view.dataset))

if view.example:
    row = queries.one(connection, view.dataset, view.example)
    with st.container(border=True):
        if row is None:
            widgets.note(text.NO_EXAMPLE.format(example=view.example, dataset=words.dataset(view.dataset)))
            st.button("Close", on_click=sidebar.forget, args=("example",))
        else:
            place, previous, following = queries.neighbours(connection, counted, view, chosen, view.example)
            widgets.neighbours(place, total, previous, following)
            if row["premise"] is not None and row["hypothesis"] is not None:
                st.html(examples.pair(row["premise"], row["hypothesis"]))
                st.caption(text.SHARED)
            st.text(text.facts(row))
            if explanation := text.explained(row):
                st.markdown(explanation)
            if place is None:
                widgets.note(text.NOT_IN_LIST)
            answers = queries.labels(connection, view, row["position"])
            if len(answers):
                said = text.right_of(answers)
                st.markdown(f"**{said}** · {text.RULE_NOTE.format(rule=words.RULES[view.rule])}")
                widgets.figure(figures.votes(answers), answers, name=f"votes-{view.example}", alt=said, key="votes")
                if answers["entailment"].notna().all():
                    alt = f"P(entailment) of each run; {said}"
                    name = f"probabilities-{view.example}"
                    widgets.figure(figures.probabilities(answers), answers, name=name, alt=alt, key="probabilities")
                widgets.table(
                    examples.run_table(answers),
                    name=f"runs-{view.example}",
                    noun="run",
                    full=lambda: answers,
                    key="runs",
                )
            steps = queries.by_step(connection, view, row["position"])
            if len(steps) > 1 and steps["correct"].notna().all():
                st.markdown("**The same example at every checkpoint**")
                alt = "share of runs right at each training step"
                widgets.figure(figures.steps(steps), steps, name=f"steps-{view.example}", alt=alt, key="steps")

if total == 0:
    widgets.empty("No example fits.", clear=["heuristic", "gold", "subcase", "q", "example"], key="list")
    st.stop()
number = widgets.page_number(total, PAGE_SIZE)
rows = queries.page(connection, counted, view, chosen, PAGE_SIZE, (number - 1) * PAGE_SIZE)
widgets.example_list(
    examples.listed(rows),
    runs=int(counted["runs"].max()),
    total=total,
    full=lambda: queries.page(data.connection(), counted, view, chosen, None),
)
