"""How far the runs are: bars while they are trained, and the table of `status`."""

from collections.abc import Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from pipeline.training import folder
from pipeline.training.folder import RunFolder


@contextmanager
def bars(console: Console, total: int):
    """A function for `launch(watch=…)` that draws a bar for each run under way and prints a line for each that ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"))
    ended: set[str] = set()
    tasks: dict[str, int] = {}
    with Progress(*columns, console=console, transient=True) as progress:
        overall = progress.add_task("all runs", total=total, words="")

        def watch(jobs: Sequence) -> None:
            reports = [p for job in jobs if (p := job.folder.progress())]
            for report in reports:
                under_way = report.state in (folder.RUNNING, folder.EVALUATING)
                if under_way and report.run not in tasks:
                    tasks[report.run] = progress.add_task(report.run, total=1.0, words="")
                if report.run in tasks:
                    progress.update(tasks[report.run], completed=report.share, words=words(report))
                if report.run in tasks and not under_way:
                    progress.remove_task(tasks.pop(report.run))
                    if report.run not in ended:
                        ended.add(report.run)
                        console.print(
                            f"{report.run}: {report.state}{f' ({report.note})' if report.note else ''}", markup=False
                        )
            left = time_left(reports)
            done = sum(1.0 if r.state == folder.DONE else r.share for r in reports)
            progress.update(overall, completed=done, words=f"{duration(left)} left" if left else "")

        yield watch


def words(report: folder.Progress) -> str:
    """What a bar says: loss, speed, time left."""
    parts = [f"step {report.step:,}/{report.steps:,}"]
    if report.state == folder.EVALUATING:
        parts.append(f"evaluating {report.note}")
    elif report.loss is not None:
        parts.append(f"loss {report.loss:.3f}")
    if report.rate:
        parts.append(f"{report.rate:,.0f} examples/s")
    if report.left is not None:
        parts.append(f"{duration(report.left)} left")
    return " · ".join(parts)


def status(folders: Sequence[RunFolder]) -> tuple[Table, str]:
    """The table of `status`, a row each run, and a sentence below it."""
    table = Table(box=None, pad_edge=False)
    for name in ("collection", "run", "state", "done", "step", "loss", "examples/s", "left", "note"):
        table.add_column(name, overflow="fold")
    reports = [truthful(f) for f in folders]
    for r in reports:
        table.add_row(
            r.collection,
            r.run,
            r.state,
            f"{100 * r.share:.0f} %",
            f"{r.step:,}/{r.steps:,}",
            "" if r.loss is None else f"{r.loss:.3f}",
            f"{r.rate:,.0f}" if r.rate and r.state == folder.RUNNING else "",
            "" if r.left is None or r.state == folder.DONE else duration(r.left),
            r.note or "",
        )
    counts = {s: sum(r.state == s for r in reports) for s in dict.fromkeys(r.state for r in reports)}
    sentence = ", ".join(f"{n} {state}" for state, n in counts.items())
    left = time_left(reports)
    return table, sentence + (f"; about {duration(left)} left" if left else "")


def truthful(run: RunFolder) -> folder.Progress:
    """What the run's file says, unless its process is gone."""
    report = run.progress() or folder.Progress(run.collection, run.run)
    if report.state in (folder.RUNNING, folder.EVALUATING) and not run.is_locked():
        report.state, report.left = folder.STOPPED, None
        report.note = "start the same command again to go on"
    return report


def time_left(reports: Sequence[folder.Progress]) -> float | None:
    """Seconds until all are done, if as many run at a time as now; None before the first estimate."""
    active = [r for r in reports if r.state in (folder.RUNNING, folder.EVALUATING) and r.left is not None]
    if not active:
        return None
    whole = sum(r.left / max(1e-6, 1 - r.share) for r in active) / len(active)
    waiting = sum(r.state == folder.WAITING for r in reports)
    return max(max(r.left for r in active), (sum(r.left for r in active) + waiting * whole) / len(active))


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
