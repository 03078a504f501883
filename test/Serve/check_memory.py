# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the memory that `gpu-cost-opt serve` reports with arithmetic from published dimensions and sizes.

For every model, GPU, weight format, software and number of GPUs: weights, cache, usable memory, reserve, and the largest
batch whose prompts are prefilled one after the other, or that the model does not fit. Nothing here comes from the tool
except the values that are compared.
"""
import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
GIB, MIB = 2**30, 2**20
INPUT, OUTPUT = 2048, 512
NEAR = 0.03
# Free parts of segments between tensors in use are not counted by hand. They are less than a sequence of one GPU, but
# several of the smaller ones of tensor parallelism.
UNCOUNTED = 0.01


@dataclasses.dataclass(frozen=True)
class Decoder:
    """Dimensions in the config.json of a model; `window` limits all layers but every `pattern`-th one."""
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    vocabulary: int
    positions: int
    tied: bool = False
    norms: int = 2  # per layer
    head_norms: bool = False  # of queries and keys
    window: int = 0
    pattern: int = 1
    experts: int = 0
    chosen: int = 0


DECODERS = {
    "llama-3.1-8b": Decoder(32, 4096, 32, 8, 128, 14336, 128256, 131072),
    "llama-3.1-70b": Decoder(80, 8192, 64, 8, 128, 28672, 128256, 131072),
    "qwen3-32b": Decoder(64, 5120, 64, 8, 128, 25600, 151936, 40960, head_norms=True),
    "gemma-3-12b": Decoder(48, 3840, 16, 8, 256, 15360, 262208, 131072, tied=True, norms=4, head_norms=True,
                           window=1024, pattern=6),
    "gemma-3-27b": Decoder(62, 5376, 32, 16, 128, 21504, 262208, 131072, tied=True, norms=4, head_norms=True,
                           window=1024, pattern=6),
    "mixtral-8x7b": Decoder(32, 4096, 32, 8, 128, 14336, 32000, 32768, experts=8, chosen=2),
}
# Parameters in the model cards.
PUBLISHED = {"llama-3.1-8b": 8.03e9, "llama-3.1-70b": 70.6e9, "qwen3-32b": 32.8e9, "gemma-3-12b": 11.8e9,
             "gemma-3-27b": 27.0e9, "mixtral-8x7b": 46.7e9}


@dataclasses.dataclass(frozen=True)
class Board:
    """Nominal memory, the total in out-of-memory messages of CUDA programs, both in GiB, and cuBLAS's workspace."""
    nominal: float
    reported: float
    format: str = "bf16"
    workspace: int = 8519680


HOPPER = 32 * MIB
BOARDS = {
    "t4": Board(16, 14.56, "fp16"), "l4": Board(24, 22.03), "a10": Board(24, 22.6), "l40s": Board(48, 44.42),
    "rtx4090": Board(24, 23.64), "a100-sxm-40gb": Board(40, 39.5), "a100-sxm-80gb": Board(80, 79.25),
    "h100-sxm-80gb": Board(80, 79.1, workspace=HOPPER), "h200-sxm": Board(141, 139.8, workspace=HOPPER),
    "b200-sxm": Board(180, 178.35, workspace=HOPPER),
}
SEVERAL = ["a100-sxm-40gb", "a100-sxm-80gb", "h100-sxm-80gb", "h200-sxm", "b200-sxm"]
# Part of the reported memory: vLLM's default, and all of it.
SHARES = {"vllm": 0.9, "pytorch": 1}
# Per process: CUDA's context, and NCCL's buffers.
CONTEXT, COMMUNICATOR = 600 * MIB, 128 * MIB
# Bytes per weight. Groups of 128 weights of 4 bits share a scale of 16 bits and a zero point of 4 bits.
WIDE, NARROW = 2, 0.5 + (2 + 0.5) / 128


def weights(d, merged):
    """(weights, times, 16 bit, sharded) of each tensor. Heads, hidden units and the vocabulary are sharded, norms,
    routers and rotary tables are not. `merged`: queries, keys and values are one matrix, gate and up projection too."""
    queries, keys = d.hidden * d.heads * d.head, d.hidden * d.kv_heads * d.head
    hidden = d.hidden * d.inner * max(d.experts, 1)
    attention = [queries + 2 * keys] if merged else [queries, keys, keys]
    first = [2 * hidden] if merged and not d.experts else [hidden, hidden]
    yield d.vocabulary * d.hidden, 1 if d.tied else 2, True, True
    for size in [*attention, queries, *first, hidden]:
        yield size, d.layers, False, True
    for size, times in ((d.hidden, d.norms * d.layers + 1), (d.head, 2 * d.head_norms * d.layers),
                        (d.hidden * d.experts, d.layers * bool(d.experts)), (d.positions * d.head // 2, 2)):
        yield size, times, True, False


def weight_bytes(d, narrow, gpus):
    """Of one GPU."""
    return sum(size * times / (gpus if sharded else 1) * (WIDE if wide or not narrow else NARROW)
               for size, times, wide, sharded in weights(d, False))


def parameters(d):
    """Without the rotary tables."""
    return weight_bytes(d, False, 1) / WIDE - d.positions * d.head


def cache_bytes(d, tokens, gpus):
    """Keys and values of one sequence on one GPU."""
    whole = d.layers // d.pattern if d.window else d.layers
    kept = whole * tokens + (d.layers - whole) * min(tokens, d.window)
    return kept * 2 * (d.kv_heads / gpus) * d.head * 2


def rounding(d, narrow, gpus, merged):
    """What PyTorch's allocator adds to the weights: tensors from 1 to 10 MiB share segments of 20 MiB, larger ones have a
    segment in steps of 2 MiB."""
    added, shared = 0, []
    for size, times, wide, sharded in weights(d, merged):
        elements = size / (gpus if sharded else 1)
        parts = [elements * WIDE] if wide or not narrow else [elements / 2, elements / 64, elements / 256]
        for part in parts:
            if part >= 10 * MIB:
                added += times * (-part % (2 * MIB))
            elif part > MIB:
                shared += [part] * int(times)
    free = []
    for part in shared:
        place = next((i for i, left in enumerate(free) if left >= part), None)
        if place is None:
            free.append(20 * MIB - part)
        else:
            free[place] -= part
    return added + sum(free)


def token_bytes(d, gpus):
    """Of one token between layers: the residual, three more of its size (the norm, the result of a layer, their sum), and at
    the product of gate and up projection three of hidden units. Each token passes `chosen` experts."""
    return (4 * d.hidden + 3 * d.inner * max(d.chosen, 1) / gpus) * WIDE


def logit_bytes(d, gpus):
    """Of one sequence: those of the last step, which the caller keeps, and of this one, or all of them and a shard."""
    return d.vocabulary * WIDE * (2 if gpus == 1 else 1 + 1 / gpus)


@dataclasses.dataclass
class Cell:
    model: str
    board: str
    narrow: bool
    software: str
    gpus: int

    def __str__(self):
        return (f"{self.model} on {self.gpus} x {self.board}, {'int4' if self.narrow else '16 bit'}, {self.software}")

    @property
    def usable(self):
        return BOARDS[self.board].reported * GIB * SHARES[self.software]

    def need(self, batch):
        """Bytes of one GPU: at the end of the outputs, or in the prefill of the last prompt."""
        d, board = DECODERS[self.model], BOARDS[self.board]
        fixed = CONTEXT + board.workspace + weight_bytes(d, self.narrow, self.gpus)
        fixed += rounding(d, self.narrow, self.gpus, self.software == "vllm")
        fixed += COMMUNICATOR if self.gpus > 1 else 0
        cache = cache_bytes(d, INPUT + OUTPUT - 1, self.gpus)
        end = batch * (cache + logit_bytes(d, self.gpus) + token_bytes(d, self.gpus))
        start = (batch - 1) * cache + cache_bytes(d, INPUT, self.gpus) + INPUT * token_bytes(d, self.gpus)
        return fixed + max(end, start)

    def largest_batch(self):
        low, high = 0, 1 << 20
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.need(middle) <= self.usable else (low, middle)
        return low


class Found:
    """Comparisons, the worst deviation of each value, and what is outside its limit."""

    def __init__(self):
        self.worst, self.wrong, self.compared, self.fits = {}, [], 0, 0

    def near(self, cell, name, value, expected):
        self.compared += 1
        deviation = value / expected - 1
        if abs(deviation) >= abs(self.worst.get(name, (0,))[0]):
            self.worst[name] = deviation, cell
        if abs(deviation) > NEAR:
            self.wrong.append(f"{cell}: {name}: {value:.0f}, by hand {expected:.0f}, {deviation:+.1%}")

    def equal(self, cell, name, value, expected, within=0):
        self.compared += 1
        if abs(value - expected) >= abs(self.worst.get(name, (0, ""))[0]):
            self.worst[name] = value - expected, cell
        if abs(value - expected) > within:
            self.wrong.append(f"{cell}: {name}: {value}, by hand {expected}")


def check(found, cell, line):
    d, board, report = DECODERS[cell.model], BOARDS[cell.board], line["report"]
    largest = cell.largest_batch()
    if not report:
        if "does not fit: a batch of 1 needs" not in line["reason"]:
            found.wrong.append(f"{cell}: {line['reason']}")
        found.equal(cell, "does not fit", 0, largest)
        return
    found.fits += 1
    memory = report["memory"]
    found.near(cell, "weights", memory["parameter_bytes"], weight_bytes(d, cell.narrow, cell.gpus))
    found.near(cell, "cache", memory["cache_bytes_per_sequence"], cache_bytes(d, INPUT + OUTPUT - 1, cell.gpus))
    found.near(cell, "usable", memory["usable_bytes"], cell.usable)
    found.near(cell, "reserve", memory["capacity_bytes"] - memory["usable_bytes"], board.nominal * GIB - cell.usable)
    found.equal(cell, f"largest batch on {cell.gpus}", report["largest_batch"]["value"], largest,
                within=max(1, largest * UNCOUNTED))


def cells(tool, model, gpus):
    """Every board, format and software of a model, with the line of the tool's output."""
    boards = SEVERAL if gpus > 1 else list(BOARDS)
    targets = {f"{name}-{BOARDS[name].format}": name for name in boards}
    command = [tool, "serve", MODELS / f"{model}-decode.onnx", "--target=" + ",".join(targets), "--weights=as-is,int4",
               "--software=" + ",".join(SHARES), f"--input-tokens={INPUT}", f"--output-tokens={OUTPUT}", "--contexts=2",
               "--prefill-batch=1",
               "--report=json"] + ([f"--gpus={gpus}", "--parallel=tp"] if gpus > 1 else [])
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    if len(lines) != 2 * len(SHARES) * len(targets):
        sys.exit(f"check_memory: {model}: {len(lines)} lines\n{result.stderr}")
    for line in lines:
        flags = dict(word.lstrip("-").split("=", 1) for word in line["flags"].split())
        yield Cell(model, targets[flags["target"]], flags["weights"] == "int4", flags["software"], gpus), line


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default="gpu-cost-opt")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    found, count = Found(), 0
    for model, decoder in DECODERS.items():
        found.near(model, "published parameters", parameters(decoder), PUBLISHED[model])
        for gpus in (1, 8):
            for cell, line in cells(options.tool, model, gpus):
                count += 1
                check(found, cell, line)
                if options.verbose:
                    value = line["report"]["largest_batch"]["value"] if line["report"] else 0
                    print(f"{cell}: {value}, by hand {cell.largest_batch()}")
    for name, (deviation, cell) in found.worst.items():
        print(f"{name}: at most {deviation:+.2%}" if isinstance(deviation, float) else f"{name}: at most {deviation:+d}",
              f"({cell})")
    print(f"{count} cells, {found.fits} fit, {found.compared} comparisons, {len(found.wrong)} outside")
    if found.wrong:
        print(*found.wrong, sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
