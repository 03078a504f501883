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
    Reports how much work an op does. A dialect implements it so that all passes
    and analyses of this project can cost its ops. It reports work, never time:
    the model of each GPU converts work to time.

    An op implements it in its class (list the trait, as
    `examples/foreign-dialect/VendorDialect.cpp` does), or another library
    attaches a `WorkOpInterface::ExternalModel` to it in a `DialectRegistry`
    extension, as `registerAllWorkModels` does for linalg, tensor, memref,
    bufferization, scf and affine. In both cases the dialect `gpucost` has to be
    loaded before the first call, because the work is an attribute of that
    dialect.

    An op without the interface is treated as one unknown kernel: reading and
    writing each of its tensors once gives a lower bound, and the coverage
    report lists it by name.

    Both methods are called often, concurrently from several threads, and on IR
    that a rewriter is changing, but always on an op that passes the verifier.
    They must not change the IR; the result may depend on types, attributes, the
    op's regions, and adjacent ops.
  }];
  let methods = [
    InterfaceMethod<[{
      The exact work of one launch of the op for its static types: the kernel
      family and its problem (`include/gpucost/Core/Model/Kernel.def`), formats
      and bits of the elements, and the counts of `WorkCount`. A multiply-add
      that tensor cores can take is two `tensorFlops`; other adds, multiplies
      and compares are `fp32Flops`; results of exp, tanh, rsqrt, ... are
      `specialOps`, in addition to the FLOPs around them. Bytes are the minimum
      traffic: each input read once and each output written once, without any
      cache. `count.fused` stays empty: only kernels of several ops use it.
      `instructions` names the arithmetic of a memory-bound kernel.

      Fails when sizes or the semantics of the op are unknown, and when a count
      overflows; the cost is then a lower bound from the bytes. Not called on
      `Metadata` and `View` ops.
    }], "::mlir::FailureOr<::gpucost::WorkAttr>", "getWork">,
    InterfaceMethod<[{
      The cost class of the op, which determines how it is grouped into kernels:
      `Metadata` and `View` launch nothing, and readers of a view read the
      memory of its first operand. With a compiling runtime, `Elementwise` ops
      join each other and a preceding matmul. `Contraction` and `Convolution`
      include a following bias vector or narrowing cast. `Reduction` and
      `RowNormalization` read rows. `DataMovement`, `Gather`, `Pooling`,
      `Attention` and `Library` are separate kernels. `Opaque` ops have
      no cost rule.
    }], "::gpucost::CostClass", "getCostClass">,
    InterfaceMethod<[{
      The name of the op in reports: "onnx.MatMul", or "domain::Op" for an
      operator of which only the name is known. By default the name of the op.
    }], "std::string", "describe", (ins), "",
    "return $_op->getName().getStringRef().str();">
  ];
}

def ParameterOpInterface : OpInterface<"ParameterOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op whose result is data from the model file.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether an optimizer updates this weight: it is floating-point, and not a
      scalar or a framework buffer (running statistics, frequencies).
    }], "bool", "isTrainable">,
    InterfaceMethod<[{
      Whether the tensor stays in memory between iterations, unlike a number in
      the code.
    }], "bool", "isPersistent">
  ];
}

def StoredWeightOpInterface : OpInterface<"StoredWeightOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that may read weights in a different form than the model's weights.
  }];
  let methods = [
    InterfaceMethod<[{
      The number of model weights in operand `i`: 0 for scales and zero points.
      Nullopt if the operand is plain data with one weight per element.
    }], "std::optional<int64_t>", "getStoredWeights", (ins "unsigned":$i)>
  ];
}

def InPlaceOpInterface : OpInterface<"InPlaceOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op that may write a result into the memory of an operand.
  }];
  let methods = [
    InterfaceMethod<[{
      The operand whose memory `result` uses; null if it has separate memory.
    }], "::mlir::Value", "getInPlaceOperand", (ins "unsigned":$result)>
  ];
}

def BackwardOpInterface : OpInterface<"BackwardOpInterface"> {
  let cppNamespace = "::gpucost";
  let description = [{
    An op with a rule for the ops that autograd runs for it. One rule per op
    family; used by `gpucost-expand-training`.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the gradient ops through `context` and passes it the gradients of
      the operands that need one. Fails, before anything is emitted, if there is
      no rule; the caller then lists a lower bound in the coverage report.
    }], "::llvm::LogicalResult", "emitGradient",
        (ins "::gpucost::GradientContext &":$context)>
  ];
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTINTERFACES_TD
