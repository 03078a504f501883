//===- Flatten.cpp - One list of nodes without names or functions ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include "Domains.h"
#include "Functions.h"
#include "Opsets.h"
#include "llvm/Support/MathExtras.h"

using namespace gpucost;
using namespace gpucost::importer;

namespace {

using Nodes = google::protobuf::RepeatedPtrField<pb::NodeProto>;

class Flattener {
public:
  Flattener(const pb::ModelProto &model, const ImportOptions &options,
            FlatGraph &graph)
      : model(model), options(options), graph(graph),
        functions(*graph.functions) {}

  llvm::Error run();

private:
  llvm::Error defineInitializers(Scope &scope);
  llvm::Error defineInputs(Scope &scope);
  llvm::Error addBody(const Nodes &nodes, Scope &scope);
  llvm::Error addNode(const pb::NodeProto &proto, unsigned index, Scope &scope);
  llvm::Error addCall(const LocalFunction &function, const pb::NodeProto &proto,
                      unsigned index, Scope &scope);
  llvm::Error addIdentity(ValueId input, ValueId output, const Scope &scope);
  llvm::Error checkArity(const pb::NodeProto &proto) const;
  llvm::Error checkUses();
  void requireOpset(llvm::StringRef domain, const Scope &scope);

  ValueId makeValue(llvm::StringRef name, const Scope &scope);
  /// The value `name` in `scope`, made on first mention.
  ValueId lookup(llvm::StringRef name, Scope &scope);
  /// Says where `id` comes from; an error if it comes from elsewhere already.
  llvm::Error define(ValueId id, FlatValue::Kind kind, uint32_t index);
  std::string describeOrigin(FlatValue::Kind kind, uint32_t index) const;

  const pb::ModelProto &model;
  const ImportOptions &options;
  FlatGraph &graph;
  const FunctionTable &functions;
};

} // namespace

ValueId Flattener::makeValue(llvm::StringRef name, const Scope &scope) {
  FlatValue value;
  value.name = name;
  value.scope = &scope;
  graph.values.push_back(value);
  return graph.values.size() - 1;
}

ValueId Flattener::lookup(llvm::StringRef name, Scope &scope) {
  if (name.empty())
    return noValue;
  auto [it, isNew] = scope.values.try_emplace(name, noValue);
  if (isNew)
    it->second = makeValue(name, scope);
  return it->second;
}

std::string Flattener::describeOrigin(FlatValue::Kind kind,
                                      uint32_t index) const {
  switch (kind) {
  case FlatValue::Input:
    return "a graph input";
  case FlatValue::Initializer:
  case FlatValue::SparseInitializer:
    return "an initializer";
  default:
    const FlatNode &node = graph.nodes[index];
    return describe(*node.proto, node.index, node.scope);
  }
}

llvm::Error Flattener::define(ValueId id, FlatValue::Kind kind,
                              uint32_t index) {
  FlatValue &value = graph.values[id];
  if (value.kind != FlatValue::Undefined)
    return llvm::createStringError(quoted(value.name) +
                                   " is defined twice: by " +
                                   describeOrigin(value.kind, value.index) +
                                   " and by " + describeOrigin(kind, index));
  value.kind = kind;
  value.index = index;
  return llvm::Error::success();
}

llvm::Error Flattener::defineInitializers(Scope &scope) {
  const pb::GraphProto &main = *graph.graph;
  for (int i = 0, e = main.initializer_size(); i < e; ++i) {
    const pb::TensorProto &tensor = main.initializer(i);
    ValueId id = lookup(tensor.name(), scope);
    if (id == noValue)
      continue;
    const FlatValue &value = graph.values[id];
    if (value.kind == FlatValue::Initializer &&
        main.initializer(value.index).SerializePartialAsString() ==
            tensor.SerializePartialAsString()) {
      graph.notes.push_back("initializer " + quoted(tensor.name()) +
                            " is defined twice with the same contents");
      continue;
    }
    if (llvm::Error error = define(id, FlatValue::Initializer, i))
      return error;
  }
  for (int i = 0, e = main.sparse_initializer_size(); i < e; ++i) {
    ValueId id = lookup(main.sparse_initializer(i).values().name(), scope);
    if (id == noValue)
      continue;
    if (llvm::Error error = define(id, FlatValue::SparseInitializer, i))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Flattener::defineInputs(Scope &scope) {
  for (int i = 0, e = graph.graph->input_size(); i < e; ++i) {
    llvm::StringRef name = graph.graph->input(i).name();
    if (name.empty())
      return llvm::createStringError("graph input " + llvm::Twine(i) +
                                     " has no name");
    ValueId id = lookup(name, scope);
    FlatValue::Kind kind = graph.values[id].kind;
    // Before IR version 4 initializers had to be inputs too.
    if (kind == FlatValue::Initializer || kind == FlatValue::SparseInitializer)
      continue;
    if (llvm::Error error = define(id, FlatValue::Input, graph.inputs.size()))
      return error;
    graph.inputs.push_back(i);
    graph.inputValues.push_back(id);
  }
  return llvm::Error::success();
}

llvm::Error Flattener::checkArity(const pb::NodeProto &proto) const {
  auto check = [&](int64_t size, llvm::StringRef what) -> llvm::Error {
    if (size <= options.maxArity)
      return llvm::Error::success();
    return llvm::createStringError(": " + llvm::Twine(size) + " " + what +
                                   " are above the limit of " +
                                   llvm::Twine(options.maxArity));
  };
  if (proto.op_type().empty())
    return llvm::createStringError(": expected an operator type");
  if (llvm::Error error = check(proto.input_size(), "inputs"))
    return error;
  if (llvm::Error error = check(proto.output_size(), "outputs"))
    return error;
  return check(proto.attribute_size(), "attributes");
}

void Flattener::requireOpset(llvm::StringRef domain, const Scope &scope) {
  domain = canonicalDomain(domain);
  if (scope.opsets->count(domain) ||
      !graph.opsets.try_emplace(domain, 1).second)
    return;
  graph.notes.push_back("domain " + quoted(domain) +
                        " has no opset import; version 1 is assumed");
}

llvm::Error Flattener::addIdentity(ValueId input, ValueId output,
                                   const Scope &scope) {
  pb::NodeProto &proto = graph.identities.emplace_back();
  proto.set_op_type("Identity");
  proto.set_name(scope.call->name());
  graph.nodes.emplace_back(&proto, &scope, scope.callIndex);
  graph.nodes.back().inputs = {input};
  graph.nodes.back().outputs = {output};
  return define(output, FlatValue::Node, graph.nodes.size() - 1);
}

llvm::Error Flattener::addCall(const LocalFunction &function,
                               const pb::NodeProto &proto, unsigned index,
                               Scope &caller) {
  const pb::FunctionProto &callee = *function.proto;
  Scope &scope = graph.scopes.emplace_back();
  scope.opsets = &function.opsets;
  scope.call = &proto;
  scope.caller = &caller;
  scope.callIndex = index;
  if (proto.input_size() > callee.input_size() ||
      proto.output_size() > callee.output_size())
    return llvm::createStringError(
        describe(proto, index, &caller) +
        ": the call has more inputs or outputs than function " +
        quoted(callee.name()));

  for (const pb::AttributeProto &attribute : proto.attribute()) {
    const pb::AttributeProto *value = &attribute;
    if (!attribute.ref_attr_name().empty())
      value = caller.attributes.lookup(attribute.ref_attr_name());
    if (value)
      scope.attributes[attribute.name()] = value;
  }
  for (const pb::AttributeProto &attribute : function.defaults)
    scope.attributes.try_emplace(attribute.name(), &attribute);

  for (int i = 0, e = callee.input_size(); i < e; ++i)
    scope.values[callee.input(i)] =
        i < proto.input_size() ? lookup(proto.input(i), caller) : noValue;
  // An output that is also an input, or listed twice, is a copy.
  std::vector<std::pair<ValueId, ValueId>> copies;
  for (int i = 0, e = proto.output_size(); i < e; ++i) {
    ValueId actual = lookup(proto.output(i), caller);
    if (actual == noValue)
      continue;
    auto [it, isNew] = scope.values.try_emplace(callee.output(i), actual);
    if (!isNew && it->second != noValue)
      copies.push_back({it->second, actual});
  }
  for (auto [input, output] : copies)
    if (llvm::Error error = addIdentity(input, output, scope))
      return error;
  return addBody(callee.node(), scope);
}

/// Whether both nodes are constants with the same value.
static bool areSameConstant(const pb::NodeProto &a, const pb::NodeProto &b) {
  if (a.op_type() != "Constant" || b.op_type() != "Constant" ||
      a.attribute_size() != 1 || b.attribute_size() != 1)
    return false;
  return a.attribute(0).SerializePartialAsString() ==
         b.attribute(0).SerializePartialAsString();
}

llvm::Error Flattener::addNode(const pb::NodeProto &proto, unsigned index,
                               Scope &scope) {
  if (llvm::Error error = checkArity(proto))
    return llvm::createStringError(describe(proto, index, &scope) +
                                   llvm::toString(std::move(error)));
  if (const LocalFunction *function = functions.find(proto))
    return addCall(*function, proto, index, scope);
  requireOpset(proto.domain(), scope);

  if (proto.output_size() == 1) {
    auto it = scope.values.find(proto.output(0));
    if (it != scope.values.end() && it->second != noValue) {
      const FlatValue &old = graph.values[it->second];
      if (old.kind == FlatValue::Node &&
          graph.nodes[old.index].scope == &scope &&
          areSameConstant(*graph.nodes[old.index].proto, proto)) {
        graph.notes.push_back("constant " + quoted(proto.output(0)) +
                              " is defined twice with the same value");
        return llvm::Error::success();
      }
    }
  }

  uint32_t position = graph.nodes.size();
  FlatNode &node = graph.nodes.emplace_back(&proto, &scope, index);
  for (const std::string &input : proto.input())
    node.inputs.push_back(lookup(input, scope));
  while (!node.inputs.empty() && node.inputs.back() == noValue)
    node.inputs.pop_back();
  for (const std::string &output : proto.output()) {
    ValueId id = lookup(output, scope);
    if (id == noValue && !output.empty())
      return llvm::createStringError(describe(proto, index, &scope) +
                                     ": output " + quoted(output) +
                                     " is an input of the function");
    node.outputs.push_back(id);
    if (id == noValue)
      continue;
    if (llvm::Error error = define(id, FlatValue::Node, position))
      return error;
  }
  while (!node.outputs.empty() && node.outputs.back() == noValue)
    node.outputs.pop_back();

  SubgraphSummary subgraphs = summarizeSubgraphs(proto);
  node.hasSubgraph = subgraphs.any;
  node.subgraphNodes = subgraphs.nodes;
  for (llvm::StringRef name : subgraphs.captured) {
    ValueId id = lookup(name, scope);
    if (id == noValue)
      continue;
    node.inputs.push_back(id);
    ++node.captured;
  }
  return llvm::Error::success();
}

llvm::Error Flattener::addBody(const Nodes &nodes, Scope &scope) {
  for (int i = 0, e = nodes.size(); i < e; ++i)
    if (llvm::Error error = addNode(nodes[i], i, scope))
      return error;
  return llvm::Error::success();
}

llvm::Error Flattener::checkUses() {
  std::vector<bool> used(graph.values.size());
  for (const FlatNode &node : graph.nodes) {
    for (auto [i, id] : llvm::enumerate(node.inputs)) {
      if (id == noValue)
        continue;
      used[id] = true;
      const FlatValue &value = graph.values[id];
      if (value.kind != FlatValue::Undefined)
        continue;
      bool isCaptured = i >= node.inputs.size() - node.captured;
      return llvm::createStringError(
          describe(*node.proto, node.index, node.scope) + ": " +
          (isCaptured ? "value used in a subgraph "
                      : "input " + std::to_string(i) + " ") +
          quoted(value.name) +
          " is not defined by any node, input or initializer");
    }
  }
  for (ValueId id : graph.outputValues) {
    used[id] = true;
    if (graph.values[id].kind == FlatValue::Undefined)
      return llvm::createStringError(
          "graph output " + quoted(graph.values[id].name) +
          " is not defined by any node, input or initializer");
  }
  int64_t usedInitializers = 0;
  for (auto [id, value] : llvm::enumerate(graph.values))
    if (used[id] && (value.kind == FlatValue::Initializer ||
                     value.kind == FlatValue::SparseInitializer))
      ++usedInitializers;
  graph.unusedInitializers = graph.graph->initializer_size() +
                             graph.graph->sparse_initializer_size() -
                             usedInitializers;
  return llvm::Error::success();
}

llvm::Error Flattener::run() {
  Scope &scope = graph.scopes.emplace_back();
  scope.opsets = &graph.opsets;
  if (llvm::Error error = defineInitializers(scope))
    return error;
  if (llvm::Error error = defineInputs(scope))
    return error;

  if (model.functions_size()) {
    uint64_t weight = 0;
    for (const pb::NodeProto &node : graph.graph->node())
      if (functions.find(node))
        weight = llvm::SaturatingAdd(weight, functions.getWeight(node));
    if (weight > static_cast<uint64_t>(options.maxInlinedNodes))
      return llvm::createStringError("local functions grow to more than " +
                                     llvm::Twine(options.maxInlinedNodes) +
                                     " nodes when inlined");
  }
  graph.nodes.reserve(graph.graph->node_size());
  if (llvm::Error error = addBody(graph.graph->node(), scope))
    return error;

  for (const pb::ValueInfoProto &output : graph.graph->output()) {
    ValueId id = lookup(output.name(), scope);
    if (id == noValue)
      return llvm::createStringError("a graph output has no name");
    graph.outputValues.push_back(id);
  }
  if (llvm::Error error = checkUses())
    return error;
  return sortNodes(graph);
}

llvm::Expected<std::unique_ptr<FlatGraph>>
gpucost::importer::flattenModel(const pb::ModelProto &model,
                                const ImportOptions &options) {
  auto graph = std::make_unique<FlatGraph>();
  graph->graph = &model.graph();
  graph->opsets = readOpsets(model.opset_import());
  graph->functions = std::make_shared<FunctionTable>();
  checkOpsets(graph->opsets, graph->notes);
  if (llvm::Error error = graph->functions->build(model, options))
    return std::move(error);
  if (llvm::Error error = Flattener(model, options, *graph).run())
    return std::move(error);
  return graph;
}
