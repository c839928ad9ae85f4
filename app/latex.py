"""Tables for a paper: LaTeX with the booktabs package."""

import re

import pandas as pd

_NUMBER = re.compile(r"[+−-]?[\d.,]+")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "—": "---",
    "–": "--",
    "−": "$-$",
    **{c: "\\" + c for c in "&%$#_{}"},
}


def table(data: pd.DataFrame, *, caption: str, label: str) -> str:
    """`data` as a table environment: text left, numbers right, each as `str` prints it.

    Needs `\\usepackage{booktabs}`.
    """
    columns = "".join("r" if data[name].map(_is_number).all() else "l" for name in data)
    lines = [" & ".join(escape(cell) for cell in row) + r" \\" for row in [data.columns, *data.itertuples(index=False)]]
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{escape(caption)}}}",
            rf"  \label{{{label}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            r"    \toprule",
            f"    {lines[0]}",
            r"    \midrule",
            *(f"    {line}" for line in lines[1:]),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _is_number(value: object) -> bool:
    return bool(_NUMBER.fullmatch(str(value)))


def escape(value: object) -> str:
    """Text that LaTeX sets as it is; a missing value is a dash."""
    text = "—" if pd.isna(value) else str(value)
    return "".join(_SPECIAL.get(c, c) for c in text)
