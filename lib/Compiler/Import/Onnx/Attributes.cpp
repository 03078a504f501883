//===- Attributes.cpp - ONNX attributes in MLIR ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "mlir/IR/Builders.h"

using namespace gpucost;
using namespace gpucost::importer;
using Kind = pb::AttributeProto;

/// Whether the field that belongs to `type` is present.
static bool holds(const pb::AttributeProto &attribute,
                  pb::AttributeProto::AttributeType type) {
  switch (type) {
  case Kind::FLOAT:
    return attribute.has_f();
  case Kind::INT:
    return attribute.has_i();
  case Kind::STRING:
    return attribute.has_s();
  case Kind::TENSOR:
    return attribute.has_t();
  case Kind::GRAPH:
    return attribute.has_g();
  case Kind::SPARSE_TENSOR:
    return attribute.has_sparse_tensor();
  case Kind::TYPE_PROTO:
    return attribute.has_tp();
  case Kind::FLOATS:
    return attribute.floats_size();
  case Kind::INTS:
    return attribute.ints_size();
  case Kind::STRINGS:
    return attribute.strings_size();
  case Kind::TENSORS:
    return attribute.tensors_size();
  case Kind::GRAPHS:
    return attribute.graphs_size();
  case Kind::SPARSE_TENSORS:
    return attribute.sparse_tensors_size();
  case Kind::TYPE_PROTOS:
    return attribute.type_protos_size();
  case Kind::UNDEFINED:
    return false;
  }
  return false;
}

static pb::AttributeProto::AttributeType
findKind(const pb::AttributeProto &attribute) {
  if (holds(attribute, attribute.type()))
    return attribute.type();
  for (auto type : {Kind::INT, Kind::FLOAT, Kind::STRING, Kind::TENSOR,
                    Kind::GRAPH, Kind::SPARSE_TENSOR, Kind::TYPE_PROTO,
                    Kind::INTS, Kind::FLOATS, Kind::STRINGS, Kind::TENSORS,
                    Kind::GRAPHS, Kind::SPARSE_TENSORS, Kind::TYPE_PROTOS})
    if (holds(attribute, type))
      return type;
  // An empty list, or a zero that the writer omitted.
  return attribute.type();
}

onnx::AttrKind AttributeBuilder::getKind(const pb::AttributeProto &attribute) {
  using onnx::AttrKind;
  switch (findKind(attribute)) {
  case Kind::FLOAT:
    return AttrKind::Float;
  case Kind::INT:
    return AttrKind::Int;
  case Kind::STRING:
    return AttrKind::String;
  case Kind::TENSOR:
    return AttrKind::Tensor;
  case Kind::GRAPH:
    return AttrKind::Graph;
  case Kind::SPARSE_TENSOR:
    return AttrKind::Sparse;
  case Kind::TYPE_PROTO:
    return AttrKind::Type;
  case Kind::FLOATS:
    return AttrKind::Floats;
  case Kind::STRINGS:
    return AttrKind::Strings;
  case Kind::TENSORS:
    return AttrKind::Tensors;
  case Kind::GRAPHS:
    return AttrKind::Graphs;
  case Kind::SPARSE_TENSORS:
    return AttrKind::Sparses;
  case Kind::TYPE_PROTOS:
    return AttrKind::Types;
  case Kind::INTS:
  case Kind::UNDEFINED:
    break;
  }
  return AttrKind::Ints;
}

mlir::Attribute AttributeBuilder::describe(mlir::RankedTensorType type) const {
  mlir::Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("shape",
                            builder.getDenseI64ArrayAttr(type.getShape())),
       builder.getNamedAttr("type",
                            mlir::TypeAttr::get(type.getElementType()))});
}

llvm::Expected<mlir::Attribute>
AttributeBuilder::convert(const pb::TensorProto &tensor) const {
  auto type = tensors.getType(tensor);
  if (!type)
    return type.takeError();
  auto contents =
      tensors.getContents(tensor, *type, options.maxConstantNodeInts);
  if (!contents)
    return contents.takeError();
  return *contents ? mlir::Attribute(*contents) : describe(*type);
}

llvm::Expected<mlir::Attribute>
AttributeBuilder::convert(const pb::SparseTensorProto &tensor) const {
  auto type = tensors.getType(tensor);
  if (!type)
    return type.takeError();
  return describe(*type);
}

llvm::Expected<mlir::Attribute>
AttributeBuilder::convert(const pb::TypeProto &proto) const {
  auto type = tensors.getType(proto);
  if (!type)
    return type.takeError();
  return mlir::TypeAttr::get(*type);
}

template <typename List>
llvm::Expected<mlir::Attribute>
AttributeBuilder::convertList(const List &list) const {
  llvm::SmallVector<mlir::Attribute> elements;
  for (const auto &element : list) {
    auto converted = convert(element);
    if (!converted)
      return converted.takeError();
    elements.push_back(*converted);
  }
  return mlir::ArrayAttr::get(context, elements);
}

template <typename T, typename List>
static llvm::ArrayRef<T> getArray(const List &list) {
  return {list.data(), static_cast<size_t>(list.size())};
}

llvm::Expected<mlir::Attribute>
AttributeBuilder::convert(const pb::AttributeProto &attribute) const {
  mlir::Builder builder(context);
  switch (findKind(attribute)) {
  case Kind::FLOAT:
    return builder.getF32FloatAttr(attribute.f());
  case Kind::INT:
    return builder.getI64IntegerAttr(attribute.i());
  case Kind::STRING:
    return builder.getStringAttr(attribute.s());
  case Kind::TENSOR:
    return convert(attribute.t());
  case Kind::SPARSE_TENSOR:
    return convert(attribute.sparse_tensor());
  case Kind::TYPE_PROTO:
    return convert(attribute.tp());
  case Kind::GRAPH:
  case Kind::GRAPHS:
    return mlir::Attribute();
  case Kind::FLOATS:
    return builder.getDenseF32ArrayAttr(getArray<float>(attribute.floats()));
  case Kind::STRINGS: {
    llvm::SmallVector<mlir::Attribute> strings;
    for (const std::string &string : attribute.strings())
      strings.push_back(builder.getStringAttr(string));
    return builder.getArrayAttr(strings);
  }
  case Kind::TENSORS:
    return convertList(attribute.tensors());
  case Kind::SPARSE_TENSORS:
    return convertList(attribute.sparse_tensors());
  case Kind::TYPE_PROTOS:
    return convertList(attribute.type_protos());
  case Kind::INTS:
  case Kind::UNDEFINED:
    break;
  }
  return builder.getDenseI64ArrayAttr(getArray<int64_t>(attribute.ints()));
}

llvm::Expected<ConstantValue>
AttributeBuilder::convertConstant(const pb::AttributeProto &attribute) const {
  mlir::Builder builder(context);
  auto getType = [](llvm::ArrayRef<int64_t> shape, mlir::Type elementType) {
    return mlir::RankedTensorType::get(shape, elementType);
  };
  switch (findKind(attribute)) {
  case Kind::TENSOR: {
    auto type = tensors.getType(attribute.t());
    if (!type)
      return type.takeError();
    auto contents =
        tensors.getContents(attribute.t(), *type, options.maxConstantNodeInts);
    if (!contents)
      return contents.takeError();
    return ConstantValue{*type, *contents};
  }
  case Kind::SPARSE_TENSOR: {
    auto type = tensors.getType(attribute.sparse_tensor());
    if (!type)
      return type.takeError();
    return ConstantValue{*type, {}};
  }
  case Kind::INT: {
    auto type = getType({}, builder.getI64Type());
    return ConstantValue{type,
                         mlir::DenseElementsAttr::get(type, attribute.i())};
  }
  case Kind::FLOAT: {
    auto type = getType({}, builder.getF32Type());
    return ConstantValue{type,
                         mlir::DenseElementsAttr::get(type, attribute.f())};
  }
  case Kind::INTS: {
    auto type = getType({attribute.ints_size()}, builder.getI64Type());
    if (attribute.ints_size() > options.maxConstantNodeInts)
      return ConstantValue{type, {}};
    return ConstantValue{type, mlir::DenseElementsAttr::get(
                                   type, getArray<int64_t>(attribute.ints()))};
  }
  case Kind::FLOATS: {
    auto type = getType({attribute.floats_size()}, builder.getF32Type());
    if (attribute.floats_size() > options.maxConstantFloats)
      return ConstantValue{type, {}};
    return ConstantValue{type, mlir::DenseElementsAttr::get(
                                   type, getArray<float>(attribute.floats()))};
  }
  case Kind::STRING:
    return ConstantValue{getType({}, tensors.stringType), {}};
  case Kind::STRINGS:
    return ConstantValue{
        getType({attribute.strings_size()}, tensors.stringType), {}};
  default:
    return llvm::createStringError("expected a tensor, number, string or list");
  }
}
