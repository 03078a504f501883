//===- Muon.cpp - Updates by orthogonalized matrices ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (O14) torch.optim.Muon. docs/CostModel.md, section "Training".

#include "Update.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

/// Default of torch.optim.Muon.
static constexpr int64_t iterations = 5;

static Value add(TrainingGraph &graph, StringRef name, Type type,
                 ValueRange operands, ArrayRef<NamedAttribute> attributes,
                 StringRef rule) {
  return graph
      .create(name, operands.front().getLoc(), type, operands, attributes,
              Phase::Optimizer, rule, 1)
      ->getResult(0);
}

void training::orthogonalize(TrainingGraph &graph, const TensorList &matrices,
                             Type weight) {
  Builder builder(graph.context());
  Type half = builder.getBF16Type();
  int64_t weightBytes = weight.getIntOrFloatBitWidth() / 8;
  for (Value gradient : matrices.gradients) {
    auto type = cast<RankedTensorType>(gradient.getType());
    int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
    Value x = gradient;
    if (type.getElementType() != half)
      x = add(graph, onnx::CastOp::getOperationName(), type.clone(half), x, {},
              "bf16 update");
    if (rows > columns) {
      auto turned = RankedTensorType::get({columns, rows}, half);
      x = add(
          graph, onnx::TransposeOp::getOperationName(), turned, x,
          builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr({1, 0})),
          "");
      std::swap(rows, columns);
    }
    TensorList one;
    one.add(x, rows * columns);
    launchStep(graph, "norm of update", one, 1, 0, 16, 1);
    launchStep(graph, "/= norm", one, 1, 1, 16, 1);
    auto wide = RankedTensorType::get({rows, columns}, half);
    auto square = RankedTensorType::get({rows, rows}, half);
    auto gemm = [&](Type result, ValueRange operands, bool turnsRight) {
      return add(
          graph, onnx::GemmOp::getOperationName(), result, operands,
          builder.getNamedAttr("transB", builder.getI64IntegerAttr(turnsRight)),
          "orthogonalization");
    };
    for (int64_t i = 0; i < iterations; ++i) {
      Value gram = gemm(square, {x, x}, true);
      x = gemm(wide, {gemm(square, {gram, gram, gram}, false), x, x}, false);
    }
    TensorList result;
    result.add(x, rows * columns);
    launchMixed(graph, "param += -lr update", result, 2, 1, weightBytes + 2,
                weightBytes, 1);
  }
}
