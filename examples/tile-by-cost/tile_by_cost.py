#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles and fuses every matmul of three networks by predicted time and by predicted energy, with a stock mlir-opt.

  tile_by_cost.py --plugin build/lib/GpuCostPlugin.so [--mlir-opt mlir-opt-22] [--targets a100,h100]

For each network and GPU: the number of matmuls; their total ms with 128 x 128 tiles and with
the fastest tiles; then the whole forward pass, once with a kernel for each matmul and each op
after it, and once with epilogues fused into matmuls: ms and mJ; the savings; ms and mJ with
the tiles of least energy. Energies are predicted and not validated by measurements. Nothing
needs a GPU. Fails if the cost of the tiled module differs from the prediction for the tiles.
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
    "bert-large": ["bert", "--batch=8", "--seq=128", "--layers=24", "--style=iree", "--flat"],
    "resnet-50": ["resnet50", "--batch=32"],
    "qwen-mlp": ["qwen-mlp", "--batch=4", "--seq=512", "--layers=28", "--style=iree", "--flat"],
}
TARGETS = "a100,h100,l40s,a10,b200"
SIZES = "16, 32, 64, 128, 256"
MS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
MJ = {"nJ": 1e-6, "uJ": 1e-3, "mJ": 1, "J": 1e3}
COST = r"gpucost\.cost = #gpucost\.cost<runtime = \S+, coverage = (\w+), time = ([0-9.e-]+) (\w+),.*?energy = ([0-9.e-]+) (\w+),"
TILED, WHOLE = re.compile(COST + r".*?mapping = \["), re.compile(r"func\.func .*?" + COST)
AGREES = 1e-3  # remarks are whole nanoseconds


def module(network, target):
    """The network in bf16, for a GPU."""
    text = subprocess.run([sys.executable, ROOT / "models" / "emit_linalg.py", *NETWORKS[network], "--dtype=bf16"],
                          check=True, capture_output=True, text=True).stdout
    return f'module attributes {{gpucost.scenario = #gpucost.scenario<target = "{target}-bf16">}} {{\n{text}}}\n'


class Tiled:
    """The module `text` tiled: products, their ms, ms and mJ of the whole forward pass."""

    def __init__(self, arguments, text, objective, products="tile_products", sizes=SIZES):
        script = (HERE / "tile.mlir").read_text()
        for name, value in (("OBJECTIVE", objective), ("ROWS", sizes), ("COLUMNS", sizes)):
            script = script.replace(name, value)
        path = pathlib.Path(arguments.scratch) / "tile.mlir"
        path.write_text(script)
        steps = ",".join(f"transform-interpreter{{entry-point={name}}}"
                         for name in ("tile_convolutions", "tile_batches", products))
        passes = f"transform-preload-library{{transform-library-paths={path}}},{steps},func.func(gpucost-annotate)"
        done = subprocess.run([arguments.mlir_opt, f"--load-dialect-plugin={arguments.plugin}",
                               f"--load-pass-plugin={arguments.plugin}", f"--pass-pipeline=builtin.module({passes})",
                               # Else the messages that fuse_into_containing_op prepares verify the whole function.
                               "--mlir-print-assume-verified"],
                              input=text, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"tile_by_cost.py: {arguments.mlir_opt} failed:\n{done.stderr[:2000]}")
        picked = [int(ns) for ns in re.findall(r"remark: ns (\d+)", done.stderr)]
        costs = TILED.findall(done.stdout)
        bounds = sum(coverage != "modelled" for coverage, *_ in costs)
        if len(costs) != len(picked) or bounds:
            raise SystemExit(f"tile_by_cost.py: {len(picked)} products, {len(costs)} with a cost, {bounds} of them a bound")
        self.products, predicted = len(picked), sum(picked) * 1e-6
        self.products_ms = sum(float(time) * MS[unit] for _, time, unit, _, _ in costs)
        # A fixed tile may be larger than a matmul, which loops do not show.
        if sizes == SIZES and abs(self.products_ms / predicted - 1) > AGREES:
            raise SystemExit(f"tile_by_cost.py: the tiled module takes {self.products_ms:.3f} ms, predicted were {predicted:.3f}")
        _, time, unit, energy, energy_unit = WHOLE.search(done.stdout).groups()
        self.ms, self.mj = float(time) * MS[unit], float(energy) * MJ[energy_unit]


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
    print(f"{'':12s} {'':6s} {'':>8s} {'products, ms':>17s} {'forward pass':>19s} {'fused by time':>26s} {'fused by energy':>19s}")
    print(f"{'network':12s} {'GPU':6s} {'products':>8s} {'128x128':>8s} {'by time':>8s} {'ms':>9s} {'mJ':>9s}"
          f" {'ms':>9s} {'saved':>6s} {'mJ':>9s} {'ms':>9s} {'mJ':>9s}")
    for network in arguments.networks.split(","):
        for target in arguments.targets.split(","):
            text = module(network, target)
            fixed = Tiled(arguments, text, "time", sizes="128").products_ms
            apart = Tiled(arguments, text, "time")
            fused = Tiled(arguments, text, "time", "fuse_products")
            frugal = Tiled(arguments, text, "energy", "fuse_products")
            print(f"{network:12s} {target:6s} {apart.products:8d} {fixed:8.3f} {apart.products_ms:8.3f}"
                  f" {apart.ms:9.3f} {apart.mj:9.1f} {fused.ms:9.3f} {1 - fused.ms / apart.ms:6.1%} {fused.mj:9.1f}"
                  f" {frugal.ms:9.3f} {frugal.mj:9.1f}", flush=True)


if __name__ == "__main__":
    main()
