#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that C++ reads each declared attribute of an onnx op, or that its definition marks it as not counted,
or that utils/not_costed.txt lists it.

An op reads the names in its functions (shapes, folding, gradient, work), in the functions that
they call, and in the files of passes that name the op.

usage: check_attributes.py           checks
       check_attributes.py --print   prints the attributes that no code reads
"""
import collections
import re
import sys

import onnx_ops
import onnx_rules
import op_table

ROOT = op_table.ROOT
LIST = ROOT / "utils/not_costed.txt"
READ = re.compile(r'\b(?:get|find)(?:Int|Float|String|Ints|InputOrAttrInts)\((?:[^"();]*,)?\s*"(\w+)"')


def read_sources(*folders):
    """{text of each file: whether it belongs to control flow}; names in rules are those of their expressions, those in
    models without a file are written, not read."""
    return {path.read_text(): path.parent.name == "ControlFlow" for folder in folders
            for path in sorted((ROOT / "lib" / folder).rglob("*.cpp")) if path.parent.name not in ("Rules", "Configuration")}


def read_functions(sources):
    """{function: (quoted names in it, functions that it may call)}."""
    bodies = collections.defaultdict(str)
    for source in sources:
        # Definitions begin in the first column and end with a brace in the
        # first column.
        for text in source.split("\n}"):
            for name in re.findall(r"^struct (\w+)", text, re.M) + \
                    re.findall(r"^(?!#|//|struct)[\w<].*?(\w+)\(", text, re.M)[:1]:
                bodies[name] += text
    return {name: (set(re.findall(r'"(\w+)"', body)), set(re.findall(r"\w+", body)) & bodies.keys())
            for name, body in bodies.items()}


def names_of(function, functions):
    """Quoted names in a function and in all functions that it calls."""
    names, seen, todo = set(), set(), [function]
    while todo:
        function = todo.pop()
        if function in functions and function not in seen:
            seen.add(function)
            names |= functions[function][0]
            todo += functions[function][1]
    return names


def find_unread(ops):
    """{op: declared attributes that no code reads}. Graph attributes are
    regions."""
    functions = read_functions(read_sources("Compiler/Dialect/Onnx"))
    passes = [(control, set(re.findall(r"\w+", source)), set(re.findall(r'"(\w+)"', source)))
              for source, control in read_sources(
                  "Compiler/Transforms", "Compiler/Analysis", "Compiler/CostAnalysis", "Compiler/Import",
                  "Applications/Serve").items()]
    unread = {}
    for name, op in ops.items():
        read = set()
        for role in ("infer", "fold", "grad", "work", "packed"):
            read |= names_of(op[role], functions)
        for field in onnx_rules.LISTS + onnx_rules.TEXTS:
            read |= set(re.findall(r"\w+", str(op[field])))
        for control, words, names in passes:
            if control and op["hasBodies"] or onnx_ops.class_name(op) in words or name in names:
                read |= names
        unread[name] = {attribute["name"] for attribute in onnx_ops.attributes(op)[0]
                        if attribute["kinds"] != ["graph"]} - read
    return unread


def read_list():
    """(names for all ops, op -> names) of the reviewed list."""
    general, special = set(), {}
    for line in LIST.read_text().splitlines():
        line = line.split("#")[0].strip()
        op, colon, names = line.rpartition(":")
        if colon:
            special[op] = special.get(op, set()) | set(names.split())
        else:
            general |= set(names.split())
    return general, special


def main():
    ops = op_table.read_ops(op_table.read_records())
    unread = find_unread(ops)
    if sys.argv[1:] == ["--print"]:
        print("\n".join(f"{op}: {' '.join(sorted(names))}" for op, names in sorted(unread.items()) if names))
        return 0
    general, special = read_list()
    problems = []
    for op, record in sorted(ops.items()):
        starred = {attribute["name"] for attribute in onnx_ops.attributes(record)[0] if attribute["uncounted"]}
        problems += [f"code reads '{name}' of {op}, which the definition marks as not counted"
                     for name in sorted(starred - unread[op])]
        unread[op] = unread[op] - starred
    for op, names in sorted(unread.items()):
        for name in sorted(names - general - special.get(op, set())):
            problems.append(f"no code reads '{name}' of {op}; read it or list it in utils/not_costed.txt")
    for op, names in special.items():
        for name in sorted(names - unread.get(op, set()) | names & general):
            problems.append(f"utils/not_costed.txt lists '{name}' of {op} needlessly")
    for name in sorted(general - set().union(*unread.values())):
        problems.append(f"utils/not_costed.txt lists '{name}' needlessly")
    declared = {attribute["name"] for op in ops.values() for attribute in onnx_ops.attributes(op)[0]}
    read = {name for source in read_sources("Compiler/Dialect/Onnx", "Compiler/Transforms")
            for name in READ.findall(source)}
    for name in sorted(read - declared):
        problems.append(f"no op declares the attribute '{name}' that code reads")
    for problem in problems:
        print(f"check_attributes: {problem}")
    if not problems:
        print(f"check_attributes: {sum(map(len, unread.values()))} attributes without effect, all reviewed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
