//===- GraphWriter.cpp - Writes an ONNX graph -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace gpucost::configuration;
using llvm::StringRef;

/// The first opset with a window in Attention.
static constexpr int64_t opset = 25;
/// The IR version of that opset.
static constexpr int64_t irVersion = 13;

GraphWriter::GraphWriter(StringRef name, StringRef format)
    : graph(*proto.mutable_graph()),
      weights(format == "bf16"   ? pb::TensorProto::BFLOAT16
              : format == "fp16" ? pb::TensorProto::FLOAT16
                                 : pb::TensorProto::FLOAT) {
  proto.set_ir_version(irVersion);
  proto.set_producer_name("gpu-cost-opt");
  graph.set_name(name.str());
  for (auto [domain, version] :
       {std::pair(StringRef(), opset),
        std::pair(StringRef(importer::microsoftDomain), int64_t(1)),
        std::pair(StringRef(importer::ownDomain), opset)}) {
    pb::OperatorSetIdProto *import = proto.add_opset_import();
    import->set_domain(domain.str());
    import->set_version(version);
  }
}

Tensor GraphWriter::weight(const llvm::Twine &name,
                           llvm::ArrayRef<int64_t> shape) {
  return tensor(name, shape, weights);
}

Tensor GraphWriter::tensor(const llvm::Twine &name,
                           llvm::ArrayRef<int64_t> shape, int32_t type) {
  pb::TensorProto *tensor = graph.add_initializer();
  tensor->set_name(name.str());
  tensor->set_data_type(type);
  for (int64_t size : shape)
    tensor->add_dims(size);
  tensor->set_data_location(pb::TensorProto::EXTERNAL);
  pb::StringStringEntryProto *location = tensor->add_external_data();
  location->set_key("location");
  location->set_value("weights");
  return tensor->name();
}

Tensor GraphWriter::integers(const llvm::Twine &name,
                             llvm::ArrayRef<int64_t> values) {
  pb::TensorProto *tensor = graph.add_initializer();
  tensor->set_name(name.str());
  tensor->set_data_type(pb::TensorProto::INT64);
  tensor->add_dims(int64_t(values.size()));
  for (int64_t value : values)
    tensor->add_int64_data(value);
  return tensor->name();
}

Tensor GraphWriter::scalar(const llvm::Twine &name) { return weight(name, {}); }

Tensor GraphWriter::node(StringRef op, llvm::ArrayRef<Tensor> inputs,
                         const llvm::Twine &name,
                         std::initializer_list<NodeAttribute> attributes,
                         llvm::ArrayRef<Tensor> more, StringRef domain) {
  pb::NodeProto *node = graph.add_node();
  node->set_op_type(op.str());
  node->set_name(name.str());
  if (!domain.empty())
    node->set_domain(domain.str());
  for (const Tensor &input : inputs)
    node->add_input(input);
  node->add_output(node->name());
  for (const Tensor &output : more)
    node->add_output(output);
  for (const NodeAttribute &given : attributes) {
    pb::AttributeProto *attribute = node->add_attribute();
    attribute->set_name(given.name.str());
    if (const auto *number = std::get_if<int64_t>(&given.value)) {
      attribute->set_type(pb::AttributeProto::INT);
      attribute->set_i(*number);
    } else if (const auto *real = std::get_if<float>(&given.value)) {
      attribute->set_type(pb::AttributeProto::FLOAT);
      attribute->set_f(*real);
    } else if (const auto *text = std::get_if<std::string>(&given.value)) {
      attribute->set_type(pb::AttributeProto::STRING);
      attribute->set_s(*text);
    } else {
      attribute->set_type(pb::AttributeProto::INTS);
      for (int64_t each : std::get<std::vector<int64_t>>(given.value))
        attribute->add_ints(each);
    }
  }
  return node->name();
}

void GraphWriter::describe(pb::ValueInfoProto &value, StringRef name, Type type,
                           llvm::ArrayRef<Dim> shape) const {
  value.set_name(name.str());
  pb::TypeProto::Tensor *tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type == Type::Weights ? weights
                        : type == Type::Int32 ? pb::TensorProto::INT32
                                              : pb::TensorProto::INT64);
  pb::TensorShapeProto *dims = tensor->mutable_shape();
  for (const Dim &dim : shape) {
    pb::TensorShapeProto::Dimension *made = dims->add_dim();
    if (const auto *size = std::get_if<int64_t>(&dim))
      made->set_dim_value(*size);
    else
      made->set_dim_param(std::get<std::string>(dim));
  }
}

void GraphWriter::input(StringRef name, Type type, llvm::ArrayRef<Dim> shape) {
  describe(*graph.add_input(), name, type, shape);
}

void GraphWriter::output(StringRef name, Type type, llvm::ArrayRef<Dim> shape) {
  describe(*graph.add_output(), name, type, shape);
}

bool GraphWriter::hasInput(StringRef name) const {
  return llvm::any_of(graph.input(), [&](const pb::ValueInfoProto &value) {
    return value.name() == name;
  });
}
