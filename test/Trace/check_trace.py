#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a trace file: the rules of the trace event format, and its sums against a report.

  check_trace.py trace.json [--report report.json] [--collapsed]

Rules: documents as chrome://tracing reads them, slices of a track that nest or follow each
other, times that are not negative, counters with numbers, flows that end inside slices
on their track, launches before their kernels.
"""

import argparse
import bisect
import collections
import json
import sys


class Fault(Exception):
    pass


def expect(condition, *message):
    if not condition:
        raise Fault(" ".join(str(part) for part in message))


def ns(microseconds):
    return round(microseconds * 1000)


def check_fields(events):
    """Each event has the members that its phase needs."""
    needed = {
        "X": {"cat", "name", "pid", "tid", "ts", "dur"},
        "C": {"name", "pid", "ts", "args"},
        "M": {"name", "pid", "args"},
        "s": {"cat", "name", "id", "pid", "tid", "ts"},
        "f": {"cat", "name", "id", "pid", "tid", "ts", "bp"},
    }
    for event in events:
        expect(event.get("ph") in needed, "an unknown phase:", event)
        missing = needed[event["ph"]] - event.keys()
        expect(not missing, "no", missing, "in", event)
        for key in ("ts", "dur"):
            expect(event.get(key, 0) >= 0, "a negative", key, "in", event)


def check_nesting(slices):
    """Slices of one track lie inside each other or apart; tracks by (pid, tid)."""
    tracks = collections.defaultdict(list)
    for event in slices:
        tracks[event["pid"], event["tid"]].append(event)
    for track in tracks.values():
        track.sort(key=lambda e: (ns(e["ts"]), -ns(e["dur"])))
        open_ends = []
        for event in track:
            begin, end = ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            expect(not open_ends or end <= open_ends[-1], "a slice that leaves the one around it:", event)
            open_ends.append(end)
    return tracks


def check_order(events):
    """Kernels, launches and counters are in the order of their times."""
    last = {}
    for event in events:
        kind = event.get("cat") if event["ph"] == "X" else event["name"]
        if event["ph"] == "X" and kind not in ("kernel", "cpu_op") or event["ph"] not in "XC":
            continue
        key = (event["pid"], event.get("tid"), kind)
        expect(ns(event["ts"]) >= last.get(key, 0), "out of order:", event)
        last[key] = ns(event["ts"])


def check_counters(events):
    counters = [e for e in events if e["ph"] == "C"]
    for event in counters:
        expect(len(event["args"]) >= 1, "a counter without a value:", event)
        for value in event["args"].values():
            expect(isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0, "no number:", event)
    return {e["name"] for e in counters}


def check_flows(events, tracks):
    """Each flow has one start and one end, the start first, both inside of slices."""
    ends = {"s": {}, "f": {}}
    for event in events:
        if event["ph"] not in ends:
            continue
        key = event["cat"], event["id"]
        expect(key not in ends[event["ph"]], "two ends of a flow:", event)
        ends[event["ph"]][key] = event
    expect(ends["s"].keys() == ends["f"].keys(), "flows with one end:", ends["s"].keys() ^ ends["f"].keys())
    starts = {track: sorted(ns(e["ts"]) for e in slices) for track, slices in tracks.items()}
    for side in ends.values():
        for event in side.values():
            track = starts[event["pid"], event["tid"]]
            at = bisect.bisect_left(track, ns(event["ts"]))
            expect(at < len(track) and track[at] == ns(event["ts"]), "a flow outside of slices:", event)
    for key, start in ends["s"].items():
        expect(ns(start["ts"]) <= ns(ends["f"][key]["ts"]), "a flow into the past:", start)
    return collections.Counter(category for category, _ in ends["s"])


def check_launches(slices):
    """The kernel of a correlation starts after its launch."""
    launches = {}
    for event in slices:
        if event["cat"] == "cuda_runtime" and "correlation" in event["args"]:
            number = event["args"]["correlation"]
            expect(number not in launches, "two launches of correlation", number)
            launches[number] = event
    for event in slices:
        if event["cat"] in ("kernel", "gpu_memcpy"):
            launch = launches.get(event["args"]["correlation"])
            expect(launch is not None, "a kernel without a launch:", event)
            # Both are rounded.
            end = ns(launch["ts"]) + (ns(launch["dur"]) if event["cat"] == "kernel" else 0)
            expect(end <= ns(event["ts"]) + 1, "a kernel before its launch:", event)
            expect(event["args"]["stream"] == event["tid"], "another stream:", event)


def integral(events, name, until):
    """Integral of a counter over time, value x us."""
    samples = [(e["ts"], next(iter(e["args"].values()))) for e in events if e["ph"] == "C" and e["name"] == name]
    total = 0.0
    for (begin, value), (end, _) in zip(samples, samples[1:] + [(until, 0)]):
        total += value * max(end - begin, 0)
    return total


def check_sums(document, report):
    events = document["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    kernels = [e for e in slices if e["cat"] == "kernel"]
    iteration = report["iteration"]

    def same(what, got, want, tolerance=1e-5, least=1e-6):
        expect(abs(got - want) <= tolerance * abs(want) + least, f"{what}: {got} in the trace, {want} in the report")

    step = [e for e in slices if e["cat"] == "gpu_user_annotation" and e["name"] == "ProfilerStep#0"]
    expect(len(step) == 1, "expected one ProfilerStep#0 of the GPU")
    same("time", step[0]["dur"] / 1e3, iteration["time_ms"])
    # Times are whole ns: half of one per slice.
    rounding = 0.5e-6 * len(kernels) ** 0.5 * 4
    for phase in report["phases"]:
        of_phase = [e for e in kernels if e["args"]["phase"] == phase["phase"]]
        same(phase["phase"] + " kernels", sum(e["dur"] for e in of_phase) / 1e3, phase["kernel_ms"], least=rounding)
        same(phase["phase"] + " launches", sum(e["args"]["launches"] for e in of_phase), phase["kernels"])
        same(
            phase["phase"] + " FLOPs",
            sum(e["args"]["launches"] * e["args"]["flops"] for e in of_phase),
            phase["flops"],
        )
    on_host = [e for e in slices if e["cat"] == "cpu_op" or e["name"] == "cudaMemcpyAsync"]
    same("host", sum(e["dur"] for e in on_host) / 1e3, iteration["host_ms"], least=4e-6 * max(len(on_host), 1) ** 0.5)
    end = step[0]["ts"] + step[0]["dur"]
    joules = (integral(events, "power", end) + integral(events, "power of collectives", end)) * 1e-6
    # Power is rounded to seven digits, each time to a ns.
    near = 2e-4 + 2e-3 * len(kernels) / step[0]["dur"]
    same("energy", joules, iteration["energy_j"], tolerance=near)
    gigabytes = integral(events, "DRAM bandwidth", end) + integral(events, "DRAM bandwidth of collectives", end)
    same("DRAM bytes", gigabytes * 1e3, iteration["dram_bytes"], tolerance=near)
    if iteration["peak_memory_bytes"]:
        peak = max((e["args"]["bytes"] for e in events if e["ph"] == "C" and e["name"] == "memory"), default=0)
        same("peak memory", peak, iteration["peak_memory_bytes"], tolerance=0)


def check_ranks(document, report):
    """The passes of each rank of a pipeline take its busy time, and keep as many micro-batches as it says."""
    events = document["traceEvents"]
    for rank, said in enumerate(report["pipeline"]["ranks"]):
        own = [e for e in events if e["pid"] == rank]
        step = [e["dur"] for e in own if e["name"] == "ProfilerStep#0"]
        passes = [e for e in own if e.get("cat") == "pass"]
        # Reports have seven digits, slices whole ns.
        for what, got, want in (("time", sum(step) / 1e3, report["iteration"]["time_ms"]),
                                ("busy", sum(e["dur"] for e in passes) / 1e3, said["busy_ms"])):
            expect(abs(got - want) < 1e-6 * want + 1e-6 * len(passes), rank, what, got, want)
        kept = max(e["args"]["micro-batches"] for e in own if e["ph"] == "C")
        expect(kept == said["micro_batches_in_flight"], rank, "keeps", kept, said["micro_batches_in_flight"])
        last = [e["args"]["micro-batches"] for e in own if e["ph"] == "C"][-1]
        expect(last == 0, rank, "ends with", last, "micro-batches")


def check(document, report=None):
    events = document["traceEvents"]
    check_fields(events)
    check_order(events)
    slices = [e for e in events if e["ph"] == "X"]
    tracks = check_nesting(slices)
    counters = check_counters(events)
    flows = check_flows(events, tracks)
    check_launches(slices)
    if report:
        (check_ranks if report.get("pipeline") else check_sums)(document, report)
    return len(slices), counters, flows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("--report")
    options = parser.parse_args()
    with open(options.trace, encoding="utf-8") as file:
        document = json.load(file)
    report = None
    if options.report:
        with open(options.report, encoding="utf-8") as file:
            report = json.load(file)
    try:
        count, counters, flows = check(document, report)
    except Fault as fault:
        sys.exit(f"{options.trace}: {fault}")
    print(f"{count} slices, counters {', '.join(sorted(counters))}; flows {dict(sorted(flows.items()))}")


if __name__ == "__main__":
    main()
