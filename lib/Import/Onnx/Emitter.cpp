//===- Emitter.cpp - From flat nodes to the onnx dialect ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Domains.h"
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
  StringRef type = node.proto->op_type();
  OperatorHome home = findHome(node.proto->domain(), type, opset);
  // Graphs have no place in the uniform ops yet.
  bool mayHaveOp = home.mayHaveOp && !node.hasSubgraph;
  auto [it, isNew] = identities[node.hasSubgraph].try_emplace(
      {home.domain, type},
      OpIdentity{mlir::OperationName("onnx.Custom", context), {}});
  if (!isNew)
    return it->second;
  if (mayHaveOp)
    if (auto name = mlir::RegisteredOperationName::lookup(
            ("onnx." + type).str(), context)) {
      it->second.name = *name;
      return it->second;
    }
  it->second.attributes = {
      builder.getNamedAttr("domain", builder.getStringAttr(home.domain)),
      builder.getNamedAttr("op_type", builder.getStringAttr(type))};
  return it->second;
}

llvm::Error Emitter::addAttributes(const FlatNode &node,
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
                            " is dropped, its name is taken");
      continue;
    }
    auto converted = attributes.convert(*actual);
    if (!converted)
      return fail(name, converted.takeError());
    if (*converted)
      attrs.append(name, *converted);
  }
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
  if (llvm::Error error = addAttributes(node, state.attributes))
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

  for (ValueId input : node.inputs)
    state.operands.push_back(input == noValue ? getNone() : values[input]);
  llvm::SmallVector<mlir::Attribute, 2> names;
  for (ValueId output : node.outputs) {
    state.types.push_back(output == noValue ? tensors.noneType
                                            : tensors.unknownType);
    names.push_back(output == noValue ? builder.getStringAttr("")
                                      : getValueName(output));
  }
  state.addAttribute(valuesName, builder.getArrayAttr(names));

  mlir::Operation *op = builder.create(state);
  for (auto [output, result] : llvm::zip(node.outputs, op->getResults()))
    if (output != noValue)
      values[output] = result;
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
    module->setAttr("onnx.notes", builder.getStrArrayAttr(notes));
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> Emitter::emit() {
  Location location = getFileLocation(0);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(location));
  auto block = std::make_unique<mlir::Block>();
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttrs;
  if (llvm::Error error = addArguments(*block, argumentAttrs))
    return std::move(error);
  builder.setInsertionPointToEnd(block.get());
  collectDeclaredTypes();

  // Weights first, in the order of their first use.
  auto emitIfWeight = [&](ValueId id) -> llvm::Error {
    if (id == noValue || values[id])
      return llvm::Error::success();
    FlatValue::Kind kind = graph.values[id].kind;
    if (kind != FlatValue::Initializer && kind != FlatValue::SparseInitializer)
      return llvm::Error::success();
    return emitInitializer(id);
  };
  for (uint32_t index : graph.order)
    for (ValueId input : graph.nodes[index].inputs)
      if (llvm::Error error = emitIfWeight(input))
        return std::move(error);
  for (ValueId output : graph.outputValues)
    if (llvm::Error error = emitIfWeight(output))
      return std::move(error);
  for (uint32_t index : graph.order)
    if (llvm::Error error = emitNode(graph.nodes[index]))
      return std::move(error);

  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Attribute> names;
  for (ValueId output : graph.outputValues) {
    results.push_back(values[output]);
    names.push_back(getValueName(output));
  }
  mlir::func::ReturnOp::create(builder, location, results);

  auto function = mlir::func::FuncOp::create(
      location, "main",
      builder.getFunctionType(block->getArgumentTypes(),
                              mlir::ValueRange(results).getTypes()));
  function->setAttr("onnx.output_names", builder.getArrayAttr(names));
  function.setAllArgAttrs(argumentAttrs);
  function.getBody().push_back(block.release());
  module->push_back(function);
  setModuleAttributes(*module);
  return module;
}
