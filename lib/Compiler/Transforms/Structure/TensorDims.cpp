//===- TensorDims.cpp - Static shapes of tensor dialects ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorDims.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace gpucost;

void gpucost::addCanonicalizer(OpPassManager &pm) {
  GreedyRewriteConfig config;
  config.enableConstantCSE(false);
  // In MLIR 22, this pattern leaves its cast among the inserts of an
  // 'in_parallel', where casts are not allowed.
  pm.addPass(createCanonicalizerPass(
      config, {"(anonymous namespace)::InsertSliceOpSourceCastInserter<"
               "mlir::tensor::ParallelInsertSliceOp>"}));
}

void gpucost::insertPropagationDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect, linalg::LinalgDialect,
              memref::MemRefDialect, tensor::TensorDialect>();
}

/// TOSA infers the types of its ops from the arguments.
static bool isTosa(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        return op->getName().getDialectNamespace() == "tosa"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void gpucost::castArguments(func::FuncOp func, ArrayRef<Type> expected) {
  if (isTosa(func))
    return;
  OpBuilder builder(func.getBody());
  for (auto [argument, type] : llvm::zip_equal(func.getArguments(), expected)) {
    if (argument.getType() == type || argument.use_empty())
      continue;
    Location loc = argument.getLoc();
    Operation *cast = isa<RankedTensorType>(type)
                          ? tensor::CastOp::create(builder, loc, type, argument)
                                .getOperation()
                          : memref::CastOp::create(builder, loc, type, argument)
                                .getOperation();
    argument.replaceAllUsesExcept(cast->getResult(0), cast);
  }
}

void gpucost::addShapePropagation(func::FuncOp func, OpPassManager &pm) {
  if (isTosa(func))
    pm.addPass(tosa::createTosaInferShapesPass());
  addCanonicalizer(pm);
  pm.addPass(memref::createResolveShapedTypeResultDimsPass());
  addCanonicalizer(pm);
}

/// The tensor that `op` copies without a change; null for other ops.
static Value findCopied(linalg::GenericOp op) {
  if (op.getNumResults() != 1 || op.getNumReductionLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return {};
  auto read = op.getBody()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<tensor::ExtractOp>();
  if (!read || read->getBlock() != op.getBody() ||
      read.getTensor().getType() != op.getResult(0).getType())
    return {};
  for (auto [i, index] : llvm::enumerate(read.getIndices())) {
    auto own = index.getDefiningOp<linalg::IndexOp>();
    if (!own || own->getBlock() != op.getBody() || own.getDim() != i)
      return {};
  }
  return read.getTensor();
}

void gpucost::dropIdentityGathers(func::FuncOp func) {
  SmallVector<linalg::GenericOp> copies;
  func.walk([&](linalg::GenericOp op) {
    if (findCopied(op))
      copies.push_back(op);
  });
  for (linalg::GenericOp op : copies) {
    op.getResult(0).replaceAllUsesWith(findCopied(op));
    op.erase();
  }
}

void gpucost::dropReturnedCasts(func::FuncOp func) {
  func.walk([](func::ReturnOp end) {
    for (OpOperand &operand : end->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<tensor::CastOp>())
        operand.set(cast.getSource());
  });
}
