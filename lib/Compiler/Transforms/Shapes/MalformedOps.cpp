//===- MalformedOps.cpp - Ops without required operands -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MalformedOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;

void gpucost::replaceMalformedOps(Operation *root) {
  root->walk([](onnx::OnnxOp op) {
    std::string problem = onnx::describeMalformed(op);
    if (problem.empty() || isa<onnx::CustomOp>(op))
      return;
    op->emitWarning() << "'" << op->getName() << "' op " << problem
                      << "; it is treated as an unknown operator";
    OpBuilder builder(op);
    NamedAttrList attributes(op->getAttrs());
    attributes.set("domain", builder.getStringAttr("onnx"));
    attributes.set("op_type",
                   builder.getStringAttr(op.getInfo().getBareName()));
    Operation *custom =
        onnx::CustomOp::create(builder, op->getLoc(), op->getResultTypes(),
                               op->getOperands(), attributes);
    op->replaceAllUsesWith(custom);
    op->erase();
  });
}
