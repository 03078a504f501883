//===- Groups.cpp - Launches added up by op, layer or scope ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/Groups.h"
#include "gpucost/Support/CheckedMath.h"
#include <algorithm>
#include <map>

using namespace gpucost;

std::string gpucost::scopeOf(std::string_view node) {
  while (!node.empty() && node.front() == '/')
    node.remove_prefix(1);
  size_t cut = node.rfind('/');
  if (cut == std::string_view::npos)
    cut = node.rfind('.');
  return cut == std::string_view::npos ? std::string()
                                       : std::string(node.substr(0, cut));
}

/// Whether `part` of a path is or ends with a number: "3", "layers.3", "l12".
static bool isNumbered(std::string_view part) {
  return !part.empty() && part.back() >= '0' && part.back() <= '9';
}

std::string gpucost::layerOf(std::string_view node) {
  std::string path = scopeOf(node);
  for (size_t end = 0; end < path.size();) {
    end = std::min(path.find_first_of("/.", end), path.size());
    if (isNumbered(std::string_view(path).substr(0, end)))
      return path.substr(0, end);
    ++end;
  }
  return path;
}

std::vector<NodeRow> gpucost::groupNodes(const IterationReport &report,
                                         GroupBy groupBy) {
  std::vector<NodeRow> groups;
  std::map<std::string, size_t> known;
  std::vector<NodeRow> nodes;
  if (report.nodes)
    nodes = report.nodes();
  for (const NodeRow &row : nodes) {
    std::string name = groupBy == GroupBy::Op      ? row.op
                       : groupBy == GroupBy::Layer ? layerOf(row.node)
                                                   : scopeOf(row.node);
    if (name.empty())
      name = "(no scope)";
    auto [it, isNew] = known.try_emplace(name, groups.size());
    if (isNew)
      groups.push_back({name, "", 0, {}, {}, 0, 0});
    NodeRow &group = groups[it->second];
    group.launches = saturatingSum(group.launches, row.launches);
    group.time += row.time;
    group.energy += row.energy;
    group.flops = saturatingSum(group.flops, row.flops);
    group.bytes = saturatingSum(group.bytes, row.bytes);
  }
  std::stable_sort(
      groups.begin(), groups.end(),
      [](const NodeRow &a, const NodeRow &b) { return a.time > b.time; });
  return groups;
}

std::string_view gpucost::nameOf(GroupBy groupBy) {
  switch (groupBy) {
  case GroupBy::None:
    return "";
  case GroupBy::Op:
    return "op";
  case GroupBy::Layer:
    return "layer";
  case GroupBy::Scope:
    return "scope";
  }
  return "";
}

std::optional<GroupBy> gpucost::groupByOf(std::string_view name) {
  for (GroupBy each :
       {GroupBy::None, GroupBy::Op, GroupBy::Layer, GroupBy::Scope})
    if (nameOf(each) == name)
      return each;
  return std::nullopt;
}
