#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the causal attention of each serving stack to measured tables.

  fit_stacks.py --measurements TABLE.csv.gz [--gpu l40s] [--set triton] [--folds 5] [--apply]

Like fit_kernels.py, with one set for all releases that share it (study_stacks.py).
The table has the columns stack and version; the cache that its runs write is part of
the query. Files of other boards with the same die receive the same values. Requires
NumPy and SciPy.
"""
import argparse
import pathlib
import sys
import zlib

import numpy as np

import fit_kernels
from coefficient_files import TOOL, add_provenance, copied, joint_priors, read_all, write_all
from error_statistics import Errors
from study_stacks import STACKS

# Boards of one die: the measured board, and the boards that follow it.
BOARDS = {
    "a100-sxm-80gb": ("a100-sxm-40gb", "a100-pcie-80gb", "a100-pcie-40gb"),
    "h100-sxm-80gb": ("h100-pcie-80gb",), "h200-sxm": (), "l40s": (),
}


def sets_of(gpu):
    """{causal set: [(software, head dimensions that use it, head dimensions that do not)]} of a board; none:
    all
    dimensions."""
    found = {}
    for software, causal, dims, _, _ in STACKS[gpu]:
        special = tuple(dim for one in dims.values() for dim in one)
        if causal:
            found.setdefault(causal, []).append((software, (), special))
        for name, own in dims.items():
            found.setdefault(name, []).append((software, own, ()))
    return found


class StackFit(fit_kernels.AttentionFit):
    """Prompts of the releases that share a set."""
    family = "attention, prefill"

    def __init__(self, tool, measurements, gpu, name, texts):
        self.group, self.users = f"causal_{name}", sets_of(gpu)[name]
        self.flags = (f"--software={self.users[0][0]}",)
        # A release without a separate set uses the set of its product.
        self.known = {software for software, *_ in STACKS[gpu]}
        super().__init__(tool, measurements, gpu, texts)

    def parameters_of(self):
        return joint_priors(self.tool, fit_kernels.PREFILL_GROUP)

    def wanted(self, rows):
        def runs(row, query):
            software = row["software"]
            if software not in self.known:
                software = next(name for name in ("vllm", "sglang", "tensorrt-llm") if software.startswith(name))
            return any(software == user and (not own or query["head_dim"] in own)
                       and query["head_dim"] not in special for user, own, special in self.users)
        return [(row, query) for row, query in rows if runs(row, query)]


def with_stack(texts, gpu, group, text):
    """`texts` with `text` for `gpu`, and its `group` for the other boards of the die."""
    fields = joint_priors(TOOL, fit_kernels.PREFILL_GROUP)
    return {**texts, gpu: text, **{stem: copied(texts[stem], text, group, fields) for stem in BOARDS[gpu]}}


def fit_stacks(tool, measurements, texts, gpus=tuple(BOARDS), only="", folds=0):
    """`texts` with the causal sets of `gpus` fitted to the table."""
    for gpu in gpus:
        for name in sets_of(gpu):
            if only not in ("", name):
                continue
            kernels = StackFit(tool, measurements, gpu, name, texts)
            everything = kernels.everything()
            before = Errors(kernels.errors(kernels.start, everything)).mean
            found = kernels.fit(kernels.sample(everything, fit_kernels.ROWS))
            after = Errors(kernels.errors(found, everything)).mean
            print(f"  {gpu} {name}: {len(everything)} rows, {before:.1f} % before, {after:.1f} % in fit", flush=True)
            if folds:
                fold = np.array([zlib.crc32(repr(shape).encode()) % folds for shape in kernels.shapes])
                fit_kernels.describe(f"held out, {folds} folds", np.concatenate([
                    kernels.errors(kernels.fit(kernels.sample(everything[fold != f], fit_kernels.ROWS)),
                                   everything[fold == f]) for f in range(folds)]))
            if after < before:
                note = (f"refitted on {min(len(everything), fit_kernels.ROWS)} rows of aiconfigurator by stack, "
                        f"{after:.1f} % in fit, 2026-11")
                text = add_provenance(kernels.file(found), kernels.group, note)
                texts = with_stack(texts, gpu, kernels.group, text)
    return texts


def with_committed_stacks(texts, committed):
    """`texts` with the causal sets of `committed`."""
    texts, fields = dict(texts), joint_priors(TOOL, fit_kernels.PREFILL_GROUP)
    for gpu, stems in BOARDS.items():
        for stem in (gpu, *stems):
            for name in sets_of(gpu):
                texts[stem] = copied(texts[stem], committed[stem], f"causal_{name}", fields)
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measurements", required=True, type=pathlib.Path)
    parser.add_argument("--gpu", choices=BOARDS)
    parser.add_argument("--set", default="")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--apply", action="store_true")
    args = parser.parse_args()
    before = read_all()
    texts = fit_stacks(args.tool, args.measurements, before, (args.gpu,) if args.gpu else tuple(BOARDS), args.set,
                       args.folds)
    changed = {stem: text for stem, text in texts.items() if args.apply and text != before[stem]}
    write_all(changed)
    for stem in changed:
        print(f"wrote {stem}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
