# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`validate.py kernels`: predicted against measured times of single kernels."""
import collections
import csv
import gzip
import io
import json
import pathlib
import statistics
import subprocess
import sys

import kernel_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Any small model: its report tells the peak and the bandwidth of a target.
PROBE = ROOT / "models" / "resnet50.onnx"


def opened(path):
    return gzip.open(path, "rt", newline="") if str(path).endswith(".gz") else open(path, newline="")


def read(path, wanted):
    """[(row, query)] of a table, and how many rows have no query, by reason."""
    rows, unmapped = [], collections.Counter()
    with opened(path) as file:
        table = csv.DictReader(file)
        missing = {"source", "gpu", "measured_us"} - set(table.fieldnames or [])
        if missing:
            raise SystemExit(f"validate.py: {path}: no column {', '.join(sorted(missing))}")
        for row in table:
            try:
                query = kernel_tables.query(row)
            except kernel_tables.Unmapped as reason:
                unmapped[str(reason)] += 1
                continue
            except (KeyError, ValueError) as error:
                unmapped[f"no such column or number: {error}"] += 1
                continue
            if wanted in ("", kernel_tables.family(query)):
                rows.append((row, query))
    return rows, unmapped


def ask(tool, gpu, dtype, queries, extra=()):
    """Answers to `queries` on one GPU as dictionaries, or an error in words."""
    columns = sorted({c for q in queries for c in q} - {"bytes", "weight_bytes"})
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", restval="")
    writer.writeheader()
    writer.writerows(queries)
    done = subprocess.run([tool, f"--target={gpu}-{dtype}", "--kernels=-", "--report=csv", *extra], input=text.getvalue(),
                          capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
    return list(csv.DictReader(io.StringIO(done.stdout))), None


def with_protocol(row, query, us=None):
    """`query` as its benchmark timed it; `us`, where known, is the time of one launch."""
    query = dict(query)
    if row["source"] == "aiconfigurator" and query["family"] == "matmul":
        query["reuse_bytes"] = query["bytes"] + (kernel_tables.COPIES - 1) * query["weight_bytes"]
        if us:
            query["warm_up_ms"] = kernel_tables.WARM_UP * us / 1e3
            query["burst_ms"] = kernel_tables.TIMED * us / 1e3
    elif row["source"].startswith("neusight"):
        query["reuse_bytes"] = query["bytes"]
        query["activity"] = 1 if query["family"] == "matmul" else 0.5  # random products, else zeros
    return query


def predict(tool, gpu, dtype, part, protocol):
    """Time in us of the kernels of every row of `part`."""
    def times(queries):
        answers, error = ask(tool, gpu, dtype, queries)
        if error:
            raise kernel_tables.Unmapped(f"tool: {gpu}-{dtype}: {error}")
        return [float(answer["time_us"]) for answer in answers]

    if not protocol:
        return times([query for _, query in part])
    result = times([with_protocol(row, query) for row, query in part])
    if any(row["source"] == "aiconfigurator" for row, _ in part):
        result = times([with_protocol(row, query, us) for (row, query), us in zip(part, result)])
    prefill = [i for i, (_, query) in enumerate(part) if kernel_tables.family(query) == "attention, prefill"]
    if prefill:
        for i, us in zip(prefill, times([kernel_tables.cache_write(part[i][1]) for i in prefill])):
            result[i] += us
    return result


def with_dispatch(part, times):
    """(times with the dispatch of the launch, row judges the error and is no fit of it) of every row."""
    groups = collections.defaultdict(list)
    for i, (row, query) in enumerate(part):
        if row["source"].startswith(kernel_tables.WITH_DISPATCH):
            groups[row["source"], kernel_tables.family(query), row.get("op"), row.get("split")].append(i)
    times, judged, floors = list(times), [True] * len(times), [0.0] * len(times)
    for members in groups.values():
        dispatch = kernel_tables.Dispatch([float(part[i][0]["measured_us"]) for i in members],
                                          [times[i] for i in members])
        for place, i in enumerate(members):
            times[i], floors[i] = dispatch.timed(times[i]), dispatch.floor
            judged[i] = place % 2 == 1
    return times, judged, floors


def probe(tool, gpu, dtype):
    """What a report says of a target: the `iteration` object of any model."""
    done = subprocess.run([tool, str(PROBE), f"--target={gpu}-{dtype}", "--bind=batch:1", "--report=json"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["iteration"]


def machine(tool, gpu, dtype):
    """Peak in FLOP/s and bandwidth in B/s of a target."""
    iteration = probe(tool, gpu, dtype)
    return iteration["peak_flops_per_s"], iteration["dram_bandwidth_bytes_per_s"]


def power_limit(tool, gpu, dtype):
    return probe(tool, gpu, dtype)["power_limit_w"]


def flops(query):
    """Multiply-adds of `query`, two each; 0 for memory-bound kernels."""
    if query["family"] == "matmul":
        return 2 * query["batch"] * query["m"] * query["n"] * query["k"]
    if query["family"] == "conv2d":
        out = (query["h"] + 2 * query["pad"] - query["kh"]) // query["stride"] + 1
        return 2 * query["n"] * query["oc"] * out ** 2 * query["c"] * query["kh"] ** 2
    if query["family"] == "attention":
        scores = query["q_len"] * query["kv_len"] / (2 if query["causal"] else 1)
        return 4 * query["batch"] * query["heads"] * query["head_dim"] * scores
    return 0


def line(name, results):
    """Statistics of (measured, predicted, roofline) in us."""
    errors = [100 * (p / m - 1) for m, p, _ in results]
    size = sorted(abs(e) for e in errors)
    weight = 100 * sum(abs(p - m) for m, p, _ in results) / sum(m for m, _, _ in results)
    roofs = [abs(100 * (r / m - 1)) for m, _, r in results if r]
    roof = f"{statistics.mean(roofs):.0f}" if roofs else ""
    return (f"| {name} | {len(results)} | {statistics.mean(size):.1f} | {statistics.median(size):.1f} | "
            f"{size[int(0.9 * (len(size) - 1))]:.1f} | {size[-1]:.0f} | {statistics.median(errors):+.1f} | "
            f"{weight:.1f} | {roof} |")


def evaluate(tool, path, family="", protocol=True):
    """{group: [(measured, predicted, roofline) in us]} of a table, and rows without an answer by reason."""
    rows, unmapped = read(path, family)
    parts = collections.defaultdict(list)
    for row, query in rows:
        parts[row["gpu"], query["dtype"]].append((row, query))
    groups = collections.defaultdict(list)
    for (gpu, dtype), part in sorted(parts.items()):
        try:
            times = predict(tool, gpu, dtype, part, protocol)
        except kernel_tables.Unmapped as reason:
            unmapped[str(reason)] += len(part)
            continue
        peak, bandwidth = machine(tool, gpu, dtype)
        judged, floors = [True] * len(part), [0.0] * len(part)
        if protocol:
            times, judged, floors = with_dispatch(part, times)
        for (row, query), time, judge, floor in zip(part, times, judged, floors):
            if not judge:
                continue
            name = f"{row['source']} {gpu} {dtype} {kernel_tables.family(query)}"
            measured = float(row["measured_us"])
            # The roofline knows no links between GPUs.
            roofline = 0 if query["family"] == "collective" else 1e6 * max(flops(query) / peak,
                                                                           query["bytes"] / bandwidth)
            groups[name].append((measured, time, roofline))
            if floor and measured > 2 * floor:
                groups[name + ", over twice the dispatch"].append((measured, time, roofline))
    return groups, unmapped


PAGE = """# Accuracy of single kernels

Written by `utils/validate.py kernels --out docs/KernelAccuracy.md`; do not edit. Whole iterations: [Accuracy.md](Accuracy.md).

Absolute percentage errors of kernel times, mean, median, 90th percentile and worst; the median of the signed errors;
*time-weighted* is the sum of |predicted - measured| over the sum of measured; *roofline* is the mean error of the larger
of FLOPs / peak and bytes / bandwidth, operands counted once.

- **In fit**: aiconfigurator GEMM (H100, H200, L40S: 2000 rows of this table; A100: one software stack, the table holds the
  median of several) and attention of one stack each, its collectives, and NeuSight's fp32 kernels of P4, P100, V100, T4 and A100 40 GB, then refined on whole networks.
- **Not in fit**: every Vidur and LLMCompass row; NeuSight rows of the A100 80 GB except convolutions; the A40 has
  borrowed coefficients throughout.
- **GEMM held out**: five folds over weight shapes (n, k), each predicted by a fit without it
  (`calibration/fit_kernels.py --folds 5`, ten parameters a GPU): A100 7.4 %, H100 5.5 %, H200 5.4 %, L40S 10.3 %.
- Benchmark protocol (`utils/kernel_tables.py`): operand re-use and burst length of the GEMM runs, the KV-cache write of
  the prefill runs, and the dispatch that NeuSight and LLMCompass time along with a kernel. The latter takes one number
  per GPU and operation from every second row; errors are of the other rows.

{tables}

Weak: fp32 products with strides of 32 KB and more on Pascal; boards of 75 W or less, whose clocks depend on temperature
and data; fp32 convolutions (14-23 %, the algorithm is inferred); decode attention, and prefill with windows or head
dimensions other than 128, whose kernels differ between the stacks that the tables mix.
"""


def run(args):
    groups, unmapped = collections.defaultdict(list), collections.Counter()
    for path in args.measurements:
        found, without = evaluate(args.tool, path, args.family, args.protocol_terms)
        for name, results in found.items():
            groups[name] += results
        unmapped.update(without)
    report = ["| kernels | n | mean | median | p90 | worst | median bias | time-weighted | roofline |",
              "|---|---|---|---|---|---|---|---|---|"]
    report += [line(name, results) for name, results in sorted(groups.items())]
    missing = [f"not mapped: {count} rows: {reason}" for reason, count in unmapped.most_common()]
    print("\n".join(report + missing))
    if args.out:
        tables = "\n".join(report + [""] + [f"- {text}" for text in missing])
        pathlib.Path(args.out).write_text(PAGE.format(tables=tables))
    if not groups:
        print("validate.py: no row was predicted", file=sys.stderr)
        return 1
    return 0


# Mean error, in percent, above which the gate fails: just above what is measured.
GATES = {
    "kernels_gemm_bf16_aiconfigurator.csv.gz": {
        "a100-sxm-80gb": 8.0, "h100-sxm-80gb": 6.0, "h200-sxm": 6.0, "l40s": 11.0},
    "kernels_comm.csv.gz": {"a100-sxm-80gb": 7.0, "h100-sxm-80gb": 8.0, "h200-sxm": 8.0, "b200-sxm": 8.0},
}


def gate(tool, data):
    """True when every table of GATES keeps its limits."""
    good = True
    for table, limits in GATES.items():
        groups, _ = evaluate(tool, data / table)
        for gpu, limit in limits.items():
            results = [r for name, rows in groups.items() if name.split()[:2] == ["aiconfigurator", gpu] for r in rows]
            mape = 100 * statistics.mean(abs(p / m - 1) for m, p, _ in results) if results else 100.0
            good &= mape <= limit
            print(f"gate: {table.split('.')[0]} {gpu} MAPE {mape:.2f} % over {len(results)} rows, limit {limit} %: "
                  f"{'ok' if mape <= limit else 'FAILED'}")
    return good
