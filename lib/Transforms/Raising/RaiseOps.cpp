//===- RaiseOps.cpp - gpucost-raise-ops ----------------------------------===//
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
#include "Raiser.h"
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
#define GEN_PASS_DEF_RAISEOPSPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

//===----------------------------------------------------------------------===//
// Fusion patterns
//===----------------------------------------------------------------------===//

void Raiser::visit(Operation *anchor) {
  llvm::TypeSwitch<Operation *>(anchor)
      .Case<onnx::ErfOp>([&](auto op) { raiseGelu(op); })
      .Case<onnx::TanhOp>([&](auto op) { raiseTanhGelu(op); })
      .Case<onnx::SigmoidOp, onnx::HardSigmoidOp>(
          [&](auto op) { raiseSelfGate(op); })
      .Case<onnx::SoftplusOp>([&](auto op) {
        if (!raiseMish(op))
          raiseSoftplus(op);
      })
      .Case<onnx::MaxOp, onnx::ClipOp>([&](auto op) { raiseClip(op); })
      .Case<onnx::SqrtOp>([&](auto op) {
        if (!raiseLayerNorm(op) && !raiseRMSNorm(op))
          raiseRsqrt(op);
      })
      .Case<onnx::InstanceNormalizationOp>([&](auto op) { raiseGroupNorm(op); })
      .Case<onnx::ExpOp>([&](auto op) { raiseSoftmax(op); })
      .Case<onnx::EinsumOp>([&](auto op) { raiseEinsum(op); })
      .Case<onnx::SoftmaxOp>([&](auto op) { raiseAttention(op); })
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

void Raiser::run() {
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
struct RaiseOpsPass : public gpucost::impl::RaiseOpsPassBase<RaiseOpsPass> {
  using RaiseOpsPassBase::RaiseOpsPassBase;
  RaiseOpsPass() = default;
  RaiseOpsPass(const RaiseOpsPass &other) : RaiseOpsPassBase(other) {}

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
        raiseQuantized(block, [&](NumericFormat format) {
          return hasMatrixUnit(getOperation(), format);
        });
        AttentionMode kernels = settings->attention;
        if (kernels == AttentionMode::Flash1)
          kernels = AttentionMode::Flash;
        Raiser(block, fusesAttention ? kernels : AttentionMode::Eager, opset,
               settings->runtime == Runtime::Compiled)
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
