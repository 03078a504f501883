# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`validate.py kernels`: predicted against measured times of single kernels."""
import collections
import csv
import dataclasses
import gzip
import io
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import gates
import kernel_tables
import validate_schedules
from error_statistics import Errors

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Any small model: its report contains the peak and the bandwidth of a target.
PROBE = ROOT / "models" / "resnet50.onnx"
# Source name for medians over the stacks that measured a shape.
STACKS = "aiconfigurator/stacks"
# Suffix of a group whose rows are mostly kernel, not dispatch.
OVER = ", over twice the dispatch"


def opened(path):
    return gzip.open(path, "rt", newline="") if str(path).endswith(".gz") else open(path, newline="")


def read(path, wanted):
    """[(row, query)] of a table, and the number of rows without a query by
    reason."""
    rows, unmapped = [], collections.Counter()
    with opened(path) as file:
        table = csv.DictReader(file)
        by_stack = "stack" in (table.fieldnames or [])
        missing = {"source", "gpu", "measured_us"} - set(table.fieldnames or [])
        if missing and not by_stack:
            raise SystemExit(f"validate.py: {path}: no column {', '.join(sorted(missing))}")
        for row in table:
            try:
                row = kernel_tables.of_stack(row) if by_stack else row
                query = kernel_tables.query(row)
            except kernel_tables.Unmapped as reason:
                unmapped[str(reason)] += 1
                continue
            except (KeyError, ValueError) as error:
                unmapped[f"no such column or number: {error}"] += 1
                continue
            if kernel_tables.is_wanted(query, wanted):
                rows.append((row, query))
    return rows, unmapped


# The measured server, if it differs from the one that the target assumes.
INTERCONNECTS = {"l40s": "pcie4x16-no-p2p"}


def ask(tool, gpu, dtype, queries, extra=()):
    """Results of `queries` on one GPU as dictionaries, or an error message."""
    columns = sorted({c for q in queries for c in q} - {"bytes", "weight_bytes"})
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", restval="")
    writer.writeheader()
    writer.writerows(queries)
    done = subprocess.run([tool, f"--target={gpu}-{dtype}", "--kernels=-", "--report=csv",
                           *([f"--interconnect={INTERCONNECTS[gpu]}"] if gpu in INTERCONNECTS else []), *extra], input=text.getvalue(),
                          capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
    return list(csv.DictReader(io.StringIO(done.stdout))), None


def with_protocol(row, query, us=None):
    """`query` with its benchmark's protocol; `us`, if known, is the time per launch."""
    query = dict(query, protocol="benchmark")
    if row["source"] == "aiconfigurator" and query["family"] == "matmul":
        query["reuse_bytes"] = query["bytes"] + (kernel_tables.COPIES - 1) * query["weight_bytes"]
        if us:
            query["warm_up_ms"] = kernel_tables.WARM_UP * us / 1e3
            query["burst_ms"] = kernel_tables.TIMED * us / 1e3
    elif row["source"].startswith("aiconfigurator") and kernel_tables.family(query) == "attention, decode":
        query.update(kernel_tables.decode_protocol(row, query))
    elif "software" in row and kernel_tables.family(query) == "attention, prefill" and query["causal"]:
        query["cache_write"] = 1
    elif row["source"].startswith("neusight"):
        query["reuse_bytes"] = query["bytes"]
        query["toggle_rate"] = 1 if query["family"] == "matmul" else 0.5  # random operands for matmuls, else zeros
    return query


@dataclasses.dataclass
class Result:
    """Times in us of one row, and the half-width of its 80 % interval (None: unknown)."""
    measured: float
    predicted: float
    roofline: float
    half_width: float

    @property
    def inside(self):
        return self.predicted / (1 + self.half_width) <= self.measured <= self.predicted * (1 + self.half_width)


def half_width(answer):
    return float(answer["time_high_us"]) / float(answer["time_us"]) - 1 if answer.get("time_high_us") else None


def predict(tool, gpu, dtype, part, protocol, flags=()):
    """(times in us, half-widths) of the kernels in all rows of `part`."""
    widths = []

    def times(queries):
        answers, error = ask(tool, gpu, dtype, queries, flags)
        if error:
            raise kernel_tables.Unmapped(f"tool: {gpu}-{dtype}: {error}")
        widths[:] = [half_width(answer) for answer in answers]
        return [float(answer["time_us"]) for answer in answers]

    if not protocol:
        return times([query for _, query in part]), widths
    result = times([with_protocol(row, query) for row, query in part])
    if any(row["source"] == "aiconfigurator" and query["family"] == "matmul" for row, query in part):
        result = times([with_protocol(row, query, us) for (row, query), us in zip(part, result)])
    own_widths = list(widths)
    prefill = [i for i, (row, query) in enumerate(part)
               if kernel_tables.family(query) == "attention, prefill" and "software" not in row]
    if prefill:
        for i, us in zip(prefill, times([kernel_tables.cache_write(part[i][1]) for i in prefill])):
            result[i] += us
    return result, own_widths


def with_dispatch(part, times):
    """Per row: (time with dispatch, whether the row is excluded from the dispatch fit and measures the error)."""
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
    """A report on a target: the `iteration` object of any model."""
    done = subprocess.run([tool, str(PROBE), f"--target={gpu}-{dtype}", "--bind=batch:1", "--report=json"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["iteration"]


def flops(query):
    """Multiply-adds of `query`, two each; 0 for memory-bound kernels."""
    if query["family"] == "matmul":
        return 2 * query["batch"] * query["m"] * query["n"] * query["k"]
    if query["family"] == "conv2d":
        out = (query["h"] + 2 * query["pad"] - query["kh"]) // query["stride"] + 1
        return 2 * query["n"] * query["oc"] * out ** 2 * query["c"] * query["kh"] ** 2
    if query["family"] == "attention":
        window = min(query.get("window", 0) or query["kv_len"], query["kv_len"])
        # A causal query of a prompt sees half of the keys, but the whole window behind it.
        scores = query["q_len"] * (window - (window ** 2 / (2 * query["kv_len"]) if query["causal"] else 0))
        return 4 * query["batch"] * query["heads"] * query["head_dim"] * scores
    return 0


def line(name, results):
    """Statistics over a list of Result."""
    errors = Errors.of((r.measured, r.predicted) for r in results)
    weight = 100 * sum(abs(r.predicted - r.measured) for r in results) / sum(r.measured for r in results)
    roofs = [(r.measured, r.roofline) for r in results if r.roofline]
    roof = f"{Errors.of(roofs).mean:.0f}" if roofs else ""
    return (f"| {name} | {errors.count} | {errors.mean:.1f} | {errors.median:.1f} | {errors.p90:.1f} | "
            f"{errors.worst:.0f} | {errors.median_bias:+.1f} | {weight:.1f} | {roof} | "
            f"{coverage(results)} |")


def coverage(results):
    """Percent of the results inside their interval; "" without intervals."""
    known = [result.inside for result in results if result.half_width is not None]
    return f"{100 * sum(known) / len(known):.0f}" if known else ""


def by_source(groups):
    """Coverage of each source's rows; if the timer includes the dispatch, only rows that are mostly kernel
    time."""
    sources = collections.defaultdict(list)
    for name, results in groups.items():
        if not name.startswith(kernel_tables.WITH_DISPATCH) or OVER in name:
            sources[name.split()[0].split("/")[0]] += results
    return sources


def evaluate(tool, path, family="", protocol=True, only=None, flags=()):
    """{group: [Result]} of a table, for one GPU if `only` names one, and rows
    without a prediction by reason. `flags` are additional tool flags."""
    rows, unmapped = read(path, family)
    parts = collections.defaultdict(list)
    for row, query in rows:
        if only in (None, row["gpu"]):
            parts[row["gpu"], query["dtype"], kernel_tables.software(row, query)].append((row, query))
    groups, shapes = collections.defaultdict(list), collections.defaultdict(list)
    for (gpu, dtype, software), part in sorted(parts.items()):
        try:
            times, widths = predict(tool, gpu, dtype, part, protocol,
                                    [*flags, f"--software={software}"] if software else flags)
        except kernel_tables.Unmapped as reason:
            unmapped[str(reason)] += len(part)
            continue
        target = probe(tool, gpu, dtype)
        peak, bandwidth = target["peak_flops_per_s"], target["dram_bandwidth_bytes_per_s"]
        judged, floors = [True] * len(part), [0.0] * len(part)
        if protocol:
            times, judged, floors = with_dispatch(part, times)
        for (row, query), time, width, judge, floor in zip(part, times, widths, judged, floors):
            if not judge:
                continue
            name = f"{row['source']} {gpu} {dtype} {kernel_tables.family(query)}"
            measured = float(row["measured_us"])
            # The roofline does not include links between GPUs.
            roofline = 0 if query["family"] == "collective" else 1e6 * max(flops(query) / peak,
                                                                           query["bytes"] / bandwidth)
            groups[name].append(Result(measured, time, roofline, width))
            if "software" in row:
                shapes[gpu, dtype, kernel_tables.family(query), tuple(
                    query.get(c, 0) for c in ("batch", "heads", "kv_heads", "head_dim", "q_len", "kv_len", "window"))].append(
                        groups[name][-1])
            if floor and measured > 2 * floor:
                groups[name + OVER].append(groups[name][-1])
    for (gpu, dtype, family_name, _), results in shapes.items():
        groups[f"{STACKS} {gpu} {dtype} {family_name}"].append(median_of(results))
    return groups, unmapped


def median_of(results):
    """(D6) Median measured and predicted times over the stacks that measured a shape."""
    return Result(*(statistics.median(getattr(r, field) for r in results) if all(
        getattr(r, field) is not None for r in results) else None
                    for field in ("measured", "predicted", "roofline", "half_width")))


PAGE = """# Accuracy of single kernels

Written by `utils/validate.py kernels --out docs/KernelAccuracy.md`; do not edit. Whole iterations: [Accuracy.md](Accuracy.md).

Absolute percentage errors of kernel times (mean, median, 90th percentile and worst) and median of the signed errors.
*time-weighted* is the sum of |predicted - measured| divided by the sum of measured times. *roofline* is the mean error of the larger
of FLOPs / peak and bytes / bandwidth, with operands counted once. *inside* is the percentage of rows inside the 80 % prediction
interval.

- **GEMM, GPU held out** (`--protocol=held-out-gpu`): each GPU with the coefficients of related GPUs: A100 16.9 %, H100 6.5 %,
  H200 6.9 %, L40S 21.6 %, mean 13.0 %.
- **In fit**: aiconfigurator GEMM (H100, H200, L40S: 2000 rows of this table; A100: one software stack, while the table contains the
  median of several), attention (each stack; prompts for all software: 2000 rows of each table and GPU), collectives, and
  NeuSight's fp32 kernels of P4, P100, V100, T4 and A100, then refined on whole models. Linear layers of P4, P100, T4 and A100 80 GB
  were fitted to rows with 256 <= m, n, k <= 8192 (`--kind linear-fp32 --folds 5`: held out 35, 6.7, 13.7, 4.9 %); the tables contain
  all sizes.
- **Attention by software**: rows `aiconfigurator/vllm-0.24.0` and others are tables of one release, predicted with
  `--software`. `aiconfigurator/stacks` compares the median of the releases that measured a shape with the median of
  their predictions; `aiconfigurator` compares this median with the set for all software (`--software=pytorch`).
  Sets for all software, held out by number and size of heads (`fit_kernels.py --kind prefill --folds 5`): prefill
  8.3, 12.2, 12.5, 20.9 % (A100, H100, H200, L40S).
  `aiconfigurator/...` of B200 are all rows in 16 bit of the table by software and format, without doubtful ones; held-out
  shapes (`lab/fit/fit_generated.py --held-out`): prompts 6.4 %, decode steps 6.7 %.
- **Not in fit**: every Vidur and LLMCompass row; other NeuSight rows of the A100 80 GB except convolutions; the A40 has
  transferred coefficients throughout.
- **GEMM held out**: five folds over weight shapes (n, k), each predicted by a fit without it
  (`lab/fit/fit_kernels.py --folds 5`, ten parameters a GPU): A100 7.4 %, H100 5.5 %, H200 5.6 %, L40S 10.3 %.
- **Benchmark protocol** (`lab/validate/kernel_tables.py`): operand reuse and burst length of the GEMM runs, the KV-cache write of
  the prefill runs, the repeatedly read cache of the decode runs, and the dispatch that NeuSight and LLMCompass
  include in the time of a kernel. The dispatch is one number per GPU and operation, fitted to every second row; errors are those
  of the other rows.

{tables}

Known limitations: fp32 matmuls with strides of 32 KB and more on Pascal; boards of 75 W or less, whose clocks depend on temperature
and data; fp32 convolutions (14-23 %, the algorithm is inferred); attention of software without tables; decoding with
a head dimension of 512 on Hopper (FlashAttention-4). Some times of SGLang 0.5.12 on L40S exceed the memory
bandwidth by orders of magnitude. The tables of TensorRT-LLM before 1.3.0rc20 read half of the cache (D7).
"""


def without_own_gpu(tool, path, protocol):
    """Like `evaluate` for tensor-core matmuls, but each GPU uses the coefficients of related GPUs in the
    table."""
    sys.path.insert(0, str(ROOT / "lab" / "fit"))
    import coefficient_files
    import fit_kernels
    texts, groups = coefficient_files.read_all(), {}
    rows, unmapped = read(path, "linear")
    gpus = sorted({row["gpu"] for row, query in rows if query["dtype"] != "fp32"})
    for gpu in gpus if len(gpus) > 1 else ():
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(fit_kernels.from_others(tool, texts, gpu, gpus))
            file.flush()
            found, without = evaluate(tool, path, "linear", protocol, gpu, [f"--coefficients={file.name}"])
        groups.update(found)
        unmapped.update(without)
    return groups, unmapped


def run(args):
    groups, unmapped = collections.defaultdict(list), collections.Counter()
    for path in args.measurements:
        if args.protocol == "held-out-gpu":
            found, without = without_own_gpu(args.tool, path, args.protocol_terms)
        else:
            found, without = evaluate(args.tool, path, args.family, args.protocol_terms)
        for name, results in found.items():
            groups[name] += results
        unmapped.update(without)
    report = ["| kernels | n | mean | median | p90 | worst | median bias | time-weighted | roofline | inside |",
              "|---|---|---|---|---|---|---|---|---|---|"]
    report += [line(name, results) for name, results in sorted(groups.items())]
    missing = [f"not mapped: {count} rows: {reason}" for reason, count in unmapped.most_common()]
    sure = [f"80 % interval: {coverage(found)} % of {len(found)} {source} rows inside"
            for source, found in sorted(by_source(groups).items()) if coverage(found)]
    print("\n".join(report + missing + sure))
    if args.out:
        tables = "\n".join(report + [""] + [f"- {text}" for text in missing + sure])
        path = pathlib.Path(args.out)
        kept = validate_schedules.section_of(path.read_text()) if path.exists() else ""
        path.write_text(PAGE.format(tables=tables) + kept)
    if not groups:
        print("validate.py: no row was predicted", file=sys.stderr)
        return 1
    return 0


# Mean error, in percent, above which the gate fails: just above the current error.
GATES = {
    "kernels_gemm_bf16_aiconfigurator.csv.gz": {
        "a100-sxm-80gb": 8.0, "h100-sxm-80gb": 6.0, "h200-sxm": 6.0, "l40s": 11.0},
    "kernels_attention_context_bf16_aiconfigurator.csv.gz": {
        "a100-sxm-80gb": 9.0, "h100-sxm-80gb": 13.0, "h200-sxm": 13.0, "l40s": 22.0},
    # Attention kernels by software, the median of the stacks that measured a shape.
    "kernels_attention_generation_bf16_by_stack.csv.gz": {
        "a100-sxm-80gb": 7.5, "h100-sxm-80gb": 9.3, "h200-sxm": 10.4, "l40s": 10.8},
    "kernels_attention_context_bf16_by_stack.csv.gz": {
        "a100-sxm-80gb": 5.7, "h100-sxm-80gb": 11.2, "h200-sxm": 8.5, "l40s": 12.7},
    "kernels_comm.csv.gz": {"a100-sxm-80gb": 7.0, "h100-sxm-80gb": 8.0, "h200-sxm": 8.0, "b200-sxm": 8.0},
}
# The same for attention by software and format, by GPU and kind: all rows, not medians of the stacks.
FORMAT_TABLE = "wave3/aic/attention_lowp.csv.gz"
FORMAT_GATES = {"b200-sxm": {"attention, prefill": 6.7, "attention, decode": 6.9}}
# The same for kernels on CUDA cores, by GPU and kind.
FP32_GATES = {
    "kernels_gemm_neusight.csv.gz": {
        "batched matmul": {"a100-pcie-40gb": 4.0, "a100-pcie-80gb": 2.5, "p100-pcie-16gb": 3.3, "p4": 9.3, "t4": 19.6,
                           "v100-pcie-32gb": 10.3},
        "linear": {"a100-pcie-40gb": 7.8, "a100-pcie-80gb": 6.7, "p100-pcie-16gb": 17.5, "p4": 38.7, "t4": 16.3,
                   "v100-pcie-32gb": 6.5}},
    "kernels_conv_neusight.csv.gz": {
        "convolution": {"a100-pcie-80gb": 18.7, "p100-pcie-16gb": 20.0, "p4": 18.4, "t4": 18.7, "v100-pcie-32gb": 15.3}},
}


def errors(results):
    return [100 * (r.predicted / r.measured - 1) for r in results]


def checks(tool, data):
    """The tables of GATES, FORMAT_GATES and FP32_GATES, each on its GPUs."""
    groups, _ = evaluate(tool, data / FORMAT_TABLE)
    for gpu, limits in FORMAT_GATES.items():
        for kind, limit in limits.items():
            results = [r for name, rows in groups.items()
                       if name.split()[0] != STACKS and name.endswith(f" {gpu} bf16 {kind}") for r in rows]
            yield gates.mape(f"{kind} by stack {gpu}", errors(results), limit)
    for table, kinds in FP32_GATES.items():
        groups, _ = evaluate(tool, data / table)
        for kind, limits in kinds.items():
            for gpu, limit in limits.items():
                yield gates.mape(f"fp32 {kind} {gpu}", errors(groups.get(f"neusight {gpu} fp32 {kind}", [])), limit)
    for table, limits in GATES.items():
        groups, _ = evaluate(tool, data / table)
        for gpu, limit in limits.items():
            source = STACKS if "by_stack" in table else "aiconfigurator"
            results = [r for name, rows in groups.items() if name.split()[:2] == [source, gpu] for r in rows]
            yield gates.mape(f"{table.split('.')[0]} {gpu}", errors(results), limit)
