//===- GpuCostAttrs.td - Annotation attributes -------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes write on kernels and on the module. Counts are exact
// integers; times, powers and energies carry their unit.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD

include "gpucost/Dialect/GpuCost/IR/GpuCostBase.td"
// One generated parser per dialect: the attributes of GPUs and coefficients are
// generated together with these.
include "gpucost/Dialect/GpuCost/IR/GpuCostTargetAttrs.td"

def PhaseAttr : EnumAttr<GpuCost_Dialect, Phase, "phase">;
def CoverageAttr : EnumAttr<GpuCost_Dialect, Coverage, "coverage">;
def CollectiveKindAttr
    : EnumAttr<GpuCost_Dialect, CollectiveKind, "collective_kind">;

def MatmulProblemAttr : GpuCost_Attr<"MatmulProblem", "matmul"> {
  let summary = "C[batch, m, n] = A[batch, m, k] * B[batch, k, n]";
  let description = [{
    `linear` tells a product with a weight matrix from a batched product of two
    activations. `weight_bits` is the size of an element of B where it is not
    that of A (weights of 4 bits). Example:
    `#gpucost.matmul<m = 2048, n = 1024, k = 1024>`.
  }];
  let parameters = (ins IntOr<1>:$batch, "int64_t":$m, "int64_t":$n,
                        "int64_t":$k, BoolOr<"true">:$linear,
                        IntOr<0>:$weight_bits);
}

def ConvolutionProblemAttr : GpuCost_Attr<"ConvolutionProblem", "convolution"> {
  let summary = "NCHW convolution; out_height and out_width are the output's";
  let description = [{
    Sizes are always those of the forward convolution; `pass` says which of its
    three products the kernel computes.
  }];
  let parameters = (ins IntOr<1>:$batch, "int64_t":$channels,
      "int64_t":$height, "int64_t":$width, "int64_t":$out_channels,
      "int64_t":$out_height, "int64_t":$out_width, IntOr<1>:$kernel_height,
      IntOr<1>:$kernel_width, IntOr<1>:$stride_height, IntOr<1>:$stride_width,
      IntOr<1>:$groups, BoolOr<"false">:$channels_last,
      DefaultValuedParameter<"::gpucost::ConvolutionPass",
                             "::gpucost::ConvolutionPass::Forward">:$pass);
}

def AttentionProblemAttr : GpuCost_Attr<"AttentionProblem", "attention"> {
  let summary = "softmax(Q K^T) V in one kernel; window 0 is unlimited";
  let description = [{
    `generation` 1 is the first FlashAttention, 2 what the fits were made on: the
    current kernels of each GPU.
  }];
  let parameters = (ins IntOr<1>:$batch, "int64_t":$heads,
      "int64_t":$kv_heads, "int64_t":$query_length, "int64_t":$kv_length,
      "int64_t":$head_dim, IntOr<0>:$window, BoolOr<"false">:$causal,
      BoolOr<"false">:$backward, IntOr<2>:$generation);
}

def CollectiveProblemAttr : GpuCost_Attr<"CollectiveProblem", "collective"> {
  let summary = "one collective of `ranks` GPUs";
  let description = [{
    `bytes` is the message size as nccl-tests state it: the buffer that every
    GPU ends up with (all-reduce, all-gather), starts from (reduce-scatter) or
    exchanges (all-to-all).
  }];
  let parameters = (ins "::gpucost::CollectiveKind":$kind, "int64_t":$bytes,
                        "int64_t":$ranks);
}

def RowsProblemAttr : GpuCost_Attr<"RowsProblem", "rows"> {
  let summary = "independent rows of contiguous elements (softmax, norm, reduce)";
  let parameters = (ins "int64_t":$rows, "int64_t":$cols);
}

def ElementsProblemAttr : GpuCost_Attr<"ElementsProblem", "elements"> {
  let summary = "one thread-level item per element";
  let description = [{
    `strided`: the kernel indexes through a broadcast or permuted operand.
  }];
  let parameters = (ins "int64_t":$count, BoolOr<"false">:$strided);
}

def WorkAttr : GpuCost_Attr<"Work", "work"> {
  let summary = "what one launch has to do: shape, exact FLOPs, exact bytes";
  let description = [{
    FLOP = 2 per multiply-add. `tensor_flops` are multiply-adds that a matrix
    unit can take, `fp32_flops` the other adds, multiplies and compares,
    `special_ops` results of the special-function unit. Bytes are compulsory
    traffic: each input read once, each output written once. `problem` is the
    shape attribute that belongs to `family`.
  }];
  let parameters = (ins "::gpucost::KernelFamily":$family,
      DefaultValuedParameter<"::gpucost::InstructionClass",
                             "::gpucost::InstructionClass::None">:$instructions,
      "::gpucost::NumericFormat":$format, IntOr<32>:$input_bits,
      IntOr<32>:$output_bits, "::mlir::Attribute":$problem,
      IntOr<0>:$tensor_flops, IntOr<0>:$fp32_flops, IntOr<0>:$special_ops,
      IntOr<0>:$bytes_read, IntOr<0>:$bytes_written);
  let genVerifyDecl = 1;
}

def TilingAttr : GpuCost_Attr<"Tiling", "tiling"> {
  let summary = "kernel configuration: CTA tile, split-K, waves, occupancy";
  let description = [{
    A memory-bound kernel has no tile: its fields are zero. `variant` is the
    algorithm of an fp32 convolution (0 implicit GEMM, 1 fused Winograd, 2
    Winograd with separate transforms). `occupancy` is the busy share of the SMs
    over all waves.
  }];
  let parameters = (ins IntOr<0>:$tile_m, IntOr<0>:$tile_n,
      IntOr<1>:$ctas_per_sm, IntOr<0>:$warps, IntOr<1>:$split_k, IntOr<0>:$variant, IntOr<0>:$ctas,
      IntOr<0>:$waves, QuantityParameter<"Scalar", "busy share">:$occupancy);
}

def TimeAttr : GpuCost_Attr<"Time", "time"> {
  let summary = "predicted time of one launch and its parts";
  let description = [{
    `total` joins the parts (they overlap, so it is not their sum); `bound` is
    the largest one.
  }];
  let parameters = (ins QuantityParameter<"Seconds", "one launch">:$total,
      QuantityParameter<"Seconds", "arithmetic or issue">:$compute,
      QuantityParameter<"Seconds", "L2 to SM">:$l2,
      QuantityParameter<"Seconds", "DRAM">:$dram,
      QuantityParameter<"Seconds", "launch, prologue, latency">:$fixed,
      "::gpucost::Bound":$bound,
      QuantityParameter<"Hertz", "SM clock">:$clock);
}

def PowerAttr : GpuCost_Attr<"Power", "power"> {
  let summary = "predicted average board power and energy of one launch";
  let parameters = (ins QuantityParameter<"Watts", "average">:$average,
      QuantityParameter<"Joules", "one launch">:$energy,
      QuantityParameter<"Hertz", "SM clock">:$clock,
      BoolOr<"false">:$throttled);
}

def PhaseSummaryAttr : GpuCost_Attr<"PhaseSummary", "phase_summary"> {
  let summary = "totals of one phase of the iteration";
  let parameters = (ins "::gpucost::Phase":$phase,
      QuantityParameter<"Seconds", "wall clock">:$time,
      QuantityParameter<"Seconds", "GPU busy">:$gpu_busy,
      QuantityParameter<"Seconds", "host launch">:$host,
      QuantityParameter<"Joules", "board energy">:$energy,
      "int64_t":$kernels, "int64_t":$flops, "int64_t":$bytes);
}

def PhaseSummaryArrayAttr : ArrayOfAttr<GpuCost_Dialect, "PhaseSummaryArray",
    "phases", "PhaseSummaryAttr"> {
  let summary = "the phases of an iteration, in order";
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}

def SummaryAttr : GpuCost_Attr<"Summary", "summary"> {
  let summary = "totals of one iteration";
  let description = [{
    `flops` are the matrix FLOPs (matmul, convolution, attention; 2 per
    multiply-add), `mfu` is flops / (dense peak of the format x time).
    `modelled`, `fallback` and `unmodelled` count ops in the coverage ledger.
  }];
  let parameters = (ins QuantityParameter<"Seconds", "iteration">:$time,
      QuantityParameter<"Seconds", "GPU busy">:$gpu_busy,
      QuantityParameter<"Seconds", "host launch">:$host,
      QuantityParameter<"Joules", "board energy">:$energy,
      QuantityParameter<"Watts", "average board power">:$average_power,
      QuantityParameter<"Hertz", "SM clock">:$clock, BoolOr<"false">:$throttled,
      "int64_t":$kernels, "int64_t":$flops, "int64_t":$dram_bytes,
      "int64_t":$peak_memory, QuantityParameter<"Scalar", "MFU">:$mfu,
      IntOr<0>:$modelled, IntOr<0>:$fallback, IntOr<0>:$unmodelled,
      "::gpucost::PhaseSummaryArrayAttr":$phases);
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD
