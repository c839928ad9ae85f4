"""Judges the paper's claims: each number of the paper against the same number now."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import duckdb

from app.queries import audit as queries

EXACT, RIGHT, TRUNCATED, DIFFERENT = "exact", "right", "right only if cut off, not rounded", "different"
CONTRAST, NO_DATA = "right as a contrast", "no data"
_WORST_FIRST = (DIFFERENT, TRUNCATED, RIGHT, EXACT)


@dataclass(frozen=True)
class Finding:
    """One claim: its name (words in `app.text.audit`), what the data say now, the verdict and the SQL behind it."""

    claim: str
    now: str
    verdict: str
    sql: str


def verdict(value: float, claimed: float, decimals: int) -> str:
    """How a number printed with `decimals` decimals in the paper relates to the value behind it."""
    if math.isclose(value, claimed, abs_tol=1e-9):
        return EXACT
    if round(value, decimals) == round(claimed, decimals):
        return RIGHT
    scale = 10**decimals
    return TRUNCATED if math.floor(value * scale + 1e-9) / scale == round(claimed, decimals) else DIFFERENT


def _range(low: float, high: float, decimals: int, digits: int) -> Callable[[dict], tuple[str, str]]:
    """A claimed range in percent; `digits` decimals of the data are printed."""

    def judge(values: dict) -> tuple[str, str]:
        found = [100 * values["low"], 100 * values["high"]]
        verdicts = [verdict(value, claimed, decimals) for value, claimed in zip(found, (low, high), strict=True)]
        return f"{found[0]:.{digits}f} – {found[1]:.{digits}f} %", min(verdicts, key=_WORST_FIRST.index)

    return judge


def _contrast(values: dict) -> tuple[str, str]:
    odd, other = 100 * values["odd_sd"], 100 * values["largest_other_sd"]
    text = (
        f"SD {odd:.2f} points against at most {other:.2f}; yet constituent, non-entailed spans "
        f"{100 * values['constituent_span']:.1f} points and cn_embedded_under_if {100 * values['if_span']:.1f}"
    )
    return text, CONTRAST if odd > 2 * other else DIFFERENT


_JUDGES: dict[str, Callable[[dict], tuple[str, str]]] = {
    "mnli_range": _range(83.6, 84.8, 1, 2),
    "swap_range": _range(0.0, 66.2, 1, 1),
    "preposition_range": _range(4, 76, 0, 1),
    "lexical_range": _range(5, 55, 0, 2),
    "all_wrong": lambda v: (f"{v['examples']:,}", verdict(v["examples"], 526, 0)),
    "unanimous": lambda v: (f"{100 * v['share']:.2f} %", verdict(100 * v["share"], 72, 0)),
    "one_cell_of_six": _contrast,
}


def audit(connection: duckdb.DuckDBPyConnection, source: str = "accuracies") -> list[Finding]:
    """Every claim against the store as it is now. `source` is a key of `app.queries.audit.SOURCES`."""
    findings = []
    for claim, judge in _JUDGES.items():
        values = queries.values(connection, claim, source)
        now, said = judge(values) if all(value is not None for value in values.values()) else ("–", NO_DATA)
        findings.append(Finding(claim, now, said, queries.statement(claim, source)))
    return findings
