# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coefficients that predict a row: the shipped ones, or refits that leave its model or GPU out.

- committed: the shipped files.
- held-out-model: for each model of a source with a fit (EnergAIzer, Zeus), times and energies are refitted without
  the rows of that model.
- held-out-gpu: refitted without the rows of the board. Parameters that only this board has stay at the
  kernel studies' prior, or transferred; event energies come from the other board by a factor for tensor cores, other
  logic and memory (study_power.py), for the V100 without its factor.

Rows of the other sources are not used in any fit: every protocol predicts them with the shipped files.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROTOCOLS = ("committed", "held-out-model", "held-out-gpu")
FITTED = ("energaizer", "zeus")
# Board -> source of its event energies if it has none, and whether they are multiplied or divided by the factors
# (GA102 relative to GA100).
TRANSFERS = {"a10": ("a100-pcie-40gb", 1), "a100-pcie-40gb": ("a10", -1)}


def transferred(fit_networks, texts, gpu):
    """`texts` in which the energies of `gpu` and related boards come from another
    board."""
    if gpu not in TRANSFERS:
        return texts
    from study_power import GA102_FACTORS, GA102_LOGIC
    origin, exponent = TRANSFERS[gpu]
    values = [value * GA102_FACTORS.get(event, GA102_LOGIC) ** exponent
              for event, value in zip(fit_networks.EVENTS, fit_networks.energies(texts[origin]))]
    return fit_networks.with_energies(texts, fit_networks.POWER_BOARDS[gpu][1], values)


def predict(args, table):
    """([Prediction], skipped) of `table` under `args.protocol`."""
    if args.protocol == "committed":
        return table.predict(args.tool, args.jobs)
    # The code below needs NumPy and SciPy.
    sys.path.insert(0, str(ROOT / "lab" / "fit"))
    import fit_networks
    import refit
    if not args.study:
        raise SystemExit("validate.py: --protocol=held-out-... fits again and needs --study, the folder of the "
                         "studies' parameters")
    field = "model" if args.protocol == "held-out-model" else "gpu"
    data = pathlib.Path(args.measurements).parent
    fit = fit_networks.Fit(data, args.tool, args.jobs)
    start = refit.with_measurements(args.tool, args.jobs, refit.before_networks(args.study, data))
    others = [row for row in table.rows if row["source"] not in FITTED]
    results, skipped = table.predict(args.tool, args.jobs, others)
    known = {}
    for name in sorted({row[field] for row in table.rows if row["source"] in FITTED}):
        rows = [row for row in table.rows if row["source"] in FITTED and row[field] == name]
        print(f"fit without {name}", flush=True)
        texts = fit_networks.fit_all(fit, start, lambda row: row[field] != name, known)
        if field == "gpu":
            texts = transferred(fit_networks, texts, name)
        found, without = fit.predict(rows, texts)
        results += found
        skipped.update(without)
    return results, skipped
