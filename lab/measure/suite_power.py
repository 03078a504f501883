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
from kernels.rows import layernorm, reduction, softmax
from kernels.streams import copy, elementwise, fill
from kernels.warp_mma import product
from results import ResultFile, run_rows
from steady import hold, rest
from timing import KernelTimer, capture

KEY = ["name"]
COLUMNS = KEY + [
    "dtype", "kernels", "operands", "duty", "launch", "status", "power_avg_w", "power_min_w",
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
    operands: str = "random"  # or another key of BUFFERS
    eager: bool = False  # launched one by one
    duty: float = 1.0  # share of the time in which kernels run; the host sleeps in between

    @property
    def dtype(self):
        return self.cases[0].dtype if self.cases else ""


class Zeros(Buffers):
    """No bits toggle."""

    def numbers(self, shape):
        return torch.zeros(shape, device=self.device)


class HalfZeros(Buffers):
    """Half of the numbers are zero, as after a ReLU."""

    def numbers(self, shape):
        return super().numbers(shape).relu_()


BUFFERS = {"random": Buffers, "zeros": Zeros, "half zeros": HalfZeros}


def loads(smoke):
    """The most informative loads first."""
    if smoke:
        tiny = matmul("fp32", 16, 16, 16)
        return [Load("idle"), Load("matmul-fp32-16", (tiny,)),
                Load("mix-tiny", (tiny, elementwise("gelu", "fp32", 64))),
                Load("matmul-fp32-16-duty-0.5", (tiny,), duty=0.5, operands="half zeros")]
    big, mega = 268435456, 1 << 20
    gemm = linear("bf16", 4096, 4096, 4096)
    gelu = elementwise("gelu", "bf16", 16 * mega)
    decode = [Load(f"decode-attention-{heads}-of-{kv_heads}-x{batch}",
                   (attention("bf16", batch, heads, kv_heads, 1, length, 128, 0),))
              for batch, heads, kv_heads, length in (
                  (64, 32, 8, 2048), (32, 64, 8, 4096), (32, 32, 32, 2048))]
    paused = [Load(f"matmul-bf16-8192-duty-{duty:g}", (matmul("bf16", 8192, 8192, 8192),),
                   duty=duty) for duty in (0.75, 0.5, 0.25)]
    # From a load that the memory limits to one that the board limits.
    mixed = [Load(f"linear-bf16-4096+copy-{mebi}Mi", (gemm, copy("bf16", mebi * mega)))
             for mebi in (512, 256, 128, 64, 32)]
    squares = [Load(f"matmul-bf16-{size}", (matmul("bf16", size, size, size),))
               for size in (1024, 1536, 2048, 3072, 4096, 6144)]
    rows_of_decode = [Load(f"linear-bf16-{rows}x8192x8192", (linear("bf16", rows, 8192, 8192),))
                      for rows in (64, 128, 256, 512, 1024)]
    return [
        Load("idle"),
        Load("matmul-bf16-8192", (matmul("bf16", 8192, 8192, 8192),)),
        Load("copy-fp32-1GiB", (copy("fp32", big),)),
        Load("matmul-bf16-8192-zeros", (matmul("bf16", 8192, 8192, 8192),), operands="zeros"),
        Load("copy-fp32-4MiB-in-L2", (copy("fp32", mega),), sets=1),
        *squares, *paused, *mixed, *decode, *rows_of_decode,
        Load("matmul-bf16-8192-half-zeros", (matmul("bf16", 8192, 8192, 8192),),
             operands="half zeros"),
        Load("matmul-bf16-4096-zeros", (matmul("bf16", 4096, 4096, 4096),), operands="zeros"),
        Load("attention-bf16", (attention("bf16", 8, 16, 16, 2048, 2048, 128, 0),)),
        Load("attention-causal-bf16-8192", (attention("bf16", 1, 32, 8, 8192, 8192, 128, 1),)),
        Load("attention-bf16-cudnn", (attention("bf16", 8, 16, 16, 2048, 2048, 128, 0, "cudnn"),)),
        Load("attention-bf16-64", (attention("bf16", 8, 32, 32, 2048, 2048, 64, 0),)),
        Load("attention-causal-backward-bf16",
             (attention("bf16", 4, 32, 8, 2048, 2048, 128, 1, backward=True),)),
        Load("product-mma-bf16-8192", (product("bf16", 8192, 8192, 8192, "mma"),)),
        Load("sum-fp32-1GiB", (reduction("fp32", 32768, 8192),)),
        Load("fill-fp32-1GiB", (fill("fp32", big),)),
        Load("copy-fp32-16MiB-in-L2", (copy("fp32", 2 * mega),), sets=1),
        Load("matmul-tf32-8192", (matmul("tf32", 8192, 8192, 8192),)),
        Load("matmul-fp32-4096", (matmul("fp32", 4096, 4096, 4096),)),
        Load("matmul-fp16-8192", (matmul("fp16", 8192, 8192, 8192),)),
        Load("matmul-fp8-8192", (scaled(8192, 8192, 8192),)),
        Load("matmul-fp8-8192-half-zeros", (scaled(8192, 8192, 8192),), operands="half zeros"),
        Load("gelu-bf16-256Mi", (elementwise("gelu", "bf16", big),)),
        Load("gelu-fp32-2Mi-in-L2", (elementwise("gelu", "fp32", 2 * mega),), sets=1),
        Load("linear-bf16-4096+gelu", (gemm, gelu)),
        Load("linear-bf16-2048x768x768", (linear("bf16", 2048, 768, 768),)),
        Load("linear-bf16-16x8192x8192", (linear("bf16", 16, 8192, 8192),)),
        Load("conv-bf16", (convolution("bf16", 64, 256, 28, 28, 256, 3),)),
        Load("conv-tf32", (convolution("tf32", 64, 256, 28, 28, 256, 3,
                                       layout="NCHW"),)),
        Load("layernorm-bf16", (layernorm("bf16", 65536, 1024),)),
        Load("softmax-bf16", (softmax("bf16", 98304, 512),)),
        Load("add-fp32-256Mi", (elementwise("add", "fp32", big),)),
        Load("add-fp32-tiny-eager", (elementwise("add", "fp32", 1024),), eager=True),
        Load("matmul-fp32-1024", (matmul("fp32", 1024, 1024, 1024),)),
        Load("matmul-tf32-1024", (matmul("tf32", 1024, 1024, 1024),)),
        Load("copy-fp32-48MiB", (copy("fp32", 6 * mega),), sets=1),
        Load("gelu-fp32-256Mi", (elementwise("gelu", "fp32", big),)),
        Load("conv-depthwise-bf16",
             (convolution("bf16", 64, 192, 56, 56, 192, 3, 1, 192),)),
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
        "operands": load.operands if load.cases else "",
        "duty": load.duty if load.cases else None,
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
        self.warm_s, self.window_s = campaign.window(WARM_S, WINDOW_S, smoke=(0.05, 0.1))

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
        make = BUFFERS[load.operands]
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
        run = graph.replay if graph else burst
        if load.duty < 1:
            run = self._with_pauses(run, load.duty)
        window, bursts = hold(self.campaign, run, self.window_s, self.warm_s)
        return {
            **columns_of(window), "launch": "graph" if graph else "eager",
            "iterations_per_s": bursts * rounds * sets / window.seconds,
            "buffer_sets": sets,
        }


    def _with_pauses(self, run, duty):
        """`run`, then no work for the rest of a period."""

        def pausing():
            begin = time.perf_counter()
            run()
            self.campaign.synchronize()
            busy_s = time.perf_counter() - begin
            time.sleep(busy_s * (1 / duty - 1))

        return pausing


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
