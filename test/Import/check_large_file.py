# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of 3.2 GB in one file is imported without reading its weights.

check_large_file.py TOOL FOLDER

The file is sparse: it takes no space. Prints the memory of the import; more than
200 MB is a failure (weights would take 3,200 MB).
"""

import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Conformance"))
from onnx_text import chunk, node, number, tensor, value_info, varint  # noqa: E402

rows, columns = 25_000, 32_000
payload = rows * columns * 4
weight = tensor("w", "f", [rows, columns], None)
# The payload is the last field of the tensor, the tensor the last field of the graph,
# and the graph the last field of the model: the bytes before it are written, the rest is a hole.
raw = varint(9 << 3 | 2) + varint(payload)
graph = (chunk(1, node("y = MatMul(x, w)")[0]) + chunk(2, "large")
         + chunk(11, value_info("x", "f", [8, rows])) + chunk(12, chunk(1, "y")))
size = len(weight) + len(raw) + payload
graph += varint(5 << 3 | 2) + varint(size)
head = number(1, 8) + chunk(8, number(2, 17))
head += varint(7 << 3 | 2) + varint(len(graph) + size) + graph + weight + raw
path = os.path.join(sys.argv[2], "large.onnx")
with open(path, "wb") as file:
    file.write(head)
    file.truncate(len(head) + payload)
try:
    result = subprocess.run([sys.argv[1], path, "--emit=shapes"], text=True,
                            capture_output=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(result.stdout, result.stderr)
    print(f"{os.path.getsize(path) / 1e9:.1f} GB file, {used.ru_maxrss / 1e3:.0f} MB")
    sys.exit(result.returncode or used.ru_maxrss > 200_000)
finally:
    os.remove(path)
