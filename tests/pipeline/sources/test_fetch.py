"""`fetch`: from a folder, from a stand-in for upstream that misbehaves, and the check of the single predictions."""

import http.server
import shutil
import threading
import time

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from pipeline import __main__ as command_line
from pipeline import checking, schema, scoring, store
from pipeline.errors import FlockError
from pipeline.sources import download, feather_predictions, fetch, upstream

CONTENT = b"index\tpremise\n" + bytes(range(256)) * 3000
FILE = upstream.UpstreamFile("folder/some_file.txt", upstream.blob_id(CONTENT))


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers each request as the next entry of `script` says; the last entry repeats."""

    script: list[str]
    asked: int

    def do_GET(self):
        server = self.server
        kind = server.script[min(server.asked, len(server.script) - 1)]
        server.asked += 1
        if kind.isdigit():
            self.send_response(int(kind))
            self.end_headers()
            return
        if kind == "redirect":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{server.server_port}/elsewhere")
            self.end_headers()
            return
        content = CONTENT.replace(b"premise", b"premiss") if kind == "wrong" else CONTENT
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if kind == "truncated":
            self.wfile.write(content[:1000])
        elif kind == "silent":
            self.wfile.write(content[:1000])
            self.server.over.wait(30)
        elif kind == "slow":
            for start in range(0, len(content), 50_000):
                self.wfile.write(content[start : start + 50_000])
                time.sleep(0.15)
        else:
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def serve(monkeypatch):
    """Starts a stand-in for upstream with a script; returns the server."""
    monkeypatch.setattr(download, "PAUSE", 0.01)
    servers = []

    def start(*script):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
        server.script, server.asked, server.over = list(script), 0, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("FLOCK_UPSTREAM", f"http://127.0.0.1:{server.server_port}")
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.over.set()
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("script", "asked"),
    [
        (["fine"], 1),
        (["redirect", "fine"], 2),
        (["truncated", "fine"], 2),
        (["wrong", "503", "fine"], 3),
        (["429", "fine"], 2),
        (["slow"], 1),
    ],
)
def test_a_download_survives_what_passes(serve, script, asked):
    server = serve(*script)
    seen = []
    assert download.download(FILE, lambda done, total: seen.append((done, total))) == CONTENT
    assert server.asked == asked
    assert seen[-1] == (len(CONTENT), len(CONTENT))


@pytest.mark.parametrize(
    ("script", "asked", "said"),
    [
        (["404"], 1, "answers 404"),
        (["500"], 4, "answers 500, 4 times"),
        (["truncated"], 4, "cannot be reached"),
        (["wrong"], 4, "not the published file"),
    ],
)
def test_a_download_that_fails_says_what_to_do(serve, script, asked, said):
    server = serve(*script)
    with pytest.raises(FlockError, match=said) as failure:
        download.download(FILE)
    assert server.asked == asked
    assert "folder/some_file.txt" in str(failure.value)
    assert "--from DIR" in str(failure.value)


def test_nobody_there(monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.01)
    monkeypatch.setenv("FLOCK_UPSTREAM", "http://127.0.0.1:9")
    with pytest.raises(FlockError, match="cannot be reached"):
        download.download(FILE)


def test_the_time_allowed_is_kept(serve):
    serve("slow")
    start = time.monotonic()
    with pytest.raises(FlockError, match="is slow"):
        download.download(FILE, deadline=start + 0.3)
    assert time.monotonic() - start < 2


def test_the_time_allowed_is_kept_when_the_server_falls_silent(serve):
    serve("silent")
    start = time.monotonic()
    with pytest.raises(FlockError, match="cannot be reached"):
        download.download(FILE, deadline=start + 0.5)
    assert time.monotonic() - start < 5


def flock(*arguments):
    result = CliRunner().invoke(command_line.app, [str(a) for a in arguments])
    if result.exception and not isinstance(result.exception, (FlockError, SystemExit)):
        raise result.exception
    return result


def test_a_failed_fetch_stores_nothing(serve, tmp_path):
    serve("404")
    result = flock("fetch", "hans", "--store", tmp_path / "new")
    assert isinstance(result.exception, FlockError)
    assert not (tmp_path / "new").exists()


def test_an_unknown_name_is_refused(tmp_path):
    assert "choose from hans, mnli, feather" in str(flock("fetch", "hanz", "--store", tmp_path).exception)


def test_sentences_from_a_folder(sources, tmp_path):
    result = flock("fetch", "--from", sources, "--store", tmp_path)
    assert result.output.splitlines() == ["hans: 30,000 pairs of sentences", "mnli: 9,815 pairs of sentences"]
    with store.connect([store.PUBLISHED, tmp_path]) as connection:
        found = connection.execute(
            "SELECT dataset, count(premise), count(hypothesis), count(gold), count(subcase) FROM examples "
            "WHERE dataset IN ('hans', 'mnli') GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        longest = connection.execute("SELECT count(*) FROM examples WHERE contains(premise, chr(34))").fetchone()[0]
    assert found == [("hans", 30000, 30000, 30000, 30000), ("mnli", 9815, 9815, 9815, 0)]
    assert longest > 100
    assert not checking.check([tmp_path]).problems
    again = flock("fetch", "--if-missing", "--from", sources, "--store", tmp_path)
    assert again.output == ""


def test_one_flipped_byte_is_refused(sources, tmp_path):
    name = upstream.HANS.name
    shutil.copy(sources / "hans" / name, tmp_path / name)
    (tmp_path / name).chmod(0o644)
    content = bytearray((tmp_path / name).read_bytes())
    content[12345] ^= 1
    (tmp_path / name).write_bytes(content)
    refused = flock("fetch", "hans", "--from", tmp_path, "--store", tmp_path / "new").exception
    assert f"{name} is not the published file" in str(refused)
    assert not (tmp_path / "new").exists()


def test_a_renamed_file_is_found_by_its_content(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "renamed.bin").write_bytes(CONTENT)
    assert upstream.find(tmp_path, FILE) == CONTENT
    with pytest.raises(FlockError, match="nowhere under"):
        upstream.find(tmp_path, upstream.HANS)
    with pytest.raises(FlockError, match="no such folder"):
        upstream.find(tmp_path / "missing", FILE)


def test_a_good_copy_is_found_beside_a_damaged_one_of_the_same_size(tmp_path):
    (tmp_path / FILE.name).write_bytes(CONTENT.replace(b"premise", b"premiss"))
    with pytest.raises(FlockError, match="not the published file"):
        upstream.find(tmp_path, FILE)
    (tmp_path / "copy.bin").write_bytes(CONTENT)
    assert upstream.find(tmp_path, FILE) == CONTENT


# --- every single prediction: made-up runs on a made-up test set ---------------------------------------------------

RUNS, EXAMPLES = 4, 60
GOLD = ["entailment", "neutral", "contradiction"] * (EXAMPLES // 3)


@pytest.fixture
def published():
    """A three-way set, the runs' labels on it (examples, runs) and their accuracies."""
    examples = schema.EXAMPLES.rows(
        [{"dataset": "mnli", "example": str(i), "position": i, "gold": gold} for i, gold in enumerate(GOLD)]
    )
    random = np.random.default_rng(0)
    labels = np.where(random.random((EXAMPLES, RUNS)) < 0.7, np.array(GOLD)[:, None], "entailment")
    accuracies = []
    for run in range(RUNS):
        key = {"collection": "made-up", "run": f"run_{run}", "step": 0, "dataset": "mnli"}
        rows = [{**key, "position": i, "predicted": label} for i, label in enumerate(labels[:, run])]
        accuracies.append(scoring.score(schema.PREDICTIONS.rows(rows), examples, "published"))
    return examples, labels, accuracies


def written(cells, separator, ending="\n", header=None, ids=False):
    lines = [separator.join(([str(i)] if ids else []) + list(row)) for i, row in enumerate(cells)]
    return (ending.join(([header] if header else []) + lines) + ending).encode()


@pytest.mark.parametrize(
    ("separator", "coding"),
    [
        *((separator, "words") for separator in (",", "\t", ";", " ", ", ", "   ")),
        *((separator, "integers") for separator in (",", "\t", ";", " ")),
        (",", "capitals"),
        (" ", "other integers"),
    ],
)
def test_any_separator_and_coding(published, separator, coding):
    examples, labels, accuracies = published
    codes = {"integers": ["contradiction", "entailment", "neutral"], "other integers": list(schema.LABELS)}
    cells = labels
    if coding == "capitals":
        cells = np.char.upper(labels)
    elif coding in codes:
        cells = np.vectorize(lambda label: str(codes[coding].index(label)))(labels)
    tables, _ = feather_predictions.read(written(cells, separator), "all.txt", examples, accuracies)
    for run, table in enumerate(tables):
        assert table["predicted"].to_pylist() == list(labels[:, run])
        assert set(table["run"].to_pylist()) == {f"run_{run}"}


@pytest.fixture
def two_way(published):
    """The same runs on a two-way set, which says nothing of neutral against contradiction."""
    _, labels, _ = published
    gold = ["entailment", "non-entailment"] * (EXAMPLES // 2)
    rows = [{"dataset": "hans", "example": f"ex{i}", "position": i, "gold": g} for i, g in enumerate(gold)]
    examples, accuracies = schema.EXAMPLES.rows(rows), []
    for run in range(RUNS):
        key = {"collection": "made-up", "run": f"run_{run}", "step": 0, "dataset": "hans"}
        rows = [{**key, "position": i, "predicted": label} for i, label in enumerate(labels[:, run])]
        accuracies.append(scoring.score(schema.PREDICTIONS.rows(rows), examples, "published"))
    return examples, labels, accuracies


def test_integers_on_a_two_way_set_mean_what_they_mean_on_the_other(published, two_way):
    order = ["contradiction", "neutral", "entailment"]
    content = written(np.vectorize(lambda label: str(order.index(label)))(two_way[1]), ",")
    _, meaning = feather_predictions.read(content, "mnli.txt", published[0], published[2])
    tables, _ = feather_predictions.read(content, "hans.txt", two_way[0], two_way[2], meaning)
    for run, table in enumerate(tables):
        assert table["predicted"].to_pylist() == list(two_way[1][:, run])


@pytest.mark.parametrize("order", [["contradiction", "neutral", "entailment"], ["entailment", "other"]])
def test_what_integers_on_a_two_way_set_do_not_say_is_not_made_up(two_way, order):
    """Three values of unknown order, or two: what is not entailment is stored as non-entailment, never as neutral."""
    examples, labels, accuracies = two_way
    codes = {label: str(order.index(label) if label in order else 1) for label in schema.LABELS}
    cells = np.vectorize(codes.get)(labels)
    tables, _ = feather_predictions.read(written(cells, ","), "hans.txt", examples, accuracies)
    merged = np.where(labels == "entailment", "entailment", "non-entailment")
    for run, table in enumerate(tables):
        assert table["predicted"].to_pylist() == list(merged[:, run])


def test_two_integers_are_not_read_as_two_of_three(two_way):
    """0 is contradiction in the three-way file; in a file of two labels it is only "not entailment"."""
    examples, labels, accuracies = two_way
    cells = np.where(labels == "entailment", "1", "0")
    meaning = {"0": "contradiction", "1": "entailment", "2": "neutral"}
    tables, _ = feather_predictions.read(written(cells, ","), "hans.txt", examples, accuracies, meaning)
    assert set(tables[0]["predicted"].to_pylist()) == {"entailment", "non-entailment"}


def test_integers_that_fit_in_two_ways_on_a_three_way_set_are_refused():
    """Neutral and contradiction are right equally often whichever way round."""
    gold = ["entailment", "neutral", "contradiction"]
    rows = [{"dataset": "mnli", "example": str(i), "position": i, "gold": g} for i, g in enumerate(gold)]
    examples = schema.EXAMPLES.rows(rows)
    key = {"collection": "made-up", "run": "run_0", "step": 0, "dataset": "mnli"}
    wrong = schema.PREDICTIONS.rows([{**key, "position": i, "predicted": "entailment"} for i in range(3)])
    published = [scoring.score(wrong, examples, "published")]
    with pytest.raises(FlockError, match="2 readings of its integers give"):
        feather_predictions.read(b"0\n1\n1\n", "mnli.txt", examples, published)


def test_header_ids_and_line_endings_do_not_matter(published):
    examples, labels, accuracies = published
    content = written(labels, ",", ending="\r\n", header="id,a,b,c,d", ids=True) + b"\r\n\r\n"
    tables, _ = feather_predictions.read(b"\xef\xbb\xbf" + content, "all.txt", examples, accuracies)
    assert tables[3]["predicted"].to_pylist() == list(labels[:, 3])


@pytest.mark.parametrize("order", [None, ["contradiction", "entailment", "neutral"]])
def test_one_answer_more_or_less_is_refused(published, order):
    """The run that deviates is named, whatever other readings of integers would say of the first one."""
    examples, labels, accuracies = published
    for run in range(RUNS) if order is None else (RUNS - 1,):
        altered = labels.copy()
        row = next(i for i in range(EXAMPLES) if labels[i, run] == GOLD[i])
        altered[row, run] = "neutral" if GOLD[row] != "neutral" else "contradiction"
        cells = altered if order is None else np.vectorize(order.index)(altered).astype(str)
        with pytest.raises(FlockError, match=rf"all.txt disagrees .* run_{run}, mnli: \d+ of 60 right, published"):
            feather_predictions.read(written(cells, ","), "all.txt", examples, accuracies)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda lines: lines[:-1], "59 lines, expected 60"),
        (lambda lines: [*lines[:6], lines[6] + ",neutral", *lines[7:]], "line 7: 5 columns, expected 4"),
        (
            lambda lines: [*lines[:6], lines[6].replace("entailment", "entails", 1), *lines[7:]],
            "unknown label 'entails'",
        ),
        (lambda lines: [], "is empty"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(published, alter, said):
    examples, labels, accuracies = published
    lines = alter(written(labels, ",").decode().splitlines())
    with pytest.raises(FlockError, match=said):
        feather_predictions.read("\n".join(lines).encode(), "all.txt", examples, accuracies)


def test_fetch_feather_stores_all_runs_or_none(published, tmp_path, monkeypatch):
    """The whole command on made-up files of a few runs and examples."""
    monkeypatch.setattr(store, "default_stores", list)
    examples, labels, accuracies = published
    hans = examples.set_column(0, examples.schema.field(0), [["hans"] * EXAMPLES])
    other = [a.set_column(3, a.schema.field(3), [["hans"] * a.num_rows]) for a in accuracies]
    both = [schema.ACCURACIES.conform(pa.concat_tables(pair)) for pair in zip(accuracies, other, strict=True)]
    monkeypatch.setattr(fetch.hans, "examples", lambda content, text: hans)
    monkeypatch.setattr(fetch.feather, "mnli", lambda content, text: (examples, None))
    monkeypatch.setattr(fetch.feather, "accuracies", lambda content: both)
    monkeypatch.setattr(fetch.feather, "COLLECTION", "made-up")
    rows = [{"collection": "made-up", "run": f"run_{i}", "cluster": "larger cluster"} for i in range(RUNS)]
    monkeypatch.setattr(fetch.feather, "runs", lambda: rows)
    store.write_examples(tmp_path, examples)
    store.write_examples(tmp_path, hans)

    altered = labels.copy()
    altered[0, 2] = "contradiction"
    with pytest.raises(FlockError, match="run_2"):
        fetch.fetch(["feather"], tmp_path, lambda file: written(altered, ","))
    assert not (tmp_path / "collections").exists()

    said = fetch.fetch(["feather"], tmp_path, lambda file: written(labels, ","))
    assert said == ["feather: 480 predictions of 4 runs, equal to the published accuracies"]
    with store.connect([tmp_path]) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT cluster) FROM runs").fetchone() == (RUNS, 1)
        assert connection.execute("SELECT sum(n)::INT FROM prediction_sets").fetchone() == (480,)
    assert not checking.check([tmp_path]).problems


def test_runs_fetched_in_part_are_still_missing(published, tmp_path, monkeypatch):
    """A fetch that was cut off between two runs is completed by the next one."""
    examples, labels, _ = published
    monkeypatch.setattr(fetch.feather, "COLLECTION", "made-up")
    monkeypatch.setattr(fetch.feather, "RUNS", ("run_0", "run_1"))
    hans = examples.set_column(0, examples.schema.field(0), [["hans"] * EXAMPLES])
    for table in (examples, hans):
        store.write_examples(tmp_path, table)
    for run in ("run_0", "run_1"):
        assert fetch.missing(["feather"], [tmp_path]) == ["feather"]
        key = {"collection": "made-up", "run": run, "step": 0}
        rows = [
            {**key, "dataset": dataset, "position": i, "predicted": label}
            for dataset in ("hans", "mnli")
            for i, label in enumerate(labels[:, 0])
        ]
        checkpoints = schema.CHECKPOINTS.rows([{**key, "is_final": True}])
        runs = schema.RUNS.rows([{"collection": "made-up", "run": run}])
        predictions = schema.PREDICTIONS.rows(rows)
        results = store.RunResults(runs, checkpoints, schema.ACCURACIES.rows([]), predictions)
        store.write_run(tmp_path, results)
    assert fetch.missing(["feather"], [tmp_path]) == []
