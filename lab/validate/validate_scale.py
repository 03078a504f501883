# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares training steps on many GPUs with public ones (scale_rows.py maps the rows).

Beside the tool: the median MFU of each GPU and format of these rows, and the FLOPs of the model at the peak of
the board. FLOPs of a step: 6 per active matmul parameter and token, and the causal half of attention, head included.
MLPerf rows are judged and printed here; documents do not publish them. `ranking`: groups of at least two plans of one
source, model, GPU, number of GPUs, batch, dispatch of tokens and container; the loss is how much longer the plan
with the shortest predicted step takes than the fastest plan, as measured. Plans of several containers are not compared:
one plan differs by a factor of two between releases.
"""
import collections
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile

import gates
import scale_page
import scale_rows
from error_statistics import describe
from kernel_tables import Unmapped

# Peak of the dense format, TFLOP/s.
PEAKS = {"a100-sxm-80gb": {"bf16": 312, "fp16": 312}, "h100-sxm-80gb": {"bf16": 989, "fp8": 1979},
         "b200-sxm": {"bf16": 2250, "fp8": 4500, "mxfp8": 4500, "nvfp4": 9000},
         "gb200": {"bf16": 2500, "fp8": 5000, "mxfp8": 5000, "nvfp4": 10000},
         "mi300x": {"bf16": 1307, "fp8": 2615}, "mi355x": {"bf16": 2517, "fp8": 5033}}
# Mean error of time by kind, and mean loss of the chosen plan by source, in percent, above which the gate fails: just
# above the current figures.
GATES = {"dense": 6.5, "LoRA": 6.8, "MoE": 11.7}
RANKING_GATES = {"bloom": 3.0, "MaxText": 1.7}
UNPUBLISHED = "MLPerf"
# Times of a report that --rows writes, and columns of the tables that describe a plan.
TERMS = ("gpu_busy", "host", "communication", "exposed_communication")
PLAN = ("model", "software", "gpus", "tp", "pp", "vpp", "cp", "ep", "microbatch")


class Result:
    """A measured step and its prediction, in s, with the ends of its interval."""

    def __init__(self, step, iteration):
        self.step = step
        self.predicted = iteration["time_ms"] / 1e3
        ends = [iteration.get(f"time_{end}_ms") for end in ("low", "high")]
        self.ends = None if None in ends else [end / 1e3 for end in ends]
        # In a pipeline, those of the reported stage.
        self.terms = {name: iteration[f"{name}_ms"] / 1e3 for name in TERMS}

    @property
    def error(self):
        """Signed, in percent."""
        return 100 * (self.predicted / self.step.measured - 1)

    @property
    def inside(self):
        return None if self.ends is None else self.ends[0] <= self.step.measured <= self.ends[1]

    @property
    def precision(self):
        return scale_rows.precision_of(self.step.row)


def flops_of(step):
    """Of one step on all GPUs; frozen weights have no gradients."""
    config, row = step.config, step.row
    hidden, layers, heads = config["hidden_size"], config["num_hidden_layers"], config["num_attention_heads"]
    if "q_lora_rank" in config:  # latent attention: projections down and up, and of the result
        size = config["qk_nope_head_dim"] + config["qk_rope_head_dim"]
        query, latent = config["q_lora_rank"], config["kv_lora_rank"]
        attention = (hidden * (query + latent + config["qk_rope_head_dim"]) + query * heads * size
                     + latent * heads * (config["qk_nope_head_dim"] + config["v_head_dim"])
                     + heads * config["v_head_dim"] * hidden)
    else:
        size = config["head_dim"]
        attention = hidden * size * (2 * heads + 2 * config["num_key_value_heads"])
    matrices = 2 if config["model_type"] in ("gpt2", "nemotron") else 3
    inner = config["intermediate_size"]
    if "num_experts_per_tok" in config:  # active ones, without the places that a capacity factor adds
        shared = config.get("n_shared_experts", 1 if "shared_expert_intermediate_size" in config else 0)
        active = config["moe_intermediate_size"] * (int(float(row["topk"])) + shared)
        sparse = (layers - config.get("first_k_dense_replace", 0)) // config.get("decoder_sparse_step", 1)
        inner = (active * sparse + inner * (layers - sparse)) / layers
    weights = layers * (attention + matrices * hidden * inner) + hidden * config["vocab_size"]
    tokens = int(float(row["globalbatch"])) * int(float(row["seq"]))
    return (4 if step.kind == "LoRA" else 6) * weights * tokens + 6 * tokens * layers * heads * size * int(float(row["seq"]))


# If a row does not state recomputation: the first of these that needs at most MEMORY_SLACK times the board's memory.
# Predicted activations of pipelines are about a third too large. Superchips move activations to the CPU's memory first.
BY_MEMORY = ("none", "every-8", "every-4", "every-2", "full")
MEMORY_SLACK = 1.35
OFFLOADS = ("gb200", "gb300")


def predict_one(tool, step, folder, extra):
    """The `iteration` of the report; raises Unmapped with the reason."""
    stated = step.options["recompute"]
    choices = ("none",) if stated == "auto" and step.gpu in OFFLOADS else BY_MEMORY if stated == "auto" else (stated,)
    for recompute in choices:
        line = scale_rows.command(tool, step, folder, recompute) + extra
        answer = subprocess.run(line, capture_output=True, text=True)
        if answer.returncode:
            raise Unmapped("tool: " + (answer.stderr.strip().splitlines() or ["no message"])[-1])
        iteration = json.loads(answer.stdout)["iteration"]
        if iteration["device_bytes"] <= MEMORY_SLACK * iteration["memory_usable_bytes"]:
            break
    return iteration


def predict(tool, steps, jobs, extra=lambda step: []):
    """([Result], {reason: number of rows}); `extra` gives further flags of a step."""
    results, skipped, answers = [], collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for step in steps:
            if step.plan not in answers:
                answers[step.plan] = pool.submit(predict_one, tool, step, folder, extra(step))
    for step in steps:
        try:
            results.append(Result(step, answers[step.plan].result()))
        except Unmapped as reason:
            skipped[str(reason)] += 1
    return results, skipped


def baselines(results):
    """Signed errors in percent of a constant MFU per GPU and format, and of the peak, on boards in PEAKS."""
    results = [r for r in results if r.precision in PEAKS.get(r.step.gpu, ())]
    ideal = [flops_of(r.step) / (PEAKS[r.step.gpu][r.precision] * 1e12 * int(float(r.step.row["gpus"])))
             for r in results]
    shares = collections.defaultdict(list)
    for result, time in zip(results, ideal):
        shares[result.step.gpu, result.precision].append(time / result.step.measured)
    constant, peak = [], []
    for result, time in zip(results, ideal):
        typical = statistics.median(shares[result.step.gpu, result.precision])
        constant.append(100 * (time / typical / result.step.measured - 1))
        peak.append(100 * (time / result.step.measured - 1))
    return constant, peak


def print_table(title, results, key):
    print(f"\n{title}")
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result)].append(result)
    for name, part in sorted(groups.items()):
        errors = [r.error for r in part]
        known = [r.inside for r in part if r.inside is not None]
        inside = f", {100 * sum(known) / len(known):.0f} % of {len(known)} inside" if known else ""
        print(f"  {name}: {describe(errors)}{inside}")


def losses_of(results):
    """By source, for each group of plans: the loss of the chosen plan and of the mean plan, in percent."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for result in results:
        row = result.step.row
        model = json.dumps(result.step.config, sort_keys=True)
        key = (result.step.source, model, row["gpu"], row["gpus"], row["globalbatch"], row["seq"], result.precision,
               row["software"], row.get("capacity_factor"), scale_rows.dispatch_of(row))
        plan = tuple(row[name] for name in ("tp", "pp", "vpp", "cp", "ep", "microbatch", "zero"))
        groups[key][plan].append(result)
    losses = collections.defaultdict(list)
    for key, plans in groups.items():
        if len(plans) < 2:
            continue
        measured = [statistics.median(r.step.measured for r in part) for part in plans.values()]
        predicted = [statistics.median(r.predicted for r in part) for part in plans.values()]
        chosen = measured[predicted.index(min(predicted))]
        losses[key[0]].append([100 * (time / min(measured) - 1) for time in (chosen, statistics.mean(measured))])
    return losses


def print_ranking(results):
    print("\nloss of the chosen plan")
    for source, values in sorted(losses_of(results).items()):
        chosen, typical = (statistics.mean(each) for each in zip(*values))
        print(f"  {source}: {chosen:.1f} % over {len(values)} groups, the mean plan {typical:.1f} %")


# The step of the 64 nodes in modern/node_power.csv.
NODE_STEP = {"model_type": "gpt2", "n_layer": 96, "n_embd": 12288, "n_head": 96, "n_positions": 2048, "n_inner": 49152,
             "vocab_size": 51200, "torch_dtype": "bfloat16"}
NODE_OPTIONS = ("--target=h100-sxm-80gb-fp8 --mode=training --seq=2048 --micro-batch=2 --global-batch=2048 "
                "--parallel=tp4.pp8.zero1x16 --schedule=interleaved --virtual-stages=6 --network=dgx-h100 "
                "--software=megatron-0.9 --clip-grad-norm --main-grads=as-is --master-weights=fp32").split()


def print_node_power(args):
    """Mean power of a node with eight boards. Its other parts draw the mean of what single nodes of the same system draw
    besides boards at their limit."""
    with open(pathlib.Path(args.data) / "modern" / "node_power.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measurement"] == "DC"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(NODE_STEP, file)
        file.flush()
        line = [args.tool, file.name, "--report=json", *NODE_OPTIONS]
        iteration = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)["iteration"]
    alone = [float(row["node_w_mean"]) for row in rows if row["nodes"] == "1"]
    predicted = statistics.mean(alone) - 8 * (iteration["power_limit_w"] - iteration["avg_power_w"])
    for row in rows:
        if row["benchmark"] == "gpt3":
            error = 100 * (predicted / float(row["node_w_mean"]) - 1)
            print(f"\nnode power of {row['benchmark']} on {row['gpus']} {row['gpu']}: {error:+.1f} % (internal)")


def run(args):
    steps, skipped = scale_rows.read(args.data)
    if args.source:
        steps = [step for step in steps if step.source == args.source]
    ranked, failed = predict(args.tool, steps, args.jobs)
    results = ranked
    print_table("by source, GPU and format", results,
                lambda r: f"{r.step.source} {r.step.kind} {r.step.gpu} {r.precision}")
    print_table("by kind and GPU", results, lambda r: f"{r.step.kind} {r.step.gpu}")
    published = [r for r in results if r.step.source != UNPUBLISHED]
    for name, part in (("all", results), ("without MLPerf", published)):
        if not part:
            continue
        print_table(name, part, lambda r: r.step.kind)
        constant, peak = baselines(part)
        print(f"  constant MFU: {describe(constant)}\n  peak: {describe(peak)}")
    print_ranking(ranked)
    print_node_power(args)
    print()
    for reason, rows in sorted(skipped.items(), key=lambda item: -len(item[1])):
        print(f"not mapped: {len(rows)} rows: {reason}")
    for reason, count in failed.most_common():
        print(f"not mapped: {count} rows: {reason}")
    if args.out:
        pathlib.Path(args.out).write_text(scale_page.page(published, baselines, losses_of(published)))
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["row", "source", "kind", "gpu", "precision", *PLAN, "measured_s", "predicted_s",
                            "error_percent", "inside", *(f"{name}_s" for name in TERMS), "options"])
            for r in ranked:
                table.writerow([r.step.row["row_id"], r.step.source, r.step.kind, r.step.gpu, r.precision,
                                *(r.step.row[name] for name in PLAN), r.step.measured, f"{r.predicted:.4f}",
                                f"{r.error:.1f}", r.inside, *(f"{r.terms[name]:.4f}" for name in TERMS),
                                " ".join(f"{name}={value}" for name, value in r.step.options.items())])
    return 0 if ranked else 1


def checks(args, data):
    """Time of training steps on many GPUs, by kind, and loss of the chosen plan; rows without MLPerf."""
    steps, _ = scale_rows.read(data)
    results, _ = predict(args.tool, [step for step in steps if step.source != UNPUBLISHED], args.jobs)
    for name, limit in GATES.items():
        yield gates.mape(f"scale {name} time", [r.error for r in results if r.step.kind == name], limit)
    losses = losses_of(results)
    for name, limit in RANKING_GATES.items():
        yield gates.mape(f"scale {name} loss of the chosen plan", [chosen for chosen, _ in losses.get(name, [])], limit)
