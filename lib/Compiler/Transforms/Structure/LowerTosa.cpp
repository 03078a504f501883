//===- LowerTosa.cpp - gpucost-lower-tosa ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs the upstream conversion patterns such that an operator without a pattern
// remains and is listed in the coverage report, instead of failing the module.

#include "LowerFourier.h"
#include "LowerTransposedConv.h"
#include "TensorDims.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace gpucost {
#define GEN_PASS_DEF_LOWERTOSAPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct LowerTosaPass : public gpucost::impl::LowerTosaPassBase<LowerTosaPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    LowerTosaPassBase::getDependentDialects(registry);
    registry
        .insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                index::IndexDialect, linalg::LinalgDialect, math::MathDialect,
                onnx::OnnxDialect, scf::SCFDialect, tensor::TensorDialect,
                tosa::TosaDialect>();
  }

  void runOnOperation() override {
    bool found =
        getOperation()
            .walk([](Operation *op) {
              return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!found)
      return;
    lowerTransposedConvolutions(getOperation());
    OpPassManager shapes(ModuleOp::getOperationName());
    OpPassManager &nested = shapes.nest<func::FuncOp>();
    // The lowering creates constants of the element type, which must be
    // signless for 'arith'.
    nested.addPass(tosa::createTosaConvertIntegerTypeToSignless());
    nested.addPass(tosa::createTosaInferShapesPass());
    nested.addPass(tosa::createTosaMakeBroadcastablePass());
    nested.addPass(tosa::createTosaOptionalDecompositionsPass());
    addCanonicalizer(nested);
    nested.addPass(tosa::createTosaInferShapesPass());
    nested.addPass(tosa::createTosaMakeBroadcastablePass());
    // The TOSA verifier accepts sizes that the linalg verifier rejects.
    if (failed(runPipeline(shapes, getOperation())))
      return signalPassFailure();
    lowerFourier(getOperation());
    if (failed(convert()) || failed(verify(getOperation())))
      return signalPassFailure();
    OpPassManager folding(ModuleOp::getOperationName());
    addCanonicalizer(folding.nest<func::FuncOp>());
    if (failed(runPipeline(folding, getOperation())))
      signalPassFailure();
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    TypeConverter types;
    tosa::populateTosaTypeConversion(types);
    ConversionConfig config;
    for (bool named : {true, false}) {
      ConversionTarget target(*context);
      target.addLegalDialect<affine::AffineDialect, arith::ArithDialect,
                             func::FuncDialect, index::IndexDialect,
                             linalg::LinalgDialect, math::MathDialect,
                             scf::SCFDialect, tensor::TensorDialect>();
      // Ops that the patterns create and later patterns convert.
      target.addLegalOp<tosa::ConstShapeOp, tosa::ApplyScaleOp>();
      // One kernel; upstream lowers it to a loop over elements.
      target.addLegalOp<tosa::ScatterOp>();
      // A convolution with a different accumulator type ends with a cast, which
      // the second round converts.
      if (named)
        target.addLegalOp<tosa::CastOp>();
      RewritePatternSet patterns(context);
      if (named) {
        tosa::populateTosaToLinalgNamedConversionPatterns(
            types, &patterns, TosaToLinalgNamedOptions());
      } else {
        tosa::populateTosaToLinalgConversionPatterns(types, &patterns);
        tosa::populateTosaToTensorConversionPatterns(types, &patterns);
        tosa::populateTosaToArithConversionPatterns(&patterns);
        tosa::populateTosaRescaleToArithConversionPatterns(&patterns);
        tosa::populateTosaToSCFConversionPatterns(&patterns);
      }
      if (failed(applyPartialConversion(getOperation(), target,
                                        std::move(patterns), config)))
        return failure();
    }
    return success();
  }
};
} // namespace
