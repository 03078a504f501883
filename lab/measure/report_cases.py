# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases from the `kernels` of a JSON report (docs/JsonSchema.md)."""

import json
import re

from kernels import attention, convolution, matmul, memory, rows, streams
from results import Failure

# Format of a report -> format measured.
FORMATS = {name: name for name in ("fp32", "tf32", "fp16", "bf16", "fp8")}

ELEMENTWISE = {  # op of the report -> op of kernels/streams.py
    "Add": "add", "Sub": "sub", "Mul": "mul", "Div": "div", "Pow": "powu",
    "Sqrt": "sqrt", "Rsqrt": "rsqrt", "Exp": "exp", "Log": "log", "Erf": "erf",
    "Neg": "neg", "Cos": "trig", "Sin": "trig", "Gelu": "gelu", "Relu": "relu",
    "Tanh": "tanh", "Sigmoid": "sigmoid", "Swish": "silu",
}
GRADIENTS = {
    "GeluGrad": "gelu", "ReluGrad": "relu", "TanhGrad": "tanh",
    "SigmoidGrad": "sigmoid", "ActivationGrad": "silu",
}


def sizes_of(shape):
    """"n=8 hw=7x7 wgrad" is ({"n": 8, "hw": (7, 7)}, {"wgrad"})."""
    sizes, words = {}, set()
    for token in shape.split():
        name, equal, value = token.partition("=")
        numbers = tuple(int(part) for part in re.findall(r"\d+", value))
        if not equal:
            words.add(token)
        elif numbers:
            sizes[name] = numbers if len(numbers) > 1 else numbers[0]
    return sizes, words


def _matmul(kernel, dtype, size, words, more):
    m, n, k = size["m"], size["n"], size["k"]
    if dtype == "fp8":
        return matmul.scaled(m, n, k, **more) if "b" not in size else None
    if "b" in size:
        return matmul.bmm(dtype, size["b"], m, n, k, **more)
    if kernel["phase"] == "forward":
        bias = "+" in kernel["label"] or kernel["op"].endswith("Gemm")
        return matmul.linear(dtype, m, n, k, bias, **more)
    return matmul.matmul(dtype, m, n, k, **more)


def _convolution(kernel, dtype, size, words, more):
    """The text does not contain the padding, so (k - 1) / 2 is assumed."""
    if not isinstance(size.get("hw"), tuple) or size["k"][0] != size["k"][1]:
        return None
    if isinstance(size["s"], tuple) or "transposed" in words:
        return None
    direction = next((word for word in ("dgrad", "wgrad") if word in words), "forward")
    return convolution.convolution(
        dtype, size["n"], size["c"], *size["hw"], size["oc"], size["k"][0],
        size["s"], size.get("g", 1), direction=direction, layout="NCHW", **more)


def _attention(kernel, dtype, size, words, more):
    heads = size["h"] if isinstance(size["h"], tuple) else (size["h"], size["h"])
    return attention.attention(
        dtype, size["b"], *heads, size["q"], size["kv"], size["d"],
        int("causal" in words),
        backend="efficient" if dtype in ("fp32", "tf32") else "flash",
        backward="backward" in words, **more)


def _softmax(kernel, dtype, size, words, more):
    return rows.softmax(dtype, size["rows"], size["cols"],
                        log="LogSoftmax" in kernel["op"], **more)


def _normalization(kernel, dtype, size, words, more):
    make = {"LayerNormalization": rows.layernorm,
            "RMSNormalization": rows.rmsnorm}.get(kernel["op"].split(".")[-1])
    return make and make(dtype, size["rows"], size["cols"], **more)


def _reduction(kernel, dtype, size, words, more):
    op = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max"}.get(
        kernel["op"].split(".")[-1])
    # Sums of broadcast operands' gradients mostly reduce along columns.
    along = "rows" if kernel["origin"].startswith("gradient") else "cols"
    return op and rows.reduction(dtype, size["rows"], size["cols"], op, along, **more)


def _elementwise(kernel, dtype, size, words, more):
    op, elements = kernel["op"].split(".")[-1], size["n"]
    if op in ELEMENTWISE:
        return streams.elementwise(ELEMENTWISE[op], dtype, elements, **more)
    if op in GRADIENTS:
        return streams.elementwise(GRADIENTS[op], dtype, elements, True, **more)
    if op == "Cast":
        return streams.cast(dtype, "fp32" if dtype == "bf16" else "bf16", elements,
                            **more)
    if op.startswith("Dropout"):
        return streams.dropout(dtype, elements, op == "DropoutGrad", **more)
    return None


def _data_movement(kernel, dtype, size, words, more):
    make = {"Fill": streams.fill, "Concat": streams.concat, "copy": streams.copy}.get(
        kernel["op"].split(".")[-1])
    return make and make(dtype, size["n"], **more)


def _optimizer(kernel, dtype, size, words, more):
    if kernel["label"] not in memory.FOREACH:
        return None
    return memory.foreach_step(kernel["label"], size["n"], **more)


BUILDERS = {
    "matmul": _matmul, "convolution": _convolution, "attention": _attention,
    "softmax": _softmax, "normalization": _normalization, "reduction": _reduction,
    "elementwise": _elementwise, "data_movement": _data_movement,
    "optimizer": _optimizer,
}


def cases_of_report(path):
    """The supported kernels of a report, most expensive first.

    Prints unsupported kernels. Kernels that differ only in their position in
    the model are one case with the sum of their launches.
    """
    try:
        with open(path) as file:
            kernels = json.load(file)["kernels"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"expected a JSON report of gpu-cost-opt in '{path}': "
                      f"{error!r}") from None
    cases, skipped = {}, {}
    for kernel in sorted(kernels, key=lambda kernel: -(kernel["total_us"] or 0)):
        dtype = FORMATS.get(kernel["format"])
        make = BUILDERS.get(kernel["family"]) if dtype else None
        more = {"count": kernel["count"], "predicted_us": kernel["time_us"]}
        case = None
        if make:
            try:
                case = make(kernel, dtype, *sizes_of(kernel["shape"]), more)
            except (KeyError, TypeError):  # a shape of another form
                case = None
        if case is None:
            name = f"{kernel['family']} {kernel['op']} {kernel['format']}"
            launches, micros = skipped.get(name, (0, 0.0))
            skipped[name] = (launches + kernel["count"],
                             micros + (kernel["total_us"] or 0.0))
            continue
        key = (case.family, case.op, case.dtype, case.layout, case.shape, case.variant)
        if key in cases:
            cases[key].count += case.count
        else:
            cases[key] = case
    total = sum(kernel["total_us"] or 0.0 for kernel in kernels) or 1.0
    for name, (launches, micros) in skipped.items():
        print(f"skipped: {name}, {launches} launches, "
              f"{100 * micros / total:.1f} % of the predicted time")
    return list(cases.values())
