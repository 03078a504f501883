# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readable reports: lines of text and HTML with the same content."""
from __future__ import annotations

import html as html_module
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from gpucost._report import Report

Row = Tuple[str, str, str]
HEADINGS = ("%", "n", "1x us", "family", "op", "shape", "tile", "bound", "W")
TOP = 10


def scaled(value: Optional[float], unit: str, base: float = 1000.0) -> str:
    """Three digits and a prefix: 13.2 ms, 684 MiB."""
    if value is None:
        return "unknown"
    prefixes = ["", "Ki", "Mi", "Gi", "Ti"] if base == 1024 else ["", "k", "M", "G", "T", "P", "E"]
    if base == 1000 and unit in ("s", "J") and 0 < value < 0.9995:
        for small in ("m", "u", "n"):
            value *= 1000
            if value >= 0.9995:
                return f"{value:.3g} {small}{unit}"
        return f"{value:.3g} n{unit}"
    index = 0
    while value >= 0.9995 * base and index < len(prefixes) - 1:
        value /= base
        index += 1
    digits = f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"
    return f"{digits} {prefixes[index]}{unit}"


def seconds(ms: Optional[float]) -> str:
    return scaled(None if ms is None else ms * 1e-3, "s")


def head(report: "Report") -> str:
    parallel = f" ({report.parallelism})" if report.parallelism else ""
    count = report.iteration.world_size
    gpus = f"{count} x " if count > 1 else ""
    return f"{report.model} on {gpus}{report.target}{parallel}, {report.format}"


def subtitle(report: "Report") -> str:
    bindings = " ".join(f"{name}={value}" for name, value in report.bindings.items())
    words = (f"{report.mode}, {report.software}, {report.runtime} runtime, attention {report.attention}, "
             f"{report.precision}")
    return words + (f"; {bindings}" if bindings else "")


def summary(report: "Report") -> List[Row]:
    """Label, value and remark of each line."""
    it = report.iteration
    rows: List[Row] = []
    lower = "a lower bound; " if it.time_is_lower_bound else ""
    interval = ("" if it.time_low_ms is None or it.time_high_ms is None else
                f"80 % interval {seconds(it.time_low_ms)} to {seconds(it.time_high_ms)}; ")
    rows.append(("time", seconds(it.time_ms), f"{lower}{interval}{it.bound} bound"))
    if it.samples and it.samples_per_s is not None:
        tokens = f"{scaled(it.tokens_per_s, 'tokens/s')}, " if it.tokens else ""
        rows.append(("rate", f"{it.samples_per_s:.4g} samples/s",
                     f"{tokens}{scaled(it.energy_per_sample_j, 'J')} per sample"))
    throttled = ", reached: the clock is lower" if it.throttled else ""
    power = "" if it.avg_power_low_w is None else f", {scaled(it.avg_power_low_w, 'W')} to {scaled(it.avg_power_high_w, 'W')}"
    energy = "" if it.energy_low_j is None else f", {scaled(it.energy_low_j, 'J')} to {scaled(it.energy_high_j, 'J')}"
    rows.append(("power", scaled(it.avg_power_w, "W"), f"average{power}; the limit is {it.power_limit_w:.4g} W{throttled}"))
    rows.append(("energy", scaled(it.energy_j, "J"), f"per iteration{' and GPU' if it.world_size > 1 else ''}{energy}"))
    rows.append(("clock", f"{it.clock_mhz:.4g} MHz", ""))
    rows.append(("work", scaled(it.flops, "FLOP"),
                 f"{scaled(it.dram_bytes, 'B')} of DRAM traffic, MFU "
                 f"{'unknown' if it.mfu is None else format(100 * it.mfu, '.3g') + ' %'}"))
    fits = {"fits": "fits in", "may-not-fit": "may not fit in"}.get(it.memory_verdict, "does NOT fit in")
    least = ">= " if it.memory_is_lower_bound else ""
    rows.append(("memory", least + scaled(it.device_bytes, "B", 1024),
                 f"as the GPU shows it, {scaled(it.device_low_bytes, 'B', 1024)} to "
                 f"{scaled(it.device_high_bytes, 'B', 1024)}; {scaled(it.peak_memory_bytes, 'B', 1024)} of it tensors; "
                 f"{fits} {scaled(it.memory_usable_bytes, 'B', 1024)} "
                 f"(nominal {scaled(it.memory_capacity_bytes, 'B', 1024)})"))
    uncovered = [f"{part.ops} {name}" for name, part in report.coverage.items() if name != "modelled" and part.ops]
    if uncovered:
        rows.append(("coverage", ", ".join(uncovered), 'ops; see report.coverage["unmodelled"].list'))
    if it.calibrated_fraction < 0.9995:
        rows.append(("calibrated", f"{100 * it.calibrated_fraction:.3g} %", "of the kernel time is in the calibrated domain"))
    if len(report.phases) > 1:
        for phase in report.phases:
            rows.append((phase.phase, seconds(phase.time_ms), f"{phase.kernels} kernels, {scaled(phase.energy_j, 'J')}"))
    return rows


def kernel_rows(report: "Report") -> List[Sequence[str]]:
    return [(f"{100 * row.time_fraction:.1f}", str(row.count), f"{row.time_us:.4g}", row.family, row.label,
             row.shape, row.tile or "-", row.bound, f"{row.power_w:.3g}") for row in report.kernels[:TOP]]


def caption(report: "Report") -> str:
    count = len(report.kernels)
    return f"top {TOP} of {count} distinct kernels" if count > TOP else f"all {count} distinct kernels"


def short(cell: str, width: int) -> str:
    return cell if len(cell) <= width else cell[:width - 2] + ".."


def text(report: "Report") -> str:
    """Lines for a terminal."""
    lines = [head(report), subtitle(report), ""]
    rows = summary(report)
    width = max(10, *(len(label) for label, _, _ in rows))
    lines += [f"  {label:<{width}} {value:>14}  {remark}".rstrip() for label, value, remark in rows]
    table = [[short(cell, 40) for cell in row] for row in [HEADINGS, *kernel_rows(report)]]
    widths = [max(len(row[index]) for row in table) for index in range(len(HEADINGS))]
    lines += ["", f"  {caption(report)}"]
    for row in table:
        cells = [cell.rjust(width) if index in (0, 1, 2, 8) else cell.ljust(width)
                 for index, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  " + " ".join(cells).rstrip())
    if report.notes:
        lines += [""] + [f"  - {note}" for note in report.notes]
    return "\n".join(lines)


def html(report: "Report") -> str:
    """A fragment for notebooks: no scripts, no styles of the page; bars behind the shares of kernels."""
    escape = html_module.escape
    parts = [f"<div><b>{escape(head(report))}</b><br><small>{escape(subtitle(report))}</small>", "<table>"]
    for label, value, remark in summary(report):
        parts.append(f'<tr><th style="text-align:left">{escape(label)}</th>'
                     f'<td style="text-align:right">{escape(value)}</td>'
                     f'<td style="text-align:left">{escape(remark)}</td></tr>')
    parts += ["</table>", f"<details open><summary>{escape(caption(report))}</summary><table><tr>"]
    parts += [f"<th>{escape(name)}</th>" for name in HEADINGS]
    parts.append("</tr>")
    for row in kernel_rows(report):
        bar = f' style="background:linear-gradient(90deg,#9ecae1 {row[0]}%,transparent {row[0]}%);color:inherit"'
        parts.append(f"<tr><td{bar}>{escape(row[0])}</td>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>")
    parts.append("</table></details>")
    if report.notes:
        parts.append("<small><ul>" + "".join(f"<li>{escape(note)}</li>" for note in report.notes) + "</ul></small>")
    return "".join(parts) + "</div>"
