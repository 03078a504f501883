# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and convolutions on all GPUs: no GPU is slower than one that it exceeds in every fact, less work does not take
longer, and no time is below the floors of arithmetic and DRAM."""
import csv
import io
import itertools
import re

from physics.configurations import ROOT, Gpu
from properties.products import COLUMNS, LAUNCH_US, NEAR, WINOGRAD, is_less
from tool import COEFFICIENTS, Case, quantity

ROWS = (1, 2, 4, 16, 31, 32, 64, 128, 333, 512, 2048, 8192)
PLANES = ((32, 32), (128, 128), (768, 768), (3072, 768), (768, 3072), (1024, 4096), (4096, 4096), (1000, 2048))
PRODUCTS = [(1, m, n, k) for m in ROWS for n, k in PLANES] + [
    (batch, m, n, k) for batch in (4, 8, 64, 96) for m in (1, 2, 16, 64, 128, 512)
    for n, k in ((64, 64), (128, 64), (64, 512), (512, 512))]
# Batch, channels, size, filters, size of a filter, stride.
CONVOLUTIONS = [(n, *layer) for n in (1, 8, 64) for layer in (
    (3, 224, 64, 7, 2), (64, 56, 64, 3, 1), (64, 56, 256, 1, 1), (256, 56, 128, 1, 2), (256, 14, 256, 3, 1),
    (1024, 14, 2048, 1, 2), (512, 7, 512, 3, 1))]
FORMATS = {"fp32": 4, "fp16": 2, "bf16": 2}
# So many comparisons of two GPUs at least.
LEAST_CHECKS = 20_000
# Boards of one GPU model differ by 8 % (P10): so may the tables of two boards with one die.
NEAR_DIE = 1.08
# Check bits of ECC among the data take a part of the bandwidth (M17).
ECC_SHARE = 0.83


def queries(shapes):
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    rows.writeheader()
    for shape in shapes:
        if len(shape) == 4:
            rows.writerow(dict(zip(("family", "batch", "m", "n", "k"), ("matmul", *shape))))
        else:
            n, c, size, filters, kernel, stride = shape
            rows.writerow(dict(family="conv2d", n=n, c=c, h=size, w=size, oc=filters, kh=kernel, kw=kernel,
                               stride=stride, pad=kernel // 2))
    return text.getvalue()


def work(shape):
    """FLOPs, and elements of the operands and the result."""
    if len(shape) == 4:
        batch, m, n, k = shape
        return 2 * batch * m * n * k, batch * (m * k + k * n + m * n)
    n, c, size, filters, kernel, stride = shape
    out = (size + 2 * (kernel // 2) - kernel) // stride + 1
    return (2 * n * out**2 * filters * c * kernel**2,
            n * c * size**2 + filters * c * kernel**2 + n * filters * out**2)


def group_of(shape, dtype):
    """The group of coefficients of the kernel."""
    if dtype != "fp32":
        return "tensor_gemm"
    return "simt_conv" if len(shape) == 6 else "simt_batched" if shape[0] > 1 else "simt_linear"


class Board:
    """Facts and times of a GPU. `facts` make a GPU faster, `single` are those of one SM."""

    def __init__(self, tool, name, dtype, shapes):
        text = (ROOT / "targets" / f"{name}.mlir").read_text()
        gpu = self.gpu = Gpu.read(name)
        sms = float(re.search(r"\bsms = (\d+)", text)[1])
        cycles = sms * gpu.max_clock * 1e6
        self.name, self.die = name, re.search(r'\bdie = "([^"]+)"', text)[1]
        self.rate = gpu.rates[dtype]
        self.set = re.search(r'gpucost.coefficients_from = "([^"]+)"', text)[1]
        self.is_measured = "gpucost.transferred_from" not in text
        dram = gpu.dram_bandwidth * (ECC_SHARE if "inline_ecc = true" in text else 1)
        self.facts = [self.rate, cycles, gpu.l2_bytes, dram, gpu.power_limit, gpu.compute_capability]
        blocks = {group: self.block(group) for group in {group_of(s, dtype) for s in shapes}}
        self.l2 = {group: cycles * quantity(re.search(r"\bl2_bytes_per_clock = ([\d.]+)", block)[1])
                   for group, block in blocks.items()}
        self.tile = {group: min((int(m) * int(n) for m, n in re.findall(r"<m = (\d+), n = (\d+)", block)), default=0)
                     for group, block in blocks.items()}
        self.single = [gpu.max_clock, self.rate / sms]
        rows = csv.DictReader(io.StringIO(tool.run("--kernels=-", "--report=csv", f"--target={name}-{dtype}",
                                                   stdin=queries(shapes))))
        self.times = {shape: float(row["time_us"]) for shape, row in zip(shapes, rows)}

    def block(self, group):
        """The coefficients of a group: data sheets do not state what an SM reads from L2, and which tiles a library has."""
        return re.search(rf"#{group} = [^\n]*<(.*?)\n\n", (COEFFICIENTS / f"{self.set}.mlir").read_text(), re.S)[1]

    def exceeds(self, other):
        """Two sets are compared on the boards that were measured; boards that borrow a set only with those that use it."""
        comparable = self.set == other.set or (self.is_measured and other.is_measured)
        return comparable and all(a >= b for a, b in zip(self.facts, other.facts))

    def allowance(self, other):
        """A kernel that does not fill the GPU, or waits for memory, takes the cycles of one SM: with the same work, a GPU
        with a lower clock or a lower rate per SM may be slower by as much, however many SMs it has."""
        return max([1] + [b / a for a, b in zip(self.single, other.single)])


def check_order(case, board, other, dtype):
    limit = (NEAR_DIE if board.die == other.die else NEAR) * board.allowance(other)
    def compares(group):
        # The tables of batched products on CUDA cores show which tiles a library has: A100 has one of 128 x 128, which
        # small matrices do not fill.
        return board.l2[group] >= other.l2[group] and (group != "simt_batched" or board.tile[group] <= other.tile[group])

    shapes = [shape for shape in board.times if compares(group_of(shape, dtype))]
    if not shapes:
        return 0
    worst = max((board.times[shape] / other.times[shape], shape) for shape in shapes)
    case.merged += len(shapes) - 1
    case.require(f"slower_than_{other.name}", worst[0] <= limit,
                 f"{worst[1]}: {board.times[worst[1]]} us, {other.times[worst[1]]} us on {other.name}, "
                 f"{worst[0]:.3f} times as long, at most {limit:.3f}")
    return len(shapes)


def check_less_work(case, board):
    pairs = [(a, b) for a, b in itertools.permutations(board.times, 2) if len(a) == len(b) == 4 and is_less(a, b)]
    worst = max(((board.times[a] - LAUNCH_US) / board.times[b], a, b) for a, b in pairs)
    case.merged += len(pairs) - 1
    case.require("more_work", worst[0] <= NEAR, f"{worst[1]} takes {worst[0]:.3f} times as long as {worst[2]}")


def check_floors(case, board, dtype):
    """Winograd multiplies less often; L2 may hold a part of the operands."""
    for shape, time in board.times.items():
        flops, elements = work(shape)
        saved = WINOGRAD if len(shape) == 6 and dtype == "fp32" else 1
        floors = {"flop_floor": flops / saved / board.rate,
                  "dram_floor": (elements * FORMATS[dtype] - board.gpu.l2_bytes) / board.gpu.dram_bandwidth}
        for name, seconds in floors.items():
            case.require(name, time >= seconds * 1e6 * (1 - 1e-5), f"{shape}: {time} us, at least {seconds * 1e6} us")
        case.merged += len(floors)


def cases(tool):
    shapes = [*PRODUCTS, *CONVOLUTIONS]
    targets, checks = tool.targets(), 0
    for dtype in FORMATS:
        boards = [Board(tool, name, dtype, shapes) for name, formats in targets.items() if dtype in formats]
        for board in boards:
            case = Case(f"{board.name} {dtype}")
            check_less_work(case, board)
            check_floors(case, board, dtype)
            for other in boards:
                if other is not board and board.exceeds(other):
                    checks += check_order(case, board, other, dtype)
            yield case
    case = Case("orders of boards")
    case.require("checks", checks >= LEAST_CHECKS, f"only {checks}")
    yield case
