# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One iteration, asked of the report, the package, a sweep, an optimization, a comparison and a transfer."""
import argparse
import csv
import io
import json
import pathlib
import re
import shlex
import sys
import tempfile

from tool import INPUTS, Case

from answers.compared import agree, agree_in, same
from answers.doors import Refusal, refusal
from answers.settings import draw_point

sys.path.insert(0, str(INPUTS.parents[1] / "Transfer/Inputs"))
import make_trace  # noqa: E402

# Fields of a sweep and of `iteration` with the same name.
SHARED = ["time_ms", "time_low_ms", "time_high_ms", "energy_j", "energy_low_j", "energy_high_j", "avg_power_w",
          "clock_mhz", "mfu", "samples_per_s", "tokens_per_s", "energy_per_sample_j", "peak_memory_bytes",
          "device_bytes", "memory_verdict", "world_size", "throttled", "time_is_lower_bound"]
RUN = [("hours", "run_hours"), ("energy_kwh", "run_energy_kwh"), ("money", "run_money"), ("co2e_kg", "run_co2e_kg")]
# Times in a profile.
PROFILE_DIGITS = 1e-5
# Kernel families of a trace, and the launches of the longest one.
TRACED = set(make_trace.NAMES) - {"collective"}
MOST_TRACED = 2000
# A power limit that is not kept.
BROKEN = re.compile(r"drivers accept|no clock keeps")


def broken_limit(notes):
    return next((note for note in notes if BROKEN.search(note)), "")


def check_row(case, what, report, row):
    """A point of a sweep is the report."""
    iteration, fault = report["iteration"], broken_limit(report["notes"])
    agree_in(case, what, report, row, [("target", "gpu"), "format"])
    status = ("unknown" if iteration["time_ms"] is None else "refused" if fault else
              "ok" if iteration["fits_in_memory"] else "does-not-fit")
    case.require(f"{what}.status", row["status"] == status, f"{row['status']}, expected {status}: {row['reason']}")
    if fault:
        case.require(f"{what}.reason", row["reason"] == fault, f"{row['reason']!r}, in the report {fault!r}")
    # A point that cannot be set has no numbers; the report states them with a note (docs/Decisions.md).
    if row["status"] in ("ok", "does-not-fit"):
        agree_in(case, what, iteration, row, SHARED)
        run = report["run"]
        agree_in(case, what, run, row, [("iterations", "run_iterations")])
        if run["total"]:
            agree_in(case, what, run["total"], row, RUN)


def check_package(doors, case, setting, report):
    gpucost, keywords = doors.package, setting.keywords()
    agree(case, "package", report, doors.ask(gpucost.analyze, setting.path, **keywords).to_dict())
    if setting.get("set"):
        return
    own = {name: keywords[name] for name in ("software", "network") if name in keywords}
    prepared = doors.ask(gpucost.prepare, setting.path, **keywords)
    placed = doors.ask(prepared.place, keywords["target"], **own)
    again = doors.ask(placed.evaluate).to_dict()
    for part in ("iteration", "phases", "kernels", "notes", "coverage", "run", "settings"):
        agree(case, f"prepared.{part}", report[part], again[part])


def check_csv(doors, case, setting, report):
    rows = list(csv.DictReader(io.StringIO(doors.text(setting.path, *setting.flags(), "--report=csv"))))
    case.require("csv", len(rows) == len(report["kernels"]), f"{len(rows)} rows, {len(report['kernels'])} kernels")
    for row, kernel in zip(rows, report["kernels"]):
        for name, value in kernel.items():
            text = row[name]
            # Guarded against spreadsheets, which would compute it.
            text = text[1:] if text[:1] == "'" and text[1:2] in tuple("=+-@") else text
            found = (None if text == "" and value is None else text == "true" if isinstance(value, bool) else
                     text if isinstance(value, (str, type(None))) else float(text))
            case.require(f"csv.{name}", same(value, found), f"{value!r} and {text!r}")


def queries_of(kernel, iteration):
    """The columns of a query with the shape of a kernel that the file contains; None if the shape does not state all."""
    if kernel["origin"] or kernel["coverage"] != "modelled" or kernel["format"] not in ("fp32", "tf32", "fp16", "bf16"):
        return None
    words = dict(word.split("=") for word in kernel["shape"].split() if "=" in word)
    # At the clock of the iteration, which keeps the limit as a whole.
    columns = {"dtype": kernel["format"], "clock_mhz": iteration["clock_mhz"], "power_limit_w": 10**6}
    if kernel["family"] == "matmul":
        # (G14) An operand of attention is not contiguous along k, which matters in TF32; a query has no column for it.
        batch = words.get("b", 1)
        known = batch == 1 or kernel["format"] != "tf32"
        return {"family": "matmul", "batch": batch, **{name: words[name] for name in "mnk"}, **columns} if known else None
    family = {"Softmax": "softmax", "LayerNormalization": "layernorm"}.get(kernel["label"])
    return {"family": family, "rows": words["rows"], "cols": words["cols"], **columns} if family else None


def check_kernels(doors, case, setting, report):
    """Queries of the shapes that a report prints. Fused epilogues have other bytes; memory-bound kernels find tensors of
    their neighbours in L2 (M12), which changes their time."""
    if setting.get("runtime") == "compiled":
        return
    asked = [(kernel, query) for kernel in report["kernels"] if (query := queries_of(kernel, report["iteration"]))]
    if not asked:
        return
    text = io.StringIO()
    names = sorted({name for _, query in asked for name in query})
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(query for _, query in asked)
    flags = [f"--{name}={setting.get(name)}" for name in ("target", "software", "set") if setting.get(name)]
    for (kernel, query), answer in zip(asked, doors.json("--kernels=-", *flags, stdin=text.getvalue())):
        if (kernel["flops"], kernel["bytes"]) != (answer["flops"], answer["bytes"]):
            continue
        fields = ["implementation", "in_calibrated_domain", "tile", "split_k", "waves"]
        if query["family"] == "matmul":
            fields += ["time_us", "time_low_us", "time_high_us", "bound"]
        agree_in(case, f"--kernel {query['family']} {kernel['shape']}", kernel, answer, fields)


def check_decisions(doors, case, setting, report, other, other_report):
    """Both operating points in a sweep, and the better one of an optimization."""
    clocks = [str(each.get("clock") or "default") for each in (setting, other)]
    limits = [str(each.get("power-limit") or "default") for each in (setting, other)]
    both = setting.but(clock=",".join(dict.fromkeys(clocks)), power_limit=",".join(dict.fromkeys(limits)))
    rows = doors.lines("sweep", both.path, *both.flags())
    reports = {}
    for each, known in ((setting, report), (other, other_report)):
        reports[float(each.get("clock") or 0), float(each.get("power-limit") or 0)] = known
    for row in rows:
        known = reports.get((row.get("clock") or 0, row.get("power_limit") or 0))
        if known:
            check_row(case, "sweep", known, row)
    words = ["optimize", both.path, *both.flags(), "--minimize=energy"]
    feasible = [row for row in rows if row["status"] == "ok"]
    if not feasible:
        why = f"no point fits and can be set: {rows[0]['status']}, {rows[0]['reason']}"
        found = refusal(doors.json, *words)
        case.require("optimize.refusal", found == why, f"{found!r}, expected {why!r}")
        return
    optimum = doors.json(*words)
    choice = optimum["choice"]
    own = {name for name in choice if name not in ("sweep", "version")}
    agree(case, "optimize.choice", {name: rows[choice["point"]][name] for name in own},
          {name: choice[name] for name in own})
    # The goal is the energy of all GPUs and nodes.
    best = min(row["total_power_w"] * row["time_ms"] for row in feasible)
    case.require_equal("optimize.best", best, choice["total_power_w"] * choice["time_ms"])
    chosen = doors.json(*shlex.split(optimum["command"])[1:])
    check_row(case, "optimize.command", chosen, choice)
    if optimum["default"]:
        standard = doors.report(setting.but(clock=None, power_limit=None))["iteration"]
        agree_in(case, "optimize.default", standard, optimum["default"],
                 ["time_ms", "energy_j", "avg_power_w", "clock_mhz"])
    labels = [line["what"] for line in optimum["reasons"]]
    notes = [line["text"] for line in optimum["reasons"][labels.index("notes"):]] if "notes" in labels else []
    for note in chosen["notes"]:
        case.require("optimize.notes", any(note in text for text in notes), f"{note!r} is only in the report")


def check_comparison(doors, case, setting, report, other, other_report, folder):
    kept = folder / "report.json"
    kept.write_text(doors.text(setting.path, *setting.flags(), "--report=json"))
    alone = doors.json("compare", kept, setting.path)
    case.require("compare.same", alone["same"] and not alone["new_notes"] and not alone["gone_notes"],
                 f"differs from its own report: {alone['settings']} {alone['new_notes']} {alone['gone_notes']}")
    against = " ".join(f"{name}={value}" for name, value in other.values if setting.get(name) != value)
    if not against or set(dict(setting.values)) - set(dict(other.values)):
        return
    found = doors.json("compare", setting.path, *setting.flags(), f"--against={against}")
    for side, known in (("before", report), ("after", other_report)):
        agree_in(case, f"compare.{side}", known, found[side], ["target", "format", "mode"])
        agree_in(case, f"compare.{side}", known["iteration"], found[side], [
            f"{name}_{end}_{unit}" for name, unit in (("time", "ms"), ("energy", "j"), ("avg_power", "w"))
            for end in ("low", "high")])
        for name, change in {**found["totals"], **found["memory"], **found["between"]}.items():
            if name in known["iteration"]:
                value = known["iteration"][name]
                case.require(f"compare.{side}.{name}", same(value, change[side]), f"{value} and {change[side]}")
        for phase in found["phases"]:
            value = sum(each["time_ms"] for each in known["phases"] if each["phase"] == phase["name"])
            case.require_equal(f"compare.{side}.phase", value * 1e3, phase["time_us"][side] or 0)
    for mine, theirs in (("new_notes", other_report), ("gone_notes", report)):
        for note in found[mine]:
            case.require(f"compare.{mine}", note in theirs["notes"], f"{note!r} is not in the report")


def write_table(report, path):
    """A CSV table with the predicted times."""
    names = ["name", "op", "family", "shape", "count", "time_us"]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(report["kernels"])


def write_trace(doors, setting, report, path):
    """A trace in which every launch takes the predicted time; False where the order of the launches is unknown
    (loops, passes that repeat) or collectives overlap with other kernels."""
    launches = doors.report(setting, "--details")["details"]["launches"]
    kernels = [report["kernels"][index] for index in launches["kernel"]]
    if set(launches["count"]) != {1} or any(kernel["family"] not in TRACED for kernel in kernels):
        return False
    named = [(make_trace.NAMES[kernel["family"]].format(tile=kernel["tile"] or "64x64"), kernel["time_us"])
             for kernel in kernels]
    gap = (report["iteration"]["time_ms"] - report["iteration"]["kernel_ms"]) * 1e3 / len(named)
    options = argparse.Namespace(steps=2, late=False, gap=gap, plain=False)
    path.write_text(json.dumps({"traceEvents": make_trace.events(named, options)}))
    return True


def check_transfer(doors, case, setting, report, folder):
    """Kernels that take as long as predicted stay the same on the same board."""
    iteration, kernels = report["iteration"], report["kernels"]
    if any(kernel["coverage"] != "modelled" for kernel in kernels):
        return
    # A table states no order: equal names would be ambiguous.
    is_table = len({kernel["name"] for kernel in kernels}) == len(kernels)
    measured = folder / ("ops.csv" if is_table else "trace.json")
    if is_table:
        write_table(report, measured)
    elif iteration["launches"] > MOST_TRACED or not write_trace(doors, setting, report, measured):
        return
    what = "transfer." + measured.suffix[1:]
    found = doors.json("transfer", f"--measured={measured}", setting.path, *setting.flags(), f"--to=mode={report['mode']}")
    agree_in(case, what, report, found, ["model", "target", "format"])
    to, = found["destinations"]
    agree_in(case, what, iteration, to, [("time_ms", "predicted_time_ms"), ("energy_j", "predicted_energy_j"),
                                         "clock_mhz"])
    fault = broken_limit(report["notes"])
    case.require(f"{what}.notes", broken_limit(to["notes"]) == fault and
                 broken_limit(found["notes"]).replace("measured run: ", "") == fault,
                 f"{fault!r} in the report, {to['notes']} and {found['notes']}")
    predicted = sorted((kernel["name"], kernel["op"], kernel["label"], kernel["shape"], kernel["phase"],
                        kernel["count"], kernel["time_us"]) for kernel in kernels)
    transferred = sorted((kernel["name"], kernel["op"], kernel["label"], kernel["shape"], kernel["phase"],
                          kernel["count"], kernel["predicted_us"]) for kernel in found["kernels"])
    case.require(f"{what}.kernels", predicted == transferred, "kernels differ from those of the report")
    # A profile has few digits of each time.
    case.require_equal(f"{what}.time_ms", iteration["time_ms"], to["time_ms"], PROFILE_DIGITS)
    case.require_equal(f"{what}.energy_j", iteration["energy_j"], to["energy_j"], PROFILE_DIGITS)


def check_refusal(doors, case, setting, why):
    """All subcommands refuse with the same words."""
    def row_of_sweep():
        row, = doors.lines("sweep", setting.path, *setting.flags())
        if row["status"] not in ("refused", "error"):
            case.require("sweep", False, f"{row['status']}, but the report is refused: {why}")
        raise Refusal(row["reason"])

    for what, ask in {
            "package": lambda: doors.ask(doors.package.analyze, setting.path, **setting.keywords()),
            "prepare": lambda: doors.ask(doors.package.prepare, setting.path, **setting.keywords()),
            "tool.prepare": lambda: doors.text("prepare", setting.path, *setting.flags(), "-o", "/dev/null"),
            "sweep": row_of_sweep,
            "compare": lambda: doors.json("compare", setting.path, setting.path, *setting.flags()),
    }.items():
        found = refusal(ask)
        found = re.sub(r"^(settings: |\S+: )?(error: )?", "", found)
        case.require(what, found == why, f"{found!r}, the report {why!r}")


def check(doors, random, setting):
    case = Case(setting.command())
    try:
        report = doors.report(setting)
    except Refusal as refused:
        check_refusal(doors, case, setting, str(refused))
        return case
    other = setting.but(**{name.replace("-", "_"): value for name, value in draw_point(random, setting.gpu).items()
                           if value is not None})
    other_report = report if other == setting else doors.report(other)
    with tempfile.TemporaryDirectory() as folder:
        check_package(doors, case, setting, report)
        check_csv(doors, case, setting, report)
        check_kernels(doors, case, setting, report)
        check_decisions(doors, case, setting, report, other, other_report)
        check_comparison(doors, case, setting, report, other, other_report, pathlib.Path(folder))
        check_transfer(doors, case, setting, report, pathlib.Path(folder))
    return case
