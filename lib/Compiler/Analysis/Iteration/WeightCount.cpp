//===- WeightCount.cpp - Weights of the model in one tensor ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/WeightCount.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include <algorithm>

using namespace mlir;
using namespace gpucost;

namespace {
/// How the readers of a parameter interpret it.
struct Readers {
  bool readsPlain = false;
  /// The maximum of the readers' packed weights; nullopt if none are packed.
  std::optional<int64_t> stored;
};
} // namespace

static constexpr unsigned longestChain = 8;

/// Follows `value` through `depth` ops that compute with weights only.
static void findReaders(Value value, std::optional<int64_t> elements,
                        Readers &readers, unsigned depth = longestChain) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto reader = dyn_cast<StoredWeightOpInterface>(user))
      if (std::optional<int64_t> count =
              reader.getStoredWeights(use.getOperandNumber())) {
        // A reader of a part does not determine the total.
        bool isPart = elementCount(value.getType()) != elements;
        int64_t all = *count && isPart ? elements.value_or(*count) : *count;
        readers.stored = std::max(readers.stored.value_or(0), all);
        continue;
      }
    auto work = dyn_cast<WorkOpInterface>(user);
    bool passesOn = depth > 0 && user->getNumResults() == 1 && work &&
                    (user->hasAttr("onnx.constant") ||
                     work.getCostClass() == CostClass::View) &&
                    use.getOperandNumber() == 0;
    if (passesOn)
      findReaders(user->getResult(0), elements, readers, depth - 1);
    else
      readers.readsPlain = true;
  }
}

int64_t gpucost::countWeights(Operation *parameter) {
  std::optional<int64_t> elements =
      elementCount(parameter->getResult(0).getType());
  Readers readers;
  if (!parameter->hasAttr(roleAttrName))
    findReaders(parameter->getResult(0), elements, readers);
  bool isPlain = isTrainableParameter(parameter) &&
                 (readers.readsPlain || !readers.stored);
  return isPlain ? elements.value_or(0) : readers.stored.value_or(0);
}
