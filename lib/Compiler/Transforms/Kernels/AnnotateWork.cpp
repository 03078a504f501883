//===- AnnotateWork.cpp - gpucost-annotate-work ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/CountWork.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_ANNOTATEWORKPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct AnnotateWorkPass
    : public gpucost::impl::AnnotateWorkPassBase<AnnotateWorkPass> {
  using AnnotateWorkPassBase::AnnotateWorkPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    UnitRules rules = UnitRules::of(getSettings(module));
    module.walk([&](KernelOp kernel) { annotate(kernel, rules); });
  }

  void annotate(KernelOp kernel, const UnitRules &rules) {
    // The bound is already known.
    if (kernel.getCoverage() == Coverage::Fallback && kernel.getWorkAttr())
      return;
    KernelMembers members(kernel);
    CountedWork counted = countWork(members, rules);
    if (counted.work)
      return kernel.setWorkAttr(WorkAttr::get(&getContext(), *counted.work));
    for (Operation *op : members.ops())
      if (isBeyondCounts(op)) {
        op->emitOpError("has 2^63 or more FLOP or bytes, which cannot be "
                        "counted");
        return signalPassFailure();
      }
    // Bytes read and written are a lower bound for an op without a rule.
    if (auto bytes = borderBytes(members))
      return bookBound(kernel, bytes->first, bytes->second,
                       reasonOfUnknown(counted.unknown));
    kernel.setCoverage(Coverage::Unmodelled);
    std::string name =
        counted.unknown
            ? "'" + counted.unknown->getName().getStringRef().str() + "': "
            : "";
    kernel->setAttr(reasonAttrName,
                    StringAttr::get(&getContext(), name + "unknown shapes"));
  }
};
} // namespace
