# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares chosen clocks and power limits with measurements.

EnergAIzer ran inferences on an A100 at locked clocks, Zeus trained on a V100 under
power limits. For each workload with several of them the tool chooses the one with the
least predicted energy. Regret is the measured energy there over the least measured
energy, less 1; the rival is the one clock or limit that is best for all workloads
together, which is unknown before measuring. The saving is relative to the default: the
highest clock or limit. Both must hold: the mean regret is at most REGRET points above
the mean regret of the best constant, and the mean predicted saving is within SAVING
points of the measured one. Last, the difference between the errors of two settings,
which determines the ties of `optimize`.
"""
import collections
import math
import pathlib
import statistics

import e2e_rows

REGRET, SAVING = 0.3, 3.0
# Name: rows, setting column, GPU, and minimum distance between two settings.
SWEEPS = {
    "EnergAIzer, A100, clock": ("energaizer", "freq_mhz", "a100-pcie-40gb"),
    "Zeus, V100, power limit": ("zeus", "power_limit_w", "v100"),
}
LEAST = 4  # settings of a workload
# Correlation between the errors of two settings per workload on one GPU (docs/Decisions.md).
CORRELATION = 0.65


class Workload:
    """Energy in J and time in ms of one workload at each setting: {setting: (measured,
    predicted)}."""

    def __init__(self, name, results, column):
        self.name, self.energy, self.time, self.width = name, {}, {}, []
        for result in results:
            if result.label["energy"]:
                setting = float(result.row[column])
                self.energy[setting] = result.label["energy"], result.predicted("energy")
                self.time[setting] = result.label["time"], result.predicted("time")
                iteration = result.report["iteration"]
                if iteration["energy_high_j"]:
                    self.width.append(math.log(iteration["energy_high_j"] / iteration["energy_j"]))

    def best(self, which):
        return min(self.energy, key=lambda setting: self.energy[setting][which])

    def fastest_tie(self):
        """The setting with the least predicted time among those tied with the
        choice."""
        width = math.sqrt(2 * (1 - CORRELATION)) * statistics.mean(self.width) if self.width else 0
        least = self.energy[self.best(1)][1]
        ties = [setting for setting, (_, predicted) in self.energy.items() if math.log(predicted / least) <= width]
        return min(ties, key=lambda setting: self.time[setting][1])

    def regret(self, setting):
        """Regret in percent, at the nearest measured setting."""
        near = min(self.energy, key=lambda known: abs(known - setting))
        return 100 * (self.energy[near][0] / self.energy[self.best(0)][0] - 1)

    def saving(self, setting, which):
        return 100 * (1 - self.energy[setting][which] / self.energy[max(self.energy)][which])

    def differences(self, values):
        """For each pair of settings, the logarithm of the ratio of predicted to measured
        ratios."""
        errors = [math.log(predicted / measured) for measured, predicted in values.values()]
        return [abs(a - b) for i, a in enumerate(errors) for b in errors[:i]]


def group_of(row):
    return tuple(row[field] for field in ("gpu", "model", "mode", "precision", "batch", "seq", "attention"))


def workloads(results, column):
    groups = collections.defaultdict(list)
    for result in results:
        groups[group_of(result.row)].append(result)
    found = [Workload(" ".join(key), group, column) for key, group in groups.items()]
    return [workload for workload in found if len(workload.energy) >= LEAST]


def quantile(values, share=0.8):
    return sorted(values)[int(share * (len(values) - 1))]


def judge(name, found):
    settings = sorted({setting for workload in found for setting in workload.energy})
    chosen = [workload.regret(workload.best(1)) for workload in found]
    constants = {setting: statistics.mean(workload.regret(setting) for workload in found) for setting in settings}
    constant = min(constants, key=constants.get)
    default = statistics.mean(workload.regret(max(workload.energy)) for workload in found)
    predicted = [workload.saving(workload.best(1), 1) for workload in found]
    measured = [workload.saving(workload.best(1), 0) for workload in found]
    apart = statistics.mean(abs(p - m) for p, m in zip(predicted, measured))
    regret, saving = statistics.mean(chosen), abs(statistics.mean(predicted) - statistics.mean(measured))
    good = regret <= constants[constant] + REGRET and saving <= SAVING
    print(f"{name}: {len(found)} workloads, {len(settings)} settings")
    print(f"  regret: chosen {regret:.2f} %, best constant ({constant:g}) {constants[constant]:.2f} %, "
          f"default {default:.2f} %")
    ties = [workload.fastest_tie() for workload in found]
    slower = [100 * (workload.time[workload.best(1)][0] / workload.time[tie][0] - 1)
              for workload, tie in zip(found, ties)]
    print(f"  the fastest setting tied with it: regret "
          f"{statistics.mean(workload.regret(tie) for workload, tie in zip(found, ties)):.2f} %; the choice takes "
          f"{statistics.mean(slower):.1f} % longer")
    print(f"  saving against the default: predicted {statistics.mean(predicted):.1f} %, measured "
          f"{statistics.mean(measured):.1f} %; {apart:.1f} points apart on average")
    for what in ("energy", "time"):
        pairs = [difference for workload in found for difference in workload.differences(getattr(workload, what))]
        print(f"  {what}: predicted ratios of two settings are within {100 * quantile(pairs):.1f} % of the "
              f"measured ones in 80 % of {len(pairs)} pairs")
    widths = [width for workload in found for width in workload.width]
    if widths:
        print(f"  energy: half-width of one setting {100 * statistics.mean(widths):.1f} %")
    print(f"  {'ok' if good else 'FAILED'}")
    return good


def run(args):
    data = pathlib.Path(args.data)
    good = True
    for name, (source, column, gpu) in SWEEPS.items():
        table = e2e_rows.Table(data / "e2e.csv", data / "workloads.csv", args.manifest,
                               lambda row: row["source"] == source and row[column] and row["gpu"].startswith(gpu)
                               and row["quality"] in ("A", "B"))
        results, skipped = table.predict(args.tool, args.jobs)
        found = workloads([result for result in results if not result.caveat], column)
        if not found:
            print(f"{name}: no workload; not mapped: {dict(skipped)}")
            good = False
            continue
        good &= judge(name, found)
    return 0 if good else 1
