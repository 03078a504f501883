# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear attention and its short convolutions by serving stack: rows of the table of aiconfigurator.

Each row is one kernel of a stack, timed back to back in a CUDA graph. The tool predicts a file of kernels for each GPU
and stack. Rows that the source's readers flagged are left out, as are the convolutions of Kimi delta attention in vLLM,
which wait for the host, and fused decode kernels, which also normalize.
"""
import collections
import csv
import gzip
import pathlib

import gates
from error_statistics import Errors
from serving_rows import SOFTWARE, predict

TABLE = "wave3/aic/linear_attention.csv.gz"
SIZES = "wave3/aic/linear_attention_dims.csv"
# Mean error of time in percent: on the boards of the fit, and on others, which take their numbers.
GATES = {"boards of the fit": 8, "other boards": 12}
FITTED = ("h100-sxm-80gb", "b200-sxm", "l40s", "a100-sxm-80gb")
RULES = {"gdn": "gated_delta", "kda": "channel_delta", "mamba2": "sum"}
FUSED = {"fused_kda_decode", "kda_fused_decode"}
HEAD = 128  # keys and values of a head in every row
TAPS = 4


def is_judged(row):
    waits = row["op"] == "kda" and row["stack"] == "vllm" and row["kernel"].startswith("causal_conv1d_fn")
    return not row["flag"] and not waits and row["kernel"] not in FUSED and row["stack"] in SOFTWARE


def read(folder):
    """The judged rows with the number of channels of their convolution."""
    with open(folder / SIZES, newline="") as file:
        sizes = {(r["model"], r["num_v_heads"], r["num_k_heads"]): r for r in csv.DictReader(file)}
    rows = []
    with gzip.open(folder / TABLE, "rt", newline="") as file:
        for row in csv.DictReader(file):
            if not is_judged(row):
                continue
            values = int(float(row["num_v_heads"]))
            if row["op"] == "mamba2":
                size = sizes[row["model"], row["num_v_heads"], row["num_k_heads"] or "-1"]
                channels = values * int(float(size["head_dim"])) + 2 * int(float(size["n_groups"])) * int(float(size["d_state"]))
            else:
                channels = (2 * int(float(row["num_k_heads"])) + values) * HEAD
            row["channels"] = channels
            rows.append(row)
    return rows


def kernel(row):
    """The kernel of a row in the IR."""
    batch, length = int(row["batch_size"]), int(row["seq_len"])
    # The tables also have prompts of one token, which run the kernels of prompts: no states of new tokens.
    states = {"context": 0, "generation": 1, "verify": length}[row["phase"]]
    rule = RULES[row["op"]]
    bits = 16
    if "conv1d" in row["kernel"]:
        family, count = "causal_convolution", batch * length * row["channels"]
        problem = (f"#gpucost.causal_convolution<rule = {rule}, batch = {batch}, length = {length}, "
                   f"channels = {row['channels']}, taps = {TAPS}, snapshots = {states}>")
        read, written = 2 * count, 2 * count
    else:
        keys, values = int(float(row["num_k_heads"])), int(float(row["num_v_heads"]))
        family = "linear_attention"
        problem = (f"#gpucost.linear_attention<rule = {rule}, batch = {batch}, length = {length}, heads = {keys}, "
                   f"value_heads = {values}, key_size = {HEAD}, value_size = {HEAD}, snapshots = {states}>")
        read = 2 * batch * length * (2 * keys + values) * HEAD
        written = 2 * batch * length * values * HEAD
    return (f'gpucost.kernel "k" attributes {{work = #gpucost.work<family = {family}, format = bf16, '
            f"input_bits = {bits}, output_bits = {bits}, problem = {problem}, bytes_read = {read}, "
            f"bytes_written = {written}>}} {{\n}}\n")


def kind(row):
    when = "prompt" if row["phase"] == "context" else "decode"
    return f"{'convolution' if 'conv1d' in row['kernel'] else 'states'}, {when}"


def compare(tool, folder):
    """[(row, error in percent)]."""
    groups = collections.defaultdict(list)
    for row in read(pathlib.Path(folder)):
        groups[row["gpu"], row["stack"]].append(row)
    return [(row, 100 * (time / float(row["us"]) - 1))
            for (gpu, stack), rows in sorted(groups.items())
            for row, time in zip(rows, predict(tool, gpu, SOFTWARE[stack], list(map(kernel, rows))))]


def parts(results):
    return {"boards of the fit": [r for r in results if r[0]["gpu"] in FITTED],
            "other boards": [r for r in results if r[0]["gpu"] not in FITTED]}


def run(args):
    results = compare(args.tool, args.data)
    for name, key in (("GPU and kind", lambda row: (row["gpu"], kind(row))),
                      ("GPU", lambda row: (row["gpu"],)),
                      ("kernel", lambda row: (row["gpu"], row["op"], row["stack"], row["kernel"], row["phase"]))):
        groups = collections.defaultdict(list)
        for row, error in results:
            groups[key(row)].append((float(row["us"]), error))
        print(f"== by {name}")
        for group, rows in sorted(groups.items()):
            errors = Errors([error for _, error in rows])
            long = [abs(error) for us, error in rows if us >= 20]
            print(f"{' '.join(group):86s} n {len(rows):5d} mean {errors.mean:5.1f} from 20 us "
                  f"{sum(long) / len(long) if long else 0:5.1f}")
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["gpu", "stack", "kernel", "batch_size", "seq_len", "measured_us", "predicted_us"])
            for row, error in results:
                us = float(row["us"])
                table.writerow([*(row[name] for name in ("gpu", "stack", "kernel", "batch_size", "seq_len")), us,
                                f"{us * (1 + error / 100):.6g}"])
    return 0 if results else 1


def checks(tool, data):
    """Time of single kernels, by set of boards."""
    results = compare(tool, data)
    for name, rows in parts(results).items():
        yield gates.mape(f"linear attention, {name}, time", [error for _, error in rows], GATES[name])
