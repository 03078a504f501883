//===- CheckUses.cpp - Checks that every value is defined -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"

using namespace gpucost::importer;

namespace {

/// Visits nested bodies first. The recursion depth is the nesting depth of
/// graphs, which WireWalker limits.
class UseChecker {
public:
  explicit UseChecker(FlatGraph &graph)
      : graph(graph), used(graph.values.size()),
        capturedAt(graph.values.size(), ~0u) {}

  llvm::Error visit(FlatBody &body, std::vector<ValueId> &captures);
  int64_t countUsedInitializers() const;

private:
  llvm::Error check(const FlatNode &node) const;

  FlatGraph &graph;
  std::vector<bool> used;
  /// The last node that captured each value, to list each value once.
  std::vector<uint32_t> capturedAt;
  uint32_t nodes = 0;
};

} // namespace

llvm::Error UseChecker::check(const FlatNode &node) const {
  for (auto [i, id] : llvm::enumerate(node.inputs)) {
    if (id == noValue || graph.values[id].kind != FlatValue::Undefined)
      continue;
    bool isCaptured = i >= node.inputs.size() - node.captured;
    return llvm::createStringError(
        describe(*node.proto, node.index, node.scope) + ": " +
        (isCaptured ? "value used in a subgraph "
                    : "input " + std::to_string(i) + " ") +
        quoted(graph.values[id].name) +
        " is not defined by any node, input or initializer");
  }
  return llvm::Error::success();
}

llvm::Error UseChecker::visit(FlatBody &body, std::vector<ValueId> &captures) {
  auto use = [&](ValueId id) {
    if (id == noValue)
      return;
    used[id] = true;
    if (graph.values[id].body->depth < body.depth)
      captures.push_back(id);
  };
  for (FlatNode &node : body.nodes) {
    if (llvm::Error error = check(node))
      return error;
    for (ValueId input : node.inputs)
      use(input);
    if (node.bodies.empty())
      continue;
    std::vector<ValueId> inner;
    for (std::unique_ptr<FlatBody> &sub : node.bodies)
      if (llvm::Error error = visit(*sub, inner))
        return error;
    uint32_t number = nodes++;
    for (ValueId id : inner) {
      if (capturedAt[id] == number)
        continue;
      capturedAt[id] = number;
      node.captures.push_back(id);
      use(id);
    }
  }
  for (ValueId id : body.outputValues) {
    if (graph.values[id].kind == FlatValue::Undefined)
      return llvm::createStringError(
          "graph output " + quoted(graph.values[id].name) +
          " is not defined by any node, input or initializer");
    use(id);
  }
  return sortNodes(graph, body);
}

int64_t UseChecker::countUsedInitializers() const {
  int64_t count = 0;
  for (auto [id, value] : llvm::enumerate(graph.values))
    count += used[id] && value.body == &graph.main &&
             (value.kind == FlatValue::Initializer ||
              value.kind == FlatValue::SparseInitializer);
  return count;
}

llvm::Error gpucost::importer::checkAndSort(FlatGraph &graph) {
  UseChecker checker(graph);
  std::vector<ValueId> captures;
  if (llvm::Error error = checker.visit(graph.main, captures))
    return error;
  graph.unusedInitializers = graph.main.graph->initializer_size() +
                             graph.main.graph->sparse_initializer_size() -
                             checker.countUsedInitializers();
  return llvm::Error::success();
}
