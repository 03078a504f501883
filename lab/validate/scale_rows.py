# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps on many GPUs: from a row of `wave3/training_scale.csv` to the tool's command line.

A row states the dimensions of a model, the plan, the batch and the time of a step. Other settings follow from its
source (SOURCES) and its GPU (BY_GPU).
"""
import csv
import dataclasses
import json
import pathlib
import re

from kernel_tables import Unmapped

FILES = (pathlib.Path("wave3") / "training_scale.csv", pathlib.Path("wave3") / "extra" / "training_scale.csv")
# Part of the source -> (name in tables, software of the tool).
SOURCES = (
    ("bigscience", "bloom", "megatron-deepspeed"),
    ("calculon", "Korthikanti", "megatron-lm-3.0"),
    ("MLCarbon", "Megatron SC'21", "megatron-lm-3.0"),
    ("InternEvo", "InternEvo", "internevo"),
    ("fms-fsdp", "fms-fsdp", "fsdp2"),
    ("Megatron-Bridge", "Megatron-Bridge", "megatron"),
    ("dgxc", "dgxc", "megatron"),
    ("NVIDIA/NeMo", "NeMo", "megatron-0.9"),
    ("docs.nvidia", "NeMo", "megatron-0.9"),
    ("mlcommons/training_results_v4", "MLPerf", "megatron-0.9"),
    ("mlcommons", "MLPerf", "megatron"),
    ("nanotron", "nanotron", "nanotron"),
    ("NVIDIA/Megatron-LM", "Megatron-LM", "megatron"),
    ("torchtitan", "torchtitan", "torchtitan"),
    ("maxtext", "MaxText", "maxtext"),
)
# Software of a row that differs from that of its source.
RELEASES = (("MaxText", "maxtext"), ("Paxml", "maxtext"), ("NeMo 24", "megatron-0.9"))
# Software with its recomputation in the recipes of dgxc-benchmarking: MaxText keeps the results of the Q, K and V
# projections (save_qkv_proj, maxtext/configure.sh), Paxml those of matmuls (SAVE_DOT_ONLY, paxml/paxml_mod_configs.py).
RECIPES = (("MaxText 2024", "full"), ("Paxml 24", "Attention,LayerNormalization,Gelu"))
# Linears with adapters of rank 16: conf/megatron_gpt_peft_tuning_config.yaml of MLPerf (attention), llama3_70b_lora of
# Megatron-Bridge (linear_qkv). Queries, keys and values are one linear in Megatron, whose one adapter is that of q_proj here.
ADAPTERS = {"MLPerf": "q_proj,o_proj", "Megatron-Bridge": "q_proj"}
# Tokens of a document where recipes of adapters pack several into a sequence: those of Megatron-Bridge pack SQuAD
# (packed_sequence=True in llama3_llm_finetune.py). 128 or 512 tokens change the steps by less than 1 %.
PACKED = {"Megatron-Bridge": 256}
# Families whose feed-forward layers are gated.
GATED = ("llama", "qwen", "deepseek", "mixtral", "intern", "kimi", "grok", "gpt-oss", "nanotron")
# Part of a row's network -> --network; the first that occurs.
NETWORKS = (("NVL72", "gb200-nvl72"), ("Omni-Path 4x100", "jean-zay"), ("4 x 100 Gb", "50:5"),
            ("4 x 200 Gb", "roce-4x200"), ("8 x 200 Gb", "dgx-a100"), ("3200 Gb", "400:5"),
            ("Pollara, 8 per node", "400:5"))
# Where a row states none.
BY_GPU = {"a100-sxm-80gb": "dgx-a100", "h100-sxm-80gb": "dgx-h100", "h200-sxm": "dgx-h100", "b200-sxm": "dgx-b200",
          "b300-sxm": "800:5", "gb200": "gb200-nvl72", "gb300": "gb200-nvl72"}
# GPUs that fast links join, where these are not 8.
DOMAINS = {"gb200": 72, "gb300": 72}
# Boards without a target: the board whose numbers they take, and its power limit.
STAND_INS = {"gb200": ("b200-sxm", 1200)}


def whole(text, default=0):
    try:
        return int(float(text))
    except (TypeError, ValueError):
        return default


@dataclasses.dataclass
class Step:
    """A measured step, with everything that its prediction needs."""

    row: dict
    source: str
    stack: str
    kind: str
    config: dict
    options: dict
    measured: float  # s

    @property
    def gpu(self):
        return self.row["gpu"]

    @property
    def plan(self):
        """Equal for rows with the same prediction."""
        return json.dumps([self.config, self.options, self.gpu], sort_keys=True)


def source_of(row):
    for part, name, stack in SOURCES:
        if part in row["source"]:
            return name, next((other for text, other in RELEASES if text in row["software"]), stack)
    raise Unmapped(f"source {row['source'].split('@')[0]}")


def model_of(row):
    """config.json of the model, from the dimensions of the row."""
    hidden, heads, layers = (whole(row[key]) for key in ("hidden", "heads", "layers"))
    if not (hidden and heads and layers):
        raise Unmapped("dimensions not given")
    name = f"{row['model']} {row['family']}".lower()
    if re.search(r"nemotron_3|nemotron-?h", name):
        raise Unmapped("hybrid of attention and Mamba without dimensions")
    ffn = whole(row["ffn"]) or 4 * hidden
    kv_heads = whole(row["kv_heads"]) or heads
    config = {"num_hidden_layers": layers, "hidden_size": hidden, "num_attention_heads": heads,
              "num_key_value_heads": kv_heads, "intermediate_size": ffn, "vocab_size": whole(row["vocab"], 51200),
              "max_position_embeddings": whole(row["seq"]), "torch_dtype": "bfloat16",
              "tie_word_embeddings": "tied" in name,
              "head_dim": whole(row.get("head_dim")) or hidden // heads}
    if whole(row["experts"]) > 1:
        return expert_model_of(row, name, config)
    if any(part in name for part in GATED):
        return {"model_type": "llama", **config}
    if kv_heads != heads:
        return {"model_type": "nemotron", **config}
    for key, old in (("n_layer", "num_hidden_layers"), ("n_embd", "hidden_size"), ("n_head", "num_attention_heads"),
                     ("n_positions", "max_position_embeddings"), ("n_inner", "intermediate_size")):
        config[key] = config[old]
    return {"model_type": "gpt2", **config}


def expert_model_of(row, name, config):
    """A model with experts; sizes that a row does not state are those of its family."""
    experts, chosen = whole(row["experts"]), whole(row["topk"])
    inner = whole(row["moe_ffn"]) or config["intermediate_size"]
    if not chosen:
        raise Unmapped("experts of a token not given")
    if row.get("capacity_factor"):  # An expert computes its average number of rows times the factor.
        chosen = min(experts, round(chosen * float(row["capacity_factor"])))
    if "deepseek" in name or "kimi" in name:
        del config["head_dim"]
        return {"model_type": "deepseek_v3", **config, "n_routed_experts": experts, "num_experts_per_tok": chosen,
                "moe_intermediate_size": inner, "n_shared_experts": 1, "first_k_dense_replace": 3,
                "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
                "v_head_dim": 128}
    config.update({"num_experts": experts, "num_experts_per_tok": chosen, "moe_intermediate_size": inner})
    if "llama4" in name or "llama-4" in name:  # every second layer, with a shared expert
        step = 2 if whole(row["moe_layers"]) * 2 == config["num_hidden_layers"] or "maverick" in name else 1
        return {"model_type": "qwen2_moe", **config, "decoder_sparse_step": step,
                "shared_expert_intermediate_size": inner}
    if "qwen" in name:
        config["head_dim"] = 128
    if "gpt-oss" in name:  # with biases, and a window in every second layer
        return {"model_type": "gpt_oss", **config, "head_dim": 64, "intermediate_size": inner, "attention_bias": True,
                "num_local_experts": experts, "sliding_window": 128}
    return {"model_type": "qwen3_moe", **config}


def precision_of(row):
    text = row["precision"].lower()
    for part, name in (("fp4", "nvfp4"), ("mxfp8", "mxfp8"), ("fp8", "fp8")):
        if part in text:
            return name
    return "fp16" if "fp16" in text else "bf16"


def recompute_of(row, is_flash):
    text = row["recompute"]
    for part, ops in RECIPES:
        if part in row["software"] and whole(row["experts"]) < 2:
            return ops
    if text.startswith("full") or "probably full" in text:
        return "full"
    if text.startswith("selective (attention"):
        return "none" if is_flash else "selective"
    # The recipes of Megatron-Bridge for experts recompute small modules: mla_up_proj, mlp, layernorm, moe_act.
    if text.startswith("none") or "Megatron-Bridge" in row["source"] and whole(row["experts"]) > 1:
        return "none"
    return "auto"


def network_of(row):
    stated = next((name for part, name in NETWORKS if part in row["network"]), None)
    if stated is None and row["gpu"] not in BY_GPU:
        raise Unmapped(f"no network of {row['gpu']}")
    return stated or BY_GPU[row["gpu"]]


def dispatch_of(row):
    """How tokens reach their experts; "" if the row does not state it."""
    return row["notes"].split(";")[0] if "MaxText" in row["software"] and whole(row["experts"]) > 1 else ""


def release_of(row):
    """(year, month) of NVIDIA's container; (0, 0) if the row states none."""
    found = re.search(r"container (\d\d)\.(\d\d)", row["software"])
    return tuple(map(int, found.groups())) if found else (0, 0)


def expert_options_of(row, experts, virtual):
    """How Megatron runs `experts` GPUs of a row, as in the recipes of Megatron-Bridge (scripts/performance/configs)."""
    crosses_nodes = experts > DOMAINS.get(row["gpu"], 8)
    release, precision = release_of(row), precision_of(row)
    # Between nodes DeepEP; inside, all-to-alls of rows, before HybridEP.
    options = {"moe-dispatch": "nodes" if crosses_nodes or release >= (26, 6) else "rows"}
    if release >= (26, 6) and precision in ("mxfp8", "nvfp4") and row["gpu"] in ("gb200", "gb300", "b300-sxm"):
        # A graph of the whole step; in mxfp8 all-to-alls run beside another micro-batch.
        options.update({"host-launch-us": 0, "moe-overlap": precision == "mxfp8"})
    elif "tokendrop" in row["notes"] and "b200" in row["gpu"] and whole(row["pp"], 1) == 1:
        options["host-launch-us"] = 0  # a graph of the whole step
    elif crosses_nodes and virtual > 1:
        options["moe-overlap"] = True
    return options


def plan_of(row):
    """(tp, pp, cp, dp, virtual stages, micro-batch)"""
    if not (row["tp"] and row["pp"]):
        raise Unmapped("plan not given")
    if not row["globalbatch"]:
        raise Unmapped("batch not given")
    tp, pp, cp = (max(1, whole(row[key], 1)) for key in ("tp", "pp", "cp"))
    dp = max(1, whole(row["gpus"]) // (tp * pp * cp))
    batch = whole(row["globalbatch"])
    micro = max(1, round(float(row["microbatch"]))) if row["microbatch"] else 0
    if not micro:  # Not printed: 1 with stages, else the largest that divides.
        micro = 1 if pp > 1 else next(size for size in (8, 4, 2, 1) if batch // dp % size == 0)
    return tp, pp, cp, dp, max(1, whole(row["vpp"], 1)), micro


def options_of(row, stack):
    tp, pp, cp, dp, virtual, micro = plan_of(row)
    zero = row["zero"].lower()
    is_flash = not ("no flash" in row["attention_type"] or "MLCarbon" in row["source"] or "calculon" in row["source"])
    kind = "dp"
    if "fsdp" in zero and "none across" not in zero or "hsdp" in zero:
        kind = "fsdp"
    elif zero and not zero.startswith("none") and "zero-0" not in zero:
        kind = "zero1"
    number = f"x{dp}" if kind == "zero1" else dp
    parts = [f"tp{tp}"] * (tp > 1) + [f"cp{cp}"] * (cp > 1) + [f"pp{pp}"] * (pp > 1)
    experts = max(1, whole(row["ep"], 1)) if whole(row["experts"]) > 1 else 1
    if dp * cp * tp % experts or experts % tp and experts > 1:
        raise Unmapped("experts on tensor-parallel GPUs")
    parts += [f"ep{experts}"] * (experts > 1)
    parts += [f"{kind}{number}"] * (dp > 1 or experts > 1 or kind != "dp" and cp > 1)
    gpus, per_node = whole(row["gpus"]), max(1, whole(row["gpus_per_node"], 8))
    batch = max(1, round(whole(row["globalbatch"]) / (dp * micro))) * dp * micro
    options = {"mode": "training", "seq": row["seq"], "micro-batch": micro, "global-batch": batch,
               "software": stack, "optimizer": "adam", "clip-grad-norm": True,
               "attention": "flash" if is_flash else "eager"}
    if parts:
        options["parallel"] = ".".join(parts)
    if gpus > per_node:
        options["network"] = network_of(row)
        if ":" in options["network"]:
            options["nodes"] = gpus // per_node
    if experts > 1 and stack in ("megatron", "megatron-0.9"):
        options.update(expert_options_of(row, experts, virtual if pp > 1 else 1))
    if pp > 1 and virtual > 1:
        options.update({"schedule": "interleaved", "virtual-stages": virtual})
    layers = whole(row["layers"])
    if pp > 1 and layers % (pp * virtual) and (layers + 2) % (pp * virtual) == 0:
        options["stage-slots"] = "both"
    options["recompute"] = recompute_of(row, is_flash)
    if not row["sp"].startswith("yes") and tp > 1 and stack in ("megatron", "megatron-0.9", "nanotron"):
        options["sequence-parallel"] = False
    precision = precision_of(row)
    # NeMo's recipes reduce gradients in bf16 (grad_reduce_in_fp32 is off) unless a row states fp32. So does XLA in the recipes
    # of dgxc-benchmarking, InternEvo (HybridZeroOptimizer), and MaxText, which keeps fp32 weights.
    reduced = ("megatron", "megatron-0.9", "internevo", "maxtext")
    if stack in reduced and "fp32 gradient" not in row["precision"].lower():
        options.update({"main-grads": "as-is", "master-weights": "fp32"})
    gpu, limit = STAND_INS.get(row["gpu"], (row["gpu"], None))
    if limit:
        options["power-limit"] = limit
    options["target"] = f"{gpu}-{precision}"
    return options


def step_of(row):
    source, stack = source_of(row)
    if row["quality"] == "C":
        raise Unmapped("quality C")
    if not row["step_time_ms"]:
        raise Unmapped("no step time")
    if "diffusion" in row["benchmark_kind"]:
        raise Unmapped("diffusion")
    is_lora = row["benchmark_kind"] == "lora"
    config = model_of(row)
    kind = "LoRA" if is_lora else "MoE" if whole(row["experts"]) > 1 else "dense"
    options = options_of(row, stack)
    if is_lora:
        # NeMo's recipes store frozen weights in the format of the recipe (fp8_params); its adapters multiply in 16 bits.
        options.update({"lora-rank": 16, "lora-modules": ADAPTERS[source], "weights-except": "lm_head,embed,router,lora"})
        if precision_of(row) != "bf16" and not row["gpu"].startswith("mi"):
            options["weights"] = precision_of(row)
        if source in PACKED:
            options["packed-lengths"] = f"{PACKED[source]}:{whole(row['seq']) // PACKED[source]}"
    return Step(row, source, stack, kind, config, options, float(row["step_time_ms"]) / 1e3)


def read(data):
    """([Step], {reason: rows}) of both tables under the folder `data`."""
    steps, skipped = [], {}
    for name in FILES:
        with open(pathlib.Path(data) / name, newline="") as file:
            for row in csv.DictReader(file):
                try:
                    steps.append(step_of(row))
                except Unmapped as reason:
                    skipped.setdefault(str(reason), []).append(row)
    return steps, skipped


def command(tool, step, folder, recompute):
    """The command line with `recompute`; writes the model's configuration to `folder`."""
    text = json.dumps(step.config, sort_keys=True)
    path = pathlib.Path(folder) / f"{abs(hash(text)):x}.json"
    if not path.exists():
        path.write_text(text)
    return [tool, str(path), "--report=json"] + [
        f"--{name}" if value is True else f"--{name}={'false' if value is False else value}"
        for name, value in {**step.options, "recompute": recompute}.items()]
