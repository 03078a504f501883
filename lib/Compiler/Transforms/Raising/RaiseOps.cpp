//===- RaiseOps.cpp - gpucost-raise-ops -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Restores the ops that eager PyTorch launches as one kernel and an exporter
// has written as several. Compiled execution needs one additional pattern,
// attention (L17): `gpucost-form-kernels` fuses the other ops that eager
// execution leaves decomposed.

#include "DecodeStep.h"
#include "LibraryOps.h"
#include "LiftRules.h"
#include "Matchers.h"
#include "ModuleNotes.h"
#include "PackDocuments.h"
#include "Parallel/ExpertCopies.h"
#include "Quantized.h"
#include "Raiser.h"
#include "Recurrent.h"
#include "Shapes/MalformedOps.h"
#include "Shapes/Signature.h"
#include "TrainingOps.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Vocabulary/Software.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace gpucost {
#define GEN_PASS_DEF_RAISEOPSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
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
      .Case<onnx::MaxOp, onnx::MinOp, onnx::ClipOp>(
          [&](auto op) { raiseClip(op); })
      .Case<onnx::SqrtOp>([&](auto op) {
        if (!raiseLayerNorm(op) && !raiseRMSNorm(op) &&
            !raiseGroupStatistics(op))
          raiseRsqrt(op);
      })
      .Case<onnx::AbsOp>([&](auto op) { raiseErfcGelu(op); })
      .Case<linalg::GenericOp, onnx::GatherOp>(
          [&](auto op) { raiseResample(op); })
      .Case<onnx::SubOp>([&](auto op) { raiseBatchNorm(op); })
      .Case<onnx::GatherElementsOp>([&](auto op) { raiseNllLoss(op); })
      .Case<onnx::InstanceNormalizationOp, onnx::LayerNormalizationOp>(
          [&](auto op) { raiseGroupNorm(op); })
      .Case<onnx::ExpOp>([&](auto op) {
        if (!raiseSoftmax(op) && !raiseLogSoftmax(op) && !raiseSigmoid(op))
          raiseElu(op);
      })
      .Case<onnx::ReduceSumOp, onnx::ReduceMeanOp, onnx::ReduceMaxOp,
            onnx::ReduceMinOp, onnx::ReduceL1Op, onnx::ReduceL2Op,
            onnx::CumSumOp>([&](auto op) { raiseReduction(op); })
      .Case<onnx::EinsumOp>([&](auto op) { raiseEinsum(op); })
      .Case<onnx::SoftmaxOp>([&](auto op) {
        if (!raiseGroupedAttention(op))
          raiseAttention(op);
      })
      .Case<onnx::AttentionOp, onnx::MultiHeadAttentionOp,
            onnx::FusedAttentionOp>([&](auto op) {
        // Fused kernels do not return the scores.
        bool returnsScores = isa<onnx::FusedAttentionOp>(op) &&
                             op->getNumResults() > 1 &&
                             !op->getResult(1).use_empty();
        if (attention == AttentionMode::Eager || returnsScores)
          expandAttention(op);
      });
}

void Raiser::visitAll(llvm::function_ref<bool(Operation *)> isAnchor) {
  SmallVector<Operation *> anchors;
  for (Operation &op : block)
    if (isAnchor(&op))
      anchors.push_back(&op);
  for (Operation *anchor : anchors)
    if (!discarded.contains(anchor))
      visit(anchor);
}

void Raiser::eraseDiscarded() {
  for (Operation *op : discarded)
    op->erase();
}

static bool isAttention(Operation *op) {
  return isa<onnx::AttentionOp, onnx::MultiHeadAttentionOp,
             onnx::FusedAttentionOp>(op);
}

void Raiser::run() {
  // Attention matching expects raised matmuls and softmax: raise them first.
  visitAll([](Operation *op) { return isa<onnx::EinsumOp, onnx::ExpOp>(op); });
  visitAll([](Operation *op) {
    return isAttention(op) ||
           isa<onnx::ErfOp, onnx::AbsOp, onnx::TanhOp, onnx::SigmoidOp,
               onnx::HardSigmoidOp, onnx::SoftplusOp, onnx::MaxOp, onnx::MinOp,
               onnx::ClipOp, onnx::SqrtOp, onnx::SubOp, onnx::GatherOp,
               onnx::GatherElementsOp, linalg::GenericOp,
               onnx::InstanceNormalizationOp, onnx::SoftmaxOp>(op);
  });
  visitAll([](Operation *op) { return isa<onnx::LayerNormalizationOp>(op); });
  // Norms contain reductions.
  visitAll([](Operation *op) {
    return isa<onnx::ReduceSumOp, onnx::ReduceMeanOp, onnx::ReduceMaxOp,
               onnx::ReduceMinOp, onnx::ReduceL1Op, onnx::ReduceL2Op,
               onnx::CumSumOp>(op);
  });
  eraseDiscarded();
}

void Raiser::expand() {
  visitAll(
      [](Operation *op) { return isAttention(op) || isa<onnx::EinsumOp>(op); });
  eraseDiscarded();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Version of the default domain from the importer; 0 if unknown.
static int64_t getOpset(ModuleOp module) {
  auto opsets =
      module->getAttrOfType<DictionaryAttr>(onnx::OnnxDialect::opsetsAttrName);
  for (StringRef domain : {"", "ai.onnx"})
    if (auto version =
            opsets ? opsets.getAs<IntegerAttr>(domain) : IntegerAttr())
      return version.getInt();
  return 0;
}

/// Whether the target has tensor cores for `format`; true without a target.
static bool hasMatrixUnit(ModuleOp module, NumericFormat format) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  return !target || !(target->gpu.peak(format) == FlopsPerSecond(0));
}

/// (A11) Fused attention kernels run on tensor cores, with three TF32 matmuls
/// for fp32 tensors. Without TF32 they cost as much as matmuls on CUDA cores.
static bool hasFusedAttention(ModuleOp module, const Settings &settings) {
  return settings.format != NumericFormat::FP32 ||
         hasMatrixUnit(module, NumericFormat::TF32);
}

/// Marks MoE layers with the settings for the choice of experts.
static LogicalResult markExperts(Block &block, const Settings &settings) {
  ExpertMarker marker(settings);
  for (Operation &op : block) {
    if (!isa<onnx::MoEOp, onnx::QMoEOp, onnx::MoEPackedOp>(op))
      continue;
    Builder builder(op.getContext());
    if (failed(marker.mark(&op, /*gpus=*/1)))
      return failure();
    if (settings.activeExperts)
      op.setAttr(activeExpertsAttrName,
                 builder.getI64IntegerAttr(*settings.activeExperts));
    else if (settings.moeBalance == MoeBalance::Worst)
      op.setAttr(worstBalanceAttrName, builder.getUnitAttr());
  }
  return success();
}

/// Note on the number of experts that the first MoE layer reads, for the tokens
/// of all GPUs that share them; "" without such a layer.
static std::string describeExperts(ModuleOp module, const Settings &settings) {
  std::string text;
  int64_t gpus = settings.plan().experts ? settings.plan().data : 1;
  module.walk([&](Operation *op) {
    std::optional<ExpertLayer> layer = onnx::readExpertLayer(op);
    if (!layer)
      return WalkResult::advance();
    std::optional<int64_t> own = onnx::countExpertTokens(op);
    if (!own || *own == 0)
      return WalkResult::advance();
    int64_t tokens = saturatingProduct(*own, gpus);
    text = llvm::formatv(
        "experts: {0} tokens{1} that choose {2} of {3} each read {4:f1} of "
        "them ({5})",
        tokens, gpus > 1 ? " of " + std::to_string(gpus) + " GPUs" : "",
        layer->chosen, layer->experts, useOf(*layer, tokens).active,
        layer->active ? "--active-experts"
        : layer->worst
            ? "maximum; --moe-balance=uniform selects the expected value"
        : !layer->loads.isEven()
            ? "expected value for the stated loads"
            : "expected value for uniform routing; --moe-balance=worst selects "
              "the maximum");
    return WalkResult::interrupt();
  });
  return text;
}

/// The structured ops that remain as written, the most frequent first.
static std::string describeUnrecognised(ArrayRef<std::string> kept) {
  constexpr size_t mostNames = 3;
  llvm::MapVector<StringRef, int64_t> counts;
  for (StringRef name : kept)
    ++counts[name];
  auto named = counts.takeVector();
  llvm::stable_sort(
      named, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::string text = std::to_string(kept.size());
  text += kept.size() == 1
              ? " structured op is not recognised as an operator: "
              : " structured ops are not recognised as operators: ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(
      ArrayRef(named).take_front(std::min(named.size(), mostNames)), os,
      [&](const auto &entry) {
        os << entry.first;
        if (entry.second > 1)
          os << " x" << entry.second;
      });
  if (named.size() > mostNames)
    os << ", ...";
  return text;
}

/// Which kernels are priced for the front end of a module, and the alternative.
static std::string describeFrontEnd(StringAttr frontEnd,
                                    const Settings &settings) {
  bool compiles = settings.runtime == Runtime::Compiled;
  return llvm::formatv(
      "front end: {0}; kernels are those {1}; --runtime={2} selects those {3}",
      frontEnd.getValue(),
      compiles ? "that a compiler generates"
      : settings.runtime == Runtime::AsWritten
          ? "of the single ops"
          : "that eager PyTorch launches for the same operations",
      compiles ? "eager" : "compiled",
      compiles ? "that eager PyTorch launches" : "that a compiler generates");
}

/// Notes on attributes of the file's ops that change their work, but not their
/// cost.
static std::set<std::string> describeUncounted(ModuleOp module) {
  std::set<std::string> texts;
  module.walk([&](onnx::OnnxOp op) {
    for (StringRef name : onnx::findUncounted(op))
      texts.insert(llvm::formatv("the cost of {0} does not depend on '{1}', "
                                 "which changes the work",
                                 op.getInfo().getBareName(), name)
                       .str());
  });
  return texts;
}

/// (R14) Kernels that flash-linear-attention launches for a prompt, and for one
/// new token, with the normalization of queries and keys.
static void markLinearAttention(Block &block) {
  constexpr int64_t promptKernels = 7, stepKernels = 2;
  for (Operation &op : block) {
    if (!isa<onnx::LinearAttentionOp, onnx::GatedDeltaNetOp>(op))
      continue;
    // [batch, length, channels] or [batch, length, heads, size].
    RankedTensorType tokens = getStaticType(op.getOperand(0));
    int64_t rank = isa<onnx::LinearAttentionOp>(op) ? 3 : 4;
    bool isStep =
        tokens && tokens.getRank() == rank && tokens.getDimSize(1) == 1;
    op.setAttr(hostLaunchesAttrName,
               Builder(op.getContext())
                   .getI64IntegerAttr(isStep ? stepKernels : promptKernels));
  }
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
    bool fusesAttention = hasFusedAttention(getOperation(), *settings);
    // Fusion patterns read required operands without checks.
    replaceMalformedOps(getOperation());
    std::set<std::string> uncounted = describeUncounted(getOperation());
    int64_t opset = getOpset(getOperation()), copied = 0;
    std::vector<std::string> kept;
    bool derives = getOperation()->hasAttr(derivesDecodeAttrName);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (Block &block : function.getBody()) {
        // IR as written keeps its ops.
        Lifting lifting(block, settings->runtime == Runtime::Compiled);
        if (getDefaultRuntime(getOperation()) != Runtime::AsWritten)
          lifting.lift();
        bool isStep = isTrainingStep(block);
        if (isStep)
          lowerTrainingStep(block);
        expandRecurrentLayers(block);
        LibraryOptions library = {fusesAttention, settings->trains() && !isStep,
                                  settings->kvCache, settings->kvBlock,
                                  settings->windowCache == WindowCache::Window};
        expandLibraryOps(block, library);
        copied = saturatingSum(copied, updateCaches(block, library));
        if (failed(markExperts(block, *settings)))
          return signalPassFailure();
        if (isOf(settings->software, Software::PyTorch))
          markLinearAttention(block);
        // Compiled code dequantises weights in the product that reads them.
        if (settings->runtime == Runtime::Compiled && !settings->trains())
          dequantizeInProducts(block);
        // Training with fake quantisation computes in float.
        if (!settings->trains())
          raiseQuantized(block, [&](NumericFormat format) {
            return hasMatrixUnit(getOperation(), format);
          });
        AttentionMode kernels = settings->attention;
        if (kernels == AttentionMode::Flash1 ||
            kernels == AttentionMode::Flash2 ||
            kernels == AttentionMode::Triton1)
          kernels = AttentionMode::Flash;
        if (!fusesAttention)
          kernels = AttentionMode::Eager;
        // Serving stacks fuse patterns that models contain as separate ops.
        bool compiles = settings->runtime == Runtime::Compiled ||
                        settings->fusesDecoderLayers();
        // (L17)
        bool joinsAttention = kernels == AttentionMode::Flash ||
                              (kernels == AttentionMode::AsIs &&
                               settings->runtime == Runtime::Compiled);
        if (derives) {
          Raiser(block, AttentionMode::Flash, opset, compiles,
                 lifting.hasLifted(), /*joinsAttention=*/true)
              .run();
          if (failed(appendCaches(block, settings->past.value_or(0), library)))
            return signalPassFailure();
        }
        Raiser raiser(block, kernels, opset, compiles, lifting.hasLifted(),
                      joinsAttention);
        if (settings->runtime == Runtime::AsWritten)
          raiser.expand();
        else
          raiser.run();
        lifting.finish();
        if (lifting.hasLifted())
          llvm::append_range(kept, lifting.describeKept());
        markCaches(block, library);
        inheritSteps(block);
      }
      updateSignature(function);
    }
    if (settings->packedLengths &&
        failed(packDocuments(getOperation(), *settings->packedLengths)))
      return signalPassFailure();
    addNotes(copied, *settings, uncounted);
    if (!kept.empty())
      addNote(getOperation(), describeUnrecognised(kept));
  }

  /// Adds notes on the assumptions about caches and experts.
  void addNotes(int64_t copied, const Settings &settings,
                const std::set<std::string> &uncounted) {
    llvm::SetVector<StringRef> notes;
    if (auto known = getOperation()->getAttrOfType<ArrayAttr>(notesAttrName))
      for (auto note : known.getAsRange<StringAttr>())
        notes.insert(note.getValue());
    std::string cache;
    if (copied > 0) {
      cache =
          copied < 1'000'000
              ? std::to_string(copied) + " bytes"
              : llvm::formatv("{0:f1} MB", static_cast<double>(copied) / 1e6)
                    .str();
      cache += " of past keys and values are copied, as in the file; "
               "--kv-cache=in-place writes only the new ones";
      notes.insert(cache);
    }
    std::string experts = describeExperts(getOperation(), settings);
    if (!experts.empty())
      notes.insert(experts);
    if (auto frontEnd =
            getOperation()->getAttrOfType<StringAttr>(frontEndAttrName))
      notes.insert(
          StringAttr::get(&getContext(), describeFrontEnd(frontEnd, settings))
              .getValue());
    std::string boxes = "non-maximum suppression is counted as boxes x kept "
                        "boxes, at most max_output_boxes_per_class";
    for (const std::string &text : uncounted)
      notes.insert(text);
    std::string states = "linear attention: kernels of serving stacks differ "
                         "by up to 2.3 times; --software selects them";
    std::string sums = "linear attention without a delta rule (Mamba-2, "
                       "lightning attention) was not measured: its kernels "
                       "are assumed to resemble those of the gated delta rule";
    std::string blocks = "the block layout of SparseAttention is not constant: "
                         "all blocks are counted";
    auto isConstant = [](Operation *op, unsigned operand) {
      return operand < op->getNumOperands() &&
             op->getOperand(operand).getDefiningOp<onnx::ConstantOp>();
    };
    getOperation().walk([&](Operation *op) {
      if (isa<onnx::NonMaxSuppressionOp>(op))
        notes.insert(boxes);
      if (isa<onnx::SparseAttentionOp>(op) &&
          !(isConstant(op, 5) && isConstant(op, 6)))
        notes.insert(blocks);
      if (isa<onnx::LinearAttentionOp, onnx::GatedDeltaNetOp,
              onnx::Mamba2VerifyOp>(op)) {
        bool isDelta = !isa<onnx::Mamba2VerifyOp>(op) &&
                       onnx::getString(op, "update_rule").ends_with("delta");
        notes.insert(isDelta ? states : sums);
      }
    });
    if (!notes.empty())
      getOperation()->setAttr(
          notesAttrName,
          Builder(&getContext()).getStrArrayAttr(notes.getArrayRef()));
  }

private:
  SettingOptions options{*this,
                         &Scenario::runtime,
                         &Scenario::attention,
                         &Scenario::mode,
                         &Scenario::kvCache,
                         &Scenario::kvBlock,
                         &Scenario::moeBalance,
                         &Scenario::activeExperts,
                         &Scenario::expertSkew,
                         &Scenario::packedLengths};
};
} // namespace
