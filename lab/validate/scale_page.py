# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of `validate.py scale --out`: errors of training steps on many GPUs. Sources whose terms keep them out of public
comparisons are left out by the caller."""
import collections
import pathlib
import re
import statistics

from error_statistics import Errors

COEFFICIENTS = pathlib.Path(__file__).resolve().parents[2] / "targets" / "coefficients" / "shared.mlir"
# A median of fewer rows is the row itself.
LEAST_ROWS = 10
HEAD = """# Accuracy of training on many GPUs

Written by `utils/validate.py scale --data FOLDER --out docs/ScaleAccuracy.md`; do not edit. Whole iterations on one node:
[Accuracy.md](Accuracy.md); stacks and plans: [Pipeline.md](Pipeline.md).

Errors of the time of a training step on 4 to 8,192 GPUs against public measurements, in percent: mean, median and 90th percentile of the
absolute error, mean of the signed error. *inside* is the share of rows inside the 80 % interval. *constant MFU* is the mean error of the median
utilisation of the GPU and format, which knows the measurements.

- **dense**: all weights are trained. The levels of the stacks are fitted to these rows (`lab/fit/fit_training.py`): {levels}.
- **MoE**: experts on several GPUs. One number is fitted to Megatron's rows (`lab/fit/fit_experts.py`): {experts}.
- **LoRA**: adapters and frozen weights; nothing is fitted to these rows.
"""


def statistics_of(results):
    errors = Errors(r.error for r in results)
    known = [r.inside for r in results if r.inside is not None]
    inside = f"{100 * sum(known) / len(known):.0f} %" if known else "-"
    return f"{errors.count} | {errors.mean:.1f} | {errors.median:.1f} | {errors.p90:.1f} | {errors.bias:+.1f} | {inside}"


def grouped(results, key):
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result)].append(result)
    return sorted(groups.items())


def table(title, first, results, key, more=lambda part: "", head=""):
    lines = [f"\n## {title}\n", f"| {first} | rows | mean | median | p90 | signed | inside |{head}", "|---|---|---|---|---|---|---|" +
             ("---|" if head else "")]
    lines += [f"| {name} | {statistics_of(part)} |{more(part)}" for name, part in grouped(results, key)]
    return "\n".join(lines) + "\n"


def provenance(group):
    found = re.search(rf'#{group} = #gpucost.\w+<\n  provenance = "([^"]*)"', COEFFICIENTS.read_text())
    return found[1]


def page(results, baselines, losses):
    """Markdown; `baselines(results)` returns the signed errors of a constant MFU and of the peak, `losses` are by source."""
    def constant(part):
        errors, _ = baselines(part)
        return f" {Errors(errors).mean:.1f} |" if len(errors) >= LEAST_ROWS else " - |"

    text = HEAD.format(levels=provenance("training_levels"), experts=provenance("training_experts"))
    text += table("By kind", "kind", results, lambda r: r.step.kind, constant, " constant MFU |")
    text += table("By kind and GPU", "kind, GPU", results, lambda r: f"{r.step.kind}, {r.step.gpu}")
    text += table("By source", "source, kind", results, lambda r: f"{r.step.source}, {r.step.kind}")
    text += ("\n## Choice of a plan\n\nSteps of one model on one cluster under several plans: by how much the plan with the shortest predicted "
             "time is slower than the best\nmeasured one, and how much the mean plan is.\n\n| source | groups | chosen plan | mean plan |\n|---|---|---|---|\n")
    for source, values in sorted(losses.items()):
        chosen, typical = (statistics.mean(each) for each in zip(*values))
        text += f"| {source} | {len(values)} | {chosen:.1f} % | {typical:.1f} % |\n"
    return text
