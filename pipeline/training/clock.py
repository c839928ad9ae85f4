"""How far a run is, how fast it goes, and when it is time to save."""

import time

import numpy as np

from pipeline.training import folder

REPORT_EVERY = 2.0
"""Seconds between reports; each makes the host wait for the GPU once."""


class Clock:
    """Reports progress and knows when to save. Work is counted in tokens; training costs three times evaluation."""

    def __init__(self, training):
        self.t = training
        self.started = self.last_report = self.last_save = time.monotonic()
        self.lengths = training.data.training.lengths
        tests = sum(len(e.tokens) for e in training.data.tests.values())
        state = training.state
        self.total = 3 * int(self.lengths[training.order.sequence].sum()) + tests * len(training.checkpoints)
        self.done_before = 3 * int(self.lengths[training.order.sequence[: state.step * training.order.batch]].sum())
        self.done_before += sum(
            len(encoded.tokens)
            for step in training.checkpoints
            for name, encoded in training.data.tests.items()
            if training.folder.has_predictions(step, name)
        )
        self.done = self.done_before
        self.pairs = 0
        self.training_since = time.monotonic()

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def saved(self) -> None:
        self.last_save = time.monotonic()

    def save_is_due(self) -> bool:
        return time.monotonic() - self.last_save >= self.t.job.save_every

    def trained(self, rows: np.ndarray) -> None:
        self.done += 3 * int(self.lengths[rows].sum())
        self.pairs += len(rows)
        if self.report_is_due():
            self.t.check_loss()
            seconds = time.monotonic() - self.training_since
            self.report(loss=self.t.mean_loss(), rate=self.pairs / seconds if seconds else None)

    def evaluated(self, tokens: int) -> None:
        self.done += tokens
        if self.report_is_due():
            self.report()

    def report_is_due(self) -> bool:
        return time.monotonic() - self.last_report >= REPORT_EVERY

    def report(self, **changes) -> None:
        done = self.done - self.done_before
        left = (self.total - self.done) * self.elapsed() / done if done else None
        now = {"step": self.t.state.step, "steps": self.t.steps, "share": self.done / self.total, "left": left}
        self.t.folder.report(**now | changes)
        self.last_report = time.monotonic()
        if changes.get("state") == folder.RUNNING or "rate" in changes:
            self.pairs, self.training_since = 0, time.monotonic()
