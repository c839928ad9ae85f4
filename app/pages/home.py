"""Home: what is here, the paper's contrast, and where to go."""

import streamlit as st

st.title("Flock")
