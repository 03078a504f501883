//===- TrainingOps.cpp - Kernels of ONNX training graphs ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOps.h"
#include "OpExpander.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// The stage of an operator; nullopt for ops of other dialects.
static std::optional<onnx::OpStage> stageOf(Operation &op) {
  const onnx::OpInfo *info = onnx::getOpInfo(&op);
  if (!info)
    return std::nullopt;
  // For an unknown operator, the name determines the stage.
  auto type = op.getAttrOfType<StringAttr>("op_type");
  if (!isa<onnx::CustomOp>(op) || !type)
    return info->stage;
  StringRef name = type.getValue();
  if (name.ends_with("Grad") || name.ends_with("Grad_13") ||
      name.ends_with("Grad_dX"))
    return onnx::OpStage::Backward;
  return name.contains("Optimizer") ? onnx::OpStage::Optimizer
                                    : onnx::OpStage::Forward;
}

static bool isGradient(Operation &op) {
  return stageOf(op) == onnx::OpStage::Backward;
}

static bool isOptimizer(Operation &op) {
  return stageOf(op) == onnx::OpStage::Optimizer;
}

bool gpucost::raising::isTrainingStep(Block &block) {
  return llvm::any_of(
      block, [](Operation &op) { return isGradient(op) || isOptimizer(op); });
}

namespace {

class Splitter : public OpExpander {
public:
  explicit Splitter(Operation *op) : OpExpander(op) {}
  using OpExpander::give;
  using OpExpander::isUsed;

  /// Creates an op with the attributes of the operator that it declares.
  Operation *create(StringRef name, TypeRange types, ValueRange operands) {
    const onnx::OpInfo &info = *onnx::findOpInfo(name.drop_front(5));
    return createOp(name, types, operands, onnx::getAttributesFor(info, op));
  }
  template <typename OpT>
  Operation *create(TypeRange types, ValueRange operands) {
    return create(OpT::getOperationName(), types, operands);
  }
  template <typename OpT> void give(unsigned result, ValueRange operands) {
    give(result, OpT::getOperationName(), operands);
  }
  void give(unsigned result, StringRef name, ValueRange operands) {
    if (isUsed(result))
      give(result, create(name, op->getResult(result).getType(), operands)
                       ->getResult(0));
  }
  Value in(unsigned i) { return op->getOperand(i); }
};

} // namespace

/// Whether the operands and results used below exist and have types.
static bool isComplete(Operation *op, unsigned operands) {
  return op->getNumOperands() >= operands &&
         llvm::all_of(op->getResults(), [](Value result) {
           return result.use_empty() || isa<RankedTensorType>(result.getType());
         });
}

static bool splitConvGrad(Operation *op) {
  if (!isComplete(op, 3))
    return false;
  Splitter s(op);
  s.give<onnx::ConvInputGradOp>(0, {s.in(0), s.in(2)});
  s.give<onnx::ConvWeightGradOp>(1, {s.in(0), s.in(1)});
  s.give<onnx::ReduceSumOp>(2, {s.in(0)});
  return true;
}

static bool splitNormGrad(Operation *op, StringRef input, StringRef weight) {
  if (!isComplete(op, 3))
    return false;
  Splitter s(op);
  s.give(0, input, {s.in(0), s.in(1), s.in(2)});
  SmallVector<Type> types;
  SmallVector<unsigned> used;
  for (unsigned i = 1; i < op->getNumResults(); ++i)
    if (s.isUsed(i)) {
      used.push_back(i);
      types.push_back(op->getResult(i).getType());
    }
  if (used.empty())
    return true;
  Operation *sums = s.create(weight, types, {s.in(0), s.in(1)});
  for (auto [result, value] : llvm::zip_equal(used, sums->getResults()))
    s.give(result, value);
  return true;
}

/// Zeros, then an insertion of the part that has a gradient.
static bool splitInsertion(Operation *op, unsigned gradient) {
  if (!isComplete(op, gradient + 1) || !isComplete(op, 1))
    return false;
  Splitter s(op);
  Value zeros =
      s.create<onnx::FillOp>(op->getResult(0).getType(), {})->getResult(0);
  s.give<onnx::InsertOp>(0, {s.in(gradient), zeros});
  return true;
}

/// One fused kernel for each parameter, in place.
static bool splitOptimizer(Operation *op, unsigned weight, int64_t reads,
                           int64_t writes) {
  if (op->getNumOperands() <= weight + 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(weight).getType());
  std::optional<int64_t> count = type ? elementCount(type) : std::nullopt;
  if (!count || !op->use_empty())
    return false;
  OpBuilder builder(op);
  int64_t bits = storedBits(type.getElementType()).value_or(32);
  auto step = OptimizerStepOp::create(
      builder, op->getLoc(), op->getOperand(weight + 1),
      builder.getStringAttr(onnx::getOpInfo(op)->getBareName()),
      builder.getI64IntegerAttr(*count), builder.getI64IntegerAttr(reads),
      builder.getI64IntegerAttr(writes), builder.getI64IntegerAttr(bits),
      builder.getI64IntegerAttr(1), /*read_bytes=*/IntegerAttr(),
      /*written_bytes=*/IntegerAttr());
  step->setAttr(phaseAttrName,
                PhaseAttr::get(op->getContext(), Phase::Optimizer));
  return true;
}

/// LAMB: directions and norms in one pass (4 reads, 3 writes), the step in a
/// second pass (2 reads, 1 write).
static bool splitLamb(Operation *op) {
  constexpr unsigned first = 5, each = 5;
  bool any = false;
  for (unsigned i = first; i + 1 < op->getNumOperands(); i += each)
    any |= splitOptimizer(op, i, 6, 4);
  return any;
}

static bool split(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<onnx::ConvGradOp>([](auto op) { return splitConvGrad(op); })
      .Case<onnx::ConvTransposeGradOp>([](auto op) {
        op->setAttr("transposed", UnitAttr::get(op.getContext()));
        return splitConvGrad(op);
      })
      .Case<onnx::LayerNormalizationGradOp,
            onnx::InvertibleLayerNormalizationGradOp,
            onnx::SimplifiedLayerNormalizationGradOp>([](auto op) {
        return splitNormGrad(op, onnx::NormInputGradOp::getOperationName(),
                             onnx::NormWeightGradOp::getOperationName());
      })
      .Case<onnx::BatchNormalizationGradOp>([](auto op) {
        return splitNormGrad(op, onnx::BatchNormInputGradOp::getOperationName(),
                             onnx::BatchNormReduceGradOp::getOperationName());
      })
      .Case<onnx::GatherGradOp>([](auto op) { return splitInsertion(op, 2); })
      .Case<onnx::SliceGradOp>([](auto op) { return splitInsertion(op, 0); })
      .Case<onnx::AdamOptimizerOp>(
          [](auto op) { return splitOptimizer(op, 2, 4, 3); })
      .Case<onnx::LambOptimizerOp>([](auto op) { return splitLamb(op); })
      .Case<onnx::SGDOptimizerOp>(
          [](auto op) { return splitOptimizer(op, 1, 2, 1); })
      .Default([](Operation *) { return false; });
}

/// Ops that depend on a gradient belong to the backward pass.
static void markPhases(Block &block) {
  llvm::DenseSet<Operation *> backward;
  for (Operation &op : block.without_terminator()) {
    if (!isa<onnx::OnnxOp>(op))
      continue;
    bool isBackward = isGradient(op) || op.hasAttr("__backwardpass");
    for (Value operand : op.getOperands())
      isBackward |= backward.contains(operand.getDefiningOp());
    if (isBackward)
      backward.insert(&op);
    Phase phase = isOptimizer(op) ? Phase::Optimizer : Phase::Backward;
    if (isBackward || isOptimizer(op))
      op.setAttr(phaseAttrName, PhaseAttr::get(op.getContext(), phase));
  }
}

void gpucost::raising::lowerTrainingStep(Block &block) {
  markPhases(block);
  // An optimizer's results are graph outputs, which are the updated tensors.
  Operation *end = block.getTerminator();
  SmallVector<Value> kept;
  for (Value operand : end->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || !isOptimizer(*def))
      kept.push_back(operand);
  }
  end->setOperands(kept);
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (split(&op))
      op.erase();
}
