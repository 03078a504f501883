//===- Epilogues.cpp - Epilogues of matmuls and convolutions --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace gpucost;

/// Operands of a generic that adds a vector: matmul result, vector, output.
static constexpr unsigned addOperands = 3;

bool gpucost::isParameterOrConstant(Value value) {
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<onnx::CastOp, onnx::ReshapeOp>(def) &&
      def->getNumOperands()) {
    value = def->getOperand(0);
    def = value.getDefiningOp();
  }
  if (auto gather = dyn_cast_or_null<CollectiveOp>(def);
      gather && gather.getKind() == CollectiveKind::AllGather &&
      gather.getInputs().size() == gather.getOutputs().size())
    def = gather.getInputs()[cast<OpResult>(value).getResultNumber()]
              .getDefiningOp();
  return def && (def->hasAttr(onnx::OnnxDialect::constantAttrName) ||
                 def->hasTrait<OpTrait::ConstantLike>() ||
                 isa<onnx::ParameterOp, onnx::ConstantOp>(def));
}

Operation *gpucost::findProductOfBias(Operation *op) {
  if (!isa<onnx::AddOp>(op) || op->getNumOperands() != 2)
    return nullptr;
  auto out = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!out || out.getRank() == 0)
    return nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Operation *product = op->getOperand(i).getDefiningOp();
    Value addend = op->getOperand(1 - i);
    auto bias = dyn_cast<RankedTensorType>(addend.getType());
    if (!product || !isa<onnx::MatMulOp>(product) ||
        product->getNumOperands() < 2 || !product->hasOneUse() || !bias)
      continue;
    auto weight = dyn_cast<RankedTensorType>(product->getOperand(1).getType());
    if (weight && weight.getRank() == 2 && isParameterOrConstant(addend) &&
        elementCount(bias) == out.getShape().back())
      return product;
  }
  return nullptr;
}

static bool isLinalg(Operation *op) {
  return op->getName().getDialectNamespace() == "linalg";
}

/// The only op in the body of a structured op with `inputs` inputs, if its name
/// is `name`; null otherwise.
static Operation *findOnlyOp(Operation *op, int64_t inputs, StringRef name) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination || op->getNumRegions() != 1 || op->getRegion(0).empty() ||
      destination.getNumDpsInputs() != inputs ||
      destination.getNumDpsInits() != 1)
    return nullptr;
  Block &body = op->getRegion(0).front();
  Operation *only = &body.front();
  return body.getOperations().size() == 2 &&
                 only->getName().getStringRef() == name
             ? only
             : nullptr;
}

/// Whether `op` only adds a vector, along the last dimension, to `product`.
static bool addsVector(Operation *op, OpOperand &product) {
  if (!isa<WorkOpInterface>(op) || !findOnlyOp(op, 2, "arith.addf"))
    return false;
  auto out = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto vector = dyn_cast<RankedTensorType>(
      op->getOperand(1 - product.getOperandNumber()).getType());
  return out && out.getRank() && vector && product.get().getType() == out &&
         elementCount(vector) == out.getShape().back() && vector.getRank() &&
         vector.getShape().back() == out.getShape().back();
}

/// Whether the results of `op` have one use. If there are more, one of any two
/// users must change before only one is left.
bool KernelPartition::hasOneReader(Operation *op) const {
  constexpr int recordedUsers = 2;
  if (OpFacts::isRecording() && facts && !facts->get(op).isIdle())
    for (auto [i, user] : llvm::enumerate(op->getUsers())) {
      if (i == recordedUsers)
        break;
      if (Operation *at = block.findAncestorOpInBlock(*user))
        OpFacts::record(at);
    }
  return op->hasOneUse();
}

/// The op that defines `value`, through views, if `value` and the views each
/// have a single use; null otherwise.
Operation *KernelPartition::findOnlyReadMaker(Value value) const {
  Operation *maker = value.getDefiningOp();
  while (maker && hasOneReader(maker)) {
    if (!maker->getNumOperands() || !isView(maker))
      return maker;
    maker = maker->getOperand(0).getDefiningOp();
  }
  return nullptr;
}

/// Whether `op` is part of a kernel in this block.
bool KernelPartition::isKernel(Operation *op) const {
  return options.onDemand ? op->getBlock() == &block && launches(op)
                          : groupIndex.contains(op);
}

/// The matmul or convolution to whose result, which only `op` reads, the
/// structured op `op` adds a known vector. Only reshapes are in between.
Operation *KernelPartition::findProductOfVector(Operation *op) const {
  if (!isLinalg(op) || op->getNumOperands() != addOperands)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands().take_front(2)) {
    Operation *product = findOnlyReadMaker(operand.get());
    if (!product || !isProduct(classOf(product)) || !isKernel(product) ||
        !addsVector(op, operand) || classOf(op) != CostClass::Elementwise ||
        !runTogether(product, op))
      continue;
    // The vector must not come from a kernel, which may run after the matmul.
    Operation *vector =
        op->getOperand(1 - operand.getOperandNumber()).getDefiningOp();
    while (vector && vector->getNumOperands() && !isKernel(vector) &&
           isa<WorkOpInterface>(vector)) {
      OpFacts::record(vector);
      vector = vector->getOperand(0).getDefiningOp();
    }
    if (!vector || !isKernel(vector))
      return product;
  }
  return nullptr;
}

/// (J8) The matmul or convolution whose kernel stores its accumulators after
/// the narrowing cast `op`, optionally with a vector added before. Only the
/// cast reads the accumulators.
Operation *KernelPartition::findProductOfCast(Operation *op) const {
  Operation *cast = findOnlyOp(op, 1, "arith.truncf");
  if (!cast || !isa<RankedTensorType>(op->getOperand(0).getType()) ||
      cast->getOperand(0) != cast->getBlock()->getArgument(0) ||
      (classOf(op) != CostClass::Elementwise &&
       classOf(op) != CostClass::DataMovement))
    return nullptr;
  Operation *maker = findOnlyReadMaker(op->getOperand(0));
  if (!maker || !isKernel(maker))
    return nullptr;
  Operation *product =
      isProduct(classOf(maker)) ? maker : findProductOfVector(maker);
  auto bitsOf = [](Value value) {
    return mlir::cast<ShapedType>(value.getType()).getElementTypeBitWidth();
  };
  return product && isLinalg(product) && runTogether(product, op) &&
                 bitsOf(product->getOperand(0)) < bitsOf(product->getResult(0))
             ? product
             : nullptr;
}

/// (X18) The matmul whose epilogue adds its result, the gradient of a weight,
/// to the sum `op`.
Operation *KernelPartition::findProductOfSum(Operation *op) const {
  if (!options.fusesGradientSums || !isa<onnx::InPlaceAccumulatorOp>(op))
    return nullptr;
  Operation *maker = findOnlyReadMaker(op->getOperand(1));
  return maker && isKernel(maker) && isProduct(classOf(maker)) &&
                 runTogether(maker, op)
             ? maker
             : nullptr;
}

Operation *KernelPartition::findProduct(Operation *op) const {
  if (Operation *product = findProductOfSum(op))
    return product;
  if (Operation *product = findProductOfVector(op))
    return product;
  if (Operation *product = findProductOfCast(op))
    return product;
  Operation *product = findProductOfBias(op);
  if (!product || options.onDemand || !runTogether(product, op) ||
      !isKernel(product))
    return nullptr;
  // The kernel runs at the matmul, where the bias must already exist.
  unsigned start = position.lookup(product), budget = maxHoisted;
  for (KernelMember maker : makersOf(op))
    if (maker != KernelMember(product) && !isMade(maker, start, budget))
      return nullptr;
  return product;
}
