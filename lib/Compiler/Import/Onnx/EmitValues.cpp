//===- EmitValues.cpp - Arguments, weights, constants, names --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "Emitter.h"

using namespace gpucost;
using namespace gpucost::importer;
using llvm::StringRef;
using mlir::Location;

mlir::StringAttr Emitter::getNodeName(const pb::NodeProto &proto,
                                      unsigned index) {
  if (!proto.name().empty())
    return builder.getStringAttr(proto.name());
  return builder.getStringAttr(proto.op_type() + "_" + llvm::Twine(index));
}

Location Emitter::getLocation(const pb::NodeProto &proto, unsigned index,
                              const Scope *scope) {
  Location location = mlir::NameLoc::get(
      getNodeName(proto, index),
      options.keepOrigins ? getFileLocation(index, scope->graphNumber)
                          : getFileLocation(0));
  if (!scope->call)
    return location;
  auto it = callLocations.find(scope);
  if (it == callLocations.end()) {
    Location call = getLocation(*scope->call, scope->callIndex, scope->caller);
    it = callLocations.try_emplace(scope, call).first;
  }
  return mlir::CallSiteLoc::get(location, it->second);
}

mlir::StringAttr Emitter::getValueName(ValueId id) {
  const FlatValue &value = graph.values[id];
  if (!value.scope->call)
    return builder.getStringAttr(value.name);
  // Names in functions are not unique, so the call's name is added as a prefix,
  // up to a length limit.
  StringRef call =
      getNodeName(*value.scope->call, value.scope->callIndex).getValue();
  return builder.getStringAttr(call.take_front(64) + "/" + value.name);
}

/// Since this opset (ReduceSum-13 takes its axes as input), exporters write
/// empty inputs intentionally.
static constexpr int64_t firstOpsetWithEmptyInputs = 13;

/// Old exporters write 0 for an unknown size. A list such as the axes of a
/// reduction may really be empty, and so may a cache, but no batch is empty.
static mlir::Type withEmptyDims(mlir::Type type,
                                const pb::ValueInfoProto &input) {
  auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!ranked)
    return type;
  bool isList =
      ranked.getRank() == 1 && ranked.getElementType().isSignlessInteger(64);
  llvm::SmallVector<int64_t> shape(ranked.getShape());
  for (int64_t i = isList ? 0 : 1; i < ranked.getRank(); ++i) {
    const auto &dim = input.type().tensor_type().shape().dim(i);
    if (dim.has_dim_value() && dim.dim_value() == 0)
      shape[i] = 0;
  }
  return mlir::RankedTensorType::get(shape, ranked.getElementType());
}

void Emitter::chooseNamedValues() {
  if (options.keepOrigins ||
      llvm::any_of(graph.main.nodes,
                   [](const FlatNode &node) { return node.hasSubgraph; }))
    return;
  named.insert(graph.main.outputValues.begin(), graph.main.outputValues.end());
}

void Emitter::addValueNames(llvm::ArrayRef<ValueId> outputs,
                            mlir::NamedAttrList &attrs) {
  if (!named.empty() && llvm::none_of(outputs, [&](ValueId output) {
        return named.contains(output);
      }))
    return;
  llvm::SmallVector<mlir::Attribute, 2> names;
  for (ValueId output : outputs)
    names.push_back(output == noValue ? builder.getStringAttr("")
                                      : getValueName(output));
  attrs.append(valuesName, builder.getArrayAttr(names));
}

llvm::Error
Emitter::addArguments(mlir::Block &block,
                      llvm::SmallVectorImpl<mlir::DictionaryAttr> &attrs) {
  for (auto [index, id] :
       llvm::zip(graph.main.inputs, graph.main.inputValues)) {
    const pb::ValueInfoProto &input = graph.main.graph->input(index);
    auto type = tensors.getType(input.type());
    if (!type)
      return prefixError("graph input " + quoted(input.name()),
                         type.takeError());
    if (input.type().has_tensor_type() &&
        graph.opsets.lookup(defaultDomain) >= firstOpsetWithEmptyInputs)
      *type = withEmptyDims(*type, input);
    mlir::StringAttr name = builder.getStringAttr(input.name());
    values[id] = block.addArgument(
        *type, mlir::NameLoc::get(name, getFileLocation(index)));
    mlir::NamedAttrList list;
    list.append(gpucost::onnx::OnnxDialect::inputNameAttrName, name);
    if (auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(*type)) {
      llvm::SmallVector<StringRef> dims;
      const auto &shape = input.type().has_tensor_type()
                              ? input.type().tensor_type().shape()
                              : input.type().sparse_tensor_type().shape();
      for (const pb::TensorShapeProto::Dimension &dim : shape.dim())
        dims.push_back(dim.dim_param());
      list.append(gpucost::onnx::OnnxDialect::dimNamesAttrName,
                  builder.getStrArrayAttr(dims));
    }
    attrs.push_back(list.getDictionary(context));
  }
  return llvm::Error::success();
}

mlir::Value Emitter::emitConstant(const ConstantValue &constant, ValueId id,
                                  StringRef name, Location location) {
  mlir::OperationState state(location, constant.contents ? "onnx.Constant"
                                                         : "onnx.Parameter");
  if (constant.contents) {
    state.addAttribute("value", constant.contents);
    if (named.empty() || named.contains(id))
      state.addAttribute(valuesName, builder.getStrArrayAttr(name));
  } else {
    state.addAttribute("name", builder.getStringAttr(name));
  }
  state.addTypes(constant.type);
  return builder.create(state)->getResult(0);
}

llvm::Error Emitter::emitInitializer(ValueId id) {
  const FlatValue &value = graph.values[id];
  auto fail = [&](llvm::Error error) {
    return prefixError("initializer " + quoted(value.name), std::move(error));
  };
  ConstantValue constant;
  if (value.kind == FlatValue::Initializer) {
    const pb::TensorProto &tensor = value.body->graph->initializer(value.index);
    auto type = tensors.getType(tensor);
    if (!type)
      return fail(type.takeError());
    auto contents =
        tensors.getContents(tensor, *type, options.maxInitializerInts);
    if (!contents)
      return fail(contents.takeError());
    constant = {*type, *contents};
  } else {
    auto type =
        tensors.getType(value.body->graph->sparse_initializer(value.index));
    if (!type)
      return fail(type.takeError());
    constant = {*type, {}};
  }
  values[id] =
      emitConstant(constant, id, value.name,
                   mlir::NameLoc::get(builder.getStringAttr(value.name),
                                      getFileLocation(value.index)));
  return llvm::Error::success();
}

mlir::Value Emitter::getNone() {
  if (!none) {
    mlir::OperationState state(builder.getUnknownLoc(), "onnx.None");
    state.addTypes(tensors.noneType);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(mainBlock);
    none = builder.create(state)->getResult(0);
  }
  return none;
}

llvm::Error Emitter::emitConstantNode(const FlatNode &node) {
  if (node.outputs.empty())
    return llvm::Error::success();
  ValueId id = node.outputs.front();
  for (const pb::AttributeProto &attribute : node.proto->attribute()) {
    const pb::AttributeProto *actual = &attribute;
    if (!attribute.ref_attr_name().empty())
      actual = node.scope->attributes.lookup(attribute.ref_attr_name());
    if (!actual)
      continue;
    auto constant = attributes.convertConstant(*actual);
    if (!constant)
      return prefixError(describe(*node.proto, node.index, node.scope) +
                             ": attribute " + quoted(attribute.name()),
                         constant.takeError());
    values[id] = emitConstant(*constant, id, getValueName(id),
                              getLocation(*node.proto, node.index, node.scope));
    return llvm::Error::success();
  }
  return llvm::createStringError(describe(*node.proto, node.index, node.scope) +
                                 ": expected an attribute with "
                                 "the value of the constant");
}

void Emitter::collectDeclaredTypes(const FlatBody &body) {
  if (!options.keepDeclaredTypes)
    return;
  const Scope &scope = *body.scope;
  auto collect = [&](const auto &infos) {
    for (const pb::ValueInfoProto &info : infos)
      if (auto it = scope.values.find(info.name());
          it != scope.values.end() && it->second != noValue)
        declared[it->second] = &info.type();
  };
  collect(body.graph->output());
  collect(body.graph->value_info());
}

llvm::Error Emitter::addDeclaredTypes(const FlatNode &node,
                                      mlir::NamedAttrList &attrs) {
  if (llvm::none_of(node.outputs,
                    [&](ValueId id) { return id != noValue && declared[id]; }))
    return llvm::Error::success();
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> dims;
  bool known = false, named = false;
  for (ValueId id : node.outputs) {
    types.push_back(tensors.unknownType);
    dims.push_back(builder.getArrayAttr({}));
    if (id == noValue || !declared[id])
      continue;
    auto type = tensors.getType(*declared[id]);
    if (!type)
      return prefixError("declared type of " + quoted(graph.values[id].name),
                         type.takeError());
    types.back() = *type;
    known |= *type != tensors.unknownType;
    auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(*type);
    if (!ranked || ranked.hasStaticShape() || !declared[id]->has_tensor_type())
      continue;
    llvm::SmallVector<StringRef> names;
    for (const auto &dim : declared[id]->tensor_type().shape().dim())
      names.push_back(dim.dim_param());
    dims.back() = builder.getStrArrayAttr(names);
    named |= llvm::any_of(names, [](StringRef n) { return !n.empty(); });
  }
  if (named)
    attrs.append(gpucost::onnx::OnnxDialect::declaredDimsAttrName,
                 builder.getArrayAttr(dims));
  if (known)
    attrs.append(gpucost::onnx::OnnxDialect::declaredTypesAttrName,
                 builder.getTypeArrayAttr(types));
  return llvm::Error::success();
}
