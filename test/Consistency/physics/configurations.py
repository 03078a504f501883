# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configurations of the tool: networks, targets and settings, drawn at random with a seed."""
import collections
import dataclasses
import math
import re

from tool import INPUTS, MODELS, models

ROOT = MODELS.parent
FLOAT_BYTES = 2
# Longest text of any order is twice this one; whisper-tiny has 448 positions.
GPUS = (2, 4, 8)
LENGTHS = [32, 64, 96, 128, 192]
# Names of symbols in the files.
BATCH, LENGTH, PAST = ("batch", "batch_size"), ("sequence", "sequence_length"), ("past_sequence_length",)


class Network:
    """A file, its symbols, and properties of the tensors that its graph reads."""

    def __init__(self, tool, path):
        self.path, self.name = path, path.stem
        text = tool.run(path, "--emit=imported-ir")
        head = next(line for line in text.splitlines() if "func.func @main" in line)
        self.inputs = [self._input(*found) for found in
                       re.findall(r"%arg\d+: tensor<([^>]*)> \{onnx.dims = \[([^\]]*)\]", head.split(" -> ")[0])]
        symbols = {name for _, dims in self.inputs for name in dims if isinstance(name, str)}
        self.has_batch, self.has_length, self.has_past = (
            bool(symbols.intersection(names)) for names in (BATCH, LENGTH, PAST))
        self.has_attention = bool(re.search(r"onnx\.(Softmax|Attention|GroupQueryAttention)\b", text))
        self.has_convolutions = "onnx.Conv " in text
        self.lookup_elements = sum(math.prod(dims) for dims in self._tables(text))

    @staticmethod
    def _input(type_text, names):
        sizes = type_text.split("x")
        names = [name.strip().strip('"') for name in names.split(",")]
        return sizes[-1], [name if size == "?" else int(size) for size, name in zip(sizes, names)]

    @staticmethod
    def _tables(text):
        """Lookup tables: an iteration reads only some rows of these parameters."""
        uses = collections.defaultdict(set)
        for op, operands in re.findall(r"onnx\.(\w+) ((?:%[\w#:]+(?:, )?)+)", text):
            for place, name in enumerate(operands.split(", ")):
                uses[name.strip()].add((op, place))
        for name, shape in re.findall(r"(%\d+) = onnx\.Parameter .*tensor<([\dx]+)x\w+>$", text, re.M):
            if uses[name] == {("Gather", 0)}:
                yield [int(size) for size in shape.split("x")]

    def input_bytes(self, configuration):
        """Bytes of the float inputs, which are read whole; 8 bits are the narrowest format of a cache."""
        values = {name: configuration.get(setting) for names, setting in
                  ((BATCH, "batch"), (LENGTH, "seq"), (PAST, "past")) for name in names}
        total = 0
        for element, dims in self.inputs:
            if element.startswith(("f", "bf")):
                narrow = 1 if "past_sequence_length" in dims and configuration.get("kv") else FLOAT_BYTES
                total += narrow * math.prod(values[dim] if isinstance(dim, str) else dim for dim in dims)
        return total


@dataclasses.dataclass(frozen=True)
class Gpu:
    """The facts in a target file."""
    name: str
    l2_bytes: float
    min_clock: float
    max_clock: float
    power_limit: float
    compute_capability: float
    clock_step: float
    dram_bandwidth: float  # B/s
    node: int  # GPUs
    rates: dict = dataclasses.field(hash=False)  # dense FLOP/s at the highest clock, by format

    @staticmethod
    def read(name):
        text = (ROOT / "targets" / f"{name}.mlir").read_text()

        def number(field):
            return float(re.search(rf"\b{field} = ([\d.]+)", text)[1])
        cycles = number("sms") * number("max_clock") * 1e6
        rates = {match[1]: int(match[2]) * cycles
                 for match in re.finditer(r"format = (\w+), flops_per_clock = (\d+)", text)}
        bandwidth = re.search(r"\bdram_bandwidth = ([\d.]+) ([GT])Bps", text)
        node = re.search(r"\bgpus_per_node = (\d+)", text.replace("--set=gpus_per_node", ""))
        return Gpu(name, number("l2_capacity") * 2**20, number("min_clock"), number("max_clock"),
                   number("power_limit"), number("compute_capability"), number("clock_step"),
                   float(bandwidth[1]) * {"G": 1e9, "T": 1e12}[bandwidth[2]], int(node[1]) if node else max(GPUS), rates)

    def clock(self, fraction):
        """A clock on the GPU's grid at this fraction of its range, in MHz."""
        steps = (self.max_clock - self.min_clock) * (1 - fraction) // self.clock_step
        return f"{self.max_clock - steps * self.clock_step:g}"

    def counts(self):
        """Numbers of GPUs in one node."""
        return [count for count in GPUS if count <= self.node]

    @property
    def has_fused_attention(self):
        return self.compute_capability >= 8


def with_changes(settings, changes):
    """Pairs of flag and value with other values; None leaves one out. Names of `changes` have '_' for '-'."""
    values = dict(settings) | {name.replace("_", "-"): value for name, value in changes.items()}
    return tuple((name, value) for name, value in values.items() if value is not None)


@dataclasses.dataclass(frozen=True)
class Configuration:
    """One run of the tool. Settings have the names of the flags; None leaves one out."""
    network: Network
    gpu: Gpu
    settings: tuple

    def get(self, name):
        return dict(self.settings).get(name)

    def but(self, **changes):
        return dataclasses.replace(self, settings=with_changes(self.settings, changes))

    def bound(self, report):
        """With the batch that the tool has found."""
        found = {name: value for name, value in report["bindings"].items() if name in BATCH}
        return self.but(batch=next(iter(found.values()), None))

    def flags(self):
        return [f"--{name}" if value is True else f"--{name}={value}" for name, value in self.settings]

    def __str__(self):
        return " ".join([self.network.name, *self.flags()])

    @property
    def training(self):
        return self.get("mode") == "training"

    @property
    def format(self):
        return self.get("target").rpartition("-")[2]

    @property
    def quantised(self):
        return self.format in ("fp8", "int8") or self.get("weights") in ("fp8", "int8", "int4")

    @property
    def tensor_parallel(self):
        return str(self.get("parallel")).startswith("tp")


def draw(random, network, gpu, number_format):
    """Draws settings; most configurations state few of them, so that each setting meets the defaults of the others."""
    def sometimes(share, *values):
        return random.choice(values) if random.random() < share else None

    training = random.random() < 0.35 and number_format not in ("fp8", "int8") and not network.has_past
    settings = {"target": f"{gpu.name}-{number_format}"}
    settings["batch"] = random.choice([1, 2, 3, 8, 16]) if network.has_batch else None
    settings["seq"] = (1 if network.has_past else random.choice(LENGTHS)) if network.has_length else None
    settings["past"] = random.choice([128, 1000, 4096]) if network.has_past else None
    settings["runtime"] = sometimes(0.3, "cudagraph", "compiled")
    kinds = ["eager"] + ["flash"] * gpu.has_fused_attention
    settings["attention"] = sometimes(0.4, *kinds) if network.has_attention else None
    settings["channels-last"] = sometimes(0.3, True) if network.has_convolutions else None
    settings["clock"] = sometimes(0.15, gpu.clock(random.uniform(0.4, 0.9)))
    settings["power-limit"] = sometimes(0.15, int(gpu.power_limit * random.uniform(0.5, 0.9)))
    plans = ["ddp", "fsdp"] * training + ["tp"] * network.has_attention * network.has_length
    if plans and gpu.node > 1 and random.random() < (0.4 if training else 0.15):
        settings["gpus"], settings["parallel"] = random.choice(gpu.counts()), random.choice(plans)
    if training:
        settings["mode"] = "training"
        settings["optimizer"] = sometimes(0.5, "sgd", "sgd-momentum", "adam", "lamb", "none")
        settings["optimizer-variant"] = sometimes(0.3, "fused", "unfused")
        settings["recompute"] = sometimes(0.25, "full", "attention")
        settings["grad-accum"] = sometimes(0.25, 2, 4)
        settings["precision-mode"] = sometimes(0.2, "cast")
        settings["clip-grad-norm"] = sometimes(0.2, True)
    else:
        settings["weights"] = sometimes(0.1, "int8", "int4") if number_format in ("fp16", "bf16") else None
    if network.has_past:
        settings["kv-cache"] = sometimes(0.6, "in-place", "paged")
        settings["kv"] = sometimes(0.3, "int8")
    return Configuration(network, gpu, tuple((name, value) for name, value in settings.items() if value is not None))


def configurations(tool, random, rounds):
    """Each network once a round, targets and formats in turn."""
    networks = [Network(tool, path) for path in [*models(), INPUTS / "decode.mlir"]]
    gpus = [(Gpu.read(name), kind) for name, kinds in tool.targets().items() for kind in kinds]
    deck, seen = [], set()
    for _ in range(rounds):
        random.shuffle(networks)
        for network in networks:
            if not deck:
                deck = gpus[:]
                random.shuffle(deck)
            base = draw(random, network, *deck.pop())
            if base not in seen:
                seen.add(base)
                yield base
