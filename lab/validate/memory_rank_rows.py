# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the ranks of a training on several GPUs: from rows to the tool's command lines.

`wave3/memory_ranks.csv` has the allocated and reserved peak of each GPU of a node. `modern/memory.csv` has the
allocated peak of the last rank in tests of Megatron-LM, since the start of the process.
"""
import csv
import dataclasses
import json
import pathlib
import re

from kernel_tables import Unmapped

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPUS = 8
SEQUENCE = 4096
LAYERS = {"llama": 12, "deepseek": 4}
LLAMA = {"model_type": "llama", "num_hidden_layers": LAYERS["llama"], "hidden_size": 8192, "num_attention_heads": 64,
         "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 28672, "vocab_size": 128256,
         "max_position_embeddings": SEQUENCE, "torch_dtype": "bfloat16", "tie_word_embeddings": False}
DEEPSEEK = {"model_type": "deepseek_v2", "num_hidden_layers": LAYERS["deepseek"], "hidden_size": 5120,
            "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 12288, "vocab_size": 102400,
            "max_position_embeddings": SEQUENCE, "torch_dtype": "bfloat16", "tie_word_embeddings": False,
            "n_routed_experts": 160, "num_experts_per_tok": 6, "moe_intermediate_size": 1536, "n_shared_experts": 2,
            "first_k_dense_replace": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64, "v_head_dim": 128}


@dataclasses.dataclass
class RankRow:
    """Measured peaks in MiB by kind ("allocated", "reserved"), one per rank of the pipeline, from the last one."""

    name: str
    quality: str
    config: dict  # None: `model` is a file
    model: str
    flags: list
    measured: dict

    def command(self, tool, folder):
        path = self.model
        if self.config:
            text = json.dumps(self.config, sort_keys=True)
            path = pathlib.Path(folder) / f"{abs(hash(text)):x}.json"
            path.write_text(text)
        return [tool, str(path), *self.flags, "--mode=training", "--report=json"]


def plan_of(tp, cp, pp, ep, dp, sharded):
    parts = [f"{name}{size}" for name, size in (("tp", tp), ("cp", cp), ("pp", pp), ("ep", ep)) if size > 1]
    return ".".join(parts + [f"{'zero1x' if sharded else 'dp'}{dp}"])


def by_rank(text, ranks):
    """Means over the GPUs of each rank of the pipeline, from the last rank."""
    values = [float(value) for value in text.split(";")]
    each = len(values) // ranks
    return [sum(values[i * each:(i + 1) * each]) / each for i in range(ranks)][::-1]


def node_row(row):
    """A row of wave3/memory_ranks.csv: Megatron-LM with TransformerEngine, flash attention, ZeRO-1."""
    sizes = {name: int(size) for name, size in re.findall(r"(tp|pp|cp|ep)(\d+)", row["parallel"])}
    tp, pp, cp, ep = (sizes.get(name, 1) for name in ("tp", "pp", "cp", "ep"))
    dp = GPUS // (tp * pp * cp)
    length = re.search(r"seq(\d+)", row["case"])
    flags = [f"--target={row['gpu']}-bf16", f"--seq={length.group(1) if length else SEQUENCE}", "--software=megatron",
             "--optimizer=adam", "--attention=flash", "--recompute=none", f"--gpus={GPUS}",
             f"--parallel={plan_of(tp, cp, pp, ep, dp, True)}", "--micro-batch=1",
             f"--global-batch={int(row['microbatches']) * dp}"]
    return RankRow(row["case"], "ring instead of all-to-all" if cp > 1 else "A",
                   LLAMA if row["model"].startswith("llama") else DEEPSEEK, "", flags,
                   {kind: by_rank(row[f"{kind}_mb_by_rank"], pp) for kind in ("allocated", "reserved")})


def last_rank_row(row):
    """A row of modern/memory.csv, with the model of the single-GPU rows."""
    shape = (row["family"], row["layers"], row["hidden"], row["norm"], row["activation"], row["tied_embeddings"])
    if shape != ("gpt", "12", "512", "LayerNorm", "gelu", "yes") or row["bias"] != "yes":
        raise Unmapped("no file of this model")
    if row["dtype"] != "bf16" or row["optimizer"] != "adam" or row["fp8"]:
        raise Unmapped("another format or optimizer")
    tp, pp, cp = (int(row[name]) for name in ("tp", "pp", "cp"))
    if cp > 1 and row["dropout"] != "0.0/0.0":
        raise Unmapped("context parallelism with dropout")
    for part in ("cross_entropy_loss_fusion", "defer_embedding_wgrad"):
        if part in row["case"]:
            raise Unmapped(f"{part} of Megatron-LM")
    # `vpp` is the argument of these tests: layers of a virtual stage.
    virtual = int(row["layers"]) // (pp * int(row["vpp"])) if row["vpp"] else 1
    dp = int(row["gpus"]) // (tp * pp * cp)
    unfused = row["attention_backend"] == "unfused" or row["transformer_impl"] == "local"
    if unfused and tp > 1:
        raise Unmapped("eager attention of the file is not divided among GPUs")
    flags = [f"--target={row['gpu']}-bf16", f"--seq={row['seq']}", "--precision-mode=cast", "--main-grads=fp32",
             "--loss-variant=in-place", "--optimizer=adam", "--optimizer-variant=fused", "--recompute=none",
             f"--gpus={row['gpus']}", f"--parallel={plan_of(tp, cp, pp, 1, dp, row['distributed_optimizer'] == 'yes')}",
             f"--micro-batch={row['micro_batch']}", f"--global-batch={row['global_batch']}"]
    if row["sequence_parallel"] == "yes" and tp > 1:
        flags.append("--sequence-parallel")
    if row["dropout"] == "0.0/0.0":
        flags.append("--dropout=off")
    if pp > 1 and virtual > 1:
        flags += ["--schedule=interleaved", f"--virtual-stages={virtual}"]
    name = "gpt-12x512" + ("" if unfused else "-sdpa23") + ".onnx"
    return RankRow(row["case"], row["quality"], None, str(ROOT / "models" / name), flags,
                   {"allocated": [float(row["peak_allocated_mib"])]})


def read(data):
    """([RankRow] of nodes, [RankRow] of last ranks, {reason: rows}) of both tables under the folder `data`."""
    nodes, last, skipped = [], [], {}
    with open(pathlib.Path(data) / "wave3" / "memory_ranks.csv", newline="") as file:
        nodes = [node_row(row) for row in csv.DictReader(file)]
    with open(pathlib.Path(data) / "modern" / "memory.csv", newline="") as file:
        for row in csv.DictReader(file):
            if "Megatron-LM" not in row["source"] or {row["tp"], row["pp"], row["cp"], row["ep"]} <= {"", "1"}:
                continue
            try:
                last.append(last_rank_row(row))
            except Unmapped as reason:
                skipped[str(reason)] = skipped.get(str(reason), 0) + 1
    return nodes, last, skipped
