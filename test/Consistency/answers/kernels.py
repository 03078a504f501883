# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel, asked of `--kernel`, `--kernels`, the package, and the report of a model that consists of it."""
import dataclasses
import pathlib
import re
import shlex
import tempfile

from tool import Case, layout_flags

from answers.compared import agree_in, same, scaled
from answers.doors import Refusal
from answers.settings import draw_point

ELEMENTWISE = {"add": "Add", "mul": "Mul", "div": "Div", "relu": "Relu", "gelu": "Gelu", "tanh": "Tanh",
               "sigmoid": "Sigmoid", "exp": "Exp", "sqrt": "Sqrt", "erf": "Erf", "neg": "Neg"}
BINARY = {"add", "mul", "div"}
# Fields of an answer and of a kernel in a report with the same name.
SHARED = ["time_us", "power_w", "energy_j", "flops", "bytes", "implementation", "tile", "split_k", "waves", "bound",
          "in_calibrated_domain", "time_low_us", "time_high_us"]
OPERATING = ["clock_mhz", "throttled", "power_limit_unreachable"]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """Columns of a query, and its op in ONNX; None: no model consists of this kernel."""
    family: str
    columns: dict
    op: str = ""
    weights: tuple = ()  # shapes of parameters, after the inputs
    inputs: tuple = ()
    result: tuple = ()

    def words(self, **more):
        return " ".join([self.family, *(f"{name}={value}" for name, value in {**self.columns, **more}.items())])

    def module(self):
        """A function of this op on fp32 tensors, which the tool casts to the format of the target."""
        def kind(shape):
            return f"tensor<{'x'.join(map(str, shape))}xf32>"

        names = [f"%x{index}" for index in range(len(self.inputs))]
        parameters = [f"%w{index}" for index in range(len(self.weights))]
        arguments = ", ".join(f"{name}: {kind(shape)}" for name, shape in zip(names, self.inputs))
        lines = [f"  {name} = onnx.Parameter : () -> {kind(shape)}\n" for name, shape in zip(parameters, self.weights)]
        kinds = ", ".join(kind(shape) for shape in (*self.inputs, *self.weights))
        operation, _, attributes = self.op.partition(" ")
        return (f"func.func @main({arguments}) -> {kind(self.result)} {{\n{''.join(lines)}"
                f"  %0 = onnx.{operation} {', '.join(names + parameters)} {attributes} : ({kinds}) -> {kind(self.result)}\n"
                f"  return %0 : {kind(self.result)}\n}}\n")


def draw_kernel(random, family):
    def size(low, high):
        """Powers of two, and their neighbours."""
        exponent = random.uniform(low, high)
        return max(1, random.choice([2 ** round(exponent), int(2 ** exponent)]))

    if family == "matmul":
        m, n, k = size(0, 13), size(5, 13), size(5, 13)
        return Kernel(family, {"m": m, "n": n, "k": k}, "MatMul", ((k, n),), ((m, k),), (m, n))
    if family == "batched":
        batch, m, n, k = size(1, 7), size(4, 10), size(4, 10), size(4, 8)
        return Kernel("matmul", {"m": m, "n": n, "k": k, "batch": batch}, "MatMul", (),
                      ((batch, m, k), (batch, k, n)), (batch, m, n))
    if family == "conv2d":
        n, c, side, oc = size(0, 6), 8 * size(0, 5), random.choice([7, 14, 28, 56, 112]), 8 * size(0, 5)
        kernel, stride = random.choice([(1, 1), (1, 2), (3, 1), (3, 2), (7, 2)])
        pad = kernel // 2
        out = (side + 2 * pad - kernel) // stride + 1
        op = (f"Conv {{kernel_shape = array<i64: {kernel}, {kernel}>, pads = array<i64: {pad}, {pad}, {pad}, {pad}>, "
              f"strides = array<i64: {stride}, {stride}>}}")
        return Kernel(family, {"n": n, "c": c, "h": side, "w": side, "oc": oc, "kh": kernel, "kw": kernel,
                               "stride": stride, "pad": pad}, op, ((oc, c, kernel, kernel),), ((n, c, side, side),),
                      (n, oc, out, out))
    if family == "attention":
        batch, heads, group = size(0, 4), random.choice([4, 8, 16, 32]), random.choice([1, 1, 4])
        length, dim, causal = size(5, 11), random.choice([64, 128]), random.choice([0, 1])
        query, key = (batch, heads, length, dim), (batch, heads // group, length, dim)
        return Kernel(family, {"heads": heads, "q_len": length, "kv_len": length, "head_dim": dim, "batch": batch,
                               "kv_heads": heads // group, "causal": causal},
                      f"Attention {{is_causal = {causal} : i64}}", (), (query, key, key), query)
    if family in ("softmax", "layernorm"):
        shape = size(4, 16), size(4, 13)
        columns = {"rows": shape[0], "cols": shape[1]}
        if family == "softmax":
            return Kernel(family, columns, "Softmax {axis = -1 : i64}", (), (shape,), shape)
        return Kernel(family, columns, "LayerNormalization {axis = -1 : i64}", ((shape[1],), (shape[1],)), (shape,), shape)
    if family == "elementwise":
        op, shape = random.choice(list(ELEMENTWISE)), (size(8, 26),)
        return Kernel(family, {"op": op, "elements": shape[0]}, ELEMENTWISE[op], (), (shape,) * (1 + (op in BINARY)), shape)
    gpus = random.choice([2, 4, 8])
    return Kernel(family, {"op": random.choice(["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"]),
                           "gpus": gpus, "message_bytes": size(10, 30)})


FAMILIES = ["matmul", "matmul", "batched", "conv2d", "attention", "softmax", "layernorm", "elementwise", "collective"]


def check_package(doors, case, kernel, target, point, answer):
    model = doors.package.Model(target, clock=point["clock"], power_limit=point["power-limit"])
    name, columns = kernel.family, dict(kernel.columns)
    if "causal" in columns:
        columns["causal"] = bool(columns["causal"])
    cost = doors.ask(getattr(model, name), **columns)
    for field in ("time_us", "power_w", "energy_j", "time_low_us", "time_high_us", "clock_mhz", "flops", "bytes", "bound",
                  "in_calibrated_domain", "throttled"):
        case.require(f"package.{field}", same(answer[field], getattr(cost, field)),
                     f"{answer[field]!r} and {getattr(cost, field)!r}")


def check_report(doors, case, kernel, target, flags, answer):
    """Without gaps and host the iteration consists of only this kernel."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.mlir"
        path.write_text(kernel.module())
        report = doors.json(path, *flags, "--runtime=cudagraph", *layout_flags(target))
    rows, iteration = report["kernels"], report["iteration"]
    if len(rows) != 1 or rows[0]["count"] != 1:
        # Without tensor cores attention is several kernels, and so are some convolutions.
        case.require("report.kernels", kernel.family in ("attention", "conv2d"), f"{len(rows)} rows")
        return
    agree_in(case, "report", rows[0], answer, SHARED)
    agree_in(case, "report.iteration", iteration, answer, OPERATING)
    for mine, theirs, unit in (("time_us", "time_ms", 1e3), ("energy_j", "energy_j", 1), ("power_w", "avg_power_w", 1)):
        case.require(f"iteration.{mine}", same(scaled(iteration[theirs], unit), answer[mine]),
                     f"{iteration[theirs]} and {answer[mine]}")
    for note in answer["notes"]:
        case.require("report.notes", note in report["notes"], f"{note!r} is not in the report")
    for note in report["notes"]:
        if re.match("clock of|power limit of|no clock", note):
            case.require("notes", note in answer["notes"], f"{note!r} is only in the report")


def check(doors, random, gpu, number_format, family):
    kernel = draw_kernel(random, family)
    target, point = f"{gpu.name}-{number_format}", draw_point(random, gpu)
    flags = [f"--target={target}", *(f"--{name}={value}" for name, value in point.items() if value)]
    case = Case(shlex.join(["gpu-cost-opt", f"--kernel={kernel.words()}", *flags]))
    try:
        answer, = doors.json(f"--kernel={kernel.words()}", *flags)
    except Refusal as refused:
        # Without such tensor cores, frameworks run attention as several kernels.
        several = kernel.family == "attention" and number_format == "fp32" and "tf32" not in gpu.rates
        case.require("refused", several and re.search("frameworks run|no coefficients", str(refused)), str(refused))
        return case
    columns = {"family": kernel.family, **kernel.columns, "dtype": number_format, "clock_mhz": point["clock"] or "",
               "power_limit_w": point["power-limit"] or ""}
    table = "\n".join(",".join(map(str, line)) for line in (columns, columns.values()))
    again, = doors.json("--kernels=-", f"--target={gpu.name}", stdin=table + "\n")
    own = [name for name in answer if name not in kernel.columns]
    agree_in(case, "kernels", answer, again, own)
    check_package(doors, case, kernel, target, point, answer)
    # (G14) An operand of this module is not contiguous along k, which matters in TF32; a query has no column for it.
    if kernel.op and not (number_format == "tf32" and "batch" in kernel.columns and kernel.family == "matmul"):
        check_report(doors, case, kernel, target, flags, answer)
    return case
