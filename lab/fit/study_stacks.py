# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assigns attention sets of the study to serving stacks and dies: releases whose tables agree share a set.

Attention of one new token (decode) and of a prompt (causal), fitted per stack and version on aiconfigurator's tables.
"""

# Measured board by die; dies without one have no separate sets for serving
# stacks.
MEASURED = {"A100": "a100-sxm-80gb", "H100": "h100-sxm-80gb", "H100-PCIe": "h100-sxm-80gb", "H200": "h200-sxm",
            "L40S": "l40s"}
TRANSFERRED = {"H100-PCIe": "H100 SXM"}
# The common decode set of each die, for software without a table: board, set, source die.
COMMON = {"A100": ("a100-sxm-80gb", "single", ""), "H100": ("h100-sxm-80gb", "single", ""),
          "H100-PCIe": ("h100-sxm-80gb", "single", "H100 SXM"), "H200": ("h200-sxm", "single", ""),
          "L40S": ("l40s", "single", "")}
COMMON.update(dict.fromkeys(("L4", "GA102", "RTX6000"), ("l40s", "single", "L40S")))
COMMON.update(dict.fromkeys(("V100", "T4", "TU102"), ("a100-sxm-80gb", "single", "A100")))

# (software, causal set, {causal set: head dimensions that use it instead}, likewise for
# decode).
HOPPER = (
    ("vllm", "vllm_b", {"vllm512": (512,)}, "fa3b", {"fa4_512": (512,)}),
    ("vllm-0.19", "vllm_a", {"vllm512": (512,)}, "fa3a", {"fa4_512": (512,)}),
    ("sglang", "sglang", {"sglang192": (192,), "triton512": (512,)}, "fa3a", {"triton512": (512,)}),
    ("sglang-0.5.9", "sglang", {}, "fa3b", {}),
    ("sglang-0.5.6", "sglang056", {}, "sglang056", {}),
    ("tensorrt-llm", "trtllm", {}, "trtllm", {}),
    ("tensorrt-llm-1.3rc10", "trtllm", {}, "trtllm_old", {}),
    ("tensorrt-llm-1.2", "trtllm12", {}, "trtllm_old", {}),
)
STACKS = {
    "a100-sxm-80gb": (
        ("vllm", "vllm", {}, "vllm", {}),
        ("sglang", "sglang", {}, "sglang", {}),
        ("tensorrt-llm", "trtllm", {}, "trtllm_old", {}),
    ),
    "h100-sxm-80gb": HOPPER,
    "h200-sxm": HOPPER,
    "l40s": (
        ("vllm", "vllm_b", {"vllm192": (192,)}, "vllm", {}),
        ("vllm-0.19", "vllm_a", {"vllm192": (192,)}, "", {}),
        ("sglang", "sglang_fi", {"triton": (64, 192)}, "flashinfer", {"triton": (64, 192)}),
        ("sglang-0.5.9", "sglang059", {}, "sglang059", {}),
        ("sglang-0.5.10", "sglang059", {}, "sglang059", {}),
        ("sglang-0.5.12", "", {}, "sglang0512", {}),
        ("tensorrt-llm", "trtllm", {"trtllm192": (192,)}, "trtllm", {}),
        ("tensorrt-llm-1.3rc10", "trtllm_old", {"trtllm192": (192,)}, "trtllm_old", {}),
        ("tensorrt-llm-1.2", "trtllm_old", {"trtllm192": (192,)}, "trtllm_old", {}),
    ),
}
# Causal sets missing from the study start from one of its sets; fit_stacks.py fits them.
STARTS = {"vllm512": "vllm_b", "triton512": "sglang", "trtllm12": "trtllm", "triton": "sglang_fi",
          "sglang192": "sglang", "vllm192": "vllm_a", "trtllm192": "trtllm"}
KERNELS = {"fa": "packed", "fa2": "flash_attention2", "triton": "triton", "fi": "flashinfer", "xqa": "xqa"}
# Weight of whole waves by kernel; other kernels balance their CTAs.
WAVES = {"fa": 0.4, "fa2": 0.4, "triton": 0.4, "xqa": 0.0, "fi": 0.0}
NOTES = {
    "single": "one set on the median of all stacks",
    "fa4_512": "FlashAttention-4, about 50 %: its path changes with the batch",
    "trtllm_old": "tables before 1.3.0rc20, which read half of the cache (D7)",
}


def decode_set(study, board, name, transferred, dims=()):
    """Parameters of `name` by their symbols in Coefficients.def."""
    p = {**study["shared"], **study["stacks"][board][name]}
    kernel = KERNELS[p["kind"]]
    if name == "single" and kernel == "xqa":  # no library's rule
        kernel = "fastest_xqa"
    if p["kind"] == "triton":  # never splits
        p["sm"] = 1.0
    note = NOTES.get(name, f"set '{name}'")
    return dict(p=dict(p, xw=WAVES[p["kind"]]), kernel=kernel, dims=dims,
                source=(f"fit on aiconfigurator decode tables by stack, {board}; {note}", transferred))


def common_decode(study, die):
    board, name, transferred = COMMON[die]
    return decode_set(study["decode"], board, name, transferred)


def causal_set(study, board, name, transferred, common, dims=()):
    """A causal set of the study; `common` contains the values common to all sets
    of the die."""
    start = STARTS.get(name, name)
    p = study["prefill"]["stacks"][f"{board}/{start}"]
    tiles = study["tensorcore"]["attention"]["tiles"][p["kern"]]
    if p["pad192"]:  # runs as the next size
        tiles = {dim: tile for dim, tile in tiles.items() if int(dim) != 192}
    return dict(common, p=p, tiles=tiles, pack=bool(p["pack"]), split=True, rewrites=bool(p["qcopy"]), dims=dims,
                source=(f"fit on aiconfigurator prefill tables by stack, {board}; set '{start}'", transferred))


def stacks(study, die, common):
    """The contents of `attention_stacks` of a die, or None: its sets by name, and the sets of
    each release."""
    board = MEASURED.get(die)
    if board is None:
        return None
    transferred, sets, rows = TRANSFERRED.get(die, ""), {}, []

    def causal_of(name, dims=()):
        sets[f"causal_{name}"] = causal_set(study, board, name, transferred, common, dims)
        return f"causal_{name}"

    def decode_of(name, dims=()):
        sets[f"decode_{name}"] = decode_set(study["decode"], board, name, transferred, dims)
        return f"decode_{name}"

    for software, causal, causal_dims, decode, decode_dims in STACKS[board]:
        row = {"software": software, "causal_of_dims": [causal_of(*one) for one in causal_dims.items()],
               "decode_of_dims": [decode_of(*one) for one in decode_dims.items()]}
        if causal:
            row["causal"] = causal_of(causal)
        if decode:
            row["decode"] = decode_of(decode)
        rows.append(row)
    return dict(sets=sets, rows=rows)
