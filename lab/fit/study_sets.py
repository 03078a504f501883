# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assigns numbers of the study to dies, including transfers.

all_sets(data) maps a coefficient file's name to its groups. A source is the pair
(provenance, die transferred from or ""). Rules that replace measurements are
documented where they are applied.
"""

import study_generated
import study_stacks

PROVENANCE = ("cost study on public measurements: aiconfigurator (tensor-core GEMM, "
              "attention), NeuSight (fp32 kernels), EnergAIzer (power)")
GEMM = "MAP fit on aiconfigurator bf16 GEMM tables (sglang)"
SIMT = "MAP fit on NeuSight fp32 kernels, TF32 off"
CONV = "fit on NeuSight fp32 3x3 convolutions"
FLASH = "fit on aiconfigurator attention tables, KV-cache write dropped"
STREAM = "one set per memory class, NeuSight fp32 elementwise, softmax, layernorm"
POWER = "ridge fit on EnergAIzer whole networks (NVML)"

# (G12) Number of waves of the largest tiles above which cuBLAS does not use smaller ones, and K per split in this
# case: chosen on the aiconfigurator matmuls with m, n and k of at least 512, for which the errors of a free choice
# range from -11 % (1.2 waves) to +2 % depending on the waves. Hopper and Blackwell do not show this rule.
WHOLE_TILES = {"A100": (1, 3072), "L40S": (1, 2560)}
WHOLE_TILES["L4"] = WHOLE_TILES["GA102"] = WHOLE_TILES["RTX6000"] = WHOLE_TILES["L40S"]

# Boards: facts for the rules below. `simt` is the set of fp32 kernels, `arch` its
# tile tables, `node`/`memory` the factors of a power transfer.
BOARDS = {
    "a100-pcie-40gb": dict(gemm="A100", simt="A100-40", arch="ampere", tdp=250),
    "a100-pcie-80gb": dict(gemm="A100", simt="A100-80", arch="ampere", tdp=300),
    "a100-sxm-40gb": dict(gemm="A100", simt="A100-40", arch="ampere", tdp=400),
    "a100-sxm-80gb": dict(gemm="A100", simt="A100-80", arch="ampere", tdp=400),
    "a10": dict(gemm="GA102", simt="", arch="ampere", tdp=150, f=1695),
    "a40": dict(gemm="GA102", simt="", arch="ampere", tdp=300, f=1740),
    "h100-sxm-80gb": dict(gemm="H100", simt="H100", arch="hopper", tdp=700),
    "h100-pcie-80gb": dict(gemm="H100-PCIe", simt="H100", arch="hopper", tdp=350),
    "h200-sxm": dict(gemm="H200", simt="H100", arch="hopper", tdp=700),
    "b200-sxm": dict(gemm="B200", simt="H100", arch="hopper", tdp=1000, f=1965,
                     node="4NP", memory="HBM3"),
    "l4": dict(gemm="L4", simt="L4", arch="ada", tdp=72, f=2040, node="4N",
               memory="GDDR6"),
    "l40s": dict(gemm="L40S", simt="", arch="ada", tdp=350, f=2520, node="4N",
                 memory="GDDR6"),
    "rtx-pro-6000": dict(gemm="RTX6000", simt="", arch="ada", tdp=600, f=2617,
                         node="4N", memory="GDDR6"),
    "v100-pcie": dict(gemm="V100", simt="V100", arch="volta", tdp=250, f=1380,
                      node="12FFN", memory="HBM2"),
    "v100-sxm": dict(gemm="V100", simt="V100", arch="volta", tdp=300, f=1530,
                     node="12FFN", memory="HBM2"),
    "t4": dict(gemm="T4", simt="T4", arch="turing", tdp=70, f=1590, node="12FFN",
               memory="GDDR6"),
    "quadro-rtx6000": dict(gemm="TU102", simt="", arch="turing", tdp=260, f=1770,
                           node="12FFN", memory="GDDR6"),
    "p100-pcie-16gb": dict(gemm="", simt="P100", arch="pascal", tdp=250, f=1328,
                           node="16FF", memory="HBM2"),
    "p4": dict(gemm="", simt="P4", arch="pascal", tdp=75, f=1113, node="16FF",
               memory="GDDR6"),
}

# SIMT convolution tiles (m, n, warps, CTAs per SM): fixed in the study's code.
IMPLICIT_TILES = [(128, 128, 8, 2), (128, 64, 4, 4), (64, 64, 2, 8),
                  (128, 32, 4, 5), (32, 128, 4, 5), (256, 64, 4, 2)]
BATCHED_TILES = [(128, 128, 8, 2), (64, 128, 4, 4), (128, 64, 4, 4),
                 (64, 64, 2, 8), (32, 128, 8, 3)]

# Issue slots per element: the study fits add ... softmax; a missing class uses the
# slots of the nearest one: plain arithmetic 40, special functions 60, index arithmetic
# (gather, pooling, resize) like its strided kernels, 90. `pow` has a scalar exponent
# in models, hence 60, not 90 as for a tensor exponent. A depthwise convolution counts
# per tap: 6 instructions at the power study's fraction of the issue rate, 0.46.
PLAIN = ("copy cast add mul relu neg compare where batch_norm dropout reduce").split()
SPECIAL = ("pow gelu tanh sigmoid silu exp log sqrt rsqrt erf trig norm optimizer").split()
INDEXED = "gather scatter pool resize".split()

# Thread instructions per element that the study does not list: arithmetic,
# address and conversion instructions counted as for the listed ones.
EXTRA_COUNTS = dict(div=9, sigmoid=15, exp=10, log=10, sqrt=8, erf=25, trig=20,
                    compare=5, scatter=6, dropout=14, resize=12, depthwise_conv=6,
                    optimizer=16)
TAP_INSTRUCTIONS = 6
FIRST_TENSOR_EFFICIENCY = 0.8
# (H8) SM cycles from the end of a kernel to the start of the next one on its stream.
KERNEL_GAP_CYCLES = 4500
# (H2) If host and GPU times are equal, the measured time is this time, not 12 %
# more.
HOST_NORM = 12
# (H9) autograd launches the kernels of the backward pass from C++.
BACKWARD_LAUNCH = 0.75
CLASSES = ("copy cast add mul div pow relu gelu tanh sigmoid silu exp log sqrt rsqrt "
           "erf trig neg compare where batch_norm gather scatter pool dropout reduce "
           "softmax norm resize depthwise_conv optimizer").split()


def gemm_set(data, die):
    """(parameters, tile table, reference clock in MHz or 0, source)."""
    tc, old = data["tensorcore"]["gemm"], data["time"]["gemm"]["bf16_tc"]
    fits, al = tc["params"], data["power"]["time_model"]["params"]["al"]

    def own(name):
        return dict(fits[name], e_flop=fits[name]["e_flop_pJ_at_fmax"], al=al)

    if die in fits:
        return own(die), data["tensorcore"]["devices"][die]["arch"], 0, (GEMM, "")
    if die == "H100-PCIe":  # energies hold at the SXM board's maximum clock
        return own("H100"), "hopper", 1980, (GEMM, "H100 SXM")
    if die == "L4":
        return own("L40S"), "ada", 2520, (GEMM, "L40S")
    if die == "GA102":
        # L40S's kernels; A100's e_flop times the ratio of the two dies' energy per
        # tensor FLOP in the power study (both at 900 MHz).
        gpus = data["power"]["gpus"]
        ratio = (gpus["A10"]["coef"]["e_tc_bf16_pJ_per_flop"]
                 / gpus["A100-PCIE-40GB"]["coef_900MHz_only"]["e_tc_bf16_pJ_per_flop"])
        p = dict(own("L40S"), e_flop=fits["A100"]["e_flop_pJ_at_fmax"] * ratio)
        return p, "ada", 0, (GEMM + "; e_flop: A100 x energy ratio of A10", "L40S")
    if die == "RTX6000":
        # Key of the study for RTX PRO 6000 Blackwell, fitted in the older form of
        # the equations only: L40S times the ratio of the two older fits.
        p, a, b = own("L40S"), old["RTX6000"], old["L40S"]
        for new, name in (("e", "emax"), ("ed", "eb"), ("el2", "l2"), ("cl2", "cl2"),
                          ("t0", "lat"), ("e_flop", "ep")):
            p[new] *= a[name] / b[name]
        return p, "ada", 0, (GEMM + "; L40S scaled by the ratio of the time-study "
                             "fits of both dies", "L40S")
    # First tensor cores: the study's rule, unverified. With large matmuls cuBLAS reaches 0.8 of V100's dense
    # peak (about 100 of 125 TFLOP/s), but the full peak on A100.
    p = dict(own("A100"), el2=25.0, e=FIRST_TENSOR_EFFICIENCY)
    p["e_flop"] *= 1.3
    return p, "ampere", 0, (GEMM + f"; e = {FIRST_TENSOR_EFFICIENCY:g}, el2 = 25, e_flop x 1.3", "A100")


# (S6) Since Ampere, cuBLAS divides K of fp32 layers with a bias only where each part stays long. A100's table decides between
# 2,048 and 16,384; on Hopper no measured layer up to a K of 25,088 is divided. On GA10x and Ada gradients are not divided either.
def least_depths(board):
    if board["arch"] == "hopper":
        return {"least_layer_depth": 16384}
    if board["gemm"] == "A100":
        return {"least_layer_depth": 4096}
    return {"least_depth": 4096} if board["arch"] in ("ampere", "ada") else {}


def simt_sets(data, board):
    time, b = data["time"], BOARDS[board]
    out = {}
    for group, op in (("simt_linear", "linear"), ("simt_batched", "bmm")):
        p = dict(time["gemm"]["fp32_simt"][op][b["simt"] or "default_joint"])
        provenance, transferred = SIMT, ""
        if not b["simt"]:
            transferred = "joint fit of eight GPUs"
        elif b["gemm"] in ("H200", "B200", "H100-PCIe"):
            transferred = "H100 SXM"
        if b["gemm"] == "GA102":
            # On GA10x, two fp32 datapaths share an issue port: the power study
            # measures 0.72 of the 128-lane rate on A10.
            p["emax"] *= data["power"]["gpus"]["A10"]["fp32_dual_issue_factor"]
            provenance += "; emax x 0.72 (dual issue, A10)"
        arch = b["arch"] + "/" + op
        out[group] = dict(
            p=p, tiles=time["tiles"]["simt"][arch], source=(provenance, transferred),
            power_fraction=time["power_fraction_of_tdp"],
            split_k=time["tiles"]["splitk"] if op == "linear" else [1],
            least_depths=least_depths(b) if op == "linear" else {})
    conv, transferred = "A100-80", "A100 PCIe 80GB"
    if b["simt"] in ("V100", "P100", "T4", "P4"):
        conv, transferred = b["simt"], ""
    elif b["arch"] == "turing":
        conv, transferred = "T4", "T4"
    elif b["gemm"] == "A100":
        transferred = ""
    out["simt_conv"] = dict(p=time["conv_fp32"][conv], implicit=IMPLICIT_TILES,
                            batched=BATCHED_TILES, source=(CONV, transferred))
    return out


# die: (full set, causal set, tile table, transferred). GQA packing and KV split are those of the fit.
FA2, ADA = "A100 causal, FA2, +KV-cache write", "L40S causal, FA2, KV split, +KV-cache write"
FA3 = "H100 causal, FA3, GQA packed, KV split, +KV-cache write"
ATTENTION = {
    "A100": (FA2, FA2, "fa2", ""),
    "V100": (FA2, FA2, "fa2", "A100"),
    "H100": ("H100 full, FA3", FA3, "fa3", ""),
    "H100-PCIe": ("H100 full, FA3", FA3, "fa3", "H100 SXM"),
    "H200": ("H200 full, FA3, sustained", "H200 causal, same, sustained", "fa3", ""),
    "B200": ("B200 full, sustained", "", "fa4", ""),  # causal: study_generated.py
    "L40S": (ADA, ADA, "fa2s", ""),
    "L4": (ADA, ADA, "fa2s", "L40S"),
}
ATTENTION["T4"] = ATTENTION["TU102"] = ATTENTION["V100"]
ATTENTION["GA102"] = ATTENTION["RTX6000"] = ATTENTION["L4"]


# Time ratio of FlashAttention 2 to version 3 on Hopper, forward and backward (FlashAttention-3, arXiv
# 2407.08608).
SECOND_GENERATION = {"second_generation_slowdown": 1.75, "second_generation_backward": 1.6}


# Kernels of PyTorch's scaled_dot_product_attention, the starting points of the fits to the project's measurements
# (fit_measured.py): cuDNN's and FlashAttention 2 on Hopper, and the kernel for fp32 tensors, which has the same instructions
# on every GPU with TF32. Tiles are taken from the libraries' sources; cuDNN's are the tiles that describe its rows best.
SERVED = dict(ed=0.8, el2=60, cl2=0.37, bl2=60, tsp=2e-6)
OWN_ATTENTION = {
    "attention_cudnn": (dict(SERVED, e=0.78, ks=0.075, po=1.5, c0=2600, x=0.5, phi=0.78, t0=6e-6, bs=1.2, cb=3, tb=5e-6),
                        {64: (128, 128), 128: (128, 128), 256: (128, 128)}),
    "attention_flash2": (dict(SERVED, e=0.33, ks=0.05, po=1.3, c0=3500, x=0.2, phi=0.65, t0=4e-6, bs=1.1, cb=5, tb=4e-6),
                         {32: (128, 128), 64: (128, 128), 128: (128, 64), 256: (128, 64)}),
    "attention_fp32": (dict(SERVED, e=1, ks=1.4, po=1, c0=1500, x=0.5, phi=1.3, t0=7e-6, bs=1.1, cb=1, tb=30e-6),
                       {64: (64, 64), 128: (64, 128), 1024: (32, 128)}),
}
# Dies with measured kernels, and the dies that use their numbers; others have only the kernel for fp32 tensors.
OWN_DIES = {"H100": "", "H100-PCIe": "H100 SXM", "H200": ""}
BEFORE_TF32 = ("V100", "T4", "TU102")


# The backward pass of FlashAttention 2 has the same kernels on all GPUs: measured on Hopper and transferred
# (carry_measured.py).
FLASH2_BACKWARD = {"bs": 1.1, "cb": 5, "tb": 2e-6}


def own_attention_sets(die, shared):
    """Separately described attention kernels, equations (A11)-(A13)."""
    names = () if die in BEFORE_TF32 else tuple(OWN_ATTENTION) if die in OWN_DIES else ("attention_fp32",)
    return {name: dict(shared, p=OWN_ATTENTION[name][0], tiles=OWN_ATTENTION[name][1], pack=False, split=False,
                       source=("scaled_dot_product_attention", OWN_DIES.get(die, "H100 SXM"))) for name in names}


def attention_sets(data, die, e_flop):
    study = data["tensorcore"]
    full, causal, tiles, transferred = ATTENTION[die]
    shared = dict(e_flop=e_flop, e_score=study["attention"]["e_softmax_pJ_per_score"])

    def one(key, kind):
        provenance = f"{FLASH}; set '{key}'"
        if kind == "full" and "causal" in key:
            provenance += " (no full-attention measurement)"
        packed = "FA3" in key or key.startswith("H200")
        later = SECOND_GENERATION if tiles == "fa3" else {}
        backward = FLASH2_BACKWARD if tiles.startswith("fa2") and die not in BEFORE_TF32 else {}
        return dict(shared, second_generation=later, p=dict(study["attention"]["params"][key], **backward),
                    tiles=study["attention"]["tiles"][tiles], pack=packed,
                    split="KV split" in key or key.startswith("H200 causal"),
                    source=(provenance, transferred))

    groups = dict(attention_full=one(full, "full"), **own_attention_sets(die, shared))
    if die in study_generated.DIES:
        groups.update(study_generated.groups(data["generated"]))
        return groups
    groups.update(attention_causal=one(causal, "causal"), decode=study_stacks.common_decode(data, die))
    if stacks := study_stacks.stacks(data, die, shared):
        groups["attention_stacks"] = stacks
    return groups


def streaming_set(data, board):
    b, mem = BOARDS[board], data["time"]["memory_bound"]
    gddr = board in ("a10", "a40", "l4", "l40s", "rtx-pro-6000", "t4",
                     "quadro-rtx6000", "p4")
    partitioned = b["gemm"] in ("A100", "H100", "H100-PCIe", "H200", "B200")
    eb = mem["eb_by_memory"]["GDDR5/6" if gddr else "HBM2e/HBM3"]
    transferred = "" if b["simt"] and b["gemm"] != "B200" else "GPUs of its memory class"
    table = mem["inst_per_element"]
    slots = {c: table["add"] for c in PLAIN}
    slots.update({c: table["gelu"] for c in SPECIAL})
    slots.update({c: mem["broadcast_inst"] for c in INDEXED})
    issue = data["power"]["time_model"]["params"]["issue"]
    slots.update(div=table["div"], softmax=table["softmax"],
                 depthwise_conv=round(TAP_INSTRUCTIONS / issue))
    rows = mem["row_terms"]
    return dict(
        eb=0.81 if board == "p100-pcie-16gb" else eb,
        cl2=mem["cl2"]["partitioned L2 (A100,H100,H200,B200)" if partitioned
                       else "monolithic"],
        bl2={"T4": 8, "V100": 12, "P4": 12, "P100": 10}.get(b["simt"],
                                                           mem["bl2_default"]),
        iscale=1, width=mem["issue_width"], broadcast=mem["broadcast_inst"],
        lat=1.5e-6, softmax=rows["softmax"], norm=rows["ln"],
        slots={c: slots[c] for c in CLASSES}, source=(STREAM, transferred))


def instruction_set(data):
    model = data["power"]["time_model"]
    p, per = model["params"], model["instr_per_element"]
    counts = {c: per[c] for c in ("copy", "cast", "add", "mul", "relu", "gelu", "tanh",
                                  "silu", "rsqrt", "neg", "where", "gather")}
    counts.update(pow=per["pow3"], batch_norm=per["bn"], pool=per["maxpool"],
                  reduce=model["instr_reduce"], norm=model["instr_norm"],
                  softmax=model["instr_softmax"]["cols_le_1024"], **EXTRA_COUNTS)
    # A layout kernel reads and writes each element, with 4 instructions each.
    return dict(counts={c: counts[c] for c in CLASSES}, strided=p["istr"],
                softmax_wide=model["instr_softmax"]["cols_gt_1024"],
                layout=4 * 2 * p["lay"], score=3, tap=TAP_INSTRUCTIONS, softmax_scale=p["ismx"],
                norm_scale=p["inorm"], source=(POWER, ""))


def runtime_set(data):
    return dict(gap=KERNEL_GAP_CYCLES, launch=9e-6, weight=1.1, backward=BACKWARD_LAUNCH, norm=HOST_NORM,
                source=("EnergAIzer host-bound rows; launch cost of a current server", ""))


def all_sets(data):
    import study_power
    out = {}
    for board, b in BOARDS.items():
        groups = {}
        if b["gemm"]:
            p, arch, reference, source = gemm_set(data, b["gemm"])
            tc = data["tensorcore"]["gemm"]
            groups["tensor_gemm"] = dict(p=p, tiles=tc["tiles"][arch],
                                         split_k=tc["split_k"], whole=WHOLE_TILES.get(b["gemm"]), source=source)
            groups["tensor_power"] = dict(p=tc["fixed"], reference_mhz=reference,
                                          source=(GEMM + "; constants held fixed", ""))
            groups.update(attention_sets(data, b["gemm"], p["e_flop"]))
        groups.update(simt_sets(data, board))
        groups["streaming"] = streaming_set(data, board)
        groups["instructions"] = instruction_set(data)
        groups["power"] = study_power.power_set(data["power"], data["time"], board, b,
                                                POWER)
        groups["runtime"] = runtime_set(data)
        out[board] = groups
    return out
