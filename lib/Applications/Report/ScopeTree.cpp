//===- ScopeTree.cpp - Modules as a tree ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace gpucost;

/// Levels that anybody looks at.
static constexpr unsigned mostLevels = 32;
namespace {

/// A module with all that is in it.
struct Scope {
  std::string name;
  int64_t launches = 0;
  Seconds time;
  Joules energy;
  std::map<std::string, size_t> known;
  std::vector<Scope> inner;

  void add(const NodeRow &row) {
    launches = saturatingSum(launches, row.launches);
    time += row.time;
    energy += row.energy;
  }
  Scope &at(llvm::StringRef part) {
    auto [it, isNew] = known.try_emplace(part.str(), inner.size());
    if (isNew)
      inner.emplace_back().name = part.str();
    return inner[it->second];
  }
};

} // namespace

/// Adds the rows of `scope`, which is `depth` levels below the root.
static void addRows(TextTable &table, Scope &scope, size_t depth,
                    const IterationReport &report) {
  double share = report.gpuBusy > Seconds(0) ? scope.time / report.gpuBusy : 0;
  table.addRow({percentText(scope.time.value(), report.gpuBusy.value()),
                barText(share, barWidth), scope.time, scope.energy,
                scope.launches, std::string(2 * depth, ' ') + scope.name});
  llvm::stable_sort(scope.inner, [](const Scope &a, const Scope &b) {
    return a.time > b.time;
  });
  for (Scope &each : scope.inner)
    addRows(table, each, depth + 1, report);
}

void gpucost::printScopeTree(llvm::raw_ostream &os,
                             const IterationReport &report,
                             const ReportOptions &options) {
  if (options.treeDepth == 0 || !report.nodes)
    return;
  unsigned levels = std::min(options.treeDepth, mostLevels);
  Scope root;
  root.name = "all kernels";
  for (const NodeRow &row : report.nodes()) {
    root.add(row);
    Scope *scope = &root;
    std::string path = scopeOf(row.node);
    if (path.empty())
      path = "(no scope)";
    llvm::SmallVector<llvm::StringRef, 8> parts;
    llvm::SplitString(path, parts, "/");
    for (llvm::StringRef part : llvm::ArrayRef(parts).take_front(levels)) {
      scope = &scope->at(part);
      scope->add(row);
    }
  }
  TextTable table(
      {TextTable::right("%"), TextTable::left("").when(options.bars),
       TextTable::numbers("time", "s"), TextTable::numbers("energy", "J"),
       TextTable::right("launches"),
       TextTable::left("module", 20, TextTable::Cut::Middle)});
  addRows(table, root, 0, report);
  os << "\n  by module, of the GPU's busy time\n";
  table.print(os, 2, options.width);
}
