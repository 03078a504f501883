# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of sparse attention as serving stacks run them: rows of the table of aiconfigurator.

A row is one attention block of a layer: projections, the indexer that chooses keys, attention, and the projection of its
results. The tool composes it from a configuration of one layer; the time is the sum of the kernels of its attention. Only
DeepSeek Sparse Attention is an architecture of the tool. Prompts are timed eagerly: only rows of at least 1.5 times the time
of the smallest ones of their series measure the GPU. L40S and A100 have no such kernels.
"""
import collections
import json
import pathlib
import statistics

from e2e_rows import run_tools
from serving_rows import RANK, ROPE, SOFTWARE, once, read, work

SPARSE = "wave3/aic/sparse_attention_modules.csv.gz"
DEEPSEEK = {"model_type": "deepseek_v32", "architectures": ["DeepseekV32ForCausalLM"], "hidden_size": 7168, "q_lora_rank": 1536,
            "qk_nope_head_dim": 128, "v_head_dim": 128, "index_n_heads": 64}
GLM = {"model_type": "glm_moe_dsa", "architectures": ["GlmMoeDsaForCausalLM"], "hidden_size": 6144, "q_lora_rank": 2048,
       "qk_nope_head_dim": 192, "v_head_dim": 256, "index_n_heads": 32}
CHOSEN = 2048  # keys
# Layers with small feed-forward networks, which are not counted.
LAYER = {"torch_dtype": "bfloat16", "intermediate_size": 64, "num_hidden_layers": 1, "first_k_dense_replace": 1, "vocab_size": 64,
         "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "index_topk": CHOSEN,
         "max_position_embeddings": 2097152}
MODELS = {"DeepSeek-V3.2": DEEPSEEK, "GLM-5": GLM, "GLM-5-FP8": GLM, "GLM-5.2-NVFP4": GLM}
FORMATS = {"bf16": (), "fp8_block": ("--weights=fp8-block", "--activations=fp8-block"),
           "nvfp4": ("--weights=nvfp4", "--activations=nvfp4")}
PHASES = {"dsa_context_module": "context", "dsa_generation_module": "generation"}
SHAPE = ("gpu", "stack", "kernel", "op", "model", "kv_dtype", "gemm_dtype", "num_heads", "batch_size", "q_len", "prefix")
SERIES = ("gpu", "stack", "kernel", "op", "model", "kv_dtype", "gemm_dtype")
HOST = 1.5
BOARDS = ("h100-sxm-80gb", "b200-sxm", "gb200")
PARTS = ("layers.0.self_attn", "present.0.")
# Kernels of the block that `sparse_kernels` may have.
INDEXER = ("layers.0.self_attn.indexer attention", "layers.0.self_attn.indexer.chosen reduction", "layers.0.self_attn attention")


def sparse_rows(data):
    """Each block once, in the newest version of its stack."""
    rows = sorted(read(data, SPARSE), key=lambda row: row["version"], reverse=True)
    return once([row for row in rows if row["op"] in PHASES and row["model"] in MODELS and row["stack"] in SOFTWARE
                 and row["gpu"] in BOARDS], SHAPE)


def judged_rows(data):
    """Those that measure the GPU."""
    rows, series = sparse_rows(data), collections.defaultdict(list)
    key = lambda row: tuple(row[name] for name in SERIES)
    for row in rows:
        series[key(row)].append(float(row["us"]))
    host = {name: statistics.median(sorted(times)[:max(3, len(times) // 10)]) for name, times in series.items()}
    return [row for row in rows if PHASES[row["op"]] != "context" or float(row["us"]) > HOST * host[key(row)]]


def configuration(row, folder):
    """The file of a layer with as many heads as one GPU has."""
    path = pathlib.Path(folder) / f"{row['model']}-{row['num_heads']}.json"
    if not path.exists():
        heads = {"num_attention_heads": int(row["num_heads"]), "num_key_value_heads": int(row["num_heads"])}
        path.write_text(json.dumps({**LAYER, **MODELS[row["model"]], **heads}))
    return path


def command(tool, row, folder):
    line = [str(tool), str(configuration(row, folder)), f"--target={row['gpu']}-bf16", f"--software={SOFTWARE[row['stack']]}",
            f"--batch={row['batch_size']}", f"--seq={row['q_len']}", "--kv-cache=in-place",
            "--set=power_limit=100 kW,dram_capacity=1000000 GB", "--report=json", *FORMATS[row["gemm_dtype"]]]
    if row["prefix"] != "0":
        line.append(f"--past={row['prefix']}")
    return tuple(line + (["--kv=fp8"] if row["kv_dtype"] == "fp8" else []))


def parts_of(report):
    """{kernel: time in us} of the attention of the layer."""
    found = collections.Counter()
    for kernel in report["kernels"]:
        if kernel["name"].startswith(PARTS):
            found[f"{kernel['name']} {kernel['family']}"] += kernel["total_us"]
    return found


def chooses(row):
    return int(row["prefix"]) + int(row["q_len"]) > CHOSEN


def sparse_kernels(row):
    """{kernel of the block: IR}: the scores, with chosen keys also the choice, and in prompts the attention."""
    heads, batch, queries = int(row["num_heads"]), int(row["batch_size"]), int(row["q_len"])
    keys, indexers = int(row["prefix"]) + queries, MODELS[row["model"]]["index_n_heads"]
    bits = 8 if row["kv_dtype"] == "fp8" else 16
    shape = f"query_length = {queries}, kv_length = {keys}"
    scores = (f"#gpucost.attention<batch = {batch}, heads = {indexers}, kv_heads = 1, {shape}, head_dim = {LAYER['index_head_dim']}, "
              "causal = true, value_dim = 1>")
    rows = batch * queries
    choice = (f'gpucost.kernel "k" attributes {{work = #gpucost.work<family = reduction, format = bf16, input_bits = 16, '
              f"output_bits = 16, problem = #gpucost.rows<rows = {rows}, cols = {keys}, pass = choice>, "
              f"bytes_read = {2 * rows * keys}, bytes_written = {10 * rows * CHOSEN}>}} {{\n}}\n")
    kernels = {INDEXER[0]: work("attention", "bf16", bits, scores)}
    if chooses(row):
        kernels[INDEXER[1]] = choice
    if PHASES[row["op"]] == "context":
        window = f"window = {CHOSEN}, " if chooses(row) else ""
        prompt = (f"#gpucost.attention<batch = {batch}, heads = {heads}, kv_heads = 1, {shape}, head_dim = {RANK + ROPE}, "
                  f"{window}causal = true, value_dim = {RANK}, chosen = true>")
        kernels[INDEXER[2]] = work("attention", "bf16", bits, prompt)
    return kernels


def predict(tool, rows, folder, jobs):
    """[{kernel: time in us}] of each row."""
    lines = [command(tool, row, folder) for row in rows]
    wanted = list(dict.fromkeys(lines))
    answers = dict(zip(wanted, run_tools(wanted, jobs)))
    for line, (_, error) in answers.items():
        if error:
            raise OSError(f"{' '.join(line)}: {error}")
    return [parts_of(answers[line][0]) for line in lines]
