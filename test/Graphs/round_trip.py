#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Annotates ONNX models and checks that nothing but the annotations is new.

  round_trip.py --tool build/bin/gpu-cost-opt [--flags='--target=a100-fp32 ...'] [--min N] model.onnx...
  round_trip.py ... --backend=250     models of onnx.backend.test (PyPI: onnx)

For each model: without the entries of gpu-cost-opt the bytes equal the original; a second run
changes nothing; the times of the nodes add up to the times of the kernels that have a node. If
Python has the package onnx, onnx.checker accepts the output if it accepts the original, and its
parser keeps all original fields.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import wire  # noqa: E402

try:
    import onnx
except ImportError:
    onnx = None


class Fault(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Fault(message)


def run(tool, model, flags, output):
    done = subprocess.run([tool, model, *flags, "-o", output], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


def clear(message):
    """Removes the entries of gpu-cost-opt from an onnx.ModelProto."""
    own = wire.PREFIX.decode()

    def without(entries):
        kept = [entry for entry in entries if not entry.key.startswith(own)]
        del entries[:]
        entries.extend(kept)

    def visit(graph):
        for node in graph.node:
            without(node.metadata_props)
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    visit(attribute.g)
                for inner in attribute.graphs:
                    visit(inner)

    without(message.metadata_props)
    visit(message.graph)


def accepts(model):
    try:
        onnx.checker.check_model(str(model))
        return True
    except Exception:  # noqa: BLE001 - the checker has no class of its own for all that it finds
        return False


def check_package(model, annotated):
    if accepts(model):
        onnx.checker.check_model(str(annotated))
    old = onnx.load(str(model), load_external_data=False)
    new = onnx.load(str(annotated), load_external_data=False)
    clear(new)
    expect(
        old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True),
        "a field differs for the package onnx",
    )


def check(tool, model, flags, folder):
    """Number of nodes with costs; None for a model that the tool does not analyze."""
    first, second, report = (folder / name for name in ("first.onnx", "second.onnx", "report.json"))
    good, _ = run(tool, str(model), [*flags, "--emit=onnx"], str(first))
    if not good:
        return None
    original, annotated = model.read_bytes(), first.read_bytes()
    expect(wire.strip(annotated) == original, "bytes besides the annotations differ")
    good, why = run(tool, str(first), [*flags, "--emit=onnx"], str(second))
    expect(good, f"the annotated model is not analyzed: {why}")
    expect(second.read_bytes() == annotated, "a second run changes the file")
    totals = wire.properties(annotated)
    expect({"target", "time_ms", "energy_j", "peak_memory_bytes"} <= totals.keys(), "no totals")
    costs = [node for node in wire.nodes(annotated) if node]
    run(tool, str(model), [*flags, "--report=json"], str(report))
    kernels = json.loads(report.read_text())["kernels"]
    own = sum(k["total_us"] for k in kernels if k["phase"] in ("forward", "backward"))
    all_us = sum(k["total_us"] for k in kernels)
    got = sum(float(node["time_us"]) for node in costs)
    expect(own * (1 - 1e-5) - 1e-6 <= got <= all_us * (1 + 1e-5) + 1e-6, f"nodes {got} us, kernels {own} of {all_us} us")
    if onnx:
        check_package(model, first)
    return len(costs)


def backend_models(count, folder):
    """`count` models from the backend tests of ONNX, evenly spaced."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for case in collect_testcases(None) if case.model]
    models = []
    for case in cases[:: max(1, len(cases) // count)]:
        models.append(folder / f"{case.name}.onnx")
        models[-1].write_bytes(case.model.SerializeToString())
    return models


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--flags", default="--target=a100-fp32 --bind=*:4")
    parser.add_argument("--backend", type=int, default=0, metavar="N", help="N models of onnx.backend.test")
    parser.add_argument("--min", type=int, default=1, help="models that must be analyzed")
    options = parser.parse_args()
    done = costed = faults = 0
    with tempfile.TemporaryDirectory() as folder:
        models = options.models
        if options.backend:
            models = models + backend_models(options.backend, pathlib.Path(folder))
        for model in models:
            try:
                nodes = check(options.tool, model, options.flags.split(), pathlib.Path(folder))
            except Fault as fault:
                print(f"{model}: {fault}")
                faults += 1
                continue
            done += nodes is not None
            costed += nodes or 0
    print(
        f"{done} of {len(models)} models round-tripped, {costed} nodes with costs, {faults} faults"
        f"{'' if onnx else '; without the package onnx'}"
    )
    sys.exit(faults > 0 or done < options.min)


if __name__ == "__main__":
    main()
