# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits to the project's measurements (lab/measurements): functions of refit.py.

`gpu-cost-opt calibrate` fits each board's kernels with the given coefficients as prior;
coefficients determined by larger tables of the same die or by whole models are not changed.
Measured models are not an input; they validate the result (utils/validate.py measured).
fit_boards.py fits event energies.
"""
import pathlib
import re
import subprocess
import tempfile

from coefficient_files import add_provenance, as_own, fields_of, with_fields, with_number

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASUREMENTS = ROOT / "lab" / "measurements"
ATTENTION = ("softmax_cycles", "prologue_cycles", "wave_fraction", "causal_tail", "fixed_time", "backward_slowdown",
             "backward_prologue", "backward_time")
# Groups and fields that are fitted.
KERNELS = {
    "streaming": ("dram_efficiency", "l2_bytes_per_clock", "issue_scale", "broadcast_slots", "latency", "softmax_row0",
                  "softmax_row1", "norm_row0", "norm_row1"),
    "simt_linear": ("emax", "k0", "dram_efficiency", "l2_bytes_per_clock", "saturation_warps", "latency"),
    "simt_batched": ("emax", "k0", "dram_efficiency", "l2_bytes_per_clock", "saturation_warps", "latency"),
    "tensor_gemm": ("misaligned_efficiency", "convolution_efficiency", "weight_gradient_efficiency", "window_cycles",
                    "single_loads"),
    "simt_conv": ("k0", "saturation_warps", "dram_efficiency", "l2_bytes_per_clock", "implicit_efficiency",
                  "fused_efficiency", "non_fused_efficiency", "fused_prologue", "filter_passes", "transform_latency"),
    "attention_cudnn": ("efficiency", *ATTENTION),
    "attention_flash2": ("efficiency", *ATTENTION),
    "attention_fp32": ATTENTION,
}
# Likewise groups of shared.mlir, which has the values of SHARED_BOARD.
REFINEMENTS = {
    "column_sum": ("split_time", "part_cycles"),
    "row_norm": ("layer_step", "rms_row", "rms_columns", "rms_step", "single_row", "single_step"),
    "random_numbers": ("element_cycles",),
}
SHARED_BOARD = "h100-sxm-80gb"
FITTED = {**KERNELS, **REFINEMENTS}
# Folder: files and groups that use it.
BOARDS = {
    "h100-sxm-80gb": {"h100-sxm-80gb": FITTED, "h100-pcie-80gb": KERNELS},
    "h200-sxm": {"h200-sxm": FITTED},
}
# Files whose groups fits on whole models do not change.
MEASURED = {(stem, group) for stems in BOARDS.values() for stem, groups in stems.items() for group in groups}
NOTE = "fitted to this project's measurements of {}, 2026-11"
# Rates of Hopper that are not fitted: batch normalization with 64 channels, from 0.66 (bf16) to 1.0 (fp32) elements per
# clock and CTA; layout conversions, NCHW minus channels last (0.45 to 0.58 cycles per element of large images), and
# batch norms with fixed statistics, 7x7 and 14x14 (165 to 186 cycles per channel of an image); conversions of one group of
# NCHW images, from the time that those of RegNetY take longer than conversions of whole images (lab/Findings.md).
FIXED = {"streaming": {"channel_cta_accesses": 0.75, "layout_cycles": 0.49, "plane_cycles": 165,
                       "slice_cycles": 0.8}}
# Starting values of the fits, independent of the file, so that a fit does not start from its
# previous result.
STARTS = {
    "tensor_gemm": {"misaligned_efficiency": 0.44, "convolution_efficiency": 0.7, "weight_gradient_efficiency": 0.7,
                    "window_cycles": 0.2, "single_loads": 1},
    "simt_conv": {"implicit_efficiency": 0.5, "saturation_warps": 4, "k0": 5, "fused_efficiency": 0.5,
                  "non_fused_efficiency": 0.6, "l2_bytes_per_clock": 30, "transform_latency": 10},
    "column_sum": {"split_time": 5, "part_cycles": 455},
    "row_norm": {"layer_step": 1000, "rms_row": 140, "rms_columns": 100, "rms_step": 600, "single_row": 1230,
                 "single_step": 255},
    "random_numbers": {"element_cycles": 0.165},
}
# (C9) Where cuDNN runs Winograd on Hopper: the smallest sizes of the fp32 rows whose rates exceed an implicit product.
WINOGRAD = {"simt_conv": {"winograd_images": 32, "winograd_pixels": 25088, "winograd_channels": 128}}
UNITS = {"fJ": 1e-3, "pJ": 1.0, "nJ": 1e3, "ns": 1e-3, "us": 1.0, "ms": 1e3}


def read_quantity(text, group, field):
    """A number of a file that `calibrate` wrote, in the units of the coefficient files (us, pJ)."""
    block = text[text.index(f"#{group} = "):]
    found = re.search(rf"\b{field} = (-?[0-9.]+(?:e[-+]?[0-9]+)?)(?: ([fpnum][Js]))?", block)
    return float(found[1]) * UNITS.get(found[2], 1.0)


def with_numbers(text, groups):
    """`text` with the numbers {group: {field: value}}."""
    for group, values in groups.items():
        for field, value in values.items():
            text = with_number(text, group, field, value)
    return text


def started(text):
    """`text` with the starting values of the fits."""
    return with_fixed(with_numbers(text, STARTS))


def with_fixed(text):
    """`text` with the numbers that are not fitted."""
    return with_numbers(text, {**FIXED, **WINOGRAD})


def calibrated(tool, board, text):
    """The file that `calibrate` writes for the measurements of `board` with the coefficients `text` as
    prior."""
    with tempfile.TemporaryDirectory() as folder:
        prior, fitted = pathlib.Path(folder, "prior.mlir"), pathlib.Path(folder, "fitted.mlir")
        prior.write_text(text)
        kept = [f"{group}.{field['name']}" for group, fields in FITTED.items()
                for field in fields_of(tool, group) if field["name"] not in fields]
        done = subprocess.run([tool, "calibrate", f"--measurements={MEASUREMENTS / board}", f"--target={board}",
                               f"--coefficients={prior}", "--folds=0", f"--keep={','.join(kept)}", "-o", str(fitted)],
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"fit_measured.py: {done.stderr.strip()}")
        return fitted.read_text()


def with_shared(texts, shared):
    """The text `shared` of shared.mlir with the refinements of SHARED_BOARD."""
    for group, fields in REFINEMENTS.items():
        shared = with_fields(shared, texts[SHARED_BOARD], group, fields)
    return shared


def fit_measured(tool, texts):
    """`texts` with coefficients fitted to the project's measurements."""
    changed = dict(texts)
    for board, stems in BOARDS.items():
        found = calibrated(tool, board, started(texts[board]))
        for stem, groups in stems.items():
            text = as_own(with_fixed(changed[stem]), "simt_conv")
            for group, fields in groups.items():
                for field in fields:
                    text = with_number(text, group, field, read_quantity(found, group, field))
                text = add_provenance(text, group, NOTE.format(board))
            changed[stem] = text
    return changed
