//===- GpuCostOps.td - Kernel ops --------------------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTOPS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTOPS_TD

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAttrs.td"
include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class GpuCost_Op<string mnemonic, list<Trait> traits = []>
    : Op<GpuCost_Dialect, mnemonic, traits>;

def GpuCost_KernelOp : GpuCost_Op<"kernel", [
    SingleBlockImplicitTerminator<"::gpucost::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "one GPU kernel launch around the ops it executes";
  let description = [{
    `count` is the number of identical launches, and `host_launches` the number
    that the host issues (0 for a layout conversion inside a library call);
    `library` marks GEMM, convolution, norm and softmax calls, which cost the
    host more. `coverage` tells whether the work is exact, a lower bound from
    bytes, or unknown. The annotating passes set `work`, `tiling`, `time` and
    `power` in this order.

    Example: `test/Transforms/form-kernels.mlir`.
  }];
  let arguments = (ins
    StrAttr:$label,
    DefaultValuedAttr<I64Attr, "1">:$count,
    DefaultValuedAttr<I64Attr, "1">:$host_launches,
    UnitAttr:$library,
    DefaultValuedAttr<PhaseAttr, "::gpucost::Phase::Forward">:$phase,
    DefaultValuedAttr<CoverageAttr, "::gpucost::Coverage::Modelled">:$coverage,
    OptionalAttr<WorkAttr>:$work,
    OptionalAttr<TilingAttr>:$tiling,
    OptionalAttr<TimeAttr>:$time,
    OptionalAttr<PowerAttr>:$power);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results,
                                 "::llvm::StringRef":$label), [{
    $_state.addTypes(results);
    $_state.getOrAddProperties<Properties>().label = $_builder.getStringAttr(label);
    $_state.addRegion();
  }]>];
  let assemblyFormat = [{
    $label attr-dict-with-keyword $body (`:` type($results)^)?
  }];
  let hasVerifier = 1;
}

def GpuCost_YieldOp : GpuCost_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["::gpucost::KernelOp"]>]> {
  let summary = "results of a kernel";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
}

def GpuCost_CopyOp : GpuCost_Op<"copy", [
    Pure, DeclareOpInterfaceMethods<WorkOpInterface>]> {
  let summary = "a copy that the framework inserts";
  let description = [{
    Contiguous copies, layout conversions around library calls and casts that
    are not in the model file but are launched. `reason` is `contiguous`,
    `layout` or `cast`.

    Example: `test/Transforms/form-kernels.mlir`.
  }];
  let arguments = (ins AnyType:$input, CopyReasonAttr:$reason, UnitAttr:$strided);
  let results = (outs AnyType:$output);
  let assemblyFormat = [{
    $input $reason (`strided` $strided^)? attr-dict `:` functional-type($input, $output)
  }];
}

def GpuCost_OptimizerStepOp : GpuCost_Op<"optimizer_step", [
    DeclareOpInterfaceMethods<WorkOpInterface>]> {
  let summary = "one kernel of an optimizer over a list of tensors, in place";
  let description = [{
    Reads `reads` and writes `writes` tensors of `elements` elements of
    `element_bits` each, or a total of `read_bytes` and `written_bytes` if the
    tensors differ; `launches` launches cover the whole list. The operands are
    the gradients that must be ready.

    Example: `test/Transforms/expand-training-optimizer.mlir`.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$step,
      I64Attr:$elements, I64Attr:$reads, I64Attr:$writes,
      DefaultValuedAttr<I64Attr, "32">:$element_bits,
      DefaultValuedAttr<I64Attr, "1">:$launches,
      OptionalAttr<I64Attr>:$read_bytes, OptionalAttr<I64Attr>:$written_bytes);
  let assemblyFormat = "$step `(` $inputs `)` attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def GpuCost_CollectiveOp : GpuCost_Op<"collective", [
    DeclareOpInterfaceMethods<WorkOpInterface>,
    DeclareOpInterfaceMethods<InPlaceOpInterface>]> {
  let summary = "a collective on the communication stream";
  let description = [{
    Starts when its operands are ready and the previous collective has ended;
    users of a result wait for it. `bytes` and the following numbers as in
    `#gpucost.collective`.

    Example: `test/Transforms/parallelize.mlir`.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
      CollectiveKindAttr:$kind,
      I64Attr:$bytes, I64Attr:$world_size,
      DefaultValuedAttr<I64Attr, "1">:$nodes,
      DefaultValuedAttr<I64Attr, "1">:$groups,
      DefaultValuedAttr<I64Attr, "0">:$choices,
      DefaultValuedAttr<I64Attr, "0">:$node_limit,
      DefaultValuedAttr<ExpertExchangeAttr, "::gpucost::ExpertExchange::None">:$exchange,
      DefaultValuedAttr<I64Attr, "0">:$tokens);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $kind `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTOPS_TD
