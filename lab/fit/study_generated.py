# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention sets of the dies whose serving stacks run TensorRT-LLM's generated kernels (Blackwell).

One kernel runs in SGLang, vLLM and TensorRT-LLM, so its numbers are common (SHARED); each stack has other kernels
around it (SURROUND). The numbers here are the study's, the starting points of fit_generated.py.
"""

DIES = {"B200": "b200-sxm"}
# Of the causal set and of decode: what the stacks have in common, in the study's symbols.
SHARED = {"causal": ("e", "ks", "po", "c0", "x", "phi", "ed", "el2", "cl2", "cw"),
          "decode": ("tsp", "ed", "el2", "cl2", "c0", "cq", "cb", "ow", "cd", "po", "lr", "mb", "la", "lk")}
SURROUND = ("t0", "qw", "ck", "cqr", "bl2")
# Place of each stack in the study's lists of starting times: with a 16-bit cache.
STACKS = {"sglang": 0, "vllm": 1, "trtllm": 2}
DECODE_TIME = {"sglang": "t0_0", "trtllm": "t0_2", "vllm": "t0_4"}
# Query rows x KV columns: two softmax groups of 128 rows share a CTA.
TILES = {64: (256, 128), 128: (256, 128), 192: (256, 128), 256: (256, 128), 512: (128, 128)}
TRITON_TILES = {192: (128, 64)}
# The study's softmax cycles include one exponential per score at 16 per clock and SM.
STUDY_EXPONENTIALS = 16
# Energy per FLOP at the power limit, in pJ: 1000 W over 148 SMs x 8192 FLOP at 1850 MHz, close to that of matmuls. The
# study's common set has a third of it, with which the limiter never acts, and is no better. Energy per score in pJ.
ENERGY_PER_FLOP, ENERGY_PER_SCORE = 1000 / (8192 * 148 * 1.85e9) * 1e12, 60
# Shared by all decode sets of the study that do not fit them. The study's exponent of 30 of the L2 hit rate is not
# better than 8.
DECODE = {"pl": 8.0, "ld": 0.5, "xo": 0.4, "xw": 0.4, "sm": 1024.0, "pr": 8.0}
SOURCE = "generated kernels of TensorRT-LLM, one set for all stacks, aiconfigurator attention by stack and format"


def causal_set(p, surround, dims=(), tiles=None, masked=False, source=SOURCE):
    """A causal set from the study's parameters `p`; `surround`: those of the kernels around it, none for the common
    set."""
    values = {symbol: p[symbol] for symbol in SHARED["causal"] if symbol in p}
    values.update(surround, ks=p["ks"] - 1 / STUDY_EXPONENTIALS, xs=1, tsp=2e-6)
    return dict(p=values, tiles=tiles or TILES, relative={512: p["e5"]} if "e5" in p and not dims else {},
                pack=False, split=False, rewrites="qw" in surround, masked=masked, dims=dims,
                e_flop=ENERGY_PER_FLOP, e_score=ENERGY_PER_SCORE, source=(source, ""))


def decode_set(p, fixed_time, kernel="generated", dims=(), source=SOURCE):
    values = {**DECODE, **{symbol: p[symbol] for symbol in (*SHARED["decode"], *DECODE, "tg") if symbol in p}}
    values["pl"] = min(values["pl"], DECODE["pl"])
    if kernel == "generated_or_masked":
        # The study counts the cycles of its single row in c0m.
        values.update(c0m=p["c0m"] - p["cq"], cbm=p["cbm"], t0m=p["t0m"])
    return dict(p=dict(values, t0=fixed_time), kernel=kernel, dims=dims, source=(source, ""))


def groups(study):
    """attention_causal, decode and attention_stacks of a die in DIES; `study`: blackwell/attention_params.json."""
    prompt, decode, sets = study["prefill/any16"], study["decode/any"], {}

    def around(stack):
        return {symbol: prompt[f"{symbol}_{STACKS[stack]}"] for symbol in SURROUND}

    for stack in STACKS:
        kernel = "generated_or_masked" if stack == "trtllm" else "generated"
        sets[f"causal_{stack}"] = causal_set(prompt, around(stack))
        sets[f"decode_{stack}"] = decode_set(decode, decode[DECODE_TIME[stack]], kernel)
    # vLLM's older release runs the same kernels with other ones around them.
    sets["causal_vllm019"] = causal_set(prompt, around("vllm"))
    triton = "Triton in SGLang, aiconfigurator attention by stack and format"
    p = study["prefill/sglang/triton/bf16-bf16/d192"]
    sets["causal_triton192"] = causal_set(p, {symbol: p[symbol] for symbol in SURROUND}, (192,), TRITON_TILES, True, triton)
    p = study["decode/sglang/triton/bf16/d192"]
    sets["decode_triton192"] = decode_set(p, p["t0"], "triton", (192,), triton)
    flashinfer = "FlashInfer in TensorRT-LLM, aiconfigurator attention by stack and format"
    p = study["prefill/trtllm/torch_flow_flashinfer/bf16-bf16"]
    sets["causal_trtllm512"] = causal_set(p, {symbol: p[symbol] for symbol in SURROUND}, (512,), None, False, flashinfer)
    p = study["decode/trtllm/torch_flow_flashinfer/bf16"]
    sets["decode_trtllm512"] = decode_set(p, p["t0"], "packed", (512,), flashinfer)

    def row(software, stack, dims=()):
        return {"software": software, "causal": f"causal_{stack}", "decode": f"decode_{stack}",
                "causal_of_dims": [f"causal_{name}" for name in dims],
                "decode_of_dims": [f"decode_{name}" for name in dims]}

    older = dict(row("vllm-0.19", "vllm019"))
    del older["decode"]
    rows = [row("vllm", "vllm"), older, row("sglang", "sglang", ("triton192",)),
            row("tensorrt-llm", "trtllm", ("trtllm512",))]
    # PyTorch's prompts do not rewrite queries.
    common = causal_set(prompt, {symbol: value for symbol, value in around("vllm").items() if symbol in ("t0", "ck", "bl2")})
    return dict(attention_causal=common, decode=sets["decode_vllm"], attention_stacks=dict(sets=sets, rows=rows))
