#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/SupportedOps.md is what op_table.py writes."""
import sys

import op_table


def main():
    records = op_table.read_records()
    problems = []
    if not op_table.PAGE.is_file() or op_table.PAGE.read_text() != op_table.build_page(records):
        problems.append("docs/SupportedOps.md is not up to date; run utils/op_table.py")
    for problem in problems:
        print(f"check_ops: {problem}")
    if not problems:
        count = len(op_table.read_operators(records))
        print(f"check_ops: {count} operators of the standard, all in docs/SupportedOps.md")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
