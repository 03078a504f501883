#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles every product of three networks by predicted time and by predicted energy, with a stock mlir-opt.

  tile_by_cost.py --plugin build/lib/GpuCostPlugin.so [--mlir-opt mlir-opt-22] [--targets a100,h100]

For each network and GPU: products; ms of all of them in tiles of 128 x 128, in the tiles of
least time, and as the tiled module costs; mJ of the tiled module; then the same for
the tiles of least energy. Energies are predicted, no measurement of tiles' energy is at
hand. Nothing needs a GPU.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NETWORKS = {
    "bert-large": ["bert", "--batch=8", "--seq=128", "--layers=24", "--style=iree"],
    "resnet-50": ["resnet50", "--batch=32"],
    "qwen-mlp": ["qwen-mlp", "--batch=4", "--seq=512", "--layers=28", "--style=iree"],
}
TARGETS = "a100,h100,l40s,a10,b200"
SIZES = "16, 32, 64, 128, 256"
MS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
MJ = {"nJ": 1e-6, "uJ": 1e-3, "mJ": 1, "J": 1e3}
COST = re.compile(r"gpucost\.cost = #gpucost\.cost<coverage = (\w+), time = ([0-9.e-]+) (\w+),.*?"
                  r"energy = ([0-9.e-]+) (\w+),.*?mapping = \[")


def module(network, target):
    """The network in bf16, for a GPU."""
    text = subprocess.run([sys.executable, ROOT / "models" / "emit_linalg.py", *NETWORKS[network], "--dtype=bf16"],
                          check=True, capture_output=True, text=True).stdout
    return f'module attributes {{gpucost.scenario = #gpucost.scenario<target = "{target}-bf16">}} {{\n{text}}}\n'


def tiled(arguments, text, objective, sizes=SIZES):
    """(products, ms as picked, ms and mJ of the tiled module)."""
    script = (HERE / "tile.mlir").read_text()
    for name, value in (("OBJECTIVE", objective), ("ROWS", sizes), ("COLUMNS", sizes)):
        script = script.replace(name, value)
    path = pathlib.Path(arguments.scratch) / "tile.mlir"
    path.write_text(script)
    passes = f"transform-preload-library{{transform-library-paths={path}}},transform-interpreter,func.func(gpucost-annotate)"
    done = subprocess.run([arguments.mlir_opt, f"--load-dialect-plugin={arguments.plugin}",
                           f"--load-pass-plugin={arguments.plugin}", f"--pass-pipeline=builtin.module({passes})"],
                          input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"tile_by_cost.py: {arguments.mlir_opt} failed:\n{done.stderr[:2000]}")
    picked = [int(ns) for ns in re.findall(r"remark: ns (\d+)", done.stderr)]
    costs = COST.findall(done.stdout)
    bounds = sum(coverage != "modelled" for coverage, *_ in costs)
    if len(costs) != len(picked) or bounds:
        raise SystemExit(f"tile_by_cost.py: {len(picked)} products, {len(costs)} with a cost, {bounds} of them a bound")
    return (len(picked), sum(picked) * 1e-6, sum(float(time) * MS[unit] for _, time, unit, _, _ in costs),
            sum(float(energy) * MJ[unit] for *_, energy, unit in costs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True, type=pathlib.Path, help="GpuCostPlugin.so")
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--targets", default=TARGETS, help="comma-separated")
    parser.add_argument("--networks", default=",".join(NETWORKS), help="comma-separated")
    arguments = parser.parse_args()
    if unknown := set(arguments.networks.split(",")) - set(NETWORKS):
        parser.error(f"unknown network {', '.join(sorted(unknown))}; known: {', '.join(NETWORKS)}")
    if not arguments.plugin.is_file():
        parser.error(f"no such plugin: {arguments.plugin}")
    with tempfile.TemporaryDirectory() as arguments.scratch:
        print_table(arguments)


def print_table(arguments):
    print(f"{'network':12s} {'GPU':6s} {'products':>8s} {'128x128':>9s} {'by time':>9s} {'in IR':>9s} {'energy':>9s}"
          f" {'by energy':>10s} {'energy':>9s}")
    print(f"{'':12s} {'':6s} {'':>8s} {'ms':>9s} {'ms':>9s} {'ms':>9s} {'mJ':>9s} {'ms':>10s} {'mJ':>9s}")
    for network in arguments.networks.split(","):
        for target in arguments.targets.split(","):
            text = module(network, target)
            fixed = tiled(arguments, text, "time", "128")[2]
            count, picked, ms, mj = tiled(arguments, text, "time")
            _, _, slow, least = tiled(arguments, text, "energy")
            print(f"{network:12s} {target:6s} {count:8d} {fixed:9.3f} {picked:9.3f} {ms:9.3f} {mj:9.1f} {slow:10.3f} {least:9.1f}",
                  flush=True)


if __name__ == "__main__":
    main()
