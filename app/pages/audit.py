"""Audit: the paper's claims against the data, recomputed now."""

import pandas as pd
import streamlit as st

from app import audit, data, sidebar, widgets
from app.queries import audit as queries
from app.text import audit as words

st.title("Audit")
st.markdown(words.INTRO)
connection = data.connection()

source = "accuracies"
if queries.has_predictions(connection):
    source = st.segmented_control(
        "Recompute from",
        list(queries.SOURCES),
        format_func=words.SOURCE_LABELS.get,
        default=source,
        required=True,
        key="from",
        bind="query-params",
    )
else:
    st.caption(words.NO_PREDICTIONS)

findings = audit.audit(connection, source)
if all(finding.verdict == audit.NO_DATA for finding in findings):
    st.info(words.NO_DATA, icon=":material/info:")
    st.stop()

rows = pd.DataFrame(
    [
        {
            "claim": words.CLAIMS[f.claim][0],
            "paper": words.CLAIMS[f.claim][1],
            "data now": f.now,
            "verdict": f.verdict,
            "note": words.NOTES.get(f.claim, ""),
        }
        for f in findings
    ]
)
for finding, row in zip(findings, rows.itertuples(index=False), strict=True):
    with st.container(border=True):
        claim, paper, now, verdict = st.columns([4, 2, 3, 3])
        claim.markdown(f"**{row.claim}**")
        paper.markdown(f"paper: {row.paper}")
        now.markdown(f"data now: {finding.now}")
        verdict.badge(row.verdict, color=words.VERDICT_COLOURS[row.verdict])
        if row.note:
            st.caption(row.note)
        with st.expander("The query behind it"):
            st.code(finding.sql.replace("$collection", f"'{queries.COLLECTION}'"), language="sql")
widgets.download("All claims (CSV)", lambda: widgets.to_csv(rows), "audit.csv", key="audit csv")

st.subheader("Exhibits of the paper that Flock reproduces")
for exhibit, page, where in words.REPRODUCED:
    with st.container(horizontal=True, vertical_alignment="center"):
        sidebar.link(page, exhibit, collection=queries.COLLECTION)
        st.caption(where)

st.subheader("What the public data here cannot show")
for exhibit, why in words.IMPOSSIBLE:
    st.markdown(f"- **{exhibit}** – {why}.")
