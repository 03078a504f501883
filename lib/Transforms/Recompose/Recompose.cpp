//===- Recompose.cpp - gpucost-recompose ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Puts back the op that eager PyTorch launches as one kernel where an exporter
// wrote several. Compiled execution needs no fusion patterns of its own: the
// fusion of `gpucost-form-kernels` covers what eager execution leaves
// decomposed.

#include "../MalformedOps.h"
#include "../Signature.h"
#include "LibraryOps.h"
#include "Quantized.h"
#include "Recomposer.h"
#include "Recurrent.h"
#include "TrainingOps.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Model/Gpu.h"
#include "gpucost/Transforms/Passes.h"
#include "gpucost/Transforms/SettingOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gpucost {
#define GEN_PASS_DEF_RECOMPOSEPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::recompose;

//===----------------------------------------------------------------------===//
// Fusion patterns
//===----------------------------------------------------------------------===//

void Recomposer::visit(Operation *anchor) {
  llvm::TypeSwitch<Operation *>(anchor)
      .Case<onnx::ErfOp>([&](auto op) { recomposeGelu(op); })
      .Case<onnx::TanhOp>([&](auto op) { recomposeTanhGelu(op); })
      .Case<onnx::SigmoidOp, onnx::HardSigmoidOp>(
          [&](auto op) { recomposeSelfGate(op); })
      .Case<onnx::SoftplusOp>([&](auto op) {
        if (!recomposeMish(op))
          recomposeSoftplus(op);
      })
      .Case<onnx::MaxOp, onnx::ClipOp>([&](auto op) { recomposeClip(op); })
      .Case<onnx::SqrtOp>([&](auto op) {
        if (!recomposeLayerNorm(op) && !recomposeRMSNorm(op))
          recomposeRsqrt(op);
      })
      .Case<onnx::InstanceNormalizationOp>(
          [&](auto op) { recomposeGroupNorm(op); })
      .Case<onnx::ExpOp>([&](auto op) { recomposeSoftmax(op); })
      .Case<onnx::EinsumOp>([&](auto op) { recomposeEinsum(op); })
      .Case<onnx::SoftmaxOp>([&](auto op) { recomposeAttention(op); })
      .Case<onnx::AttentionOp, onnx::MultiHeadAttentionOp,
            onnx::FusedAttentionOp>([&](auto op) {
        // Fused kernels keep the scores to themselves.
        bool returnsScores = isa<onnx::FusedAttentionOp>(op) &&
                             op->getNumResults() > 1 &&
                             !op->getResult(1).use_empty();
        if (attention == AttentionMode::Eager || returnsScores)
          expandAttention(op);
      });
}

void Recomposer::run() {
  auto visitAll = [&](auto isAnchor) {
    SmallVector<Operation *> anchors;
    for (Operation &op : block)
      if (isAnchor(&op))
        anchors.push_back(&op);
    for (Operation *anchor : anchors)
      if (!discarded.contains(anchor))
        visit(anchor);
  };
  // Attention looks for products and softmax: what becomes one comes first.
  visitAll([](Operation *op) { return isa<onnx::EinsumOp, onnx::ExpOp>(op); });
  visitAll([](Operation *op) {
    return isa<onnx::ErfOp, onnx::TanhOp, onnx::SigmoidOp, onnx::HardSigmoidOp,
               onnx::SoftplusOp, onnx::MaxOp, onnx::ClipOp, onnx::SqrtOp,
               onnx::InstanceNormalizationOp, onnx::SoftmaxOp,
               onnx::AttentionOp, onnx::MultiHeadAttentionOp,
               onnx::FusedAttentionOp>(op);
  });
  for (Operation *op : discarded)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Version of the default domain that the importer wrote; 0 when unknown.
static int64_t getOpset(ModuleOp module) {
  auto opsets =
      module->getAttrOfType<DictionaryAttr>(onnx::OnnxDialect::opsetsAttrName);
  for (StringRef domain : {"", "ai.onnx"})
    if (auto version =
            opsets ? opsets.getAs<IntegerAttr>(domain) : IntegerAttr())
      return version.getInt();
  return 0;
}

/// Fused attention kernels run on tensor cores; fp32 without TF32 has none, and
/// what runs then costs like its separate products on CUDA cores.
static bool hasFusedAttention(const Settings &settings) {
  return settings.format != NumericFormat::FP32 ||
         settings.tf32 == Tf32Mode::On;
}

/// Whether the target has tensor cores for `format`; no target lacks nothing.
static bool hasMatrixUnit(ModuleOp module, NumericFormat format) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  return !target || !(target->gpu.peak(format) == FlopsPerSecond(0));
}

/// Fused attention runs on the kernels of FlashAttention 1.
static void markFirstGeneration(Block &block) {
  for (Operation &op : block)
    if (isa<onnx::AttentionOp, onnx::FusedAttentionOp,
            onnx::MultiHeadAttentionOp>(op))
      op.setAttr(generationAttrName,
                 Builder(op.getContext()).getI64IntegerAttr(1));
}

namespace {
struct RecomposePass : public gpucost::impl::RecomposePassBase<RecomposePass> {
  using RecomposePassBase::RecomposePassBase;
  RecomposePass() = default;
  RecomposePass(const RecomposePass &other) : RecomposePassBase(other) {}

  void runOnOperation() override {
    FailureOr<Settings> settings =
        stateSettings(getOperation(), options.stated());
    if (failed(settings))
      return signalPassFailure();
    bool fusesAttention = hasFusedAttention(*settings);
    // Fusion patterns read the operands that operators require without asking.
    replaceMalformedOps(getOperation());
    int64_t opset = getOpset(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (Block &block : function.getBody()) {
        bool isStep = isTrainingStep(block);
        if (isStep)
          lowerTrainingStep(block);
        expandRecurrentLayers(block);
        expandLibraryOps(block,
                         {fusesAttention, settings->trains() && !isStep});
        recomposeQuantized(block, [&](NumericFormat format) {
          return hasMatrixUnit(getOperation(), format);
        });
        AttentionMode kernels = settings->attention;
        if (kernels == AttentionMode::Flash1)
          kernels = AttentionMode::Flash;
        Recomposer(block, fusesAttention ? kernels : AttentionMode::Eager,
                   opset, settings->runtime == Runtime::Compiled)
            .run();
        if (settings->attention == AttentionMode::Flash1)
          markFirstGeneration(block);
        inheritSteps(block);
      }
      updateSignature(function);
    }
  }

private:
  SettingOptions options{*this, &Scenario::runtime, &Scenario::attention,
                         &Scenario::mode};
};
} // namespace
