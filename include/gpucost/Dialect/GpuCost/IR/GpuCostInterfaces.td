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
    An op that knows how much work it is. Implemented by the ops of the `onnx`
    dialect through their cost class, and by one external model for all linalg
    structured ops.
  }];
  let methods = [
    InterfaceMethod<[{
      Exact work of the op for its static types. Failure when the op cannot be
      costed (unknown shapes, unknown semantics): the caller then lists it as
      opaque in the coverage report.
    }], "::mlir::FailureOr<::gpucost::WorkAttr>", "getWork">,
    InterfaceMethod<[{
      The rule behind `getWork`. `Metadata` and `View` ops launch nothing.
    }], "::gpucost::CostClass", "getCostClass">,
    InterfaceMethod<[{
      What reports call the op: "onnx.MatMul", "domain::Op" for an operator that
      only its name is known of.
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
