//===- ModelMutator.cpp - Changes to a model that keep it parseable ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMutator.h"
#include <gpucost_onnx/onnx.pb.h>
#include <random>
#include <string>
#include <vector>

static std::vector<std::string> &operatorNames() {
  static std::vector<std::string> names;
  return names;
}

void setOperatorNames(std::vector<std::string> names) {
  operatorNames() = std::move(names);
}

namespace {

class Mutator {
public:
  Mutator(gpucost_onnx::ModelProto &model, unsigned seed)
      : model(model), random(seed) {
    collect(*model.mutable_graph());
    for (auto &function : *model.mutable_functions())
      collectNodes(*function.mutable_node());
  }

  void mutate() {
    switch (pick(14)) {
    case 0:
      return changeInputDim();
    case 1:
      return changeInitializer();
    case 2:
    case 3:
      return changeAttribute();
    case 4:
    case 12:
      return changeType();
    case 13:
      return addOutput();
    case 5:
      return dropOperand();
    case 6:
    case 7:
      return rewire();
    case 8:
      return duplicateNode();
    case 9:
      return dropAttribute();
    case 10:
      return changeElementType();
    case 11:
      return changeOpset();
    }
  }

private:
  size_t pick(size_t count) { return count ? random() % count : 0; }

  int64_t number() {
    static constexpr int64_t values[] = {
        0,         1,         -1,        2,         3,         7,
        -2,        16,        64,        255,       1000,      65536,
        1 << 24,   1LL << 31, 1LL << 32, 1LL << 40, 1LL << 62, INT64_MAX,
        INT64_MIN, INT32_MAX, INT32_MIN, -1000};
    return values[pick(std::size(values))];
  }

  void collect(gpucost_onnx::GraphProto &graph) {
    graphs.push_back(&graph);
    collectNodes(*graph.mutable_node());
  }
  void collectNodes(
      google::protobuf::RepeatedPtrField<gpucost_onnx::NodeProto> &list) {
    for (gpucost_onnx::NodeProto &node : list) {
      nodes.push_back(&node);
      for (gpucost_onnx::AttributeProto &attribute : *node.mutable_attribute())
        if (attribute.has_g())
          collect(*attribute.mutable_g());
    }
  }
  gpucost_onnx::NodeProto *anyNode() {
    return nodes.empty() ? nullptr : nodes[pick(nodes.size())];
  }
  gpucost_onnx::GraphProto &anyGraph() { return *graphs[pick(graphs.size())]; }

  /// The name of some value.
  std::string anyValue() {
    gpucost_onnx::GraphProto &graph = anyGraph();
    if (pick(4) == 0 && graph.input_size())
      return graph.input(pick(graph.input_size())).name();
    if (pick(4) == 0 && graph.initializer_size())
      return graph.initializer(pick(graph.initializer_size())).name();
    gpucost_onnx::NodeProto *node = anyNode();
    if (!node)
      return "";
    if (pick(2) && node->input_size())
      return node->input(pick(node->input_size()));
    return node->output_size() ? node->output(pick(node->output_size())) : "";
  }

  void changeInputDim() {
    gpucost_onnx::GraphProto &graph = anyGraph();
    if (!graph.input_size())
      return;
    auto &shape = *graph.mutable_input(pick(graph.input_size()))
                       ->mutable_type()
                       ->mutable_tensor_type()
                       ->mutable_shape();
    switch (pick(4)) {
    case 0:
      shape.add_dim()->set_dim_value(number());
      return;
    case 1:
      if (shape.dim_size())
        shape.mutable_dim()->RemoveLast();
      return;
    default:
      if (shape.dim_size())
        shape.mutable_dim(pick(shape.dim_size()))->set_dim_value(number());
    }
  }

  void changeInitializer() {
    gpucost_onnx::GraphProto &graph = anyGraph();
    if (!graph.initializer_size())
      return;
    gpucost_onnx::TensorProto &tensor =
        *graph.mutable_initializer(pick(graph.initializer_size()));
    changeTensor(tensor);
  }
  void changeTensor(gpucost_onnx::TensorProto &tensor) {
    switch (pick(4)) {
    case 0:
      tensor.add_dims(number());
      break;
    case 1:
      if (tensor.dims_size())
        tensor.set_dims(pick(tensor.dims_size()), number());
      break;
    case 2:
      tensor.set_data_type(pick(28));
      break;
    case 3:
      if (tensor.int64_data_size())
        tensor.set_int64_data(pick(tensor.int64_data_size()), number());
      else if (tensor.raw_data().size() >= 8 && tensor.data_type() == 7)
        for (int i = 0, at = pick(tensor.raw_data().size() / 8) * 8,
                 value = number();
             i < 8; ++i)
          (*tensor.mutable_raw_data())[at + i] = value >> (i % 4 * 8);
      break;
    }
  }

  void changeAttribute() {
    gpucost_onnx::NodeProto *node = anyNode();
    if (!node || !node->attribute_size())
      return;
    gpucost_onnx::AttributeProto &attribute =
        *node->mutable_attribute(pick(node->attribute_size()));
    if (attribute.has_t())
      return changeTensor(*attribute.mutable_t());
    if (attribute.ints_size()) {
      if (pick(3) == 0)
        attribute.add_ints(number());
      else if (pick(4) == 0)
        attribute.mutable_ints()->RemoveLast();
      else
        attribute.set_ints(pick(attribute.ints_size()), number());
    } else if (attribute.has_i()) {
      attribute.set_i(number());
    } else if (attribute.has_s()) {
      attribute.set_s(pick(2) ? "" : "SAME_UPPER");
    } else if (attribute.has_f()) {
      attribute.set_f(static_cast<float>(number()));
    }
  }

  void changeType() {
    gpucost_onnx::NodeProto *node = anyNode(), *other = anyNode();
    if (!node)
      return;
    const std::vector<std::string> &names = operatorNames();
    if (names.empty() || pick(3) == 0)
      node->set_op_type(other->op_type());
    else
      node->set_op_type(names[pick(names.size())]);
    if (pick(4) == 0)
      node->set_domain(pick(2) ? "" : "com.microsoft");
  }

  void addOutput() {
    gpucost_onnx::NodeProto *node = anyNode();
    if (!node)
      return;
    std::string name = "more_" + std::to_string(pick(1000));
    node->add_output(name);
    if (pick(2))
      model.mutable_graph()->add_output()->set_name(name);
  }

  void dropOperand() {
    gpucost_onnx::NodeProto *node = anyNode();
    if (!node)
      return;
    if (pick(2) && node->input_size())
      node->set_input(pick(node->input_size()), "");
    else if (pick(2) && node->input_size())
      node->mutable_input()->RemoveLast();
    else if (node->output_size() > 1)
      node->mutable_output()->RemoveLast();
  }

  void rewire() {
    gpucost_onnx::NodeProto *node = anyNode();
    if (!node)
      return;
    if (node->input_size() && pick(4))
      node->set_input(pick(node->input_size()), anyValue());
    else
      node->add_input(anyValue());
  }

  void duplicateNode() {
    gpucost_onnx::GraphProto &graph = anyGraph();
    if (!graph.node_size())
      return;
    gpucost_onnx::NodeProto copy = graph.node(pick(graph.node_size()));
    for (std::string &output : *copy.mutable_output())
      output += "_" + std::to_string(pick(1000));
    *graph.add_node() = std::move(copy);
  }

  void dropAttribute() {
    if (gpucost_onnx::NodeProto *node = anyNode();
        node && node->attribute_size())
      node->mutable_attribute()->DeleteSubrange(pick(node->attribute_size()),
                                                1);
  }

  void changeElementType() {
    gpucost_onnx::GraphProto &graph = anyGraph();
    if (graph.input_size())
      graph.mutable_input(pick(graph.input_size()))
          ->mutable_type()
          ->mutable_tensor_type()
          ->set_elem_type(pick(28));
  }

  void changeOpset() {
    if (model.opset_import_size())
      model.mutable_opset_import(0)->set_version(1 + pick(28));
  }

  gpucost_onnx::ModelProto &model;
  std::mt19937 random;
  std::vector<gpucost_onnx::GraphProto *> graphs;
  std::vector<gpucost_onnx::NodeProto *> nodes;
};

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// One to four changes to the model in `data`, written back to it. Returns the
/// new size, at most `maxSize`; 0 if `data` is not a model or got too large.
static size_t mutateModel(uint8_t *data, size_t size, size_t maxSize,
                          unsigned seed) {
  gpucost_onnx::ModelProto model;
  if (!model.ParsePartialFromArray(data, static_cast<int>(size)) ||
      !model.has_graph())
    return 0;
  std::mt19937 random(seed);
  for (unsigned i = 0, e = 1 + random() % 4; i < e; ++i)
    Mutator(model, random()).mutate();
  size_t length = model.ByteSizeLong();
  if (length > maxSize ||
      !model.SerializePartialToArray(data, static_cast<int>(length)))
    return 0;
  return length;
}

size_t mutateModelOrBytes(uint8_t *data, size_t size, size_t maxSize,
                          unsigned seed, unsigned period) {
  size_t mutated = seed % period ? mutateModel(data, size, maxSize, seed) : 0;
  return mutated ? mutated : LLVMFuzzerMutate(data, size, maxSize);
}
