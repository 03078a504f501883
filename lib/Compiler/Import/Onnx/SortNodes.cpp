//===- SortNodes.cpp - Topological order ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include <numeric>

using namespace gpucost::importer;

/// The node of `body` that defines `value`, or -1.
static int64_t getProducer(const FlatGraph &graph, const FlatBody &body,
                           ValueId value) {
  if (value == noValue || graph.values[value].kind != FlatValue::Node ||
      graph.values[value].body != &body)
    return -1;
  return graph.values[value].index;
}

/// The values defined before `node`: inputs, then the captures of its bodies.
static ValueId getDependency(const FlatNode &node, size_t i) {
  return i < node.inputs.size() ? node.inputs[i]
                                : node.captures[i - node.inputs.size()];
}
static size_t countDependencies(const FlatNode &node) {
  return node.inputs.size() + node.captures.size();
}

static bool isSorted(const FlatGraph &graph, const FlatBody &body) {
  for (int64_t i = 0, e = body.nodes.size(); i < e; ++i)
    for (size_t j = 0, f = countDependencies(body.nodes[i]); j < f; ++j)
      if (getProducer(graph, body, getDependency(body.nodes[i], j)) >= i)
        return false;
  return true;
}

/// Error that lists the nodes of `cycle`; each uses a result of the next one.
static llvm::Error reportCycle(const FlatBody &body,
                               llvm::ArrayRef<uint32_t> cycle) {
  constexpr size_t most = 8;
  std::string text = "the graph has a cycle of " +
                     std::to_string(cycle.size()) + " node" +
                     (cycle.size() == 1 ? ": " : "s: ");
  for (uint32_t i : cycle.take_front(most)) {
    const FlatNode &node = body.nodes[i];
    text += describe(*node.proto, node.index, node.scope) + " uses ";
  }
  if (cycle.size() > most)
    text += "... uses ";
  const FlatNode &first = body.nodes[cycle.front()];
  text += describe(*first.proto, first.index, first.scope);
  return llvm::createStringError(text);
}

llvm::Error gpucost::importer::sortNodes(const FlatGraph &graph,
                                         FlatBody &body) {
  size_t size = body.nodes.size();
  body.order.resize(size);
  if (isSorted(graph, body)) {
    std::iota(body.order.begin(), body.order.end(), 0);
    return llvm::Error::success();
  }

  // Depth first in file order, producers before the node itself.
  body.order.clear();
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> state(size, New);
  std::vector<uint32_t> path, nextInput;
  for (uint32_t root = 0; root < size; ++root) {
    if (state[root] != New)
      continue;
    state[root] = Open;
    path.push_back(root);
    nextInput.push_back(0);
    while (!path.empty()) {
      uint32_t current = path.back();
      const FlatNode &node = body.nodes[current];
      if (nextInput.back() == countDependencies(node)) {
        state[current] = Done;
        body.order.push_back(current);
        path.pop_back();
        nextInput.pop_back();
        continue;
      }
      int64_t producer =
          getProducer(graph, body, getDependency(node, nextInput.back()++));
      if (producer < 0 || state[producer] == Done)
        continue;
      if (state[producer] == Open) {
        llvm::ArrayRef<uint32_t> cycle(path);
        while (cycle.front() != producer)
          cycle = cycle.drop_front();
        return reportCycle(body, cycle);
      }
      state[producer] = Open;
      path.push_back(producer);
      nextInput.push_back(0);
    }
  }
  return llvm::Error::success();
}
