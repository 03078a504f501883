#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The predicted time of each dispatch that IREE forms, and of the tiles that IREE chooses for its matmuls.

  dispatches.py model.mlir --plugin build/lib/GpuCostPlugin.so --tool build/bin/gpu-cost-opt [--iree-compile iree-compile]

model.mlir is linalg on tensors, as torch-mlir writes it. `iree-compile` comes from the Python package
iree-base-compiler; nothing needs a GPU. Two runs of it stop after the creation of dispatches and after the choice of
tiles; `--dispatches` and `--configurations` read files that these runs wrote:

  iree-compile FLAGS --compile-to=dispatch-creation --mlir-print-op-generic model.mlir
  iree-compile FLAGS --compile-to=executable-configurations model.mlir

The rank of a tile is its place among the candidates of the model, by predicted time. Nothing was measured.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REMARK = re.compile(r"^(\S+): remark: dispatch (\d+) : i64.*?^\1: remark: status \"(\w+)\"", re.M | re.S)
CONFIGURATION = re.compile(r"linalg\.generic .*?ins\(%\S+, %\S+ : tensor<([\dx]+)x\w+>, tensor<([\dx]+)x\w+>\) "
                           r"outs\(%\S+ : tensor<([\dx]+)x\w+>\).*?lowering_config = #iree_gpu\.lowering_config<\{(.*?)\}>")
WORKGROUP_SIZE = re.compile(r"workgroup_size = \[(\d+), (\d+), (\d+)\] subgroup_size = (\d+)")
MOST = 100000


def run(*command, stdin=None):
    done = subprocess.run([str(part) for part in command], input=stdin, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{pathlib.Path(str(command[0])).name}: exit {done.returncode}\n{done.stderr[:2000]}")
    return done.stdout + done.stderr


def elements(shape):
    return math.prod(int(size) for size in shape.split("x"))


def tiles(text):
    """The matmuls with their sizes, and the schedule that IREE chose."""
    found = []
    sizes = [(match.start(), [int(number) for number in match.groups()]) for match in WORKGROUP_SIZE.finditer(text)]
    for match in CONFIGURATION.finditer(text):
        a, b, c, config = match.groups()
        m, n = (int(size) for size in c.split("x"))
        k = math.isqrt(elements(a) * elements(b) // elements(c))
        lists = {name: [int(size) for size in values.split(", ")]
                 for name, values in re.findall(r"(\w+) = \[([\d, ]+)\]", config)}
        depth = re.search(r"mma_layout<\w+?_\d+x\d+x(\d+)_", config)
        # The sizes are attributes of the function around the matmul; other dispatches have sizes, too.
        x, y, z, subgroup = [size for start, size in sizes if start < match.start()][-1]
        schedule = {"tile_m": lists["workgroup"][0], "tile_n": lists["workgroup"][1],
                    "tile_k": lists["reduction"][2] * int(depth[1] if depth else 1), "split_k": 1, "stages": 2,
                    "subgroups": x * y * z // subgroup}
        found.append(({"m": m, "n": n, "k": k}, schedule))
    return found


def rank(tool, target, problem, schedule):
    """Time of `schedule`, the best schedule, its time, and the place of `schedule` among the candidates."""
    text = " ".join(f"{name}={value}" for name, value in problem.items())

    def query(fields):
        return json.loads(run(tool, f"--target={target}", "--report=json", f"--kernel=matmul {text} {fields}"))
    (own,) = query(" ".join(f"{name}={value}" for name, value in schedule.items()))
    candidates = query(f"top={MOST}")
    place = 1 + sum(each["time_us"] < own["time_us"] for each in candidates)
    return own["time_us"], candidates[0], place, len(candidates)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=pathlib.Path)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--iree-compile", default="iree-compile")
    parser.add_argument("--target", default="a100-bf16")
    parser.add_argument("--chip", default="sm_80", help="the chip of the target, for IREE")
    parser.add_argument("--dispatches", type=pathlib.Path, help="in place of the first run of iree-compile")
    parser.add_argument("--configurations", type=pathlib.Path, help="in place of the second run")
    arguments = parser.parse_args()
    if not arguments.plugin.exists():
        parser.error(f"{arguments.plugin}: no such plugin")
    if not arguments.model and not (arguments.dispatches and arguments.configurations):
        parser.error("expected a model, or --dispatches and --configurations")

    def compiled(phase, *flags):
        return run(arguments.iree_compile, arguments.model, "--iree-input-type=none", "--iree-hal-target-device=cuda",
                   f"--iree-cuda-target={arguments.chip}", f"--compile-to={phase}", *flags)
    with tempfile.TemporaryDirectory() as scratch:
        path = arguments.dispatches
        if not path:
            path = pathlib.Path(scratch) / "dispatches.mlir"
            path.write_text(compiled("dispatch-creation", "--mlir-print-op-generic"))
        passes = (f"transform-preload-library{{transform-library-paths={HERE / 'dispatches.mlir'}}},"
                  f"gpucost-set-target{{target={arguments.target}}},transform-interpreter")
        remarks = run(arguments.mlir_opt, "--allow-unregistered-dialect", f"--load-dialect-plugin={arguments.plugin}",
                      f"--load-pass-plugin={arguments.plugin}", f"--pass-pipeline=builtin.module({passes})", path,
                      "-o", "/dev/null")
    found = REMARK.findall(remarks)
    if not found:
        sys.exit("no dispatch with linalg ops")
    print("dispatch        us  status")
    for number, (_, nanoseconds, status) in enumerate(found):
        print(f"{number:>8} {int(nanoseconds) * 1e-3:>9.2f}  {status}")
    print(f"   total {sum(int(nanoseconds) for _, nanoseconds, _ in found) * 1e-3:>9.2f}")
    text = arguments.configurations.read_text() if arguments.configurations else compiled("executable-configurations")
    print("\nmatmul                tile of IREE        us  place      best tile          us")
    for problem, schedule in tiles(text):
        own, best, place, count = rank(arguments.tool, arguments.target, problem, schedule)
        shape = "x".join(str(problem[name]) for name in "mnk")
        tile = "x".join(str(schedule[f"tile_{name}"]) for name in "mnk")
        chosen = "x".join(str(best["schedule"][f"tile_{name}"]) for name in "mnk")
        if best["schedule"]["split_k"] > 1:
            chosen += f" split {best['schedule']['split_k']}"
        print(f"{shape:<20} {tile:>13} {own:>9.2f}  {place:>3} of {count:<4} {chosen:<17} {best['time_us']:>7.2f}")


if __name__ == "__main__":
    main()
