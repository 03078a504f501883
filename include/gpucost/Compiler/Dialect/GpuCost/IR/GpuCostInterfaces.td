//===- GpuCostInterfaces.td - Op interfaces ----------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTINTERFACES_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTINTERFACES_TD

include "mlir/IR/OpBase.td"

def WorkOpInterface : OpInterface<"WorkOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that knows how much work it is: what a dialect implements so that its
    ops are costed by every pass and analysis here. It states work, never time:
    the model of each GPU turns one into the other.

    An op implements it in its class (list the trait, as
    `examples/foreign-dialect/VendorDialect.cpp` does), or somebody else attaches
    a `WorkOpInterface::ExternalModel` to it in a `DialectRegistry` extension, as
    `registerAllWorkModels` does for linalg, tensor, memref, bufferization, scf
    and affine. Either way the dialect `gpucost` has to be loaded before an op is
    asked, since its work is an attribute of that dialect.

    An op without the interface is one unknown kernel: its tensors, read and
    written once, are a lower bound, and coverage lists it by its name.

    Both methods are called often, by several threads at a time, and on IR that
    a rewriter is in the middle of changing, but always on an op that verifies.
    They must not change the IR; the answer may depend on types, attributes, the
    op's own regions, and the ops next to it.
  }];
  let methods = [
    InterfaceMethod<[{
      What one launch of the op does, exactly, for its static types: the family
      of kernels and its problem (`include/gpucost/Core/Model/Kernel.def`), formats
      and bits of the elements, and the counts of `WorkCount`. A multiply-add
      that tensor cores can take is two `tensorFlops`; other adds, multiplies
      and compares are `fp32Flops`; results of exp, tanh, rsqrt, ... are
      `specialOps`, beside the FLOPs around them. Bytes are those that have to
      move: each input read once, each output written once, nothing twice, no
      cache. `count.fused` stays empty: it belongs to kernels of several ops.
      `instructions` names the arithmetic of a memory-bound kernel.

      Failure when sizes or the meaning of the op are unknown, and when a count
      overflows: the op is then costed by its bytes alone. Not asked for of
      `Metadata` and `View` ops.
    }], "::mlir::FailureOr<::gpucost::WorkAttr>", "getWork">,
    InterfaceMethod<[{
      The rule behind `getWork`, which decides how the op takes part in kernels:
      `Metadata` and `View` launch nothing, and what reads a view reads what is
      behind its first operand; `Elementwise` ops join each other, and a product
      before them, where the runtime compiles; `Contraction` and `Convolution`
      take a bias vector or a narrowing cast behind them; `Reduction` and
      `RowNormalization` read rows; `DataMovement`, `Gather`, `Pooling`,
      `Attention` and `Library` are kernels of their own; `Opaque` says that
      there is no rule.
    }], "::gpucost::CostClass", "getCostClass">,
    InterfaceMethod<[{
      What reports call the op: "onnx.MatMul", "domain::Op" for an operator that
      only its name is known of. The name of the op unless it is overridden.
    }], "std::string", "describe", (ins), "",
    "return $_op->getName().getStringRef().str();">
  ];
}

def ParameterOpInterface : OpInterface<"ParameterOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op whose result is data of the model file.
  }];
  let methods = [
    InterfaceMethod<[{
      A weight that an optimizer updates: floating-point, neither a scalar nor a
      buffer of the framework (running statistics, frequencies).
    }], "bool", "isTrainable">,
    InterfaceMethod<[{
      A tensor that stays in memory between iterations, not a number in the code.
    }], "bool", "isPersistent">
  ];
}

def StoredWeightOpInterface : OpInterface<"StoredWeightOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that may read weights in another form than the model has them.
  }];
  let methods = [
    InterfaceMethod<[{
      How many weights of the model operand `i` holds: 0 for scales and zero
      points. Nullopt where the operand is plain data: one for each element.
    }], "std::optional<int64_t>", "getStoredWeights", (ins "unsigned":$i)>
  ];
}

def InPlaceOpInterface : OpInterface<"InPlaceOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that may write a result to the memory of an operand.
  }];
  let methods = [
    InterfaceMethod<[{
      The operand in whose memory `result` is; null where it has its own.
    }], "::mlir::Value", "getInPlaceOperand", (ins "unsigned":$result)>
  ];
}

def BackwardOpInterface : OpInterface<"BackwardOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that knows which ops autograd runs for it. One rule per op family;
    used by `gpucost-expand-training`.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the gradient ops through `context` and hands it the gradients of the
      operands that need one. Failure, before anything is emitted, when there is
      no rule: the caller then lists a lower bound in the coverage report.
    }], "::llvm::LogicalResult", "emitGradient",
        (ins "::gpucost::GradientContext &":$context)>
  ];
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTINTERFACES_TD
