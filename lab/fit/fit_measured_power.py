# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Event energies of GH100 from the project's measurements: a function of refit.py.

H100: three kinds of rows, solved together by ridge regression towards the study's energies:
steady loads (lab/measurements, power.csv), GPU-bound models at their measured times, and
models as predicted by the study's energies. The latter represent the models to which the
study was fitted: it determines their total energies, but not the split among events. Loads
determine the split: they require energy per byte between L2 and the SMs, and less energy
per GELU (lab/Findings.md, P5). H200, a later product with the same die and different
memory: separate loads and models, with the result of H100 as the prior. B200 has no
measurements and follows it.
"""
import pathlib
import tempfile

import numpy as np
from scipy.optimize import lsq_linear

from coefficient_files import add_provenance, read_field, replace_field

H100, H200 = "h100-sxm-80gb", "h200-sxm"
# Measured board: files whose energies change by the same factors, of the same die or transferred from it.
FOLLOWERS = {H100: (H100, "h100-pcie-80gb", H200, "b200-sxm"), H200: (H200, "b200-sxm")}
EVENTS = ("per_tensor_flop", "per_fp32_flop", "per_instruction", "per_dram_byte", "per_sm_cycle", "per_l2_byte")
GELU = ("per_element", "gelu")
RIDGE = 0.05
# Models of the study: files, batches, tokens; clock and host launch time of its runs.
STUDY_NETWORKS = ("bert-large", "gpt2")
STUDY_SHAPES = [(batch, length) for batch in (1, 8, 16, 32) for length in (128, 512)]
STUDY_RUN = ("--clock=1830", "--host-launch-us=8.8", "--attention=eager", "--precision-mode=cast", "--runtime=eager")
NOTES = {H100: f"fitted to this project's measurements of {H100} together with the study's networks, 2026-11",
         H200: f"fitted to this project's measurements of {H200}, 2026-11"}


def fields():
    """(group, field) of all fitted coefficients."""
    return [("power", event) for event in EVENTS] + [GELU]


def parts(answers):
    """Idle part and the parts of `fields`, in W or J, from the results of `variants`. GELU
    instructions are a separate part."""
    whole, *without = answers
    found = np.array([whole - other for other in without])
    found[EVENTS.index("per_instruction")] -= found[-1]
    return whole - found.sum(), found


def variants(text):
    """`text`, then one copy per field in `fields` without its energy."""
    return [text] + [replace_field(text, group, field, 0) for group, field in fields()]


def load_rows(tool, board, text):
    """(measured W, idle W, W of each field) for steady loads, at their measured clocks."""
    from validate_measured import kernels
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "coefficients.mlir")

        def powers(variant):
            path.write_text(variant)
            return [(row, watts) for row, family, watts in kernels(tool, board, str(path))[1] if family == "power"]
        answers = [powers(variant) for variant in variants(text)]
    for each in zip(*answers):
        row = each[0][0]
        if row["name"] != "idle":
            yield float(row["power_avg_w"]), *parts([watts for _, watts in each])


def energies_of(tool, jobs, lines, text):
    """[(iteration, [J per variant])] of command lines, without a power limit."""
    from e2e_rows import iterations
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, variant in enumerate(variants(text)):
            paths.append(pathlib.Path(folder, f"{index}.mlir"))
            paths[-1].write_text(variant)

        found = iterations([(*line, f"--coefficients={path}", "--power-limit=10000")
                            for line in lines for path in paths], jobs)
    for start in range(0, len(found), len(paths)):
        several = found[start:start + len(paths)]
        yield several[0], [one["energy_j"] for one in several]


def network_rows(tool, jobs, board, text):
    """Rows of the measured models, over their measured time."""
    from validate_measured import command, measured_networks
    rows = [row for row in measured_networks(tool, jobs)[0]
            if row.board == board and row.on_gpu]
    lines = [command(tool, board, row.row) for row in rows]
    for row, (iteration, joules) in zip(rows, energies_of(tool, jobs, lines, text)):
        seconds = float(row.row["wall_ms" if row.row["runtime"] == "eager" else "gpu_ms"]) * 1e-3
        idle, found = parts(joules)
        yield float(row.row["power_avg_w"]), idle / (iteration["time_ms"] * 1e-3), found / seconds


def study_rows(tool, jobs, text):
    """Rows of the study's models, whose power is predicted with the energies in `text`."""
    models = pathlib.Path(__file__).resolve().parents[2] / "models"
    lines = [(tool, str(models / f"{name}.onnx"), f"--target={H100}-bf16", "--report=json", f"--batch={batch}",
              f"--seq={length}", *STUDY_RUN) for name in STUDY_NETWORKS for batch, length in STUDY_SHAPES]
    l2 = len(EVENTS) - 1
    for iteration, joules in energies_of(tool, jobs, lines, text):
        seconds = iteration["time_ms"] * 1e-3
        idle, found = parts(joules)
        # The study has no such term; its other energies include it.
        yield (joules[0] - found[l2]) / seconds, idle / seconds, found / seconds


def factors_of(rows):
    """Factors on `fields`: ridge regression towards 1."""
    matrix = np.array([found / measured for measured, _, found in rows])
    target = np.array([1 - idle / measured for measured, idle, _ in rows])
    weight, count = RIDGE * len(rows) ** 0.5, len(fields())
    return lsq_linear(np.vstack([matrix, weight * np.eye(count)]),
                      np.concatenate([target, weight * np.ones(count)]), bounds=(0, np.inf)).x


def fit_measured_power(tool, jobs, texts):
    """`texts` with event energies fitted to loads, models and the study together."""
    changed = dict(texts)
    for board, followers in FOLLOWERS.items():
        text = changed[board]
        rows = [*load_rows(tool, board, text), *network_rows(tool, jobs, board, text)]
        if board == H100:
            rows += study_rows(tool, jobs, text)
        for (group, field), factor in zip(fields(), factors_of(rows)):
            print(f"  {board} {group}.{field} x {factor:.4f}", flush=True)
            for stem in followers:
                value = read_field(changed[stem], group, field) * factor
                changed[stem] = replace_field(changed[stem], group, field, value)
        for stem in followers:
            for group in ("power", "instructions"):
                changed[stem] = add_provenance(changed[stem], group, NOTES[board])
    return changed
