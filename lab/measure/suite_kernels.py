# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suite `kernels`: times of single kernels with widely different shapes."""

from report_cases import cases_of_report
from results import ResultFile, run_rows
from timing import KernelTimer

KEY = ["family", "op", "dtype", "layout", "shape", "variant"]
COLUMNS = KEY + [
    "count", "predicted_us", "status", "time_us", "p10_us", "p90_us", "repeats",
    "launches", "buffer_sets", "method", "clock_mhz", "temperature_c",
    "throttle_reasons", "flops", "bytes", "note",
]


def describe(case):
    names = KEY + ["count", "predicted_us"]
    row = {name: getattr(case, name) for name in names}
    row["flops"], row["bytes"] = case.flops or None, case.bytes or None
    return row


def run(campaign, from_model=None):
    """Writes kernels.csv, or kernels-from-model.csv from a JSON report."""
    if from_model:
        cases, name = cases_of_report(from_model), "kernels-from-model.csv"
    else:
        from kernels import all_cases
        cases, name = all_cases(campaign.smoke), "kernels.csv"
    file = ResultFile(campaign.out / name, COLUMNS, KEY, campaign.facts,
                      campaign.resume)
    timer = KernelTimer(campaign)
    try:
        run_rows(campaign, file, cases, describe, timer.measure)
    finally:
        file.close()
    return file
