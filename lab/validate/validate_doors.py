# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The door test: the same model by every front end gets the same answer.

Builds a corpus of modules and networks (doors_corpus.py), predicts every file, and compares the doors (doors_compare.py):
GPU-busy time by door, type, GPU and runtime; parameters and FLOPs of networks with torch.utils.flop_counter; coverage.
"""
import json
import pathlib

import doors_compare
import doors_corpus
import gates
from doors_compare import table

# Percent by which the FLOPs of a network may differ from the count by hand.
FLOP_LIMIT = 1
NEAR_SHARE = 90
MARKER = "<!-- tables of utils/validate.py doors -->"


def flop_rows(tool, corpus, networks, jobs):
    """One row per network: parameters and FLOPs in inference and training."""
    cases = {each.name: each for each in doors_compare.cases(corpus, networks, doors_corpus.TYPES[:1], ["gpucost"])}
    rows = []
    for name in networks:
        path = corpus / f"{name}.{doors_corpus.TYPES[0]}.reference.json"
        counted = json.loads(path.read_text()) if path.exists() else {"reason": "not counted"}
        case = cases.get(name)
        reason = counted.get("reason") or (case.reason if case else "not exported")
        row = {"name": name, "reason": reason}
        for mode, field in (("inference", "forward"), ("training", "training")):
            if reason:
                continue
            line = [*doors_compare.command(tool, case, doors_compare.TARGETS[0], "eager"), f"--mode={mode}"]
            report, error = doors_compare.run_tools([line], jobs)[0]
            if error:
                row["reason"] = f"{mode}: {error}"
                continue
            iteration = report["iteration"]
            row["parameters"] = iteration["parameter_count"] - counted["parameters"]
            row[mode] = 100 * (iteration["matrix_flops"] / counted[field] - 1)
            row[f"{mode} coverage"] = report["coverage"]["modelled"]["time_fraction"]
            row["unmodelled"] = doors_compare.Answer(case, "", "", report).unmodelled
        rows.append(row)
    return rows


def flop_table(rows):
    def percent(row, field):
        return f"{row[field]:+.2f} %" if field in row else "-"
    return table(["network", "parameters", "FLOPs, inference", "FLOPs, training", "ops with a lower bound, or failure"],
                 [[row["name"], row.get("parameters", "-"), percent(row, "inference"), percent(row, "training"),
                   row["reason"] or ", ".join(row.get("unmodelled", []))] for row in rows])


def checks(pairs, rows):
    """The limits of the door test."""
    for door in sorted({each.answer.case.door for each in pairs}):
        for runtime in doors_compare.RUNTIMES:
            # Only torch-mlir's files are the same model in eager PyTorch: XLA does not launch its kernels, and the ONNX
            # exporters fold batch norm.
            if runtime == "eager" and door not in ("linalg", "tosa"):
                continue
            found = [each for each in pairs if (each.answer.case.door, each.answer.runtime) == (door, runtime)]
            near = 100 * sum(each.spread <= doors_compare.NEAR for each in found) / len(found)
            yield gates.Check(f"{door} {runtime}, pairs within 10 %", near, NEAR_SHARE, " %", len(found), at_least=True)
    counted = [row for row in rows if not row["reason"]]
    wrong = [row for row in counted if row["parameters"] or
             any(abs(row[mode]) > FLOP_LIMIT for mode in ("inference", "training"))]
    yield gates.Check("networks with other parameters or FLOPs", len(wrong), 0, "", len(counted))
    yield gates.Check("networks that cannot be exported or analyzed", len(rows) - len(counted), 0, "", len(rows))


def sections(cases, answers, pairs, rows):
    """(title, text) of the page."""
    far = [each for each in pairs if each.spread > doors_compare.FAR]
    compared = {each.answer.case.name for each in pairs}
    counted = {row["name"] for row in rows}
    yield "Pairs within 10 %", (f"Pairs of {len(compared - counted)} modules and {len(compared & counted)} networks.\n\n"
                                + doors_compare.agreement(pairs))
    yield "Pairs beyond 1.5 x", doors_compare.causes_table(far)
    yield "Parameters and FLOPs of networks", flop_table(rows)
    yield "Files with ops that are only bounded, or that the tool rejects", doors_compare.rejected(answers)
    yield "Files that a front end could not write", doors_compare.failures(cases)


def details(pairs):
    """(title, text) of all pairs."""
    for target in doors_compare.TARGETS:
        for runtime in doors_compare.RUNTIMES:
            yield f"Time relative to the ONNX file, {target}, {runtime}", doors_compare.overview(pairs, target, runtime)
        yield f"Pairs beyond 10 %, {target}", doors_compare.differences(pairs, target=target)


def text_of(parts):
    return "\n".join(f"## {title}\n\n{body}" for title, body in parts)


def write_page(path, text):
    """Replaces the part of the page after the marker, or all of it."""
    head, marker, _ = path.read_text().partition(MARKER) if path.exists() else ("", "", "")
    path.write_text(f"{head}{marker}\n\n{text}" if marker else text)


def run(args):
    corpus, (modules, networks) = doors_corpus.corpus_of(args)
    cases = [*doors_compare.cases(corpus, [*modules, *networks], doors_corpus.TYPES, doors_corpus.DOORS),
             *doors_compare.cases(corpus, networks, doors_corpus.TYPES, ["gpucost"])]
    answers = doors_compare.answers(args.tool, cases, args.jobs)
    pairs = doors_compare.pairs(answers)
    rows = flop_rows(args.tool, corpus, networks, args.jobs)
    text = text_of(sections(cases, answers, pairs, rows))
    if args.details:
        pathlib.Path(args.details).write_text(text_of(details(pairs)))
    if args.out:
        write_page(pathlib.Path(args.out), text)
    else:
        print(text)
    return 0 if gates.report(list(checks(pairs, rows))) else 1


def add_arguments(parser):
    parser.add_argument("--folder", default=str(doors_corpus.ROOT / "build" / "doors"),
                        help="environment and corpus; a later run adds what is missing")
    parser.add_argument("--python", default="python3.11", help="the interpreter of the environment")
    parser.add_argument("--newest", action="store_true", help="the newest release of each package instead of the pinned one; "
                                                              "use another folder")
    parser.add_argument("--only", default="", help="comma-separated names of modules and networks")
    parser.add_argument("--networks", choices=("counted", "all"), default="all",
                        help="counted: networks only as gpucost exports them, with their FLOPs")
    parser.add_argument("--compare-only", action="store_true", help="export nothing")
    parser.add_argument("--out", help="write the tables here, in docs/FrontEnds.md after the text")
    parser.add_argument("--details", help="write tables of all pairs here")
