#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files that are generated from other sources, or checks that they are current.

usage: python_bindings.py [--check] [--tool FILE] [--library FOLDER]

  include/gpucost-c/gpucost.h   structs of reports, from the fields of reports
  docs/JsonSchema.md            the reference, from the fields of reports
  python/gpucost/_schema.py     the classes of a report, from the fields of reports
  python/gpucost/_abi.py        structs, enumerations and functions of the C headers,
                                neutral words of Schedule.def
  python/gpucost/_settings.py   every setting as a keyword argument, from gpucostSettings()

The fields come from `gpu-cost-opt --list-report-fields` (FILE, default:
build/bin/gpu-cost-opt); the settings come from libgpucost.so in FOLDER (default:
build/lib). Files whose source is not built are skipped, with a note. `--check`
writes nothing and exits with 1 if a file differs.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "utils" / "python"))

import c_header  # noqa: E402
import report_fields  # noqa: E402
import setting_arguments  # noqa: E402

PACKAGE = ROOT / "python" / "gpucost"
HEADERS = ROOT / "include" / "gpucost-c"
HEADER, PAGE = HEADERS / "gpucost.h", ROOT / "docs" / "JsonSchema.md"
SCHEDULE = ROOT / "include" / "gpucost" / "Core" / "Model" / "Schedule.def"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a file differs")
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build" / "bin" / "gpu-cost-opt",
                        help="the tool, for the fields of reports")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build" / "lib",
                        help="folder of libgpucost.so")
    options = parser.parse_args()
    texts = {}
    header = HEADER.read_text()
    tool, library = options.tool, options.library / "libgpucost.so"
    if tool.exists():
        fields = json.loads(subprocess.run([tool, "--list-report-fields"], check=True, stdout=subprocess.PIPE).stdout)
        records = fields["report"]
        header = texts[HEADER] = report_fields.c_header(header, records)
        texts[PAGE] = report_fields.document(PAGE.read_text(), {"report": records})
        texts[PACKAGE / "_schema.py"] = report_fields.python_classes(records)
    else:
        print(f"python_bindings: no {tool}: files from report fields are skipped", file=sys.stderr)
    texts[PACKAGE / "_abi.py"] = c_header.generate([header, (HEADERS / "gpucost-mlir.h").read_text()],
                                                  SCHEDULE.read_text())
    if library.exists():
        texts[PACKAGE / "_settings.py"] = setting_arguments.generate(library)
    else:
        print(f"python_bindings: no {library}: _settings.py is skipped", file=sys.stderr)
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    if options.check:
        if stale:
            sys.exit(f"python_bindings: {', '.join(path.name for path in stale)} differ from their source: "
                     "run utils/python_bindings.py")
        return
    for path in stale:
        path.write_text(texts[path])
        print(f"python_bindings: {path}")


if __name__ == "__main__":
    main()
