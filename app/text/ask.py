"""The words of the Ask page."""

PREMISE = "The baker praised the farmer."
HYPOTHESIS = "The farmer praised the baker."

INTRO = (
    "Type a premise and a hypothesis: every run whose weights are kept says whether the one follows from the other, "
    "beside the accuracy of that run on test pairs of a kind that you pick."
)
EMPTY = "Type a premise and a hypothesis."
INSTALL = (
    "Asking the runs needs torch and transformers, which are not installed: `pip install -r requirements.txt` brings "
    "them. Everything else here works without."
)


def beside(measure: str | None) -> str:
    """How to read the figure."""
    bars = "A bar shows how likely a run holds each label."
    return bars if measure is None else f"{bars} Beside its name: its accuracy on {measure}; the most accurate on top."


def no_weights(collection: str) -> str:
    """Why nobody answers, and which commands bring weights."""
    return (
        f"No weights of {collection} are here, so its runs cannot answer. `python -m pipeline train RECIPE` keeps "
        "the weights of the runs that it trains: `python -m pipeline train miniature --seeds 0-4` takes minutes on a "
        "laptop."
    )


def none_chosen(collection: str) -> str:
    return f"Of the chosen runs of {collection} no weights are kept."


def unknown(words: list[str]) -> str:
    """Which words the models have never seen."""
    said = ", ".join(f"“{word}”" for word in words)
    return f"Not in the runs' vocabulary, so read as one and the same unknown word: {said}."


def no_accuracy(collection: str) -> str:
    return f"{collection} has no accuracies to set beside the answers; `python -m pipeline evaluate` computes them."
