#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tool with both C libraries, byte by byte.

usage: check_consistency.py --build BUILD --models MODELS --examples EXAMPLES
"""
import argparse
import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

# Model, settings, targets of that format: the first one prepares, all evaluate.
CASES = [
    ("bert-base.onnx", {"batch": 8, "seq": 128}, ["a100-bf16", "h100-bf16", "l40s-bf16"]),
    ("bert-base.onnx", {"batch": 4, "seq": 64, "mode": "training", "optimizer": "sgd"}, ["a100-bf16", "b200-bf16"]),
    ("bert-large.onnx", {"batch": 2, "seq": 128, "mode": "training", "gpus": 8, "parallel": "fsdp",
                         "recompute": "full"}, ["h100-bf16", "a100-bf16"]),
    ("distilbert.onnx", {"bind": {"*": 16}, "runtime": "cudagraph"}, ["t4-fp16", "v100-fp16"]),
    ("gpt2-sdpa.onnx", {"bind": {"*": 32}, "attention": "flash", "software": "vllm"}, ["a100-fp16", "h100-fp16"]),
    ("efficientnet-b0.onnx", {"batch": 32, "tf32": "conv"}, ["a100-fp32", "h100-fp32"]),
    ("linalg-matmul-chain.mlir", {}, ["p100-fp32", "a100-fp32"]),
]
# An operating point: the flags of the tool and a gpucostRun.
RUNS = [
    ({}, (0, 0.0, 0.0, 0.0)),
    ({"clock": 900}, (0, 900e6, 0.0, 0.0)),
    ({"power_limit": 60, "host_launch_us": 2.5}, (0, 0.0, 60.0, 2.5 * 1e-6)),
]


class Run(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("runtime", ctypes.c_uint32), ("clock", ctypes.c_double),
                ("power_limit", ctypes.c_double), ("host_launch", ctypes.c_double)]


class Input(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("bytes", ctypes.c_char_p),
                ("byte_count", ctypes.c_size_t), ("path", ctypes.c_char_p), ("settings", ctypes.c_char_p)]


class Kernel(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("family", ctypes.c_uint32), ("format", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("words", ctypes.c_int64 * 16)]


class Cost(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("bound", ctypes.c_uint32)] + [
        (name, ctypes.c_double) for name in ("time", "half_width", "compute", "l2", "dram", "fixed", "power", "energy",
                                             "clock")] + [("rest", ctypes.c_char * (192 - 80))]


# The problem's words in gpucost.h order, as columns of a kernel query.
KERNELS = [
    ("matmul m=512 n=1024 k=4096", 1, [0, 512, 1024, 4096]),
    ("matmul batch=12 m=128 n=128 k=64 linear=1", 1, [12, 128, 128, 64, 1]),
    ("conv2d n=8 c=64 h=56 w=56 oc=64 kh=3 kw=3 pad=1", 2, [8, 64, 56, 56, 64, 3, 3, 0, 1]),
    ("attention batch=8 heads=32 kv_heads=8 q_len=1 kv_len=2048 head_dim=128", 3, [8, 32, 8, 1, 2048, 128]),
    ("attention batch=2 heads=16 q_len=512 kv_len=512 head_dim=64 causal=1", 3, [2, 16, 0, 512, 512, 64, 1]),
    ("softmax rows=4096 cols=512", 4, [4096, 512]),
    ("layernorm rows=2048 cols=1024", 5, [2048, 1024]),
    ("elementwise op=gelu elements=1048576", 6, [10, 1048576]),
    ("elementwise op=add elements=1048576 strided=1", 6, [1, 1048576, 0, 1]),
    ("collective op=all_reduce gpus=8 message_bytes=1073741824", 7, [1, 8, 0, 0, 1073741824]),
]


class Libraries:
    def __init__(self, build):
        self.plain = ctypes.CDLL(build / "lib/libgpucost.so")
        self.mlir = ctypes.CDLL(build / "lib/libgpucost-mlir.so")
        for name in ("gpucostLastError", "gpucostMlirLastError"):
            getattr(self.library(name), name).restype = ctypes.c_char_p

    def library(self, name):
        return self.mlir if hasattr(self.mlir, name) else self.plain

    def call(self, name, *arguments):
        if getattr(self.library(name), name)(*arguments):
            sys.exit(f"{name}: {self.plain.gpucostLastError()} {self.mlir.gpucostMlirLastError()}")

    def report(self, prepared, target, run):
        """JSON of a prepared model on a GPU."""
        handles = [ctypes.c_void_p() for _ in range(4)]
        loaded, model, placed, report = handles
        self.call("gpucostPreparedLoad", prepared, ctypes.c_size_t(len(prepared)), ctypes.byref(loaded))
        self.call("gpucostModelCreate", target.encode(), None, ctypes.byref(model))
        self.call("gpucostPlace", loaded, model, ctypes.byref(placed))
        self.call("gpucostEvaluate", placed, ctypes.byref(Run(ctypes.sizeof(Run), *run)), ctypes.byref(report))
        text, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.call("gpucostReportJson", report, None, ctypes.byref(text), ctypes.byref(size))
        return ctypes.string_at(text, size.value)

    def analyze(self, path, contents, settings):
        text, size = ctypes.c_void_p(), ctypes.c_size_t()
        question = Input(ctypes.sizeof(Input), 0, contents, len(contents), str(path).encode(),
                         json.dumps(settings).encode())
        self.call("gpucostAnalyze", ctypes.byref(question), None, ctypes.byref(text), ctypes.byref(size), None)
        return ctypes.string_at(text, size.value)

    def prepare(self, path, settings):
        memory, size = ctypes.c_void_p(), ctypes.c_size_t()
        question = Input(ctypes.sizeof(Input), 0, None, 0, str(path).encode(), json.dumps(settings).encode())
        self.call("gpucostPrepareOnnx", ctypes.byref(question), ctypes.byref(memory), ctypes.byref(size), None)
        return ctypes.string_at(memory, size.value)

    def build(self, contents, path, form):
        """The ONNX file of a configuration: its text, or without it its path."""
        memory, size = ctypes.c_void_p(), ctypes.c_size_t()
        question = Input(ctypes.sizeof(Input), 0, contents, len(contents or b""), str(path).encode(), None)
        self.call("gpucostBuildOnnx", ctypes.byref(question), form and form.encode(), ctypes.byref(memory), ctypes.byref(size))
        return ctypes.string_at(memory, size.value)

    def kernel(self, target, family, words):
        model, cost = ctypes.c_void_p(), Cost(192)
        self.call("gpucostModelCreate", target.encode(), None, ctypes.byref(model))
        kernel = Kernel(144, family, 0, 0, (ctypes.c_int64 * 16)(*words))
        self.call("gpucostEstimate", model, ctypes.byref(kernel), None, ctypes.byref(cost))
        return cost


class Checker:
    def __init__(self, build, models, folder):
        self.tool = build / "bin/gpu-cost-opt"
        self.models, self.folder = models, folder
        self.libraries = Libraries(build)
        self.count = self.bad = 0

    def expect(self, what, expected, got):
        self.count += 1
        if expected == got:
            return
        self.bad += 1
        lines = zip(expected.splitlines(), got.splitlines())
        first = next((pair for pair in lines if pair[0] != pair[1]), ("length", f"{len(expected)} {len(got)}"))
        print(f"{what}: {first[0]} != {first[1]}")

    def run(self, path, settings, *flags):
        file = self.folder / "settings.json"
        file.write_text(json.dumps(settings))
        return subprocess.run([self.tool, *flags, path, f"--settings={file}"], stdout=subprocess.PIPE, check=True).stdout

    def check_model(self, name, settings, targets):
        path = self.models / name
        first = {**settings, "target": targets[0]}
        prepared = self.run(path, first, "prepare")
        self.expect(f"{name}: prepare", prepared, self.libraries.prepare(path, first))
        for target in targets:
            for extra, run in RUNS:
                asked = {**settings, **extra, "target": target}
                what = f"{name} {json.dumps(asked)}"
                expected = self.run(path, asked, "--report=json")
                self.expect(what, expected, self.libraries.report(prepared, target, run))
                if extra == {}:
                    self.expect(f"{what}: analyze", expected,
                                self.libraries.analyze(path, path.read_bytes(), asked))

    def check_configuration(self, folder):
        """A config.json as a model, and the file that is built from it."""
        path = folder / "config.json"
        for form in (None, "prompt", "training", "cache"):
            flags = [f"--form={form}"] if form else []
            expected = subprocess.run([self.tool, "build", path, *flags], stdout=subprocess.PIPE, check=True).stdout
            for contents in (None, path.read_bytes()):
                self.expect(f"{folder.name}: {form}", expected, self.libraries.build(contents, path, form))
        asked = {"target": "h100-bf16", "batch": 2, "seq": 1, "past": 100}
        self.expect(f"{folder.name}: analyze", self.run(path, asked, "--report=json"),
                    self.libraries.analyze(path, path.read_bytes(), asked))

    def check_threads(self):
        """Eight threads, each with separate contexts, against one."""
        cases = [(self.models / name, (self.models / name).read_bytes(), {**settings, "target": targets[0]})
                 for name, settings, targets in CASES[:2] + CASES[-1:]]
        alone = [self.libraries.analyze(*case) for case in cases]
        answers = {}

        def work(thread):
            answers[thread] = [self.libraries.analyze(*case) for case in cases]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(8):
            for expected, got in zip(alone, answers.get(number, [b"no answer"] * len(cases))):
                self.expect(f"thread {number}", expected, got)

    def check_kernel(self, target, text, family, words):
        answer = subprocess.run([self.tool, f"--kernel={text}", f"--target={target}", "--report=json"],
                                stdout=subprocess.PIPE, check=True).stdout
        expected = json.loads(answer)[0]
        cost = self.libraries.kernel(target, family, words)
        for key, value in (("time_us", cost.time * 1e6), ("power_w", cost.power), ("energy_j", cost.energy)):
            self.expect(f"{text} on {target}: {key}", f"{expected[key]:.7g}".encode(), f"{value:.7g}".encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(arguments.build, arguments.models, pathlib.Path(folder))
        for case in CASES:
            checker.check_model(*case)
        checker.check_configuration(arguments.examples / "llama-3.1-8b")
        checker.check_threads()
        for target in ("a100-bf16", "h100-fp16", "l4-bf16"):
            for kernel in KERNELS:
                checker.check_kernel(target, *kernel)
    print(f"{checker.count} answers compared, {checker.bad} differ")
    return 1 if checker.bad or not checker.count else 0


if __name__ == "__main__":
    sys.exit(main())
