# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Part of `validate.py schedules`: logs of Inductor's autotuner, which times the Triton configurations of one matmul or
convolution. A convolution is scheduled as its implicit GEMM (Z6). Not fitted. Columns as in the sweeps: regret = measured
time of the model's choice divided by the measured best of the configurations in the log.
"""
import collections
import csv
import re
import statistics

LOGS = "gemm_schedules_other.csv"
FIELDS = ("tile_m", "tile_n", "tile_k", "warps", "stages")


def query(row):
    """The kernel of a row with its configuration."""
    if row["op"] == "convolution":
        shapes, options = row["conv_shape"].split("|", 1)
        (n, c, h, w), (oc, _, kh, kw) = (map(int, shape.split("x")) for shape in shapes.split(","))
        stated = dict(re.findall(r"(\w+)=(\d+)", options))
        kernel = {"family": "conv2d", "n": n, "c": c, "h": h, "w": w, "oc": oc, "kh": kh, "kw": kw,
                  "stride": stated["STRIDE_H"], "pad": stated["PADDING_H"], "groups": stated["GROUPS"]}
    else:
        kernel = {"family": "matmul", "m": row["m"], "n": row["n"], "k": row["k"]}
    # CUDA cores: the terms of stages and K steps are not modelled beyond one stage.
    fields = FIELDS[:4] if row["dtype"] == "fp32" else FIELDS
    return {**kernel, "split_k": 1, **{name: row[name] for name in fields}}


class Log:
    """Predicted and measured times of the configurations of one kernel."""

    def __init__(self, ask, tool, rows):
        first = rows[0]
        self.kernel = f"{first['op']} {first['conv_shape'].split('|')[0] or 'x'.join(first[name] for name in 'mnk')}"
        self.target, self.op = f"{first['target_near']}-{first['dtype']}", first["op"]
        self.measured = [float(row["time_ms"]) for row in rows]
        self.predicted = [float(answer["time_us"]) for answer in ask(tool, self.target, [query(row) for row in rows])]
        self.best = min(self.measured)

    def regret(self):
        """The mean over all configurations that tie for the best prediction."""
        first = min(self.predicted)
        return statistics.mean(t for t, p in zip(self.measured, self.predicted) if p == first) / self.best

    def typical(self):
        return statistics.median(self.measured) / self.best

    def worst(self):
        return max(self.measured) / self.best


def logs(ask, mapped, tool, folder):
    groups = collections.defaultdict(list)
    with open(folder / LOGS, newline="") as file:
        for row in csv.DictReader(file):
            if row["kernel"] == "triton":
                groups[row["unit"]].append(row)
    found = []
    for rows in groups.values():
        found += mapped(len(rows), lambda rows=rows: [Log(ask, tool, rows)])
    return found


def table(found, spearman):
    lines = ["| autotuner's log | target | configurations | Spearman | regret | median | worst |",
             "|---|---|---|---|---|---|---|"]
    for log in found:
        cells = [spearman(log.predicted, log.measured), log.regret(), log.typical(), log.worst()]
        lines.append(f"| {log.kernel} | {log.target} | {len(log.measured)} | " + " | ".join(f"{x:.2f}" for x in cells) + " |")
    for name, part in (("convolutions", [log for log in found if log.op == "convolution"]),
                       ("matmuls", [log for log in found if log.op != "convolution"])):
        if part:
            cells = [statistics.mean(column) for column in
                     zip(*((spearman(log.predicted, log.measured), log.regret(), log.typical(), log.worst()) for log in part))]
            lines.append(f"| mean of {name} |  | {sum(len(log.measured) for log in part)} | "
                         + " | ".join(f"{x:.2f}" for x in cells) + " |")
    return lines
