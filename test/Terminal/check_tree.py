#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each module in --tree contains the launches of all its parts.

  check_tree.py gpu-cost-opt model.onnx flags...
"""

import json
import re
import subprocess
import sys


def run(*flags):
    return subprocess.run([*sys.argv[1:], *flags], check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout


rows = []
text = run("--tree=32", "--width=0")
for line in text.split("by module, of the GPU's busy time\n")[1].split("\n\n")[0].splitlines()[1:]:
    share, time, energy, launches, indent, name = re.match(r" +(\S+) +(\S+) +(\S+) +(\d+)  ?( *)(.*)$", line).groups()
    rows.append((len(indent) // 2, int(launches), name))
assert rows[0][2] == "all kernels" and rows[0][0] == 0, rows[0]

# Each module with the modules below it, one level deeper.
paths = {}
stack = []
for depth, launches, name in rows:
    del stack[depth:]
    stack.append(name)
    paths["/".join(stack[1:])] = launches
report = json.loads(run("--report=json", "--group-by=scope"))
assert paths[""] == sum(kernel["count"] for kernel in report["kernels"])
expected = {}
for group in report["groups"]:
    parts = group["name"].split("/")
    for i in range(1, len(parts) + 1):
        path = "/".join(parts[:i])
        expected[path] = expected.get(path, 0) + group["launches"]
for path, launches in expected.items():
    assert paths[path] == launches, (path, launches, paths.get(path))
assert len(expected) + 1 == len(paths), (len(expected), len(paths))
