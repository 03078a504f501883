# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of docs/Accuracy.md, as SVG; the same rows give the same bytes. Needs Matplotlib."""
import math
import statistics

from e2e_report import kind
from e2e_rows import errors
from error_statistics import Errors

# Whole models of these sources are used in fits; the other sources are not.
FITTED = ("energaizer", "zeus")
LEVELS = [x / 100 for x in range(10, 100, 5)]


def _pyplot():
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "gpu-cost-opt", "svg.fonttype": "none", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
                                "grid.alpha": 0.3, "figure.constrained_layout.use": True})
    from matplotlib import pyplot
    return pyplot


def by_source(pyplot, results):
    """A box of signed time errors per source and mode."""
    names = sorted({kind(r.row) for r in results})
    groups = [errors([r for r in results if kind(r.row) == name], "time") for name in names]
    figure, axes = pyplot.subplots(figsize=(7, 3.2))
    axes.boxplot(groups[::-1], orientation="horizontal", whis=(5, 95), showfliers=False,
                 tick_labels=[f"{name} ({len(part)}): {Errors(part).mean:.1f} %"
                              for name, part in zip(names, groups)][::-1])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("predicted / measured time - 1, percent; box: half of the rows, whiskers: 90 %")
    return figure


def measured_predicted(pyplot, results):
    """Time, power and energy of every row against its label; points as pixels, not as data."""
    figure, all_axes = pyplot.subplots(1, 3, figsize=(10, 3.4))
    for axes, what, unit in zip(all_axes, ("time", "power", "energy"), ("ms", "W", "J")):
        for index, source in enumerate(sorted({r.row["source"] for r in results})):
            part = [r for r in results if r.row["source"] == source and r.label[what]]
            if part:
                axes.plot([r.label[what] for r in part], [r.predicted(what) for r in part], ".", markersize=4,
                          color=f"C{index}", alpha=0.7, label=source, rasterized=True)
        ends = axes.get_xlim()
        low, high = max(ends[0], min(r.label[what] for r in results if r.label[what])), ends[1]
        axes.plot([low, high], [low, high], color="black", linewidth=0.8)
        axes.set(xscale="log", yscale="log", xlabel=f"measured {what}, {unit}", ylabel=f"predicted {what}, {unit}")
    all_axes[0].legend(fontsize=7)
    return figure


def shares_inside(results, what):
    """[share of rows inside the interval at each level in LEVELS]; [] if no row has an interval. The 80 %
    interval is assumed to be lognormal."""
    scores = []
    for result in results:
        field, unit = {"time": ("time", "ms"), "power": ("avg_power", "w"), "energy": ("energy", "j")}[what]
        high = result.report["iteration"].get(f"{field}_high_{unit}")
        if result.label[what] and high:
            predicted = result.predicted(what)
            scores.append(abs(math.log(result.label[what] / predicted)) / math.log(high / predicted))
    normal = statistics.NormalDist()
    reach = [normal.inv_cdf((1 + level) / 2) / normal.inv_cdf(0.9) for level in LEVELS]
    return [sum(score <= limit for score in scores) / len(scores) for limit in reach] if scores else []


def reliability(pyplot, results):
    """Fraction of rows covered by the intervals, against the nominal level."""
    figure, all_axes = pyplot.subplots(1, 2, figsize=(7, 3.4), sharey=True)
    for axes, fitted in zip(all_axes, (True, False)):
        part = [r for r in results if (r.row["source"] in FITTED) == fitted]
        for what in ("time", "power", "energy"):
            shares = shares_inside(part, what)
            if shares:
                axes.plot([100 * x for x in LEVELS], [100 * x for x in shares], ".-", label=what)
        axes.plot([0, 100], [0, 100], color="black", linewidth=0.8)
        axes.set(title="sources in the fit" if fitted else "sources in no fit", xlabel="interval, percent",
                 xlim=(0, 100), ylim=(0, 100))
        axes.legend()
    all_axes[0].set_ylabel("rows inside, percent")
    return figure


FIGURES = {"error-by-source": by_source, "measured-predicted": measured_predicted, "reliability": reliability}


def write(results, folder):
    """Writes FIGURES from rows without a doubtful label."""
    pyplot = _pyplot()
    folder.mkdir(exist_ok=True)
    results = [r for r in results if not r.caveat]
    for name, draw in FIGURES.items():
        figure = draw(pyplot, results)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)
