//===- AlignKernels.cpp - Matches kernels of two reports ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/AlignKernels.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <set>

using namespace gpucost;
using namespace gpucost::compare;

/// Fields that must be equal in a round, in addition to those that must always
/// be equal.
namespace {
struct Round {
  bool name, shape, format, count, words = true;
};
} // namespace

static constexpr Round exact = {true, true, true, false},
                       sameNode = {true, true, false, false},
                       sameProblem = {false, true, true, false},
                       named = {true, false, false, false},
                       relabelled = {true, true, false, false, false},
                       counted = {false, false, false, true};

/// Separates the fields unambiguously.
static std::vector<std::string> keyOf(const ComparedKernel &kernel,
                                      const Round &round) {
  std::vector<std::string> key = {kernel.phase, kernel.op};
  if (round.words) {
    key.push_back(kernel.label);
    key.push_back(kernel.origin);
  }
  if (round.name)
    key.push_back(kernel.name);
  if (round.shape)
    key.push_back(kernel.shape);
  if (round.format)
    key.push_back(kernel.format);
  if (round.count)
    key.push_back(std::to_string(kernel.count));
  return key;
}

/// Whether at least half of the nodes are also in the other report.
static bool isOneGraph(llvm::ArrayRef<ComparedKernel> before,
                       llvm::ArrayRef<ComparedKernel> after) {
  std::set<std::pair<std::string, std::string>> nodes;
  for (const ComparedKernel &kernel : after)
    nodes.emplace(kernel.op, kernel.name);
  auto common = llvm::count_if(before, [&](const ComparedKernel &kernel) {
    return nodes.count({kernel.op, kernel.name}) != 0;
  });
  return 2 * static_cast<size_t>(common) >= before.size();
}

std::vector<KernelPair>
compare::alignKernels(llvm::ArrayRef<ComparedKernel> before,
                      llvm::ArrayRef<ComparedKernel> after) {
  std::vector<KernelPair> pairs(before.size());
  std::vector<bool> taken(after.size());
  for (size_t i = 0; i < before.size(); ++i)
    pairs[i].before = static_cast<int64_t>(i);
  bool oneGraph = isOneGraph(before, after);
  for (const Round &round :
       {exact, sameNode, oneGraph ? named : sameProblem,
        oneGraph ? sameProblem : named, relabelled, counted}) {
    std::map<std::vector<std::string>, std::deque<size_t>> open;
    for (size_t j = 0; j < after.size(); ++j)
      if (!taken[j])
        open[keyOf(after[j], round)].push_back(j);
    for (size_t i = 0; i < before.size(); ++i) {
      if (pairs[i].after >= 0)
        continue;
      auto it = open.find(keyOf(before[i], round));
      if (it == open.end() || it->second.empty())
        continue;
      size_t j = it->second.front();
      it->second.pop_front();
      pairs[i].after = static_cast<int64_t>(j);
      taken[j] = true;
    }
  }
  for (size_t j = 0; j < after.size(); ++j)
    if (!taken[j])
      pairs.push_back({-1, static_cast<int64_t>(j)});
  return pairs;
}
