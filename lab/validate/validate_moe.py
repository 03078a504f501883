# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expert layers by serving stack, kernel and format (serving_rows.py), each shape once, without rows slower than 1.2 times
the same layer at half of the tensor parallelism.

A stack runs the first kernel of its format in the set; the others are predicted with coefficients that contain only them.
SGLang's Triton kernel in bf16, which is tuned for single shapes, is reported apart.
"""
import collections
import pathlib
import re

import gates
from serving_rows import FORMATS, SOFTWARE, expert_kernel, expert_rows, predict
from validate_mla import print_groups, write_rows

SETS = pathlib.Path(__file__).resolve().parents[2] / "targets" / "coefficients"
ENTRY = re.compile(r"    <gpu = \"[^>]*>")
APART = "sglang_fused_moe_triton", "bf16"
# The board whose sets a GPU has.
BOARDS = {"h100-sxm-80gb": "h100-sxm-80gb", "b200-sxm": "b200-sxm", "gb200": "b200-sxm"}
# Mean errors in percent above which the gate fails: just above the current ones.
GATES = {"h100-sxm-80gb": 12.6, "b200-sxm": 12.2}


def entries(text):
    """{(board, kernel, format of activations, format of weights): the set's text}."""
    start = text.index("#fused_experts = ")
    found = {}
    for entry in ENTRY.findall(text[start:text.index("\n\n", start)]):
        def field(name, entry=entry):
            return re.search(rf'\b{name} = "([^"]*)"', entry)[1]
        found[field("gpu"), field("kernel"), field("format"), field("weights")] = entry
    return found


def with_only(board, entry, group="fused_experts"):
    """The coefficients of `board` with one entry of `group`."""
    text = (SETS / f"{board}.mlir").read_text()
    block = f'#{group} = #gpucost.{group}_fit<provenance = "one kernel", errors = [], stacks = [\n{entry}]>\n\n'
    place = text.index("#tensor_power = ")
    text = text[:place] + block + text[place:]
    return text.replace("  tensor_power = #tensor_power,\n", f"  tensor_power = #tensor_power,\n  {group} = #{group},\n", 1)


def compare(tool, data, gpus=tuple(BOARDS)):
    """[(row, time in us, error in percent)] of the kernels that a set has."""
    sets, groups, results = entries((SETS / "shared.mlir").read_text()), collections.defaultdict(list), []
    for row in expert_rows(data):
        if row["gpu"] in gpus:
            groups[row["gpu"], row["stack"], row["kernel"], row["dtype"]].append(row)
    for (gpu, stack, kernel, dtype), rows in sorted(groups.items()):
        board = BOARDS[gpu]
        entry = sets.get((board, kernel, *FORMATS[dtype][:2]))
        if entry is None:
            continue
        times = predict(tool, gpu, SOFTWARE[stack], list(map(expert_kernel, rows)), with_only(board, entry))
        results += [(row, time, 100 * (time / float(row["us"]) - 1)) for row, time in zip(rows, times)]
    return results


def judged(row):
    return (row["kernel"], row["dtype"]) != APART


def run(args):
    results = compare(args.tool, args.data)
    print_groups(results, lambda row: (row["gpu"], row["stack"], row["kernel"], row["dtype"]))
    print_groups([result for result in results if judged(result[0])],
                 lambda row: (row["gpu"], "balanced" if row["distribution"] == "balanced" else "power law"))
    print_groups([result for result in results if judged(result[0])], lambda row: (row["gpu"],))
    write_rows(args.rows, results)
    return 0 if results else 1


def checks(tool, data):
    """Time of single layers by board."""
    results = compare(tool, data, tuple(GATES))
    for gpu, limit in GATES.items():
        yield gates.mape(f"expert layers, {gpu}, time",
                         [error for row, _, error in results if row["gpu"] == gpu and judged(row)], limit)
