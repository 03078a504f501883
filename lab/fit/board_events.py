# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of the events that consume energy, for measured rows with power: input of fit_boards.py.

The energy (P5) is linear in the energies of events. With a coefficient file in which one of them is 1 pJ and the others, idle
power and the voltage are off, the tool's power in pW is the rate of that event. Rows: steady loads and networks of the
project's boards of GH100, over their measured times; steady states of vLLM on H100 and B200.
"""
import collections
import csv
import dataclasses
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from coefficient_files import block_of, with_curve, with_field

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab" / "validate"))
import validate_measured  # noqa: E402
import validate_serve  # noqa: E402
from e2e_rows import iterations, run_tools  # noqa: E402

EVENTS = ("per_tensor_flop", "per_fp32_flop", "per_instruction", "per_dram_byte", "per_sm_cycle", "per_l2_byte", "per_padded_flop")
TENSOR, INSTRUCTION, DRAM, SM = (EVENTS.index(name) for name in ("per_tensor_flop", "per_instruction", "per_dram_byte", "per_sm_cycle"))
MANIFEST = ROOT / "lab" / "validate" / "manifest.json"
UNLIMITED = "--power-limit=100000"
# Relative noise of one row: steady loads; networks, and those whose convolution algorithm is unknown; steady states of serving.
LOAD, NETWORK, CONVOLUTION, SERVING = 0.03, 0.07, 0.15, 0.035
GROUP_NOISE = 0.10  # of several GPUs, whose power while they communicate is not known
# Attention by other kernels than the tool's default, and a TF32 product and a convolution that the tool prices too slow at any clock.
LEFT_OUT = re.compile(r"attention-(?!.*decode)|decode-attention-.*unsupported|fp8|conv-|matmul-tf32-8192|product-mma|eager")
LIMITED, POWER_LIMIT = 0.95, 700.0  # share of the limit, W
# A product with all sizes of at least LARGE stands at the clock that the tool's time needs; another one is used if the
# tool's time needs about the clock that was read.
LARGE, SAME_CLOCK = 4096, 0.07
CLOCKS = range(1100, 1981, 80)
LARGEST_BATCH, NEAR_LIMIT = 256, 660  # rows that are not trusted, beyond which the host or the limit decides


@dataclasses.dataclass
class Row:
    """One measured row; `rates` per s in the order of EVENTS, GELU instructions apart in `gelu`."""

    group: str
    gpus: int
    kind: str
    name: str
    power: float
    clock: float
    temperature: float  # NaN: not given
    sigma: float
    rates: np.ndarray
    gelu: float = 0.0


def silent(text):
    """`text` without idle power, voltage and energies."""
    text = with_curve(text, "")
    start, end = block_of(text, "power")
    block = text[start:end]
    for name in ("idle_base", "idle_voltage", "idle_clock"):
        block = re.sub(rf"{name} = [\d.]+ W", f"{name} = 0 W", block)
    block = re.sub(r"generic_max = [\d.]+", "generic_max = 1", block)
    text = text[:start] + block + text[end:]
    for event in EVENTS:
        text = with_field(text, "power", event, "0 pJ")
    return text


class Counter:
    """Coefficient files of one board that count one event each; the last one counts instructions without those of GELU."""

    def __init__(self, tool, folder, board, text):
        self.tool, self.board, self.paths = tool, board, []
        quiet = silent(text)
        texts = [with_field(quiet, "power", event, "1 pJ") for event in EVENTS]
        texts.append(re.sub(r"\bgelu = [\d.]+", "gelu = 0", texts[INSTRUCTION]))
        for index, each in enumerate(texts):
            self.paths.append(str(pathlib.Path(folder, f"{board}-{index}.mlir")))
            pathlib.Path(self.paths[-1]).write_text(each)

    def row(self, watts, **known):
        """A row from the power of each file."""
        rates = 1e12 * np.array(watts[:-1])
        return Row(rates=rates, gelu=max(rates[INSTRUCTION] - 1e12 * watts[-1], 0), **known)

    def time_us(self, kernel, clock):
        line = [self.tool, f"--kernel={kernel}", f"--target={self.board}-bf16", "--report=csv", f"--clock={clock}", UNLIMITED]
        done = subprocess.run(line, capture_output=True, text=True, check=True)
        return float(next(csv.DictReader(io.StringIO(done.stdout)))["time_us"])


def queries_of(row):
    """--kernel queries of a load of bf16 products, with elementwise kernels and copies; None for others."""
    queries, reuse = [], float(row["bytes_per_iteration"] or 0) * float(row["buffer_sets"] or 0)
    if row["dtype"] not in ("bf16", "fp16") or "matmul" not in row["kernels"]:
        return None
    for words in row["kernels"].split("; "):
        family, op, *shape = [word for word in words.split(" ") if not word.startswith(("layout=", "variant="))]
        if family not in ("matmul", "elementwise", "data_movement"):
            return None
        family = "elementwise" if family == "data_movement" else family
        more = {"matmul": ["linear=true"] if op == "linear" else [], "elementwise": [f"op={op}"]}
        queries.append(" ".join([family, *more[family], *shape, f"reuse_bytes={reuse:.0f}"]))
    return queries


def tools_clock(counter, row):
    """The clock at which the tool's time of a limited large product is the measured one: a fit at the clock that was read would
    give other limited clocks than the tool's times need. The clock that was read for other loads; None if they are limited and
    the tool's time needs another one, that is, is wrong for other reasons."""
    clock, queries = float(row["clock_mean_mhz"]), queries_of(row)
    if not queries or float(row["power_avg_w"]) < LIMITED * POWER_LIMIT or clock > CLOCKS[-1]:
        return clock
    times = [sum(counter.time_us(query, each) for query in queries) for each in CLOCKS]
    found = float(np.interp(-1e6 / float(row["iterations_per_s"]), -np.array(times), CLOCKS))
    sizes = [int(size) for query in queries for size in re.findall(r"\b[mnk]=(\d+)", query)]
    if min(sizes) >= LARGE and "op=copy" not in " ".join(queries):
        return found
    return clock if abs(found / clock - 1) <= SAME_CLOCK else None


def loads(counter, folder):
    """Steady loads of one measured board."""
    found, rows = collections.defaultdict(lambda: [0.0] * len(counter.paths)), {}
    for index, path in enumerate(counter.paths):
        for row, family, watts in validate_measured.kernels(counter.tool, folder, path)[1]:
            if family == "power":  # `calibrate` predicts no power of loads if none of them has the event
                found[row["name"]][index], rows[row["name"]] = watts, row
    for name, row in rows.items():
        if LEFT_OUT.search(name):
            continue
        at = tools_clock(counter, row)
        if at is None:
            continue
        watts = found[name]
        watts[SM] *= at / float(row["clock_mean_mhz"])
        yield counter.row(watts, group=folder, gpus=1, kind="load", name=name, power=float(row["power_avg_w"]), clock=at,
                          temperature=float(row["temperature_c"]), sigma=LOAD)


def networks(counters, jobs):
    """Networks of the measured boards whose time is the GPU's."""
    tool = next(iter(counters.values())).tool
    rows = [row for row in validate_measured.measured_networks(tool, jobs)[0]
            if row.on_gpu and validate_measured.target_of(row.board) in counters]
    lines = [validate_measured.command(tool, row.board, row.row) + [f"--coefficients={path}", UNLIMITED]
             for row in rows for path in counters[validate_measured.target_of(row.board)].paths]
    answers = [one["energy_j"] for one in iterations(lines, jobs)]
    each = len(EVENTS) + 1
    for index, row in enumerate(rows):
        cells = row.row
        seconds = float(cells["wall_ms" if cells["runtime"] == "eager" else "gpu_ms"]) * 1e-3
        doubtful = cells["model"] == "vgg16" or (cells["model"] == "resnet50" and cells["precision"] == "fp32")
        name = " ".join(cells[key] for key in ("model", "mode", "precision", "attention", "layout", "runtime", "batch", "length"))
        yield counters[validate_measured.target_of(row.board)].row(
            [joules / seconds for joules in answers[each * index:each * (index + 1)]], group=row.board, gpus=1, kind="network",
            name=name, power=float(cells["power_avg_w"]), clock=float(cells["clock_mean_mhz"]),
            temperature=float(cells["temperature_c"]), sigma=CONVOLUTION if doubtful else NETWORK)


def steady_state(counter, jobs, row, pair, clock):
    """A steady state of vLLM: prompts that enter and steps, over the measured time of a step; None if the row is not usable."""
    batch, power = float(row["batch"]), float(row["power_w_per_gpu"])
    if not validate_serve.trusted(row) and (batch > LARGEST_BATCH or power >= NEAR_LIMIT):
        return None
    answers = run_tools([line + [f"--coefficients={path}", UNLIMITED] for path in counter.paths for line in pair], jobs)
    if any(error for _, error in answers):
        return None
    reports = [report for report, _ in answers]
    lengths = validate_serve.lengths_of(row)
    entering = len(lengths) / float(row["output_tokens"])
    prompt = validate_serve.prefill_time(reports[0], reports[1], lengths[:1])
    step = (reports[1]["iteration"]["time_ms"] + entering * prompt) * 1e-3
    seconds = len(lengths) / float(row["throughput_tokens_s"]) if row["throughput_tokens_s"] else step
    watts = [(one["iteration"]["energy_j"] + entering * prompt * first["iteration"]["avg_power_w"] / 1e3) / seconds
             for first, one in zip(reports[0::2], reports[1::2])]
    gpus = int(row["gpus"])
    long = " long" if float(row["mean_decode_context"]) > 3000 else ""
    return counter.row(watts, group=f"{row['gpu']} {row['model']} {gpus}{long}", gpus=gpus, kind="serving",
                       name=f"{row['model']} g{gpus} b{batch:.0f}", power=power, clock=clock, temperature=float("nan"), sigma=SERVING)


def serving(counter, jobs, data, clock):
    """Steady states of vLLM on one GPU model, at its highest clock."""
    manifest = json.loads(MANIFEST.read_text())["serving"]
    with open(data / validate_serve.FILE, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["dataset"] == "ml-energy" and row["gpu"].rstrip("?") == counter.board]
    for row in rows:
        try:
            found = steady_state(counter, jobs, row, validate_serve.commands(counter.tool, row, manifest), clock)
        except validate_serve.Unserved:
            continue
        if found:
            yield found


def events(tool, jobs, data, texts, boards, top):
    """Rows of the project's boards of the models `boards`, and of vLLM on the first of them, whose highest clock is `top`;
    without `data` only the steady loads."""
    with tempfile.TemporaryDirectory() as folder:
        counters = {board: Counter(tool, folder, board, texts[board]) for board in boards}
        rows = [row for name in validate_measured.boards() if validate_measured.target_of(name) in counters
                for row in loads(counters[validate_measured.target_of(name)], name)]
        if not data:
            return rows
        rows += networks(counters, jobs)
        return rows + list(serving(counters[boards[0]], jobs, data, top))


def serving_events(tool, jobs, data, text, board, clock):
    """Rows of vLLM on another GPU."""
    with tempfile.TemporaryDirectory() as folder:
        return list(serving(Counter(tool, folder, board, text), jobs, data, clock))
