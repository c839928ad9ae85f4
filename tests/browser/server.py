"""Runs the app as `streamlit run app/Home.py` does, but with the user's own store in the folder that comes first."""

import sys
from pathlib import Path

from streamlit.web import cli

from pipeline import store
from pipeline.store import layout

layout.LOCAL = store.LOCAL = Path(sys.argv.pop(1))
sys.argv = ["streamlit", "run", *sys.argv[1:]]
sys.exit(cli.main())
