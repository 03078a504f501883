//===- LaunchRules.cpp - What launches, and what joins a launch -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRules.h"
#include "gpucost/Analysis/LoopTrips.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Model/KernelWork.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

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

bool gpucost::launchesNothing(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasAttr("onnx.constant") ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      isa<UnrealizedConversionCastOp>(op) || computesNothing(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  // The copies of eager execution are launched with the ops that need them.
  if (dialect == "gpucost")
    return !isa<OptimizerStepOp, CollectiveOp>(op);
  if (auto work = dyn_cast<WorkOpInterface>(op))
    return work.getCostClass() == CostClass::Metadata;
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

void gpucost::markConstantWork(Block &block) {
  llvm::DenseSet<Value> known;
  for (Operation &op : block.without_terminator()) {
    bool all = op.getNumOperands() != 0, data = false;
    for (Value operand : op.getOperands()) {
      Operation *def = operand.getDefiningOp();
      bool literal = def && def->hasTrait<OpTrait::ConstantLike>();
      data |= known.contains(operand) ||
              (literal && isa<ShapedType>(operand.getType()));
      all &= known.contains(operand) || literal ||
             (def && def->getName().getStringRef() == "tensor.empty");
    }
    if (!all || !data || op.getName().getDialectNamespace() == "onnx" ||
        op.getNumResults() == 0 || !isMemoryEffectFree(&op))
      continue;
    op.setAttr("onnx.constant", UnitAttr::get(op.getContext()));
    known.insert(op.result_begin(), op.result_end());
  }
}

bool gpucost::runTogether(Operation *a, Operation *b) {
  return a->getAttr(tripCountAttrName) == b->getAttr(tripCountAttrName) &&
         a->getAttr(batchedIterationsAttrName) ==
             b->getAttr(batchedIterationsAttrName) &&
         a->hasAttr(unknownTripCountAttrName) ==
             b->hasAttr(unknownTripCountAttrName);
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

bool gpucost::narrowsFloats(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!work || !destination || op->getNumRegions() != 1 ||
      destination.getNumDpsInputs() != 1 ||
      (work.getCostClass() != CostClass::Elementwise &&
       work.getCostClass() != CostClass::DataMovement))
    return false;
  Block &body = op->getRegion(0).front();
  return isa<RankedTensorType>(op->getOperand(0).getType()) &&
         body.getOperations().size() == 2 &&
         body.front().getName().getStringRef() == "arith.truncf" &&
         body.front().getOperand(0) == body.getArgument(0);
}

void gpucost::bookBound(KernelOp kernel, int64_t read, int64_t written,
                        StringRef reason) {
  MLIRContext *context = kernel.getContext();
  kernel.setCoverage(Coverage::Fallback);
  kernel->setAttr(reasonAttrName, StringAttr::get(context, reason));
  kernel.setWorkAttr(
      WorkAttr::get(context, {KernelFamily::Opaque,
                              InstructionClass::Copy,
                              NumericFormat::FP32,
                              32,
                              32,
                              ElementsProblem{(written + 3) / 4, false},
                              {0, 0, 0, read, written, {}}}));
}
