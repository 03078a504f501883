# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `gpu-cost-opt sweep` in the library: a space of models and values, as lines."""
from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import queue
import threading
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from gpucost import _abi
from gpucost._files import Inputs
from gpucost._inputs import Source, plain_setting
from gpucost._native import address, mlir, new
from gpucost._points import numbered
from gpucost.errors import FileError, GpuCostError, InvalidArgumentError, MissingFileError

# Texts of the library that wait for Python.
WAITING = 64


class Space(NamedTuple):
    """Models, and for each setting its values as the library takes them."""

    models: Sequence[Source]
    settings: Mapping[str, List[Any]]


class Options(NamedTuple):
    """How to run a space: threads, the part of it, and a file to continue."""

    jobs: int = 1
    shard: int = 1
    shards: int = 1
    file: Optional[str] = None
    restart: bool = False


def value_of(name: str, value: Any) -> Any:
    """A value of a setting in a space; None: not stated."""
    if value is None:
        return "default"
    plain = plain_setting(name, value)
    if isinstance(plain, dict):
        return ",".join(f"{key}:{number}" for key, number in plain.items())
    return plain


@contextlib.contextmanager
def stored(models: Sequence[Source]) -> Iterator[List[str]]:
    """The paths of the models; those in memory are files until the end of the context."""
    with contextlib.closing(Inputs()) as files:
        yield [files.model(model, f"model{number}") for number, model in enumerate(models)]


def lines_of(space: Space, options: Options) -> Iterator[bytes]:
    """The texts of gpucostSweep: first its head, then lines. Closing the iterator ends the sweep."""
    with stored(space.models) as paths:
        yield from _run(paths, space, options)


def _run(paths: List[str], space: Space, options: Options) -> Iterator[bytes]:
    settings = {name: list(values) for name, values in space.settings.items()}
    stated = json.dumps({"models": paths, "settings": settings}).encode()
    struct = new(_abi.SweepInput, space=stated, jobs=options.jobs, shard=options.shard, shards=options.shards,
                 file=None if options.file is None else os.fsencode(options.file), restart=int(options.restart))
    texts: "queue.Queue[Any]" = queue.Queue(WAITING)
    stopped = threading.Event()

    def receive(_: Any, chunk: bytes, size: int) -> int:
        if not stopped.is_set():
            texts.put(chunk)
        return int(stopped.is_set())

    sink = _abi.SweepSink(receive)

    def work() -> None:
        failure: Any = None
        try:
            mlir.check(mlir.Sweep(address(struct), sink, None))
        except BaseException as error:  # Raised by the reader.
            failure = error
        texts.put(failure)

    thread = threading.Thread(target=work, daemon=True)

    def end() -> None:
        stopped.set()
        while thread.is_alive():
            with contextlib.suppress(queue.Empty):
                texts.get(timeout=0.01)

    # A traceback keeps this iterator open until the interpreter ends, which must not find the library in a callback.
    atexit.register(end)
    thread.start()
    try:
        while True:
            item = texts.get()
            if not isinstance(item, bytes):
                break
            yield item
        if item is not None:
            raise _file_error(item, space) or item
    finally:
        end()
        atexit.unregister(end)


def _file_error(error: Any, space: Space) -> Optional[GpuCostError]:
    """The class of an error whose cause is a model that cannot be read."""
    if isinstance(error, InvalidArgumentError):
        for model in space.models:
            if model.data is None and not os.access(str(model.path), os.R_OK):
                return (FileError if os.path.exists(str(model.path)) else MissingFileError)(error.message)
    return None


def head_of(space: Space, options: Options) -> Dict[str, Any]:
    """The description of the sweep; its file, if any, is checked and created."""
    texts = lines_of(space, options)
    try:
        found: Dict[str, Any] = json.loads(next(texts))
    finally:
        texts.close()  # type: ignore[attr-defined]
    return found


def run_part(space: Space, shard: int, shards: int) -> bytes:
    """All lines of a part, for a worker."""
    with stored(space.models) as paths:
        texts = _run(paths, space, Options(shard=shard, shards=shards))
        next(texts)
        lines = b"".join(texts)
        for path, model in zip(paths, space.models):
            if model.data is not None:
                name = json.dumps(model.path or os.path.basename(path), ensure_ascii=False).encode()
                lines = lines.replace(b'"model":' + json.dumps(path, ensure_ascii=False).encode(), b'"model":' + name)
        return lines


def read_lines(path: str) -> bytes:
    """The lines of a file of a sweep, without an incomplete last one."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        raise FileError(str(error)) from None
    return text[:text.rfind(b"\n") + 1]


class Appender:
    """Appends lines of workers to the file of a sweep, which no other process may write meanwhile."""

    def __init__(self, path: str) -> None:
        self._done: Set[int] = {number for number, _ in numbered(read_lines(path))}
        self._file = open(path, "ab", buffering=0)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise FileError(f"another process writes to '{path}'") from None

    def has(self, first: int, end: int) -> bool:
        """Whether the file has all points from `first` to before `end`."""
        return all(number in self._done for number in range(first, end))

    def append(self, chunk: bytes) -> bytes:
        """Appends the lines that are missing, and returns them."""
        missing = [(number, line) for number, line in numbered(chunk) if number not in self._done]
        lines = b"".join(line + b"\n" for _, line in missing)
        self._file.write(lines)
        self._done.update(number for number, _ in missing)
        return lines

    def close(self) -> None:
        self._file.close()
