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
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gpucost {
#define GEN_PASS_DEF_RECOMPOSEPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::recompose;

bool Match::isClosed() const {
  return llvm::all_of(inner, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == root || llvm::is_contained(inner, user);
    });
  });
}

//===----------------------------------------------------------------------===//
// Recomposer
//===----------------------------------------------------------------------===//

Location Recomposer::fuseLocations(const Match &match) {
  // The root comes first: reports show its name.
  SmallVector<Location> locations = {match.root->getLoc()};
  for (Operation *op : match.inner)
    locations.push_back(op->getLoc());
  return FusedLoc::get(match.root->getContext(), locations);
}

/// Distinct ops of a match; a pattern may meet one of them twice.
static size_t countOps(const Match &match) {
  llvm::SmallPtrSet<Operation *, 16> ops(match.inner.begin(),
                                         match.inner.end());
  ops.insert(match.root);
  return ops.size();
}

void Recomposer::finish(const Match &match, Operation *op, Operation *result) {
  for (StringRef name : {onnx::OnnxDialect::valueNamesAttrName,
                         onnx::OnnxDialect::constantAttrName})
    if (Attribute attribute = match.root->getAttr(name))
      result->setAttr(name, attribute);
  remark::passed(
      match.root->getLoc(),
      remark::RemarkOpts::name("recomposed").category("gpucost-recompose"))
      << remark::add("recomposed {0} ops into {1}", countOps(match),
                     op->getName().stripDialect());
  match.root->getResult(0).replaceAllUsesWith(result->getResult(0));
  discard(match.root);
}

bool Recomposer::miss(Operation *op, StringRef what, StringRef reason) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("kept").category("gpucost-recompose"))
      << remark::add("no {0}", what.str()) << reason.str();
  return false;
}

bool Recomposer::canFuse(const Match &match, StringRef what) const {
  if (fuses)
    return true;
  std::string reason = "the model spells it out in " +
                       std::to_string(countOps(match)) +
                       " ops, which eager execution launches one by one; "
                       "--runtime=compiled fuses them";
  return miss(match.root, what, reason);
}

void Recomposer::discard(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (discarded.contains(next) || !isOpTriviallyDead(next))
      continue;
    SmallVector<Value> operands(next->getOperands());
    next->dropAllReferences();
    discarded.insert(next);
    for (Value operand : operands)
      if (Operation *def = operand.getDefiningOp())
        worklist.push_back(def);
  }
}

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
  auto target =
      module->getAttrOfType<TargetAttr>(GpuCostDialect::targetAttrName);
  return !target || !(target->gpu.peak(format) == FlopsPerSecond(0));
}

/// Fused attention runs on the kernels of FlashAttention 1.
static void markFirstGeneration(Block &block) {
  for (Operation &op : block)
    if (isa<onnx::AttentionOp, onnx::FusedAttentionOp,
            onnx::MultiHeadAttentionOp>(op))
      op.setAttr("gpucost.generation",
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
      if (!function.isExternal())
        function.setFunctionType(FunctionType::get(
            &getContext(), function.getBody().getArgumentTypes(),
            function.getBody().back().getTerminator()->getOperandTypes()));
    }
  }

private:
  SettingOptions options{*this, &Scenario::runtime, &Scenario::attention,
                         &Scenario::mode};
};
} // namespace
