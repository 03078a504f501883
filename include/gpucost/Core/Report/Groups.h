//===- Groups.h - Launches added up by op, layer or scope -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_GROUPS_H
#define GPUCOST_CORE_REPORT_GROUPS_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Report/ReportOptions.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucost {

/// The module that a node belongs to, by its name. Exporters write the path of
/// the module: "/model/layers.3/mlp/MatMul" is of scope "model/layers.3/mlp"; a
/// name without '/' is cut at its last '.'. "" for a name without a path.
std::string scopeOf(std::string_view node);

/// The module of each of `nodes`, which stand in program order: by its name, or
/// by that of a weight that it reads (`weights`, "" for none) where the name
/// has no path, as PyTorch 2 exports it: "node_linear" with the weight
/// "layer.3.mlp.weight" is of "layer.3.mlp". What has neither belongs to the
/// module that holds its neighbours.
std::vector<std::string> scopesOf(const std::vector<std::string> &nodes,
                                  const std::vector<std::string> &weights);

/// The part of a scope up to the first number: "model/layers.3"; the whole
/// scope without one.
std::string layerOf(std::string_view scope);

/// The rows of `report` by `groupBy`, most time first; `node` is the name of
/// the group: "(no scope)" where names have no path.
std::vector<NodeRow> groupNodes(const IterationReport &report, GroupBy groupBy);

/// "op", "layer", "scope"; "" of None.
std::string_view nameOf(GroupBy groupBy);
/// What `name` stands for; nullopt for none of these.
std::optional<GroupBy> groupByOf(std::string_view name);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_GROUPS_H
