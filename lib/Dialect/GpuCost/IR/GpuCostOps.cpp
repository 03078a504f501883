//===- GpuCostOps.cpp - Kernel ops ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace gpucost;

#define GET_OP_CLASSES
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.cpp.inc"

LogicalResult KernelOp::verify() {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError("expected the types of 'gpucost.yield' to match its "
                       "results");
  if (static_cast<int64_t>(getCount()) < 0 ||
      static_cast<int64_t>(getHostLaunches()) < 0)
    return emitOpError("expected counts of at least 0");
  return success();
}

LogicalResult OptimizerStepOp::verify() {
  for (int64_t count :
       {static_cast<int64_t>(getElements()), static_cast<int64_t>(getReads()),
        static_cast<int64_t>(getWrites())})
    if (count < 0)
      return emitOpError("expected counts of at least 0");
  if (static_cast<int64_t>(getElementBits()) <= 0 ||
      static_cast<int64_t>(getLaunches()) <= 0)
    return emitOpError("expected at least one bit and one launch");
  return success();
}

CostShape OptimizerStepOp::getCostShape() { return CostShape::Elementwise; }

/// Work of one of `launches` equal launches. About one multiply-add for each
/// tensor that is read.
FailureOr<WorkAttr> OptimizerStepOp::getWork() {
  int64_t launches = getLaunches();
  int64_t elements = (getElements() + launches - 1) / launches;
  std::optional<int64_t> read =
      checkedProduct({elements, static_cast<int64_t>(getReads()),
                      static_cast<int64_t>(getElementBits())});
  std::optional<int64_t> written =
      checkedProduct({elements, static_cast<int64_t>(getWrites()),
                      static_cast<int64_t>(getElementBits())});
  std::optional<int64_t> flops =
      checkedProduct({2, elements, static_cast<int64_t>(getReads())});
  if (!read || !written || !flops)
    return failure();
  return WorkAttr::get(
      getContext(), KernelFamily::Optimizer, InstructionClass::Optimizer,
      NumericFormat::FP32, getElementBits(), getElementBits(),
      ElementsProblemAttr::get(getContext(), elements, false),
      /*tensor_flops=*/0, *flops, /*special_ops=*/0, *read / 8, *written / 8);
}

LogicalResult CollectiveOp::verify() {
  if (static_cast<int64_t>(getBytes()) < 0)
    return emitOpError("expected a message of at least 0 bytes");
  if (static_cast<int64_t>(getRanks()) < 1)
    return emitOpError("expected at least one rank");
  return success();
}

CostShape CollectiveOp::getCostShape() { return CostShape::DataMovement; }

/// Every GPU reads what it sends and writes what it receives.
FailureOr<WorkAttr> CollectiveOp::getWork() {
  int64_t bytes = getBytes(), ranks = getRanks();
  std::optional<int64_t> moved = collectiveBytes(getKind(), bytes, ranks);
  if (!moved)
    return failure();
  return WorkAttr::get(
      getContext(), KernelFamily::Collective, InstructionClass::Copy,
      NumericFormat::FP32, 32, 32,
      CollectiveProblemAttr::get(getContext(), getKind(), bytes, ranks), 0, 0,
      0, *moved, *moved);
}

CostShape CopyOp::getCostShape() { return CostShape::DataMovement; }

FailureOr<WorkAttr> CopyOp::getWork() {
  std::optional<int64_t> read = storageBytes(getInput());
  std::optional<int64_t> written = byteCount(getOutput().getType());
  std::optional<int64_t> elements = elementCount(getOutput().getType());
  if (!read || !written || !elements)
    return failure();
  auto elementBits = [](Value value) {
    return *storedBits(cast<ShapedType>(value.getType()).getElementType());
  };
  bool isCast = getReason() == "cast";
  return WorkAttr::get(
      getContext(), KernelFamily::DataMovement,
      isCast ? InstructionClass::Cast : InstructionClass::Copy,
      formatOf(cast<ShapedType>(getOutput().getType()).getElementType()),
      elementBits(getInput()), elementBits(getOutput()),
      ElementsProblemAttr::get(getContext(), *elements, getStrided()),
      /*tensor_flops=*/0, /*fp32_flops=*/0, /*special_ops=*/0, *read, *written);
}
