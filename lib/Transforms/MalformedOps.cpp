//===- MalformedOps.cpp - Ops that lack what their operator has -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MalformedOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;

/// Operands that the operator of `op` requires.
static unsigned requiredOperands(Operation *op) {
  if (isa<onnx::WhereOp, onnx::RangeOp>(op))
    return 3;
  if (isa<onnx::AddOp, onnx::SubOp, onnx::MulOp, onnx::DivOp, onnx::PowOp,
          onnx::MatMulOp, onnx::EqualOp, onnx::LessOp, onnx::LessOrEqualOp,
          onnx::GreaterOp, onnx::GreaterOrEqualOp, onnx::AndOp, onnx::OrOp>(op))
    return 2;
  return !isa<onnx::ParameterOp, onnx::ConstantOp, onnx::NoneOp, onnx::CustomOp,
              onnx::RandomNormalOp, onnx::RandomUniformOp, onnx::LoopOp,
              onnx::ScanOp, onnx::LoopIndexOp, onnx::ConstantFillOp,
              onnx::FillOp, onnx::SequenceConstructOp, onnx::SequenceEmptyOp,
              onnx::OptionalOp, onnx::OptionalHasElementOp>(op);
}

/// What is wrong with `op`; empty for a whole one.
static std::string describeMalformed(Operation *op) {
  // A missing operand may be spelled out as `onnx.None`.
  unsigned required = requiredOperands(op), given = 0;
  while (given < required && given < op->getNumOperands() &&
         !isa<onnx::NoneType>(op->getOperand(given).getType()))
    ++given;
  if (given < required)
    return "has " + std::to_string(given) + " of the " +
           std::to_string(required) + " operands that the operator requires";
  return op->getNumResults() ? "" : "has no result";
}

void gpucost::replaceMalformedOps(Operation *root) {
  root->walk([](onnx::OnnxOpInterface op) {
    std::string problem = describeMalformed(op);
    if (problem.empty() || isa<onnx::CustomOp>(op))
      return;
    op->emitWarning() << "'" << op->getName() << "' op " << problem
                      << "; it is treated as an unknown operator";
    OpBuilder builder(op);
    NamedAttrList attributes(op->getAttrs());
    attributes.set("domain", builder.getStringAttr("ai.onnx"));
    attributes.set("op_type",
                   builder.getStringAttr(op->getName().stripDialect()));
    Operation *custom =
        onnx::CustomOp::create(builder, op->getLoc(), op->getResultTypes(),
                               op->getOperands(), attributes);
    op->replaceAllUsesWith(custom);
    op->erase();
  });
}
