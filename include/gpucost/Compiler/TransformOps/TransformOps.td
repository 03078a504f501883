//===- TransformOps.td - Costs in transform scripts --------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFORMOPS_TRANSFORMOPS_TD
#define GPUCOST_TRANSFORMOPS_TRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class GpuCostTransformOp<string mnemonic> : Op<Transform_Dialect,
    "gpucost." # mnemonic,
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Confidence : ConfinedAttr<F64Attr, [AttrConstraint<CPred<[{
    ::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() >= 0 &&
    ::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() <= 1}]>,
    "in 0..1">]>;

def TileSizes : ConfinedAttr<DenseI64ArrayAttr, [AttrConstraint<CPred<[{
    !::llvm::cast<::mlir::DenseI64ArrayAttr>($_self).empty() &&
    ::llvm::all_of(::llvm::cast<::mlir::DenseI64ArrayAttr>($_self).asArrayRef(),
                   [](int64_t size) { return size >= 1 && size <= 4096; })}]>,
    "with at least one size, each in 1..4096">]>;

def ObjectiveText : ConfinedAttr<StrAttr, [AttrConstraint<CPred<[{
    ::gpucost::symbolizeObjective(
        ::llvm::cast<::mlir::StringAttr>($_self).getValue())}]>,
    "that is 'time', 'energy' or 'energy_delay'">]>;

/// Time and energy of two kernels can be added; energy times delay cannot.
def TimeOrEnergyText : ConfinedAttr<StrAttr, [AttrConstraint<CPred<[{
    ::llvm::is_contained({"time", "energy"},
        ::llvm::cast<::mlir::StringAttr>($_self).getValue())}]>,
    "that is 'time' or 'energy'">]>;

def BoundsText : ConfinedAttr<StrAttr, [AttrConstraint<CPred<[{
    ::llvm::is_contained({"remark", "fail", "accept"},
        ::llvm::cast<::mlir::StringAttr>($_self).getValue())}]>,
    "that is 'remark', 'fail' or 'accept'">]>;

def EstimateOp : GpuCostTransformOp<"estimate"> {
  let summary = "predicted time of payload ops";
  let description = [{
    One parameter per payload op: the predicted time of its launches in
    nanoseconds, an i64; for a function, the time of the whole iteration. With
    `as_kernel`, one parameter: the time of the ops as one compiler-generated
    kernel. An op without a cost is a silenceable failure with the reason.

    A time may be only a lower bound, which must not be compared with other
    times as if it were an estimate. `bounds` selects the reaction: a `remark`
    with the reason (default), a silenceable failure (`fail`), or `accept` for
    scripts that read the status. Optional further results, as many as are
    needed, in this order:

    | result | type | value |
    |---|---|---|
    | runtime | `!transform.any_param` | `as-written`, unless `gpucost.scenario` of the module selects another one, or `compiled` for several ops as one kernel |
    | status | `!transform.any_param` | `exact` or `bound` |
    | low, high | `!transform.param<i64>` | the 80 % interval in nanoseconds; 0 to 2^63-1 if it is unknown, and `high` is 2^63-1 for a bound |
    | reason | `!transform.any_param` | why it is a bound, or launches nothing; otherwise empty |

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       UnitAttr:$as_kernel,
                       DefaultValuedStrAttr<BoundsText, "remark">:$bounds);
  let results = (outs TransformParamTypeInterface:$nanoseconds,
                      Variadic<TransformParamTypeInterface>:$details);
  let assemblyFormat = [{
    $target (`as_kernel` $as_kernel^)? attr-dict `:` functional-type($target, results)
  }];
  let hasVerifier = 1;
}

def PickTileOp : GpuCostTransformOp<"pick_tile"> {
  let summary = "workgroup (CTA) tile of a matmul with the lowest predicted cost";
  let description = [{
    For each payload op, which must be a matmul or convolution, the tile of
    `rows` x `columns` (and K step of `depth`, if given) with the lowest
    `objective`: `time` (default), `energy` or `energy_delay`, with the best
    subgroups (warps) and stages for each tile. Results, as i64: rows, columns and K step of
    the tile, and the predicted time in nanoseconds. An op that no tile fits is
    a silenceable failure. With `with`, a single payload op and these ops, its
    epilogue, are costed as one kernel.

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       TileSizes:$rows, TileSizes:$columns,
                       OptionalAttr<TileSizes>:$depth,
                       Optional<TransformHandleTypeInterface>:$epilogue,
                       DefaultValuedStrAttr<ObjectiveText, "time">:$objective);
  let results = (outs TransformParamTypeInterface:$tile_m,
                      TransformParamTypeInterface:$tile_n,
                      TransformParamTypeInterface:$tile_k,
                      TransformParamTypeInterface:$nanoseconds);
  let assemblyFormat = [{
    $target (`with` $epilogue^)? `from` $rows `x` $columns (`x` $depth^)? attr-dict `:` functional-type(operands, results)
  }];
}

def PickScheduleOp : GpuCostTransformOp<"pick_schedule"> {
  let summary = "schedule of a kernel with the lowest predicted cost";
  let description = [{
    For each payload op, the schedule with the lowest `objective`: `time`
    (default), `energy` or `energy_delay`, in the model's space of candidates.
    The op is a matmul, a convolution, whose schedule is that of its implicit
    GEMM, or attention of a prompt or of one query token (tile of query rows and
    keys, split of the keys). Results, as i64: `tile_m`, `tile_n`, `tile_k`,
    `split_k`, `stages` and subgroups (warps), 0 if the kernel lacks the field,
    and the predicted time in nanoseconds. A remark names the choice of the
    library that makes the schedule over 5 % faster than the library's kernel.

    Example: `test/CostAnalysis/pick-schedule.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedStrAttr<ObjectiveText, "time">:$objective);
  let results = (outs TransformParamTypeInterface:$tile_m,
                      TransformParamTypeInterface:$tile_n,
                      TransformParamTypeInterface:$tile_k,
                      TransformParamTypeInterface:$split_k,
                      TransformParamTypeInterface:$stages,
                      TransformParamTypeInterface:$subgroups,
                      TransformParamTypeInterface:$nanoseconds);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
}

def PickEpilogueOp : GpuCostTransformOp<"pick_epilogue"> {
  let summary = "elementwise ops that are cheaper in a matmul's epilogue";
  let description = [{
    Follows the result of `target`, one linalg matmul or convolution, to its
    only reader and on, as long as the reader is an elementwise linalg op that
    reads it element by element and has a lower predicted cost in the kernel of
    `target` than in a separate kernel. The cost is `objective`: `time`
    (default) or `energy`. Results: the last op of the kernel, which is to be
    tiled; the ops that `fuse_into_containing_op` then fuses into its loops,
    last first: the other ops, `target`, and the fill of its accumulators; and
    the epilogue, for `pick_tile`. Without an epilogue the last op is `target`.

    Example: `examples/tile-by-cost/tile.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedStrAttr<TimeOrEnergyText, "time">:$objective);
  let results = (outs TransformHandleTypeInterface:$last,
                      TransformHandleTypeInterface:$others,
                      TransformHandleTypeInterface:$epilogue);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
}

def FuseIfFasterOp : GpuCostTransformOp<"fuse_if_faster"> {
  let summary = "fuse an elementwise producer if it is predicted to be faster";
  let description = [{
    `producer` and `consumer` are one `linalg.generic` each; the consumer reads
    the producer. Fuses them, like `linalg-fuse-elementwise-ops`, if the fused
    code is faster with a probability of at least `confidence` (default 0.8).
    Results: the fused or unchanged consumer, and an i64, 1 if the ops were
    fused and 0 otherwise. Both handles are consumed. Ops that cannot be fused
    are not changed, with a remark on the reason.

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$producer,
                       TransformHandleTypeInterface:$consumer,
                       DefaultValuedAttr<Confidence, "0.8">:$confidence);
  let results = (outs TransformHandleTypeInterface:$result,
                      TransformParamTypeInterface:$fused);
  let assemblyFormat = [{
    $producer `into` $consumer attr-dict `:` functional-type(operands, results)
  }];
}

def ExpectFasterOp : GpuCostTransformOp<"expect_faster"> {
  let summary = "fail unless some ops are predicted faster than others";
  let description = [{
    Succeeds if the ops of `first`, executed sequentially, take less time than
    the ops of `second` with a probability of at least `confidence` (default
    0.5: the predicted time is lower). Otherwise it is a silenceable failure
    with both times, which can test a schedule without a GPU.

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$first,
                       TransformHandleTypeInterface:$second,
                       DefaultValuedAttr<Confidence, "0.5">:$confidence);
  let assemblyFormat = [{
    $first `than` $second attr-dict `:` type($first) `,` type($second)
  }];
}

def ExpectTimeOp : GpuCostTransformOp<"expect_time"> {
  let summary = "fail unless the predicted time is in a range";
  let description = [{
    Succeeds if the predicted time of the ops of `target`, executed sequentially
    (or with `as_kernel` as one compiler-generated kernel), is in a range:

    - `within [30 us, 40 us]`: both ends are included;
    - `within 5 percent of 33.4 us`;
    - `relative to %base by [-30, -10] percent`: 10 to 30 % less than the time of
      the ops of `base`, executed sequentially.

    Otherwise it is a silenceable failure with the predicted time. A lower bound
    is never in a range.

    Example: `examples/prediction-tests`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       UnitAttr:$as_kernel,
                       Optional<TransformHandleTypeInterface>:$base,
                       OptionalAttr<F64Attr>:$reference,
                       DenseF64ArrayAttr:$range);
  let assemblyFormat = [{
    $target (`as_kernel` $as_kernel^)? custom<Expectation>($base, $reference, $range) attr-dict `:` type($target) (`,` type($base)^)?
  }];
  let hasVerifier = 1;
}

#endif // GPUCOST_TRANSFORMOPS_TRANSFORMOPS_TD
