//===- Weights.cpp - Matmuls and their exclusive weights ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "WeightExceptions.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::quantization;

/// Number of elements that kernels for 8 and 4 bits load at a time.
static constexpr int64_t alignment = 16;
/// Maximum number of ops between a weight and its matmul.
static constexpr unsigned longestChain = 8;

static RankedTensorType floatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto element =
      type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
  return element && element.getWidth() > 8 && type.hasStaticShape()
             ? type
             : RankedTensorType();
}

/// Whether `op` only changes the shape, layout or format of a weight.
static bool passesWeightOn(Operation *op) {
  return op->getNumResults() == 1 && op->getNumOperands() >= 1 &&
         (op->hasAttr(onnx::OnnxDialect::constantAttrName) ||
          isa<onnx::CastOp>(op) ||
          (isa<onnx::OnnxOp>(op) &&
           cast<WorkOpInterface>(op).getCostClass() == CostClass::View));
}

/// The parameter that `value` is derived from; null if it is computed.
static Operation *findParameter(Value value) {
  Operation *def = value.getDefiningOp();
  for (unsigned i = 0; def && i < longestChain && passesWeightOn(def); ++i)
    def = def->getOperand(0).getDefiningOp();
  return def && isa<onnx::ParameterOp>(def) ? def : nullptr;
}

/// The weight that `product` reads as its second matrix; nullopt for other ops.
static std::optional<WeightUse> readMatrix(Operation *product) {
  const onnx::OnnxOp op = dyn_cast<onnx::OnnxOp>(product);
  const onnx::OpInfo *info = op ? onnx::getOpInfo(product) : nullptr;
  if (!info || info->isInternal || info->scales || info->packed ||
      info->stage != onnx::OpStage::Forward || isa<onnx::EinsumOp>(product) ||
      !onnx::hasOperand(product, info->weight) ||
      product->hasAttr(onnx::OnnxDialect::constantAttrName) ||
      (info->shape != CostClass::Contraction &&
       info->shape != CostClass::Convolution))
    return std::nullopt;
  RankedTensorType type = floatTensor(product->getOperand(info->weight));
  if (!type || type.getRank() < 2 || !floatTensor(product->getOperand(0)) ||
      !findParameter(product->getOperand(info->weight)))
    return std::nullopt;
  WeightUse use{product, static_cast<unsigned>(info->weight), 0, 0};
  ArrayRef<int64_t> shape = type.getShape();
  int64_t all = type.getNumElements();
  if (info->shape == CostClass::Convolution)
    use.depth = shape[0] ? all / shape[0] : 0;
  else
    use.depth = shape[shape.size() - (onnx::getInt(product, "transB") ? 1 : 2)];
  use.channels = use.depth ? all / use.depth : 0;
  return use;
}

/// Expert weights have three dimensions: [experts, out, in].
static SmallVector<WeightUse> readExperts(Operation *op) {
  SmallVector<WeightUse> uses;
  if (!isa<onnx::MoEOp>(op) || !floatTensor(op->getOperand(0)))
    return uses;
  for (unsigned i = 2; i < op->getNumOperands(); ++i) {
    RankedTensorType type = floatTensor(op->getOperand(i));
    if (type && type.getRank() == 3 && findParameter(op->getOperand(i)))
      uses.push_back(
          {op, i, type.getDimSize(0) * type.getDimSize(1), type.getDimSize(2)});
  }
  return uses;
}

/// In a grouped convolution, the matmul size is the channels of one group.
/// Expert weights are padded when they are loaded.
static bool isAligned(const WeightUse &use) {
  if (isa<onnx::MoEOp>(use.product))
    return true;
  auto type =
      cast<RankedTensorType>(use.product->getOperand(use.operand).getType());
  int64_t columns = use.channels;
  int64_t depth = use.depth;
  if (onnx::getOpInfo(use.product)->shape == CostClass::Convolution) {
    columns /= std::max<int64_t>(onnx::getInt(use.product, "group"), 1);
    depth = type.getDimSize(1);
  } else if (type.getRank() > 2) {
    columns = type.getNumElements() / type.getDimSize(0) / depth;
  }
  return columns % alignment == 0 && depth % alignment == 0;
}

/// Whether all readers of `value`, a weight or derived from one, are in `uses`.
static bool feedsOnly(Value value, ArrayRef<WeightUse> uses, unsigned depth) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    bool isProduct = llvm::any_of(uses, [&](const WeightUse &known) {
      return known.product == user && known.operand == use.getOperandNumber();
    });
    return isProduct ||
           (depth > 0 && passesWeightOn(user) && use.getOperandNumber() == 0 &&
            feedsOnly(user->getResult(0), uses, depth - 1));
  });
}

Weights quantization::findWeights(Block &block, bool convolutions,
                                  const WeightExceptions &exceptions) {
  Weights found;
  llvm::MapVector<Operation *, SmallVector<WeightUse, 1>> candidates;
  for (Operation &op : block) {
    SmallVector<WeightUse> uses = readExperts(&op);
    if (std::optional<WeightUse> matrix = readMatrix(&op))
      uses.push_back(*matrix);
    for (const WeightUse &use : uses) {
      bool isConvolution =
          onnx::getOpInfo(&op)->shape == CostClass::Convolution;
      if (isConvolution && !convolutions)
        ++found.kept[Kept::Convolution];
      else if (!isAligned(use))
        ++found.kept[Kept::Sizes];
      else if (Operation *parameter = findParameter(op.getOperand(use.operand));
               exceptions.contains(parameter, use))
        ++found.kept[Kept::Excepted];
      else
        candidates[parameter].push_back(use);
    }
  }
  for (auto &[parameter, uses] : candidates)
    if (feedsOnly(parameter->getResult(0), uses, longestChain))
      found.uses[parameter] = uses;
    else
      found.kept[Kept::OtherReaders] += uses.size();
  return found;
}

Value quantization::createStored(OpBuilder &builder, Location loc, Type type) {
  OperationState state(loc, onnx::ParameterOp::getOperationName());
  state.addTypes(type);
  state.addAttribute(roleAttrName, TensorRoleAttr::get(builder.getContext(),
                                                       TensorRole::Parameter));
  return builder.create(state)->getResult(0);
}

RankedTensorType quantization::scalesOf(RankedTensorType type,
                                        const FormatInfo &info) {
  return RankedTensorType::get(
      {int64_t(llvm::divideCeil(type.getNumElements(), info.block))},
      IntegerType::get(type.getContext(), info.scaleBits));
}

static void setElementType(Value value, Type element, unsigned depth) {
  value.setType(cast<RankedTensorType>(value.getType()).clone(element));
  if (depth == 0)
    return;
  for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
    if (!passesWeightOn(user) || user->getOperand(0) != value)
      continue;
    if (isa<onnx::CastOp>(user)) {
      user->getResult(0).replaceAllUsesWith(value);
      user->erase();
      setElementType(value, element, depth - 1);
      return;
    }
    setElementType(user->getResult(0), element, depth - 1);
  }
}

void quantization::setStoredType(Operation *parameter, Type element) {
  setElementType(parameter->getResult(0), element, longestChain);
}
