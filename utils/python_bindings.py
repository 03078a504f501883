#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the Python package knows from elsewhere, or checks that it is current.

usage: python_bindings.py [--check] [--library FOLDER]

  _abi.py       structs, enumerations and functions of the C headers
  _schema.py    the classes of a report, from docs/report.schema.json
  _settings.py  every setting as a keyword argument, from gpucostSettings()

The last one asks libgpucost.so in FOLDER (default: build/lib) and is left alone,
with a note, where there is none. `--check` writes nothing and exits with 1 where a
file differs.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "utils" / "python"))

import c_header  # noqa: E402
import report_classes  # noqa: E402
import setting_arguments  # noqa: E402

PACKAGE = ROOT / "python" / "gpucost"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a file differs")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build" / "lib",
                        help="folder of libgpucost.so")
    options = parser.parse_args()
    texts = {
        "_abi.py": c_header.generate([ROOT / "include" / "gpucost-c" / name
                                      for name in ("gpucost.h", "gpucost-mlir.h")]),
        "_schema.py": report_classes.generate(ROOT / "docs" / "report.schema.json"),
    }
    library = options.library / "libgpucost.so"
    if library.exists():
        texts["_settings.py"] = setting_arguments.generate(library)
    else:
        print(f"python_bindings: no {library}: _settings.py is left alone", file=sys.stderr)
    stale = [name for name, text in texts.items()
             if not (PACKAGE / name).exists() or (PACKAGE / name).read_text() != text]
    if options.check:
        if stale:
            sys.exit(f"python_bindings: {', '.join(stale)} differ from their source: "
                     "run utils/python_bindings.py")
        return
    for name in stale:
        (PACKAGE / name).write_text(texts[name])
        print(f"python_bindings: {PACKAGE / name}")


if __name__ == "__main__":
    main()
