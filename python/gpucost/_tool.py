# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subcommands of the tool in a child process, and what they print."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Type, Union

from gpucost import _engine, _inputs
from gpucost._files import Inputs, write_file
from gpucost._objects import target_name
from gpucost._progress import Busy
from gpucost.errors import InvalidArgumentError

# Exit code of a broken budget: the output is complete.
BUDGET_BROKEN = 4

#: Sizes to choose from: a number, several, or a list or range in text, such as "1,2,4" or "1..8x2".
Sizes = Union[int, str, Sequence[int], None]


def sizes_text(name: str, sizes: Sizes) -> str:
    """Sizes as a list of the command line."""
    if isinstance(sizes, (str, int)) and not isinstance(sizes, bool):
        return str(sizes)
    if isinstance(sizes, Sequence) and sizes and all(isinstance(size, int) for size in sizes):
        return ",".join(map(str, sizes))
    raise InvalidArgumentError(f"'{name}' is {sizes!r}: expected a number, several, or text such as '1,2,4'")


def joined(names: Union[str, Sequence[str]], separator: str) -> str:
    """Names as one text."""
    return names if isinstance(names, str) else separator.join(map(str, names))


def flags_of(settings: Mapping[str, Any]) -> List[str]:
    """Settings as flags; lists, ranges and None ("default") as in sweep()."""
    words = []
    for name, value in settings.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        if value is not None:
            # Values of some settings contain commas.
            words += [f"--{name.replace('_', '-')}=" + _text(_engine.value_of(name, each)) for each in values]
    return words


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def run(words: Sequence[str], what: str, inputs: Inputs) -> bytes:
    """The standard output of the tool; its error message as an exception. Ctrl-C ends the child, too."""
    with Busy(what), subprocess.Popen([sys.executable, "-m", "gpucost", *words], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.kill()
            raise
    if process.returncode not in (0, BUDGET_BROKEN):
        text = inputs.without_folder(errors).decode("utf-8", "replace").strip()
        found = re.sub(r"(?m)^gpu-cost-opt: ", "", text)
        raise InvalidArgumentError(re.sub("^((?:[^:\n]+: )?)error: ", r"\1", found) or
                                   f"the tool ended with {process.returncode}")
    return inputs.without_folder(output)


def _environment() -> Dict[str, str]:
    """The child imports this package."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"}


class Answer(Mapping[str, Any]):
    """What a subcommand answers: its JSON as a mapping, its table as text, and its page.

        answer["choice"], print(answer), answer.to_html("answer.html"), answer.to_dict()"""

    def __init__(self, words: Sequence[str], inputs: Inputs, what: str) -> None:
        self._words, self._inputs, self._what = list(words), inputs, what
        self._data: Dict[str, Any] = self._parse(self._run("json"))
        self._shown: Optional[str] = None

    def _parse(self, text: bytes) -> Dict[str, Any]:
        found: Dict[str, Any] = json.loads(text)
        return found

    def _run(self, form: str) -> bytes:
        return run([*self._words, f"--report={form}"], self._what, self._inputs)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of the tool."""
        return self._data

    def to_json(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """The fields as JSON; with `path`, it is also written there."""
        text = json.dumps(self.to_dict(), indent=1)
        if path is not None:
            write_file(path, text.encode())
        return text

    def to_html(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """The page of the tool with `--report=html`; with `path`, it is also written there."""
        page = self._run("html")
        if path is not None:
            write_file(path, page)
        return page.decode()

    def __repr__(self) -> str:
        if self._shown is None:
            self._shown = self._run("table").decode().rstrip()
        return self._shown

    def __reduce__(self) -> Any:
        return _restored, (type(self), self._data, repr(self))


def _restored(kind: Type[Answer], data: Dict[str, Any], shown: str) -> Answer:
    answer = object.__new__(kind)
    answer._data, answer._shown, answer._words = data, shown, []
    return answer


def settings_for(function: str, settings: Mapping[str, Any], own: Sequence[str] = ()) -> Dict[str, Any]:
    """The stated settings, as given; TypeError for an unknown name."""
    known = {name: value for name, value in settings.items() if name not in (*own, "target")}
    _inputs.settings_of(function, {name: None for name in known})
    stated = {name: value for name, value in settings.items() if value is not None}
    target = target_name(stated.get("target"))
    if target is not None and not isinstance(target, (str, list, tuple, os.PathLike)):
        raise InvalidArgumentError(f"'target' is a {type(target).__name__}: {function}() needs the name of a target or "
                                   "the path of a target file")
    if isinstance(target, os.PathLike) or (isinstance(target, str) and target.endswith(".mlir")):
        del stated["target"]
        stated["target_file"] = os.fspath(target)
    elif target is not None:
        stated["target"] = target
    return stated
