# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assigns numbers of the schedule study to dies (groups simt_schedule, tensor_schedule).

The terms of a schedule are common to all GPUs; only the path from L2 to an SM differs and, on Turing, the shared
memory that two CTAs can use together. A die without measured schedules uses the rates of the nearest die and is
not `validated`.
"""

GROUPS = ("simt_schedule", "tensor_schedule")
# Coefficient file: (board of the study whose rates it uses, measured on this die or generation).
SIMT = {
    "a10": ("rtx-3090", True), "a40": ("rtx-3090", True),
    **{f"a100-{board}": ("a100-pcie-40gb", True) for board in ("pcie-40gb", "pcie-80gb", "sxm-40gb", "sxm-80gb")},
    "b200-sxm": ("a100-pcie-40gb", False), "h100-pcie-80gb": ("a100-pcie-40gb", False),
    "h100-sxm-80gb": ("a100-pcie-40gb", False), "h200-sxm": ("a100-pcie-40gb", False),
    "l4": ("rtx-3090", False), "l40s": ("rtx-3090", False), "rtx-pro-6000": ("rtx-3090", False),
    "p100-pcie-16gb": ("p100-pcie-12gb", False), "p4": ("gtx-1080-ti", True),
    "quadro-rtx6000": ("titan-rtx", True), "t4": ("rtx-2070-super", True),
    "v100-pcie": ("v100-pcie-32gb", False), "v100-sxm": ("v100-pcie-32gb", False),
}
TENSOR = {
    "a10": ("l40s", False), "a40": ("l40s", False),
    **{f"a100-{board}": ("a100-sxm-80gb", True) for board in ("pcie-40gb", "pcie-80gb", "sxm-40gb", "sxm-80gb")},
    "b200-sxm": ("b200-sxm", True), "h100-pcie-80gb": ("h100-sxm-80gb", True),
    "h100-sxm-80gb": ("h100-sxm-80gb", True), "h200-sxm": ("h200-sxm", True),
    "l4": ("l40s", True), "l40s": ("l40s", True), "rtx-pro-6000": ("l40s", False),
    "quadro-rtx6000": ("a100-sxm-80gb", False), "t4": ("a100-sxm-80gb", False),
    "v100-pcie": ("a100-sxm-80gb", False), "v100-sxm": ("a100-sxm-80gb", False),
}
# The study's program states these: share of the DRAM bandwidth, spilled registers at which compilers give up.
SIMT_STATED = {"dram_share": 0.85}
TENSOR_STATED = {"most_spilled": 170}
# Shared memory of a Turing SM is 64 KiB; the study could use 63.
TURING_SHARE = 63 / 64


def provenance(what, board, validated, of):
    text = f"schedule study, fitted on {what}; rates of {board}"
    return text if validated else f"{text}, not validated on {of}"


def simt_set(study, name):
    board, validated = SIMT[name]
    rates = study["simt_gpus"][board]
    share = TURING_SHARE if rates["smem_kb"] == 63 else 1
    return dict(p={**study["simt"], **SIMT_STATED, "l2_bytes": rates["l2_bytes"], "smem_share": share},
                validated=validated,
                provenance=provenance("exhaustive sweeps of one fp32 product", board, validated, name))


def tensor_set(study, name):
    board, validated = TENSOR[name]
    # The study uses nanoseconds; coefficient files are written from seconds.
    values = dict(study["tensor"], **TENSOR_STATED, l2_bytes=study["tensor_gpus"][board]["l2_bytes"])
    for time in ("latency_ns", "fixed_ns"):
        values[time] *= 1e-9
    return dict(p=values, validated=validated,
                provenance=provenance("tuned 8-bit products of block scales", board, validated, name))


def sets_of(study, name):
    """{group: value for generate_from_study.py} of one coefficient file."""
    sets = {"simt_schedule": simt_set(study, name)}
    if name in TENSOR:
        sets["tensor_schedule"] = tensor_set(study, name)
    return sets
