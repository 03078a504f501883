//===- LaunchRules.cpp - Which ops launch or join a launch ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpucost;

/// Whether all results are empty tensors: frameworks return without a launch.
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

bool gpucost::isSymbol(Operation *op) {
  return op->getNumResults() == 0 && op->getNumOperands() == 0 &&
         !op->getParentOfType<FunctionOpInterface>() &&
         op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
}

/// Whether an op without a cost rule has no tensors: it reads none and returns
/// none, or only looks up a buffer. A type of an unknown dialect may be a
/// tensor.
static bool hasNoTensors(Operation *op) {
  auto isScalar = [](Type type) {
    return !isa<ShapedType, OpaqueType, TupleType>(type);
  };
  return op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), [&](Type type) {
           return isScalar(type) || isa<BaseMemRefType>(type);
         });
}

/// Whether `op` only computes vectors that loop nests of workgroups (CTAs)
/// read: a kernel computes them itself.
static bool feedsNests(Operation *op, unsigned depth = 0) {
  constexpr unsigned mostOps = 32;
  return depth < mostOps && op->getNumResults() == 1 &&
         isa<VectorType>(op->getResult(0).getType()) && !op->use_empty() &&
         llvm::all_of(
             op->getUsers(),
             [&](Operation *user) {
               Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
               return top && (top != user ? isBlockNest(top)
                                          : feedsNests(user, depth + 1));
             });
}

bool gpucost::launchesNothing(
    Operation *op, llvm::function_ref<CostClass(Operation *)> classOf) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasAttr("onnx.constant") ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      isa<UnrealizedConversionCastOp>(op) || computesNothing(op) ||
      isSymbol(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  // Copies of eager execution are launched with the ops that need them, unless
  // a stack launches them in any case.
  if (dialect == "gpucost")
    return !isa<OptimizerStepOp, CollectiveOp>(op) &&
           !(isa<CopyOp>(op) && op->hasAttr(originAttrName));
  if (isa<WorkOpInterface>(op))
    return classOf(op) == CostClass::Metadata;
  if (dialect == "onnx")
    return false;
  // The flattening of a loop that is not a kernel leaves its stores, which no
  // other op accounts for.
  Value stored = getStoredBuffer(op);
  if ((op->hasAttr(tripCountAttrName) ||
       op->hasAttr(unknownTripCountAttrName)) &&
      stored && isa<BaseMemRefType>(stored.getType()))
    return false;
  // Without a movement rule, these ops allocate, look up or compute positions.
  if (llvm::is_contained({"affine", "arith", "bufferization", "index", "memref",
                          "ml_program", "shape", "tensor", "ub"},
                         dialect))
    return op->getNumRegions() == 0 || dialect == "shape";
  return hasNoTensors(op) || feedsNests(op);
}

bool gpucost::isDequantisation(Operation *op) {
  auto elementOf = [](Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type && type.hasRank() && type.getRank() > 1 ? type.getElementType()
                                                        : Type();
  };
  constexpr unsigned mostBits = 8;
  return op->getNumResults() == 1 &&
         isa_and_nonnull<FloatType>(elementOf(op->getResult(0))) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           Type stored = elementOf(operand);
           return isa_and_nonnull<IntegerType>(stored) &&
                  stored.getIntOrFloatBitWidth() > 1 &&
                  stored.getIntOrFloatBitWidth() <= mostBits;
         });
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
  return data && !isDequantisation(op) && isMemoryEffectFree(op);
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

CostClass gpucost::getCostClass(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work ? work.getCostClass() : CostClass::Opaque;
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
