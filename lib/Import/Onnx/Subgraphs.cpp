//===- Subgraphs.cpp - What the subgraphs of a node use -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include "llvm/ADT/DenseSet.h"

using namespace gpucost::importer;

namespace {

using NameSet = llvm::DenseSet<llvm::StringRef>;

class Summarizer {
public:
  explicit Summarizer(SubgraphSummary &summary) : summary(summary) {}

  /// The recursion is as deep as graphs are nested, which WireWalker limits.
  void visitNode(const pb::NodeProto &node);

private:
  void visitGraph(const pb::GraphProto &graph);
  void use(llvm::StringRef name);

  SubgraphSummary &summary;
  /// Names that each of the enclosing subgraphs defines.
  std::vector<NameSet> defined;
  NameSet captured;
};

} // namespace

void Summarizer::use(llvm::StringRef name) {
  if (name.empty())
    return;
  for (const NameSet &names : defined)
    if (names.contains(name))
      return;
  if (captured.insert(name).second)
    summary.captured.push_back(name);
}

void Summarizer::visitGraph(const pb::GraphProto &graph) {
  NameSet names;
  for (const pb::ValueInfoProto &input : graph.input())
    names.insert(input.name());
  for (const pb::TensorProto &tensor : graph.initializer())
    names.insert(tensor.name());
  for (const pb::SparseTensorProto &tensor : graph.sparse_initializer())
    names.insert(tensor.values().name());
  for (const pb::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      names.insert(output);
  defined.push_back(std::move(names));

  summary.any = true;
  summary.nodes += graph.node_size();
  for (const pb::NodeProto &node : graph.node()) {
    for (const std::string &input : node.input())
      use(input);
    visitNode(node);
  }
  for (const pb::ValueInfoProto &output : graph.output())
    use(output.name());
  defined.pop_back();
}

void Summarizer::visitNode(const pb::NodeProto &node) {
  for (const pb::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      visitGraph(attribute.g());
    for (const pb::GraphProto &graph : attribute.graphs())
      visitGraph(graph);
  }
}

SubgraphSummary
gpucost::importer::summarizeSubgraphs(const pb::NodeProto &node) {
  SubgraphSummary summary;
  Summarizer(summary).visitNode(node);
  return summary;
}
