"""Reads a prediction file of any usual format into rows of cells."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import FlockError

DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
QUOTING = {"none": csv.QUOTE_NONE, "double": csv.QUOTE_MINIMAL}
_SNIFFED = 1 << 16

csv.field_size_limit(1 << 24)


@dataclass
class Sheet:
    """The cells of a file. `names` is None without a header; `lines` are line numbers of the rows, from 1.

    `lists` says that each row was written as a list of values.
    """

    file: str
    kind: str
    rows: list[list[Any]]
    lines: list[int] = field(repr=False)
    names: list[str] | None = None
    lists: bool = False

    def where(self, row: int) -> str:
        """File and line of a row, for messages."""
        return f"{self.file}, row {self.lines[row]}"


@dataclass(frozen=True)
class Format:
    """What a user insists on instead of letting it be recognised."""

    delimiter: str | None = None
    quoting: str | None = None
    header: bool | None = None


def read(path: Path, format: Format) -> Sheet:
    """Read a file: Parquet, JSON, JSON lines or delimited text, gzipped or not.

    A byte-order mark, carriage returns and trailing blank lines do not matter. Raises FlockError naming file and row.
    """
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError) as error:
        raise FlockError(f"{path}: cannot be read ({error}); check the file") from None
    if content[:4] == b"PAR1":
        return _parquet(path, content)
    text = _decode(path, content)
    if not text.strip():
        raise FlockError(f"{path} is empty; export the predictions again")
    if text.lstrip()[0] in "[{" and format.delimiter is None:
        return _json(path, text)
    return _delimited(path, text, format)


def _decode(path: Path, content: bytes) -> str:
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FlockError(f"{path}, row {line}: not UTF-8; save the file as UTF-8") from None


def _parquet(path: Path, content: bytes) -> Sheet:
    try:
        table = pq.read_table(io.BytesIO(content))
    except pa.ArrowInvalid as error:
        raise FlockError(f"{path}: damaged Parquet file ({error}); export it again") from None
    columns = [column.to_pylist() for column in table.columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Sheet(str(path), "Parquet", rows, list(range(1, len(rows) + 1)), table.column_names)


def _json(path: Path, text: str) -> Sheet:
    """A JSON list (of triples, labels or objects), an object of columns, or one JSON value a line."""
    try:
        values, lines, kind = json.loads(text), None, "JSON"
    except json.JSONDecodeError:
        values, lines, kind = *_json_lines(path, text), "JSON lines"
    if isinstance(values, dict):
        lists = {name: value for name, value in values.items() if isinstance(value, list)}
        if len({len(value) for value in lists.values()}) == 1:
            values = [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
        else:
            values = [values]
    lines = lines or list(range(1, len(values) + 1))
    if all(isinstance(value, dict) for value in values) and values:
        return _records(path, kind, values, lines)
    if all(isinstance(value, list) for value in values):
        return Sheet(str(path), f"{kind} of lists", values, lines, lists=True)
    return Sheet(str(path), f"{kind} of labels", [[value] for value in values], lines)


def _json_lines(path: Path, text: str) -> tuple[list, list[int]]:
    values, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise FlockError(f"{path}, row {number}: not JSON ({error.msg}); export the file again") from None
            lines.append(number)
    return values, lines


def _records(path: Path, kind: str, values: list[dict], lines: list[int]) -> Sheet:
    names = list(values[0])
    for value, line in zip(values, lines, strict=True):
        if value.keys() != values[0].keys():
            other = sorted(value.keys() ^ values[0].keys())
            raise FlockError(f"{path}, row {line}: has other fields than the first row ({', '.join(other)}); mend it")
    return Sheet(str(path), kind, [list(value.values()) for value in values], lines, names)


# --- delimited text ------------------------------------------------------------------------------------------------


def _delimited(path: Path, text: str, format: Format) -> Sheet:
    """The reading under which most rows have the first row's width; ties go to the order of `_candidates`."""
    best = None
    for delimiter, quoting in _candidates(text, format):
        rows, lines = _parse(text, delimiter, quoting)
        width = len(rows[0]) if rows else 0
        odd = sum(len(row) != width for row in rows)
        if best is None or odd < best[0]:
            best = (odd, delimiter, quoting, rows, lines)
        if odd == 0:
            break
    odd, delimiter, quoting, rows, lines = best
    names = {value: name for name, value in DELIMITERS.items()}
    if len(rows[0]) == 1:
        kind = "one value a line"
    else:
        kind = (
            f"{names.get(delimiter, repr(delimiter))}-separated, quotes {'literal' if quoting == 'none' else 'doubled'}"
        )
    sheet = Sheet(str(path), kind, rows, lines)
    if odd:
        row = next(i for i, r in enumerate(rows) if len(r) != len(rows[0]))
        raise FlockError(
            f"{sheet.where(row)}: {len(rows[row])} columns, the first row has {len(rows[0])} (read as {kind}); "
            "mend the row, or say how to read it with --delimiter and --quoting"
        )
    return sheet


def _candidates(text: str, format: Format) -> Iterator[tuple[str, str]]:
    """(delimiter, quoting) in the order of likelihood."""
    start = text[:_SNIFFED]
    first = start.lstrip("\r\n").split("\n", 1)[0]
    if format.delimiter is not None:
        delimiters = [DELIMITERS.get(format.delimiter, format.delimiter)]
    else:
        delimiters = [d for d in DELIMITERS.values() if d in first] or [","]
    for delimiter in delimiters:
        if format.quoting is not None:
            yield delimiter, format.quoting
            continue
        # Text with literal quotes is usual where tabs separate; elsewhere a quote quotes. Evidence decides first.
        quoted = _looks_quoted(start, delimiter)
        order = ("double", "none") if quoted or delimiter != "\t" else ("none", "double")
        for quoting in order:
            yield delimiter, quoting


def _looks_quoted(text: str, delimiter: str) -> bool:
    """Whether some cell is in quotes for a reason: it holds the delimiter, a doubled quote or a line break, or its
    header is in quotes."""
    first = text.lstrip("\r\n").split("\n", 1)[0].rstrip("\r")
    if first.startswith('"') and first.endswith('"'):
        return True
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if any(delimiter in cell or "\n" in cell for cell in row):
            plain = text.split("\n", 1)[0].count(delimiter)
            return len(row) == plain + 1
    return f'{delimiter}"' in text and '""' in text and f'"{delimiter}' in text


def _parse(text: str, delimiter: str, quoting: str) -> tuple[list[list[str]], list[int]]:
    """Rows and their line numbers; blank lines are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=QUOTING[quoting])
    rows, lines, line = [], [], 0
    for row in reader:
        if row and any(cell.strip() for cell in row):
            rows.append(row)
            lines.append(line + 1)
        line = reader.line_num
    return rows, lines
