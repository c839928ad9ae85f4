"""The entry: page set-up, the sidebar's filters, and the page that the address names. See `app/navigation.py`."""

from pathlib import Path

import streamlit as st

from app import data, navigation, sidebar
from app.text import common as words
from pipeline.errors import FlockError

info, page = navigation.current()
st.set_page_config(f"{info.title} · Flock", str(Path(__file__).with_name("flock.svg")), layout="wide")
st.html("<style>[data-testid=stMainBlockContainer] {padding-top: 2.5rem}</style>")
try:
    sidebar.draw(data.connection(), info)
except FlockError as error:
    st.error("The stores cannot be read.")
    st.text(str(error))
    st.stop()
if "collection" in info.filters and sidebar.current().collection is None:
    st.title(info.title)
    st.info(words.NOTHING)
    st.stop()
page.run()
