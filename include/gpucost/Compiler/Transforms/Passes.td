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
// Settings are the module attribute `gpucost.scenario`. `Settings` in the
// description of a pass names those that are options of it, too: an option that
// is given is written to the attribute. Rows of Scenario/Settings.def, they are
// not repeated here.
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

/// In a pipeline for any scenario.
def AsStated : Option<"asStated", "as-stated", "bool", "false",
    "do nothing unless gpucost.scenario asks for it">;

def SetScenarioPass : GpuCost_Pass<"gpucost-set-scenario"> {
  let summary = "put the settings, the GPU and its coefficients on the module";
  let description = [{
    Adds the stated settings to the module attribute `gpucost.scenario` and
    writes `gpucost.target` and `gpucost.coefficients` as they say. Settings that
    do not go together, or that the GPU does not support, are an error. A GPU on
    the module stays unless an option names another one.

    Settings: all of docs/Settings.md.

    Example: `test/Transforms/set-scenario.mlir`.
  }];
}

def SetTargetPass : GpuCost_Pass<"gpucost-set-target"> {
  let summary = "put the GPU and its coefficients on the module";
  let description = [{
    Resolves `target` (a GPU or alias, optionally with a format: `a100-bf16`) or
    `target-file` and writes the module attributes `gpucost.target` and
    `gpucost.coefficients`. A module that already has both is left alone when no
    option is given. Kernels that have tilings for another GPU are an error.

    Settings: `target`, `target-file`, `coefficients`, `set`, `interconnect`,
    `network`.

    Example: `test/Transforms/set-target.mlir`.
  }];
}

def InlineCallsPass : GpuCost_Pass<"gpucost-inline-calls"> {
  let summary = "choose the entry function and inline its calls";
  let description = [{
    The iteration is the function `entry`; without one `main`, `forward` or
    `main_graph`, else each public function that no other one calls (with a
    warning when there are several). Other functions are removed. Recursion and
    calls that expand to more than a million ops are errors; a call of a
    function without a body remains and gets a lower bound. The functions may
    stand in one inner module; a kernel of a `gpu.module` takes the place of its
    `gpu.launch_func`.

    Settings: `entry`.

    Example: `test/Transforms/inline-calls.mlir`.
  }];
}

def LowerTosaPass : GpuCost_Pass<"gpucost-lower-tosa"> {
  let summary = "lower TOSA operators to linalg with the upstream patterns";
  let description = [{
    Before: TOSA with static argument types. After: linalg, tensor, arith and
    scf; an operator without a lowering remains and gets a lower bound.

    Example: `test/Transforms/lower-tosa.mlir`.
  }];
}

def FlattenLoopsPass : GpuCost_Pass<"gpucost-flatten-loops"> {
  let summary = "replace loops by their bodies, with trip counts";
  let description = [{
    `scf.for`, `forall`, `parallel`, `while`, `affine.for` and `parallel` that
    contain tensors or structured ops are replaced by their body; each op
    carries its trip count as `gpucost.trip_count`, and counters have their middle
    value. A loop of unknown trip count counts once, with a warning and an entry
    in the coverage report. Loops over scalars remain: they are kernels. A nest
    whose iterations are CTAs becomes a `gpucost.kernel` of ops on whole tensors
    with `gpucost.schedule`, or one with a lower bound. The most expensive
    branch is charged. Arithmetic on whole tensors becomes linalg.

    Example: `test/Transforms/flatten-loops.mlir`.
  }];
}

def FixShapesPass : GpuCost_Pass<"gpucost-fix-shapes"> {
  let summary = "bind symbolic dimensions, infer types, fold constants";
  let description = [{
    Before: function arguments with dynamic dimensions (named by `onnx.dims`),
    results of type `!onnx.unknown`. After: static ranked tensors; ops with
    known results are constants; ops that depend on weights alone carry
    `onnx.constant`; the module has `gpucost.bindings`.

    Control flow is removed: a known condition selects its branch, an unknown
    one the branch with more work (`gpucost.upper_bounds`); short loops are unrolled, and the body of a
    long loop appears once, its ops with the trip count as `gpucost.trip_count`.
    `gpucost.assumptions` lists every assumption. Sequences of known length
    become their elements.

    An unbound symbol is an error that names it. A size that depends on data is
    named after its op with a number (`nonzero_0`) and can be bound like a
    symbol; unbound, it remains unknown, with a remark. Contradictory shapes are
    an error that shows both. Bindings may cause such a contradiction: with
    `record-shapes` the first one is only a warning, its results remain unknown,
    and inference continues. Loops of other dialects whose bounds are unknown
    get a name (`gpucost.loop`): that of their location, or loop_N; `trip` sets
    their trip counts, too.

    Inputs of one element can be bound, too, and choose branches. Where a past
    length and the sequence have values, total lengths are their sum.

    Settings: `bind`, `batch`, `seq`, `past`, `trip`.

    Example: `test/Transforms/fix-shapes.mlir`.
  }];
  let options = [
    Option<"recordShapes", "record-shapes", "bool", "false",
           "keep the type of every ONNX value in gpucost.shapes">
  ];
}

def DeriveDecodePass : GpuCost_Pass<"gpucost-derive-decode"> {
  let summary = "make a decode step of the forward pass of a causal decoder";
  let description = [{
    Before: an imported file that maps a whole prompt to logits, without a cache.
    The pass runs shape inference and `gpucost-raise-ops` on a copy with several
    tokens and looks at every attention: all must be causal and of one sequence,
    else it is an error that names the first which is not. Then it sets `seq` to 1
    unless stated, and marks the module (`gpucost.derives_decode`).
    `gpucost-raise-ops` gives each attention of a marked module the cache of
    `past` tokens: two new inputs past_key_values.i.key and .value [batch, KV
    heads, past, head size], new keys and values behind them as `kv-cache` says,
    both returned as present.i. The attention is one kernel unless `attention`
    is eager, and needs no mask.

    A file that takes past keys already stays as it is.

    Settings: `decode`, `past`, `seq`, `batch`, `bind`.

    Example: `test/Transforms/derive-decode.mlir`.
  }];
  let options = [AsStated];
}

def ApplyPrecisionPass : GpuCost_Pass<"gpucost-apply-precision"> {
  let summary = "cast float tensors to the target's format as a framework would";
  let description = [{
    `cast`: every float tensor of the file's own format (that of most
    parameters) becomes the target's format; tensors of other float formats,
    such as an explicit fp32 softmax, remain. Casts without effect are removed.
    `amp` makes every float tensor fp32 and leaves the rest to
    `gpucost-autocast`. `as-is` keeps the file's types. tf32 keeps fp32 tensors;
    the setting `tf32` selects the fp32 kernels that use TF32 tensor cores. fp8 and int8 targets keep 16-bit tensors and run matmul and
    convolution in 8 bit.

    Settings: `precision-mode`, `tf32`.

    Example: `test/Transforms/apply-precision.mlir`.
  }];
}

def RaiseOpsPass : GpuCost_Pass<"gpucost-raise-ops"> {
  let summary = "raise exported patterns to ops that frameworks launch";
  let description = [{
    Exporters decompose GELU, SiLU, LayerNorm, bias adds and attention into
    small ops. This pass raises each such pattern to the op that the framework
    runs as one kernel. Patterns that eager PyTorch launches as several kernels
    remain, unless `runtime` is compiled. `attention=flash` turns eager
    attention (scores, mask, softmax, values) into one kernel (`flash1`,
    `flash2`, `triton1`: those of FlashAttention 1 and 2, the first in Triton); `eager` splits fused attention ops. With
    `training`, operators that fuse several ops for inference
    (SkipLayerNormalization, BiasGelu, ...) become those ops, which have
    backward rules.

    A concatenation of an input with what becomes an output is the update of a
    KV cache, and so are past and present of attention ops: `kv-cache` says
    whether it is a copy.

    Settings: `runtime`, `attention`, `mode`, `kv-cache`, `kv-block`,
    `moe-balance`.

    Example: `test/Transforms/raise-ops.mlir`.
  }];
}

def AutocastPass : GpuCost_Pass<"gpucost-autocast"> {
  let summary = "apply mixed precision as PyTorch's autocast does";
  let description = [{
    Before: fp32 tensors. After: matmul, convolution and attention compute in
    `format`, norms, softmax, losses and the other ops of autocast's fp32 list
    in fp32, with `onnx.Cast` where autocast launches one. A parameter is cast
    once for all its uses; parameters remain fp32.

    Settings: none; `as-stated` reads `precision-mode`.

    Example: `test/Transforms/autocast.mlir`.
  }];
  let options = [
    Option<"format", "format", "std::string", "\"\"",
           "bf16 or fp16; empty: the target's format, nothing on fp32 and tf32">,
    AsStated
  ];
}

def ExpandTrainingPass : GpuCost_Pass<"gpucost-expand-training"> {
  let summary = "derive loss, backward pass and optimizer of a training step";
  let description = [{
    Before: the forward graph with static types. After: the graph of one step.
    Every derived op carries `gpucost.phase`, `gpucost.origin` (its backward rule
    and forward op) and the location of that op. Only values that lead to a
    trainable parameter get a gradient. An op without a backward rule becomes
    `onnx.UnknownGrad`, a lower bound in the coverage report.

    Dropout and batch normalization take their training form. `grad-accum`
    repeats the forward and the backward pass; optimizer, clipping and
    communication run once.

    Settings: `loss`, `loss-variant`, `train-metrics`, `optimizer`, `optimizer-variant`, `zero-grad`,
    `grad-accum`, `dropout`, `clip-grad-norm`, `recompute`, `software`.

    Example: `test/Transforms/expand-training.mlir`.
  }];
  let options = [
    Option<"lossScaling", "loss-scaling", "bool", "false",
           "unscale gradients and check them for infinities, as fp16 requires">,
    AsStated
  ];
}

def ParallelizePass : GpuCost_Pass<"gpucost-parallelize"> {
  let summary = "insert the communication of a data-parallel or sharded step";
  let description = [{
    Before: the graph of one step of one GPU. After: `gpucost.collective` ops on
    the communication stream. `ddp`: one all-reduce per bucket of gradients, in
    the order in which they become ready. `fsdp`: parameters, gradients and
    optimizer states are sharded; each unit is gathered before its forward and
    its backward pass, and its gradients are reduced and scattered after the
    latter.

    Settings: `gpus`, `nodes`, `parallel`.

    Example: `test/Transforms/parallelize.mlir`.
  }];
  let options = [
    Option<"bucketMiB", "bucket-mib", "int64_t", "25",
           "size of a gradient bucket (ddp)">,
    AsStated
  ];
}

def ShardTensorsPass : GpuCost_Pass<"gpucost-shard-tensors"> {
  let summary = "tensor parallelism of transformer blocks";
  let description = [{
    Before: the forward graph. After: the part of it that one GPU of a group
    computes: the first products of a block are split by columns, the last ones
    by rows, heads, caches and hidden units in between are divided, and
    `gpucost.collective` all-reduces add up the results. Experts and the
    vocabulary are divided, too. Heads that do not divide are an error;
    `gpucost.parallel_notes` lists what else stays whole.

    Settings: `gpus`, `parallel` (tp without it), `tp-pad-heads`.

    Example: `test/Transforms/shard-tensors.mlir`.
  }];
  let options = [AsStated];
}

def ShardExpertsPass : GpuCost_Pass<"gpucost-shard-experts"> {
  let summary = "expert parallelism of layers of experts";
  let description = [{
    Before: the forward graph. After: each GPU has its part of the experts of
    every layer, and two `gpucost.collective` all-to-alls around the layer send
    each token to the GPUs of its experts and the results back, rule (X12).
    Everything else is whole: the GPUs have sequences of their own. A layer whose
    experts do not divide by the GPUs, and a model without one, are errors.

    Settings: `gpus`, `nodes`, `parallel` (ep without it), `moe-balance`.

    Example: `test/Transforms/shard-experts.mlir`.
  }];
  let options = [AsStated];
}

def ExpandSelectionPass : GpuCost_Pass<"gpucost-expand-selection"> {
  let summary = "replace selection and sorting by their kernels";
  let description = [{
    Replaces TopK, NonZero, Compress and Unique by the kernels that PyTorch and
    CUB launch for them, puts the sort of the scores before NonMaxSuppression,
    and marks the kernels whose result's size the host waits for with
    `gpucost.synchronizes`: rules (T1) to (T5). Runs after the backward pass is
    derived, whose rules know the operators.

    Example: `test/Transforms/expand-selection.mlir`.
  }];
}

def FuseProjectionsPass : GpuCost_Pass<"gpucost-fuse-projections"> {
  let summary = "join the products that serving stacks run as one";
  let description = [{
    Before: the forward graph of one GPU. After, for software that serves (vllm,
    sglang, tensorrt-llm): weight products of the same activation are one product
    of the joined weights, and its parts are views (Q, K and V; gate and up); the
    rotary embedding inside of GroupQueryAttention is one kernel for Q and K in
    front of it. `gpucost-form-kernels` joins sums with norms and activations with
    their gates for the same software. Weights with other uses, and products of
    training, stay apart.

    Settings: `software`, `mode`.

    Example: `test/Transforms/fuse-projections.mlir`.
  }];
}

def QuantizePass : GpuCost_Pass<"gpucost-quantize"> {
  let summary = "store weights, activations and KV cache in few bits";
  let description = [{
    Before: an inference in the model's formats. After: the weights of products
    (matmul, convolution, experts) have the type of the setting `weights`, with
    their scales and zero points as further parameters; products whose
    activations have 8 bits read the result of one `onnx.QuantizeLinear` per
    activation, which `gpucost-form-kernels` fuses with its producer in compiled
    execution; the KV cache of attention has the type of `kv`. Products whose
    sizes are no multiples of 16, and weights that other ops read, too (an
    embedding that is also the output layer), stay as they are;
    `gpucost.format_notes` says what.

    Settings: `weights`, `activations`, `kv`, `weight-group`.

    Example: `test/Transforms/quantize.mlir`.
  }];
}

def FormKernelsPass : GpuCost_Pass<"gpucost-form-kernels"> {
  let summary = "wrap the ops of each launched GPU kernel in gpucost.kernel";
  let description = [{
    Follows tensor layouts as PyTorch does: views launch nothing; a reshape that
    no stride can express, a batched matmul of permuted operands, or an NCHW
    convolution on tensor cores adds the `gpucost.copy` kernels that the
    framework launches. `compiled` fuses chains of elementwise ops; software that
    serves (vllm, sglang, tensorrt-llm) a residual sum with the norm behind it, and
    an activation with the product of its gate. Records the settings and the GPU
    as `gpucost.formed_for` and `gpucost.formed_on`; other settings for kernels
    that exist are an error.

    Settings: `runtime`, `software`, `channels-last`.

    Example: `test/Transforms/form-kernels.mlir`.
  }];
}

def AnnotateWorkPass : GpuCost_Pass<"gpucost-annotate-work"> {
  let summary = "write exact FLOPs and bytes on each kernel";
  let description = [{
    Before: `gpucost.kernel` ops. After: each has `#gpucost.work`. An op without
    a cost rule gets its bytes in and out as a lower bound and coverage
    `fallback`, or `unmodelled` if its shapes are unknown. The matrix format
    follows the element types; the setting `tf32` moves fp32 kernels to TF32
    tensor cores.

    Example: `test/Transforms/annotate-work.mlir`.
  }];
}

def SelectTilingPass : GpuCost_Pass<"gpucost-select-tiling"> {
  let summary = "choose CTA tile and split-K of each kernel; count its waves";
  let description = [{
    Before: `work`, and target and coefficients on the module. After: `tiling`,
    and the GPU as `gpucost.tiled_for` on the module.

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
    the report of the tool, and are replaced when it runs again. Settings that
    ask for other kernels, and tilings for another GPU, are errors.

    Settings: `clock`, `power-limit`, `runtime`, `host-launch-us`.

    Example: `test/Transforms/predict.mlir`.
  }];
}

#endif // GPUCOST_TRANSFORMS_PASSES_TD
