# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that two runs of one configuration must agree on."""
import csv
import io
import math


def shows(cell, value):
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, (int, float)):
        return cell not in (None, "") and math.isclose(float(cell), value, rel_tol=1e-6)
    # Spreadsheets must not read a text as a formula.
    guard = "'" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else ""
    return cell == guard + (value or "")


def check_csv(world, case, base):
    """One row per kernel with the values of JSON."""
    report = world.report(case, base)
    if not report:
        return
    rows = list(csv.DictReader(io.StringIO(world.tool.run(base.network.path, *base.flags(), "--report=csv"))))
    case.require_equal("csv_rows", len(rows), len(report["kernels"]))
    for row, kernel in zip(rows, report["kernels"]):
        for name, value in kernel.items():
            case.require(f"csv_{name}", shows(row.get(name), value), f"{row.get(name)} in CSV, {value} in JSON")


def check_largest_batch(world, case, base):
    """`--max-batch` fits, one more does not, and the report equals the report with this batch."""
    if not base.get("batch"):
        return
    found = world.report(case, base.but(batch=None, max_batch=True))
    if not found:
        return
    batch = next(value for name, value in found["bindings"].items() if name.startswith("batch"))
    same, more = (world.report(case, base.but(batch=value)) for value in (batch, batch + 1))
    case.require("largest_fits", found["iteration"]["fits_in_memory"], f"batch {batch}")
    case.require("more_does_not", not more["iteration"]["fits_in_memory"], f"batch {batch + 1}")
    for name in ("time_ms", "energy_j", "peak_memory_bytes"):
        case.require_equal(f"largest_{name}", found["iteration"][name], same["iteration"][name])


CHECKS = {"csv": check_csv, "largest batch": check_largest_batch}
