# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of a tile of a matmul is the time of the loops that upstream's transform ops make with it.

check_schedules.py MLIR_OPT PLUGIN FILE...

For the matmuls of files of real front ends, GPUs and drawn tiles: pick_tile predicts the time of the tile, tile_using_forall and
tile_using_for tile the op, estimate prices the loops. Prints pairs that are more than 2 % apart, and the number of pairs.
"""
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

TOLERANCE = 0.02
TARGETS = ["a100-bf16", "h100-bf16", "l40s-bf16"]
DRAWS = 12
ANY, PARAM = "!transform.any_op", "!transform.param<i64>"
PRODUCT = re.compile(r"(linalg\.(?:batch_)?matmul)\b.*? ins\(%\S+, %\S+ : tensor<(\S+)>, tensor<\S+>\) "
                     r"outs\(%\S+ : tensor<(\S+)>\)")
REMARK = re.compile(r"remark: (predicted|tiled)(\d+) (\d+) : i64")


def sizes(text):
    return [int(size) for size in text.split("x")[:-1]]


def products(tool, path):
    """(op, rows, columns, depth) of each matmul, in order."""
    text = subprocess.run([tool, "--allow-unregistered-dialect", path], capture_output=True, text=True, check=True).stdout
    return [(op, *sizes(result)[-2:], sizes(left)[-1]) for op, left, result in PRODUCT.findall(text)]


def script(drawn):
    """Prices and tiles each matmul with its tile: (number, op, rows, columns, depth)."""
    found = [f'    %all = transform.structured.match ops{{["linalg.matmul", "linalg.batch_matmul"]}} in %root : ({ANY}) -> {ANY}']
    count = len(drawn)
    each = "%each" if count == 1 else f"%each:{count}"
    found.append(f"    {each} = transform.split_handle %all : ({ANY}) -> ({', '.join([ANY] * count)})")
    for i, (op, m, n, k) in enumerate(drawn):
        product = "%each" if count == 1 else f"%each#{i}"
        batch, axes = ("1, ", "#gpu.block<z>, ") if "batch" in op else ("", "")
        zeros = "0, 0, 0" if batch else "0, 0"
        depths = f" x [{k}]" if k else ""
        found.append(f'''    %m{i}, %n{i}, %k{i}, %ns{i} = transform.gpucost.pick_tile {product} from [{m}] x [{n}]{depths} : ({ANY}) -> ({PARAM}, {PARAM}, {PARAM}, {PARAM})
    transform.debug.emit_param_as_remark %ns{i}, "predicted{i}" : {PARAM}
    %t{i}, %grid{i} = transform.structured.tile_using_forall {product} tile_sizes [{batch}{m}, {n}] (mapping = [{axes}#gpu.block<y>, #gpu.block<x>]) : ({ANY}) -> ({ANY}, {ANY})
    %c{i} = transform.gpucost.estimate %grid{i} : ({ANY}) -> {PARAM}
    transform.debug.emit_param_as_remark %c{i}, "tiled{i}" : {PARAM}''')
        if k:
            found[-1] = found[-1].replace(f"    %c{i} =", f"    %s{i}, %loop{i} = transform.structured.tile_using_for %t{i} "
                                          f"tile_sizes [{zeros}, {k}] : ({ANY}) -> ({ANY}, {ANY})\n    %c{i} =")
    return ("module attributes {transform.with_named_sequence} {\n"
            f"  transform.named_sequence @__transform_main(%root: {ANY} {{transform.consumed}}) {{\n" + "\n".join(found) +
            "\n    transform.yield\n  }\n}\n")


def run(tool, plugin, path, target, drawn):
    """(matmul, tile, predicted ns, ns of the loops)."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(script(drawn))
        file.flush()
        done = subprocess.run(
            [tool, f"--load-dialect-plugin={plugin}", f"--load-pass-plugin={plugin}", "--allow-unregistered-dialect",
             f"--pass-pipeline=builtin.module(transform-preload-library{{transform-library-paths={file.name}}},"
             f"gpucost-set-target{{target={target}}},transform-interpreter)", path, "-o", os.devnull],
            capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}, {target}: {done.stderr[:2000]}")
    times = {"predicted": {}, "tiled": {}}
    for kind, number, ns in REMARK.findall(done.stderr):
        times[kind][int(number)] = int(ns)
    return [(i, tile, times["predicted"][i], times["tiled"][i]) for i, tile in enumerate(drawn)]


def main():
    tool, plugin, *files = sys.argv[1:]
    rng = random.Random(1)
    jobs = []
    for path in files:
        found = products(tool, path)
        for target in TARGETS:
            for _ in range(DRAWS):
                # A tile that is larger than the matmul has no loops; without a loop over K, its step is open.
                def choose(most, otherwise):
                    return rng.choice([each for each in (16, 32, 64, 128) if each <= most] or [otherwise])

                jobs.append((path, target, [(op, choose(m, 16), choose(n, 16), choose(min(64, k - 1), 0)) for op, m, n, k in found]))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: run(tool, plugin, *job), jobs))
    pairs = apart = 0
    for (path, target, _), result in zip(jobs, results):
        for number, tile, predicted, tiled in result:
            pairs += 1
            if not tiled or abs(predicted / tiled - 1) > TOLERANCE:
                apart += 1
                print(f"{os.path.basename(path)}, matmul {number} on {target}, {tile}: predicted {predicted} ns, loops {tiled} ns")
    print(f"{pairs} pairs, {apart} apart")


if __name__ == "__main__":
    main()
