# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peak memory against the allocator's own counters, and its slope over the batch.

`memory.csv` has what Megatron-LM's tests read from PyTorch's allocator: `steady`, what
lives between steps, and the peak; the difference is activations. `training_modern.csv` has
what the GPU showed as used during steps of several batches: their slope is compared with
that of the predicted device memory, since the fixed part depends on driver and libraries.
"""
import collections
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess

from error_statistics import describe

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Benchmark -> file and the options of its script. The script of the Hugging Face models never
# calls zero_grad.
HUGGING_FACE = ["--optimizer=adam", "--zero-grad=keep"]
BENCHMARKS = {
    "bert": ("bert-base-mlm-sdpa23", [*HUGGING_FACE, "--seq=512"]),
    "t5": ("t5-small", [*HUGGING_FACE, "--seq=1024"]),
    "whisper": ("whisper-tiny-audio-sdpa23", HUGGING_FACE),
    "resnet50": ("resnet50", ["--optimizer=sgd"]),
    "convnext_large": ("convnext-large", ["--optimizer=sgd"]),
    "regnet_y_128gf": ("regnet-y-128gf", ["--optimizer=sgd"]),
    "lightning": ("resnet152", ["--optimizer=adam"]),
    "resnet152-ddp": ("resnet152", ["--optimizer=sgd"]),
}
FORMATS = {"fp16-amp": "fp16", "bf16-amp": "bf16", "fp32": "fp32", "tf32": "tf32"}


def report(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["iteration"]


def megatron_command(tool, row):
    """Options of a row of Megatron-LM: bf16 weights, fp32 main gradients and states."""
    unfused = row["attention_backend"] == "unfused" or row["transformer_impl"] == "local"
    sharded = row["distributed_optimizer"] == "yes"
    return [tool, str(ROOT / "models" / ("gpt-12x512" + ("" if unfused else "-sdpa23") + ".onnx")),
            f"--target={row['gpu']}-bf16", "--mode=training", "--precision-mode=cast", "--main-grads=fp32",
            "--loss-variant=in-place", "--optimizer=adam", "--optimizer-variant=fused",
            f"--batch={row['micro_batch']}", f"--seq={row['seq']}",
            "--recompute=" + ("full" if row["recompute"].startswith("full") else "none"),
            f"--gpus={row['gpus']}", "--parallel=" + ("zero1" if sharded else "ddp"), "--report=json"]


def run_megatron(tool, path):
    errors = collections.defaultdict(list)
    for row in csv.DictReader(open(path)):
        if (row["quality"], row["family"], row["tp"], row["pp"]) != ("A", "gpt", "1", "1"):
            continue
        found = report(megatron_command(tool, row))
        state = sum(found[part + "_bytes"] for part in ("parameter", "gradient", "optimizer", "workspace")) / 2**20
        steady, peak = float(row["steady_allocated_mib"]), float(row["peak_allocated_mib"])
        activations = found["activation_bytes"] / 2**20
        for what, predicted, measured in (("state", state, steady), ("activations", activations, peak - steady)):
            errors[what].append(100 * (predicted / measured - 1))
            print(f"{row['gpu']:14s} {row['transformer_impl']:18s} {row['attention_backend']:8s} "
                  f"{row['recompute']:14s} {what:11s} predicted {predicted:7.0f} MiB measured {measured:7.0f} "
                  f"{errors[what][-1]:+6.1f} %")
    return errors


def find_benchmark(name):
    if name == "resnet50-noio":  # its loader leaves blocks of its own in the reading
        return None
    for key in sorted(BENCHMARKS, key=len, reverse=True):
        if name == key or name.startswith(key + "-"):
            return BENCHMARKS[key]
    return None


def slope(points):
    """Least squares: (slope, value at 0)."""
    x, y = zip(*points)
    fit = statistics.linear_regression(x, y)
    return fit.slope, fit.intercept


def run_slopes(tool, path, jobs):
    groups = collections.defaultdict(list)
    skipped = collections.Counter()
    for row in csv.DictReader(open(path)):
        if row["quality"] not in "AB" or not row["memory_mib"] or row["batch_per_gpu"] == "1":
            continue
        if not find_benchmark(row["benchmark"]) or row["precision"] not in FORMATS:
            skipped[row["benchmark"]] += 1
            continue
        groups[row["benchmark"], row["gpu"].rstrip("?"), row["precision"], row["gpus"]].append(row)
    errors = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (benchmark, gpu, precision, gpus), rows in groups.items():
            model, options = find_benchmark(benchmark)
            commands = [[tool, str(ROOT / "models" / f"{model}.onnx"), f"--target={gpu}-{FORMATS[precision]}",
                         "--mode=training", f"--batch={row['batch_per_gpu']}", f"--gpus={gpus}", *options,
                         "--report=json"] for row in rows]
            found = list(pool.map(report, commands))
            batches = [int(row["batch_per_gpu"]) for row in rows]
            if len(set(batches)) < 2:
                continue
            measured = slope([(b, float(row["memory_mib"])) for b, row in zip(batches, rows)])
            tensors = slope([(b, f["peak_memory_bytes"] / 2**20) for b, f in zip(batches, found)])
            device = slope([(b, f["device_bytes"] / 2**20) for b, f in zip(batches, found)])
            inside = sum(f["device_low_bytes"] <= float(row["memory_mib"]) * 2**20 <= f["device_high_bytes"]
                         for f, row in zip(found, rows))
            errors.append(100 * (device[0] / measured[0] - 1))
            print(f"{benchmark:18s} {gpu:14s} {precision:8s} n {len(rows):2d} MiB per sample measured "
                  f"{measured[0]:7.1f} (+{measured[1]:5.0f}) tensors {tensors[0]:7.1f} device {device[0]:7.1f} "
                  f"(+{device[1]:5.0f}) {errors[-1]:+6.1f} %, {inside} inside")
    for benchmark, count in sorted(skipped.items()):
        print(f"not mapped: {count} rows of {benchmark}")
    return {"slope over batch": errors}


def run(args):
    data = pathlib.Path(args.data) / "modern"
    errors = run_megatron(args.tool, data / "memory.csv")
    errors.update(run_slopes(args.tool, data / "training_modern.csv", args.jobs))
    for what, signed in errors.items():
        print(f"memory: {what:17s} {describe(signed)}")
    return 0 if errors else 1
