//===- Flatten.cpp - Flat node list without names or functions ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flattener.h"
#include "Opsets.h"
#include "llvm/Support/MathExtras.h"

using namespace gpucost;
using namespace gpucost::importer;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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
  Scope *owner = &scope;
  for (; owner->parent; owner = owner->parent)
    if (auto it = owner->values.find(name); it != owner->values.end())
      return it->second;
  auto [it, isNew] = owner->values.try_emplace(name, noValue);
  if (isNew)
    it->second = makeValue(name, *owner);
  return it->second;
}

std::string Flattener::describeOrigin(FlatValue::Kind kind, uint32_t index,
                                      const FlatBody &body) const {
  switch (kind) {
  case FlatValue::Input:
    return "a graph input";
  case FlatValue::Initializer:
  case FlatValue::SparseInitializer:
    return "an initializer";
  default:
    const FlatNode &node = body.nodes[index];
    return describe(*node.proto, node.index, node.scope);
  }
}

llvm::Error Flattener::define(ValueId id, FlatValue::Kind kind, uint32_t index,
                              const FlatBody &body) {
  FlatValue &value = graph.values[id];
  if (value.kind != FlatValue::Undefined)
    return llvm::createStringError(
        quoted(value.name) + " is defined twice: by " +
        describeOrigin(value.kind, value.index, *value.body) + " and by " +
        describeOrigin(kind, index, body));
  value.kind = kind;
  value.index = index;
  value.body = &body;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

llvm::Error Flattener::defineInitializers(FlatBody &body) {
  const pb::GraphProto &main = *body.graph;
  Scope &scope = *body.scope;
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
    if (llvm::Error error = define(id, FlatValue::Initializer, i, body))
      return error;
  }
  for (int i = 0, e = main.sparse_initializer_size(); i < e; ++i) {
    ValueId id = lookup(main.sparse_initializer(i).values().name(), scope);
    if (id == noValue)
      continue;
    if (llvm::Error error = define(id, FlatValue::SparseInitializer, i, body))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Flattener::defineInputs(FlatBody &body) {
  for (int i = 0, e = body.graph->input_size(); i < e; ++i) {
    llvm::StringRef name = body.graph->input(i).name();
    if (name.empty())
      return llvm::createStringError("graph input " + llvm::Twine(i) +
                                     " has no name");
    ValueId id = lookup(name, *body.scope);
    FlatValue::Kind kind = graph.values[id].kind;
    // Before IR version 4, initializers also had to be inputs.
    if (kind == FlatValue::Initializer || kind == FlatValue::SparseInitializer)
      continue;
    if (llvm::Error error =
            define(id, FlatValue::Input, body.inputs.size(), body))
      return error;
    body.inputs.push_back(i);
    body.inputValues.push_back(id);
  }
  return llvm::Error::success();
}

llvm::Error Flattener::defineOutputs(FlatBody &body) {
  for (const pb::ValueInfoProto &output : body.graph->output()) {
    ValueId id = lookup(output.name(), *body.scope);
    if (id == noValue)
      return llvm::createStringError("a graph output has no name");
    body.outputValues.push_back(id);
  }
  return llvm::Error::success();
}

void Flattener::declareNames(const FlatBody &body) {
  Scope &scope = *body.scope;
  auto declare = [&](llvm::StringRef name) {
    if (!name.empty() && !scope.values.contains(name))
      scope.values[name] = makeValue(name, scope);
  };
  for (const pb::ValueInfoProto &input : body.graph->input())
    declare(input.name());
  for (const pb::TensorProto &tensor : body.graph->initializer())
    declare(tensor.name());
  for (const pb::SparseTensorProto &tensor : body.graph->sparse_initializer())
    declare(tensor.values().name());
  for (const pb::NodeProto &node : body.graph->node())
    for (const std::string &output : node.output())
      declare(output);
}

llvm::Error Flattener::addGraph(FlatBody &body) {
  if (llvm::Error error = defineInitializers(body))
    return error;
  if (llvm::Error error = defineInputs(body))
    return error;
  body.nodes.reserve(body.graph->node_size());
  if (llvm::Error error = addNodes(body.graph->node(), *body.scope, body))
    return error;
  return defineOutputs(body);
}

/// Functions that call each other twice grow exponentially.
llvm::Error Flattener::checkInlining() const {
  uint64_t weight = 0;
  for (const pb::NodeProto &node : model.graph().node())
    weight = llvm::SaturatingAdd(weight, functions.getCallWeight(node));
  if (weight <= static_cast<uint64_t>(options.maxInlinedNodes))
    return llvm::Error::success();
  return llvm::createStringError("local functions grow to more than " +
                                 llvm::Twine(options.maxInlinedNodes) +
                                 " nodes when inlined");
}

/// Numbers the subgraphs of `graph`, each before the subgraphs nested in it.
static void
numberGraphs(const pb::GraphProto &graph,
             llvm::DenseMap<const pb::GraphProto *, unsigned> &numbers) {
  auto number = [&](const pb::GraphProto &inner) {
    auto next = static_cast<unsigned>(numbers.size() + 1);
    numbers.try_emplace(&inner, next);
    numberGraphs(inner, numbers);
  };
  for (const pb::NodeProto &node : graph.node())
    for (const pb::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        number(attribute.g());
      for (const pb::GraphProto &inner : attribute.graphs())
        number(inner);
    }
}

llvm::Error Flattener::run() {
  if (options.keepOrigins)
    numberGraphs(model.graph(), graph.graphNumbers);
  Scope &scope = graph.scopes.emplace_back();
  scope.opsets = &graph.opsets;
  graph.main.graph = &model.graph();
  graph.main.scope = &scope;
  if (model.functions_size())
    if (llvm::Error error = checkInlining())
      return error;
  if (llvm::Error error = addGraph(graph.main))
    return error;
  return checkAndSort(graph);
}

llvm::Expected<std::unique_ptr<FlatGraph>>
gpucost::importer::flattenModel(const pb::ModelProto &model,
                                const ImportOptions &options,
                                IsKnownOperator isKnown) {
  auto graph = std::make_unique<FlatGraph>();
  graph->opsets = readOpsets(model.opset_import());
  graph->functions = std::make_shared<FunctionTable>();
  checkOpsets(graph->opsets, graph->notes);
  if (llvm::Error error = graph->functions->build(model, options))
    return std::move(error);
  if (llvm::Error error = Flattener(model, options, isKnown, *graph).run())
    return std::move(error);
  return graph;
}
