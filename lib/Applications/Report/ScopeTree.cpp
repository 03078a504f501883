//===- ScopeTree.cpp - Modules as a tree ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeTree.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace gpucost;

/// Levels that anybody looks at.
static constexpr unsigned mostLevels = 32;
/// Columns of a bar for the whole time.
static constexpr size_t barWidth = 20;

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

/// Rows of the tree from its root.
class TreeRows {
public:
  TreeRows(const IterationReport &report, const ReportOptions &options,
           unsigned levels)
      : report(report), options(options), levels(levels) {}
  void add(Scope &scope, unsigned depth);
  TextTable table() const;

private:
  const IterationReport &report;
  const ReportOptions &options;
  unsigned levels;
  std::vector<std::string> shares, bars, launches, names;
  std::vector<double> times, energies;
};

} // namespace

void TreeRows::add(Scope &scope, unsigned depth) {
  double share = report.gpuBusy > Seconds(0) ? scope.time / report.gpuBusy : 0;
  shares.push_back(percentText(scope.time.value(), report.gpuBusy.value()));
  bars.push_back(barText(share, barWidth));
  launches.push_back(std::to_string(scope.launches));
  names.push_back(std::string(2 * static_cast<size_t>(depth), ' ') +
                  scope.name);
  times.push_back(scope.time.value());
  energies.push_back(scope.energy.value());
  if (depth == levels)
    return;
  llvm::stable_sort(scope.inner, [](const Scope &a, const Scope &b) {
    return a.time > b.time;
  });
  for (Scope &each : scope.inner)
    add(each, depth + 1);
}

TextTable TreeRows::table() const {
  using Align = TextTable::Align;
  TextTable table;
  table.addColumn("%", Align::Right, shares);
  if (options.bars)
    table.addColumn("", Align::Left, bars);
  table.addNumbers("time", "s", times);
  table.addNumbers("energy", "J", energies);
  table.addColumn("launches", Align::Right, launches);
  table.addColumn("module", Align::Left, names, 20, TextTable::Cut::Middle);
  return table;
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
  TreeRows rows(report, options, levels);
  rows.add(root, 0);
  os << "\n  by module, of the GPU's busy time\n";
  rows.table().print(os, 2, options.width);
}
