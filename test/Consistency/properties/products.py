# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and convolutions on every target: no jumps, no time below the floors, and more work takes longer."""
import csv
import io
import itertools

from physics.configurations import Gpu
from tool import Case

SIZES = (1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 128, 512, 2048)
PLANES = ((32, 32), (768, 768), (3072, 768), (1024, 4096), (4096, 4096))  # n and k
PRODUCTS = [(1, m, n, k) for m in SIZES for n, k in PLANES] + [
    (batch, m, n, k) for batch in (8, 64) for m in (1, 2, 64, 512) for n, k in ((64, 64), (128, 64), (512, 512))]
CONVOLUTIONS = [(n, c, size, filters, kernel, stride) for n in (1, 8, 64) for c, size, filters, kernel, stride in (
    (3, 224, 64, 7, 2), (64, 56, 64, 3, 1), (256, 14, 256, 3, 1), (1024, 14, 2048, 1, 2))]
COLUMNS = ["family", "batch", "m", "n", "k", "c", "h", "w", "oc", "kh", "kw", "stride", "pad"]
# From one row to two at n = k = 768; and all of 32 x 32 x 32, on GPUs since Volta.
STEP_US, SMALL_US, VOLTA = 6, 8, 7.0
# Tilings are chosen in steps: the time of less work may be longer by this share, and by a part of a launch.
NEAR, LAUNCH_US = 1.02, 0.05
# Winograd needs 2.25 to 4 times fewer multiplications; it runs in fp32 only.
WINOGRAD = 4


def queries():
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    rows.writeheader()
    for batch, m, n, k in PRODUCTS:
        rows.writerow(dict(family="matmul", batch=batch, m=m, n=n, k=k))
    for n, c, size, filters, kernel, stride in CONVOLUTIONS:
        rows.writerow(dict(family="conv2d", n=n, c=c, h=size, w=size, oc=filters, kh=kernel, kw=kernel, stride=stride,
                           pad=kernel // 2))
    return text.getvalue()


def flops(shape):
    if shape in PRODUCTS:
        batch, m, n, k = shape
        return 2 * batch * m * n * k
    n, c, size, filters, kernel, stride = shape
    out = (size + 2 * (kernel // 2) - kernel) // stride + 1
    return 2 * n * out**2 * filters * c * kernel**2


def is_less(a, b):
    return a != b and all(x <= y for x, y in zip(a, b)) and (a[0] == 1) == (b[0] == 1)


def check(case, gpu, dtype, rows):
    times = [float(row["time_us"]) for row in rows]
    product = dict(zip(PRODUCTS, times))
    one, two = (product[1, m, 768, 768] for m in (1, 2))
    case.require("step", two <= one + STEP_US, f"m = 1: {one} us, m = 2: {two} us")
    if gpu.compute_capability >= VOLTA:
        small = product[1, 32, 32, 32]
        case.require("small", small < SMALL_US, f"32 x 32 x 32 takes {small} us")
    worst = max(((product[a] - LAUNCH_US) / product[b], a, b) for a, b in itertools.permutations(PRODUCTS, 2)
                if is_less(a, b))
    case.require("more_work", worst[0] <= NEAR, f"{worst[1]} takes {worst[0]:.3f} times as long as {worst[2]}")
    for shape, time in zip(PRODUCTS + CONVOLUTIONS, times):
        saved = WINOGRAD if shape in CONVOLUTIONS and dtype == "fp32" else 1
        floor = flops(shape) / saved / gpu.rates[dtype] * 1e6
        case.require("flop_floor", time >= floor * (1 - 1e-5), f"{shape}: {time} us, {floor} us at the peak")


def cases(tool):
    text = queries()
    for target, formats in tool.targets().items():
        for dtype in {"fp32", "fp16", "bf16"} & set(formats):
            rows = list(csv.DictReader(io.StringIO(
                tool.run("--kernels=-", "--report=csv", f"--target={target}-{dtype}", stdin=text))))
            case = Case(f"{target} {dtype}")
            check(case, Gpu.read(target), dtype, rows)
            yield case
