# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public kernel tables as kernel queries, and the protocol by which each was timed.

query(row) returns the columns of docs/KernelQueries.md for a table row, or raises
Unmapped with the reason. Protocols, from the benchmarks' sources:

- aiconfigurator: CUDA graphs of six launches with six weights and one activation, 18
  launches of warm-up, 36 timed; random data. So a weight returns after six weights'
  bytes, and short kernels end before the power limiter acts. Prefill includes the
  kernel that writes the KV cache.
  Its medians are over the tables by stack. Until 1.3.0rc20 the decode runs of
  TensorRT-LLM read half the cache (D7).
- NeuSight: events around one eager launch from an idle stream with the same operands
  each time: the timer includes the host's dispatch, operands may stay in L2.
- LLMCompass: wall clock around launch and synchronisation, likewise.
- nccl-tests: out of place, 60 to 100 calls in a row.
- Vidur: the profiler's kernel time, no dispatch; whole microseconds.
"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARM_UP, TIMED, COPIES = 18, 36, 6
BYTES = {"fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
ELEMENTWISE = ("add", "mul", "div", "pow", "addu", "mulu", "divu", "powu", "relu", "gelu", "tanh")
# Sources whose timer includes the dispatch of the launch.
WITH_DISPATCH = ("neusight", "llmcompass")

FAMILIES = ("linear", "batched matmul", "convolution", "attention, prefill", "attention, decode", "softmax",
            "layernorm", "elementwise", "collective")

# Names for several families.
GROUPS = {"gemm": ("linear", "batched matmul"), "conv": ("convolution",),
          "attention": ("attention, prefill", "attention, decode"), "norm": ("layernorm",)}


class Unmapped(Exception):
    """A row without a counterpart in kernel queries, the manifest or the targets."""


def mapped(count, answers, unit="rows"):
    """The list that `answers()` returns; an empty one, and a line with the reason, if the tool cannot map its `count` rows."""
    try:
        return answers()
    except Unmapped as reason:
        print(f"not mapped: {count} {unit}: {reason}", file=sys.stderr)
        return []


def integer(text):
    return int(float(text))


# Release of a stack -> --software, if it is not the newest release.
RELEASES = {
    "vllm": {"0.14.0": "vllm-0.14", "0.14.1.dev1+gd68209402": "vllm-0.14", "0.18.0": "vllm-0.19", "0.19.0": "vllm-0.19", "0.22.0": "vllm-0.19"},
    "sglang": {"0.5.6.post2": "sglang-0.5.6", "0.5.9": "sglang-0.5.9", "0.5.10": "sglang-0.5.10",
               "0.5.12": "sglang-0.5.12"},
    "trtllm": {"1.0.0": "tensorrt-llm-1.2", "1.2.0rc5": "tensorrt-llm-1.2", "1.3.0rc10": "tensorrt-llm-1.3rc10",
               "1.3.0rc15": "tensorrt-llm-1.3rc10"},
}
PRODUCTS = {"vllm": "vllm", "sglang": "sglang", "trtllm": "tensorrt-llm"}
# GPU, stack, version and length column of tables in which many times are wrong by a factor of at least
# ten.
BROKEN = {("l40s", "sglang", "0.5.12", "q_len"), ("h200-sxm", "vllm", "0.19.0", "q_len")}
# Flags of a table whose rows are not judged: far slower than other stacks, faster than a smaller size.
DOUBTED = ("O", "N")
DECODE_KERNELS = ("vllm_flashinfer_trtllmdecode",)
# Kernels of a stack that users select, next to those that it selects by itself, by head dimension.
SELECTED = {("sglang", "flashinfer", "128"): "FlashInfer", ("sglang", "triton", "256"): "Triton"}


def of_formats(row):
    """A row of the table of attention by stack and format in the columns of the tables by stack."""
    if row["attn_dtype"] != "bf16" or row["kv_dtype"] != "bf16":
        raise Unmapped("attention or cache in 8 bit")
    if row["flag"] in DOUBTED:
        raise Unmapped(f"flag {row['flag']}")
    return of_kernel(row)


def of_kernel(row):
    """`of_formats` for any format and flag."""
    if backend := SELECTED.get((row["stack"], row["kernel"], row["head_dim"])):
        raise Unmapped(f"{backend} in {row['stack']}, which is not its default")
    if row["kernel"] in DECODE_KERNELS:  # also prompts of one token
        row = dict(row, op="generation")
    row = dict(row, measured_us=row["us"], num_key_value_heads=row["num_kv_heads"] if row["num_kv_heads"] != "0" else row["num_heads"])
    del row["q_len" if row["op"] == "generation" else "kv_len"]
    return row


def of_stack(row):
    """A row of a per-stack table with the columns of the other tables, and the software whose
    kernels it timed."""
    if "attn_dtype" in row:
        row = of_formats(row)
    return of_release(row)


def of_release(row):
    """`of_stack` of a row that names its release."""
    length = "kv_len" if "kv_len" in row else "q_len"
    name = f"{row['stack']}-{row['version']}"
    if (row["gpu"], row["stack"], row["version"], length) in BROKEN:
        raise Unmapped(f"{name} on {row['gpu']}: table with broken times")
    software = RELEASES[row["stack"]].get(row["version"], PRODUCTS[row["stack"]])
    return dict(row, source=f"aiconfigurator/{name}", dtype=row.get("attn_dtype", "bf16"), software=software, isl=row.get("q_len"),
                op="generation" if length == "kv_len" else "context")


@functools.lru_cache(maxsize=None)
def sm_count(gpu):
    return int(re.search(r"\bsms = (\d+)", (ROOT / "targets" / f"{gpu}.mlir").read_text())[1])


def cache_share(row, columns):
    """Fraction of the cache that the kernel of a decode row read, equation (D7)."""
    if row.get("software") not in ("tensorrt-llm-1.2", "tensorrt-llm-1.3rc10"):
        return 1
    group, dim, length = columns["heads"] // columns["kv_heads"], columns["head_dim"], columns["kv_len"]
    blocks = 4 * columns["batch"] * columns["kv_heads"] * max(1, (length - 1) // 128)
    if not 1 < group <= 32 or blocks < sm_count(row["gpu"]):
        return 0.5 if length <= 256 else 1
    half = dim <= 128 or (dim == 192 and group in (2, 4, 8, 16)) or (dim >= 256 and group not in (5, 10, 20, 40))
    return 0.5 if half else 1


def decode_protocol(row, columns):
    """Protocol columns of a decode row: one cache, read repeatedly."""
    share = cache_share(row, columns)
    cache = columns["kv_heads"] * min(columns["kv_len"], columns.get("window") or columns["kv_len"]) * share
    size = BYTES[columns.get("kv_dtype", "bf16")] / 2
    touched = 4 * columns["batch"] * columns["head_dim"] * (size * cache + columns["heads"] + columns["kv_heads"])
    return {"cache_share": share, "reuse_bytes": touched}


def matmul(batch, m, n, k, linear, dtype):
    return {"family": "matmul", "batch": batch, "m": m, "n": n, "k": k, "linear": int(linear), "dtype": dtype,
            "bytes": batch * (m * k + k * n + m * n) * BYTES[dtype], "weight_bytes": batch * k * n * BYTES[dtype]}


def rows_of(family, rows, cols, dtype):
    return {"family": family, "rows": rows, "cols": cols, "dtype": dtype, "bytes": 2 * rows * cols * BYTES[dtype]}


def elementwise(op, elements, dtype):
    inputs = 2 if op in ("add", "mul", "div", "pow") else 1
    return {"family": "elementwise", "op": op, "elements": elements, "dtype": dtype,
            "bytes": (inputs + 1) * elements * BYTES[dtype]}


def attention(row):
    heads, kv_heads, dim = (integer(row[c]) for c in ("num_heads", "num_key_value_heads", "head_dim"))
    batch = integer(row["batch_size"])
    if heads % kv_heads:
        raise Unmapped("heads that the KV heads do not divide")
    if row["op"].startswith("generation"):
        q_len, kv_len = 1, integer(row["kv_len"])
    else:
        q_len = kv_len = integer(row["isl"])
        if q_len == 1:
            raise Unmapped("prefill of one token, which is a decode step")
    causal = int(q_len > 1 and row["op"] != "encoder")
    window = {"window": integer(row["window"])} if integer(row.get("window") or "0") else {}
    keys = min(kv_len, window["window"]) if window and q_len == 1 else kv_len
    cache = {"kv_dtype": row["kv_dtype"]} if row.get("kv_dtype", "bf16") != "bf16" else {}
    return {"family": "attention", "batch": batch, "heads": heads, "kv_heads": kv_heads, "q_len": q_len,
            "kv_len": kv_len, "head_dim": dim, "causal": causal, **window, "dtype": row["dtype"], **cache,
            "bytes": 2 * batch * dim * (2 * heads * q_len + BYTES[row.get("kv_dtype", "bf16")] * kv_heads * keys)}


def convolution(row):
    batch, cin, cout, kernel, size, stride, pad = (
        integer(row[c]) for c in ("B", "Cin", "Cout", "k", "HW", "stride", "pad"))
    out = (size + 2 * pad - kernel) // stride + 1
    return {"family": "conv2d", "n": batch, "c": cin, "h": size, "w": size, "oc": cout, "kh": kernel, "kw": kernel,
            "stride": stride, "pad": pad, "dtype": row["dtype"],
            "bytes": BYTES[row["dtype"]] * (batch * cin * size ** 2 + cout * cin * kernel ** 2
                                            + batch * cout * out ** 2)}


def collective(row):
    op = {"alltoall": "all_to_all"}.get(row["op_name"], row["op_name"])
    size = integer(row["bytes"])
    return {"family": "collective", "op": op, "gpus": integer(row["num_gpus"]), "message_bytes": size,
            "dtype": {"half": "fp16", "float": "fp32"}.get(row["nccl_dtype"], row["nccl_dtype"]), "bytes": size}


def vidur(row):
    op, m, n, dtype = row["op"], integer(row["m"]), integer(row["n"]), row["dtype"]
    if op.startswith("linear:"):
        return matmul(1, m, n, integer(row["k"]), True, dtype)
    if op == "add":
        return elementwise("add", m * n, dtype)
    if op.endswith("layernorm"):
        return rows_of("layernorm", m, n, dtype)
    raise Unmapped(f"operation {op}: operands not given")


def by_columns(row):
    """Operation of a NeuSight or LLMCompass row, from its name and columns."""
    op, dtype = row["op"], row["dtype"]
    if op == "conv":
        return convolution(row)
    if op in ("bmm", "linear", "matmul"):
        if not row.get("k"):
            raise Unmapped("product without its sizes")
        batch = integer(row["B"]) if row.get("B") else 1
        return matmul(batch, integer(row["m"]), integer(row["n"]), integer(row["k"]), op != "bmm", dtype)
    rows, cols = (row.get("B") or row.get("m"), row.get("H") or row.get("n"))
    if not rows or not cols:
        raise Unmapped(f"operation {op.split('/')[0]}: operands not given")
    rows, cols = integer(rows), integer(cols)
    if op in ("softmax", "layernorm"):
        return rows_of(op, rows, cols, dtype)
    if op in ELEMENTWISE:
        return elementwise(op, rows * cols, dtype)
    raise Unmapped(f"operation {op.split('/')[0]}")


def software(row, columns):
    """--software of the program that measured `row`; "" for current PyTorch. NeuSight and LLMCompass ran releases of
    PyTorch before 2.8, whose softmax reads long rows again (M6)."""
    before = columns["family"] == "softmax" and row["source"].split()[0].split("/")[0] in ("neusight", "llmcompass")
    return row.get("software") or ("pytorch-2.7" if before else "")


def cache_write(columns):
    """Query for the kernel that copies a prefill's keys and values into the cache."""
    elements = 2 * columns["batch"] * columns["kv_heads"] * columns["kv_len"] * columns["head_dim"]
    return elementwise("copy", elements, columns["dtype"])


def query(row):
    """Columns of the kernel query for `row`, with `bytes` (every operand once)."""
    if "nccl" in row:
        return collective(row)
    if row.get("fwdbwd", "fwd") != "fwd":
        raise Unmapped("backward kernel")
    if "dtype" not in row:
        raise Unmapped("table without the column dtype")
    if row["dtype"] not in BYTES:
        raise Unmapped(f"type {row['dtype']}")
    if row["source"] == "vidur":
        return vidur(row)
    if "num_key_value_heads" in row:
        return attention(row)
    return by_columns(row)


def family(columns):
    """Name of the family in error tables."""
    name = columns["family"]
    if name == "matmul":
        return "linear" if columns["linear"] else "batched matmul"
    if name == "attention":
        return "attention, decode" if columns["q_len"] == 1 else "attention, prefill"
    return {"conv2d": "convolution"}.get(name, name)


def is_wanted(columns, wanted):
    """Whether `columns` belong to the family or group `wanted`; "" means
    all."""
    return wanted in ("", family(columns)) or family(columns) in GROUPS.get(wanted, ())


class Dispatch:
    """The time that a timer adds if it includes the dispatch of the launch: (t0 + (t^4 + d^4)^1/4).

    t0 + d is the time of an empty launch, the first percentile of a group's measured times; the
    fraction of t0 is chosen on every second row, so the other rows measure the error.
    """
    SHARES = [i / 20 for i in range(21)]

    def __init__(self, measured, predicted, floor=None):
        """Times in us of one group (GPU, operation, session), or of a part of it whose floor is known."""
        self.floor = sorted(measured)[len(measured) // 100] if floor is None else floor
        chosen = list(zip(measured, predicted))[::2]
        self.share = 0.0
        self.share = min(self.SHARES, key=lambda share: sum(
            abs(self.at(share, p) / m - 1) for m, p in chosen))

    def at(self, share, kernel_us):
        return share * self.floor + (kernel_us ** 4 + ((1 - share) * self.floor) ** 4) ** 0.25

    def timed(self, kernel_us):
        return self.at(self.share, kernel_us)
