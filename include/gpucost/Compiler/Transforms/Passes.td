//===- Passes.td - The pipeline, pass by pass --------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass reads the attribute written by the previous pass and writes another
// one; a missing prerequisite is an error that names the pass to run first.
//
// Settings are the module attribute `gpucost.scenario`. `Settings` in the
// description of a pass lists the settings that are also options of the pass: a
// given option is written to the attribute. Scenario/Settings.def defines the
// settings.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFORMS_PASSES_TD
#define GPUCOST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Every pass may read or create ops of both dialects.
class GpuCost_Pass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["::gpucost::GpuCostDialect",
                           "::gpucost::onnx::OnnxDialect"];
}

/// For use in a pipeline that serves any scenario.
def AsStated : Option<"asStated", "as-stated", "bool", "false",
    "do nothing unless gpucost.scenario enables the pass">;

def SetScenarioPass : GpuCost_Pass<"gpucost-set-scenario"> {
  let summary = "set the settings, the GPU and its coefficients on the module";
  let description = [{
    Adds the stated settings to the module attribute `gpucost.scenario` and sets
    `gpucost.target` and `gpucost.coefficients` accordingly. Incompatible
    settings, and settings that the GPU does not support, are an error. A GPU on
    the module is kept unless an option names another one.

    Settings: all of docs/Settings.md.

    Example: `test/Transforms/set-scenario.mlir`.
  }];
}

def SetTargetPass : GpuCost_Pass<"gpucost-set-target"> {
  let summary = "set the GPU and its coefficients on the module";
  let description = [{
    Resolves `target` (a GPU or alias, optionally with a format: `a100-bf16`) or
    `target-file` and writes the module attributes `gpucost.target` and
    `gpucost.coefficients`. A module that already has both is not changed if no
    option is given. Kernels with tilings for another GPU are an error.

    Settings: `target`, `target-file`, `coefficients`, `set`, `interconnect`,
    `network`.

    Example: `test/Transforms/set-target.mlir`.
  }];
}

def InlineCallsPass : GpuCost_Pass<"gpucost-inline-calls"> {
  let summary = "choose the entry function and inline its calls";
  let description = [{
    The iteration is the function `entry`. Without this setting it is `main`,
    `forward` or `main_graph`, or else each public function without callers
    (with a warning if there are several). Other functions are removed.
    Recursion and calls that expand to more than a million ops are errors; a
    call of a function without a body remains and gets a lower bound. Jumps
    between blocks become `scf.if` and `scf.while`. The
    functions may be in one nested module; a kernel in a `gpu.module` replaces
    its `gpu.launch_func`.

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
  let summary = "replace loops with their bodies, annotated with trip counts";
  let description = [{
    `scf.for`, `forall`, `parallel`, `while`, `affine.for` and `parallel` that
    contain tensors or structured ops are replaced with their body; each op
    carries its trip count as `gpucost.trip_count`, and counters are set to the
    middle of their range. A loop with an unknown trip count is counted once,
    with a warning and an entry in the coverage report. Loops over scalars
    remain, because they are kernels. A loop nest whose iterations are CTAs
    becomes a `gpucost.kernel` that contains ops on whole tensors and has
    `gpucost.schedule`; if the nest is not supported, the kernel gets a lower
    bound. The most expensive branch is charged. Arithmetic on whole tensors
    becomes linalg.

    Example: `test/Transforms/flatten-loops.mlir`.
  }];
}

def FixShapesPass : GpuCost_Pass<"gpucost-fix-shapes"> {
  let summary = "bind symbolic dimensions, infer types, fold constants";
  let description = [{
    Before: function arguments with dynamic dimensions (named by `onnx.dims`),
    results of type `!onnx.unknown`. After: static ranked tensors; ops with
    known results are constants; ops that depend only on weights carry
    `onnx.constant`; the module has `gpucost.bindings`.

    Control flow is removed. A known condition selects its branch, an unknown
    one selects the branch with more work (`gpucost.upper_bounds`). Short loops
    are unrolled; the body of a long loop appears once, with the trip count on
    its ops as `gpucost.trip_count`. `gpucost.assumptions` lists every
    assumption. Sequences of known length are replaced with their elements.

    An unbound symbol is an error that names it. A size that depends on data is
    named after its op with a number (`nonzero_0`) and can be bound like a
    symbol; otherwise it remains unknown, with a remark. Contradictory shapes
    are an error that prints both. If bindings cause the contradiction,
    `record-shapes` turns the first one into a warning, its results remain
    unknown, and inference continues. Loops of other dialects with unknown
    bounds get a name (`gpucost.loop`), taken from their location or `loop_N`;
    `trip` also sets their trip counts.

    Inputs with a single element can also be bound, and select branches. If the
    past length and the sequence have values, total lengths are their sum.

    Settings: `bind`, `batch`, `seq`, `past`, `trip`.

    Example: `test/Transforms/fix-shapes.mlir`.
  }];
  let options = [
    Option<"recordShapes", "record-shapes", "bool", "false",
           "keep the type of every ONNX value in gpucost.shapes">
  ];
}

def DeriveDecodePass : GpuCost_Pass<"gpucost-derive-decode"> {
  let summary = "derive a decode step from a causal decoder's forward pass";
  let description = [{
    Before: an imported file that maps a whole prompt to logits, without a
    cache. The pass runs shape inference and `gpucost-raise-ops` on a copy with
    several tokens and checks every attention op: all must be causal and
    self-attention; otherwise an error names the first violation. Then it sets
    `seq` to 1 unless stated, and marks the module (`gpucost.derives_decode`).
    In a marked module `gpucost-raise-ops` gives each attention op a cache of
    `past` tokens: two new inputs past_key_values.i.key and .value [batch, KV
    heads, past, head size], to which new keys and values are appended as
    selected by `kv-cache`; both results are returned as present.i. The
    attention is one kernel unless `attention` is eager, and does not need a
    mask.

    A file that already takes past keys is not changed.

    Settings: `decode`, `past`, `seq`, `batch`, `bind`.

    Example: `test/Transforms/derive-decode.mlir`.
  }];
  let options = [AsStated];
}

def NarrowProductsPass : GpuCost_Pass<"gpucost-narrow-products"> {
  let summary = "compute products of widened tensors from the narrow tensors";
  let description = [{
    (L14) Compilers write a mixed-precision matmul or convolution as an fp32 (i32)
    product of operands that are widened from 16 or 8 bit. Widening is exact, so
    the matrix unit computes the same from the narrow operands, with a wide
    accumulator. This pass lets such a product read the narrow operands, also if
    transposes, broadcasts, reshapes, slices or padding follow the widening; an
    op that widens and has no other reader is erased. Both operands must have
    been widened from the same format. An ONNX product is changed only if its
    result is cast to 16 bit again: PyTorch executes the casts of an exported
    model. Tensors that a model keeps in fp32 (norms, softmax, losses) have no
    product of widened operands. If the module has a GPU without a matrix unit for
    the narrow format, the product stays; the pipeline runs this pass before loops
    are flattened and again after `gpucost-apply-precision`.

    Settings: none.

    Example: `test/Transforms/narrow-products.mlir`.
  }];
}

def ApplyPrecisionPass : GpuCost_Pass<"gpucost-apply-precision"> {
  let summary = "cast float tensors to the target's format, as frameworks do";
  let description = [{
    `cast` converts the tensors in the format of the weights to the target's
    format; tensors in other float formats, such as an explicit fp32 softmax,
    remain. If weights have several formats, fp32 tensors keep theirs, with a note.
    Weights are the parameters with at least two dimensions that a product reads;
    if there are none, all parameters. The parameters of a file without
    `onnx.Parameter` are the constants that an op reads, else the arguments.
    Redundant casts are removed. `amp` converts these formats to fp32, and
    `gpucost-autocast` inserts the casts. `as-is` keeps the file's types. tf32
    keeps fp32 tensors; the setting `tf32` selects the fp32 kernels that use TF32
    tensor cores. fp8 and int8 targets keep 16-bit tensors and run matmul and
    convolution in 8 bit.

    Settings: `precision-mode`, `tf32`.

    Example: `test/Transforms/apply-precision.mlir`.
  }];
}

def RaiseOpsPass : GpuCost_Pass<"gpucost-raise-ops"> {
  let summary = "raise exported patterns to the ops that frameworks launch";
  let description = [{
    Exporters decompose GELU, SiLU, LayerNorm, bias adds and attention into
    small ops. This pass raises each such pattern to the op that the framework
    runs as one kernel. Patterns that eager PyTorch launches as several kernels
    remain, unless `runtime` is compiled; `runtime=as-written` raises no
    pattern. With a runtime other than `as-written`, linalg ops are first lifted
    to the ONNX operators that compute the same, (L16); bodies with several
    steps of which no pattern takes any are put back. `attention=flash` turns eager attention (scores, mask, softmax,
    values) into one kernel (`flash1` and `flash2`: the kernels of
    FlashAttention 1 and 2; `triton1`: first-generation Triton kernels); `eager`
    splits fused attention ops. With `training`, operators that fuse several ops
    for inference (SkipLayerNormalization, BiasGelu, ...) are split into these
    ops, which have backward rules.

    A concatenation of an input with new values that becomes an output is a KV
    cache update, and so is a past and present pair of an attention op:
    `kv-cache` selects whether the update copies the cache.

    Settings: `runtime`, `attention`, `mode`, `kv-cache`, `kv-block`,
    `moe-balance`, `packed-lengths`.

    Example: `test/Transforms/raise-ops.mlir`.
  }];
}

def AutocastPass : GpuCost_Pass<"gpucost-autocast"> {
  let summary = "apply mixed precision as PyTorch's autocast does";
  let description = [{
    Before: fp32 tensors. After: matmul, convolution and attention compute in
    `format`; norms, softmax, losses and the other ops of autocast's fp32 list
    compute in fp32, with `onnx.Cast` where autocast launches one. A parameter
    is cast once for all its uses; parameters remain fp32.

    Settings: none; `as-stated` reads `precision-mode`.

    Example: `test/Transforms/autocast.mlir`.
  }];
  let options = [
    Option<"format", "format", "std::string", "\"\"",
           "bf16 or fp16; empty: the target's format, no casts for fp32 and tf32">,
    AsStated
  ];
}

def ExpandTrainingPass : GpuCost_Pass<"gpucost-expand-training"> {
  let summary = "add the loss, backward pass and optimizer of a training step";
  let description = [{
    Before: the forward graph with static types. After: the graph of one
    training step. Every derived op carries `gpucost.phase`, `gpucost.origin`
    (its backward rule and forward op) and the location of that op. Only values
    that lead to a trainable parameter get a gradient. An op without a backward
    rule becomes `onnx.UnknownGrad`, a lower bound in the coverage report.

    Dropout and batch normalization are replaced with their training versions.
    `grad-accum` repeats the forward and the backward pass; optimizer, clipping
    and communication run once.

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
    Before: the graph of one training step on one GPU. After:
    `gpucost.collective` ops on the communication stream. `ddp`: one all-reduce
    per bucket of gradients, in the order in which they become ready. `fsdp`:
    parameters, gradients and optimizer states are sharded; each unit is
    gathered before its forward pass and before its backward pass, and its
    gradients are reduce-scattered after the backward pass. `fsdp8.dp2`: groups
    of 8 do so, and 2 copies all-reduce their parts of the gradients.

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
    Before: the forward graph. After: the part that one GPU of a group computes.
    The first matmuls of a block are split by columns and the last ones by rows;
    heads, caches and hidden units in between are sharded, and
    `gpucost.collective` all-reduces add up the results. Experts and the
    vocabulary are also sharded. It is an error if the number of heads is not
    divisible by the group size; `gpucost.parallel_notes` lists other tensors
    that are not sharded.

    Settings: `gpus`, `parallel` (tp without it), `tp-pad-heads`.

    Example: `test/Transforms/shard-tensors.mlir`.
  }];
  let options = [AsStated];
}

def ShardSequencePass : GpuCost_Pass<"gpucost-shard-sequence"> {
  let summary = "sequence parallelism between sharded matmuls";
  let description = [{
    Before: the forward graph after `gpucost-shard-tensors`. After: norms,
    residual sums and dropout between the sharded matmuls of a block run on the
    tokens of one GPU, rule (X17). Each all-reduce becomes a reduce-scatter, and
    an all-gather precedes the next sharded matmul and every other reader of all
    tokens. It is an error if the number of tokens is not divisible by the
    number of GPUs, or if there is no all-reduce of activations.

    Settings: `gpus`, `parallel`, `sequence-parallel`.

    Example: `test/Transforms/shard-sequence.mlir`.
  }];
  let options = [AsStated];
}

def ShardContextPass : GpuCost_Pass<"gpucost-shard-context"> {
  let summary = "context parallelism of attention";
  let description = [{
    Before: the forward graph on the tokens of one GPU. After: a
    `gpucost.collective` all-gather sends the keys and values of all GPUs that
    share a sequence to each of them before attention, rule (X20). With
    `context=ulysses` all-to-alls of queries, keys, values and the result give
    each GPU some heads of all tokens, rule (X22). It is an error if attention is
    not one op, has a mask or past keys, or a window and keys of other GPUs.

    Settings: `gpus`, `nodes`, `parallel` (cp), `context`, `seq`.

    Example: `test/Transforms/shard-context.mlir`.
  }];
  let options = [AsStated];
}

def ShardExpertsPass : GpuCost_Pass<"gpucost-shard-experts"> {
  let summary = "expert parallelism of MoE layers";
  let description = [{
    Before: the forward graph. After: each GPU has its share of the experts of
    every MoE layer, and two `gpucost.collective` all-to-alls around the layer
    send each token to the GPUs of its experts and the results back, rule (X12).
    All other ops are not sharded: each GPU processes separate sequences. It is
    an error if the number of experts is not divisible by the number of GPUs, or
    if the model has no MoE layer.

    Settings: `gpus`, `nodes`, `parallel` (ep without it), `moe-balance`,
    `moe-dispatch`.

    Example: `test/Transforms/shard-experts.mlir`.
  }];
  let options = [AsStated];
}

def SplitStagesPass : GpuCost_Pass<"gpucost-split-stages"> {
  let summary = "keep one stage of a pipeline";
  let description = [{
    Before: the forward graph of one GPU, with tensor parallelism. After: the
    stage `select-stage` of `pp` ranks with `virtual-stages` stages each. The
    pass finds the repeated blocks of the graph by their structure, splits them
    into stages with equal work (or `stages` blocks), and puts the ops before
    the blocks into the first stage, those after them into the last one. Values
    of other stages become arguments (`gpucost.stage_inputs`), values that the
    next stage reads become results (`gpucost.stage_outputs`) and are sent by a
    `gpucost.collective`. Ops that need no parameter, such as masks, are in each
    stage that reads them. Without `pp` the module is unchanged.

    Settings: `gpus`, `nodes`, `parallel`, `schedule`, `virtual-stages`,
    `stages`, `stage-slots`, `select-stage`.

    Example: `test/Transforms/split-stages.mlir`.
  }];
  let options = [AsStated];
}

def ExpandSelectionPass : GpuCost_Pass<"gpucost-expand-selection"> {
  let summary = "replace selection and sorting ops with their kernels";
  let description = [{
    Replaces TopK, NonZero, Compress and Unique with the kernels that PyTorch
    and CUB launch for them, inserts the sort of the scores before
    NonMaxSuppression, and marks kernels with a result size that the host waits
    for with `gpucost.synchronizes`: rules (T1) to (T5). Runs after the backward
    pass is derived, because the backward rules match the original operators.

    Example: `test/Transforms/expand-selection.mlir`.
  }];
}

def FuseProjectionsPass : GpuCost_Pass<"gpucost-fuse-projections"> {
  let summary = "merge the matmuls that serving stacks run as one";
  let description = [{
    Before: the forward graph of one GPU. After, for serving stacks (vllm,
    sglang, tensorrt-llm): matmuls that multiply one activation with different
    weights are one matmul with the concatenated weights, and their results are
    views of its result (Q, K and V; gate and up); the rotary embedding inside
    GroupQueryAttention is one kernel for Q and K before it.
    `gpucost-form-kernels` fuses sums with norms and activations with their
    gates for the same serving stacks. Weights with other uses, and matmuls in
    training, are not merged.

    Settings: `software`, `mode`.

    Example: `test/Transforms/fuse-projections.mlir`.
  }];
}

def QuantizePass : GpuCost_Pass<"gpucost-quantize"> {
  let summary = "store weights, activations and KV cache in low precision";
  let description = [{
    Before: an inference in the model's formats. After: the weights of matmuls,
    convolutions and experts have the type of the setting `weights`, with their
    scales and zero points as additional parameters. Matmuls with 8-bit
    activations read the result of one `onnx.QuantizeLinear` per activation,
    which `gpucost-form-kernels` fuses with its producer in compiled execution.
    The KV cache of attention has the type of `kv`. Matmuls with a size that is
    not a multiple of 16 remain unchanged, and so do weights that other ops also
    read (an embedding that is also the output layer); `gpucost.format_notes`
    lists them.

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
    framework launches. `compiled` fuses chains of elementwise ops; serving
    stacks (vllm, sglang, tensorrt-llm) fuse a residual sum with the following
    norm, and an activation with the multiplication by its gate. Records the
    settings and the GPU as `gpucost.formed_for` and `gpucost.formed_on`;
    different settings for existing kernels are an error.

    Settings: `runtime`, `software`, `channels-last`.

    Example: `test/Transforms/form-kernels.mlir`.
  }];
}

def OffloadActivationsPass : GpuCost_Pass<"gpucost-offload-activations"> {
  let summary = "keep activations in host memory until the backward pass";
  let description = [{
    Before: the `gpucost.kernel` ops of a training step. After: the tensors that
    the backward pass reads and a unit of the forward pass has made, up to the
    next attention, go to host memory (`gpucost.collective to_host`) and return
    (`from_host`) while the backward pass of the next unit runs, rule (B13). The
    last two units stay on the GPU. It is an error if a step has fewer.

    Settings: `offload-activations`.

    Example: `test/Transforms/offload-activations.mlir`.
  }];
  let options = [AsStated];
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
    Before: `work` and `tiling` on each kernel. After: `time` and `power` on
    each kernel, and the module attribute `gpucost.summary` with the totals. The
    whole iteration runs at one clock: the highest one, at most `clock`, at
    which its average power stays within the limit. The attributes up to
    `tiling` are inputs and may be edited. The attributes that this pass writes
    are results, computed by the same code as the tool's report, and are
    replaced when the pass runs again. Settings that require other kernels, and
    tilings for another GPU, are errors.

    Settings: `clock`, `power-limit`, `runtime`, `host-launch-us`.

    Example: `test/Transforms/predict.mlir`.
  }];
}

#endif // GPUCOST_TRANSFORMS_PASSES_TD
