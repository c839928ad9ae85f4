"""All that is stored about one run."""

from dataclasses import dataclass

import pyarrow as pa

from pipeline import schema


@dataclass(frozen=True)
class RunResults:
    """All that is stored about one run; each a table of `pipeline.schema`. `predictions` is None where only
    accuracies are known."""

    runs: pa.Table
    checkpoints: pa.Table
    accuracies: pa.Table
    predictions: pa.Table | None = None

    @property
    def collection(self) -> str:
        return self.runs["collection"][0].as_py()

    @property
    def run(self) -> str:
        return self.runs["run"][0].as_py()

    def merged_over(self, older: "RunResults") -> "RunResults":
        """These results and those of `older` that they do not replace.

        Checkpoints replace by step, the last one is final; accuracies and predictions by (step, dataset), whole.
        """
        sets = [t.select(_SET) for t in (self.accuracies, self.predictions) if t is not None]
        replaced = pa.concat_tables(sets).group_by(_SET).aggregate([])
        predictions = [_without(older.predictions, replaced)] if older.predictions else []
        predictions += [self.predictions] if self.predictions else []
        steps = self.checkpoints.select(["step"])
        checkpoints = pa.concat_tables([_without(older.checkpoints, steps), self.checkpoints])
        return RunResults(
            runs=self.runs,
            checkpoints=_last_is_final(checkpoints),
            accuracies=pa.concat_tables([_without(older.accuracies, replaced), self.accuracies]),
            predictions=pa.concat_tables(predictions) if predictions else None,
        )


_SET = ["step", "dataset"]


def _without(table: pa.Table, keys: pa.Table) -> pa.Table:
    """The rows of `table` whose key does not occur in `keys`, in their order."""
    rows = table.select(keys.column_names).append_column("_row", pa.array(range(table.num_rows), pa.int64()))
    kept = rows.join(keys, keys.column_names, join_type="left anti").sort_by("_row")
    return table.take(kept["_row"])


def _last_is_final(checkpoints: pa.Table) -> pa.Table:
    """The same rows in order of step, the last one marked as final."""
    rows = checkpoints.sort_by("step").drop_columns(["is_final"])
    final = [False] * (rows.num_rows - 1) + [True]
    return schema.CHECKPOINTS.conform(rows.append_column("is_final", pa.array(final)))
