#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats all fits in order, and checks or writes the coefficient files.

  refit.py --study FOLDER --data FOLDER --check|--apply [--quick] [--only NAME ...]

First the fits that depend on each other (base): parameters of the kernel studies (generate_from_study.py); tensor-core
GEMM of REFITTED_GEMM, CUDA-core GEMM of REFITTED_SIMT, attention of REFITTED_ATTENTION (fit_kernels.py) and of each
serving stack (fit_stacks.py, on Blackwell fit_generated.py); boards measured by the project (lab/measurements,
fit_measured.py) and the transfer to other boards (carry_measured.py); times, then event energies on whole models
(fit_networks.py); the gap between launches (fit_gap.py), the wait for the optimizer (fit_scaler.py) and event energies
(fit_boards.py) of GH100, energies of B200 and Ada; the time between steps of a serving loop (fit_serving.py); bounds that
keep the order of GPUs (with_bounds); products of GB202 from published rates (fit_published.py). Groups and fields that the
studies do not have stay as they are. Then SCRIPTS, each of which fits groups that no later one reads.

--check compares with targets/coefficients and fails if a number differs by more than 1 %. --quick uses the committed kernel
coefficients and leaves SCRIPTS out. Requires NumPy and SciPy.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import fit_boards
import fit_error_bars
import fit_gap
import fit_generated
import fit_kernels
import fit_measured
import fit_networks
import fit_published
import fit_scaler
import fit_serving
import fit_stacks
import fit_strided
import fit_writes
from carry_measured import carry_energies, carry_gelu, carry_measured, with_bounds
from coefficient_files import TOOL, as_own, copied, differences, joint_priors, read_all, read_field, replace_field, write_all
from study_merge import merged

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
# After them. Those behind REBUILT predict with the coefficients in the tool.
SCRIPTS = ("fit_low_precision", "fit_eight_bit", "fit_encoder", "fit_amd", "fit_mesh", "fit_linear", "fit_mla", "fit_moe",
           "fit_exchange", "fit_quantize", "fit_sparse", "fit_all_reduce", "fit_domain", "fit_training", "fit_experts", "fit_serving_hosts",
           "fit_stack_widths")
REBUILT = "fit_training"
BASE = "base"
DISPATCHED = 10  # us: a latency above this contains the dispatch of the tables


def study_texts(study, data):
    """{stem: text} with the numbers of the studies; the latency of products on CUDA cores, which the study fitted with the dispatch
    on some boards, is then the prior; DRAM rates with inline ECC are fitted."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, str(ROOT / "lab" / "fit" / "generate_from_study.py"), str(study), folder],
                       check=True)
        texts = read_all(folder)
    for group in (fit_kernels.SIMT_GROUP, fit_kernels.BATCHED_GROUP):
        value = joint_priors(TOOL, group)["latency"][0]
        for stem, text in texts.items():
            if f"#{group} = " in text and read_field(text, group, "latency") > DISPATCHED:
                texts[stem] = replace_field(text, group, "latency", value)
    return fit_writes.with_writes(data, merged(read_all(), texts))


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
    texts = fit_strided.with_energy(args.tool, args.data / SIMT_TABLE, texts)
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


def before_networks(study, data):
    """{stem: text} before the fits on whole models and on the project's measurements."""
    return with_committed_kernels(study_texts(study, data), read_all())


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


def fitted_base(args):
    """All coefficient files as the fits before SCRIPTS yield them."""
    committed = read_all()
    print("kernels", flush=True)
    texts = before_networks(args.study, args.data) if args.quick else fitted_kernels(args, study_texts(args.study, args.data))
    print("own measurements", flush=True)
    texts = with_measurements(args.tool, args.jobs, texts)
    print("whole networks", flush=True)
    texts = fit_networks.fit_all(fit_networks.Fit(args.data, args.tool, args.jobs), texts)
    print("gaps and power measurements", flush=True)
    texts = fit_gap.fit_gap(args.tool, args.jobs, texts)
    texts = fit_scaler.with_start(args.tool, args.jobs, texts)
    texts = fit_boards.fit_boards(args.tool, args.jobs, args.data, texts)
    texts = carry_energies(texts, fit_boards.H100, fit_boards.ON_CHIP)
    print("serving loop", flush=True)
    texts = fit_serving.fit_serving(args.tool, args.data, args.jobs, texts)
    print("published rates", flush=True)
    texts = fit_published.with_published(args.tool, with_error_bars(with_bounds(texts), committed))
    return {**committed, **texts, "shared": fit_measured.with_shared(texts, committed["shared"])}


def refit_base(args):
    """Checks or writes the results of the base; returns whether they agree."""
    texts = fitted_base(args)
    if args.apply:
        write_all(texts)
        return True
    found = differences(texts, read_all())
    print("\n".join(found) or "the committed coefficients are reproduced", flush=True)
    return not found


def run_script(args, name):
    """Whether a script of SCRIPTS reproduces its numbers, or has written them."""
    print(name, flush=True)
    if args.apply and name == REBUILT:
        subprocess.run(["cmake", "--build", str(pathlib.Path(args.tool).parents[1]), "--target", "gpu-cost-opt"], check=True)
    action = "--apply" if args.apply else "--check"
    command = [sys.executable, str(ROOT / "lab" / "fit" / f"{name}.py"), "--data", str(args.data), "--tool", args.tool,
               "--jobs", str(args.jobs), action]
    return subprocess.run(command, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", required=True, type=pathlib.Path)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=(BASE, *SCRIPTS), default=[])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    wanted = args.only or ((BASE,) if args.quick else (BASE, *SCRIPTS))
    wrong = [name for name in (BASE, *SCRIPTS) if name in wanted
             and not (refit_base(args) if name == BASE else run_script(args, name))]
    if wrong:
        print(f"refit.py: not reproduced: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
