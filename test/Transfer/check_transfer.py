#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the arithmetic of transfers: gaps that add up, corrected times, weights, limits.

usage: check_transfer.py TRANSFER.json...
"""
import json
import math
import pathlib
import sys

# Transferability between two runs: weight of equal half-widths (include/gpucost/Applications/Transfer/Transfer.h).
ANOTHER_DIE, SAME_DIE, SAME_BOARD = 0.5, 0.75, 1.0


def problems(report):
    gaps = report["gaps"]
    if report["profile"]["kind"] == "trace":
        total = (gaps["predicted_ms"] + gaps["kernels_ms"] + gaps["extra_ms"] - gaps["missing_ms"] + gaps["idle_ms"]
                 - gaps["overlap_ms"])
        if not math.isclose(total, gaps["measured_ms"], rel_tol=1e-5):
            yield f"gaps: {total} of {gaps['measured_ms']} ms"
    kernels = sum(k["difference_us"] for k in report["kernels"] if k["phase"] != "communication") / 1e3
    if not math.isclose(kernels, gaps["kernels_ms"], rel_tol=1e-5, abs_tol=1e-6):
        yield f"kernels: {kernels} of {gaps['kernels_ms']} ms"
    for to in report["destinations"]:
        for kernel in to["kernels"]:
            time = kernel["predicted_us"] * kernel["ratio"] ** kernel["weight"]
            if not math.isclose(time, kernel["time_us"], rel_tol=1e-5):
                yield f"{to['to']}: {kernel['label']}: {kernel['time_us']} us, not {time}"
            most = SAME_BOARD if to["target"] == report["target"] else SAME_DIE
            if not 0 <= kernel["weight"] <= most or (kernel["basis"] == "none") != (kernel["weight"] == 0):
                yield f"{to['to']}: {kernel['label']}: weight {kernel['weight']}, basis {kernel['basis']}"
            if not 0.25 <= kernel["ratio"] <= 4:
                yield f"{to['to']}: {kernel['label']}: ratio {kernel['ratio']}"
        if to["time_low_ms"] and not to["time_low_ms"] <= to["time_ms"] <= to["time_high_ms"]:
            yield f"{to['to']}: {to['time_ms']} ms outside of its interval"
        if not math.isclose(to["energy_j"], to["avg_power_w"] * to["time_ms"] / 1e3, rel_tol=1e-5):
            yield f"{to['to']}: energy is not power x time"


def main():
    failed = 0
    for name in sys.argv[1:]:
        wrong = list(problems(json.loads(pathlib.Path(name).read_text())))
        failed += bool(wrong)
        for line in wrong:
            print(f"{pathlib.Path(name).name}: {line}")
    print(f"{len(sys.argv) - 1 - failed} of {len(sys.argv) - 1} add up")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
