"""Downloads an upstream file: streamed, retried, verified before anybody sees it."""

import os
import time
from collections.abc import Callable

import httpx

from pipeline.errors import FlockError
from pipeline.sources import upstream
from pipeline.sources.upstream import UpstreamFile

BASE = f"https://raw.githubusercontent.com/{upstream.REPOSITORY}/{upstream.COMMIT}"
CONNECT_SECONDS, SILENT_SECONDS = 8, 20
"""How long an upstream that does not answer, or that stops sending, is waited for."""
ATTEMPTS = 4
PAUSE = 1.0
"""Seconds before the second attempt; doubled before each further one."""

Progress = Callable[[int, int | None], None]
"""Told the bytes so far and, where the server says, the bytes in all."""


def download(file: UpstreamFile, progress: Progress = lambda done, total: None, deadline: float | None = None) -> bytes:
    """The verified content of an upstream file. FLOCK_UPSTREAM names another server (a mirror) to ask.

    `deadline` is a `time.monotonic()` at which to give up. Raises FlockError when the file cannot be had, or when
    what the server sends is not the published file; nothing is stored in either case.
    """
    url = f"{os.environ.get('FLOCK_UPSTREAM') or BASE}/{file.path}"
    remedy = "try again, or copy the file from elsewhere and use --from DIR"
    for attempt in range(1, ATTEMPTS + 1):
        try:
            content = _stream(url, progress, deadline)
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            problem = f"{url} answers {status}"
            if status < 500 and status not in (408, 429):
                raise FlockError(f"{problem}: {remedy}") from None
        except httpx.HTTPError as error:
            problem = f"{url} cannot be reached ({str(error) or type(error).__name__})"
        else:
            if upstream.blob_id(content) == file.blob:
                return content
            problem = f"{url} sent {len(content):,} bytes that are not the published file (git blob {file.blob})"
        if attempt < ATTEMPTS:
            pause = PAUSE * 2 ** (attempt - 1)
            _stop_at(deadline, f"{problem}: {remedy}", pause)
            time.sleep(pause)
    raise FlockError(f"{problem}, {ATTEMPTS} times: {remedy}")


def _stream(url: str, progress: Progress, deadline: float | None) -> bytes:
    chunks, done = [], 0
    with httpx.stream("GET", url, timeout=_timeout(deadline), follow_redirects=True) as response:
        response.raise_for_status()
        length = response.headers.get("content-length")
        total = int(length) if length and "content-encoding" not in response.headers else None
        for chunk in response.iter_bytes(1 << 16):
            chunks.append(chunk)
            done += len(chunk)
            progress(done, total)
            _stop_at(deadline, f"{url} is slow, {done:,} bytes came in the time allowed: fetch again without a limit")
    return b"".join(chunks)


def _timeout(deadline: float | None) -> httpx.Timeout:
    """The usual patience, or what is left until the deadline, since a silent server gives no chance to look."""
    left = SILENT_SECONDS if deadline is None else max(0.1, deadline - time.monotonic())
    return httpx.Timeout(min(SILENT_SECONDS, left), connect=min(CONNECT_SECONDS, left))


def _stop_at(deadline: float | None, problem: str, pause: float = 0) -> None:
    """Raise when the deadline is over, or would be after `pause` seconds."""
    if deadline is not None and time.monotonic() + pause > deadline:
        raise FlockError(problem)
