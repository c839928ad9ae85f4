"""The words of the Dynamics page."""

from app.filters import Filter

SHOWCASE = "training-steps"
INTRO = "Accuracy along training: each run is a line; at the right its last value, beside those of the others."
FIXED = (
    "Accuracy on the training domain settles early; constructions outside it go on rising and falling. A single "
    "checkpoint is one draw from that movement."
)
CHANGES = (
    "What moves underneath: examples that became right for the first time (learnt), were right and no longer are "
    "(forgotten), or came back (learnt again) since the checkpoint before. Click a bar to read them."
)
SPREADS = (
    "Between neighbouring checkpoints: the root mean square difference over √2, in the second half of training, which "
    "would equal the standard deviation if each checkpoint were an independent draw. Between seeds: the standard "
    "deviation of the runs' last checkpoints."
)
ONE_RUN = "With one run there is no spread between seeds."


def no_steps(view: Filter) -> str:
    return (
        f"{view.collection} has one checkpoint a run, so nothing moves. `python -m pipeline train` evaluates several "
        f"on the way, `import --step` adds others; the collection {SHOWCASE} shows one BERT at 16 steps."
    )


def no_predictions(view: Filter, dataset: str) -> str:
    return f"Which examples move needs predictions with gold labels on {dataset} at several steps; here are none."
