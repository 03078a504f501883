#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool over every ONNX file below some folders and reports its coverage.

usage: survey_models.py FOLDER... [--tool gpu-cost-opt] [--check-outputs]

The table counts, by opset of the default domain: files, exit codes 0, values, values
with a fully known shape, and files without a fallback op. The lists contain the
fallback ops with reasons, and the errors. Symbolic dimensions are bound from the
file's first test input, or to `--symbol`.

--check-outputs compares the inferred types and shapes of graph outputs with the files
test_data_set_0/output_*.pb next to a model, as in conformance suites. For this, the
declared types are removed from the file, and small inputs become constants, so that
shapes that depend on them can be inferred.

It does not require packages: it decodes the few protobuf fields that it reads.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Inputs of at most this many bytes become constants under --check-outputs.
MAX_CONSTANT_BYTES = 4096

# TensorProto.DataType to the element types that the tool prints.
ELEMENT_TYPES = {
    1: "f32", 2: "ui8", 3: "i8", 4: "ui16", 5: "i16", 6: "i32", 7: "i64",
    8: "!onnx.string", 9: "i1", 10: "f16", 11: "f64", 12: "ui32", 13: "ui64",
    14: "complex<f32>", 15: "complex<f64>", 16: "bf16", 17: "f8E4M3FN",
    18: "f8E4M3FNUZ", 19: "f8E5M2", 20: "f8E5M2FNUZ", 21: "ui4", 22: "i4",
    23: "f4E2M1FN", 24: "f8E8M0FNU", 25: "ui2", 26: "i2"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value, start, end) of each field; bytes for length-delimited ones."""
    at = 0
    while at < len(data):
        start = at
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"wire type {kind}")
        if at > len(data):
            raise ValueError("truncated message")
        yield key >> 3, value, start, at


def first(data, number, default=None):
    return next((value for n, value, _, _ in fields(data) if n == number), default)


def every(data, number):
    return [value for n, value, _, _ in fields(data) if n == number]


def encode(number, payload):
    def base128(value):
        out = bytearray()
        while True:
            out.append(value & 127 | (128 if value > 127 else 0))
            value >>= 7
            if not value:
                return bytes(out)
    return base128(number << 3 | 2) + base128(len(payload)) + payload


def text(data):
    return bytes(data).decode("utf-8", "replace")


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def tensor_dims(tensor):
    """Dimensions of a TensorProto, packed or not."""
    dims = []
    for number, value, _, _ in fields(tensor):
        if number != 1:
            continue
        if isinstance(value, int):
            dims.append(signed(value))
        else:
            at = 0
            while at < len(value):
                dim, at = varint(value, at)
                dims.append(signed(dim))
    return dims


class Model:
    """The parts of a ModelProto that the survey uses."""

    def __init__(self, data):
        self.data = data
        self.graph = first(data, 7, b"")
        versions = {}
        for opset in every(data, 8):
            versions[text(first(opset, 1, b""))] = first(opset, 2, 0)
        self.opset = versions.get("", versions.get("ai.onnx", 0))
        self.inputs = every(self.graph, 11)
        self.outputs = [text(first(info, 1, b"")) for info in every(self.graph, 12)]

    def dim_names(self, info):
        """(index, dim_param) of each named dimension in one input."""
        tensor = first(first(info, 2, b""), 1, b"")
        shape = first(tensor, 2, b"")
        for index, dim in enumerate(every(shape, 1)):
            name = first(dim, 2)
            if name:
                yield index, text(name)

    def without_declarations(self, constants):
        """The file without declared result types, with some inputs as constants."""
        graph = bytearray()
        for number, value, start, end in fields(self.graph):
            if number == 13:
                continue
            if number == 12:
                graph += encode(12, encode(1, first(value, 1, b"")))
            else:
                graph += self.graph[start:end]
        for tensor in constants:
            graph += encode(5, tensor)
        model = bytearray()
        for number, value, start, end in fields(self.data):
            model += encode(7, bytes(graph)) if number == 7 else self.data[start:end]
        return bytes(model)


def read_data(folder, kind, count):
    """The test tensors of `kind`; None without a file or a tensor."""
    tensors = []
    for index in range(count):
        path = folder / f"{kind}_{index}.pb"
        tensors.append(path.read_bytes() if path.is_file() else None)
    return tensors


def run(arguments, timeout):
    try:
        result = subprocess.run(arguments, capture_output=True, timeout=timeout)
        return result.returncode, result.stdout, result.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return "timeout", b"", ""


def is_known(entry):
    """True if the shape is known; sequences have no shape and count as known."""
    shape = entry["shape"]
    if shape is None:
        return entry["type"].startswith("!onnx.sequence")
    return None not in shape


def is_tensor(info):
    return first(first(info, 2, b""), 1) is not None


def is_constant(info, data):
    """Whether --check-outputs makes a constant of an input."""
    return data is not None and is_tensor(info) and len(data) <= MAX_CONSTANT_BYTES


def bindings_of(model, inputs, symbol, constants=False):
    """--bind for the dimensions of inputs with data; not for those of constants."""
    bound = {}
    for info, data in zip(model.inputs, inputs):
        if data is None or not is_tensor(info) or constants and is_constant(info, data):
            continue
        dims = tensor_dims(data)
        for index, name in model.dim_names(info):
            if index < len(dims) and dims[index] > 0 and re.fullmatch(r"\w+", name):
                bound.setdefault(name, dims[index])
    bound["*"] = symbol
    return "--bind=" + ",".join(f"{name}:{size}" for name, size in bound.items())


def compare_outputs(model, folder, inputs, options):
    """(equal, unknown, list of differences) for one file's outputs."""
    constants = []
    for info, data in zip(model.inputs, inputs):
        if not is_constant(info, data):
            continue
        kept = b"".join(bytes(data[start:end])
                        for number, _, start, end in fields(data) if number != 8)
        constants.append(kept + encode(8, bytes(first(info, 1, b""))))
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model.without_declarations(constants))
        file.flush()
        bind = bindings_of(model, inputs, options.symbol, constants=True)
        code, out, error = run([options.tool, file.name, "--emit=shapes", bind],
                               options.timeout)
    if code != 0:
        return 0, 0, [f"exit {code}: {error.strip().splitlines()[:1]}"]
    shapes = json.loads(out)
    equal = unknown = 0
    differences = []
    declared = every(model.graph, 12)
    for info, name, data in zip(declared, model.outputs,
                                read_data(folder, "output", len(model.outputs))):
        if data is None or not is_tensor(info):
            continue
        entry = shapes.get(name)
        expected = tensor_dims(data)
        element = ELEMENT_TYPES.get(first(data, 2, 0))
        if entry is None or entry["shape"] is None:
            unknown += 1
        elif len(entry["shape"]) != len(expected) or entry["type"] != element or any(
                dim is not None and dim != wanted
                for dim, wanted in zip(entry["shape"], expected)):
            differences.append(f"{name}: inferred {entry['type']} {entry['shape']}, "
                               f"expected {element} {expected}")
        elif None in entry["shape"]:
            unknown += 1
        else:
            equal += 1
    return equal, unknown, differences


def survey(path, options):
    row = {"path": path, "opset": 0, "code": 1, "values": 0, "known": 0, "fallback": [],
           "error": "", "equal": 0, "unknown": 0, "differences": [], "missing": []}
    inputs, folder, bind = [], path.parent / "test_data_set_0", f"--bind=*:{options.symbol}"
    model = None
    try:
        model = Model(path.read_bytes())
        row["opset"] = model.opset
        inputs = read_data(folder, "input", len(model.inputs))
        bind = bindings_of(model, inputs, options.symbol)
    except (IndexError, ValueError, TypeError, AttributeError):
        pass  # not a model: the tool has to say so
    code, out, error = run([options.tool, str(path), "--emit=shapes", bind], options.timeout)
    if code == 0:
        for name, entry in json.loads(out).items():
            row["values"] += 1
            row["known"] += is_known(entry)
            if not is_known(entry):
                row["missing"].append(name)
    code, out, error = run([options.tool, str(path), "--report=json", bind,
                            f"--target={options.target}"], options.timeout)
    row["code"] = code
    if code == 0:
        coverage = json.loads(out)["coverage"]
        for kind in ("fallback", "unmodelled"):
            for entry in coverage[kind]["list"]:
                row["fallback"].append((entry["op"], entry["reason"], entry["count"]))
    else:
        lines = [line for line in error.splitlines() if line.strip()]
        row["error"] = next((line for line in lines if "error" in line),
                            lines[0] if lines else "")
    if options.check_outputs and model and folder.is_dir():
        row["equal"], row["unknown"], row["differences"] = compare_outputs(
            model, folder, inputs, options)
    return row


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def print_tables(rows, options):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["opset"]].append(row)
    print("| opset | files | exit 0 | values | fully shaped | no fallback |")
    print("|---|---|---|---|---|---|")
    for opset in [*sorted(groups), "all"]:
        some = rows if opset == "all" else groups[opset]
        good = sum(row["code"] == 0 for row in some)
        values = sum(row["values"] for row in some)
        known = sum(row["known"] for row in some)
        clean = sum(row["code"] == 0 and not row["fallback"] for row in some)
        print(f"| {opset} | {len(some)} | {good} ({percent(good, len(some))}) | {values} | "
              f"{known} ({percent(known, values)}) | {clean} ({percent(clean, len(some))}) |")
    reasons = collections.defaultdict(lambda: [0, 0, None])
    for row in rows:
        for op, reason, count in row["fallback"]:
            entry = reasons[op, reason]
            entry[0] += 1
            entry[1] += count
            entry[2] = entry[2] or row["path"]
    if reasons:
        print("\n| op without full cost | reason | files | kernels | first file |\n|---|---|---|---|---|")
    for (op, reason), (files, count, path) in sorted(
            reasons.items(), key=lambda item: (-item[1][0], item[0])):
        print(f"| {op} | {reason} | {files} | {count} | {path} |")
    for row in rows:
        if row["code"] != 0:
            print(f"error: {row['path']}: exit {row['code']}: {row['error']}")
    if options.list_unshaped:
        for row in rows:
            if row["missing"]:
                print(f"unshaped: {row['path']}: {', '.join(row['missing'][:8])}")
    if not options.check_outputs:
        return
    for row in rows:
        for difference in row["differences"]:
            print(f"differs: {row['path']}: {difference}")
        if row["unknown"] and options.list_unshaped:
            print(f"unknown output: {row['path']}")
    equal, unknown = (sum(row[key] for row in rows) for key in ("equal", "unknown"))
    differ = sum(len(row["differences"]) for row in rows)
    print(f"\noutputs: {equal} as expected, {unknown} not fully known, {differ} differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--tool", default="gpu-cost-opt")
    parser.add_argument("--target", default="a100-bf16")
    parser.add_argument("--symbol", type=int, default=2,
                        help="value of symbolic dimensions without test data (default: 2)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60, help="seconds a run may take")
    parser.add_argument("--check-outputs", action="store_true",
                        help="compare inferred with expected outputs")
    parser.add_argument("--list-unshaped", action="store_true",
                        help="name the values without a fully known shape")
    options = parser.parse_args()
    paths = []
    for folder in options.folders:
        if not folder.exists():
            parser.error(f"{folder} does not exist")
        paths += sorted(folder.rglob("*.onnx")) if folder.is_dir() else [folder]
    if not paths:
        parser.error("no .onnx file found")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda path: survey(path, options), paths))
    print_tables(rows, options)
    bad = [row for row in rows if row["code"] != 0 or row["differences"]]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
