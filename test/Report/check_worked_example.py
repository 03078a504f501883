#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes the worked example of docs/CostModel.md from the frozen target.

usage: check_worked_example.py ROOT REPORT.json

Each equation is evaluated here once more, from only the target and coefficient files.
Every figure, and every fact it came from, must be in that section of the document, and
the results must equal the report.
"""
import json
import math
import pathlib
import re
import sys

UNITS = {"us": 1e-6, "ms": 1e-3, "pJ": 1e-12, "MHz": 1e6, "GBps": 1e9, "MiB": 2**20, "W": 1, "": 1}


used = set()


def field(text, name):
    """The value of `name = 1.5 us` in SI units; one occurrence only."""
    found = re.findall(rf"\b{name} = ([0-9.]+) ?([A-Za-z]*)", text)
    assert len(found) == 1, f"expected one field '{name}', but got {len(found)}"
    used.add(found[0][0])
    return float(found[0][0]) * UNITS[found[0][1]]


def group(text, name):
    """The lines of `#name = #gpucost....<...>`."""
    return re.search(rf"^#{name} = .*?(?=^#|^module|\Z)", text, re.M | re.S).group(0)


def norm(power, *values):
    return sum(v**power for v in values) ** (1 / power)


class Example:
    def __init__(self, root):
        target = (root / "examples/a100.mlir").read_text()
        self.page = (root / "docs/CostModel.md").read_text()
        self.page = self.page.split("## A worked example")[1].split("\n## ")[0]
        self.g, self.s = group(target, "tensor_gemm"), group(target, "streaming")
        self.p, self.r = group(target, "power"), group(target, "runtime")
        self.slots = field(group(target, "issue_slots"), "gelu")
        self.instructions = field(group(target, "per_element"), "gelu")
        self.bars, self.boards = group(target, "error_bars"), group(target, "boards")
        self.f, self.sms = field(target, "max_clock"), field(target, "sms")
        self.rate = float(re.search(r"bf16, flops_per_clock = (\d+)", target).group(1))
        self.bandwidth, self.l2 = field(target, "dram_bandwidth"), field(target, "l2_capacity")
        self.limit = field(target, "power_limit")
        self.missing = []

    def stated(self, *figures):
        """Each figure, and each fact used, must be in the document's section."""
        flat = " ".join(self.page.split())
        self.missing += [figure for figure in figures if figure not in flat]

    def gemm(self):
        m = n = 4096
        k, tm, tn, steps = 1024, 128, 256, 1024 // 64
        ctas = (m // tm) * (n // tn)
        waves = math.ceil(ctas / self.sms)
        tensor = 2 * tm * tn * 64 * steps / (self.rate * field(self.g, "efficiency"))
        latency = steps * field(self.g, "latency_cycles")
        cycles = waves * norm(2, tensor, latency)
        compute = cycles / self.f
        feed = ctas * (tm + tn) * 2 * steps * 64
        l2_rate = self.sms * field(self.g, "l2_bytes_per_clock") * self.f
        l2 = feed / l2_rate
        a, c = 2 * (m * k + k * n), 2 * m * n
        assert a < self.l2 / 2
        dram = self.bandwidth * field(self.g, "dram_efficiency")
        load, store = a / dram, max(c / dram, c / l2_rate)
        x = field(self.g, "fill_depth") / k
        overlap = field(self.g, "store_exposure")
        stream = (1 - x) * load + (1 - overlap) * store
        self.flops, self.operands, self.gemm_bytes = 2 * m * n * k, a, a + c
        self.stated(f"= {self.flops / 1e9:.2f} GFLOP", f"= {steps}`", f"= {ctas}`", f"= {waves}`",
                    f"{ctas / (waves * self.sms):.1%}".replace("%", " %"), f"= {tensor:.0f}`", f"= {latency:.0f}`",
                    f"= {cycles:.0f}`", f"compute = {compute * 1e6:.2f} us", f"= {feed / 1e6:.1f} MB",
                    f"= {l2 * 1e6:.2f} us", f"{a / 1e6:.2f} MB", f"{c / 1e6:.2f} MB", f"= {load * 1e6:.2f} us",
                    f"= {store * 1e6:.2f} us", f"{x:.1%}".replace("%", " %"), f"= {(1 - x) * l2 * 1e6:.2f} and",
                    f"= {stream * 1e6:.2f} us under")

        def time(y):
            roofs = norm(4, compute / y, (1 - x) * l2 / y, stream)
            exposed = max(x * l2 / y, x * load)
            if y == 1:
                self.stated(f"= {roofs * 1e6:.2f} us`", f"= {exposed * 1e6:.2f} us`",
                            f"= {overlap * store * 1e6:.2f} us`")
            return roofs + exposed + overlap * store + field(self.g, "fixed_time")
        return time

    def gelu(self):
        elements = 4096 * 4096
        size = 4 * elements
        usable = field(self.s, "l2_fraction") * self.l2
        assert size > 2 * usable
        dram = size / (self.bandwidth * field(self.s, "dram_efficiency"))
        cycles = self.sms * self.f
        l2 = size / (cycles * field(self.s, "l2_bytes_per_clock"))
        issue = elements * self.slots * field(self.s, "issue_scale") / (cycles * field(self.s, "issue_width"))
        self.gelu_bytes, self.thread_instructions = size, elements * self.instructions
        self.stated(f"{usable / 1e6:.2f} MB", f"2 - {size / usable:.2f}", f"= {dram * 1e6:.2f} us`",
                    f"= {l2 * 1e6:.2f} us`", f"= {issue * 1e6:.2f} us`")
        latency = field(self.s, "latency")

        def time(y):
            return norm(4, dram, l2 / y, issue / y) + latency
        self.stated(f"{time(1) / dram - 1:.0%}".replace("%", " %"))
        return time

    def miss(self, touched):
        return 1 - 1 / (1 + (touched / (field(self.p, "l2_fraction") * self.l2)) ** 3)

    def voltage(self, clock):
        knee = field(self.p, "generic_knee") * self.f
        return 1 + (field(self.p, "generic_max") - 1) * min(1, max(0, (clock - knee) / (self.f - knee)))

    def iteration(self, clock, gemm, gelu):
        y = clock / self.f
        parts = gemm(y), gelu(y)
        busy = sum(parts) + 2 * field(self.r, "kernel_gap_cycles") / clock
        host = field(self.r, "host_launch") * (2 + field(self.r, "library_weight"))
        time = norm(field(self.r, "host_norm"), busy, host)
        v = self.voltage(clock) / self.voltage(field(self.p, "reference_clock"))
        idle = (field(self.p, "idle_base") + field(self.p, "idle_voltage") * v**3 +
                field(self.p, "idle_clock") * clock * 1e-9 * v**2)
        tensor = field(self.p, "per_tensor_flop") * self.flops
        instructions = field(self.p, "per_instruction") * self.thread_instructions
        sm = field(self.p, "per_sm_cycle") * self.sms * clock * busy
        dram = field(self.p, "per_dram_byte") * self.dram_bytes
        dynamic = v ** field(self.p, "voltage_exponent") * (tensor + instructions + sm) + dram
        if y == 1:
            self.stated(f"t = {parts[0] * 1e6:.2f} us", f"t = {parts[1] * 1e6:.2f} us", f"= {busy * 1e6:.2f} us`",
                        f"= {host * 1e6:.1f} us`", f"= {v:.3f}`", f"= {sm * 1e3:.2f} mJ`", f"{tensor * 1e3:.2f} mJ",
                        f"{instructions * 1e3:.2f} mJ", f"= {dram * 1e3:.3f} mJ`")
        return parts, busy, time, v, idle, dynamic

    def core(self, clock, v, busy, flops, instructions):
        return v ** field(self.p, "voltage_exponent") * (
            field(self.p, "per_tensor_flop") * flops + field(self.p, "per_instruction") * instructions +
            field(self.p, "per_sm_cycle") * self.sms * clock * busy)

    def board(self, clock, step, gemm, gelu, energy, time):
        """(U4) Half-width of an unknown board's power, and d ln time / d ln power at the limit."""
        idle, dram = self.iteration(clock, gemm, gelu)[4] * time, field(self.p, "per_dram_byte") * self.dram_bytes
        share = 1 - (idle + dram) / energy
        _, _, slower, _, low, dynamic = self.iteration(clock - 4 * step, gemm, gelu)
        self.stated(f"{share:.3f}", f"At {(clock - 4 * step) / 1e6:.0f} MHz", f"{slower * 1e6:.2f} us",
                    f"{low + dynamic / slower:.1f} W")
        deviation = float(re.search(r"deviation = ([0-9.]+)", self.boards).group(1))
        self.stated(f"*{deviation:.4f}")
        return 1.2816 * share * deviation, (
            math.log(slower / time) / math.log((energy / time) / (low + dynamic / slower)))

    def check(self, report):
        gemm, gelu = self.gemm(), self.gelu()
        touched = self.gemm_bytes + self.gelu_bytes
        first = self.operands * self.miss(touched) + (self.gemm_bytes - self.operands) * self.miss(self.gemm_bytes)
        second = self.gelu_bytes * self.miss(self.gelu_bytes)
        self.first_bytes, self.dram_bytes = first, first + second
        self.stated(f"{touched / 1e6:.2f} MB", f"{self.operands * self.miss(touched) / 1e6:.2f} MB",
                    f"{(self.gemm_bytes - self.operands) * self.miss(self.gemm_bytes) / 1e6:.2f} MB",
                    f"{first / 1e6:.2f} MB", f"{second / 1e6:.2f} MB", f"{self.dram_bytes / 1e6:.1f} MB",
                    f"= {self.thread_instructions / 1e6:.1f} M`")
        clock, step = self.f, 15e6
        while True:
            parts, busy, time, v, idle, dynamic = self.iteration(clock, gemm, gelu)
            power = idle + dynamic / time
            if clock == self.f:
                self.stated(f"= {idle:.1f} W`", f"= {dynamic * 1e3:.2f} mJ`", f"= {power:.0f} W`")
            if power <= self.limit:
                break
            above, clock = power, clock - step
        energy = idle * time + dynamic
        # (P8)
        alone = idle + self.core(clock, v, parts[1], 0, self.thread_instructions) / parts[1] + (
            field(self.p, "per_dram_byte") * second / parts[1])
        product = idle + self.core(clock, v, parts[0], self.flops, 0) / parts[0] + (
            field(self.p, "per_dram_byte") * first / parts[0])
        scale = (energy - self.limit * parts[0]) / (energy - product * parts[0])
        shown = min(self.limit, alone * scale)
        self.stated(f"consume {product:.0f} W", f"s = {scale:.4f}", f"{alone:.0f} W by itself", f"shown with {shown:.0f} W")
        bars = [float(re.search(rf"kind = {kind}.*?{region} = ([0-9.]+)", self.bars).group(1))
                for kind, region in (("tensor_matmul", "large"), ("streaming", "medium"))]
        width = math.hypot(*(t * h for t, h in zip(parts, bars))) / sum(parts)
        board, moved = self.board(clock, step, gemm, gelu, energy, time)
        whole = math.hypot(width, float(re.search(r"time_inference = ([0-9.]+)", self.bars).group(1)), board * moved)
        self.stated(f"= {board:.4f}`", f"= {moved:.3f}`", f"{board * moved:.4f}^2")
        low, high = time / (1 + whole), time * (1 + whole)
        self.stated(f"At {(clock + step) / 1e6:.0f} MHz the power is {above:.1f} W", f"at {clock / 1e6:.0f} MHz",
                    f"y = {clock / self.f:.4f}", f"{power:.1f} W", f"takes {parts[0] * 1e6:.2f} us",
                    f"GELU {parts[1] * 1e6:.2f} us", f"busy = {busy * 1e6:.2f} us", f"`v = {v:.4f}`",
                    f"= {idle:.1f} W`", f"= {dynamic * 1e3:.2f} mJ`", f"Time {time * 1e6:.0f} us",
                    f"= {energy * 1e3:.1f} mJ`", f"= {width:.3f}`", f"= {whole:.3f}`",
                    f"{low * 1e6:.0f} us to {high * 1e6:.0f} us")
        self.stated(*sorted(used))
        iteration, kernels = report["iteration"], report["kernels"]
        expected = [("time_ms", time * 1e3), ("gpu_busy_ms", busy * 1e3), ("clock_mhz", clock * 1e-6),
                    ("avg_power_w", power), ("energy_j", energy), ("dram_bytes", self.dram_bytes),
                    ("time_low_ms", low * 1e3), ("time_high_ms", high * 1e3)]
        pairs = [(name, iteration[name], value) for name, value in expected]
        pairs += [(f"kernel {i}", kernels[i]["time_us"], t * 1e6) for i, t in enumerate(parts)]
        pairs += [("product_w", kernels[0]["power_w"], self.limit), ("gelu_w", kernels[1]["power_w"], shown)]
        wrong = [f"{name}: report {got}, by hand {value:.7g}" for name, got, value in pairs
                 if abs(got - value) > 2e-6 * abs(value)]
        wrong += [f"'{figure}' is not in the document" for figure in self.missing]
        return len(pairs), wrong


def main():
    root = pathlib.Path(sys.argv[1])
    example = Example(root)
    count, wrong = example.check(json.loads(pathlib.Path(sys.argv[2]).read_text()))
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{count} results as computed by hand")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
