"""Every figure of the app, a module a page: DataFrame -> Plotly figure, no Streamlit. `theme` has what all share."""
