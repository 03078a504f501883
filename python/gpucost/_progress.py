# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress of work that takes longer than a second."""
from __future__ import annotations

import sys
import threading
import time
from typing import Any, Optional

#: Seconds before progress appears, and between two lines without tqdm.
DELAY, INTERVAL = 1.0, 0.2


def is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None


class Progress:
    """Units of work done, on standard error: a bar of tqdm if it is installed, else a line.

    total: number of units; None: unknown
    shown: True, False, or None: if standard error is a terminal or a notebook"""

    def __init__(self, total: Optional[int], unit: str, shown: Optional[bool] = None) -> None:
        self._total, self._unit, self._done = total, unit, 0
        self._shown = is_terminal() or in_notebook() if shown is None else shown
        self._begin = self._last = time.monotonic()
        self._bar: Any = None
        self._width = 0

    def add(self, count: int) -> None:
        """Counts finished units."""
        self._done += count
        if not self._shown:
            return
        now = time.monotonic()
        if self._bar is not None:
            self._bar.update(count)
        elif now - self._begin >= DELAY and now - self._last >= INTERVAL:
            self._last = now
            if not self._start_bar():
                self._line()

    def _start_bar(self) -> bool:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        self._bar = tqdm(total=self._total, unit=f" {self._unit}", initial=self._done, file=sys.stderr)
        self._bar.start_t -= time.monotonic() - self._begin
        return True

    def _line(self) -> None:
        seconds = time.monotonic() - self._begin
        of = "" if self._total is None else f"/{self._total}"
        text = f"{self._done}{of} {self._unit}, {self._done / seconds:.3g} {self._unit}/s"
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._width:
            self._line()
            sys.stderr.write("\n")


class Busy:
    """The time that something takes while it runs: a line on a terminal, or in a notebook a bar of tqdm if it is installed.
    It appears after a second and disappears at the end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._stream = sys.stderr  # What runs may redirect it.
        self._done = threading.Event()
        self._thread: Optional[threading.Thread] = None

    def __enter__(self) -> "Busy":
        if is_terminal() or in_notebook():
            self._thread = threading.Thread(target=self._on_terminal if is_terminal() else self._in_notebook, daemon=True)
            self._thread.start()
        return self

    def _in_notebook(self) -> None:
        bar: Any = None
        while not self._done.wait(DELAY):
            if bar is None:
                try:
                    from tqdm.auto import tqdm
                except ImportError:
                    return
                bar = tqdm(desc=self._what, bar_format="{desc}: {elapsed}", leave=False,
                           file=self._stream)
            bar.refresh()
        if bar is not None:
            bar.close()

    def _on_terminal(self) -> None:
        begin, text = time.monotonic(), ""
        while not self._done.wait(DELAY):
            text = f"{self._what}: {time.monotonic() - begin:.0f} s"
            self._stream.write("\r" + text)
            self._stream.flush()
        if text:
            self._stream.write("\r" + " " * len(text) + "\r")
            self._stream.flush()

    def __exit__(self, *_: Any) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
