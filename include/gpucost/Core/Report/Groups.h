//===- Groups.h - Launches by op, layer or scope ----------------*- C++ -*-===//
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

/// The module of a node, from its name. Exporters write the module path:
/// "/model/layers.3/mlp/MatMul" has the scope "model/layers.3/mlp"; a name
/// without '/' is cut at its last '.'. "" for a name without a path.
std::string scopeOf(std::string_view node);

/// The module of each node in `nodes`, which are in program order. It is
/// derived from the node's name or, if the name has no path (as exported by
/// PyTorch 2), from the name of a weight that the node reads (`weights`, "" for
/// none): "node_linear" with the weight "layer.3.mlp.weight" belongs to
/// "layer.3.mlp". A node with neither belongs to the innermost module that
/// contains its neighbours.
std::vector<std::string> scopesOf(const std::vector<std::string> &nodes,
                                  const std::vector<std::string> &weights);

/// The part of a scope up to the first number: "model/layers.3"; the whole
/// scope if it has no number.
std::string layerOf(std::string_view scope);

/// The rows of `report` grouped by `groupBy`, longest time first; `node` is the
/// name of the group, "(no scope)" for names without a path.
std::vector<NodeRow> groupNodes(const IterationReport &report, GroupBy groupBy);

/// "op", "layer", "scope"; "" for None.
std::string_view nameOf(GroupBy groupBy);
/// Inverse of `nameOf`; nullopt for unknown names.
std::optional<GroupBy> groupByOf(std::string_view name);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_GROUPS_H
