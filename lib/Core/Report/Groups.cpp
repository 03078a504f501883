//===- Groups.cpp - Launches by op, layer or scope ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Support/CheckedMath.h"
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

/// The module that contains `a` and `b`: the common prefix of their paths.
static std::string commonScope(std::string_view a, std::string_view b) {
  size_t end = 0;
  for (size_t i = 0; i <= a.size() && i <= b.size(); ++i) {
    auto ends = [&](std::string_view path) {
      return i == path.size() || path[i] == '/' || path[i] == '.';
    };
    if (ends(a) && ends(b))
      end = i;
    if (i == a.size() || i == b.size() || a[i] != b[i])
      break;
  }
  return std::string(a.substr(0, end));
}

std::vector<std::string>
gpucost::scopesOf(const std::vector<std::string> &nodes,
                  const std::vector<std::string> &weights) {
  std::vector<std::string> scopes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    scopes.push_back(scopeOf(nodes[i]));
    if (scopes.back().empty() && i < weights.size())
      scopes.back() = scopeOf(weights[i]);
  }
  std::string before;
  for (size_t i = 0; i < scopes.size();) {
    size_t next = i;
    while (next < scopes.size() && scopes[next].empty())
      ++next;
    std::string between =
        next < scopes.size() ? commonScope(before, scopes[next]) : "";
    for (; i < next; ++i)
      scopes[i] = between;
    if (i < scopes.size())
      before = scopes[i++];
  }
  return scopes;
}

std::string gpucost::layerOf(std::string_view scope) {
  for (size_t end = 0; end < scope.size();) {
    end = std::min(scope.find_first_of("/.", end), scope.size());
    if (isNumbered(scope.substr(0, end)))
      return std::string(scope.substr(0, end));
    ++end;
  }
  return std::string(scope);
}

std::vector<NodeRow> gpucost::groupNodes(const IterationReport &report,
                                         GroupBy groupBy) {
  std::vector<NodeRow> groups;
  std::map<std::string, size_t> known;
  std::vector<NodeRow> nodes;
  if (report.nodes)
    nodes = report.nodes();
  std::vector<std::string> names, weights;
  for (const NodeRow &row : nodes) {
    names.push_back(row.node);
    weights.push_back(row.weight);
  }
  std::vector<std::string> scopes = scopesOf(names, weights);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeRow &row = nodes[i];
    std::string name = groupBy == GroupBy::Op      ? row.op
                       : groupBy == GroupBy::Layer ? layerOf(scopes[i])
                                                   : scopes[i];
    if (name.empty())
      name = "(no scope)";
    auto [it, isNew] = known.try_emplace(name, groups.size());
    if (isNew)
      groups.emplace_back();
    NodeRow &group = groups[it->second];
    group.node = name;
    group.launches = saturatingSum(group.launches, row.launches);
    group.time += row.time;
    group.energy += row.energy;
    group.flops = saturatingSum(group.flops, row.flops);
    group.bytes = saturatingSum(group.bytes, row.bytes);
  }
  if (report.gpuBusy > Seconds(0))
    for (NodeRow &group : groups)
      group.timeFraction = group.time / report.gpuBusy;
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
