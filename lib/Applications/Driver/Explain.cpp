//===- Explain.cpp - Remarks of the passes, one line each -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpucost;
using remark::detail::Remark;

/// Name of the node that `loc` belongs to; "" when it has none.
static StringRef findNode(Location loc) {
  StringRef node;
  loc->walk([&](Location inner) {
    if (auto name = dyn_cast<NameLoc>(inner))
      node = name.getName();
    return node.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return node;
}

namespace {

/// "passed: node 'ln/Sqrt': raised 9 ops to LayerNormalization".
class LineStreamer final : public remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const Remark &remark) override {
    llvm::raw_ostream &os = llvm::errs();
    os << remark.getRemarkTypeString().lower() << ": ";
    if (StringRef node = findNode(remark.getLocation()); !node.empty()) {
      os << "node '" << node << "': ";
    } else if (auto file = dyn_cast<FileLineColLoc>(remark.getLocation())) {
      os << "line " << file.getLine() << ": ";
    }
    bool first = true;
    for (const Remark::Arg &arg : remark.getArgs()) {
      if (!first)
        os << "; ";
      os << arg.val;
      first = false;
    }
    os << '\n';
  }
};

} // namespace

LogicalResult gpucost::enableRemarks(MLIRContext &context, bool explain,
                                     const MlirOptMainConfig &config) {
  if (!explain && !config.shouldEmitRemarks())
    return success();
  // An empty filter adds nothing to the one of all kinds; a missing one would
  // switch its kind off.
  remark::RemarkCategories categories{
      config.getRemarksAllFilter(), config.getRemarksPassedFilter(),
      config.getRemarksMissedFilter(), config.getRemarksAnalyseFilter(),
      config.getRemarksFailedFilter()};
  auto isEmpty = [](const std::optional<std::string> &filter) {
    return !filter || filter->empty();
  };
  if (isEmpty(categories.all) && isEmpty(categories.passed) &&
      isEmpty(categories.missed) && isEmpty(categories.analysis) &&
      isEmpty(categories.failed))
    categories.all = "gpucost-.*";
  // Where all kinds are filtered alike, a kind without a filter follows.
  if (isEmpty(categories.all))
    for (auto *kind : {&categories.passed, &categories.missed,
                       &categories.analysis, &categories.failed})
      if (isEmpty(*kind))
        kind->reset();
  return remark::enableOptimizationRemarks(
      context, std::make_unique<LineStreamer>(),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}
