#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C++ of the onnx ops from their TableGen definitions: a class and a table row per op, and its rule.

usage: onnx_ops.py TBLGEN INCLUDE_FOLDER CLASSES.h.inc TABLE.cpp.inc ONNX_OPS.td...
"""
import pathlib
import re
import sys

import onnx_rules
from tablegen import read_records


def class_name(op):
    return op["!name"].removeprefix("Onnx_")


def arity(op):
    """(required operands, allowed operands or -1, names) of an op; other lists are errors."""
    names = op["operands"]
    unlimited = bool(names) and names[-1] == "..."
    if unlimited:
        names = names[:-1]
    required = next((i for i, name in enumerate(names) if name.endswith("?")), len(names))
    names = [name.removesuffix("?") for name in names]
    if not all(re.fullmatch(r"[A-Z]\w*", name) for name in names) or \
            any(not name.endswith("?") for name in op["operands"][required:len(names)]):
        sys.exit(f"onnx_ops: {op['opName']}: expected required operands, then optional ones ('X?'), then '...'")
    return required, -1 if unlimited else len(names), names


KINDS = ["int", "float", "string", "tensor", "graph", "sparse", "type", "ints", "floats", "strings",
         "tensors", "graphs", "sparses", "types", "flag"]
ATTRIBUTE = re.compile(r"(\w+): ([\w|]+)(?: = (\S.*?))?( !)?(?: @(\d+)(-)?(\d+)?)?( \*)?( \+)?")


def attributes(op):
    """(fields of each attribute, whether others are allowed) of an op."""
    entries = op["attributes"]
    allows_others = entries[-1:] == ["..."]
    found = []
    for entry in entries[:-1] if allows_others else entries:
        match = ATTRIBUTE.fullmatch(entry)
        kinds = match[2].split("|") if match else []
        if not match or not set(kinds) <= set(KINDS):
            sys.exit(f"onnx_ops: {op['opName']}: expected 'name: kind = default ! @opsets * +', found '{entry}'")
        name, _, default, required, first, more, last, uncounted, extends = match.groups()
        found.append({"name": name, "kinds": kinds, "default": default, "required": bool(required),
                      "first": int(first or 0), "last": int(last or (first if not more and first else 0)),
                      "uncounted": bool(uncounted), "extends": bool(extends)})
    return found, allows_others


def write_attribute(op, attribute):
    """Initializer of an AttrInfo. Defaults of lists are not written to C++."""
    kinds = " | ".join(f"getBit(AttrKind::{kind.capitalize()})" for kind in attribute["kinds"])
    default, number, text = attribute["default"], 0.0, ""
    has_default = default is not None and attribute["kinds"][-1] in ("int", "float", "string")
    if has_default and attribute["kinds"][-1] == "string":
        text = default
    elif has_default:
        try:
            number = float(default)
        except ValueError:
            sys.exit(f"onnx_ops: {op['opName']}: '{default}' is not a number")
    flags = [str(flag).lower() for flag in (attribute["required"], has_default)]
    return f"{{\"{attribute['name']}\", {kinds}, {', '.join(flags)}, {attribute['first']}, " \
           f"{attribute['last']}, {number}, \"{text}\", {str(attribute['uncounted']).lower()}}},"


def write_class(op, row):
    _, _, names = arity(op)
    lines = [f"class {class_name(op)} : public OnnxOpClass<{class_name(op)}, {row}> {{", "public:",
             "  using OnnxOpClass::OnnxOpClass;",
             "  static constexpr llvm::StringLiteral getOperationName() {",
             f"    return \"onnx.{op['opName']}\";", "  }"]
    lines += [f"  mlir::Value get{name}() {{ return getOperandOrNull({i}); }}"
              for i, name in enumerate(names)]
    return "\n".join([*lines, "};"])


def write_row(op, rows, first_attribute, rule):
    required, allowed, _ = arity(op)
    found, allows_others = attributes(op)
    gradient = op["gradientOp"]
    if gradient not in rows:
        sys.exit(f"onnx_ops: {op['opName']}: unknown op '{gradient}'")
    fields = [f"\"onnx.{op['opName']}\"", required, allowed, op["maxResults"], op["weight"],
              sum(1 << operand for operand in op["scales"]), op["packed"], op["inPlaceOperand"],
              op["cacheOperand"],
              f"{{attributeTable + {first_attribute}, size_t({len(found)})}}", str(allows_others).lower(), str(bool(op["hasBodies"])).lower(), str(bool(op["isExpanded"])).lower(),
              str(bool(op["isInternal"])).lower(), f"OpStage::{op['stage']}",
              f"CostClass::{op['shape']}",
              f"{{InstructionClass::{op['instr']}, {op['flops']}, {op['special']}}}",
              f"AutocastPolicy::{op['autocast']}", f"&opTable[{rows[gradient]}]",
              op["infer"], op["fold"], op["grad"], op["work"],
              "nullptr" if rule is None else f"&ruleTable[{rule}]"]
    return "{" + ", ".join(map(str, fields)) + "},"


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    tblgen, include, classes, table, *files = sys.argv[1:]
    records = read_records(tblgen, [include], files)
    ops = sorted((records[name] for name in records["!instanceof"]["Onnx_Op"]),
                 key=lambda op: op["opName"])
    rows = {op["opName"]: row for row, op in enumerate(ops)}
    if len(rows) != len(ops):
        sys.exit("onnx_ops: two ops have the same name")
    note = "// Generated by utils/onnx_ops.py; do not edit.\n"
    pathlib.Path(classes).write_text(
        note + "\n".join(write_class(op, row) for row, op in enumerate(ops)) + "\n")
    attribute_lines, rule_lines, op_lines = [], [], []
    for op in ops:
        has_rule = onnx_rules.has_rule(op)
        op_lines.append(write_row(op, rows, len(attribute_lines), len(rule_lines) if has_rule else None))
        attribute_lines += [write_attribute(op, attribute) for attribute in attributes(op)[0]]
        if has_rule:
            names = {form["name"] for form in attributes(op)[0]}
            rule_lines.append(onnx_rules.write_rule(op, arity(op)[2], names))
    pathlib.Path(table).write_text("\n".join(
        [note + "static constexpr AttrInfo attributeTable[] = {", *attribute_lines, "};",
         "static constexpr OpRule ruleTable[] = {", *rule_lines, "};",
         "const OpInfo gpucost::onnx::opTable[] = {", *op_lines, "};"]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
