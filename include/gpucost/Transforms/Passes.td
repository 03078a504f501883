//===- Passes.td - The pipeline, pass by pass --------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass reads the attribute that the pass before it wrote and writes its
// own; a missing prerequisite is an error that names the pass to run first.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFORMS_PASSES_TD
#define GPUCOST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Every pass may meet or make ops of both dialects.
class GpuCost_Pass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["::gpucost::GpuCostDialect",
                           "::gpucost::onnx::OnnxDialect"];
}

def SetTargetPass : GpuCost_Pass<"gpucost-set-target"> {
  let summary = "put the GPU and its coefficients on the module";
  let description = [{
    Resolves `target` (a GPU or alias, optionally with a format: `a100-bf16`) or
    `target-file` and writes the module attributes `gpucost.target` and
    `gpucost.coefficients`. A module that already has both is left alone when no
    option is given.

    Example: `test/Transforms/set-target.mlir`.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "GPU, with an optional format: a100-bf16, h100, l4-fp16">,
    Option<"targetFile", "target-file", "std::string", "\"\"",
           "a target file instead of a built-in target">,
    Option<"coefficientsFile", "coefficients", "std::string", "\"\"",
           "coefficients to use instead of the target's own">
  ];
}

def InlineCallsPass : GpuCost_Pass<"gpucost-inline-calls"> {
  let summary = "choose the entry function and put what it calls into it";
  let description = [{
    The iteration is the function `entry`; without one `main`, `forward` or
    `main_graph`, else each public function that no other one calls (with a
    warning when there are several). Other functions go. Recursion and calls
    that expand to more than five million ops are errors; a call of a function
    without a body stays and gets a lower bound.

    Example: `test/Transforms/inline-calls.mlir`.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "name of the function that is one iteration">
  ];
}

def LowerTosaPass : GpuCost_Pass<"gpucost-lower-tosa"> {
  let summary = "TOSA operators as linalg, through upstream's patterns";
  let description = [{
    Before: TOSA with static argument types. After: linalg, tensor, arith and
    scf; an operator without a lowering stays and gets a lower bound.

    Example: `test/Transforms/lower-tosa.mlir`.
  }];
}

def FlattenLoopsPass : GpuCost_Pass<"gpucost-flatten-loops"> {
  let summary = "put loop bodies in place, with their number of iterations";
  let description = [{
    `scf.for`, `forall`, `parallel`, `while`, `affine.for` and `parallel` with
    tensors or structured ops inside: the body stands where the loop was, each
    op with `gpucost.steps` launches; counters have their value halfway. A loop
    without a known number of iterations counts once, with a warning and an
    entry in the coverage ledger. Loops over scalars stay: they are kernels. Of
    a branch the longest arm counts. Arithmetic on whole tensors becomes linalg.

    Example: `test/Transforms/flatten-loops.mlir`.
  }];
}

def FixShapesPass : GpuCost_Pass<"gpucost-fix-shapes"> {
  let summary = "bind symbolic dimensions, infer types, fold constants";
  let description = [{
    Before: function arguments with dynamic dimensions (named by `onnx.dims`),
    results of type `!onnx.unknown`. After: static ranked tensors; ops whose
    results are known are constants; what depends on weights alone carries
    `onnx.constant`; the module has `gpucost.bindings`.

    Control flow goes: a known condition takes its branch, an unknown one the
    branch with more work; short loops are unrolled, of long ones the body stands
    once and its ops have `gpucost.steps`. What was assumed stands in
    `gpucost.assumptions`. Sequences of known length become their elements.

    An unbound symbol is an error that names it. A size that depends on data has
    the name of its op and a number (`nonzero_0`) and may be bound like a symbol;
    unbound it stays unknown, with a remark. Ops that contradict themselves are
    errors with both shapes. Where symbols were bound they may be the reason: with
    `record-shapes` the first contradiction is then a warning, its results stay
    unknown, and the others go on. Loops of other dialects whose bounds say
    nothing get a name (`gpucost.loop`): that of their location, or loop_N;
    `trip` states their counts, too.

    Example: `test/Transforms/fix-shapes.mlir`.
  }];
  let options = [
    Option<"bind", "bind", "std::string", "\"\"",
           "NAME:VALUE pairs separated by ',' or ';'; *:N for all others">,
    Option<"batch", "batch", "int64_t", "0", "value of the batch symbol">,
    Option<"seq", "seq", "int64_t", "0", "value of the sequence symbol">,
    Option<"trip", "trip", "std::string", "\"\"",
           "NAME:N pairs separated by ',': iterations of loops; *:N for all "
           "others of unknown count">,
    Option<"recordShapes", "record-shapes", "bool", "false",
           "keep the type of every ONNX value in gpucost.shapes">
  ];
}

def ApplyPrecisionPass : GpuCost_Pass<"gpucost-apply-precision"> {
  let summary = "cast float tensors to the target's format as a framework would";
  let description = [{
    `pure`: every float tensor of the file's own format (that of most parameters)
    becomes the target's format; tensors of other float formats, such as an
    explicit fp32 softmax, stay. Casts that no longer change anything go away.
    `amp` makes every float tensor fp32 and leaves the rest to
    `gpucost-autocast`. `as-is` keeps the file's types. tf32 keeps fp32 tensors; which fp32 kernels
    use TF32 tensor cores is written as `gpucost.tf32` on the module. fp8 and
    int8 targets keep 16-bit tensors and run matmul and convolution in 8 bit.

    Example: `test/Transforms/apply-precision.mlir`.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"pure\"", "pure, amp or as-is">,
    Option<"tf32", "tf32", "std::string", "\"\"",
           "off, conv or on; empty: on for a tf32 target, else off">
  ];
}

def RecomposePass : GpuCost_Pass<"gpucost-recompose"> {
  let summary = "find the op that the framework launches behind exported patterns";
  let description = [{
    Exporters decompose GELU, SiLU, LayerNorm, bias adds and attention into
    small ops. This pass puts back what the framework runs as one kernel. What
    eager PyTorch really launches as several kernels stays as it is, unless
    `runtime` is compiled. `attention=flash` turns eager attention (scores, mask,
    softmax, values) into one kernel (`flash1`: of the first FlashAttention);
    `eager` does the reverse to fused
    attention ops. With `training`, operators that fuse several ops for inference
    (SkipLayerNormalization, BiasGelu, ...) become those ops, which have
    backward rules.

    Example: `test/Transforms/recompose.mlir`.
  }];
  let options = [Option<"runtime", "runtime", "std::string", "\"eager\"",
                        "eager, cudagraph or compiled">,
                 Option<"attention", "attention", "std::string", "\"as-is\"",
                        "as-is, eager, flash or flash1">,
                 Option<"training", "training", "bool", "false",
                        "a backward pass is derived from the graph">];
}

def AutocastPass : GpuCost_Pass<"gpucost-autocast"> {
  let summary = "mixed precision as PyTorch's autocast runs it";
  let description = [{
    Before: fp32 tensors. After: matmul, convolution and attention compute in
    `format`, norms, softmax, losses and the other ops of autocast's fp32 list in
    fp32, with `onnx.Cast` where autocast launches one. The cast of a parameter
    is made once and used by all its readers; parameters stay fp32.

    Example: `test/Transforms/autocast.mlir`.
  }];
  let options = [
    Option<"format", "format", "std::string", "\"\"",
           "bf16 or fp16; empty: the target's format, nothing on fp32 and tf32">
  ];
}

def ExpandTrainingPass : GpuCost_Pass<"gpucost-expand-training"> {
  let summary = "derive loss, backward pass and optimizer of a training step";
  let description = [{
    Before: the forward graph with static types. After: the graph of one step.
    Every derived op carries `gpucost.phase`, `gpucost.rule` (the rule and the
    forward op that it belongs to) and the location of that op. Only what leads
    to a trainable parameter gets a gradient. An op without a backward rule
    becomes `onnx.UnknownGrad`, a lower bound in the coverage ledger.

    Dropout and batch normalization get their training form. `grad-accum`
    repeats forward and backward; optimizer, clipping and communication run once.

    Example: `test/Transforms/expand-training.mlir`.
  }];
  let options = [
    Option<"loss", "loss", "std::string", "\"auto\"",
           "auto, cross-entropy, mse or none (a gradient arrives at the outputs)">,
    Option<"optimizer", "optimizer", "std::string", "\"adamw\"",
           "none, sgd, sgd-momentum, adam, adamw, adadelta, rmsprop or lamb">,
    Option<"variant", "variant", "std::string", "\"foreach\"",
           "foreach, fused or unfused">,
    Option<"zeroGrad", "zero-grad", "std::string", "\"set-to-none\"",
           "set-to-none, zero or keep">,
    Option<"gradAccum", "grad-accum", "int64_t", "1",
           "forward and backward passes per optimizer step">,
    Option<"dropout", "dropout", "std::string", "\"as-is\"", "as-is or off">,
    Option<"clipGradNorm", "clip-grad-norm", "bool", "false",
           "clip the gradients by their norm">,
    Option<"lossScaling", "loss-scaling", "bool", "false",
           "unscale gradients and look for infinities, as fp16 needs it">,
    Option<"recompute", "recompute", "std::string", "\"none\"",
           "none, full (every block) or attention">
  ];
}

def ParallelizePass : GpuCost_Pass<"gpucost-parallelize"> {
  let summary = "insert the communication of a data-parallel or sharded step";
  let description = [{
    Before: the graph of one step of one GPU. After: `gpucost.collective` ops on
    the communication stream. `ddp`: one all-reduce per bucket of gradients, in
    the order in which they become ready. `fsdp`: parameters, gradients and
    optimizer states are sharded; each unit is gathered before its forward and
    its backward pass, its gradients are reduced and scattered after it.

    Example: `test/Transforms/parallelize.mlir`.
  }];
  let options = [
    Option<"gpus", "gpus", "int64_t", "1", "GPUs of one node">,
    Option<"mode", "mode", "std::string", "\"ddp\"", "ddp or fsdp">,
    Option<"bucketMiB", "bucket-mib", "int64_t", "25",
           "size of a gradient bucket (ddp)">
  ];
}

def ShardTensorsPass : GpuCost_Pass<"gpucost-shard-tensors"> {
  let summary = "tensor parallelism of transformer blocks";
  let description = [{
    Before: the forward graph. After: the part of it that one of `ways` GPUs
    computes: the first products of a block are split by columns, the last ones
    by rows, heads and hidden units in between are divided, and
    `gpucost.collective` all-reduces put the results together. A product that
    cannot be divided evenly stays whole.

    Example: `test/Transforms/shard-tensors.mlir`.
  }];
  let options = [
    Option<"ways", "ways", "int64_t", "1", "GPUs that share each block">
  ];
}

def FormKernelsPass : GpuCost_Pass<"gpucost-form-kernels"> {
  let summary = "wrap the ops of each launched GPU kernel in gpucost.kernel";
  let description = [{
    Follows tensor layouts as PyTorch does: views launch nothing; a reshape that
    no stride can express, a batched matmul of permuted operands or an NCHW
    convolution on tensor cores gets the `gpucost.copy` kernels that the
    framework launches. `compiled` fuses chains of elementwise ops.

    Example: `test/Transforms/form-kernels.mlir`.
  }];
  let options = [
    Option<"runtime", "runtime", "std::string", "\"eager\"",
           "eager, cudagraph or compiled">,
    Option<"channelsLast", "channels-last", "bool", "false",
           "convolutions run on channels-last tensors">
  ];
}

def AnnotateWorkPass : GpuCost_Pass<"gpucost-annotate-work"> {
  let summary = "write exact FLOPs and bytes on each kernel";
  let description = [{
    Before: `gpucost.kernel` ops. After: each has `#gpucost.work`. An op that
    cannot be costed gets its bytes in and out as a lower bound and coverage
    `fallback`, or `unmodelled` when its shapes are unknown. The matrix format
    follows the element types; `gpucost.tf32` on the module (see
    `gpucost-apply-precision`) moves fp32 kernels to TF32 tensor cores.

    Example: `test/Transforms/annotate-work.mlir`.
  }];
}

def SelectTilingPass : GpuCost_Pass<"gpucost-select-tiling"> {
  let summary = "choose CTA tile, split-K, waves and occupancy of each kernel";
  let description = [{
    Before: `work`, and target and coefficients on the module. After: `tiling`.

    Example: `test/Transforms/select-tiling.mlir`.
  }];
}

def PredictPass : GpuCost_Pass<"gpucost-predict"> {
  let summary = "predict time, power and energy of each kernel and the iteration";
  let description = [{
    Before: `work` and `tiling` on each kernel. After: `time` and `power` on each
    kernel, and the module attribute `gpucost.summary` with the totals. One clock
    holds for the whole iteration: the highest, at most `clock`, at which its
    average power keeps the limit. The attributes up to `tiling` are inputs and may
    be edited; those that this pass writes are results, from the same object as
    the report of the tool, and are replaced when it runs again.

    Example: `test/Transforms/predict.mlir`.
  }];
  let options = [
    Option<"clock", "clock", "double", "0.0", "SM clock in MHz; 0: the maximum">,
    Option<"powerLimit", "power-limit", "double", "0.0",
           "board power limit in W; 0: the GPU's">,
    Option<"runtime", "runtime", "std::string", "\"eager\"",
           "eager, cudagraph or compiled">,
    Option<"hostLaunchUs", "host-launch-us", "double", "-1.0",
           "host cost of one launch in us; negative: the default">
  ];
}

#endif // GPUCOST_TRANSFORMS_PASSES_TD
