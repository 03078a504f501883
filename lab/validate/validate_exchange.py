# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exchanges between the GPUs of experts (DeepEP) and expert layers between them, by serving stack (serving_rows.py)."""
import pathlib
import re

import gates
import validate_moe
from serving_rows import MODES, SOFTWARE, WIDE_KERNELS, exchange_kernel, exchange_rows, expert_kernel, predict, wide_rows
from validate_mla import print_groups, write_rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETS = ROOT / "targets" / "coefficients"
ENTRY = re.compile(r'    <gpu = "([^"]*)"[^<]* software = "([^"]*)", mode = "([^"]*)"[^<]*<[^>]*>[^<]*<[^>]*>>')
NETWORK = "dgx-h100"  # 8 x 50 GB/s per node, as in the measured systems
GROUP = "expert_exchange"
# Mean errors in percent above which the gate fails: just above the current ones.
GATES = {"h100-sxm-80gb": (10.2, 9.8), "b200-sxm": (11.1, 12.0)}


def entries(text):
    """{(board, software, mode): the set's text}."""
    start = text.index(f"#{GROUP} = ")
    block = text[start:text.index("\n\n", start)]
    return {match.groups(): match[0] for match in ENTRY.finditer(block)}


def times_of(tool, board, rows, entry):
    """Times in us of `rows`, of one stack, with `entry` as the only set, for any number of tokens."""
    own = validate_moe.with_only(board, re.sub(r" most_tokens = \d+,", "", entry), GROUP)
    found = {}
    for single in (True, False):
        part = [i for i, row in enumerate(rows) if (row["nodes"] == "1") == single]
        if part:
            kernels = [exchange_kernel(rows[i]) for i in part]
            found.update(zip(part, predict(tool, board, SOFTWARE[rows[0]["stack"]], kernels, own, None if single else NETWORK)))
    return [found[i] for i in range(len(rows))]


def layer_times(tool, board, rows, sets, entry):
    """Times in us of expert layers between exchanges of the mode of their kernel."""
    mode = WIDE_KERNELS[rows[0]["kernel"]]
    exchange = re.sub(r" most_tokens = \d+,", "", sets[board, SOFTWARE[rows[0]["stack"]], mode])
    text = validate_moe.with_only(board, entry)
    block = f'#{GROUP} = #gpucost.{GROUP}_fit<provenance = "one mode", errors = [], stacks = [\n{exchange}]>\n\n'
    place = text.index("#fused_experts = ")
    text = text[:place] + block + text[place:]
    text = text.replace("  fused_experts = #fused_experts,\n", f"  fused_experts = #fused_experts,\n  {GROUP} = #{GROUP},\n", 1)
    times = predict(tool, board, SOFTWARE[rows[0]["stack"]], list(map(expert_kernel, rows)), text)
    if mode == "low-latency":
        return times
    # The source's layers for prompts also copy the tokens of other GPUs, which no exchange would bring.
    token_bytes = float(re.search(r"token_bytes = ([\d.e+-]+)", entry)[1])
    facts = (ROOT / "targets" / f"{board}.mlir").read_text()
    rate = float(re.search(r"dram_bandwidth = ([\d.]+) GBps", facts)[1]) * 1e3  # bytes per us

    def others(row):
        return int(row["tokens"]) * (1 - 1 / int(row["ep"])) ** int(row["topk"])
    return [time + others(row) * int(row["hidden"]) * token_bytes / rate for row, time in zip(rows, times)]


def grouped(rows, key):
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return sorted(found.items())


def compare(tool, data):
    """[(row, time in us, error in percent)] of exchanges, then of layers, whose board and stack have a set."""
    shared = (SETS / "shared.mlir").read_text()
    sets, layers = entries(shared), validate_moe.entries(shared)

    def errors(rows, times):
        return [(row, time, 100 * (time / float(row["us"]) - 1)) for row, time in zip(rows, times)]
    results = []
    for key, rows in grouped(exchange_rows(data), lambda row: (row["gpu"], SOFTWARE[row["stack"]], MODES[row["backend"]])):
        if key in sets:
            results += errors(rows, times_of(tool, key[0], rows, sets[key]))
    wide = []
    for (board, kernel), rows in grouped(wide_rows(data), lambda row: (row["gpu"], row["kernel"])):
        entry = layers.get((board, kernel, "fp8-block", "fp8-block"))
        if entry:
            wide += errors(rows, layer_times(tool, board, rows, sets, entry))
    return results, wide


def run(args):
    exchanges, wide = compare(args.tool, args.data)
    print_groups(exchanges, lambda row: (row["gpu"], row["stack"], row["backend"], row["op"], f"{row['nodes']} nodes"))
    print_groups(exchanges, lambda row: (row["gpu"],))
    print_groups(wide, lambda row: (row["gpu"], row["kernel"], row["distribution"]))
    print_groups(wide, lambda row: (row["gpu"],))
    write_rows(args.rows, exchanges)
    return 0 if exchanges else 1


def checks(tool, data):
    """Time of exchanges and of the layers between them by board."""
    exchanges, wide = compare(tool, data)
    for gpu, (limit, layer) in GATES.items():
        for name, results, most in (("exchanges of experts", exchanges, limit), ("layers between exchanges", wide, layer)):
            yield gates.mape(f"{name}, {gpu}, time", [error for row, _, error in results if row["gpu"] == gpu], most)
