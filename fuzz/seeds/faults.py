#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes seeds that were faults of the readers: deep nesting, duplicate keys, huge numbers, several gzip members.

usage: faults.py FOLDER
"""
import gzip
import pathlib
import sys

DEPTH = 20000


def nested(start, middle, end):
    return start * DEPTH + middle + end * DEPTH


JSON = {
    "arrays": nested("[", "", "]"),
    "objects": nested('{"a":', "1", "}"),
    "open": "[" * DEPTH,
    "duplicate": '{"settings": {"batch": 1, "batch": 2}, "models": ["m.onnx"]}',
    "huge": '{"settings": {"batch": 9223372036854775808}, "models": ["m.onnx"]}',
}
MLIR = {
    "modules": nested("module {", "", "}"),
    "regions": nested('"a.b"() ({', "", "}) : () -> ()\n"),
    "tuples": "func.func private @f(" + nested("tuple<", "", ">") + ")",
    "arrays": "module attributes {a.b = " + nested("[", "", "]") + "} {}",
    "parentheses": "#m = affine_map<(d0) -> (" + nested("(", "d0", ")") + ")>",
    "signs": "#m = affine_map<(d0) -> (" + nested("-", "d0", "") + ")>",
}
TARGETS = {
    "records": "module attributes {gpucost.gpu = " + nested("#gpucost.gpu<name = ", "", ">") + "} {}",
    "arrays": "module attributes {gpucost.aliases = " + nested("[", "", "]") + "} {}",
    "huge": 'module attributes {gpucost.gpu = #gpucost.gpu<name = "x", sm_count = 9223372036854775808>} {}',
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for name, files in (("json", JSON), ("mlir", MLIR), ("targets", TARGETS)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for stem, text in files.items():
            (folder / name / f"fault-{stem}").write_text(text)
    (folder / "gzip").mkdir(exist_ok=True)
    members = [gzip.compress(part, mtime=0) for part in (b'{"traceEvents": [', b"]}")]
    (folder / "gzip" / "members").write_bytes(b"".join(members))
    return 0


if __name__ == "__main__":
    sys.exit(main())
