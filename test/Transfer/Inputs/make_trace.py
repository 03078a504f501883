#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the trace that the PyTorch profiler would, had a GPU run a prediction with changes.

usage: make_trace.py MODULE.mlir TRACE.json[.gz] [--scale FAMILY=FACTOR]... [--drop FAMILY] [--extra US]
                     [--steps N] [--gap US] [--late] [--plain]

MODULE.mlir is the output of `gpu-cost-opt --emit=ir`: its kernels in the order of their launches, each one once. Events and their arguments are those of a real trace of the profiler
(cpu_trace.json was made by PyTorch 2.13 on a CPU); kernels are named as libraries name theirs.
"""
import argparse
import gzip
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {
    "matmul": "ampere_sgemm_{tile}_tn",
    "convolution": "cutlass__5x_cudnn::Kernel<cutlass_tensorop_s1688fprop_optimized_tf32_{tile}_32x3_nhwc_align4>",
    "attention": "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4>>(Flash_fwd_params)",
    "softmax": "void (anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, SoftMaxForwardEpilogue>(float*)",
    "normalization": "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float)",
    "elementwise": "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
    "reduction": "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(at::native::ReduceOp<float>)",
    "data_movement": "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIterator&)>",
    "embedding": "void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>(float*)",
    "pooling": "void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int)",
    "collective": "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "opaque": "my_kernel",
    "optimizer": "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float>>()",
}


KERNEL = re.compile(r'gpucost\.kernel ".*?tiling = #gpucost\.tiling<(?P<tiling>.*?)>, '
                    r"time = #gpucost\.time<total = (?P<time>\S+) (?P<unit>\w+),.*?family = (?P<family>\w+)")
MICROSECONDS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def launches(path, scales, dropped):
    """(kernel name, us) of one iteration."""
    result = []
    for kernel in KERNEL.finditer(pathlib.Path(path).read_text()):
        family = kernel["family"]
        if family in dropped:
            continue
        tile = re.search(r"tile_m = (\d+), tile_n = (\d+)", kernel["tiling"])
        name = NAMES[family].format(tile=f"{tile[1]}x{tile[2]}" if tile else "64x64")
        result.append((name, float(kernel["time"]) * MICROSECONDS[kernel["unit"]] * scales.get(family, 1)))
    return result


def events(kernels, args):
    """The events of `args.steps` iterations."""
    out, now, correlation = [], 1000.0, 100
    for step in range(args.steps):
        begin, host = now, now
        for name, us in kernels:
            correlation += 1
            out.append({"ph": "X", "cat": "cpu_op", "name": "aten::op", "pid": 7, "tid": 7, "ts": host, "dur": 2.0,
                        "args": {"External id": correlation, "Ev Idx": correlation}})
            out.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": host + 1,
                        "dur": 0.5, "args": {"External id": correlation, "correlation": correlation, "cbid": 211}})
            start = now + (20 if args.late else 0)  # runs behind the host, also when the next step has begun
            out.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start, "dur": us,
                        "args": {"External id": correlation, "correlation": correlation, "device": 0,
                                 "stream": 20 if "nccl" in name else 7,
                                 "context": 1, "grid": [1, 1, 1], "block": [256, 1, 1]}})
            # Collectives run on a separate stream and overlap the next kernels.
            now += 0 if "nccl" in name else us + args.gap
            host = now
        if not args.plain:
            out.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 7, "tid": 7,
                        "ts": begin - 0.5, "dur": now - begin, "args": {"External id": step}})
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("module")
    parser.add_argument("trace")
    parser.add_argument("--scale", action="append", default=[])
    parser.add_argument("--drop", action="append", default=[])
    parser.add_argument("--extra", type=float)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--gap", type=float, default=0.0)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    scales = {family: float(factor) for family, factor in (each.split("=") for each in args.scale)}
    kernels = launches(args.module, scales, args.drop)
    if args.extra:
        kernels.insert(len(kernels) // 2, ("void nobody::knows(float*)", args.extra))
    # Everything except the kernels is as the profiler writes it.
    trace = json.loads((HERE / "cpu_trace.json").read_text())
    trace["deviceProperties"] = [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "numSms": 108}]
    trace["traceEvents"] = trace["traceEvents"] + events(kernels, args)
    data = json.dumps(trace).encode()
    pathlib.Path(args.trace).write_bytes(gzip.compress(data, mtime=0) if args.trace.endswith(".gz") else data)


if __name__ == "__main__":
    main()
