//===- MemoryAnalysis.cpp - Peak memory by liveness ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Parameters live throughout; every other tensor from the op that makes it to
// the last op that uses it or a view of it.

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpucost;

static bool isParameter(Operation *op) {
  return op->getName().getStringRef() == "onnx.Parameter";
}

/// Results that take no memory of their own: views, constants, and what is
/// computed from weights once.
static bool isUnallocated(Operation *op) {
  if (op->hasAttr("onnx.constant") || op->hasTrait<OpTrait::ConstantLike>() ||
      op->getName().getStringRef() == "tensor.empty")
    return true;
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && (work.getCostShape() == CostShape::View ||
                  work.getCostShape() == CostShape::Metadata);
}

static int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void analyzeBlock(Block &block, MemoryUse &use) {
  llvm::DenseMap<Value, Value> rootOf;
  llvm::DenseMap<Value, unsigned> lastUse;
  auto root = [&](Value value) {
    auto it = rootOf.find(value);
    return it == rootOf.end() ? value : it->second;
  };
  unsigned index = 0;
  for (Operation &op : block) {
    // Uses inside a kernel's region count as uses of the kernel.
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lastUse[root(operand)] = index;
    });
    if (isUnallocated(&op) && op.getNumOperands())
      for (Value result : op.getResults())
        rootOf[result] = root(op.getOperand(0));
    ++index;
  }

  std::vector<int64_t> freedAt(index + 1, 0);
  int64_t live = 0, peak = 0;
  auto allocate = [&](Value value) {
    std::optional<int64_t> bytes = byteCount(value.getType());
    if (!bytes)
      return;
    live = saturatingAdd(live, *bytes);
    auto it = lastUse.find(value);
    if (it != lastUse.end())
      freedAt[it->second] = saturatingAdd(freedAt[it->second], *bytes);
  };
  for (Value argument : block.getArguments())
    allocate(argument);
  index = 0;
  for (Operation &op : block) {
    if (isParameter(&op)) {
      Type type = op.getResult(0).getType();
      // Integer tables and masks are memory, but nothing that is learned.
      auto shaped = dyn_cast<ShapedType>(type);
      if (shaped && isa<FloatType>(shaped.getElementType()))
        use.parameterCount =
            saturatingAdd(use.parameterCount, elementCount(type).value_or(0));
      use.parameterBytes =
          saturatingAdd(use.parameterBytes, byteCount(type).value_or(0));
    } else if (!isUnallocated(&op)) {
      for (Value result : op.getResults())
        allocate(result);
    }
    peak = std::max(peak, live);
    live -= freedAt[index++];
  }
  use.activationBytes = std::max(use.activationBytes, peak);
}

MemoryUse gpucost::analyzeMemory(ModuleOp module) {
  MemoryUse use;
  module.walk([&](func::FuncOp function) {
    for (Block &block : function.getBody())
      analyzeBlock(block, use);
  });
  return use;
}
