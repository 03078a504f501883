//===- GpuCostOps.cpp - Kernel ops ----------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace gpucost;

#define GET_OP_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.cpp.inc"

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
  if (getReadBytes().has_value() != getWrittenBytes().has_value() ||
      static_cast<int64_t>(getReadBytes().value_or(0)) < 0 ||
      static_cast<int64_t>(getWrittenBytes().value_or(0)) < 0)
    return emitOpError("expected bytes read and written of at least 0, or "
                       "none");
  return success();
}

CostClass OptimizerStepOp::getCostClass() { return CostClass::Elementwise; }

/// Work of one launch (there are `launches` equal ones), with about one
/// multiply-add per tensor that is read.
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
  KernelWork work;
  work.family = KernelFamily::Optimizer;
  work.instructions = InstructionClass::Optimizer;
  work.inputBits = work.outputBits = getElementBits();
  work.problem = ElementsProblem{elements};
  work.count.fp32Flops = *flops;
  work.count.bytesRead = *read / 8;
  work.count.bytesWritten = *written / 8;
  if (getReadBytes() && getWrittenBytes()) {
    work.count.bytesRead = static_cast<int64_t>(*getReadBytes()) / launches;
    work.count.bytesWritten =
        static_cast<int64_t>(*getWrittenBytes()) / launches;
  }
  return WorkAttr::get(getContext(), work);
}

LogicalResult CollectiveOp::verify() {
  if (static_cast<int64_t>(getBytes()) < 0)
    return emitOpError("expected a message of at least 0 bytes");
  if (static_cast<int64_t>(getWorldSize()) < 1)
    return emitOpError("expected at least one rank");
  int64_t nodes = getNodes();
  if (nodes < 1 || static_cast<int64_t>(getGroups()) < 1 ||
      getWorldSize() % nodes)
    return emitOpError("expected the same number of ranks in each node");
  return success();
}

Value CollectiveOp::getInPlaceOperand(unsigned result) {
  return (*this)->hasAttr(inPlaceAttrName) ? getInputs()[result] : Value();
}

CostClass CollectiveOp::getCostClass() { return CostClass::DataMovement; }

/// Every GPU reads the bytes it sends and writes the bytes it receives.
FailureOr<WorkAttr> CollectiveOp::getWork() {
  int64_t bytes = getBytes(), worldSize = getWorldSize();
  // (N15) An exchange also copies the rows of its own experts.
  std::optional<int64_t> moved =
      getExchange() == ExpertExchange::None
          ? collectiveBytes(getKind(), bytes, worldSize)
          : bytes;
  if (!moved)
    return failure();
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.instructions = InstructionClass::Copy;
  work.problem = CollectiveProblem{getKind(),
                                   bytes,
                                   worldSize,
                                   static_cast<int64_t>(getNodes()),
                                   static_cast<int64_t>(getGroups()),
                                   static_cast<int64_t>(getChoices()),
                                   static_cast<int64_t>(getNodeLimit()),
                                   getExchange(),
                                   static_cast<int64_t>(getTokens())};
  work.count.bytesRead = getKind() == CollectiveKind::FromHost ? 0 : *moved;
  work.count.bytesWritten = getKind() == CollectiveKind::ToHost ? 0 : *moved;
  return WorkAttr::get(getContext(), work);
}

CostClass CopyOp::getCostClass() { return CostClass::DataMovement; }

FailureOr<WorkAttr> CopyOp::getWork() {
  std::optional<int64_t> read = storageBytes(getInput());
  std::optional<int64_t> written = byteCount(getOutput().getType());
  std::optional<int64_t> elements = elementCount(getOutput().getType());
  if (!read || !written || !elements)
    return failure();
  auto elementBits = [](Value value) {
    return *storedBits(cast<ShapedType>(value.getType()).getElementType());
  };
  bool isCast = getReason() == CopyReason::Cast;
  KernelWork work;
  work.family = KernelFamily::DataMovement;
  work.instructions = isCast ? InstructionClass::Cast : InstructionClass::Copy;
  work.format =
      formatOf(cast<ShapedType>(getOutput().getType()).getElementType());
  work.inputBits = elementBits(getInput());
  work.outputBits = elementBits(getOutput());
  ElementsProblem problem{*elements, getStrided()};
  problem.conversion = getReason() == CopyReason::Layout;
  work.problem = problem;
  work.count.bytesRead = *read;
  work.count.bytesWritten = *written;
  return WorkAttr::get(getContext(), work);
}
