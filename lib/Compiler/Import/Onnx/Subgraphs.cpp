//===- Subgraphs.cpp - Values that a node's subgraphs use -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "Flatten.h"
#include "llvm/ADT/DenseSet.h"

using namespace gpucost::importer;

llvm::ArrayRef<llvm::StringLiteral>
gpucost::importer::getBodyNames(const pb::NodeProto &node) {
  static constexpr llvm::StringLiteral branches[] = {"then_branch",
                                                     "else_branch"};
  static constexpr llvm::StringLiteral body[] = {"body"};
  if (canonicalDomain(node.domain()) != defaultDomain)
    return {};
  if (node.op_type() == "If")
    return branches;
  if (node.op_type() == "Loop" || node.op_type() == "Scan" ||
      node.op_type() == "SequenceMap")
    return body;
  return {};
}

void gpucost::importer::visitNodes(
    const pb::NodeProto &node,
    llvm::function_ref<void(const pb::NodeProto &)> visit) {
  visit(node);
  auto visitGraph = [&](const pb::GraphProto &graph) {
    for (const pb::NodeProto &inner : graph.node())
      visitNodes(inner, visit);
  };
  for (const pb::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      visitGraph(attribute.g());
    for (const pb::GraphProto &graph : attribute.graphs())
      visitGraph(graph);
  }
}

namespace {

using NameSet = llvm::DenseSet<llvm::StringRef>;

class Summarizer {
public:
  explicit Summarizer(SubgraphSummary &summary) : summary(summary) {}

  /// WireWalker limits the recursion: its depth is the nesting of graphs.
  void visitNode(const pb::NodeProto &node);

private:
  void visitGraph(const pb::GraphProto &graph);
  void use(llvm::StringRef name);

  SubgraphSummary &summary;
  /// Names defined by each of the enclosing subgraphs.
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
