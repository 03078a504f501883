# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Points of a sweep: settings and numbers; a full report is predicted again when it is read."""
from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from gpucost._objects import grows_better
from gpucost.errors import BadDataError, FileError, GpuCostError, InvalidArgumentError, MissingFileError

if TYPE_CHECKING:
    from gpucost._report import Report

# Largest number of points that a browser plots without delay.
MOST_OF_PAGE = 20_000
# Status of points without numbers.
FAILED = ("refused", "error")


class Point:
    """One case of a sweep.

    settings: the varied settings
    fields: the numbers of a line of `gpu-cost-opt sweep` (docs/Decisions.md), by name; they are also
        attributes: point.time_ms, point.energy_j, point.status
    error: the exception, or None"""

    def __init__(self, settings: Mapping[str, Any], fields: Mapping[str, Any], error: Optional[GpuCostError] = None,
                 case: Optional[Mapping[str, Any]] = None) -> None:
        self.settings: Mapping[str, Any] = settings
        self.fields: Mapping[str, Any] = fields
        self.error: Optional[GpuCostError] = error
        self._case = case
        self._report: Optional[Report] = None

    @property
    def report(self) -> Optional[Report]:
        """The full report, which analyze() predicts when it is first read: a sweep keeps only `fields`.
        None if the case failed."""
        if self._report is None and self.error is None and self._case is not None:
            from gpucost._analysis import analyze

            self._report = analyze(**self._case)
        return self._report

    def value(self, field: str) -> Any:
        """A number of the point: one of `fields`, else of report.iteration."""
        if field in self.fields:
            return self.fields[field]
        if self.report is None:
            return None
        if not hasattr(self.report.iteration, field):
            raise InvalidArgumentError(f"a point has no '{field}'")
        return getattr(self.report.iteration, field)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.fields:
            raise AttributeError(f"a point has no '{name}'")
        return self.fields[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Point):
            return NotImplemented
        return (dict(self.settings), dict(self.fields), str(self.error)) == (
            dict(other.settings), dict(other.fields), str(other.error))

    def __hash__(self) -> int:
        from gpucost._record import hashable

        return hash((hashable(self.settings), hashable(self.fields), str(self.error)))

    def __repr__(self) -> str:
        words = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        if self.error is not None:
            return f"<{words}: {self.error}>"
        return f"<{words}: {self.fields.get('time_ms')} ms, {self.fields.get('energy_j')} J>"


def split(line: Union[str, bytes]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The parts of a line: what identifies the point (its number, sweep, version, model and settings), and
    its results."""
    fields: Dict[str, Any] = json.loads(line)
    names = list(fields)
    first = names.index("gpu")
    return {name: fields[name] for name in names[:first]}, {name: fields[name] for name in names[first:]}


START = re.compile(rb'\{"point":(\d+),')


def number_of(line: bytes) -> int:
    """The number of the point of a line."""
    found = START.match(line)
    if found is None:
        raise BadDataError(f"{line[:40]!r} is not a line of a sweep")
    return int(found[1])


def numbered(text: bytes) -> List[Tuple[int, bytes]]:
    """Whole lines with the numbers of their points."""
    return [(number_of(line), line) for line in text.split(b"\n") if line]


class Cases:
    """The cases of a sweep in their order: the varied settings of each, and the arguments of analyze()."""

    def __init__(self, settings: Sequence[Mapping[str, Any]], common: Mapping[str, Any]) -> None:
        self._settings, self.common = settings, common

    def __len__(self) -> int:
        return len(self._settings)

    def settings(self, index: int) -> Dict[str, Any]:
        return dict(self._settings[index])

    def case(self, index: int) -> Dict[str, Any]:
        return {**self.common, **self.settings(index)}


class Product(Cases):
    """All combinations of the values of `axes`; the last one varies fastest."""

    def __init__(self, axes: Mapping[str, Sequence[Any]], common: Mapping[str, Any]) -> None:
        super().__init__((), common)
        self.axes = {name: list(values) for name, values in axes.items()}

    def __len__(self) -> int:
        count = 1
        for values in self.axes.values():
            count *= len(values)
        return count

    def settings(self, index: int) -> Dict[str, Any]:
        found = {}
        for name, values in reversed(self.axes.items()):
            index, at = divmod(index, len(values))
            found[name] = values[at]
        return {name: found[name] for name in self.axes}


class Table:
    """Results of cases: lines of a sweep by their number, or fields with an error."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        #: The number of each case's line; None: the index of the case.
        self.numbers: Optional[Sequence[int]] = None
        self._lines: Dict[int, Any] = {}
        self._texts: List[Tuple[int, bytes]] = []
        #: Names of models for paths in the lines.
        self.models: Dict[str, str] = {}
        self.sweep = ""
        #: Converts each case to arguments of analyze().
        self.converted: Callable[[Dict[str, Any]], Dict[str, Any]] = dict

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "converted": dict}

    def add(self, base: int, text: bytes) -> None:
        """Adds whole lines, which are split when they are read; `base` is added to the numbers of their points."""
        self._texts.append((base, text))

    @property
    def lines(self) -> Dict[int, Any]:
        """The results by number."""
        for base, text in self._texts:
            self._lines.update((base + number, line) for number, line in numbered(text))
        self._texts.clear()
        return self._lines

    @lines.setter
    def lines(self, lines: Dict[int, Any]) -> None:
        self._lines = lines

    def known(self) -> List[int]:
        """The cases that have a result."""
        if self.numbers is None:
            return sorted(self.lines)
        lines = self.lines
        return [index for index, number in enumerate(self.numbers) if number in lines]

    def point(self, index: int) -> Point:
        number = index if self.numbers is None else self.numbers[index]
        found = self.lines[number]
        if isinstance(found, tuple) and found[1] is not None:
            return Point(self.cases.settings(index), *found)
        case = self.converted(self.cases.case(index))
        if isinstance(found, tuple):
            return Point(self.cases.settings(index), found[0], case=case)
        stated, fields = split(found)
        fields["model"] = self.models.get(stated["model"], stated["model"])
        error = InvalidArgumentError(fields["reason"]) if fields["status"] in FAILED else None
        return Point(self.cases.settings(index), fields, error, case)


class Sweep(Sequence[Point]):
    """The points of a sweep, in the order of its space."""

    def __init__(self, points: Iterable[Point]) -> None:
        points = tuple(points)
        self._table: Any = points
        self._known: Optional[Sequence[int]] = range(len(points))

    @classmethod
    def _of(cls, table: Table, indices: Optional[Sequence[int]] = None) -> "Sweep":
        self = cls(())
        self._table, self._known = table, indices
        return self

    @property
    def _indices(self) -> Sequence[int]:
        known = self._known
        if known is None:
            known = self._known = self._table.known()
        return known

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Sweep":
        """Reads a file that sweep(file=...) or `gpu-cost-opt sweep -o FILE.jsonl` has written, also an
        incomplete one or the concatenated files of shards. `settings` of a point are all settings that the
        sweep states."""
        name = os.fspath(path)
        try:
            with open(path, "rb") as file:
                lines = file.read().split(b"\n")[:-1]
        except FileNotFoundError as error:
            raise MissingFileError(str(error)) from None
        except OSError as error:
            raise FileError(str(error)) from None
        table = Table(Cases([], {}))
        try:
            parts = sorted(((split(line)[0], line) for line in lines), key=lambda part: part[0].pop("point"))
        except (ValueError, KeyError, TypeError) as error:
            raise BadDataError(f"{name}: no lines of a sweep: {error}") from None
        for index, (stated, line) in enumerate(parts):
            del stated["version"]
            table.sweep = stated.pop("sweep")
            table.lines[index] = line
        table.cases = Cases([stated for stated, _ in parts], {})
        return cls._of(table)

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if isinstance(self._table, tuple):
                return Sweep(self._table[index])
            return Sweep._of(self._table, self._indices[index])
        at = self._indices[index]
        return self._table[at] if isinstance(self._table, tuple) else self._table.point(at)

    def best(self, field: str = "time_ms", largest: Optional[bool] = None) -> Point:
        """The point with the best `field` among those that fit in memory: a field of points or of report.iteration. The
        best rate or MFU is the largest, the best value of other fields the smallest; `largest` states the direction."""
        first = next((point.fields for point in self if point.error is None), {})
        better = grows_better(field, [name for name, value in first.items()
                                      if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))])
        largest = better if largest is None else largest
        found: Optional[Point] = None
        least: Any = None
        for point in self:
            value = point.value(field) if point.error is None and point.status != "does-not-fit" else None
            if value is not None and (least is None or (value > least if largest else value < least)):
                found, least = point, value
        if found is None:
            raise InvalidArgumentError(f"no point of the sweep fits in memory and has '{field}'")
        return found

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the varied settings, the fields of the points, and `error`."""
        from gpucost._frames import pandas

        rows = []
        for point in self:
            row = {name: value if value is None or isinstance(value, (bool, int, float, Mapping)) else str(value)
                   for name, value in point.settings.items()}
            row.update((name, value) for name, value in point.fields.items() if name not in ("reason", *row))
            row["error"] = None if point.error is None else str(point.error)
            rows.append(row)
        return pandas.DataFrame(rows)

    def to_html(self, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> str:
        """The page of `gpu-cost-opt sweep --report=html` (docs/Reports.md): a plot of any two metrics,
        coloured by any setting that varies, and a table of all points. With `path`, the page is also
        written there. At most 20,000 points."""
        from gpucost._report import make_page, written
        from gpucost._version import versions

        if len(self) > MOST_OF_PAGE:
            raise InvalidArgumentError(f"a page shows at most {MOST_OF_PAGE} points, but these are {len(self)}")
        names: Dict[str, None] = {}
        points = []
        for index, point in enumerate(self):
            names.update(dict.fromkeys(point.settings))
            row = {name: plain_setting(value) for name, value in point.settings.items()}
            points.append({**row, **point.fields, "point": index})
        for row in points:
            row.update((name, None) for name in names if name not in row)
        sweep = getattr(self._table, "sweep", "")
        data = {"schema": 1, "sweep": sweep, "version": versions()["gpucost"],
                "settings": [name for name in names if name != "model"], "points": points}
        models = [str(point["model"]) for point in points]
        return written(make_page("sweep", "sweep of " + (models[0] if models else "nothing"), data), path)

    def __repr__(self) -> str:
        shown = [f"  {point!r}" for point in self[:20]]
        more = [f"  ... {len(self) - 20} more"] if len(self) > 20 else []
        return "\n".join([f"<Sweep of {len(self)} points:", *shown, *more]) + ">"


def plain_setting(value: Any) -> Any:
    """The form for JSON and legends."""
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
