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

/// Time and energy of two kernels add up, their product does not.
def TimeOrEnergyText : ConfinedAttr<StrAttr, [AttrConstraint<CPred<[{
    ::llvm::is_contained({"time", "energy"},
        ::llvm::cast<::mlir::StringAttr>($_self).getValue())}]>,
    "that is 'time' or 'energy'">]>;

def EstimateOp : GpuCostTransformOp<"estimate"> {
  let summary = "predicted time of payload ops";
  let description = [{
    One parameter per payload op: the predicted time of its launches in
    nanoseconds, an i64; of a function all of the iteration. With `as_kernel`
    one parameter: the ops as one kernel, which a compiler generates. An
    optional second result, of type `!transform.any_param`, names the runtime of
    each time: `as-written`, unless `gpucost.scenario` of the module states
    another one, or `compiled` for several ops as one kernel. An op without a
    cost is a silenceable failure that gives the reason.

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       UnitAttr:$as_kernel);
  let results = (outs TransformParamTypeInterface:$nanoseconds,
                      Optional<TransformParamTypeInterface>:$runtime);
  let assemblyFormat = [{
    $target (`as_kernel` $as_kernel^)? attr-dict `:` functional-type($target, results)
  }];
}

def PickTileOp : GpuCostTransformOp<"pick_tile"> {
  let summary = "CTA tile of a product with the least predicted cost";
  let description = [{
    For each payload op, a product, the tile of `rows` x `columns` (and K step
    of `depth`, if given) with the least `objective`: `time` (default),
    `energy` or `energy_delay`. Warps and stages are the best for each tile.
    Results, as i64: rows, columns and K step of the tile, and the predicted
    time in nanoseconds. A product that no tile fits is a silenceable
    failure. With `with` the one product and these ops, its epilogue, are one
    kernel.

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

def PickEpilogueOp : GpuCostTransformOp<"pick_epilogue"> {
  let summary = "the elementwise ops that a product's kernel had better compute";
  let description = [{
    Follows the result of `target`, one product of linalg, to its only reader,
    and on, as long as that is an elementwise op of linalg which reads it
    element by element, and is predicted to cost less in the kernel of the
    product than in one of its own: less `objective`, `time` (default) or
    `energy`. Results: the last op of the kernel, which is to be tiled; what
    `fuse_into_containing_op` then takes into its loops, last first: the other
    ops, the product, and the fill of its accumulators; and the epilogue, for
    `pick_tile`. Without an epilogue the last op is the product.

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
  let summary = "fuse an elementwise producer where that is predicted faster";
  let description = [{
    `producer` and `consumer` are one `linalg.generic` each, of which the latter
    reads the former. Fuses them, as `linalg-fuse-elementwise-ops` does, when
    the fused code is faster with a probability of at least `confidence`
    (default 0.8). Results: the consumer, fused or as it was, and 1 or 0 as an
    i64 for whether it was. Both handles are consumed. Ops that cannot be fused
    are left alone, with a remark that says why.

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
    The ops of `first`, one after the other, take less time than those of
    `second` with a probability of at least `confidence` (default 0.5: predicted
    faster at all). Otherwise a silenceable failure with both times: a test of a
    schedule that needs no GPU.

    Example: `test/CostAnalysis/transform-ops.mlir`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$first,
                       TransformHandleTypeInterface:$second,
                       DefaultValuedAttr<Confidence, "0.5">:$confidence);
  let assemblyFormat = [{
    $first `than` $second attr-dict `:` type($first) `,` type($second)
  }];
}

#endif // GPUCOST_TRANSFORMOPS_TRANSFORMOPS_TD
