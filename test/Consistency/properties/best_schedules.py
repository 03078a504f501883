# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a library call and as its best schedule: the schedule is not over 5 % faster, or its remark names the
choice of the library that makes the difference. Best schedules by energy and energy-delay product have the least."""
import csv
import io
import json
import random
import re

from tool import Case

FORMATS = {"p100-pcie-16gb": ["fp32"], "v100": ["fp32", "fp16"], "t4": ["fp32", "fp16", "int8"],
           "a100": ["fp32", "tf32", "bf16", "int8"], "l40s": ["fp32", "tf32", "fp16", "fp8"],
           "h100": ["fp32", "tf32", "bf16", "fp8"], "b200": ["bf16", "fp8", "nvfp4"]}
SHAPES = 8
#: Equations of choices of libraries, clocks and schedules outside the set of libraries.
NAMED = re.compile(r"\((G12|S8|C9|A1|D2|V1|P6|V2)\)")
UNREMARKABLE = 1.05


def matmul(draw):
    """Few and many rows, ragged and whole sizes."""
    m, n, k = draw(0, 13), draw(4, 14), draw(4, 14)
    return {"m": m, "n": -(-n // 16) * 16, "k": -(-k // 16) * 16}


def few_splits(draw):
    """Results that fill about one round of CTAs."""
    return {"m": 1024 * draw(0, 3), "n": 1024, "k": 1024 * draw(0, 3)}


def conv2d(draw):
    edge = draw(3, 7)
    filter_edge = draw.choice([1, 3, 5])
    return {"n": draw(0, 5), "c": 8 * draw(1, 6), "h": edge, "w": edge, "oc": 8 * draw(1, 6), "kh": filter_edge,
            "kw": filter_edge, "stride": draw.choice([1, 2]), "pad": filter_edge // 2}


def attention(draw):
    heads = draw.choice([8, 16, 32])
    keys = 2 + draw(4, 13)
    return {"batch": draw(0, 3), "heads": heads, "kv_heads": draw.choice([heads, heads // 4]),
            "q_len": draw.choice([keys, 2 + min(keys - 2, draw(2, 8))]), "kv_len": keys,
            "head_dim": draw.choice([64, 128])}


def decode(draw):
    heads = draw.choice([8, 16, 32])
    return {"batch": draw(0, 6), "heads": heads, "kv_heads": draw.choice([heads, heads // 4, 1]), "q_len": 1,
            "kv_len": draw(4, 15), "head_dim": draw.choice([64, 128])}


#: Kernels, their family, and the formats in which all GPUs that have them run them.
KINDS = [(matmul, "matmul", None), (few_splits, "matmul", None), (conv2d, "conv2d", ["fp32", "fp16", "bf16", "int8"]),
         (attention, "attention", ["fp16", "bf16"]), (decode, "attention", ["fp16", "bf16"])]


class Draw(random.Random):
    def __call__(self, low, high):
        """An integer between 2^low and 2^high, evenly distributed on a logarithmic scale."""
        return int(2 ** self.uniform(low, high))


def query(tool, target, family, shapes, goals):
    """For each shape the answers for `goals`, which are values of the column `objective`; "": the library."""
    names = list(shapes[0])
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["family", *names, "top", "objective"])
    for shape in shapes:
        for goal in goals:
            writer.writerow([family, *(shape[name] for name in names), 1 if goal else "", goal])
    answers = json.loads(tool.run("--kernels=-", "--report=json", f"--target={target}", stdin=table.getvalue()))
    return [answers[at:at + len(goals)] for at in range(0, len(answers), len(goals))]


def cases(tool):
    draw = Draw(45)
    for gpu, formats in FORMATS.items():
        for kind, family, known in KINDS:
            for number_format in formats:
                if known is None or number_format in known:
                    shapes = [kind(draw) for _ in range(SHAPES)]
                    yield compare(tool, f"{gpu}-{number_format}", kind, family, shapes)


def compare(tool, target, kind, family, shapes):
    case = Case(f"{target} {kind.__name__}")
    goals = ["", "time", "energy", "energy_delay"]
    for shape, (library, fastest, frugal, balanced) in zip(shapes, query(tool, target, family, shapes, goals)):
        text = " ".join(f"{name}={value}" for name, value in shape.items())
        ratio = library["time_us"] / fastest["time_us"]
        remark = fastest["remark"]
        case.require("ratio", ratio <= UNREMARKABLE or (remark.startswith("faster") and NAMED.search(remark)),
                     f"{text}: {ratio:.3f}, '{remark}'")
        case.require("slower kernel", ratio > 1 / UNREMARKABLE or remark.startswith("slower than the library's kernel ")
                     or fastest["clock_mhz"] != library["clock_mhz"], f"{text}: {ratio:.3f}, '{remark}'")
        case.require("remark", ratio > UNREMARKABLE or not remark.startswith("faster"), f"{text}: {ratio:.3f}, {remark}")
        case.require("energy", frugal["energy_j"] <= fastest["energy_j"], text)
        products = [answer["energy_j"] * answer["time_us"] for answer in (fastest, frugal, balanced)]
        case.require("energy_delay", products[2] <= min(products) * (1 + 1e-9), text)
        case.require("slower", frugal["time_us"] >= fastest["time_us"] * (1 - 1e-9), text)
    return case
