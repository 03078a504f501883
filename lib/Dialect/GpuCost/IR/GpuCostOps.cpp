//===- GpuCostOps.cpp - Kernel ops ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
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
