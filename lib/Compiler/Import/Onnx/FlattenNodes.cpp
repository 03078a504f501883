//===- FlattenNodes.cpp - Nodes, calls and subgraphs of a flat graph ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "Flattener.h"

using namespace gpucost;
using namespace gpucost::importer;

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

bool Flattener::isKnownOperator(const pb::NodeProto &proto,
                                const Scope &scope) const {
  llvm::StringRef domain = canonicalDomain(proto.domain());
  auto own = scope.opsets->find(domain);
  int64_t opset =
      own != scope.opsets->end() ? own->second : graph.opsets.lookup(domain);
  return isKnown(domain, proto.op_type(), opset);
}

llvm::Error Flattener::addIdentity(ValueId input, ValueId output,
                                   const Scope &scope, FlatBody &body) {
  pb::NodeProto &proto = graph.identities.emplace_back();
  proto.set_op_type("Identity");
  proto.set_name(scope.call->name());
  body.nodes.emplace_back(&proto, &scope, scope.callIndex);
  body.nodes.back().inputs = {input};
  body.nodes.back().outputs = {output};
  return define(output, FlatValue::Node, body.nodes.size() - 1, body);
}

llvm::Error Flattener::addCall(const LocalFunction &function,
                               const pb::NodeProto &proto, unsigned index,
                               Scope &caller, FlatBody &body) {
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
  // An output that is also an input, or is listed twice, needs a copy.
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
    if (llvm::Error error = addIdentity(input, output, scope, body))
      return error;
  return addNodes(callee.node(), scope, body);
}

/// Whether both nodes are constants with the same value.
static bool areSameConstant(const pb::NodeProto &a, const pb::NodeProto &b) {
  if (a.op_type() != "Constant" || b.op_type() != "Constant" ||
      a.attribute_size() != 1 || b.attribute_size() != 1)
    return false;
  return a.attribute(0).SerializePartialAsString() ==
         b.attribute(0).SerializePartialAsString();
}

/// Whether `proto` repeats the definition of a constant with the same value.
bool Flattener::isRepeatedConstant(const pb::NodeProto &proto, Scope &scope) {
  if (proto.output_size() != 1)
    return false;
  auto it = scope.values.find(proto.output(0));
  if (it == scope.values.end() || it->second == noValue)
    return false;
  const FlatValue &old = graph.values[it->second];
  if (old.kind != FlatValue::Node)
    return false;
  const FlatNode &node = old.body->nodes[old.index];
  if (node.scope != &scope || !areSameConstant(*node.proto, proto))
    return false;
  graph.notes.push_back("constant " + quoted(proto.output(0)) +
                        " is defined twice with the same value");
  return true;
}

llvm::Error Flattener::addOutputs(const pb::NodeProto &proto, unsigned index,
                                  Scope &scope, FlatBody &body) {
  uint32_t position = body.nodes.size() - 1;
  for (const std::string &output : proto.output()) {
    ValueId id = lookup(output, scope);
    if (id == noValue && !output.empty())
      return llvm::createStringError(describe(proto, index, &scope) +
                                     ": output " + quoted(output) +
                                     " is an input of the function");
    body.nodes[position].outputs.push_back(id);
    if (id == noValue)
      continue;
    if (llvm::Error error = define(id, FlatValue::Node, position, body))
      return error;
  }
  auto &outputs = body.nodes[position].outputs;
  while (!outputs.empty() && outputs.back() == noValue)
    outputs.pop_back();
  return llvm::Error::success();
}

/// The graph in attribute `name`; null if there is none.
static const pb::GraphProto *findGraph(const pb::NodeProto &proto,
                                       llvm::StringRef name) {
  for (const pb::AttributeProto &attribute : proto.attribute())
    if (attribute.name() == name && attribute.has_g())
      return &attribute.g();
  return nullptr;
}

llvm::Error Flattener::addSubgraphs(const pb::NodeProto &proto, unsigned index,
                                    Scope &scope, FlatBody &body) {
  size_t position = body.nodes.size() - 1;
  llvm::ArrayRef<llvm::StringLiteral> names = getBodyNames(proto);
  if (names.empty()) {
    SubgraphSummary subgraphs = summarizeSubgraphs(proto);
    FlatNode &node = body.nodes[position];
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
  for (llvm::StringRef name : names) {
    const pb::GraphProto *subgraph = findGraph(proto, name);
    if (!subgraph)
      return llvm::createStringError(describe(proto, index, &scope) +
                                     ": expected a graph as attribute " +
                                     quoted(name));
    // A subgraph in a function can use the function's attributes.
    Scope &inner = graph.scopes.emplace_back();
    inner.opsets = scope.opsets;
    inner.parent = &scope;
    inner.call = scope.call;
    inner.caller = scope.caller;
    inner.callIndex = scope.callIndex;
    inner.attributes = scope.attributes;
    inner.graphNumber = graph.graphNumbers.lookup(subgraph);
    auto sub = std::make_unique<FlatBody>();
    sub->graph = subgraph;
    sub->scope = &inner;
    sub->depth = body.depth + 1;
    declareNames(*sub);
    if (llvm::Error error = addGraph(*sub))
      return llvm::createStringError(quoted(name) + " of " +
                                     describe(proto, index, &scope) + ": " +
                                     llvm::toString(std::move(error)));
    body.nodes[position].bodies.push_back(std::move(sub));
  }
  return llvm::Error::success();
}

llvm::Error Flattener::addNode(const pb::NodeProto &proto, unsigned index,
                               Scope &scope, FlatBody &body) {
  if (llvm::Error error = checkArity(proto))
    return llvm::createStringError(describe(proto, index, &scope) +
                                   llvm::toString(std::move(error)));
  const LocalFunction *function = functions.find(proto);
  if (function && !isKnownOperator(proto, scope))
    return addCall(*function, proto, index, scope, body);
  requireOpset(proto.domain(), scope);
  if (isRepeatedConstant(proto, scope))
    return llvm::Error::success();

  FlatNode &node = body.nodes.emplace_back(&proto, &scope, index);
  for (const std::string &input : proto.input())
    node.inputs.push_back(lookup(input, scope));
  while (!node.inputs.empty() && node.inputs.back() == noValue)
    node.inputs.pop_back();
  if (llvm::Error error = addOutputs(proto, index, scope, body))
    return error;
  return addSubgraphs(proto, index, scope, body);
}

llvm::Error Flattener::addNodes(const Nodes &nodes, Scope &scope,
                                FlatBody &body) {
  for (int i = 0, e = nodes.size(); i < e; ++i)
    if (llvm::Error error = addNode(nodes[i], i, scope, body))
      return error;
  return llvm::Error::success();
}
