#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Validates JSON reports against a schema of `gpu-cost-opt --print-schema`.

usage: validate_schema.py SCHEMA REPORT.json...

The schema allows unknown fields, so that readers of a report survive new ones. The
tool's own reports must not have any: here every object whose fields the schema names
is closed.
"""
import json
import pathlib
import sys

import jsonschema


def close(schema):
    """Requires that every object has exactly the fields in the schema."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema = {"additionalProperties": False, **schema}
        return {key: close(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [close(item) for item in schema]
    return schema


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(close(schema))
    failed = 0
    for name in sys.argv[2:]:
        report = json.loads(pathlib.Path(name).read_text())
        errors = sorted(validator.iter_errors(report), key=lambda error: list(map(str, error.path)))
        for error in errors:
            print(f"{pathlib.Path(name).name}: {'.'.join(map(str, error.path))}: {error.message[:200]}")
        failed += bool(errors)
    print(f"{len(sys.argv) - 2 - failed} of {len(sys.argv) - 2} reports follow the schema")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
