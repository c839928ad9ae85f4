"""The entry: page set-up, the sidebar's filters, and the page that the address names. See `app/navigation.py`."""

from pathlib import Path

import streamlit as st

from app import data, navigation, sidebar
from pipeline.errors import FlockError

st.set_page_config(page_title="Flock", page_icon=str(Path(__file__).with_name("flock.svg")), layout="wide")

info, page = navigation.current()
try:
    sidebar.draw(data.connection(), info)
except FlockError as error:
    st.error("The stores cannot be read.")
    st.text(str(error))
    st.stop()
page.run()
