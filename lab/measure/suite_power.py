# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suite `power`: power of one kernel, or a mix, that runs for seconds."""

import math
import time
from dataclasses import dataclass
from typing import Optional

import torch

from cases import Buffers, precision
from kernels.attention import attention
from kernels.convolution import convolution
from kernels.matmul import linear, matmul, scaled
from kernels.rows import layernorm, softmax
from kernels.streams import copy, elementwise
from results import ResultFile, run_rows
from steady import hold, rest
from timing import KernelTimer, capture

KEY = ["name"]
COLUMNS = KEY + [
    "dtype", "kernels", "operands", "launch", "status", "power_avg_w", "power_min_w",
    "power_max_w", "energy_counter_w", "clock_mean_mhz", "clock_min_mhz",
    "temperature_c", "throttle_reasons", "seconds", "samples", "iterations_per_s",
    "flop_per_iteration", "bytes_per_iteration", "buffer_sets", "note",
]
WARM_S, WINDOW_S = 2.0, 6.0
BURST_S = 0.02  # of work in one graph
MAX_LAUNCHES = 2048  # in one graph


@dataclass
class Load:
    """One iteration runs every case once."""

    name: str
    cases: tuple = ()  # none: idle
    sets: Optional[int] = None  # of operands; by default larger than L2
    zeros: bool = False  # all operands are zero, so that no bits toggle
    eager: bool = False  # launched one by one

    @property
    def dtype(self):
        return self.cases[0].dtype if self.cases else ""


class Zeros(Buffers):
    def random(self, *shape, dtype=None, grad=False):
        return torch.zeros(shape, device=self.device, dtype=dtype or self.dtype,
                           requires_grad=grad)


def loads(smoke):
    """The most informative loads first."""
    if smoke:
        tiny = matmul("fp32", 16, 16, 16)
        return [Load("idle"), Load("matmul-fp32-16", (tiny,)),
                Load("mix-tiny", (tiny, elementwise("gelu", "fp32", 64)))]
    big, mega = 268435456, 1 << 20
    gemm = linear("bf16", 4096, 4096, 4096)
    gelu = elementwise("gelu", "bf16", 16 * mega)
    return [
        Load("idle"),
        Load("matmul-bf16-8192", (matmul("bf16", 8192, 8192, 8192),)),
        Load("copy-fp32-1GiB", (copy("fp32", big),)),
        Load("matmul-tf32-8192", (matmul("tf32", 8192, 8192, 8192),)),
        Load("matmul-fp32-4096", (matmul("fp32", 4096, 4096, 4096),)),
        Load("copy-fp32-4MiB-in-L2", (copy("fp32", mega),), sets=1),
        Load("attention-bf16", (attention("bf16", 8, 16, 16, 2048, 2048, 128, 0),)),
        Load("conv-bf16", (convolution("bf16", 64, 256, 28, 28, 256, 3),)),
        Load("gelu-bf16-256Mi", (elementwise("gelu", "bf16", big),)),
        Load("linear-bf16-4096+gelu", (gemm, gelu)),
        Load("linear-bf16-2048x768x768", (linear("bf16", 2048, 768, 768),)),
        Load("layernorm-bf16", (layernorm("bf16", 65536, 1024),)),
        Load("softmax-bf16", (softmax("bf16", 98304, 512),)),
        Load("matmul-bf16-8192-zeros", (matmul("bf16", 8192, 8192, 8192),), zeros=True),
        Load("matmul-fp8-8192", (scaled(8192, 8192, 8192),)),
        Load("conv-tf32", (convolution("tf32", 64, 256, 28, 28, 256, 3,
                                       layout="NCHW"),)),
        Load("linear-bf16-16x8192x8192", (linear("bf16", 16, 8192, 8192),)),
        Load("add-fp32-256Mi", (elementwise("add", "fp32", big),)),
        Load("attention-causal-backward-bf16",
             (attention("bf16", 4, 32, 8, 2048, 2048, 128, 1, backward=True),)),
        Load("matmul-fp32-1024", (matmul("fp32", 1024, 1024, 1024),)),
        Load("matmul-tf32-1024", (matmul("tf32", 1024, 1024, 1024),)),
        Load("add-fp32-tiny-eager", (elementwise("add", "fp32", 1024),), eager=True),
        Load("copy-fp32-48MiB", (copy("fp32", 6 * mega),), sets=1),
        Load("gelu-fp32-256Mi", (elementwise("gelu", "fp32", big),)),
        Load("conv-depthwise-bf16",
             (convolution("bf16", 64, 192, 56, 56, 192, 3, 1, 192),)),
        Load("matmul-fp16-8192", (matmul("fp16", 8192, 8192, 8192),)),
    ]


def words(case):
    """A kernel in one cell: the columns that identify it in kernels.csv."""
    more = [f"{name}={value}" for name, value in (
        ("layout", case.layout), ("variant", case.variant)) if value and " " not in value]
    return " ".join([case.family, case.op, case.shape, *more])


def describe(load):
    return {
        "name": load.name, "dtype": load.dtype,
        "kernels": "; ".join(words(case) for case in load.cases),
        "operands": ("zeros" if load.zeros else "random") if load.cases else "",
        "flop_per_iteration": sum(case.flops for case in load.cases),
        "bytes_per_iteration": sum(case.bytes for case in load.cases),
    }


def columns_of(window):
    """Sensor readings as columns."""
    powers, clocks = window.power_w, window.clock_mhz
    return {
        "power_avg_w": window.average_w, "power_min_w": min(powers, default=None),
        "power_max_w": max(powers, default=None),
        "energy_counter_w": window.counter_w,
        "clock_mean_mhz": window.mean_clock_mhz,
        "clock_min_mhz": min(clocks, default=None),
        "temperature_c": max(window.temperature_c, default=None),
        "throttle_reasons": hex(window.throttle) if powers else None,
        "seconds": window.seconds, "samples": len(powers),
    }


class LoadMeter:
    def __init__(self, campaign):
        self.campaign = campaign
        self.timer = KernelTimer(campaign)  # for its stream and sizes of buffers
        self.warm_s, self.window_s = (0.05, 0.1) if campaign.smoke else (WARM_S, WINDOW_S)

    def measure(self, load):
        if not load.cases:
            window = rest(self.campaign, self.window_s, self.warm_s)
            return {**columns_of(window), "launch": "none"}
        with precision(load.dtype), torch.no_grad():
            if not self.campaign.on_gpu:
                return self._run(load)
            with torch.cuda.stream(self.timer.stream):
                return self._run(load)

    def _run(self, load):
        make = Zeros if load.zeros else Buffers
        sets = load.sets or (max(
            self.timer.sets_of(case) for case in load.cases
        ) if self.campaign.on_gpu else 1)
        calls = [
            case.build(make(self.campaign.device, case.dtype))
            for _ in range(sets) for case in load.cases
        ]

        def run_all():
            """Results are kept until all have run, so that they also rotate."""
            results = [call() for call in calls]
            del results

        run_all()
        self.campaign.synchronize()
        begin = time.perf_counter()
        run_all()
        self.campaign.synchronize()
        round_s = time.perf_counter() - begin
        rounds = max(1, min(math.ceil(BURST_S / round_s), MAX_LAUNCHES // len(calls)))

        def burst():
            for _ in range(rounds):
                run_all()

        graph = None
        if self.campaign.on_gpu and not load.eager:
            graph = capture(burst)
        window, bursts = hold(self.campaign, graph.replay if graph else burst,
                              self.window_s, self.warm_s)
        return {
            **columns_of(window), "launch": "graph" if graph else "eager",
            "iterations_per_s": bursts * rounds * sets / window.seconds,
            "buffer_sets": sets,
        }


def run(campaign):
    """Writes power.csv."""
    file = ResultFile(campaign.out / "power.csv", COLUMNS, KEY, campaign.facts,
                      campaign.resume)
    meter = LoadMeter(campaign)
    seconds = meter.warm_s + meter.window_s + 1
    try:
        run_rows(campaign, file, loads(campaign.smoke), describe, meter.measure,
                 lambda load: seconds)
    finally:
        file.close()
    return file
