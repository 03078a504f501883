//===- Emitter.cpp - Converts flat nodes to the onnx dialect --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Domains.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/UnusedParameters.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace gpucost;
using namespace gpucost::importer;
using llvm::StringRef;
using mlir::Location;
using mlir::NamedAttribute;

llvm::Error gpucost::importer::prefixError(const llvm::Twine &subject,
                                           llvm::Error error) {
  return llvm::createStringError(subject + ": " +
                                 llvm::toString(std::move(error)));
}

int64_t Emitter::getOpset(StringRef domain, const Scope *scope) const {
  auto it = scope->opsets->find(domain);
  return it != scope->opsets->end() ? it->second : graph.opsets.lookup(domain);
}

const OpIdentity &Emitter::getIdentity(const FlatNode &node, int64_t opset) {
  const OpIdentity &identity = findIdentity(node, opset, /*isMalformed=*/false);
  if (!identity.info)
    return identity;
  llvm::SmallVector<bool> given;
  for (ValueId input : node.inputs)
    given.push_back(input != noValue);
  std::string problem =
      onnx::describeMalformed(*identity.info, given, node.outputs.size());
  if (problem.empty())
    return identity;
  mlir::emitWarning(getLocation(*node.proto, node.index, node.scope))
      << describe(*node.proto, node.index, node.scope) << " " << problem
      << "; it is treated as an unknown operator";
  return findIdentity(node, opset, /*isMalformed=*/true);
}

/// A malformed node has the name of an operator, but is not a valid use of it.
const OpIdentity &Emitter::findIdentity(const FlatNode &node, int64_t opset,
                                        bool isMalformed) {
  StringRef type = node.proto->op_type();
  OperatorHome home = findHome(node.proto->domain(), type, opset);
  // The uniform ops do not support graph attributes. Graphs of operators in
  // other domains only modify the op's computation, or are not supported.
  bool mayHaveOp = home.op && !isMalformed &&
                   (!node.hasSubgraph || home.domain != defaultDomain);
  auto [it, isNew] = identities[isMalformed ? 2 : node.hasSubgraph].try_emplace(
      {home.domain, type},
      OpIdentity{mlir::OperationName("onnx.Custom", context), {}});
  if (!isNew)
    return it->second;
  if (mayHaveOp) {
    it->second.name = mlir::OperationName(home.op->name, context);
    it->second.info = home.op;
    return it->second;
  }
  it->second.attributes = {
      builder.getNamedAttr("domain", builder.getStringAttr(home.domain)),
      builder.getNamedAttr("op_type", builder.getStringAttr(type))};
  return it->second;
}

llvm::Error Emitter::checkAttribute(const FlatNode &node,
                                    const onnx::OpInfo &info, int64_t opset,
                                    StringRef name,
                                    const pb::AttributeProto &attribute) {
  auto subject = [&] { return describe(*node.proto, node.index, node.scope); };
  llvm::ArrayRef<onnx::AttrInfo> forms = onnx::getForms(info, name);
  if (forms.empty()) {
    std::string problem = onnx::describeUnknown(info, name);
    return problem.empty()
               ? llvm::Error::success()
               : llvm::createStringError(subject() + ": " + problem);
  }
  onnx::AttrKind kind = AttributeBuilder::getKind(attribute);
  unsigned kinds = onnx::getKinds(forms, opset);
  if (!(kinds & onnx::getBit(kind)))
    return llvm::createStringError(subject() + ": attribute " + quoted(name) +
                                   ": expected " + onnx::describeKinds(kinds) +
                                   ", found " + onnx::stringifyAttrKind(kind));
  if (llvm::none_of(
          forms,
          [&](const onnx::AttrInfo &form) { return form.isIn(opset); }) &&
      notedAttributes.insert(forms.data()).second)
    graph.notes.push_back(subject() + ": opset " + std::to_string(opset) +
                          " has no attribute " + quoted(name) +
                          "; it is interpreted as in other opsets");
  return llvm::Error::success();
}

llvm::Error Emitter::addAttributes(const FlatNode &node,
                                   const onnx::OpInfo *info, int64_t opset,
                                   mlir::NamedAttrList &attrs) {
  auto fail = [&](StringRef attribute, llvm::Error error) {
    return prefixError(describe(*node.proto, node.index, node.scope) +
                           ": attribute " + quoted(attribute),
                       std::move(error));
  };
  for (const pb::AttributeProto &attribute : node.proto->attribute()) {
    StringRef name = attribute.name();
    if (name.empty())
      return fail(name, llvm::createStringError("expected a name"));
    const pb::AttributeProto *actual = &attribute;
    if (!attribute.ref_attr_name().empty())
      actual = node.scope->attributes.lookup(attribute.ref_attr_name());
    if (!actual)
      continue;
    if (name.starts_with("onnx.") || name == "domain" || name == "op_type") {
      graph.notes.push_back(describe(*node.proto, node.index, node.scope) +
                            ": attribute " + quoted(name) +
                            " is dropped because its name is already used");
      continue;
    }
    if (info)
      if (llvm::Error error = checkAttribute(node, *info, opset, name, *actual))
        return error;
    auto converted = attributes.convert(*actual);
    if (!converted)
      return fail(name, converted.takeError());
    if (*converted)
      attrs.append(name, *converted);
  }
  auto isGiven = [&](StringRef name) {
    return llvm::any_of(node.proto->attribute(), [&](const auto &attribute) {
      return attribute.name() == name;
    });
  };
  if (info)
    if (const onnx::AttrInfo *missing =
            onnx::findMissing(*info, opset, isGiven))
      return llvm::createStringError(
          describe(*node.proto, node.index, node.scope) +
          ": required attribute " + quoted(missing->name) + " is missing");
  if (node.proto->attribute_size() < 2)
    return llvm::Error::success();
  llvm::SmallVector<NamedAttribute> sorted(attrs.begin(), attrs.end());
  if (auto duplicate =
          mlir::DictionaryAttr::findDuplicate(sorted, /*isSorted=*/false))
    return fail(duplicate->getName(),
                llvm::createStringError("it is given twice"));
  return llvm::Error::success();
}

llvm::Error Emitter::emitNode(const FlatNode &node) {
  const pb::NodeProto &proto = *node.proto;
  StringRef domain = canonicalDomain(proto.domain());
  if (proto.op_type() == "Constant" && domain == defaultDomain)
    return emitConstantNode(node);

  int64_t opset = getOpset(domain, node.scope);
  const OpIdentity &identity = getIdentity(node, opset);
  mlir::OperationState state(getLocation(proto, node.index, node.scope),
                             identity.name);
  // Operators of com.microsoft that share an op are versioned differently.
  int64_t attributeOpset = domain == microsoftDomain ? 0 : opset;
  if (llvm::Error error =
          addAttributes(node, identity.info, attributeOpset, state.attributes))
    return error;
  state.attributes.append(identity.attributes);
  if (node.hasSubgraph) {
    state.addAttribute("onnx.subgraph_ops",
                       builder.getI64IntegerAttr(node.subgraphNodes));
    state.addAttribute("onnx.captured",
                       builder.getI64IntegerAttr(node.captured));
  }
  if (node.scope->call && opset != graph.opsets.lookup(domain))
    state.addAttribute("onnx.opset", builder.getI64IntegerAttr(opset));
  if (llvm::Error error = addDeclaredTypes(node, state.attributes))
    return error;

  for (ValueId input : node.inputs) {
    mlir::Value operand = input == noValue ? getNone() : values[input];
    if (!operand)
      return undefined(describe(*node.proto, node.index, node.scope), input);
    state.operands.push_back(operand);
  }
  // A malformed node is not control flow: its bodies are never executed.
  if (identity.attributes.empty())
    if (llvm::Error error = addRegions(node, state))
      return error;
  for (ValueId output : node.outputs)
    state.types.push_back(output == noValue ? tensors.noneType
                                            : tensors.unknownType);
  addValueNames(node.outputs, state.attributes);

  mlir::Operation *op = builder.create(state);
  for (auto [output, result] : llvm::zip(node.outputs, op->getResults()))
    if (output != noValue)
      values[output] = result;
  return llvm::Error::success();
}

llvm::Error Emitter::addRegions(const FlatNode &node,
                                mlir::OperationState &state) {
  for (const std::unique_ptr<FlatBody> &body : node.bodies) {
    mlir::Block *block = new mlir::Block();
    state.addRegion()->push_back(block);
    for (auto [index, id] : llvm::zip(body->inputs, body->inputValues)) {
      // Declared types are hints: the op's operands determine the type.
      auto type = tensors.getType(body->graph->input(index).type());
      if (!type)
        llvm::consumeError(type.takeError());
      values[id] = block->addArgument(
          type ? *type : tensors.unknownType,
          mlir::NameLoc::get(getValueName(id), state.location));
    }
    collectDeclaredTypes(*body);
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (llvm::Error error = emitBody(*body, *block))
      return error;
    mlir::OperationState yield(state.location, "onnx.Yield");
    for (ValueId output : body->outputValues) {
      if (!values[output])
        return undefined("subgraph output", output);
      yield.operands.push_back(values[output]);
    }
    builder.create(yield);
  }
  return llvm::Error::success();
}

void Emitter::setModuleAttributes(mlir::ModuleOp module) {
  llvm::SmallVector<NamedAttribute> opsets;
  for (const auto &entry : graph.opsets)
    opsets.push_back(builder.getNamedAttr(
        entry.getKey(), builder.getI64IntegerAttr(entry.getValue())));
  module->setAttr(gpucost::onnx::OnnxDialect::opsetsAttrName,
                  builder.getDictionaryAttr(opsets));
  module->setAttr("onnx.unused_parameters",
                  builder.getI64IntegerAttr(graph.unusedInitializers));
  llvm::SmallVector<StringRef> notes(graph.notes.begin(), graph.notes.end());
  if (!notes.empty())
    module->setAttr(gpucost::importNotesAttrName,
                    builder.getStrArrayAttr(notes));
}

llvm::Error Emitter::undefined(const llvm::Twine &where, ValueId id) const {
  return llvm::createStringError(
      where + ": value " + quoted(graph.values[id].name) + " is not defined");
}

/// Weights first, in the order of their first use.
llvm::Error Emitter::emitWeights(const FlatBody &body) {
  auto emitIfWeight = [&](ValueId id) -> llvm::Error {
    if (id == noValue || values[id])
      return llvm::Error::success();
    const FlatValue &value = graph.values[id];
    if (value.body != &body || (value.kind != FlatValue::Initializer &&
                                value.kind != FlatValue::SparseInitializer))
      return llvm::Error::success();
    return emitInitializer(id);
  };
  for (uint32_t index : body.order)
    for (llvm::ArrayRef<ValueId> ids :
         {llvm::ArrayRef<ValueId>(body.nodes[index].inputs),
          llvm::ArrayRef<ValueId>(body.nodes[index].captures)})
      for (ValueId id : ids)
        if (llvm::Error error = emitIfWeight(id))
          return error;
  for (ValueId output : body.outputValues)
    if (llvm::Error error = emitIfWeight(output))
      return error;
  // Parameters that gpucost.export() marks: the module holds them in memory,
  // but its forward pass does not read them.
  for (ValueId id = 0; graph.unusedInitializers && id < graph.values.size();
       ++id)
    if (graph.values[id].name.ends_with(onnx::unusedParameterSuffix))
      if (llvm::Error error = emitIfWeight(id))
        return error;
  return llvm::Error::success();
}

llvm::Error Emitter::emitBody(const FlatBody &body, mlir::Block &block) {
  builder.setInsertionPointToEnd(&block);
  if (llvm::Error error = emitWeights(body))
    return error;
  for (uint32_t index : body.order)
    if (llvm::Error error = emitNode(body.nodes[index]))
      return error;
  return llvm::Error::success();
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> Emitter::emit() {
  Location location = getFileLocation(0);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(location));
  auto block = std::make_unique<mlir::Block>();
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttrs;
  if (llvm::Error error = addArguments(*block, argumentAttrs))
    return std::move(error);
  mainBlock = block.get();
  collectDeclaredTypes(graph.main);
  chooseNamedValues();
  if (llvm::Error error = emitBody(graph.main, *block))
    return std::move(error);

  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Attribute> names;
  for (ValueId output : graph.main.outputValues) {
    if (!values[output])
      return undefined("graph output", output);
    results.push_back(values[output]);
    names.push_back(getValueName(output));
  }
  mlir::func::ReturnOp::create(builder, location, results);

  auto function = mlir::func::FuncOp::create(
      location, "main",
      builder.getFunctionType(block->getArgumentTypes(),
                              mlir::ValueRange(results).getTypes()));
  function->setAttr(onnx::OnnxDialect::outputNamesAttrName,
                    builder.getArrayAttr(names));
  function.setAllArgAttrs(argumentAttrs);
  function.getBody().push_back(block.release());
  module->push_back(function);
  setModuleAttributes(*module);
  return module;
}
