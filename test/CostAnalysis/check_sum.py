#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs that gpucost-annotate writes on the ops of a network add up to the kernels of
the report, in number and time.

usage: check_sum.py MODULE TOOL MLIR_OPT PLUGIN TARGET [SETTING=VALUE...]

At a low clock, so that the power limit does not throttle any kernel or iteration: a single
kernel then runs at the clock of the iteration.
"""
import json
import re
import subprocess
import sys

UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def main():
    module, tool, mlir_opt, plugin, target, *settings = sys.argv[1:]
    # The default inside a compiler.
    if not any(setting.startswith("runtime=") for setting in settings):
        settings.append("runtime=as-written")
    settings = [f"target={target}", "clock=900", *settings]
    flags = ["--" + setting for setting in settings]
    report = json.loads(subprocess.run([tool, module, *flags, "--precision-mode=as-is", "--report=json"],
                                       check=True, capture_output=True, text=True).stdout)
    pipeline = f"builtin.module(func.func(gpucost-annotate{{{' '.join(settings)}}}))"
    text = subprocess.run([mlir_opt, f"--load-dialect-plugin={plugin}", f"--pass-pipeline={pipeline}", module],
                          check=True, capture_output=True, text=True).stdout
    seconds, launches, function = 0.0, 0, None
    pattern = r"#gpucost\.cost<runtime = \S+, coverage = (\w+), time = ([\d.e+-]+) (\w+),[^>]*?launches = (\d+)"
    for line in text.splitlines():
        for cost in re.finditer(pattern, line):
            own = float(cost[2]) * UNITS[cost[3]]
            if cost[1] != "modelled":
                sys.exit(f"not modelled: {line[:200]}")
            if line.lstrip().startswith("func.func"):
                function = own, int(cost[4])
            else:
                seconds += own
                launches += int(cost[4])
    kernels = sum(row["count"] for row in report["kernels"])
    expected = sum(row["total_us"] for row in report["kernels"]) * 1e-6
    for name, (time, number) in {"ops": (seconds, launches), "function": function}.items():
        # The report has 7 digits, an attribute 4. The report includes tensors that leave L2 before they are read again (M12); the cost of a
        # single op does not: at most 0.2 % of the time in these networks.
        if number != kernels or not -2e-3 < time / expected - 1 < 5e-4:
            sys.exit(f"{name}: {number} launches, {time * 1e6:.3f} us; "
                     f"report: {kernels} kernels, {expected * 1e6:.3f} us")
    print(f"{launches} launches, {seconds * 1e6:.1f} us: as in the report")
    return 0


if __name__ == "__main__":
    sys.exit(main())
