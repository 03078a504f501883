# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the settings that all subcommands are asked with."""
import dataclasses
import shlex

from physics.configurations import ROOT, Gpu, with_changes
from tool import INPUTS, MODELS


@dataclasses.dataclass(frozen=True)
class Network:
    """A model, and the kinds of settings that suit it."""
    path: str
    batch: bool = True
    sequence: bool = True
    past: bool = False
    convolutions: bool = False
    experts: bool = False
    scale: int = 1  # the larger, the smaller its batches


NETWORKS = [
    Network("models/bert-base.onnx"), Network("models/bert-large-sdpa.onnx", scale=2),
    Network("models/gpt2.onnx"), Network("models/distilbert.onnx"), Network("models/albert-base.onnx"),
    Network("models/mpt-125m.onnx"), Network("models/opt-1.3b.onnx", scale=4),
    Network("models/qwen2-1.5b.onnx", scale=4), Network("models/tinyllama-1.1b.onnx", scale=4),
    Network("models/resnet50.onnx", sequence=False, convolutions=True),
    Network("models/mobilevit-small.onnx", sequence=False, convolutions=True),
    Network("models/efficientnet-b0.onnx", sequence=False, convolutions=True),
    Network("models/convnext-large.onnx", sequence=False, convolutions=True, scale=2),
    Network("models/vit-large.onnx", sequence=False, convolutions=True, scale=2),
    Network("models/llama-3.1-8b-decode.onnx", past=True, scale=8),
    Network("models/gemma-3-12b-decode.onnx", past=True, scale=8),
    Network("models/mixtral-8x7b-decode.onnx", past=True, experts=True, scale=8),
    Network("models/linalg-matmul-chain.mlir", batch=False, sequence=False),
    Network("models/linalg-conv.mlir", batch=False, sequence=False),
    Network("models/matmul-gelu.mlir", batch=False, sequence=False),
]
DECODERS = [network for network in NETWORKS if network.past]


@dataclasses.dataclass(frozen=True)
class Setting:
    """A model and its flags by name; True is a switch."""
    network: Network
    gpu: Gpu
    values: tuple

    def get(self, name):
        return dict(self.values).get(name)

    def but(self, **changes):
        """With other values; None leaves one out. Names have '_' for '-'."""
        return dataclasses.replace(self, values=with_changes(self.values, changes))

    @property
    def path(self):
        return self.network.path

    def flags(self):
        return [f"--{name}" if value is True else f"--{name}={value}" for name, value in self.values]

    def keywords(self):
        """The arguments of gpucost.analyze()."""
        return {name.replace("-", "_"): value for name, value in self.values}

    def command(self, *words):
        return shlex.join(["gpu-cost-opt", *words, self.path, *self.flags()])


def boards(tool):
    return [(Gpu.read(name), kind) for name, kinds in tool.targets().items() for kind in kinds]


def draw_point(random, gpu):
    """Clock and power limit."""
    def sometimes(share, value):
        return value if random.random() < share else None

    # Boards round a clock between two steps down, and drivers reject very low limits.
    clock = gpu.min_clock + random.random() * (gpu.max_clock - gpu.min_clock)
    return {"clock": sometimes(0.2, random.choice([int(clock) + 1, float(gpu.clock(random.uniform(0.4, 0.9)))])),
            "power-limit": sometimes(0.2, int(gpu.power_limit * random.choice([0.1, 0.3, 0.5, 0.6, 0.75, 0.9, 1, 1.2])))}


def draw(random, network, gpu, number_format):
    """Most settings state few values, so that each value meets the defaults of the others."""
    def sometimes(share, *values):
        return random.choice(values) if random.random() < share else None

    few_bits = number_format in ("fp8", "int8", "mxfp8", "mxfp4", "nvfp4", "fp8-e5m2")
    training = network.batch and not network.past and not few_bits and random.random() < 0.35
    values = {"target": f"{gpu.name}-{number_format}"}
    values["batch"] = random.choice([1, 2, 3, 8, max(1, 32 // network.scale)]) if network.batch else None
    values["seq"] = (1 if network.past else random.choice([1, 17, 64, 128])) if network.sequence else None
    values["past"] = random.choice([1, 128, 1000, 4096]) if network.past else None
    values["runtime"] = sometimes(0.4, "cudagraph", "compiled", "as-written")
    values["software"] = sometimes(0.2, "vllm", "sglang", "tensorrt-llm", "pytorch-2.7")
    values["attention"] = sometimes(0.3, "eager", *["flash"] * gpu.has_fused_attention)
    values["channels-last"] = sometimes(0.3, True) if network.convolutions else None
    values |= draw_point(random, gpu)
    values["tf32"] = sometimes(0.3, "conv", "on") if number_format == "fp32" and "tf32" in gpu.rates else None
    values["precision-mode"] = sometimes(0.15, "cast", "as-is")
    values["memory-fraction"] = sometimes(0.15, 0.02, 0.5, 0.9)
    values["allocator"] = sometimes(0.1, "expandable")
    values["host-launch-us"] = sometimes(0.15, 0, 3, 40)
    values["step-gap-us"] = sometimes(0.1, 0, 500)
    values["set"] = sometimes(0.05, "l2_capacity=60MiB", "dram_bandwidth=3300GBps")
    if random.random() < 0.15:
        values |= {"price": sometimes(0.7, "2.5"), "grid": sometimes(0.7, 350), "pue": sometimes(0.5, 1.3),
                   "node-watts": sometimes(0.5, 900)}
        values[random.choice(["samples", "tokens"])] = sometimes(0.7, 1000000)
    if training:
        values["mode"] = "training"
        values["optimizer"] = sometimes(0.5, "sgd", "sgd-momentum", "adam", "lamb", "none")
        values["optimizer-variant"] = sometimes(0.3, "fused", "unfused")
        values["recompute"] = sometimes(0.25, "full", "selective", "every-2")
        values["grad-accum"] = sometimes(0.25, 2, 4)
        values["clip-grad-norm"] = sometimes(0.2, True)
        if random.random() < 0.3:
            values["gpus"], values["parallel"] = random.choice([2, 4, 8]), random.choice(["ddp", "zero1", "fsdp"])
            if random.random() < 0.3:
                values |= random.choice([{"gpus": 16, "nodes": 4, "network": "400:5"}, {"gpus": 32, "network": "dgx-h100"}])
    else:
        if random.random() < 0.2:
            plans = ["tp"] * network.sequence + ["dp4"] * network.batch + ["ep"] * network.experts
            values["gpus"], values["parallel"] = (4, random.choice(plans)) if plans else (None, None)
        values["weights"] = sometimes(0.2, "int8", "int4", "fp8", "mxfp4")
    if network.past:
        values["kv-cache"] = sometimes(0.6, "in-place", "paged")
        values["kv"] = sometimes(0.3, "int8", "fp8")
        values["window-cache"] = sometimes(0.2, "full")
        values["moe-balance"] = sometimes(0.2, "worst") if network.experts else None
        values["moe-dispatch"] = sometimes(0.2, "nodes") if network.experts else None
    return Setting(network, gpu, tuple((name, value) for name, value in values.items() if value is not None))


def deck(random, cards):
    """Cards without end, each once before any comes again."""
    while True:
        shuffled = list(cards)
        random.shuffle(shuffled)
        yield from shuffled
