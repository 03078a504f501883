# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured kernels of serving stacks in the IR: expert layers, latent attention, exchanges and quantisation.

Each row is one kernel of a stack, timed back to back in a CUDA graph. Rows with a flag of the source's readers are left
out: O slow, N faster than a smaller size, L and B above the memory bandwidth, G experts that a group limit did not choose.
"""
import csv
import gzip
import pathlib
import re
import subprocess
import tempfile

SOFTWARE = {"sglang": "sglang", "vllm": "vllm", "trtllm": "tensorrt-llm"}
EXPERTS, LATENT = "wave3/aic/moe_by_stack.csv.gz", "wave3/aic/mla.csv.gz"
QUANTIZE = "wave3/aic/quantize_fp8.csv.gz"
EXCHANGES, WIDE = "wave3/aic/expert_alltoall.csv.gz", "wave3/aic/wideep_moe.csv.gz"
# Kernels of exchanges: their mode, and rows of the table that are the stacks' defaults (SMs of a communication kernel).
MODES = {"deepep_ll": "low-latency", "deepep_normal": "high-throughput", "deepep_ht": "high-throughput"}
DEFAULT_SMS = {"0", "20", "24"}
# SGLang's expert layers between exchanges, and their mode.
TILE = 128  # rows
WIDE_RELEASE = "0.5.10"  # 0.5.6 ran on a slower host: layers of few rows take at least 880 us instead of 390 us
WIDE_KERNELS = {"deepep_moe_context": "high-throughput", "deepep_moe_generation": "low-latency"}
OUT = set("ONLGB")
# Format of activations and weights, and bits of an element of both.
FORMATS = {"bf16": ("bf16", "bf16", 16, 16), "fp8": ("fp8", "fp8", 8, 8), "fp8_block": ("fp8-block", "fp8-block", 8, 8),
           "nvfp4": ("nvfp4", "nvfp4", 4, 4), "w4a16_mxfp4": ("bf16", "mxfp4", 16, 4),
           "w4a8_mxfp4_mxfp8": ("mxfp8", "mxfp4", 8, 4)}
# Experts of two projections: hidden and inner sizes of the Nemotron models in the table.
UNGATED = {(2688, 1856), (4096, 2688), (1024, 2688), (8192, 5120), (2048, 5120), (1024, 5120)}
KEY, VALUE, NOPE, RANK = 192, 128, 128, 512  # of DeepSeek-V3, in all rows of latent attention
ROPE = KEY - NOPE


def read(data, table):
    """The rows without a flag that excludes them."""
    with gzip.open(pathlib.Path(data) / table, "rt", newline="") as file:
        return [row for row in csv.DictReader(file) if not OUT & set(row["flag"])]


def once(rows, columns):
    """Each shape once: the first row with equal `columns`."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in columns), row)
    return list(found.values())


def layer_key(row, tensor_parallel):
    names = ("gpu", "stack", "kernel", "dtype", "hidden", "inter", "topk", "experts", "ep", "distribution", "tokens")
    return (*(row[name] for name in names), tensor_parallel)


def without_defects(rows):
    """Rows without those slower than 1.2 times the same layer at half of the tensor parallelism."""
    times = {layer_key(row, int(row["tp"])): float(row["us"]) for row in rows}

    def is_slow(row):
        half = times.get(layer_key(row, int(row["tp"]) / 2))
        return half is not None and float(row["us"]) > 1.2 * half
    return [row for row in rows if not is_slow(row)]


def expert_rows(data):
    shape = ("gpu", "stack", "kernel", "dtype", "hidden", "inter", "topk", "experts", "tp", "ep", "distribution", "tokens")
    rows = [row for row in read(data, EXPERTS) if row["dtype"] in FORMATS and row["stack"] in SOFTWARE]
    return without_defects(once(rows, shape))


def wide_rows(data):
    """Layers between SGLang's own exchanges, as rows of `expert_rows`: equal choices, and the busiest GPU of skewed ones."""
    rows = []
    for row in read(data, WIDE):
        if row["version"] == WIDE_RELEASE and row["op"] in WIDE_KERNELS and row["distribution"] in ("uniform", "power_law_1.2"):
            # Of few rows the source gives whole tiles to few experts.
            if row["op"] == "deepep_moe_context" and int(row["tokens"]) * int(row["topk"]) < TILE * int(row["experts"]):
                continue
            distribution = row["distribution"].replace("uniform", "balanced")
            rows.append({**row, "kernel": row["op"], "tp": "1", "distribution": distribution})
    shape = ("gpu", "kernel", "dtype", "hidden", "inter", "topk", "experts", "ep", "distribution", "tokens")
    return once(rows, shape)


def exchange_rows(data):
    """Exchanges of DeepEP in the stacks' default settings, with the time in which GPUs tell each other the sizes. High
    throughput on eight nodes is left out: there the source's sizes take up to 17 ms and rows half of the line rate, against
    51 of 50 GB/s that DeepEP's authors publish for these kernels."""
    rows = [{**row, "us": str(float(row["us"]) + float(row["notify_us"] or 0)), "nodes": str(int(float(row["nodes"] or 1)))}
            for row in read(data, EXCHANGES)
            if row["backend"] in MODES and row["stack"] in SOFTWARE and str(int(float(row["sms"] or 0))) in DEFAULT_SMS]
    return [row for row in rows if row["nodes"] != "8" or MODES[row["backend"]] == "low-latency"]


def exchange_kernel(row):
    """Stacks send rows in 8 bits with a scale of 32 bits per 128 elements, and bring back results in 16 bits."""
    tokens, chosen, hidden = int(row["tokens"]), int(row["topk"]), int(row["hidden"])
    size = hidden * 2 if row["op"] == "combine" else hidden + hidden // 32
    problem = (f"#gpucost.collective<kind = all_to_all, bytes = {tokens * chosen * size}, world_size = {int(float(row['ep']))}, "
               f"nodes = {row['nodes']}, choices = {chosen}, exchange = {row['op']}, tokens = {tokens}>")
    return work("collective", "bf16", 16, problem)


def latent_rows(data):
    shape = ("gpu", "stack", "kernel", "op", "kv_dtype", "num_heads", "batch_size", "q_len", "kv_len")
    return once([row for row in read(data, LATENT) if row["stack"] in SOFTWARE], shape)


def quantize_rows(data):
    """Activations quantised with one scale; SGLang's rows time four kernels of PyTorch, not its own."""
    return once([row for row in read(data, QUANTIZE) if row["stack"] != "sglang"], ("gpu", "stack", "m", "k"))


def quoted(name):
    return f'"{name}"' if "-" in name else name


def work(family, format, bits, problem, flops=0):
    counts = f", tensor_flops = {flops}" if flops else ""
    return (f'gpucost.kernel "k" attributes {{work = #gpucost.work<family = {family}, format = {quoted(format)}, '
            f"input_bits = {bits}, output_bits = 16, problem = {problem}{counts}>}} {{\n}}\n")


def expert_kernel(row):
    """`tokens` are those of all GPUs that share the experts; balanced choices read as many experts as there are rows."""
    tokens, chosen, shards = int(row["tokens"]), int(row["topk"]), int(row["ep"])
    experts, inner = int(row["experts"]) // shards, int(row["inter"]) // int(row["tp"])
    format, _, bits, weight_bits = FORMATS[row["dtype"]]
    gated = (int(row["hidden"]), int(row["inter"])) not in UNGATED
    columns, hidden = (3 if gated else 2) * inner, int(row["hidden"])
    pairs = tokens * chosen / shards
    items = max(1, min(experts, int(pairs)))
    rows = max(1, -(-int(pairs) // items))
    weights = f"weight_bits = {weight_bits}, " if weight_bits != bits else ""
    skewed = row["distribution"] != "balanced"
    exchanged = f", exchanged = {tokens // shards}" if row["kernel"] in WIDE_KERNELS else ""
    problem = (f"#gpucost.matmul<batch = {items}, m = {rows}, n = {columns}, k = {hidden}, linear = false, {weights}"
               f"experts = {experts}, choices = {chosen}, shards = {shards}, inner = {inner}, "
               f"gated = {str(gated).lower()}, skewed = {str(skewed).lower()}{exchanged}>")
    return work("matmul", format, bits, problem, max(1, round(2 * pairs * columns * hidden)))


def latent_kernel(row):
    heads, batch, bits = int(row["num_heads"]), int(row["batch_size"]), 8 if row["kv_dtype"] == "fp8" else 16
    queries, keys = int(float(row["q_len"] or 1)), int(float(row["kv_len"] or 1))
    if row["op"] == "mla_generation":
        problem = (f"#gpucost.attention<batch = {batch}, heads = {heads}, kv_heads = 1, query_length = 1, kv_length = {keys}, "
                   f"head_dim = {RANK + ROPE}, causal = true, value_dim = {RANK}>")
        return work("attention", "bf16", bits, problem)
    if row["op"] == "mla_context":
        problem = (f"#gpucost.attention<batch = {batch}, heads = {heads}, kv_heads = {heads}, query_length = {queries}, "
                   f"kv_length = {keys}, head_dim = {KEY}, causal = true, value_dim = {VALUE}>")
        return work("attention", "bf16", bits, problem)
    n, k = (RANK, NOPE) if row["op"] == "mla_gen_pre" else (VALUE, RANK)
    problem = f"#gpucost.matmul<batch = {heads}, m = {batch}, n = {n}, k = {k}, linear = false>"
    return work("matmul", "fp8" if bits == 8 else "bf16", bits, problem)


def quantize_kernel(row):
    columns, count = int(row["k"]), int(row["m"]) * int(row["k"])
    return (f'gpucost.kernel "k" attributes {{work = #gpucost.work<family = elementwise, instructions = cast, format = bf16, '
            f"input_bits = 16, output_bits = 8, problem = #gpucost.elements<count = {count}, quantized_columns = {columns}>, "
            f"bytes_read = {2 * count}, bytes_written = {count}>}} {{\n}}\n")


def predict(tool, gpu, software, kernels, coefficients=None, network=None):
    """Times in microseconds at the maximum clock, whatever all kernels together would draw."""
    scenario = f"target={gpu}-bf16 software={software} set='power_limit=100 kW'" + (f" network={network}" if network else "")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernels.mlir"
        path.write_text("func.func @kernels() {\n" + "".join(kernels) + "return\n}\n")
        if coefficients:
            own = pathlib.Path(folder) / "coefficients.mlir"
            own.write_text(coefficients)
            scenario += f" coefficients={own}"
        done = subprocess.run(
            [tool, path, f"--gpucost-set-scenario={scenario}", "--gpucost-select-tiling", "--gpucost-predict"],
            check=False, capture_output=True, text=True)
    units = {"s": 1e6, "ms": 1e3, "us": 1.0, "ns": 1e-3}
    times = [float(value) * units[unit]
             for value, unit in re.findall(r"#gpucost\.time<total = ([\d.e+-]+) (\w+)", done.stdout)]
    if done.returncode or len(times) != len(kernels):
        raise OSError(f"{gpu}, {software}: {len(times)} predictions of {len(kernels)} kernels; {done.stderr.strip()[:300]}")
    return times
