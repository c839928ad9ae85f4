"""The stores, opened once for all sessions and reopened when one of them changes."""

import duckdb
import streamlit as st

from pipeline import store


def connection() -> duckdb.DuckDBPyConnection:
    """A cursor of this process's connection to the stores: one for each script run, safe between threads.

    Raises FlockError when a store is damaged or of another version.
    """
    return _open(store.fingerprint()).cursor()


@st.cache_resource(max_entries=2, show_spinner="Opening the stores …")
def _open(fingerprint: tuple) -> duckdb.DuckDBPyConnection:
    return store.connect()
