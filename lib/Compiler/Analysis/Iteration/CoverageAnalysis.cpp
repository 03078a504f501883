//===- CoverageAnalysis.cpp - Ops that are not fully modelled -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// Merges notes with the same op and reason.
class NoteList {
public:
  int32_t add(StringAttr op, StringAttr reason, int64_t count) {
    auto [it, isNew] = indices.try_emplace({op, reason}, notes.size());
    if (isNew)
      notes.push_back({op.str(), reason ? reason.str() : "", 0});
    addSaturating(notes[it->second].count, count, 1);
    return static_cast<int32_t>(it->second);
  }
  std::vector<CoverageNote> notes;

private:
  llvm::DenseMap<std::pair<StringAttr, StringAttr>, size_t> indices;
};

} // namespace

CoverageAnalysis::CoverageAnalysis(Operation *module) {
  NoteList fallbackList, unknownList, assumedList;
  MLIRContext *context = module->getContext();
  module->walk([&](KernelOp kernel) {
    if (kernel.getCoverage() == Coverage::Modelled)
      return;
    auto reason = kernel->getAttrOfType<StringAttr>(reasonAttrName);
    auto op =
        StringAttr::get(context, describeOp(&kernel.getBody().front().front()));
    auto count = static_cast<int64_t>(kernel.getCount());
    if (kernel.getCoverage() == Coverage::Unmodelled)
      unknownList.add(op, reason, count);
    else
      entries[kernel] = fallbackList.add(op, reason, count);
  });
  // Loops with an unknown trip count, and ops counted at their maximum.
  auto addPairs = [&](StringRef attribute, NoteList &list) {
    if (auto pairs = module->getAttrOfType<ArrayAttr>(attribute))
      for (auto pair : pairs.getAsRange<ArrayAttr>())
        list.add(cast<StringAttr>(pair[0]), cast<StringAttr>(pair[1]), 1);
  };
  addPairs(assumptionsAttrName, unknownList);
  addPairs(upperBoundsAttrName, assumedList);
  bounded = std::move(fallbackList.notes);
  unknown = std::move(unknownList.notes);
  atMost = std::move(assumedList.notes);
}

int32_t CoverageAnalysis::fallbackOf(KernelOp kernel) const {
  auto it = entries.find(kernel);
  return it == entries.end() ? -1 : it->second;
}
