# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the programs of stages.test that have several ops.

stage_programs.py FOLDER

Each program is a function with a transform script @tile that tiles its last op to workgroups and fuses the
others into the loop; check_stages.py describes the other scripts.
"""

import os
import sys

ANY = "!transform.any_op"
SHARED = f'''  transform.named_sequence @launch(%root: {ANY}) {{
    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    %l = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : ({ANY}) -> {ANY}
    transform.yield
  }}
  transform.named_sequence @vectors(%root: {ANY}) {{
    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    %v = transform.structured.vectorize_children_and_apply_patterns %f {{fold_type_extensions_into_contract}} : ({ANY}) -> {ANY}
    transform.yield
  }}
'''
CLEAN = f'''    %func = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
    transform.apply_patterns to %func {{
      transform.apply_patterns.canonicalization
    }} : {ANY}
    transform.apply_cse to %func : {ANY}
'''
PRODUCT = ["%l = arith.extf %x0 : bf16 to f32", "%r = arith.extf %x1 : bf16 to f32",
           "%p = arith.mulf %l, %r : f32", "%w = arith.addf %o, %p : f32", "linalg.yield %w : f32"]
NARROW = ["%w = arith.truncf %x0 : f32 to bf16", "linalg.yield %w : bf16"]


def tensor(sizes, element):
    return f"tensor<{'x'.join(map(str, [*sizes, element]))}>"


def generic(name, loops, inputs, output, body):
    """An op named %name; inputs and output are (value, type, loops of its dimensions)."""
    def element(type):
        return type[:-1].split("x")[-1]

    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(own)})>" for _, _, own in [*inputs, output])
    kinds = ", ".join('"parallel"' if loop in output[2] else '"reduction"' for loop in loops)
    arguments = ", ".join([*(f"%x{i}: {element(type)}" for i, (_, type, _) in enumerate(inputs)),
                           f"%o: {element(output[1])}"])
    lines = "".join(f"      {line}\n" for line in body)
    return (f"    %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({', '.join(value for value, _, _ in inputs)} : {', '.join(type for _, type, _ in inputs)}) "
            f"outs({output[0]} : {output[1]}) attrs = {{{name}}} {{\n    ^bb0({arguments}):\n{lines}"
            f"    }} -> {output[1]}\n")


def fill(name, scalar, type):
    return (f"    %{name}_at = tensor.empty() : {type}\n"
            f"    %{name} = linalg.fill {{{name}}} ins({scalar} : f32) outs(%{name}_at : {type}) -> {type}\n")


def tile(last, sizes, fused):
    """Tiles the op `last`, and fuses the ops `fused` into the loop, users first."""
    used = len([size for size in sizes if size])
    mapping = ", ".join(f"#gpu.block<{axis}>" for axis in "zyx"[3 - used:])
    text = f'''    %op = transform.structured.match attributes {{{last}}} in %root : ({ANY}) -> {ANY}
    %tiled, %grid0 = transform.structured.tile_using_forall %op tile_sizes {list(sizes)} (mapping = [{mapping}]) : ({ANY}) -> ({ANY}, {ANY})
'''
    for i, name in enumerate(fused):
        text += f'''    %p{i} = transform.structured.match attributes {{{name}}} in %root : ({ANY}) -> {ANY}
    %f{i}, %grid{i + 1} = transform.structured.fuse_into_containing_op %p{i} into %grid{i} : ({ANY}, {ANY}) -> ({ANY}, {ANY})
'''
    return text


def step(names, sizes):
    """Loops over parts of a tile."""
    return "".join(f'''    %s{name} = transform.structured.match attributes {{{name}}} in %root : ({ANY}) -> {ANY}
    %t{name}, %l{name}{':' + str(loops) if (loops := len([s for s in sizes if s])) > 1 else ''} = transform.structured.tile_using_for %s{name} tile_sizes {list(sizes)} : ({ANY}) -> ({', '.join([ANY] * (loops + 1))})
''' for name in names)


def softmax_of(source, batch, rows, columns):
    loops = [f"b{i}" for i in range(len(batch))] + ["m", "n"]
    row, full = tensor([*batch, rows], "f32"), tensor([*batch, rows, columns], "f32")
    one, all = loops[:-1], loops
    return (f"    %least = arith.constant 0xFF800000 : f32\n    %zero = arith.constant 0.0 : f32\n"
            f"    %at = tensor.empty() : {full}\n" + fill("fmax", "%least", row) + fill("fsum", "%zero", row) +
            generic("max", loops, [(source, full, all)], ("%fmax", row, one),
                    ["%v = arith.maximumf %x0, %o : f32", "linalg.yield %v : f32"]) +
            generic("exp", loops, [(source, full, all), ("%max", row, one)], ("%at", full, all),
                    ["%d = arith.subf %x0, %x1 : f32", "%v = math.exp %d : f32", "linalg.yield %v : f32"]) +
            generic("sum", loops, [("%exp", full, all)], ("%fsum", row, one),
                    ["%v = arith.addf %x0, %o : f32", "linalg.yield %v : f32"]) +
            generic("soft", loops, [("%exp", full, all), ("%sum", row, one)], ("%at", full, all),
                    ["%v = arith.divf %x0, %x1 : f32", "linalg.yield %v : f32"]))


SOFTMAX = ["sum", "exp", "max", "fsum", "fmax"]


def softmax(rows, columns, tiled, chunk=None):
    type = tensor([rows, columns], "f32")
    return (f"  func.func @main(%a: {type}) -> {type} {{\n" + softmax_of("%a", [], rows, columns) +
            f"    return %soft : {type}\n  }}\n",
            tile("soft", [tiled], SOFTMAX) + CLEAN + (step(["max", "exp", "sum", "soft"], [0, chunk]) if chunk else ""))


def named_softmax(rows, columns, tiled):
    type = tensor([rows, columns], "f32")
    main = f'''  func.func @main(%a: {type}) -> {type} {{
    %e = tensor.empty() : {type}
    %s = linalg.softmax dimension(1) ins(%a : {type}) outs(%e : {type}) -> {type}
    return %s : {type}
  }}
'''
    match = f'    %op = transform.structured.match ops{{["linalg.softmax"]}} in %root : ({ANY}) -> {ANY}\n'
    lower = (f"  transform.named_sequence @lower(%root: {ANY}) {{\n{match}"
             f"    %d = transform.structured.decompose_interface %op : ({ANY}) -> {ANY}\n    transform.yield\n  }}\n")
    return (main, match + f"    %t, %grid = transform.structured.tile_using_forall %op tile_sizes [{tiled}] "
            f"(mapping = [#gpu.block<x>]) : ({ANY}) -> ({ANY}, {ANY})\n", lower)


def layer_norm(rows, columns, tiled):
    full, row, one = tensor([rows, columns], "bf16"), tensor([rows], "f32"), tensor([columns], "bf16")
    loops = ["m", "n"]
    main = f'''  func.func @main(%a: {full}, %g: {one}, %b: {one}) -> {full} {{
    %zero = arith.constant 0.0 : f32
    %count = arith.constant {float(columns)} : f32
    %eps = arith.constant 1.0e-5 : f32
    %ar = tensor.empty() : {row}
    %af = tensor.empty() : {full}
''' + fill("fs", "%zero", row) + fill("fv", "%zero", row)
    wide = "%w = arith.extf %x0 : bf16 to f32"
    main += generic("sum", loops, [("%a", full, loops)], ("%fs", row, ["m"]),
                    [wide, "%v = arith.addf %w, %o : f32", "linalg.yield %v : f32"])
    main += generic("mean", ["m"], [("%sum", row, ["m"])], ("%ar", row, ["m"]),
                    ["%v = arith.divf %x0, %count : f32", "linalg.yield %v : f32"])
    main += generic("var", loops, [("%a", full, loops), ("%mean", row, ["m"])], ("%fv", row, ["m"]),
                    [wide, "%c = arith.subf %w, %x1 : f32", "%q = arith.mulf %c, %c : f32",
                     "%v = arith.addf %q, %o : f32", "linalg.yield %v : f32"])
    main += generic("norm", loops, [("%a", full, loops), ("%mean", row, ["m"]), ("%var", row, ["m"]),
                                    ("%g", one, ["n"]), ("%b", one, ["n"])], ("%af", full, loops),
                    [wide, "%c = arith.subf %w, %x1 : f32", "%q = arith.divf %x2, %count : f32",
                     "%e = arith.addf %q, %eps : f32", "%i = math.rsqrt %e : f32", "%h = arith.mulf %c, %i : f32",
                     "%y = arith.extf %x3 : bf16 to f32", "%z = arith.extf %x4 : bf16 to f32",
                     "%k = arith.mulf %h, %y : f32", "%l = arith.addf %k, %z : f32",
                     "%v = arith.truncf %l : f32 to bf16", "linalg.yield %v : bf16"])
    return main + f"    return %norm : {full}\n  }}\n", tile("norm", [tiled], ["var", "mean", "sum", "fv", "fs"]) + CLEAN


def attention(batch, queries, keys, head, tiled):
    q, k = tensor([batch, queries, head], "bf16"), tensor([batch, keys, head], "bf16")
    scores, narrow = tensor([batch, queries, keys], "f32"), tensor([batch, queries, keys], "bf16")
    out = tensor([batch, queries, head], "f32")
    loops, three = ["b0", "m", "n", "k"], ["b0", "m", "n"]
    main = (f"  func.func @main(%Q: {q}, %K: {k}, %V: {k}, %out: {q}) -> {q} {{\n"
            f"    %none = arith.constant 0.0 : f32\n    %factor = arith.constant 0.125 : f32\n"
            f"    %as = tensor.empty() : {scores}\n    %an = tensor.empty() : {narrow}\n" +
            fill("fqk", "%none", scores) + fill("fpv", "%none", out))
    main += generic("qk", loops, [("%Q", q, ["b0", "m", "k"]), ("%K", k, ["b0", "n", "k"])], ("%fqk", scores, three), PRODUCT)
    main += generic("scale", three, [("%qk", scores, three)], ("%as", scores, three),
                    ["%w = arith.mulf %x0, %factor : f32", "linalg.yield %w : f32"])
    main += softmax_of("%scale", [batch], queries, keys)
    main += generic("cast", three, [("%soft", scores, three)], ("%an", narrow, three), NARROW)
    main += generic("pv", loops, [("%cast", narrow, ["b0", "m", "k"]), ("%V", k, ["b0", "k", "n"])], ("%fpv", out, three), PRODUCT)
    main += generic("res", three, [("%pv", out, three)], ("%out", q, three), NARROW)
    return main + f"    return %res : {q}\n  }}\n", tile(
        "res", [1, tiled], ["pv", "cast", "soft", "sum", "exp", "max", "scale", "qk", "fqk", "fpv", "fsum", "fmax"]) + CLEAN


def windows(op, element, stride, image, weights, out, sizes, steps, initial="0.0"):
    """A named convolution or pooling op; `weights` of a pooling op is its window."""
    i, w, o = tensor(image, element), tensor(weights, element), tensor(out, "f32")
    pools = "pooling" in op
    main = f"  func.func @main(%i: {i}{'' if pools else f', %w: {w}'}) -> {o} {{\n"
    main += f"    %w = tensor.empty() : {w}\n" if pools else ""
    main += f"    %start = arith.constant {initial} : f32\n" + fill("fill", "%start", o)
    main += (f"    %c = linalg.{op} {{conv, dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} "
             f"ins(%i, %w : {i}, {w}) outs(%fill : {o}) -> {o}\n    return %c : {o}\n  }}\n")
    return main, tile("conv", sizes, ["fill"]) + (step(["conv"], steps) if steps else "") + CLEAN


def unfolded(images, size, channels, filters, k_step):
    """The convolution as a product of columns that each CTA copies from the image."""
    main, _ = windows("conv_2d_nhwc_hwcf", "bf16", 1, [images, size + 2, size + 2, channels],
                      [3, 3, channels, filters], [images, size, size, filters], [1], None)
    return main, f'''    %op = transform.structured.match attributes {{conv}} in %root : ({ANY}) -> {ANY}
    %columns, %mm = transform.structured.convert_conv2d_to_img2col %op : ({ANY}) -> ({ANY}, {ANY})
    %product = transform.get_producer_of_operand %mm[0] : ({ANY}) -> {ANY}
    %tiled, %grid = transform.structured.tile_using_forall %product tile_sizes [1, 128, 128] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]) : ({ANY}) -> ({ANY}, {ANY})
    %c2, %grid2 = transform.structured.fuse_into_containing_op %columns into %grid : ({ANY}, {ANY}) -> ({ANY}, {ANY})
{CLEAN}    %fill = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}
    %f2, %grid3 = transform.structured.fuse_into_containing_op %fill into %grid2 : ({ANY}, {ANY}) -> ({ANY}, {ANY})
    %k, %l = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, {k_step}] : ({ANY}) -> ({ANY}, {ANY})
    %c3, %l2 = transform.structured.fuse_into_containing_op %c2 into %l : ({ANY}, {ANY}) -> ({ANY}, {ANY})
''' + CLEAN.replace("%func", "%again")


PROGRAMS = {
    "softmax": softmax(8192, 1024, 16),
    "softmax-columns": softmax(8192, 4096, 8, 512),
    "softmax-named": named_softmax(4096, 2048, 8),
    "layer-norm": layer_norm(8192, 2048, 8),
    "attention": attention(32, 1024, 1024, 64, 64),
    "convolution": windows("conv_2d_nhwc_hwcf", "bf16", 1, [32, 34, 34, 256], [3, 3, 256, 256], [32, 32, 32, 256],
                           [1, 4, 0, 128], [0, 0, 0, 0, 1, 1, 64]),
    "convolution-strided": windows("conv_2d_nhwc_hwcf", "bf16", 2, [16, 57, 57, 128], [3, 3, 128, 256],
                                   [16, 28, 28, 256], [1, 4, 0, 128], [0, 0, 0, 0, 1, 1, 64]),
    "convolution-pointwise": windows("conv_2d_nhwc_hwcf", "bf16", 1, [32, 28, 28, 256], [1, 1, 256, 512], [32, 28, 28, 512],
                                     [1, 4, 0, 128], [0, 0, 0, 0, 1, 1, 64]),
    "convolution-columns": unfolded(32, 32, 256, 256, 64),
    "depthwise": windows("depthwise_conv_2d_nhwc_hwc", "f32", 1, [32, 58, 58, 128], [3, 3, 128], [32, 56, 56, 128],
                         [1, 8, 0, 64], None),
    "pooling": windows("pooling_nhwc_max", "f32", 2, [32, 113, 113, 128], [3, 3], [32, 56, 56, 128],
                       [1, 8, 0, 64], None, "0xFF800000"),
}


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, (function, script, *others) in PROGRAMS.items():
        with open(os.path.join(sys.argv[1], name + ".mlir"), "w", encoding="utf-8") as file:
            file.write("module attributes {transform.with_named_sequence} {\n" + function +
                       f"  transform.named_sequence @tile(%root: {ANY}) {{\n{script}    transform.yield\n  }}\n" +
                       "".join(others) + SHARED + "}\n")


if __name__ == "__main__":
    main()
