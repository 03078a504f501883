# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every inferred shape equals the expected one, for each case and opset.

check_shapes.py TOOL FOLDER CASES...     writes the models to FOLDER and checks them
check_shapes.py --write FOLDER CASES...  only writes them: seeds of the fuzzers
"""

import concurrent.futures
import json
import os
import subprocess
import sys

from onnx_text import MLIR_TYPES, model, parse_value, read_cases, split_top


def check(tool, path, case, opset):
    """The error of one model; '' if there is none."""
    names = {dim for text in split_top(case["inputs"], ",")
             for dim in parse_value(text)[2] if isinstance(dim, str)}
    bind = ["--bind=" + ",".join(f"{name}:5" for name in sorted(names))] if names else []
    result = subprocess.run([tool, path, "--emit=shapes", *bind], text=True,
                            capture_output=True, timeout=60)
    if result.returncode != 0:
        return f"exit {result.returncode}: {result.stderr.strip()}"
    shapes = json.loads(result.stdout)
    for text in split_top(case["outputs"], ","):
        name, kind, dims, _ = parse_value(text)
        dims = [None if d == "?" else 5 if isinstance(d, str) else d for d in dims]
        found = shapes.get(name, {"type": None, "shape": "missing"})
        if found["shape"] != dims or found["type"] != MLIR_TYPES[kind]:
            return (f"{name}: expected {MLIR_TYPES[kind]}{dims}, but got "
                    f"{found['type']}{found['shape']}")
    return ""


def main():
    write = sys.argv[1] == "--write"
    folder = sys.argv[2]
    jobs, seen = [], set()
    for path in sys.argv[3:]:
        for case in read_cases(path):
            for opset in case["opsets"]:
                name = f"{case['name']}-{opset}"
                if name in seen:
                    sys.exit(f"{path}: '{name}' is there twice")
                seen.add(name)
                file = os.path.join(folder, name + ".onnx")
                with open(file, "wb") as out:
                    out.write(model(case, opset))
                jobs.append((file, case, opset))
    if write:
        return
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: check(sys.argv[1], *job), jobs)
        for (file, case, opset), wrong in zip(jobs, results):
            if wrong:
                bad += 1
                print(f"{case['name']} at opset {opset}: {wrong}")
    print(f"{len(jobs)} models, {bad} wrong")
    sys.exit(bad != 0)


main()
