#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models as linalg or tosa modules, with the same ops that front ends
emit.

    models/emit_linalg.py resnet50 --batch=8 > resnet50.mlir
    models/emit_linalg.py bert --batch=2 --seq=128 --style=iree > bert.mlir
    models/emit_linalg.py qwen-mlp --seq=512 --dtype=bf16 > mlp.mlir
    models/emit_linalg.py tosa-cnn --batch=8 > cnn.mlir

`torch` is the form of Torch-MLIR: NCHW convolutions of padded tensors, weights
as splat constants, normalization and softmax spelled out in generics, weights
broadcast to batched products. `iree` is the other common form: NHWC, weights as
function arguments, products of collapsed tensors, linalg.softmax. Standard
library only.
"""

import argparse
import itertools
import re


def shape_type(shape, element="f32"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


class Module:
    """Builds one function; values are (name, shape, element type)."""

    def __init__(self, style):
        self.style, self.lines, self.arguments, self.count = style, [], [], 0
        self.flat = False  # activations of transformers are [tokens, features]

    def value(self, shape, element="f32"):
        self.count += 1
        return (f"%v{self.count}", tuple(shape), element)

    def op(self, text, shape=None, element="f32"):
        if shape is None:
            self.lines.append(text)
            return None
        result = self.value(shape, element)
        self.lines.append(f"{result[0]} = {text}")
        return result

    def argument(self, shape, element="f32"):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {shape_type(shape, element)}")
        return (name, tuple(shape), element)

    def weight(self, *shape):
        if self.style == "iree":
            return self.argument(shape)
        return self.op(f"arith.constant dense<1.000000e-02> : {shape_type(shape)}", shape)

    def scalar(self, number, element="f32"):
        return self.op(f"arith.constant {number} : {element}", (), element)

    def empty(self, shape, element="f32"):
        return self.op(f"tensor.empty() : {shape_type(shape, element)}", shape, element)

    def fill(self, shape, number="0.000000e+00", element="f32"):
        zero, out = self.scalar(number, element), self.empty(shape, element)
        t = shape_type(shape, element)
        return self.op(f"linalg.fill ins({zero[0]} : {element}) outs({out[0]} : {t}) -> {t}",
                       shape, element)

    def structured(self, name, inputs, init, attributes=""):
        ins = ", ".join(v[0] for v in inputs)
        types = ", ".join(shape_type(v[1], v[2]) for v in inputs)
        t = shape_type(init[1], init[2])
        return self.op(f"linalg.{name} {attributes}ins({ins} : {types}) "
                       f"outs({init[0]} : {t}) -> {t}", init[1], init[2])

    def generic(self, inputs, init, body, maps=None, reduced=()):
        """`body` has %in0, %in1, ... and %out, and ends with the yielded value.
        A map lists the loop of each dimension; by default the trailing loops,
        and 0 for dimensions of size 1."""
        loops = len(maps[-1]) + len(reduced) if maps else len(init[1])
        names = [f"d{i}" for i in range(loops)]
        if maps is None:
            maps = []
            for v in [*inputs, init]:
                offset = len(init[1]) - len(v[1])
                maps.append(["0" if d == 1 and init[1][i + offset] != 1 else f"d{i + offset}"
                             for i, d in enumerate(v[1])])
        affine = ", ".join(f"affine_map<({', '.join(names)}) -> ({', '.join(m)})>" for m in maps)
        kinds = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in range(loops))
        ins = ""
        if inputs:
            ins = (f"ins({', '.join(v[0] for v in inputs)} : "
                   f"{', '.join(shape_type(v[1], v[2]) for v in inputs)}) ")
        t = shape_type(init[1], init[2])
        arguments = ", ".join([f"%in{i}: {v[2]}" for i, v in enumerate(inputs)]
                              + [f"%out: {init[2]}"])
        steps = [f"%s{i} = {text}" for i, text in enumerate(body[:-1])]
        return self.op(
            f"linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} {ins}"
            f"outs({init[0]} : {t}) {{\n    ^bb0({arguments}):\n      "
            + "\n      ".join([*steps, f"linalg.yield {body[-1]} : {init[2]}"])
            + f"\n  }} -> {t}", init[1], init[2])

    def pointwise(self, inputs, *body):
        rank = max(len(v[1]) for v in inputs)
        shape = [max(v[1][i - rank + len(v[1])] for v in inputs if i >= rank - len(v[1]))
                 for i in range(rank)]
        return self.generic(inputs, self.empty(shape), body)

    def reshape(self, v, shape, groups, expand):
        kind = "expand_shape" if expand else "collapse_shape"
        sizes = f" output_shape {list(shape)}" if expand else ""
        return self.op(f"tensor.{kind} {v[0]} {groups}{sizes} : {shape_type(v[1])} into "
                       f"{shape_type(shape)}", shape)

    def permute(self, v, order):
        init = self.empty([v[1][i] for i in order])
        return self.op(f"linalg.transpose ins({v[0]} : {shape_type(v[1])}) "
                       f"outs({init[0]} : {shape_type(init[1])}) permutation = {list(order)}",
                       init[1])

    def pad(self, v, low, number):
        shape = [d + 2 * p for d, p in zip(v[1], low)]
        fill = self.scalar(number)
        indices = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        return self.op(f"tensor.pad {v[0]} low{list(low)} high{list(low)} {{\n    "
                       f"^bb0({indices}):\n      tensor.yield {fill[0]} : f32\n  }} : "
                       f"{shape_type(v[1])} to {shape_type(shape)}", shape)

    def text(self, result):
        body = "\n  ".join(self.lines)
        return (f"func.func @forward({', '.join(self.arguments)}) -> {shape_type(result[1])} {{\n"
                f"  {body}\n  return {result[0]} : {shape_type(result[1])}\n}}\n")


# ResNet-50 ---------------------------------------------------------------------------


def window(size, stride):
    return (f"{{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} ",
            lambda d: (d - size) // stride + 1)


def convolution(m, x, filters, size, stride, channels_last):
    p = size // 2
    if channels_last:
        n, h, w, c = x[1]
        padded = m.pad(x, [0, p, p, 0], "0.000000e+00") if p else x
        attributes, out = window(size, stride)
        init = m.fill([n, out(h + 2 * p), out(w + 2 * p), filters])
        return m.structured("conv_2d_nhwc_hwcf", [padded, m.weight(size, size, c, filters)],
                            init, attributes)
    n, c, h, w = x[1]
    padded = m.pad(x, [0, 0, p, p], "0.000000e+00") if p else x
    attributes, out = window(size, stride)
    init = m.fill([n, filters, out(h + 2 * p), out(w + 2 * p)])
    return m.structured("conv_2d_nchw_fchw", [padded, m.weight(filters, c, size, size)],
                        init, attributes)


def batch_norm(m, x, channels_last):
    c = x[1][-1 if channels_last else 1]
    axis = "d3" if channels_last else "d1"
    vectors = [m.weight(c) for _ in range(4)]  # weight, bias, mean, variance
    full = ["d0", "d1", "d2", "d3"]
    epsilon = m.scalar("1.000000e-05")
    return m.generic([x, *vectors], m.empty(x[1]),
                     [f"arith.addf %in4, {epsilon[0]} : f32", "math.rsqrt %s0 : f32",
                      "arith.subf %in0, %in3 : f32", "arith.mulf %s2, %s1 : f32",
                      "arith.mulf %s3, %in1 : f32", "arith.addf %s4, %in2 : f32", "%s5"],
                     [full, [axis], [axis], [axis], [axis], full])


def relu(m, x):
    zero = m.scalar("0.000000e+00")
    return m.pointwise([x], f"arith.cmpf ugt, %in0, {zero[0]} : f32",
                       f"arith.select %s0, %in0, {zero[0]} : f32", "%s1")


def resnet50(m, batch):
    last = m.style == "iree"
    x = m.argument((batch, 224, 224, 3) if last else (batch, 3, 224, 224))

    def conv_bn(x, filters, size, stride):
        return batch_norm(m, convolution(m, x, filters, size, stride, last), last)

    x = relu(m, conv_bn(x, 64, 7, 2))
    low = [0, 1, 1, 0] if last else [0, 0, 1, 1]
    x = m.pad(x, low, "0xFF800000")
    attributes, out = window(3, 2)
    pooled = [batch, 56, 56, 64] if last else [batch, 64, 56, 56]
    x = m.structured("pooling_nhwc_max" if last else "pooling_nchw_max", [x, m.empty([3, 3])],
                     m.fill(pooled, "0xFF800000"), attributes)
    for stage, (blocks, width) in enumerate(zip([3, 4, 6, 3], [64, 128, 256, 512])):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            y = relu(m, conv_bn(x, width, 1, 1))
            y = relu(m, conv_bn(y, width, 3, stride))
            y = conv_bn(y, 4 * width, 1, 1)
            shortcut = x if block else conv_bn(x, 4 * width, 1, stride)
            x = relu(m, m.pointwise([y, shortcut], "arith.addf %in0, %in1 : f32", "%s0"))
    attributes, _ = window(7, 1)
    x = m.structured("pooling_nhwc_sum" if last else "pooling_nchw_sum", [x, m.empty([7, 7])],
                     m.fill([batch, 1, 1, 2048] if last else [batch, 2048, 1, 1]), attributes)
    count = m.scalar("4.900000e+01")
    x = m.pointwise([x], f"arith.divf %in0, {count[0]} : f32", "%s0")
    x = m.reshape(x, (batch, 2048), "[[0], [1, 2, 3]]", False)
    w = m.permute(m.weight(1000, 2048), (1, 0))
    y = m.structured("matmul", [x, w], m.fill([batch, 1000]))
    return m.pointwise([y, m.weight(1000)], "arith.addf %in0, %in1 : f32", "%s0")


# BERT --------------------------------------------------------------------------------


def linear(m, x, n):
    *lead, k = x[1]
    if m.style == "iree":
        flat = x
        if len(lead) == 2:
            flat = m.reshape(x, (lead[0] * lead[1], k), "[[0, 1], [2]]", False)
        y = m.structured("matmul", [flat, m.weight(k, n)], m.fill([flat[1][0], n]))
        y = m.pointwise([y, m.weight(n)], "arith.addf %in0, %in1 : f32", "%s0")
        return m.reshape(y, (*lead, n), "[[0, 1], [2]]", True) if len(lead) == 2 else y
    w = m.permute(m.weight(n, k), (1, 0))
    if len(lead) == 2:
        w = m.generic([w], m.empty([lead[0], k, n]), ["%in0"],
                      [["d1", "d2"], ["d0", "d1", "d2"]])
        y = m.structured("batch_matmul", [x, w], m.fill([*lead, n]))
    else:
        y = m.structured("matmul", [x, w], m.fill([*lead, n]))
    return m.pointwise([y, m.weight(n)], "arith.addf %in0, %in1 : f32", "%s0")


def reduce_last(m, x, text, start):
    """Sum or maximum over the last dimension, which is kept with size 1."""
    loops = [f"d{i}" for i in range(len(x[1]))]
    init = m.fill([*x[1][:-1], 1], start)
    maps = [loops, [*loops[:-1], "0"]]
    module_loops = len(loops)
    affine = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(v)})>" for v in maps)
    kinds = ", ".join(['"parallel"'] * (module_loops - 1) + ['"reduction"'])
    t = shape_type(init[1])
    return m.op(f"linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} "
                f"ins({x[0]} : {shape_type(x[1])}) outs({init[0]} : {t}) {{\n"
                f"    ^bb0(%in0: f32, %out: f32):\n      %s0 = {text} %in0, %out : f32\n"
                f"      linalg.yield %s0 : f32\n  }} -> {t}", init[1])


def layer_norm(m, x):
    size, epsilon = m.scalar(f"{x[1][-1]}.0"), m.scalar("1.000000e-12")
    mean = m.pointwise([reduce_last(m, x, "arith.addf", "0.000000e+00")],
                       f"arith.divf %in0, {size[0]} : f32", "%s0")
    centred = m.pointwise([x, mean], "arith.subf %in0, %in1 : f32", "%s0")
    square = m.pointwise([centred], "arith.mulf %in0, %in0 : f32", "%s0")
    variance = m.pointwise([reduce_last(m, square, "arith.addf", "0.000000e+00")],
                           f"arith.divf %in0, {size[0]} : f32", "%s0")
    scale = m.pointwise([variance], f"arith.addf %in0, {epsilon[0]} : f32",
                        "math.rsqrt %s0 : f32", "%s1")
    normal = m.pointwise([centred, scale], "arith.mulf %in0, %in1 : f32", "%s0")
    scaled = m.pointwise([normal, m.weight(x[1][-1])], "arith.mulf %in0, %in1 : f32", "%s0")
    return m.pointwise([scaled, m.weight(x[1][-1])], "arith.addf %in0, %in1 : f32", "%s0")


def softmax(m, x):
    if m.style == "iree":
        init, t = m.empty(x[1]), shape_type(x[1])
        return m.op(f"linalg.softmax dimension({len(x[1]) - 1}) ins({x[0]} : {t}) "
                    f"outs({init[0]} : {t}) -> {t}", x[1])
    top = reduce_last(m, x, "arith.maximumf", "0xFF800000")
    shifted = m.pointwise([x, top], "arith.subf %in0, %in1 : f32", "%s0")
    e = m.pointwise([shifted], "math.exp %in0 : f32", "%s0")
    total = reduce_last(m, e, "arith.addf", "0.000000e+00")
    return m.pointwise([e, total], "arith.divf %in0, %in1 : f32", "%s0")


def embedding(m, ids, vocabulary, width):
    table = m.weight(vocabulary, width)
    t = shape_type(table[1])
    return m.generic([ids], m.empty([*ids[1], width]),
                     ["arith.index_cast %in0 : i64 to index", "linalg.index 2 : index",
                      f"tensor.extract {table[0]}[%s0, %s1] : {t}", "%s2"],
                     [["d0", "d1"], ["d0", "d1", "d2"]])


def gelu(m, x):
    root, one, half = m.scalar("1.41421354"), m.scalar("1.000000e+00"), m.scalar("5.000000e-01")
    return m.pointwise([x], f"arith.divf %in0, {root[0]} : f32", "math.erf %s0 : f32",
                       f"arith.addf %s1, {one[0]} : f32", f"arith.mulf %s2, {half[0]} : f32",
                       "arith.mulf %in0, %s3 : f32", "%s4")


def attention(m, x, heads, mask):
    batch, length, width = (mask[1][0], mask[1][3], x[1][-1])
    tokens = (batch * length, width) if m.flat else (batch, length, width)
    d = width // heads

    def split(v, order):
        v = m.reshape(v, (batch, length, heads, d), "[[0, 1], [2, 3]]" if m.flat else "[[0], [1], [2, 3]]", True)
        v = m.permute(v, order)
        return m.reshape(v, (batch * heads, v[1][2], v[1][3]), "[[0, 1], [2], [3]]", False)

    q, k, v = (split(linear(m, x, width), order)
               for order in [(0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3)])
    s = m.structured("batch_matmul", [q, k], m.fill([batch * heads, length, length]))
    s = m.reshape(s, (batch, heads, length, length), "[[0, 1], [2], [3]]", True)
    root = m.scalar(f"{d ** 0.5}")
    s = m.pointwise([s], f"arith.divf %in0, {root[0]} : f32", "%s0")
    s = m.pointwise([s, mask], "arith.addf %in0, %in1 : f32", "%s0")
    p = m.reshape(softmax(m, s), (batch * heads, length, length), "[[0, 1], [2], [3]]", False)
    y = m.structured("batch_matmul", [p, v], m.fill([batch * heads, length, d]))
    y = m.reshape(y, (batch, heads, length, d), "[[0, 1], [2], [3]]", True)
    y = m.reshape(m.permute(y, (0, 2, 1, 3)), tokens, "[[0, 1], [2, 3]]" if m.flat else "[[0], [1], [2, 3]]", False)
    return linear(m, y, width)


def bert(m, batch, length, layers=12, width=768, heads=12):
    ids = m.argument((batch, length), "i64")
    mask = m.argument((batch, 1, 1, length))
    words = embedding(m, ids, 30522, width)
    positions = m.weight(1, length, width)
    kinds = m.weight(1, 1, width)
    add = ("arith.addf %in0, %in1 : f32", "%s0")
    x = m.pointwise([m.pointwise([words, kinds], *add), positions], *add)
    if m.flat:
        x = m.reshape(x, (batch * length, width), "[[0, 1], [2]]", False)
    x = layer_norm(m, x)
    for _ in range(layers):
        x = layer_norm(m, m.pointwise([attention(m, x, heads, mask), x], *add))
        y = linear(m, gelu(m, linear(m, x, 4 * width)), width)
        x = layer_norm(m, m.pointwise([y, x], *add))
    where = (f"[0, 0] [{batch}, {width}] [{length}, 1]" if m.flat
             else f"[0, 0, 0] [{batch}, 1, {width}] [1, 1, 1]")
    first = m.op(f"tensor.extract_slice {x[0]}{where} : "
                 f"{shape_type(x[1])} to {shape_type((batch, width))}", (batch, width))
    return m.pointwise([linear(m, first, width)], "math.tanh %in0 : f32", "%s0")


# A small network in tosa -------------------------------------------------------------


def tosa_cnn(m, batch):
    """Two convolutions, a depthwise convolution, pooling and a classifier on
    32x32 images."""
    count = itertools.count(1)

    def constant(*shape):
        # The canonicalizer merges equal constants, so each weight has a
        # different value.
        return m.op(f'"tosa.const"() <{{values = dense<{next(count) * 1e-2:.6e}> : {shape_type(shape)}}}> : '
                    f"() -> {shape_type(shape)}", shape)

    zero = m.op('"tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> '
                "tensor<1xf32>", (1,))

    def conv(name, x, weight, filters, stride, h):
        t, out = shape_type(x[1]), (batch, h, h, filters)
        w, b = constant(*weight), constant(filters)
        return m.op(
            f"tosa.{name} {x[0]}, {w[0]}, {b[0]}, {zero[0]}, {zero[0]} {{acc_type = f32, dilation = "
            f"array<i64: 1, 1>, pad = array<i64: 1, {int(stride == 1)}, 1, {int(stride == 1)}>, "
            f"stride = array<i64: {stride}, {stride}>}} : ({t}, {shape_type(w[1])}, "
            f"{shape_type(b[1])}, tensor<1xf32>, tensor<1xf32>) -> {shape_type(out)}", out)

    def clamp(x):
        t = shape_type(x[1])
        return m.op(f"tosa.clamp {x[0]} {{max_val = 6.000000e+00 : f32, min_val = 0.000000e+00 : "
                    f"f32}} : ({t}) -> {t}", x[1])

    x = m.argument((batch, 32, 32, 3))
    x = clamp(conv("conv2d", x, (32, 3, 3, 3), 32, 1, 32))
    x = clamp(conv("depthwise_conv2d", x, (3, 3, 32, 1), 32, 1, 32))
    y = clamp(conv("conv2d", x, (64, 3, 3, 32), 64, 2, 16))
    pooled = (batch, 8, 8, 64)
    y = m.op(f"tosa.max_pool2d {y[0]} {{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
             f"stride = array<i64: 2, 2>}} : ({shape_type(y[1])}) -> {shape_type(pooled)}", pooled)
    shape = m.op("tosa.const_shape {values = dense<[1, %d, 4096]> : tensor<3xindex>} : () -> "
                 "!tosa.shape<3>" % batch, (1,))
    flat = m.op(f"tosa.reshape {y[0]}, {shape[0]} : ({shape_type(pooled)}, !tosa.shape<3>) -> "
                f"{shape_type((1, batch, 4096))}", (1, batch, 4096))
    w = constant(1, 4096, 10)
    out = (1, batch, 10)
    return m.op(f"tosa.matmul {flat[0]}, {w[0]}, {zero[0]}, {zero[0]} : ({shape_type(flat[1])}, "
                f"{shape_type(w[1])}, tensor<1xf32>, tensor<1xf32>) -> {shape_type(out)}", out)


# The feed-forward half of a Qwen2-1.5B layer -------------------------------------------------


def qwen_mlp(m, batch, sequence, layers, width=1536, inner=8960):
    x = m.argument((batch * sequence, width) if m.flat else (batch, sequence, width))
    for _ in range(layers):
        one = m.scalar("1.000000e+00")
        gate = m.pointwise([linear(m, x, inner)], "arith.negf %in0 : f32", "math.exp %s0 : f32",
                           f"arith.addf %s1, {one[0]} : f32", "arith.divf %in0, %s2 : f32", "%s3")
        y = m.pointwise([gate, linear(m, x, inner)], "arith.mulf %in0, %in1 : f32", "%s0")
        x = m.pointwise([x, linear(m, y, width)], "arith.addf %in0, %in1 : f32", "%s0")
    return x


def in_bf16(text):
    """The module with tensors and arithmetic in bf16."""
    text = re.sub(r"\bf32\b|(?<=x)f32\b", "bf16", text)
    return text.replace("0xFF800000", "0xFF80")  # minus infinity


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=["resnet50", "bert", "qwen-mlp", "tosa-cnn"])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--seq", type=int, default=128)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--style", choices=["torch", "iree"], default="torch")
    parser.add_argument("--flat", action="store_true",
                        help="activations of transformers are [tokens, features]; with --style=iree")
    arguments = parser.parse_args()
    if arguments.flat and arguments.style != "iree":
        parser.error("--flat needs --style=iree")
    m = Module("torch" if arguments.network == "tosa-cnn" else arguments.style)
    m.flat = arguments.flat
    if arguments.network == "resnet50":
        result = resnet50(m, arguments.batch)
    elif arguments.network == "bert":
        result = bert(m, arguments.batch, arguments.seq, arguments.layers)
    elif arguments.network == "qwen-mlp":
        result = qwen_mlp(m, arguments.batch, arguments.seq, arguments.layers)
    else:
        result = tosa_cnn(m, arguments.batch)
    text = m.text(result)
    print(in_bf16(text) if arguments.dtype == "bf16" else text, end="")


if __name__ == "__main__":
    main()
