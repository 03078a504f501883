//===- Functions.cpp - Local functions of a model -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Domains.h"
#include "Opsets.h"
#include "llvm/Support/MathExtras.h"
#include <google/protobuf/unknown_field_set.h>

using namespace gpucost;
using namespace gpucost::importer;

// Fields newer than libonnx 1.12 arrive as unknown fields.
static constexpr int nodeOverloadField = 8;
static constexpr int functionOverloadField = 13;
static constexpr int functionAttributeProtoField = 11;

template <typename Message>
static llvm::StringRef getUnknownString(const Message &message, int field) {
  llvm::StringRef result;
  const google::protobuf::UnknownFieldSet &fields = message.unknown_fields();
  for (int i = 0, e = fields.field_count(); i < e; ++i)
    if (fields.field(i).number() == field &&
        fields.field(i).type() ==
            google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      result = fields.field(i).length_delimited();
  return result;
}

llvm::Error FunctionTable::build(const pb::ModelProto &model,
                                 const ImportOptions &options) {
  maxDepth = options.maxFunctionDepth;
  for (const pb::FunctionProto &proto : model.functions()) {
    LocalFunction function;
    function.proto = &proto;
    function.domain = canonicalDomain(proto.domain());
    function.overload = getUnknownString(proto, functionOverloadField).str();
    function.opsets = readOpsets(proto.opset_import());
    const google::protobuf::UnknownFieldSet &fields = proto.unknown_fields();
    for (int i = 0, e = fields.field_count(); i < e; ++i) {
      const google::protobuf::UnknownField &field = fields.field(i);
      if (field.number() != functionAttributeProtoField ||
          field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
        continue;
      pb::AttributeProto attribute;
      if (!attribute.ParsePartialFromString(field.length_delimited()))
        return llvm::createStringError("function " + quoted(proto.name()) +
                                       ": an attribute cannot be parsed");
      function.defaults.push_back(std::move(attribute));
    }
    auto &sameName = byName[proto.name()];
    for (const LocalFunction *other : sameName)
      if (other->domain == function.domain &&
          other->overload == function.overload)
        return llvm::createStringError("function " + quoted(proto.name()) +
                                       " is defined twice");
    functions.push_back(std::move(function));
    sameName.push_back(&functions.back());
  }
  for (LocalFunction &function : functions)
    if (llvm::Error error = measure(function, 1))
      return error;
  return llvm::Error::success();
}

const LocalFunction *FunctionTable::find(const pb::NodeProto &node) const {
  if (functions.empty())
    return nullptr;
  auto it = byName.find(node.op_type());
  if (it == byName.end())
    return nullptr;
  for (const LocalFunction *function : it->second)
    if (function->domain == canonicalDomain(node.domain()) &&
        function->overload == getUnknownString(node, nodeOverloadField))
      return function;
  return nullptr;
}

uint64_t FunctionTable::getWeight(const pb::NodeProto &node) const {
  return llvm::SaturatingAdd<uint64_t>(1 + node.ByteSizeLong() / 256,
                                       getCallWeight(node));
}

uint64_t FunctionTable::getCallWeight(const pb::NodeProto &node) const {
  uint64_t weight = 0;
  visitNodes(node, [&](const pb::NodeProto &inner) {
    if (const LocalFunction *callee = find(inner))
      weight = llvm::SaturatingAdd<uint64_t>(weight, callee->weight, 1);
  });
  return weight;
}

llvm::Error FunctionTable::measure(LocalFunction &function, int64_t depth) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("function " +
                                   quoted(function.proto->name()) + what);
  };
  if (function.state == LocalFunction::Open)
    return fail(" calls itself");
  // `depth` counts the callers, `function.depth` the levels below.
  if (depth + function.depth > maxDepth)
    return fail(": calls are nested deeper than " + llvm::Twine(maxDepth) +
                " levels");
  if (function.state == LocalFunction::Done)
    return llvm::Error::success();

  function.state = LocalFunction::Open;
  // Calls in subgraphs count as well.
  llvm::SmallVector<const LocalFunction *> callees;
  for (const pb::NodeProto &node : function.proto->node())
    visitNodes(node, [&](const pb::NodeProto &inner) {
      if (const LocalFunction *callee = find(inner))
        callees.push_back(callee);
    });
  for (const LocalFunction *callee : callees) {
    if (llvm::Error error =
            measure(const_cast<LocalFunction &>(*callee), depth + 1))
      return error;
    function.depth = std::max(function.depth, callee->depth + 1);
  }
  for (const pb::NodeProto &node : function.proto->node())
    function.weight = llvm::SaturatingAdd(function.weight, getWeight(node));
  function.state = LocalFunction::Done;
  return llvm::Error::success();
}
