#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Event energies, idle law and V(f) of GH100, with the deviation between boards: a function of refit.py.

All boards of the die are one population. Power of board b at clock f and temperature T:

  P = I + exp(u_b) v^2 sum_i e_i n_i + e_dram D,   I = idle + leak (T - 50) + law(f) - law(1980) + w_b,   v = V(f) / V(1980)

u_b and w_b are normal with the deviations tau and tau_idle, which are fitted together with the energies. The residuals of the
rows of a board are therefore correlated, and many rows of one board do not count as many boards. Rows: board_events.py; the
clock curve of an idle H100 (gpus_dvfs.csv). Priors: A100's energies by process and voltage, A100's idle law, a smooth
non-decreasing V(f). Temperature enters the files as feedback: a board that takes more power is warmer and leaks more.

  fit_boards.py --data FOLDER [--without BOARD ...] [--rows]

prints the fit, without the rows of some boards if asked. Requires NumPy and SciPy.
"""
import argparse
import csv
import os
import pathlib
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

import board_events  # noqa: E402
from board_events import DRAM, EVENTS, INSTRUCTION, TENSOR  # noqa: E402
from coefficient_files import TOOL, add_provenance, block_of, read_all, read_field, replace_field, with_curve, with_field, with_provenance  # noqa: E402

H100, H200, H100_PCIE, B200 = "h100-sxm-80gb", "h200-sxm", "h100-pcie-80gb", "b200-sxm"
DIE = (H100, H200, H100_PCIE)
IDLE_SHARE = {H100_PCIE: .5}  # as in the study: half the power limit of an SXM board
TOP, REFERENCE, B200_TOP = 1980.0, 1830.0, 1965.0  # MHz
NODES = np.array([510, 900, 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1850, 1900, TOP])
# Energies at V(1980) in pJ and their deviation in ln: A100's x process 0.7 x voltage^2.
ENERGIES = {"per_tensor_flop": (1.1, .4), "per_fp32_flop": (10, .4), "per_instruction": (30, .4), "per_dram_byte": (75, .3),
            "per_sm_cycle": (250, .6), "per_l2_byte": (13, .5), "per_padded_flop": (.5, .5)}
# Prior mean and deviation: W, W/K; ln of HBM3e's energy, of the deviations between boards, of the energy of a network's tensor
# FLOP and of GELU's instructions relative to the study's; idle law.
OTHERS = {"idle": (127, 5), "leak": (.4, .3), "ln_hbm3e": (0, .15), "ln_tau": (np.log(.07), .7),
          "ln_tau_idle": (np.log(.05), .5), "ln_networks": (-.2, .15), "ln_gelu": (0, .5), "law_base": (45, 10),
          "ln_law_leak": (np.log(18), .8), "law_clock": (5.6, 1.5), "law_exponent": (3, .7)}
ON_CHIP = [name for name in EVENTS if name != "per_dram_byte"]
NAMES = [f"ln_{name}" for name in ENERGIES] + list(OTHERS) + [f"ln_v_{node:.0f}" for node in NODES[:-1]]
T_IDLE, T_PER_WATT, T_REFERENCE = 40.0, .042, 50.0  # temperature of a board that does not state it: about that of the measured ones
IDLE_NOISE, IDLE_READINGS = .5, 6  # W; neighbouring readings are not independent
SLOPE_CHANGE, FALL, FLAT = .35, .02, .05  # smoothness of V(f)
# B200 against GH100 on chip (the study's process and voltage), and in DRAM; deviations in ln.
B200_CHIP, B200_DEVIATION = .448, .3
MEAN_DEVIATION = .03  # error of the mean board: 1.4 to 3.8 % from fits without one source
NOTE = ("fitted to {loads} steady loads and {networks} networks on {boards} boards of this project and {serving} steady states of vLLM "
        "(ml-energy), boards as a population (deviation {tau:.3f} of core power, {idle:.3f} of idle power), 2026-11; "
        "voltage relative to {clock:.0f} MHz, inferred from idle power and loads")


def idle_curve(data):
    """(MHz, W) of an idle H100; below 500 MHz a reading is wrong, above 1875 MHz the clock did not follow."""
    with open(data / "gpus_dvfs.csv", newline="") as file:
        points = [(float(row["freq_mhz"]), float(row["idle_power_w"])) for row in csv.DictReader(file) if row["gpu"] == H100]
    return np.array([point for point in points if 500 <= point[0] <= 1875])


class Fit:
    """Rows as arrays; `theta` holds the values of NAMES."""

    def __init__(self, rows, curve, without=()):
        self.rows, self.curve = [row for row in rows if row.group not in without], curve
        self.power = np.array([row.power for row in self.rows])
        self.clock = np.array([row.clock for row in self.rows])
        warm = np.array([row.temperature for row in self.rows])
        self.temperature = np.where(np.isnan(warm), T_IDLE + T_PER_WATT * self.power, warm)
        self.sigma = np.array([row.sigma for row in self.rows])
        self.rates = np.array([row.rates for row in self.rows])
        self.gelu = np.array([row.gelu for row in self.rows])
        self.network = np.array([row.kind != "load" for row in self.rows])
        self.hbm3e = np.array([row.group.startswith(H200) for row in self.rows])
        groups = {}
        for index, row in enumerate(self.rows):
            groups.setdefault(row.group, (row.gpus, []))[1].append(index)
        self.groups = {name: (gpus, np.array(indices)) for name, (gpus, indices) in groups.items()}
        self.theta = None

    def values(self, theta):
        values = dict(zip(NAMES, theta))
        values["ln_v"] = np.r_[theta[-(len(NODES) - 1):], 0]
        return values

    def voltage(self, values, clock):
        """V(f) / V(1980)."""
        return np.exp(np.interp(clock, NODES, values["ln_v"]))

    def law(self, values, clock):
        v = self.voltage(values, clock) / self.voltage(values, NODES[0])
        return (values["law_base"] + np.exp(values["ln_law_leak"]) * v ** values["law_exponent"]
                + values["law_clock"] * np.asarray(clock) / 1e3 * v ** 2)

    def parts(self, theta):
        """(idle, core, DRAM) power of a mean board in each row, W."""
        values = self.values(theta)
        energies = np.exp([values[f"ln_{name}"] for name in EVENTS])
        rates = self.rates.copy()
        rates[:, TENSOR] *= np.where(self.network, np.exp(values["ln_networks"]), 1)
        rates[:, INSTRUCTION] += self.gelu * (np.exp(values["ln_gelu"]) - 1)
        chip = np.arange(len(EVENTS)) != DRAM
        core = self.voltage(values, self.clock) ** 2 * (rates[:, chip] @ energies[chip]) * 1e-12
        dram = rates[:, DRAM] * energies[DRAM] * np.where(self.hbm3e, np.exp(values["ln_hbm3e"]), 1) * 1e-12
        idle = (values["idle"] + values["leak"] * (self.temperature - T_REFERENCE) + self.law(values, self.clock)
                - self.law(values, TOP))
        return idle, core, dram

    def boards(self, theta):
        """(-ln likelihood, {group: (u, its deviation)})."""
        values = self.values(theta)
        idle, core, dram = self.parts(theta)
        total = np.maximum(idle + core + dram, 1)  # far from the optimum, idle power can be negative
        error = np.log(self.power / total)
        tau, tau_idle = np.exp(values["ln_tau"]), np.exp(values["ln_tau_idle"])
        loss, found = 0.0, {}
        for name, (gpus, rows) in self.groups.items():
            shares = np.stack([core[rows], idle[rows]], 1) / total[rows, None]
            noise = board_events.GROUP_NOISE if gpus > 1 else 0
            prior = np.diag([tau ** 2 / gpus + noise ** 2, tau_idle ** 2 / gpus])
            covariance = np.diag(self.sigma[rows] ** 2) + shares @ prior @ shares.T
            weighted = np.linalg.solve(covariance, error[rows])
            loss += .5 * error[rows] @ weighted + .5 * np.linalg.slogdet(covariance)[1]
            rest = prior - prior @ shares.T @ np.linalg.solve(covariance, shares @ prior)
            found[name] = ((prior @ shares.T @ weighted)[0], rest[0, 0] ** .5)
        return loss, found

    def loss(self, theta):
        values = self.values(theta)
        loss = self.boards(theta)[0]
        loss += sum(.5 * ((values[f"ln_{name}"] - np.log(mean)) / deviation) ** 2 for name, (mean, deviation) in ENERGIES.items())
        loss += sum(.5 * ((values[name] - mean) / deviation) ** 2 for name, (mean, deviation) in OTHERS.items())
        law = (self.law(values, self.curve[:, 0]) - self.curve[:, 1]) / IDLE_NOISE
        loss += .5 * law @ law / IDLE_READINGS
        slope = np.diff(values["ln_v"]) / np.diff(np.log(NODES))
        return (loss + .5 * (np.diff(slope) ** 2).sum() / SLOPE_CHANGE ** 2
                + .5 * (np.minimum(slope, 0) ** 2).sum() / FALL ** 2 + .5 * slope[0] ** 2 / FLAT ** 2)

    def run(self):
        self.theta = np.r_[[np.log(mean) for mean, _ in ENERGIES.values()], [mean for mean, _ in OTHERS.values()],
                           np.interp(NODES[:-1], [510, 1150, TOP], [-.25, -.25, 0])]
        width = np.array([4 * prior[1] for prior in (*ENERGIES.values(), *OTHERS.values())] + [1] * (len(NODES) - 1))
        bounds = list(zip(self.theta - width, self.theta + width))
        for _ in range(2):
            self.theta = minimize(self.loss, self.theta, method="L-BFGS-B", bounds=bounds,
                                  options={"maxiter": 4000, "maxfun": 200000}).x
        return self

    def deviations(self):
        """Standard deviations of `theta`, from the curvature of the loss."""
        step = np.array([{"idle": .3, "leak": .02, "law_base": .2, "law_clock": .05, "law_exponent": .02}.get(name, 2e-3)
                         for name in NAMES])
        count = len(NAMES)
        hessian = np.zeros((count, count))
        for i in range(count):
            for j in range(i, count):
                def at(a, b):
                    moved = self.theta.copy()
                    moved[i] += a * step[i]
                    moved[j] += b * step[j]
                    return self.loss(moved)
                hessian[i, j] = hessian[j, i] = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * step[i] * step[j])
        return np.sqrt(np.abs(np.diag(np.linalg.inv(hessian))))

    def shipped(self, hbm3e=False):
        """Numbers of a coefficient file, without temperature: energies at V(1830) and of networks' operands."""
        values = self.values(self.theta)
        feedback = values["leak"] * T_PER_WATT
        reference = float(self.voltage(values, REFERENCE))
        found = {name: float(np.exp(values[f"ln_{name}"]) * (1 if name == "per_dram_byte" else reference ** 2) / (1 - feedback))
                 for name in EVENTS}
        found["per_tensor_flop"] *= float(np.exp(values["ln_networks"]))
        found["per_dram_byte"] *= float(np.exp(values["ln_hbm3e"])) if hbm3e else 1
        clocks = np.arange(510, TOP + 1, 15.0)
        v = self.voltage(values, clocks) / reference
        law = (self.law(values, clocks) - self.law(values, TOP) + values["idle"]
               + values["leak"] * (T_IDLE - T_REFERENCE)) / (1 - feedback)
        matrix = np.stack([np.ones(len(clocks)), v ** 3, clocks / 1e3 * v ** 2], 1)
        found.update(zip(("idle_base", "idle_voltage", "idle_clock"), np.linalg.lstsq(matrix, law, rcond=None)[0]))
        return found


def with_fitted_curve(text, fit, deviations):
    """`text` with V(f), relative to the reference clock: 1000 mV there."""
    values = fit.values(fit.theta)
    reference, highest, points = fit.voltage(values, REFERENCE), 0.0, []
    for index, node in enumerate(NODES):
        highest = max(highest, float(fit.voltage(values, node) / reference))
        deviation = float(deviations[NAMES.index(f"ln_v_{node:.0f}")]) if node < TOP else 0.0
        points.append(f"<clock = {node:.0f} MHz, voltage = {1000 * highest:.5g} mV"
                      + (f", deviation = {deviation:.2g}>" if deviation else ">"))
    curve = ",\n  voltage = [\n    " + ",\n    ".join(points) + "]"
    return with_field(with_curve(text, curve), "power", "reference_clock", f"{REFERENCE:.0f} MHz")


def with_boards(text, fit):
    """`text` with the deviation between boards."""
    values = fit.values(fit.theta)
    shared = read_all()["shared"]
    lowest = read_field(shared, "boards", "lowest_limit_share")
    block = ('#boards = #gpucost.boards<\n  provenance = "'
             f'{len(fit.groups)} groups of boards with {len(fit.rows)} rows, see power; mean: fits without one source; lowest limit: shared set",\n'
             f"  deviation = {np.exp(values['ln_tau']):.3g}, idle_deviation = {np.exp(values['ln_tau_idle']):.3g}, "
             f"mean_deviation = {MEAN_DEVIATION},\n  lowest_limit_share = {lowest:.3g}>\n\n")
    if "#boards = " in text:
        start, end = block_of(text, "boards")
        return text[:start] + block.rstrip() + text[end + 1:]
    text = text.replace("module attributes {", block + "module attributes {")
    return text.replace(">} {}\n", ",\n  boards = #boards>} {}\n")


def note_of(fit):
    values = fit.values(fit.theta)
    count = {kind: sum(row.kind == kind for row in fit.rows) for kind in ("load", "network", "serving")}
    boards = {row.group for row in fit.rows if row.kind != "serving"}
    return NOTE.format(loads=count["load"], networks=count["network"], serving=count["serving"], boards=len(boards),
                       tau=np.exp(values["ln_tau"]), idle=np.exp(values["ln_tau_idle"]), clock=REFERENCE)


def with_population(text, fit, deviations, stem):
    """`text` of the board `stem` of the die with the mean board's energies."""
    idle_share = IDLE_SHARE.get(stem, 1)
    for field, value in fit.shipped(hbm3e=stem == H200).items():
        idle = field.startswith("idle")
        text = with_field(text, "power", field, f"{value * idle_share:.5g} W" if idle else f"{value:.5g} pJ")
    gelu = read_field(text, "per_element", "gelu") * float(np.exp(fit.values(fit.theta)["ln_gelu"]))
    text = replace_field(text, "per_element", "gelu", gelu)
    text = with_fitted_curve(text, fit, deviations)
    text = with_provenance(text, "power", note_of(fit))
    return with_boards(add_provenance(text, "instructions", f"GELU from steady loads on {len(fit.groups)} groups of boards, 2026-11"), fit)


def with_b200(text, chip, rows):
    """B200's energies: GH100's `chip` ones by process and voltage, DRAM as it is, each times a factor fitted to vLLM's steady
    states on B200."""
    for field in ON_CHIP:
        text = with_field(text, "power", field, f"{chip[field] * B200_CHIP:.5g} pJ")
    energies = np.array([read_field(text, "power", field) for field in EVENTS])
    dram = np.arange(len(EVENTS)) == DRAM
    v = read_field(text, "power", "generic_max")  # V(maximum) / V(reference clock)
    idle = (read_field(text, "power", "idle_base") + read_field(text, "power", "idle_voltage") * v ** 3
            + read_field(text, "power", "idle_clock") * B200_TOP / 1e3 * v ** 2)

    def loss(factors):
        scaled = energies * np.where(dram, np.exp(factors[1]), np.exp(factors[0]) * v ** 2) * 1e-12
        return sum((np.log(row.power / (idle + row.rates @ scaled)) / (row.sigma + (board_events.GROUP_NOISE if row.gpus > 1 else .07))) ** 2
                   for row in rows) + (np.square(factors) / B200_DEVIATION ** 2).sum()
    factors = minimize(loss, np.zeros(2)).x
    print(f"  b200-sxm on chip x {np.exp(factors[0]):.3f}, DRAM x {np.exp(factors[1]):.3f}", flush=True)
    for index, field in enumerate(EVENTS):
        text = replace_field(text, "power", field, energies[index] * np.exp(factors[1 if dram[index] else 0]))
    return add_provenance(text, "power", f"energies of GH100 x {B200_CHIP * np.exp(factors[0]):.3f}, DRAM x {np.exp(factors[1]):.3f}, "
                          f"from {len(rows)} steady states of vLLM on B200 (ml-energy), 2026-11")


def gelu_count(tool, texts):
    """Instructions of a GELU, from the steady loads alone."""
    fit = Fit(board_events.events(tool, 1, None, texts, (H100, H200), None), np.zeros((0, 2))).run()
    return read_field(texts[H100], "per_element", "gelu") * float(np.exp(fit.values(fit.theta)["ln_gelu"]))


def fit_boards(tool, jobs, data, texts):
    """`texts` with the energies of GH100 and B200."""
    rows = board_events.events(tool, jobs, data, texts, (H100, H200), TOP)
    fit = Fit(rows, idle_curve(data)).run()
    deviations = fit.deviations()
    report(fit, deviations)
    changed = {**texts, **{stem: with_population(texts[stem], fit, deviations, stem) for stem in DIE}}
    rows = board_events.serving_events(tool, jobs, data, texts[B200], B200, B200_TOP)
    changed[B200] = with_b200(texts[B200], fit.shipped(), rows)
    return changed


def report(fit, deviations, every=()):
    values = fit.values(fit.theta)
    for name, deviation in zip(NAMES, deviations):
        value = values["ln_v"][NODES.tolist().index(float(name[5:]))] if name.startswith("ln_v_") else values[name]
        text = f"  exp {np.exp(value):.4f}" if name.startswith("ln_") else ""
        print(f"  {name:18s} {value:8.3f} +- {deviation:.3f}{text}")
    for name, (u, deviation) in fit.boards(fit.theta)[1].items():
        print(f"  {name:40s} n {len(fit.groups[name][1]):3d}  core {100 * u:+5.1f} +- {100 * deviation:.1f} %")
    for group in sorted({(row.group if row.kind != "serving" else "serving", row.kind) for row in every or fit.rows}):
        chosen = [row for row in every or fit.rows if (row.group if row.kind != "serving" else "serving", row.kind) == group]
        error = errors(fit, chosen)
        print(f"  {group[0]:20s} {group[1]:8s} n {len(chosen):3d}  mean board {np.abs(error).mean():5.1f} %  bias {error.mean():+5.1f} %")


def errors(fit, rows):
    """Signed errors of a mean board in percent."""
    part = Fit(rows, fit.curve)
    return 100 * (sum(part.parts(fit.theta)) / part.power - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", nargs="+", default=[])
    parser.add_argument("--rows", action="store_true")
    args = parser.parse_args()
    rows = board_events.events(args.tool, args.jobs, args.data, read_all(), (H100, H200), TOP)
    fit = Fit(rows, idle_curve(args.data), args.without).run()
    report(fit, fit.deviations(), rows)
    if args.rows:
        for row, error in zip(rows, errors(fit, rows)):
            print(f"  {row.group:24s} {row.kind:8s} {row.name[:60]:60s} {row.clock:5.0f} MHz {row.power:4.0f} W {error:+6.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
