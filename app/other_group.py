"""The two groups of the Compare page: the controls of the second, and the results of each."""

import streamlit as st

from app import comparing, data, groups, widgets
from app.filters import Filter
from app.queries import accuracies, catalogue
from app.queries import compare as queries
from app.text import compare as text


def choose(view: Filter, connection, collections) -> Filter:
    """Draw the controls of group B, beside group A that the sidebar chose; `collections` as from `catalogue`."""
    columns = st.columns(4)
    default = comparing.default_collection(collections, view.collection, view.dataset)
    with columns[0]:
        collection = widgets.choice("B: collection", list(collections["collection"]), key="b", default=default)
    named = {groups.title(g.name, g.value): list(g.runs) for g in catalogue.groups(connection, collection).itertuples()}
    steps = [str(step) for step in catalogue.steps(connection, collection)]
    runs = catalogue.runs(connection, collection)
    with columns[1]:
        group = widgets.choice("B: group", [comparing.AUTOMATIC, *named], key="bgroup", help=text.RUNS_HELP)
    with columns[2]:
        chosen = widgets.choices("B: runs", runs, key="brun", placeholder="as the group says")
    with columns[3]:
        step = widgets.choice("B: checkpoint", ["final", *steps], key="bstep") if len(steps) > 1 else "final"
    step = None if step == "final" else int(step)
    return comparing.second(view, collection, step, chosen or named.get(group, []), runs)


def load(view: Filter, connection, measures) -> comparing.Group:
    """A group's results on these measures."""
    sets = dict.fromkeys(m.dataset for m in measures)
    answers = {dataset: data.answers(comparing.whole(view, dataset)) for dataset in sets}
    counts = {dataset: queries.counts(connection, view.collection, dataset) for dataset in sets}
    return comparing.Group(view, accuracies.by_run(connection, view, measures), answers, counts)
