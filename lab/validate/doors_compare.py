# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions for the files of the door test, and their comparison with the file of PyTorch's ONNX exporter.

A pair compares one door with the ONNX file, for one module, type, GPU and runtime. Its ratio divides the two GPU busy
times, and the difference is attributed to kernel families and, within them, to ops.
"""
import collections
import dataclasses
import fnmatch
import json
import re

import doors_corpus  # noqa: F401, which makes causes importable
from causes import CAUSES
from e2e_rows import run_tools

REFERENCE = "onnx"
TARGETS = ("a100-bf16", "h100-bf16")
RUNTIMES = ("eager", "compiled")
NEAR, FAR = 1.1, 1.5
# Families, and ops of each, that describe a difference.
LARGEST = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """A file, or the reason why there is none."""

    name: str
    type: str
    door: str
    path: str = ""
    reason: str = ""


@dataclasses.dataclass
class Answer:
    """A report on a case, or the message of the tool."""

    case: Case
    target: str
    runtime: str
    report: dict
    error: str = ""

    @property
    def key(self):
        return self.case.name, self.case.type, self.target, self.runtime

    @property
    def busy(self):
        """In us."""
        return 1e3 * self.report["iteration"]["gpu_busy_ms"]

    @property
    def unmodelled(self):
        """Names of ops without a rule or with a lower bound."""
        parts = (self.report["coverage"][part]["list"] for part in ("fallback", "unmodelled"))
        return sorted({entry["op"] if isinstance(entry, dict) else str(entry) for part in parts for entry in part})

    def by(self, *fields):
        """(us, launches) of kernels by fields of their rows."""
        sums = collections.defaultdict(lambda: [0.0, 0])
        for kernel in self.report["kernels"]:
            entry = sums[" ".join(kernel[field] for field in fields)]
            entry[0] += kernel["total_us"]
            entry[1] += kernel["count"]
        return sums


@dataclasses.dataclass
class Pair:
    answer: Answer
    reference: Answer

    @property
    def ratio(self):
        return self.answer.busy / self.reference.busy if self.reference.busy else float("inf")

    @property
    def spread(self):
        return max(self.ratio, 1 / self.ratio) if self.ratio else float("inf")

    def causes(self):
        """Text: families by their part of the difference, with the ops of this door."""
        own, other = self.answer.by("family"), self.reference.by("family")
        parts = {family: own[family][0] - other[family][0] for family in {*own, *other}}
        largest = sorted(parts, key=lambda family: -abs(parts[family]))[:LARGEST]
        texts = []
        for family in (each for each in largest if abs(parts[each]) > 0.02 * self.reference.busy):
            text = f"{family} {parts[family]:+.0f} us ({own[family][1]} launches, not {other[family][1]})"
            ops = sorted(((us, label) for label, (us, _) in self.answer.by("family", "format", "label", "shape").items()
                          if label.startswith(family + " ")), reverse=True)
            text += "".join(f"; {label[len(family) + 1:]}: {us:.0f} us" for us, label in ops[:LARGEST] if us)
            texts.append(text)
        return " | ".join(texts)


def cases(folder, names, types, doors):
    found = []
    for name in names:
        for kind in types:
            for door in doors:
                path = folder / f"{name}.{kind}.{door}.json"
                if not path.exists():
                    continue
                result = json.loads(path.read_text())
                file = str(folder / result["file"]) if "file" in result else ""
                found.append(Case(name, kind, door, file, result.get("reason", "")))
    return found


def command(tool, case, target, runtime):
    return [tool, case.path, f"--target={target}", f"--runtime={runtime}", "--report=json"]


def answers(tool, found, jobs, targets=TARGETS, runtimes=RUNTIMES):
    """An Answer for each case with a file, GPU and runtime."""
    wanted = [(case, target, runtime) for case in found if case.path for target in targets for runtime in runtimes]
    results = run_tools([command(tool, *each) for each in wanted], jobs)
    return [Answer(*each, report or {}, error or "") for each, (report, error) in zip(wanted, results)]


def pairs(found):
    """Pairs whose two files have a report."""
    references = {each.key: each for each in found if each.case.door == REFERENCE and not each.error}
    return [Pair(each, references[each.key]) for each in found
            if each.case.door != REFERENCE and not each.error and each.key in references]


def share(found):
    near = sum(each.spread <= NEAR for each in found)
    return f"{near} of {len(found)} ({100 * near / len(found):.0f} %)" if found else "-"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines) + "\n"


def agreement(found):
    """The table of pairs within 10 %, by door and type."""
    groups = collections.defaultdict(list)
    for each in found:
        groups[each.answer.case.door, each.answer.case.type, each.answer.target, each.answer.runtime].append(each)
    columns = [(target, runtime) for target in TARGETS for runtime in RUNTIMES]
    rows = [[door, kind, *(share(groups[door, kind, *column]) for column in columns)]
            for door, kind in sorted({key[:2] for key in groups})]
    return table(["door", "type", *(" ".join(column) for column in columns)], rows)


def differences(found, limit=NEAR, target=TARGETS[0]):
    """The list of pairs beyond a limit, largest first."""
    beyond = sorted((each for each in found if each.spread > limit and each.answer.target == target),
                    key=lambda each: -each.spread)
    rows = [[each.answer.case.name, each.answer.case.type, each.answer.case.door, each.answer.runtime,
             f"{each.answer.busy:.1f}", f"{each.reference.busy:.1f}", f"{each.ratio:.2f}", each.causes()] for each in beyond]
    return table(["module", "type", "door", "runtime", "us", "us of ONNX", "ratio", "difference by family; its largest ops"], rows)


def cause_of(answer):
    """The first known cause that fits; "" if none does."""
    case = answer.case
    facts = (case.door, case.name, case.type, answer.runtime)
    for *patterns, cause in CAUSES:
        if all(any(fnmatch.fnmatch(fact, each) for each in pattern.split()) for fact, pattern in zip(facts, patterns)):
            return cause
    return ""


def causes_table(found):
    """Pairs by module and door, with the range of their ratios and the cause."""
    groups = collections.defaultdict(list)
    for each in found:
        groups[each.answer.case.door, each.answer.case.name].append(each)
    rows = []
    for (door, name), pairs_of in sorted(groups.items()):
        ratios = sorted(each.ratio for each in pairs_of)
        kinds, runtimes = (" ".join(sorted({get(each) for each in pairs_of})) for get in
                           (lambda each: each.answer.case.type, lambda each: each.answer.runtime))
        span = f"{ratios[0]:.2g}" + (f" to {ratios[-1]:.2g}" if ratios[-1] - ratios[0] > 0.05 else "")
        causes = dict.fromkeys(filter(None, (cause_of(each.answer) for each in pairs_of)))
        unknown = [each for each in pairs_of if not cause_of(each.answer)]
        if unknown:
            largest = max(unknown, key=lambda each: each.spread)
            causes[f"{largest.answer.runtime}: {largest.causes()}"] = None
        rows.append([door, name, kinds, runtimes, span, "; ".join(causes)])
    return table(["door", "module", "types", "runtimes", "ratio", "cause"], rows)


def overview(found, target, runtime):
    """Ratios of all doors by module."""
    doors = sorted({each.answer.case.door for each in found})
    by_key = collections.defaultdict(dict)
    for each in found:
        if (each.answer.target, each.answer.runtime) == (target, runtime):
            by_key[each.answer.case.name, each.answer.case.type][each.answer.case.door] = each
    rows = []
    for (name, kind), entry in by_key.items():
        reference = next(iter(entry.values())).reference
        rows.append([name, kind, f"{reference.busy:.1f}",
                     *(f"{entry[door].ratio:.2f}" if door in entry else "-" for door in doors)])
    return table(["module", "type", "us of ONNX", *doors], rows)


def failures(found):
    """Front ends that wrote no file; reasons without the colors of a terminal."""
    return table(["module", "type", "door", "reason"],
                 [[each.name, each.type, each.door, re.sub(r"\x1b\[[0-9;]*m", "", each.reason)[:200]] for each in found
                  if each.reason and "no twin in JAX" not in each.reason])


def rejected(found):
    """Files that the tool rejects, or reads with ops that it cannot model."""
    rows = {(each.case.name, each.case.type, each.case.door): each.error or ", ".join(each.unmodelled)
            for each in found if each.error or each.unmodelled}
    return table(["module", "type", "door", "message, or ops with a lower bound"], [[*key, text] for key, text in rows.items()])
