//===- ScalarInputs.cpp - Inputs with bound values ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarInputs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"

using namespace mlir;
using namespace gpucost;
using onnx::OnnxDialect;

/// The type of an input with one element; null for any other input.
static RankedTensorType scalarInput(func::FuncOp func, BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1 &&
                 type.getElementType().isIntOrFloat() &&
                 func.getArgAttr(argument.getArgNumber(),
                                 OnnxDialect::inputNameAttrName)
             ? type
             : RankedTensorType();
}

static StringRef inputName(func::FuncOp func, BlockArgument argument) {
  return func
      .getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                    OnnxDialect::inputNameAttrName)
      .getValue();
}

void gpucost::declareInputs(func::FuncOp func, DimensionBindings &bindings) {
  if (func.isDeclaration())
    return;
  for (BlockArgument argument : func.getArguments()) {
    if (scalarInput(func, argument))
      bindings.addScalar(inputName(func, argument));
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!func.getArgAttr(argument.getArgNumber(),
                         OnnxDialect::inputNameAttrName) ||
        !type || type.getRank() < 2 || type.isDynamicDim(1))
      continue;
    StringRef name = inputName(func, argument);
    if (name == "input_ids" || name == "inputs_embeds" ||
        name == "decoder_input_ids")
      bindings.setFixedSequence(type.getDimSize(1));
  }
}

void gpucost::setScalars(func::FuncOp func, const DimensionBindings &bindings,
                         onnx::InferenceState &state) {
  for (BlockArgument argument : func.getArguments()) {
    RankedTensorType type = scalarInput(func, argument);
    std::optional<int64_t> value =
        type ? bindings.scalarValue(inputName(func, argument)) : std::nullopt;
    if (!value)
      continue;
    onnx::SmallTensor scalar(type);
    if (scalar.isFloat)
      scalar.floats[0] = static_cast<double>(*value);
    else
      scalar.ints[0] =
          type.getElementType().isInteger(1) ? *value != 0 : *value;
    state.values[argument] = std::move(scalar);
  }
}
