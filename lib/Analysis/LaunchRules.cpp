//===- LaunchRules.cpp - What launches, and what joins a launch -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Model/KernelWork.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpucost;

/// All results are tensors without elements: frameworks return before they
/// launch anything.
static bool computesNothing(Operation *op) {
  return op->getNumResults() && op->getNumRegions() == 0 &&
         llvm::all_of(op->getResults(),
                      [](Value result) {
                        auto type =
                            dyn_cast<RankedTensorType>(result.getType());
                        return result.use_empty() ||
                               (type && llvm::is_contained(type.getShape(), 0));
                      }) &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         llvm::is_contained(
             cast<RankedTensorType>(op->getResult(0).getType()).getShape(), 0);
}

bool gpucost::launchesNothing(
    Operation *op, llvm::function_ref<CostClass(Operation *)> classOf) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasAttr("onnx.constant") ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      isa<UnrealizedConversionCastOp>(op) || computesNothing(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  // The copies of eager execution are launched with the ops that need them.
  if (dialect == "gpucost")
    return !isa<OptimizerStepOp, CollectiveOp>(op);
  if (isa<WorkOpInterface>(op))
    return classOf(op) == CostClass::Metadata;
  if (dialect == "onnx")
    return false;
  // A loop that is no kernel of its own leaves its stores behind: work that
  // nothing counts.
  Value stored = getStoredBuffer(op);
  if ((op->hasAttr(tripCountAttrName) ||
       op->hasAttr(unknownTripCountAttrName)) &&
      stored && isa<BaseMemRefType>(stored.getType()))
    return false;
  // What the movement rules of these dialects leave out allocates, looks up or
  // computes positions.
  if (llvm::is_contained({"affine", "arith", "bufferization", "index", "memref",
                          "ml_program", "shape", "tensor", "ub"},
                         dialect))
    return op->getNumRegions() == 0 || dialect == "shape";
  auto isTensor = [](Type type) { return isa<ShapedType>(type); };
  return op->isRegistered() && op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor);
}

bool gpucost::isConstantWork(Operation *op,
                             llvm::function_ref<bool(Operation *)> isKnown) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      op->getName().getDialectNamespace() == "onnx" ||
      op->getNumResults() == 0 || op->getNumOperands() == 0)
    return false;
  bool data = false;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def)
      return false;
    bool literal = def->hasTrait<OpTrait::ConstantLike>();
    bool known = !literal && def->getBlock() == op->getBlock() && isKnown(def);
    if (!known && !literal && def->getName().getStringRef() != "tensor.empty")
      return false;
    data |= known || (literal && isa<ShapedType>(operand.getType()));
  }
  return data && isMemoryEffectFree(op);
}

Loops gpucost::loopsOf(Operation *op) {
  return {op->getAttr(tripCountAttrName),
          op->getAttr(batchedIterationsAttrName),
          op->hasAttr(unknownTripCountAttrName)};
}

SmallVector<Value> gpucost::valuesRead(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  if (op->getNumRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    values.append(captured.begin(), captured.end());
  }
  return values;
}

bool gpucost::addsVector(Operation *op, OpOperand &product) {
  auto work = dyn_cast<WorkOpInterface>(op);
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!work || !destination || op->getNumRegions() != 1 ||
      work.getCostClass() != CostClass::Elementwise ||
      destination.getNumDpsInputs() != 2 || destination.getNumDpsInits() != 1)
    return false;
  Block &body = op->getRegion(0).front();
  auto out = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  Value other = op->getOperand(1 - product.getOperandNumber());
  auto vector = dyn_cast<RankedTensorType>(other.getType());
  return body.getOperations().size() == 2 &&
         body.front().getName().getStringRef() == "arith.addf" && out &&
         out.getRank() && vector && product.get().getType() == out &&
         elementCount(vector) == out.getShape().back() && vector.getRank() &&
         vector.getShape().back() == out.getShape().back();
}

CostClass gpucost::getCostClass(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work ? work.getCostClass() : CostClass::Opaque;
}

/// What made `value`, through views that nothing else reads, if nothing else
/// reads it either.
static Operation *
findOnlyReadMaker(Value value,
                  llvm::function_ref<CostClass(Operation *)> classOf) {
  Operation *maker = value.getDefiningOp();
  while (maker && maker->hasOneUse() && maker->getNumOperands() &&
         classOf(maker) == CostClass::View)
    maker = maker->getOperand(0).getDefiningOp();
  return maker && maker->hasOneUse() ? maker : nullptr;
}

static bool isProduct(CostClass shape) {
  return shape == CostClass::Contraction || shape == CostClass::Convolution;
}

Operation *gpucost::findProductOfVector(
    Operation *op, llvm::function_ref<bool(Operation *)> launches,
    llvm::function_ref<CostClass(Operation *)> classOf) {
  constexpr unsigned sumOperands = 3; // two terms and the result's buffer
  if (op->getName().getDialectNamespace() != "linalg" ||
      op->getNumOperands() != sumOperands)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands().take_front(2)) {
    Operation *product = findOnlyReadMaker(operand.get(), classOf);
    if (!product || !isProduct(classOf(product)) || !launches(product) ||
        !addsVector(op, operand) || !runTogether(product, op))
      continue;
    // The vector: a kernel that computes it may run after the product.
    Operation *vector =
        op->getOperand(1 - operand.getOperandNumber()).getDefiningOp();
    while (vector && vector->getNumOperands() && !launches(vector) &&
           isa<WorkOpInterface>(vector))
      vector = vector->getOperand(0).getDefiningOp();
    if (!vector || !launches(vector))
      return product;
  }
  return nullptr;
}

bool gpucost::narrowsFloats(Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination || op->getNumRegions() != 1 || op->getRegion(0).empty() ||
      destination.getNumDpsInputs() != 1)
    return false;
  Block &body = op->getRegion(0).front();
  if (!isa<RankedTensorType>(op->getOperand(0).getType()) ||
      body.getOperations().size() != 2 ||
      body.front().getName().getStringRef() != "arith.truncf" ||
      body.front().getOperand(0) != body.getArgument(0))
    return false;
  // The class of an op is dear to ask for.
  CostClass shape = getCostClass(op);
  return shape == CostClass::Elementwise || shape == CostClass::DataMovement;
}

Operation *
gpucost::findProductOfCast(Operation *op,
                           llvm::function_ref<bool(Operation *)> launches,
                           llvm::function_ref<CostClass(Operation *)> classOf) {
  if (!narrowsFloats(op))
    return nullptr;
  Operation *maker = findOnlyReadMaker(op->getOperand(0), classOf);
  if (!maker || !launches(maker))
    return nullptr;
  Operation *product = isProduct(classOf(maker))
                           ? maker
                           : findProductOfVector(maker, launches, classOf);
  auto bitsOf = [](Value value) {
    return cast<ShapedType>(value.getType()).getElementTypeBitWidth();
  };
  if (!product || product->getName().getDialectNamespace() != "linalg" ||
      !runTogether(product, op) ||
      bitsOf(product->getOperand(0)) >= bitsOf(product->getResult(0)))
    return nullptr;
  return product;
}

KernelWork gpucost::makeBound(int64_t read, int64_t written) {
  return {KernelFamily::Opaque,
          InstructionClass::Copy,
          NumericFormat::FP32,
          opaqueBits,
          opaqueBits,
          ElementsProblem{opaqueElements(written), false},
          {0, 0, 0, read, written, {}}};
}

void gpucost::bookBound(KernelOp kernel, int64_t read, int64_t written,
                        StringRef reason) {
  MLIRContext *context = kernel.getContext();
  kernel.setCoverage(Coverage::Fallback);
  kernel->setAttr(reasonAttrName, StringAttr::get(context, reason));
  kernel.setWorkAttr(WorkAttr::get(context, makeBound(read, written)));
}
