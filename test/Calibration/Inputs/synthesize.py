# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements of an invented GPU: predictions of the tool with changed coefficients.

  synthesize.py COEFFICIENTS.mlir OUT [--change group.field=factor ...] [--slow X]

Writes kernels.csv (30 kernels) and power.csv (5 loads), as measure.py
would, with deterministic errors of up to 2 %. `--slow` multiplies every time.
"""
import argparse
import csv
import io
import pathlib
import re
import subprocess
import tempfile

HEAD = """# program: measure.py version 1
# date: 2026-01-02T03:04:05Z
# pytorch: 2.11.0
# gpu: {gpu}
# compute capability: 8.0
# SMs: 108
# memory bytes: 85094825984
# driver: 580.1
# cuda: 13.0
# max SM clock MHz: 1410
# power limit W: 400.0
"""
CLOCK = 1410
KERNELS = (
    [("matmul", "linear", "bf16", f"m={m} n={n} k={k}", 2 * (m * k + k * n + m * n))
     for m, n, k in ((8192, 8192, 8192), (4096, 4096, 4096), (2048, 768, 768), (2048, 3072, 768), (16, 4096, 4096),
                     (1, 4096, 4096), (512, 1024, 1024), (128, 768, 768), (4096, 14336, 4096), (64, 28672, 8192),
                     (1024, 1024, 1024), (16384, 16384, 512))]
    + [("matmul", "linear", "fp32", f"m={m} n={n} k={k}", 4 * (m * k + k * n + m * n))
       for m, n, k in ((4096, 4096, 4096), (2048, 768, 768), (2048, 3072, 768), (512, 1024, 1024), (16, 4096, 4096),
                       (1024, 1024, 1024))]
    + [("elementwise", op, "bf16", f"elements={n}", 4 * n) for n in (4096, 16777216, 134217728)
       for op in ("relu", "gelu")]
    + [("softmax", "softmax", "bf16", f"rows={r} cols={c}", 4 * r * c) for r, c in ((65536, 1024), (98304, 384),
                                                                                 (4096, 768))]
    + [("layernorm", "layernorm", "bf16", f"rows={r} cols={c}", 4 * r * c) for r, c in ((65536, 1024), (98304, 384),
                                                                                     (4096, 768))]
)
LOADS = (("relu", 18), ("gelu", 23), ("matmul-fp32", 12), ("matmul-bf16", 0))
SETS = 48


def error(i):
    return 1 + 0.02 * (2 * (0.618034 * (i + 1) % 1) - 1)


def ask(coefficients, rows):
    """Answers of the tool at a fixed clock, as dictionaries."""
    text = io.StringIO()
    columns = sorted({name for row in rows for name in row})
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    done = subprocess.run(["gpu-cost-opt", "--target=a100-sxm-80gb", f"--coefficients={coefficients}", "--kernels=-",
                           "--report=csv"], input=text.getvalue(), capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def query(family, op, dtype, shape, size):
    row = {"family": family, "dtype": dtype, "clock_mhz": CLOCK, "power_limit_w": 100000, "reuse_bytes": SETS * size}
    if family == "elementwise":
        row["op"] = op
    return {**row, **dict(word.split("=") for word in shape.split())}


def changed(text, changes):
    for change in changes:
        name, factor = change.split("=")
        group, field = name.split(".")
        start = text.index(f"#{group} = ")
        number = re.search(rf"\b{field} = (-?[0-9.e-]+)", text[start:])
        text = (text[:start + number.start(1)] + f"{float(number[1]) * float(factor):.6g}"
                + text[start + number.end(1):])
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("coefficients", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--change", nargs="*", default=[])
    parser.add_argument("--slow", type=float, default=1)
    parser.add_argument("--gpu", default="NVIDIA A100-SXM4-80GB")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(changed(args.coefficients.read_text(), args.change))
        file.flush()
        answers = ask(file.name, [query(*kernel) for kernel in KERNELS])
    with open(args.out / "kernels.csv", "w", newline="") as file:
        file.write(HEAD.format(gpu=args.gpu) + "# suite: kernels\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["family", "op", "dtype", "layout", "shape", "variant", "status", "time_us", "p10_us", "p90_us",
                         "buffer_sets", "clock_mhz", "throttle_reasons", "bytes"])
        for i, (kernel, answer) in enumerate(zip(KERNELS, answers)):
            family, op, dtype, shape, size = kernel
            us = float(answer["time_us"]) * error(i) * args.slow
            writer.writerow([family, op, dtype, "", shape, "", "ok", f"{us:.6g}", f"{0.99 * us:.6g}",
                             f"{1.01 * us:.6g}", SETS, CLOCK, "0x0", size])
        writer.writerow(["pooling", "max", "bf16", "NHWC", "n=8 c=64 h=112 w=112 kh=3 kw=3 stride=2", "", "ok", "50",
                         "", "", "", "", "", ""])
        writer.writerow(["matmul", "scaled_mm", "fp8", "", "m=16 n=16 k=16", "", "unsupported", "", "", "", "", "",
                         "", ""])
    with open(args.out / "power.csv", "w", newline="") as file:
        file.write(HEAD.format(gpu=args.gpu) + "# suite: power\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "dtype", "kernels", "operands", "launch", "status", "power_avg_w", "energy_counter_w",
                         "clock_mean_mhz", "throttle_reasons", "iterations_per_s", "bytes_per_iteration", "buffer_sets"])
        # 45.1 + 13.4 v^3 + 5.6 f v^2 at 1.41 GHz with v = 918.75 mV / 743.75 mV: 82.4 W.
        writer.writerow(["idle", "", "", "", "none", "ok", 82.4, 82.0, CLOCK, "0x1", "", 0, ""])
        for i, (name, index) in enumerate(LOADS):
            family, op, dtype, shape, size = KERNELS[index]
            answer = answers[index]
            watts = float(answer["power_w"]) * error(i)
            writer.writerow([name, dtype, f"{family} {op} {shape}", "random", "graph", "ok", f"{watts:.6g}",
                             f"{watts:.6g}", CLOCK, "0x0", 1e6 / float(answer["time_us"]) / args.slow, size, SETS])


if __name__ == "__main__":
    main()
