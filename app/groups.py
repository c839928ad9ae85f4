"""Named groups of runs in the sidebar. A saved group is a column about the runs in the user's own store."""

from collections.abc import Callable

import streamlit as st

from app.queries import catalogue
from app.text import common as words
from pipeline import schema, store
from pipeline.errors import FlockError

YES = "yes"


def draw(connection, collection: str | None, choose: Callable) -> None:
    """Choose a group of runs (then `choose(run=…)` is called), or save the chosen runs as one."""
    if collection is None:
        return
    groups = catalogue.groups(connection, collection)
    with st.popover("Groups of runs", icon=":material/group_work:", width="stretch"):
        for group in groups.itertuples():
            label = words.literal(f"{title(group.name, group.value)} · {len(group.runs)}")
            st.button(label, key=f"group {group.name} {group.value}", on_click=choose, kwargs={"run": group.runs})
        chosen = st.session_state.get("run") or []
        if not chosen:
            st.caption("Choose runs to save them as a group.")
            return
        with st.form("save group", border=False, clear_on_submit=True):
            name = st.text_input(f"Save the {len(chosen)} chosen as", placeholder="a name")
            if st.form_submit_button("Save") and name.strip():
                try:
                    save(collection, name.strip(), chosen)
                except (FlockError, OSError) as error:
                    st.error(words.literal(f"The group could not be saved: {error}"))
                else:
                    st.rerun()


def title(name: str, value: str) -> str:
    """What a group is called on the screen."""
    return name if value == YES else f"{name}: {value}"


def save(collection: str, name: str, runs: list[str]) -> None:
    """Keep `runs` as a group; one of the same name is replaced.

    Raises FlockError or OSError when the store cannot be written.
    """
    path = store.collection_folder(store.LOCAL, collection) / "run_columns.parquet"
    kept = store.read_file(path).to_pylist() if path.exists() else []
    rows = [row for row in kept if row["name"] != name]
    rows += [{"collection": collection, "run": run, "name": name, "value": YES} for run in runs]
    store.write_collection_table(store.LOCAL, "run_columns", schema.RUN_COLUMNS.rows(rows))
