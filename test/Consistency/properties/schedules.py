# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Query, tile, cost: a matmul that is tiled according to a schedule has the cost that a query of it predicts."""
import csv
import io
import json

from tool import Case

# Rows, columns, K. Ragged sizes leave rests of rows, columns and K steps.
SIZES = {"aligned": (1024, 2048, 512), "ragged": (1000, 1900, 500), "few rows": (100, 1900, 500)}
SPACES = {"bf16": ((16, 32, 64, 128, 256), (32, 64, 128, 256), (32, 64)),
          "f32": ((16, 32, 64, 128), (16, 32, 64, 128), (32,))}
TARGETS = [("a100-bf16", "bf16"), ("h100-bf16", "bf16"), ("l40s-bf16", "bf16"), ("a100-fp32", "f32")]
# Low enough for every kernel to keep the power limit.
CLOCK = "--clock=600"


class Nest:
    """A loop over CTAs with a K loop, as upstream tiles a product, before or after bufferization."""

    def __init__(self, kind, element, size, tile, number, others=()):
        self.kind, self.element, self.size, self.tile, self.number = kind, element, size, tile, number
        (rows, columns, depth), (m, n, _) = size, tile
        self.types = [f"{kind}<{x}x{y}x{element}>" for x, y in ((rows, depth), (depth, columns), (rows, columns))]
        # The loops do not show a tile that is larger than the rounded-up size, so the schedule states it.
        hidden = {name: edge for name, edge, whole in (("tile_m", m, rows), ("tile_n", n, columns))
                  if edge >= 2 * whole}
        self.stated = ", ".join(f"{name} = {value}" for name, value in (*hidden.items(), *others))

    def extent(self, name, counter, axis):
        """The ops that compute the extent of a tile, and the extent: a number if all tiles are full."""
        tile, whole = self.tile[axis], self.size[axis]
        if tile >= whole or whole % tile == 0:
            return "", min(tile, whole)
        return f"{name} = affine.min affine_map<(d0) -> (-d0 + {whole}, {tile})>({counter})\n", name

    def slice(self, name, source, offsets, sizes, shape, stride):
        dims = "x".join("?" if isinstance(size, str) else str(size) for size in sizes)
        op, result = "tensor.extract_slice", f"tensor<{dims}x{self.element}>"
        if self.kind == "memref":
            op, result = "memref.subview", f"memref<{dims}x{self.element}, strided<[{stride}, 1], offset: ?>>"
        return (f"{name} = {op} {source}[{', '.join(offsets)}] [{', '.join(map(str, sizes))}] [1, 1] : {shape} to "
                f"{result}\n"), result

    def __str__(self):
        (rows, columns, depth), (m, n, k) = self.size, self.tile
        tensor = self.kind == "tensor"
        result = "%out" if tensor else f"%c{self.number}"
        above, height = self.extent("%height", "%i", 0)
        more, width = self.extent("%width", "%j", 1)
        of_step, step = self.extent("%step", "%k", 2)
        out, out_type = self.slice("%so", result, ["%i", "%j"], [height, width], self.types[2], columns)
        a, a_type = self.slice("%sa", "%a", ["%i", "%k"], [height, step], self.types[0], depth)
        b, b_type = self.slice("%sb", "%b", ["%k", "%j"], [step, width], self.types[1], columns)
        attribute = f" {{gpucost.schedule = #gpucost.schedule<{self.stated}>}}" if self.stated else ""
        product = f"linalg.matmul{attribute} ins(%sa, %sb : {a_type}, {b_type}) outs"
        fill = f"linalg.fill ins(%zero : {self.element}) outs(%so : {out_type})"
        loop = f"scf.for %k = %first to %depth step %by{k}"
        ranges = f"scf.forall (%i, %j) = (0, 0) to ({rows}, {columns}) step ({m}, {n})"
        end = f'{{mapping = [#gpu.block<y>, #gpu.block<x>]}} loc("{m}x{n}x{k}")\n'
        if tensor:
            return (f"%r{self.number} = {ranges} shared_outs(%out = %c{self.number}) -> ({self.types[2]}) {{\n"
                    f"{above}{more}{out}%f = {fill} -> {out_type}\n"
                    f"%p = {loop} iter_args(%acc = %f) -> ({out_type}) {{\n{of_step}{a}{b}"
                    f"%m = {product}(%acc : {out_type}) -> {out_type}\nscf.yield %m : {out_type}\n}}\n"
                    f"scf.forall.in_parallel {{\ntensor.parallel_insert_slice %p into %out[%i, %j] "
                    f"[{height}, {width}] [1, 1] : {out_type} into {self.types[2]}\n}}\n}} {end}")
        return (f"{ranges} {{\n{above}{more}{out}{fill}\n{loop} {{\n{of_step}{a}{b}{product}(%so : {out_type})\n}}\n"
                f"memref.copy %so, %so : {out_type} to {out_type}\n}} {end}")


def module(kind, element, size, tiles, others=()):
    """A function with one nest for each of `tiles`; the schedules also state `others`."""
    nests = [Nest(kind, element, size, tile, number, others) for number, tile in enumerate(tiles)]
    a, b, c = nests[0].types
    outs = ", ".join(f"%c{nest.number}: {c}" for nest in nests)
    steps = "".join(f"%by{k} = arith.constant {k} : index\n" for k in sorted({k for _, _, k in tiles}))
    results, end = "", "return"
    if kind == "tensor":
        results = f" -> ({', '.join(c for _ in nests)})"
        end = f"return {', '.join(f'%r{nest.number}' for nest in nests)} : {', '.join(c for _ in nests)}"
    return (f"func.func @main(%a: {a}, %b: {b}, {outs}){results} {{\n%first = arith.constant 0 : index\n"
            f"%depth = arith.constant {size[2]} : index\n{steps}%zero = arith.constant 0.0 : {element}\n"
            f"{''.join(map(str, nests))}{end}\n}}\n")


def feasible(tool, target, size):
    """Rows, columns and K step of all schedules that can run."""
    rows, columns, depth = size
    text = tool.run(f"--kernel=matmul m={rows} n={columns} k={depth} split_k=1 top=100000", f"--target={target}",
                    "--report=csv")
    schedules = [dict(field.split("=") for field in row["schedule"].split())
                 for row in csv.DictReader(io.StringIO(text))]
    return sorted({tuple(int(s[name]) for name in ("tile_m", "tile_n", "tile_k")) for s in schedules})


def query(tool, target, size, tiles, *flags, others=()):
    """Rows, columns and K step of a tile -> the query's result; `others` are further fields of the schedules."""
    rows, columns, depth = size
    names, values = ("".join(f",{each[i]}" for each in others) for i in (0, 1))
    text = f"family,m,n,k,tile_m,tile_n,tile_k,split_k{names}\n" + "".join(
        f"matmul,{rows},{columns},{depth},{m},{n},{k},1{values}\n" for m, n, k in tiles)
    answers = json.loads(tool.run("--kernels=-", "--report=json", f"--target={target}", *flags, stdin=text))
    return dict(zip(tiles, answers))


def cases(tool):
    for target, element in TARGETS:
        edges = SPACES[element]
        space = [(m, n, k) for m in edges[0] for n in edges[1] for k in edges[2]]
        for name, size in SIZES.items():
            answers = query(tool, target, size, feasible(tool, target, size), CLOCK)
            for kind in ("tensor", "memref"):
                yield compare_space(tool, target, kind, element, size, space, answers, name)
        for kind in ("tensor", "memref"):
            yield compare_one(tool, target, kind, element)
            yield compare_one(tool, target, kind, element, (("warps", 8), ("stages", 2)))


def compare_space(tool, target, kind, element, size, space, answers, name):
    """Times of all tiles; tiles that the query rejects have a bound and the reason."""
    case = Case(f"{target} {kind} {name}")
    report = tool_report(tool, module(kind, element, size, space), target, CLOCK)
    rows = {tuple(map(int, row["name"].split("x"))): row for row in report["kernels"]}
    case.require("nests", sorted(rows) == sorted(space), f"{len(rows)} of {len(space)}")
    infeasible = 0
    for tile, row in rows.items():
        modelled = row["coverage"] == "modelled"
        case.require("feasible", modelled == (tile in answers), f"{tile}: {row['coverage']}")
        infeasible += not modelled
        if modelled and tile in answers:
            case.require_equal("time_us", answers[tile]["time_us"], row["time_us"])
            case.require_equal("tile", f"{tile[0]}x{tile[1]}", row["tile"])
    reasons = [entry["reason"] for entry in report["coverage"]["fallback"]["list"]] if infeasible else []
    case.require("reason", all(reason.startswith("infeasible schedule: ") for reason in reasons), str(reasons))
    return case


def compare_one(tool, target, kind, element, others=()):
    """All fields of a query's result, at the operating point of only this kernel."""
    size, tile = (4096, 4000, 2048), (128, 128, 32)
    case = Case(" ".join([target, kind, "alone", *(f"{name}={value}" for name, value in others)]))
    answer = query(tool, target, size, [tile], others=others)[tile]
    report = tool_report(tool, module(kind, element, size, [tile], others), target)
    (row,) = report["kernels"]
    for field in ("time_us", "power_w", "energy_j", "tile", "split_k", "waves", "bound", "in_calibrated_domain",
                  "time_low_us", "time_high_us"):
        case.require_equal(field, answer[field], row[field])
    return case


def tool_report(tool, text, target, *flags):
    return json.loads(tool.run("-", f"--target={target}", "--precision-mode=as-is", "--runtime=cudagraph",
                               "--report=json", *flags, stdin=text))
