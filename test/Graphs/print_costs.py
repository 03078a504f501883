#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the metadata that gpu-cost-opt has written into an ONNX file."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import wire  # noqa: E402


def print_nodes(data, message="model"):
    for field, kind, _, _, content in wire.records(data):
        inner = wire.NESTED[message].get(field) if kind == 2 else None
        if not inner:
            continue
        print_nodes(content, inner)
        if inner == "node":
            op = next(text for number, _, _, _, text in wire.records(content) if number == 4).decode()
            costs = wire.properties(content, "node")
            text = ", ".join(
                [
                    f"flops {costs['flops']}",
                    f"bytes {costs['bytes']}",
                    f"memory {costs['memory_bytes']}",
                    f"launches {costs['launches']}",
                    costs["kernels"],
                ]
                if costs
                else ["none"]
            )
            print(f"{op}: {text}")


file = pathlib.Path(sys.argv[1]).read_bytes()
for key, value in wire.properties(file).items():
    print(f"gpu-cost-opt.{key} = {value}")
print_nodes(file)
