"""What the Examples page shows of an example: words that premise and hypothesis share, and tables in percent."""

import html
import re

import pandas as pd


def shared_words(premise: str, hypothesis: str) -> set[str]:
    """Words, without case and punctuation, that occur in both sentences."""
    return _words(premise) & _words(hypothesis)


def _words(text: str) -> set[str]:
    return {word for token in text.split() if (word := _bare(token))}


def _bare(token: str) -> str:
    return re.sub(r"^\W+|\W+$", "", token).lower()


def marked(text: str, shared: set[str]) -> str:
    """`text` as HTML in which the shared words are marked; every character of it shows as itself."""
    parts = re.split(r"(\s+)", text)
    return "".join(f"<mark>{html.escape(p)}</mark>" if _bare(p) in shared else html.escape(p) for p in parts)


def pair(premise: str, hypothesis: str) -> str:
    """Both sentences as HTML, shared words marked; the direction of writing follows the text."""
    shared = shared_words(premise, hypothesis)
    style = "font-size:1.15rem;line-height:1.5;margin:.1rem 0;white-space:pre-wrap;overflow-wrap:anywhere"
    mark = "background:rgba(86,180,233,.35);color:inherit;border-radius:3px;padding:0 2px"
    rows = "".join(
        f'<div style="opacity:.65;font-size:.8rem">{role}</div>'
        f'<p class="{role}" dir="auto" style="{style}">{marked(text, shared)}</p>'
        for role, text in (("premise", premise), ("hypothesis", hypothesis))
    )
    return f'<div class="pair">{rows}</div>'.replace("<mark>", f'<mark style="{mark}">')


def listed(rows: pd.DataFrame) -> pd.DataFrame:
    """The list as the table shows it: columns without content left out, probabilities in percent."""
    shown = pd.DataFrame(
        {
            "example": rows["example"],
            "gold": rows["gold"],
            "right": rows["correct"],
            "runs": rows["runs"],
            "P(entailment) %": 100 * rows["p_mean"],
            "± SD": 100 * rows["p_sd"],
            "premise": rows["premise"],
            "hypothesis": rows["hypothesis"],
            "heuristic": rows["heuristic"],
            "subcase": rows["subcase"],
            "template": rows["template"],
            "genre": rows["genre"],
        }
    )
    always = {"example", "gold", "right", "runs"}
    return shown[[c for c in shown if c in always or shown[c].notna().any()]]


def run_table(labels: pd.DataFrame) -> pd.DataFrame:
    """Every run's label, its probabilities in percent where known, and whether it is right."""
    shown = pd.DataFrame({"run": labels["run"], "says": labels["predicted"]})
    for label in ("entailment", "neutral", "contradiction"):
        if labels[label].notna().any():
            shown[f"{label} %"] = 100 * labels[label]
    shown["right"] = labels["correct"].map({True: "right", False: "wrong"})
    return shown
