# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix FLOPs of the shipped transformers in closed form; FLOP = 2 x MAC."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Transformer:
    """A layer is four projections (keys and values of `kv` channels each) and `ffn` multiply-adds per token, scores
    and values 2 * hidden per pair of positions. `per_token` and `per_item` are heads and poolers."""
    layers: int
    hidden: int
    ffn: int
    kv: int
    per_token: int = 0
    per_item: int = 0
    causal: bool = False
    # The mask also hides padding: only --attention=flash skips what it hides.
    padding: bool = False
    # Patches of an image and the class token; a patch reads data, which needs no gradient.
    tokens: int = 0
    patches: int = 0


def block(layers, hidden, **more):
    return Transformer(layers, hidden, 8 * hidden**2, hidden, **more)


BERT, LARGE, GPT2 = (12, 768), (24, 1024), (12, 768)
WORDS = 50257
VIT = block(*LARGE, tokens=197, patches=196 * 1024 * 3 * 16**2, per_item=1024**2)
QWEN2 = Transformer(28, 1536, 3 * 1536 * 8960, 256, causal=True)
TINYLLAMA = dict(layers=22, hidden=2048, ffn=3 * 2048 * 5632, kv=256, causal=True, padding=True)
LLAMA = Transformer(32, 4096, 3 * 4096 * 14336, 1024, 4096 * 128256, causal=True)
MPT = {"125m": (12, 768), "350m": (24, 1024), "760m": (24, 1536), "1b": (24, 2048), "3b": (32, 2560),
       "7b": (32, 4096), "13b": (40, 5120), "30b": (48, 7168)}
NETWORKS = {
    "bert-base": block(*BERT, per_item=768**2), "bert-base-ts17": block(*BERT, per_item=768**2),
    "bert-base-squad": block(*BERT, per_token=768 * 2),
    **{f"bert-large{kind}": block(*LARGE, per_item=1024**2) for kind in ("", "-sdpa", "-sdpa23")},
    "bert-large-squad": block(*LARGE, per_token=1024 * 2),
    "bert-large-seqcls": block(*LARGE, per_item=1024**2 + 1024 * 2),
    # The masked words' transform and scores, the next sentence's pooler and score.
    "bert-large-pretraining": block(*LARGE, per_token=1024**2 + 1024 * 30522, per_item=1024**2 + 1024 * 2),
    "distilbert": block(6, 768), "albert-base": block(12, 768, per_token=128 * 768, per_item=768**2),
    **{f"gpt2{kind}": block(*GPT2, causal=True) for kind in ("", "-sdpa", "-sdpa23", "-ts17")},
    "gpt2-large": block(36, 1280, causal=True), "gpt2-large-lm": block(36, 1280, per_token=1280 * WORDS, causal=True),
    "gpt3-xl-lm": block(24, 3072, per_token=3072 * WORDS, causal=True),
    "gpt3-2.7b-lm": block(32, 2560, per_token=2560 * WORDS, causal=True),
    "opt-1.3b": block(24, 2048, causal=True, padding=True),
    "opt-1.3b-lm": block(24, 2048, per_token=2048 * 50272, causal=True, padding=True),
    "qwen2-1.5b": dataclasses.replace(QWEN2, padding=True), "qwen2-1.5b-sdpa": QWEN2, "qwen2-1.5b-sdpa23": QWEN2,
    "tinyllama-1.1b": Transformer(**TINYLLAMA), "tinyllama-1.1b-lm": Transformer(**TINYLLAMA, per_token=2048 * 32000),
    **{f"mpt-{size}": block(layers, hidden, per_token=hidden * 50368, causal=True)
       for size, (layers, hidden) in MPT.items()},
    "llama-3-8b": LLAMA, "llama-3-8b-lm": LLAMA, "decode": dataclasses.replace(LLAMA, layers=2),
    **{f"vit-large{kind}": VIT for kind in ("", "-sdpa", "-sdpa23", "-ts17")},
}


def flops(configuration, report):
    """Matrix FLOPs of one GPU; None without a closed form: other networks, recomputation, sharded blocks."""
    network = NETWORKS.get(configuration.network.name)
    if network is None or configuration.tensor_parallel or configuration.get("recompute") not in (None, "none"):
        return None
    batch, length = configuration.get("batch"), network.tokens or configuration.get("seq")
    fused = any(row["family"] == "attention" for row in report["kernels"])
    h = network.hidden
    skips = fused and network.causal and (not network.padding or configuration.get("attention") == "flash")
    pairs = length * (length + 1) // 2 if skips else length**2
    if configuration.get("past") is not None:
        pairs = configuration.get("past") + 1
    scores = 2 * network.layers * pairs * h
    dense = (length * (network.layers * (2 * h * h + 2 * h * network.kv + network.ffn) + network.per_token)
             + network.per_item)
    if not configuration.training:
        return 2 * batch * (dense + scores + network.patches)
    # Two gradients per matmul; fused attention has five matmuls instead of two (B6); data needs no gradient.
    backward = 2 * dense + scores * (5 / 2 if fused else 2) + network.patches
    passes = configuration.get("grad-accum") or 1
    return int(2 * batch * passes * (dense + scores + network.patches + backward))
