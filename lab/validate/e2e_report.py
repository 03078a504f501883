# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Error tables of whole iterations, compared with naive predictors."""
import collections

from e2e_rows import coverage, errors, mode_of
from error_statistics import Errors, describe

COLUMNS = "| rows | n | | mean | median | p90 | worst | bias | baseline | inside |\n|---|---|---|---|---|---|---|---|---|---|\n"


def group_by(results, key):
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result.row) + (result.caveat and f" ({result.caveat})")].append(result)
    return {name: groups[name] for name in sorted(groups)}


def kind(row):
    return f"{row['source']}, {mode_of(row)}"


def board(row):
    return row["gpu"] + (", clock sweep" if row["workload_id"].startswith("dvfs") else "")


def model(row):
    return f"{row['gpu']} {row['model'].split('/')[-1]} {row['precision']}"


def baseline(group, what):
    """Mean error of the naive predictor: roofline, board limit, or their product; "" without labels."""
    pairs = []
    for result in group:
        iteration, label = result.report["iteration"], result.label[what]
        ideal = max(iteration["matrix_flops"] / iteration["peak_flops_per_s"],
                    iteration["compulsory_bytes"] / iteration["dram_bandwidth_bytes_per_s"])
        naive = {"time": ideal * 1e3, "power": iteration["power_limit_w"], "energy": ideal * iteration["power_limit_w"]}
        if label:
            pairs.append((label, naive[what]))
    return f"{Errors.of(pairs).mean:.0f}" if pairs else ""


def inside(group, what):
    """Fraction of the rows in their 80 % interval, in percent."""
    share = coverage(group, what)
    return "" if share is None else f"{share:.0f}"


def print_table(title, results, key):
    print(f"== {title}")
    for name, group in group_by(results, key).items():
        print(f"{name:42s} n {len(group):4d}")
        for what in ("time", "power", "energy"):
            if errors(group, what):
                print(f"    {what:6s} {describe(errors(group, what))}   baseline {baseline(group, what)}"
                      f"   inside {inside(group, what)}")


def rows_of(name, group):
    """Lines of a Markdown table for one group."""
    lines = []
    for what in ("time", "power", "energy"):
        signed = errors(group, what)
        if signed:
            e = Errors(signed)
            lines.append(f"| {name} | {e.count} | {what} | {e.mean:.1f} | {e.median:.1f} | {e.p90:.1f} | "
                         f"{e.worst:.1f} | {e.bias:+.1f} | {baseline(group, what)} | {inside(group, what)} |")
            name = ""
    return lines


def markdown(title, results, key):
    lines = [line for name, group in group_by(results, key).items() for line in rows_of(name, group)]
    return f"## {title}\n\n" + COLUMNS + "\n".join(lines) + "\n"
