//===- JoinRules.cpp - When an op can join a kernel -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"

using namespace mlir;
using namespace gpucost;

/// Result elements of `member` if it reduces rows that a single CTA reads.
static std::optional<int64_t> rowsOf(KernelMember member, CostClass shape) {
  auto *op = dyn_cast<Operation *>(member);
  if (shape != CostClass::Reduction || op->getNumOperands() == 0 ||
      op->getNumResults() != 1)
    return std::nullopt;
  auto all = elementCount(op->getOperand(0).getType());
  auto rows = elementCount(op->getResult(0).getType());
  if (!all || !rows || *rows < 1 || *all / *rows > longestRow)
    return std::nullopt;
  return rows;
}

/// Elements that `member` of class `shape` processes.
static std::optional<int64_t> domainOf(KernelMember member, CostClass shape) {
  if (auto *copy = dyn_cast<const PlannedCopy *>(member))
    return elementCount(copy->type);
  auto *op = cast<Operation *>(member);
  if (shape == CostClass::Reduction && op->getNumOperands())
    return elementCount(op->getOperand(0).getType());
  return op->getNumResults() ? elementCount(op->getResult(0).getType())
                             : std::nullopt;
}

/// The loops that `member` runs in; for copies only the trip count is known.
static Loops loopsOfMember(KernelMember member) {
  if (auto *copy = dyn_cast<const PlannedCopy *>(member))
    return {copy->op->getAttr(tripCountAttrName), Attribute(), false};
  return loopsOf(cast<Operation *>(member));
}

KernelGroup KernelPartition::makeGroup(KernelMember member, CostClass shape) {
  KernelGroup group;
  group.members.push_back(member);
  group.body.push_back(member);
  group.shape = shape;
  group.elements = domainOf(member, shape);
  group.rows = rowsOf(member, shape);
  auto *copy = dyn_cast<const PlannedCopy *>(member);
  group.insideLibraryCall = copy && copy->reason == CopyReason::Layout;
  return group;
}

void KernelPartition::join(KernelGroup &group, KernelMember member,
                           CostClass shape) {
  group.members.push_back(member);
  group.body.push_back(member);
  if (std::optional<int64_t> rows = rowsOf(member, shape))
    group.rows = rows;
}

std::string KernelPartition::whyNotJoined(const KernelGroup &group,
                                          KernelMember member,
                                          CostClass shape) {
  KernelMember first = group.members.front();
  auto *producer = dyn_cast<Operation *>(first);
  auto *consumer = dyn_cast<Operation *>(member);
  auto about = [](Operation *op, const char *text) {
    StringRef name = op ? op->getName().getStringRef() : "gpucost.copy";
    return ("'" + name + "' " + text).str();
  };
  if (producer && consumer && producer->getBlock() != consumer->getBlock())
    return "the ops are in different blocks";
  if (loopsOfMember(first) != loopsOfMember(member))
    return "the ops run in different loops";
  for (auto [op, each] :
       {std::pair(producer, group.shape), std::pair(consumer, shape)}) {
    if (!op)
      continue;
    if (each == CostClass::Opaque || each == CostClass::Attention ||
        isa_and_nonnull<GpuCostDialect>(op->getDialect()))
      return about(op, "cannot be fused");
    if (op->getNumResults() == 0)
      return about(op, "operates on buffers; fusion requires tensors");
  }
  if (isProduct(group.shape) && isProduct(shape))
    return "each tile of the second matrix product needs the complete first "
           "result";
  if (isProduct(group.shape) && shape != CostClass::Elementwise)
    return about(consumer,
                 "needs more data than a CTA of the matrix product has");
  bool reduces = group.shape == CostClass::Reduction;
  if (reduces && !group.rows)
    return about(producer, "reduces rows that are too long for one CTA or of "
                           "unknown length");
  if ((reduces || group.shape == CostClass::RowNormalization) &&
      isProduct(shape))
    return "each tile of the matrix product needs complete rows of the "
           "reduction";
  if ((group.shape == CostClass::Gather || group.shape == CostClass::Pooling) &&
      shape != CostClass::Elementwise)
    return about(producer, "can only be fused with elementwise ops");
  // Only pointwise consumers process the elements of their producer.
  bool overRows = shape == CostClass::Elementwise && group.rows;
  std::optional<int64_t> domain = domainOf(member, shape);
  if (isPointwise(shape) && group.elements != domain &&
      !(overRows && group.rows == domain))
    return "the ops run over different elements";
  return "";
}
