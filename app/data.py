"""The stores, opened once for all sessions and reopened when one of them changes."""

import duckdb
import pandas as pd
import streamlit as st

from app.filters import Filter
from app.queries import disagreement
from app.queries import votes as queries
from pipeline import store


def connection() -> duckdb.DuckDBPyConnection:
    """A cursor of this process's connection to the stores: one for each script run, safe between threads.

    Raises FlockError when a store is damaged or of another version.
    """
    return _open(store.fingerprint()).cursor()


@st.cache_resource(max_entries=2, show_spinner="Opening the stores …")
def _open(fingerprint: tuple) -> duckdb.DuckDBPyConnection:
    return store.connect()


def votes(view: Filter) -> pd.DataFrame:
    """`queries.votes.votes` of the view's runs and test set, kept between reruns until a store changes."""
    return queries.by_rule(_votes(store.fingerprint(), _runs_and_set(view)), view.rule)


def _runs_and_set(view: Filter) -> Filter:
    """The view without slice, words and rule, so that they do not ask the runs anew."""
    return Filter(collection=view.collection, runs=view.runs, step=view.step, dataset=view.dataset)


@st.cache_data(max_entries=32, show_spinner="Counting the runs' answers …")
def _votes(fingerprint: tuple, view: Filter) -> pd.DataFrame:
    return queries.by_both_rules(_open(fingerprint).cursor(), view)


def answers(view: Filter) -> disagreement.Answers | None:
    """`queries.disagreement.answers` of the view's runs and test set, kept between reruns until a store changes."""
    return _answers(store.fingerprint(), _runs_and_set(view))[view.rule]


@st.cache_resource(max_entries=8, show_spinner="Reading the runs' answers …")
def _answers(fingerprint: tuple, view: Filter) -> dict[str, disagreement.Answers | None]:
    return disagreement.by_both_rules(_open(fingerprint).cursor(), view)
