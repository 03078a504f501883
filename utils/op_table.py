#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/SupportedOps.md from the TableGen definitions of the onnx dialect.

usage: op_table.py            writes the page
       op_table.py --print    prints it
"""
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "include/gpucost/Dialect/Onnx/IR"
PAGE = ROOT / "docs/SupportedOps.md"
LLVM = "/usr/lib/llvm-22"

# What a cost class counts; {f} and {s} are FLOPs and special results per element.
FORMULAS = {
    "Metadata": "nothing: launches no kernel",
    "View": "nothing, or a copy where strides cannot express it",
    "Elementwise": "{f} per result",
    "Reduction": "{f} per operand element",
    "RowNormalization": "{f} per element, rows read twice",
    "Contraction": "2 m n k",
    "Convolution": "2 x results x channels / group x taps",
    "Pooling": "{f} per result and tap",
    "DataMovement": "0; bytes in and out",
    "Gather": "0; only the gathered bytes of operand 0",
    "Attention": "2 x scores x (head size + value size), 5 per score",
    "Opaque": "bytes alone, a lower bound",
}

# Operators whose graphs or types the importer resolves itself.
STRUCTURE = {
    "If": "a constant condition chooses the branch; else the more expensive one",
    "Loop": "trips x body", "Scan": "length of the axis x body", "SequenceMap": "length x body",
    "SequenceConstruct": "types only", "SequenceEmpty": "types only",
    "SequenceInsert": "types only", "SequenceErase": "types only", "SequenceAt": "types only",
    "SequenceLength": "types only", "SplitToSequence": "types only",
    "ConcatFromSequence": "bytes in and out", "Optional": "types only",
    "OptionalGetElement": "types only", "OptionalHasElement": "types only",
}

# Ops that no file contains: what passes make.
OWN_NOTE = "made by passes"


def read_records():
    tool = shutil.which("llvm-tblgen-22") or f"{LLVM}/bin/llvm-tblgen"
    include = LLVM + "/include"
    files = sorted(FOLDER.glob("Onnx*Ops.td"))
    source = "".join(f'include "gpucost/Dialect/Onnx/IR/{path.name}"\n'
                     for path in [*files, FOLDER / "OnnxOperators.td"])
    result = subprocess.run([tool, "-dump-json", f"-I{ROOT / 'include'}", f"-I{include}", "-"],
                            input=source, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"op_table: {result.stderr}")
    return json.loads(result.stdout)


def read_ops(records):
    """Name in the dialect -> record of the op."""
    return {records[name]["opName"]: records[name]
            for name in records["!instanceof"]["Onnx_Op"]}


def read_operators(records):
    """(domain, name) -> versions, of the standard."""
    return {(records[name]["domain"], records[name]["name"]): records[name]["versions"]
            for name in records["!instanceof"]["Onnx_Operator"]}


def formula(op):
    if op["formula"]:
        return op["formula"]
    flops, special = op["flops"], op["special"]
    count = f"{flops} FLOP" + (f" and {special} special" if special else "")
    return FORMULAS[op["shape"]].format(f=count)


def own_ops():
    """Names that the importer refuses: ops that passes make."""
    text = (ROOT / "lib/Import/Onnx/Domains.cpp").read_text()
    listed = text[text.index("ownOps[] = {"):]
    return {part.strip().strip('"') for part in
            listed[listed.index("{") + 1:listed.index("}")].split(",")}


def missing_operators(records):
    ops, operators = read_ops(records), read_operators(records)
    return [f"{domain}::{name}" for domain, name in operators
            if name not in ops and name not in STRUCTURE]


def table(rows):
    return "\n".join(["| operator | opsets | cost class | counts |", "|---|---|---|---|"] +
                     [f"| {' | '.join(row)} |" for row in sorted(rows)])


def build_page(records):
    ops, operators = read_ops(records), read_operators(records)
    own = own_ops()
    standard, contrib, opaque, made, structure = [], [], [], [], []
    for (domain, name), versions in operators.items():
        prefix = "" if domain == "ai.onnx" else domain + "::"
        opsets = ", ".join(map(str, versions))
        if name in STRUCTURE:
            structure.append((name, opsets, "structure", STRUCTURE[name]))
        elif name in ops:
            op = ops[name]
            row = (prefix + name, opsets, op["shape"].lower(), formula(op))
            (opaque if op["shape"] == "Opaque" else standard).append(row)
    known = {name for _, name in operators}
    for name, op in ops.items():
        if name in known:
            continue
        row = (name.replace("Contrib", "com.microsoft::", 1) if name.startswith("Contrib") else name,
               "-", op["shape"].lower(), formula(op))
        if name in own:
            made.append(row)
        elif op["shape"] == "Opaque":
            opaque.append(row)
        else:
            contrib.append(row)
    return f"""<!-- Generated by utils/op_table.py; do not edit. -->
# Supported operators

What each operator costs, from the TableGen definitions in `include/gpucost/Dialect/Onnx/IR`. FLOP = 2 per
multiply-add; "special" are results of the special-function unit. Bytes are those of every operand and result once,
unless the formula says otherwise. Opsets are the versions of the domain that defined or changed the operator: all of
them are accepted, the older forms (attributes instead of inputs) as well as the newer ones.

## Standard operators

{table(standard)}

## Control flow, sequences, optionals

{table(structure)}

## Operators of com.microsoft and other domains

{table(contrib)}

## Deliberately opaque

Strings, image files, classical machine learning and generation loops run on the host; several gradient operators
are split into kernels by `gpucost-recompose`. An op that stays opaque is charged its
memory traffic as a lower bound and listed in the coverage report.

{table(opaque)}

## Made by passes

No file contains these ops; passes create them for kernels that a framework launches.

{table(made)}
"""


def main():
    page = build_page(read_records())
    if sys.argv[1:] == ["--print"]:
        print(page, end="")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
