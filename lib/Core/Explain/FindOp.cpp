//===- FindOp.cpp - The kernels that a name stands for --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <map>

using namespace gpucost;

/// Similar names in an error.
static constexpr size_t mostOffered = 6;

namespace {

class Finder {
public:
  Finder(const PlacedModel &placed, const IterationTotals &totals)
      : placed(placed), totals(totals), prepared(placed.prepared()) {}

  Expected<FoundOp> find(std::string_view op) const;

private:
  Seconds timeOf(const ExplainedKernel &kernel) const {
    return placed.launchCost(kernel.kernelKind().work, totals).time.total *
           static_cast<double>(kernel.count);
  }
  /// The kinds of launches for which `belongs` is true, longest first.
  template <typename Belongs>
  std::vector<ExplainedKernel> kernelsOf(Belongs belongs) const;
  std::vector<std::string> similarTo(std::string_view op) const;

  const PlacedModel &placed;
  const IterationTotals &totals;
  const PreparedModel &prepared;
};

} // namespace

template <typename Belongs>
std::vector<ExplainedKernel> Finder::kernelsOf(Belongs belongs) const {
  std::vector<int64_t> counts(prepared.kinds.size());
  for (const Launch &launch : prepared.launches)
    if (belongs(launch))
      addSaturating(counts[launch.kind], launch.count, 1);
  std::vector<ExplainedKernel> kernels;
  std::vector<std::pair<Seconds, uint32_t>> order;
  for (uint32_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      order.emplace_back(timeOf({placed, totals, i, counts[i]}), i);
  // The order of the report's table.
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  for (const auto &[time, kind] : order)
    kernels.emplace_back(placed, totals, kind, counts[kind]);
  return kernels;
}

/// Names that contain `op`, then names at a small edit distance.
std::vector<std::string> Finder::similarTo(std::string_view op) const {
  std::vector<std::string> names = prepared.nodes;
  for (const KernelKind &kind : prepared.kinds)
    names.push_back(kind.label);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string wanted = toLower(op);
  // Longer names are not compared.
  constexpr size_t longest = 256;
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string &name : names) {
    if (name.empty() || name.size() > longest || wanted.size() > longest)
      continue;
    bool contains = toLower(name).find(wanted) != std::string::npos;
    size_t edits = contains ? 0 : editDistance(wanted, toLower(name));
    if (edits <= std::max<size_t>(2, wanted.size() / 2))
      ranked.emplace_back(edits, name);
  }
  std::stable_sort(
      ranked.begin(), ranked.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (size_t i = 0; i < std::min(ranked.size(), mostOffered); ++i)
    result.push_back(ranked[i].second);
  return result;
}

Expected<FoundOp> Finder::find(std::string_view op) const {
  FoundOp found;
  auto all = [](const Launch &) { return true; };
  if (int64_t number = 0; parseInteger(op, number)) {
    found.kernels = kernelsOf(all);
    auto count = static_cast<int64_t>(found.kernels.size());
    if (number < 1 || number > count)
      return fail("no kernel " + std::string(op) +
                  "; the report has kernels 1 to " + std::to_string(count));
    return FoundOp{"kernel " + std::to_string(number) + " of " +
                       std::to_string(count),
                   {found.kernels[static_cast<size_t>(number - 1)]}};
  }
  found.kernels = kernelsOf([&](const Launch &launch) {
    return launch.node < prepared.nodes.size() &&
           prepared.nodes[launch.node] == op;
  });
  if (!found.kernels.empty()) {
    found.title = "node '" + std::string(op) + "'";
    return found;
  }
  found.kernels = kernelsOf([&](const Launch &launch) {
    const KernelKind &kind = prepared.kinds[launch.kind];
    return isSameWord(kind.label, op) || isSameWord(kind.op, op) ||
           isSameWord(kind.op, "onnx." + std::string(op));
  });
  if (!found.kernels.empty()) {
    found.title = "operator " + std::string(op) + ", the longest of " +
                  std::to_string(found.kernels.size()) + " kernels";
    return FoundOp{std::move(found.title), {found.kernels.front()}};
  }
  std::string offered;
  for (const std::string &name : similarTo(op))
    offered += (offered.empty() ? "; similar names: '" : ", '") + name + "'";
  return fail("no node, kernel or operator '" + std::string(op) + "'" +
              (offered.empty() ? "; expected a name, or the number of a kernel "
                                 "in the report, starting with 1"
                               : offered));
}

Expected<FoundOp> gpucost::findOp(const PlacedModel &placed,
                                  const IterationTotals &totals,
                                  std::string_view op) {
  return Finder(placed, totals).find(op);
}
