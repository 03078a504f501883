//===- FlattenLoops.cpp - gpucost-flatten-loops ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The kernels of a loop body run once for each iteration: the body replaces the
// loop, and its ops carry their number of launches. The iterations of a
// parallel loop are one launch. Loops with only scalars are kernels and remain.

#include "LoopNests.h"
#include "TensorDims.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace gpucost {
#define GEN_PASS_DEF_FLATTENLOOPSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

static bool hasDynamicTensors(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(),
                            [](Type type) {
                              auto shaped = dyn_cast<ShapedType>(type);
                              return shaped && !shaped.hasStaticShape();
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct FlattenLoopsPass
    : public gpucost::impl::FlattenLoopsPassBase<FlattenLoopsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    FlattenLoopsPassBase::getDependentDialects(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(flatten(function)))
        return signalPassFailure();
  }

  LogicalResult flatten(func::FuncOp function) {
    bool loops = false, tensorArithmetic = false;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      loops |= isLoop(op) || isBranch(op) || isBlockNest(op);
      tensorArithmetic |= op->hasTrait<OpTrait::Elementwise>() &&
                          op->getNumResults() &&
                          isa<RankedTensorType>(op->getResult(0).getType()) &&
                          op->getName().getDialectNamespace() != "onnx";
    });
    if (tensorArithmetic) {
      OpPassManager pm(func::FuncOp::getOperationName());
      pm.addPass(createConvertElementwiseToLinalgPass());
      if (failed(runPipeline(pm, function)))
        return failure();
    }
    if (!function.getBody().hasOneBlock()) {
      function.emitWarning()
          << "jumps between the blocks of '" << function.getName()
          << "' are not followed; each block is counted once";
      for (Block &block : function.getBody())
        for (Operation &op : block)
          op.setAttr(unknownTripCountAttrName, UnitAttr::get(op.getContext()));
    }
    if (!loops)
      return success();
    raiseBlockNests(function);
    splitLoops(function);
    if (hasDynamicTensors(function)) {
      function.walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isLoop(op) && !isScalarNest(op))
          fixCounters(op);
      });
      OpPassManager pm(func::FuncOp::getOperationName());
      addCanonicalizer(pm);
      // With the counter's only value, a slice may be out of bounds.
      if (failed(runPipeline(pm, function)) || failed(verify(function)))
        return failure();
    }
    flattenLoops(function);
    return success();
  }
};

} // namespace
