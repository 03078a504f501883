#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regenerates all coefficient files from the study's parameters and the measurements.

  refit.py --study FOLDER --data FOLDER --check [--quick]
  refit.py --study FOLDER --data FOLDER --apply

Order: the kernel studies' parameters (generate_from_study.py); tensor-core GEMM of REFITTED_GEMM,
CUDA-core GEMM of REFITTED_SIMT, attention of REFITTED_ATTENTION (fit_kernels.py) and of each serving
stack (fit_stacks.py, on Blackwell fit_generated.py); boards measured by the project (lab/measurements, fit_measured.py), and the
transfer to other boards (carry_measured.py); times, then event energies on whole models
(fit_networks.py); the gap between launches (fit_gap.py) and event energies (fit_boards.py) of GH100, energies of
B200 and Ada; the time between steps of a serving loop (fit_serving.py); bounds that keep the order of GPUs (with_bounds);
all-reduces of serving stacks (fit_all_reduce.py) and collectives of large domains (fit_domain.py), which depend on none
of these. --check compares with targets/coefficients and fails if a number differs by more than 1 %; --quick uses the
committed kernel coefficients. Requires NumPy and SciPy.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import fit_all_reduce
import fit_boards
import fit_domain
import fit_error_bars
import fit_gap
import fit_generated
import fit_kernels
import fit_measured
import fit_networks
import fit_serving
import fit_stacks
from carry_measured import carry_energies, carry_gelu, carry_measured, with_bounds
from coefficient_files import TOOL, as_own, copied, joint_priors, read_all, read_field, replace_field, write_all

ROOT = pathlib.Path(__file__).resolve().parents[2]
GEMM_TABLE = "kernels_gemm_bf16_aiconfigurator.csv.gz"
SIMT_TABLE = "kernels_gemm_neusight.csv.gz"
CONV_TABLE = "kernels_conv_neusight.csv.gz"
PREFILL_TABLE = "kernels_attention_context_bf16_aiconfigurator.csv.gz"
STACK_TABLE = "kernels_attention_context_bf16_by_stack.csv.gz"
# Measured board: files that use its tensor-core matmuls. Fits on whole models do not change coefficients from a
# table of the die.
REFITTED_GEMM = {
    "a100-sxm-80gb": ("a100-sxm-80gb", "a100-sxm-40gb", "a100-pcie-80gb", "a100-pcie-40gb"),
    "h100-sxm-80gb": ("h100-sxm-80gb",),
    "h200-sxm": ("h200-sxm",),
    "l40s": ("l40s",),
}
# Boards whose matmuls represent other boards: the refit scales those boards by the same factor.
CARRIED_GEMM = {
    "a100-sxm-80gb": ("quadro-rtx6000", "t4", "v100-pcie", "v100-sxm"),
    "h100-sxm-80gb": ("h100-pcie-80gb",),
    "l40s": ("a10", "a40", "l4", "rtx-pro-6000"),
}
# Likewise for CUDA-core matmuls.
REFITTED_SIMT = {
    "p100-pcie-16gb": ("p100-pcie-16gb",),
    "p4": ("p4",),
    "t4": ("t4",),
    "a100-pcie-80gb": ("a100-pcie-80gb", "a100-sxm-80gb"),  # before its 40 GB board (OF_DIE)
    "a100-pcie-40gb": ("a100-pcie-40gb", "a100-sxm-40gb"),
}
# Likewise for fp32 convolutions: the study's set of the A100 fills an SM with 26 warps, which few CTAs never reach.
# Other Ampere and Ada boards use the same. Hopper's networks train more exactly with the study's (H200 4.5 %, then 6.2 %).
REFITTED_CONV = {
    "a100-pcie-80gb": ("a100-pcie-80gb", "a100-sxm-80gb", "a100-pcie-40gb", "a100-sxm-40gb", "a10", "a40", "l4", "l40s",
                       "rtx-pro-6000"),
}
# Likewise for the causal attention common to all serving stacks.
REFITTED_ATTENTION = {
    "a100-sxm-80gb": ("a100-sxm-80gb", "a100-sxm-40gb", "a100-pcie-80gb", "a100-pcie-40gb"),
    "h100-sxm-80gb": ("h100-sxm-80gb", "h100-pcie-80gb"),
    "h200-sxm": ("h200-sxm",),
    "l40s": ("l40s",),
}
# Kind of fit, table, group, board -> files.
FITS = (
    ("linear", GEMM_TABLE, fit_kernels.GROUP, REFITTED_GEMM),
    ("linear-fp32", SIMT_TABLE, fit_kernels.SIMT_GROUP, REFITTED_SIMT),
    # The study's sets predict the tables of other boards better: P100 3.3 %, refitted 4.7; A100 40 GB 3.7 and 7.1.
    ("batched-fp32", SIMT_TABLE, fit_kernels.BATCHED_GROUP, {"t4": ("t4",)}),
    ("conv-fp32", CONV_TABLE, fit_kernels.CONV_GROUP, REFITTED_CONV),
    ("prefill", PREFILL_TABLE, fit_kernels.PREFILL_GROUP, REFITTED_ATTENTION),
)
TOLERANCE = 0.01
DISPATCHED = 10  # us: a latency above this contains the dispatch of the tables
NUMBER = re.compile(r"(\b\w+) = (-?[0-9.]+(?:e-?[0-9]+)?)")


def study_texts(study):
    """{stem: text} from the studies only; the latency of products on CUDA cores, which the study fitted with the dispatch
    on some boards, is then the prior."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, str(ROOT / "lab" / "fit" / "generate_from_study.py"), str(study), folder],
                       check=True)
        texts = read_all(folder)
    for group in (fit_kernels.SIMT_GROUP, fit_kernels.BATCHED_GROUP):
        value = joint_priors(TOOL, group)["latency"][0]
        for stem, text in texts.items():
            if f"#{group} = " in text and read_field(text, group, "latency") > DISPATCHED:
                texts[stem] = replace_field(text, group, "latency", value)
    return texts


def carried(texts, before):
    """`texts` in which boards without a matmul table follow the board that represents them
    (CARRIED_GEMM)."""
    group, changed = fit_kernels.GROUP, dict(texts)
    for origin, stems in CARRIED_GEMM.items():
        for name in joint_priors(TOOL, group):
            factor = read_field(texts[origin], group, name) / read_field(before[origin], group, name)
            for stem in stems:
                value = read_field(before[stem], group, name) * factor
                changed[stem] = replace_field(changed[stem], group, name, value)
    return changed


def with_full_attention(texts, before):
    """`texts` in which full attention follows causal attention if it was not measured separately in
    `before`."""
    changed = dict(texts)
    for stem in {stem for stems in REFITTED_ATTENTION.values() for stem in stems}:
        def values(text, group):
            return {name: read_field(text, group, name) for name in joint_priors(TOOL, fit_kernels.PREFILL_GROUP)}
        if values(before[stem], "attention_full") == values(before[stem], fit_kernels.PREFILL_GROUP):
            for name, value in values(texts[stem], fit_kernels.PREFILL_GROUP).items():
                changed[stem] = replace_field(changed[stem], "attention_full", name, value)
    return changed


def fitted_kernels(args, texts):
    """`texts` with coefficients fitted to kernel tables."""
    before = texts
    for kind, table, group, boards in FITS:
        for gpu, stems in boards.items():
            if die := fit_kernels.OF_DIE.get((group, gpu)):
                emax = min(1.0, read_field(texts[die], group, "emax"))
                texts = {**texts, gpu: replace_field(texts[gpu], group, "emax", emax)}
            texts = fit_kernels.fit_kernels(kind, args.tool, args.data / table, gpu, texts)
            own = as_own(texts[stems[0]], group)
            texts = {**texts, stems[0]: own}
            for stem in stems[1:]:
                texts = {**texts, stem: copied(texts[stem], own, group, joint_priors(TOOL, group))}
    texts = fit_stacks.fit_stacks(args.tool, args.data / STACK_TABLE, texts)
    texts = fit_generated.fit_generated(args.tool, args.data, args.jobs, texts)
    return with_full_attention(carried(texts, before), before)


def with_committed_kernels(texts, committed):
    """`texts` with the same coefficients as in `committed`."""
    before, texts = texts, dict(texts)
    for _, _, group, boards in FITS:
        parameters = joint_priors(TOOL, group)
        for gpu, stems in boards.items():
            texts[stems[0]] = as_own(texts[stems[0]], group)
            for stem in stems:
                texts[stem] = copied(texts[stem], committed[stem], group, parameters)
    texts = fit_stacks.with_committed_stacks(texts, committed)
    texts = fit_generated.with_committed_generated(texts, committed)
    return with_full_attention(carried(texts, before), before)


def before_networks(study):
    """{stem: text} before the fits on whole models and on the project's measurements."""
    return with_committed_kernels(study_texts(study), read_all())


def with_measurements(tool, jobs, texts):
    """`texts` with the project's measurements and their transfer to other boards."""
    texts = carry_measured(fit_measured.fit_measured(tool, texts))
    return carry_gelu(texts, fit_boards.DIE, fit_boards.gelu_count(tool, texts))


ERROR_BARS = re.compile(r"#error_bars = .*?>\n\n", re.S)


def with_error_bars(texts, committed):
    """`texts` with the intervals of `committed`, because fit_error_bars.py fits them last."""
    texts = dict(texts)
    for stem in set(texts) & set(committed):
        found = ERROR_BARS.search(committed[stem])
        if found:
            texts[stem] = fit_error_bars.with_block(texts[stem], found[0][:-1])
    return texts


def differences(texts, committed):
    """One line per differing number."""
    # `generate_from_study.py --collectives` writes sets that contain only
    # links.
    committed = {stem: text for stem, text in committed.items() if "#power = " in text}
    found = [f"{stem}: no such file" for stem in sorted(set(texts) ^ set(committed))]
    for stem in sorted(set(texts) & set(committed)):
        new, old = (NUMBER.findall("\n\n".join(sorted(text.split("\n\n")))) for text in (texts[stem], committed[stem]))
        if [name for name, _ in new] != [name for name, _ in old]:
            found.append(f"{stem}: other fields")
            continue
        found += [f"{stem}: {name} = {b}, but the refit yields {a}" for (name, a), (_, b) in zip(new, old)
                  if abs(float(a) - float(b)) > TOLERANCE * max(abs(float(a)), abs(float(b)))]
    return found


def shared_differences(text):
    """One line per number of shared.mlir that the fit to measurements would change."""
    committed = read_all()["shared"]
    return [f"shared: {group}.{field}: the refit yields another number"
            for group, fields in fit_measured.REFINEMENTS.items() for field in fields
            if abs(read_field(text, group, field) / read_field(committed, group, field) - 1) > TOLERANCE]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", required=True, type=pathlib.Path)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--tool", default=str(ROOT / "build" / "bin" / "gpu-cost-opt"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    if args.quick:
        texts = before_networks(args.study)
    else:
        texts = study_texts(args.study)
        print("kernels", flush=True)
        texts = fitted_kernels(args, texts)
    print("own measurements", flush=True)
    texts = with_measurements(args.tool, args.jobs, texts)
    print("whole networks", flush=True)
    texts = fit_networks.fit_all(fit_networks.Fit(args.data, args.tool, args.jobs), texts)
    print("gaps and power measurements", flush=True)
    texts = fit_gap.fit_gap(args.tool, args.jobs, texts)
    texts = fit_boards.fit_boards(args.tool, args.jobs, args.data, texts)
    texts = carry_energies(texts, fit_boards.H100, fit_boards.ON_CHIP)
    print("serving loop", flush=True)
    texts = fit_serving.fit_serving(args.tool, args.data, args.jobs, texts)
    texts = with_error_bars(with_bounds(texts), read_all())
    shared = fit_measured.with_shared(texts, read_all()["shared"])
    if args.check:
        found = differences(texts, read_all()) + shared_differences(shared) + fit_all_reduce.differences(args.tool, args.data) \
            + fit_domain.differences(args.data)
        print("\n".join(found) or "the committed coefficients are reproduced")
        return 1 if found else 0
    write_all({**texts, "shared": shared})
    fit_all_reduce.apply(args.tool, args.data)
    fit_domain.apply(args.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
