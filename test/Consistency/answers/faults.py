# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad inputs: every subcommand and the package refuse them with the same words."""
import pathlib
import re
import tempfile

from tool import Case

from answers.doors import Refusal, refusal
from answers.settings import NETWORKS, Network, Setting

BERT, DECODER = (next(network for network in NETWORKS if name in network.path)
                 for name in ("bert-base", "llama-3.1-8b-decode"))
FILES = {"missing.onnx": None, "missing.mlir": None, "text.onnx": "hello\n", "empty.onnx": "", "half.mlir": "module {\n",
         "nothing.mlir": "module {}\n"}
SHAPES = {BERT: {"batch": 2, "seq": 64}, DECODER: {"batch": 2, "seq": 1, "past": 128}}
# Settings that are refused on this target; those of GPU_FAULTS are settings of kernel queries, too.
GPU_FAULTS = [
    {"target": "a1000-bf16"}, {"target": "a100-fp9"}, {"target": "v100-bf16"},
    {"clock": 99999}, {"clock": 1}, {"clock": 0}, {"clock": "fast"}, {"power-limit": 0}, {"power-limit": -5},
    {"power-limit": "much"}, {"set": "smss=100"}, {"set": "sms=-1"}, {"set": "sms"}, {"interconnect": "nvlink9"},
    {"interconnect": "own:-1:2"}, {"network": "fast"}, {"network": "400"}, {"software": "vllm-9"},
    {"target-file": "missing.mlir"}, {"coefficients": "missing.mlir"}, {"tf32": "maybe"},
]
FAULTS = [
    {"batch": 0}, {"batch": "many"}, {"batch": -1}, {"batch": 10**30}, {"seq": 0}, {"past": -1}, {"gpus": 0}, {"gpus": 200000},
    {"gpus": 4}, {"gpus": 4, "parallel": "fsdp"}, {"gpus": 3, "parallel": "tp2.dp2"}, {"gpus": 16, "parallel": "tp"},
    {"nodes": 2}, {"gpus": 8, "nodes": 2, "parallel": "tp"}, {"gpus": 4, "parallel": "ring"},
    {"gpus": 4, "parallel": "ep", "mode": "training"}, {"gpus": 5, "parallel": "tp"},
    {"mode": "testing"}, {"optimizer": "adamw"}, {"recompute": "full"}, {"mode": "training", "optimizer": "sgdd"},
    {"mode": "training", "kv-cache": "paged"}, {"mode": "training", "weights": "int8"}, {"mode": "training", "target": "h100-int8"},
    {"mode": "training", "recompute": "every-0"}, {"mode": "training", "grad-accum": 0},
    {"weights": "int3"}, {"activations": "int4"}, {"activations": "fp8"}, {"kv": "mxfp4"}, {"weight-group": 3},
    {"kv-cache": "ring"}, {"kv-block": 32}, {"memory-fraction": 0}, {"memory-fraction": 1.5}, {"allocator": "arena"},
    {"attention": "flash", "target": "v100-fp16"}, {"attention": "flash3"}, {"runtime": "fast"}, {"host-launch-us": -1},
    {"step-gap-us": -1}, {"epochs": 3}, {"samples": 100, "tokens": 100}, {"samples": 0}, {"pue": 0.5}, {"price": -1},
    {"price": "cheap"}, {"grid": -1}, {"bind": "batch:0"}, {"bind": "nothing:3"}, {"trip": "loop:5"},
    {"entry": "elsewhere"}, {"tf32": "on", "target": "v100-fp16"}, {"trainable": "*bias"}, {"moe-balance": "best"},
    {"moe-dispatch": "twice"}, {"moe-overlap": True}, {"network": "dgx-h10"},
    {"active-experts": 0}, {"window-cache": "half"}, {"decode": True, "mode": "training"}, {"precision-mode": "half"},
    {"tp-pad-heads": True},
    {"whole-experts": True},
]


def reason_of_point(doors, *words):
    """The error of a sweep, or why its only point has no numbers."""
    row, = doors.lines("sweep", *words)
    if row["status"] in ("refused", "error"):
        raise Refusal(row["reason"])


def service_doors(doors, setting):
    yield "serve", lambda: doors.json("serve", setting.path, *setting.flags())
    yield "serve.list", lambda: doors.lines("serve", setting.path, *setting.flags(), "--output-tokens=2,3",
                                            "--report=json")
    yield "prepare_service", lambda: doors.ask(doors.package.prepare_service, setting.path, **setting.keywords())


def doors_of(doors, setting, folder):
    """Name -> the question, of every door to an iteration."""
    flags, keywords = setting.flags(), setting.keywords()
    table = folder / "ops.csv"
    table.write_text("family,shape,time_us\nmatmul,m=128 n=768 k=768,5\n")
    # Without clocks, an optimization takes all of them.
    plain = [] if setting.get("clock") or setting.get("power-limit") else ["--clock=default"]

    return {
        "prepare": lambda: doors.text("prepare", setting.path, *flags, "-o", folder / "model.gco"),
        "package": lambda: doors.ask(doors.package.analyze, setting.path, **keywords),
        "package.prepare": lambda: doors.ask(doors.package.prepare, setting.path, **keywords),
        "sweep": lambda: reason_of_point(doors, setting.path, *flags),
        "optimize": lambda: doors.json("optimize", setting.path, *flags, *plain, "--minimize=energy"),
        "compare": lambda: doors.json("compare", setting.path, setting.path, *flags),
        "transfer": lambda: doors.json("transfer", f"--measured={table}", setting.path, *flags, "--to=mode=inference"),
    }


def bare(text):
    """Without the part that read the settings, the file of the model, the status of the only point of an optimization,
    and the start of an answer about several services."""
    return re.sub(r"^(settings: |\S+\.(onnx|mlir)(:\d+:\d+)?: (error: )?|no service: |"
                  r"no point fits and can be set: (refused|error), )", "", text)


def ask_all(doors, case, setting, why, more=None):
    with tempfile.TemporaryDirectory() as folder:
        for what, ask in {**doors_of(doors, setting, pathlib.Path(folder)), **(more or {})}.items():
            found = bare(refusal(ask))
            # JSON has types, so texts of numbers have another message there.
            typed = what.startswith(("package", "prepare_service")) and re.match(r"setting '\w+' expects", found)
            case.require(what, found == why or typed, f"{found!r}, the report {why!r}")


def check(doors, network, fault, of_gpu):
    setting = Setting(network, None, tuple({"target": "a100-bf16", **SHAPES[network], **fault}.items()))
    case = Case(setting.command())
    why = bare(refusal(doors.report, setting))
    case.require("report", why, "is not refused")
    more = {}
    if network.past:
        lengths = {name: None for name in ("seq", "past") if name not in fault}
        more = dict(service_doors(doors, setting.but(**lengths)))
    if of_gpu:
        flags = [flag for flag in setting.flags() if flag.split("=")[0] not in ("--batch", "--seq", "--past")]
        more["kernel"] = lambda: doors.json("--kernel=matmul m=64 n=64 k=64", *flags)
    ask_all(doors, case, setting, why, more)
    return case


def check_file(doors, folder, name, content):
    path = pathlib.Path(folder) / name
    if content is not None:
        path.write_text(content)
    setting = Setting(Network(str(path)), None, (("target", "a100-bf16"),))
    case = Case(f"gpu-cost-opt {name} --target=a100-bf16")
    why = bare(refusal(doors.report, setting))
    case.require("report", why, "is not refused")
    ask_all(doors, case, setting, why, {"serve": lambda: doors.json("serve", setting.path, *setting.flags())})
    return case


def check_flags(doors):
    """An unknown flag has one message for each reader of flags."""
    case = Case("gpu-cost-opt models/bert-base.onnx --target=a100-bf16 --batsh=8")
    words = [BERT.path, "--target=a100-bf16", "--batsh=8"]
    for what in ("", "prepare", "sweep", "optimize", "compare", "transfer", "serve"):
        found = refusal(doors.text, *filter(None, [what]), *words)
        case.require(what or "report", "--batsh" in found and "--batch" in found, f"{found!r}")
    return case


def cases(doors):
    for fault in GPU_FAULTS:
        yield check(doors, BERT, fault, True)
    for fault in FAULTS:
        yield check(doors, DECODER if {"active-experts", "kv-block", "kv", "past"} & set(fault) else BERT, fault, False)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            yield check_file(doors, folder, name, content)
    yield check_flags(doors)
