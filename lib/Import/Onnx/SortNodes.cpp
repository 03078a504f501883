//===- SortNodes.cpp - Topological order ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include <numeric>

using namespace gpucost::importer;

/// The node that defines `value`, or -1.
static int64_t getProducer(const FlatGraph &graph, ValueId value) {
  if (value == noValue || graph.values[value].kind != FlatValue::Node)
    return -1;
  return graph.values[value].index;
}

static bool isSorted(const FlatGraph &graph) {
  for (int64_t i = 0, e = graph.nodes.size(); i < e; ++i)
    for (ValueId input : graph.nodes[i].inputs)
      if (getProducer(graph, input) >= i)
        return false;
  return true;
}

/// Names the nodes of `cycle`, each of which uses a result of the next one.
static llvm::Error reportCycle(const FlatGraph &graph,
                               llvm::ArrayRef<uint32_t> cycle) {
  constexpr size_t most = 8;
  std::string text = "the graph has a cycle of " +
                     std::to_string(cycle.size()) + " node" +
                     (cycle.size() == 1 ? ": " : "s: ");
  for (uint32_t i : cycle.take_front(most)) {
    const FlatNode &node = graph.nodes[i];
    text += describe(*node.proto, node.index, node.scope) + " uses ";
  }
  if (cycle.size() > most)
    text += "... uses ";
  const FlatNode &first = graph.nodes[cycle.front()];
  text += describe(*first.proto, first.index, first.scope);
  return llvm::createStringError(text);
}

llvm::Error gpucost::importer::sortNodes(FlatGraph &graph) {
  size_t size = graph.nodes.size();
  graph.order.resize(size);
  if (isSorted(graph)) {
    std::iota(graph.order.begin(), graph.order.end(), 0);
    return llvm::Error::success();
  }

  // Depth first in file order, producers before the node itself.
  graph.order.clear();
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
      const FlatNode &node = graph.nodes[current];
      if (nextInput.back() == node.inputs.size()) {
        state[current] = Done;
        graph.order.push_back(current);
        path.pop_back();
        nextInput.pop_back();
        continue;
      }
      int64_t producer = getProducer(graph, node.inputs[nextInput.back()++]);
      if (producer < 0 || state[producer] == Done)
        continue;
      if (state[producer] == Open) {
        llvm::ArrayRef<uint32_t> cycle(path);
        while (cycle.front() != producer)
          cycle = cycle.drop_front();
        return reportCycle(graph, cycle);
      }
      state[producer] = Open;
      path.push_back(producer);
      nextInput.push_back(0);
    }
  }
  return llvm::Error::success();
}
