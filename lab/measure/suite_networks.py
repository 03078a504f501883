# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suites `training` and `inference`: time and energy of whole iterations."""

import time
from dataclasses import dataclass

import torch

from cases import precision
from iteration import Inference, Training
from results import ResultFile, run_rows
from steady import hold
from suite_power import columns_of
from timing import capture, spread
from workloads import Workload, workloads

KEY = ["model", "mode", "precision", "attention", "layout", "runtime", "batch",
       "length"]
COLUMNS = KEY + [
    "optimizer", "status", "wall_ms", "forward_ms", "backward_ms", "optimizer_ms",
    "gpu_ms", "gpu_p10_ms", "gpu_p90_ms", "power_avg_w", "energy_j",
    "energy_counter_j", "clock_mean_mhz", "clock_min_mhz", "temperature_c",
    "throttle_reasons", "seconds", "samples", "iterations", "parameters",
    "memory_allocated_bytes", "memory_reserved_bytes", "note",
]
WARM_S, WINDOW_S = 1.0, 4.0
PHASE_ITERATIONS = 10
COMPILE_S = 100  # of remaining time required before compiling


@dataclass
class Point:
    """One row: a workload and its settings."""

    workload: Workload
    mode: str
    precision: str
    size: tuple  # batch, length
    attention: str = "eager"
    runtime: str = "eager"
    layout: str = ""

    def row(self):
        batch, length = self.size
        return {
            "model": self.workload.name, "mode": self.mode,
            "precision": self.precision,
            "attention": self.attention if self.workload.attention else "",
            "layout": self.layout, "runtime": self.runtime, "batch": batch,
            "length": length,
            "optimizer": self.workload.optimizer if self.mode == "training" else "",
        }


def points(mode, smoke):
    """First every model in its first size, then the variants for comparison."""
    models = workloads(smoke)
    formats = ("bf16-amp", "tf32", "fp32")
    if mode == "inference":
        formats = ("bf16", "tf32", "fp32", "bf16-amp")

    def of(index, formats, attention="eager", runtime="eager", layout="NCHW",
           chosen=models):
        for workload in chosen:
            sizes = workload.sizes if mode == "training" else workload.inference
            if index < len(sizes):
                for precision_name in formats:
                    yield Point(workload, mode, precision_name, sizes[index], attention,
                                runtime, layout if workload.image else "")

    main = models if smoke else models[:8]
    transformers = [workload for workload in main if workload.attention]
    convolutional = [workload for workload in main if not workload.attention]
    yield from of(0, formats[:3], chosen=main)
    yield from of(0, formats[:1], "sdpa", chosen=transformers)
    yield from of(0, formats[:1], layout="NHWC", chosen=convolutional)
    if not smoke:
        yield from of(0, formats[:2], runtime="cudagraph", chosen=main)
    yield from of(1, formats[:1], chosen=main)
    yield from of(1, formats[2:3], chosen=main)
    yield from of(0, formats[:1], chosen=models[8:])
    yield from of(2, formats[:2], chosen=main)
    yield from of(3, formats[:2], chosen=main)
    if not smoke:
        yield from of(0, formats[:1], runtime="compiled", chosen=main)
    yield from of(0, formats[3:], chosen=main)
    yield from of(1, formats[:1], "sdpa", chosen=transformers)
    yield from of(0, formats[1:3], "sdpa", chosen=transformers)
    yield from of(1, formats[1:2], chosen=main)
    if not smoke:
        yield from of(1, formats[:1], runtime="cudagraph", chosen=main)
        yield from of(0, formats[1:2], runtime="compiled", chosen=main)


class NetworkMeter:
    def __init__(self, campaign):
        self.campaign = campaign
        self.warm_s, self.window_s = campaign.window(WARM_S, WINDOW_S, smoke=(0.0, 0.05))

    def measure(self, point):
        format_name = point.precision.split("-")[0]
        try:
            with precision(format_name):
                if not self.campaign.on_gpu:
                    return self._run(point)
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
                with torch.cuda.stream(torch.cuda.Stream()):
                    return self._run(point)
        finally:
            if point.runtime == "compiled":
                torch.compiler.reset()

    def make(self, point):
        """The iteration of a point, on the device."""
        kind = Training if point.mode == "training" else Inference
        return kind(point, self.campaign.device)

    def _run(self, point):
        iteration = self.make(point)
        for _ in range(1 if self.campaign.smoke else 4):
            iteration.run()
        self.campaign.synchronize()
        graph = None
        if point.runtime == "cudagraph":
            iteration.before_capture()
            graph = capture(iteration.run)
            if graph is None:
                raise NotImplementedError("the iteration cannot be captured")
        result = self._phases(iteration, graph)
        window, count = hold(self.campaign, graph.replay if graph else iteration.run,
                             self.window_s, self.warm_s)
        result.update(columns_of(window))
        result.update({
            "wall_ms": 1e3 * window.seconds / count, "iterations": count,
            "parameters": iteration.parameters,
        })
        if window.average_w is not None:
            result["energy_j"] = window.average_w * window.seconds / count
        if window.energy_j is not None:
            result["energy_counter_j"] = window.energy_j / count
        if self.campaign.on_gpu:
            result["memory_allocated_bytes"] = torch.cuda.max_memory_allocated()
            result["memory_reserved_bytes"] = torch.cuda.max_memory_reserved()
        return result

    def _phases(self, iteration, graph):
        """Medians in ms: the phases, and the iteration on the GPU."""
        names = ["forward", "backward", "optimizer"][:iteration.phases]
        totals, phases = [], []
        for _ in range(2 if self.campaign.smoke else PHASE_ITERATIONS):
            clock = PhaseClock(self.campaign)
            clock.mark()
            if graph:
                graph.replay()
                clock.mark()
            else:
                iteration.run(clock.mark)
            times = clock.times_ms()
            totals.append(sum(times))
            phases.append(times)
        median, p10, p90 = spread(totals)
        result = {"gpu_ms": median, "gpu_p10_ms": p10, "gpu_p90_ms": p90}
        if not graph:
            for index, name in enumerate(names):
                result[f"{name}_ms"] = spread([times[index] for times in phases])[0]
        return result


class PhaseClock:
    """Times between marks: by CUDA events, or by the clock on a CPU."""

    def __init__(self, campaign):
        self.campaign, self.marks = campaign, []

    def mark(self):
        if self.campaign.on_gpu:
            event = torch.cuda.Event(enable_timing=True)
            event.record()
        else:
            event = time.perf_counter()
        self.marks.append(event)

    def times_ms(self):
        self.campaign.synchronize()
        pairs = zip(self.marks, self.marks[1:])
        if self.campaign.on_gpu:
            return [first.elapsed_time(last) for first, last in pairs]
        return [1e3 * (last - first) for first, last in pairs]


def run(campaign, mode, only=()):
    """Writes training.csv or inference.csv."""
    chosen = [
        point for point in points(mode, campaign.smoke)
        if set(only) <= {str(value) for value in point.row().values()}
    ]
    file = ResultFile(campaign.out / f"{mode}.csv", COLUMNS, KEY, campaign.facts,
                      campaign.resume)
    meter = NetworkMeter(campaign)

    def seconds(point):
        if point.runtime == "compiled":
            return COMPILE_S
        return meter.warm_s + meter.window_s + 2

    try:
        run_rows(campaign, file, chosen, Point.row, meter.measure, seconds)
    finally:
        file.close()
    return file
