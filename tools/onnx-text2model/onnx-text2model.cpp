//===- onnx-text2model.cpp - ONNX text to a model file, for tests ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// onnx-text2model INPUT OUTPUT
//
// Converts the textual form of a model (onnx/defs/parser.h) to a .onnx file.
// Lines that start with '#' are comments: RUN and CHECK lines, and properties
// that the textual form cannot express:
//
//   #pragma dim0 X         the first dimension of graph input X becomes 0
// #pragma rename A B     value A is named B everywhere, or "" without B
// #pragma sequence X     graph input X becomes a sequence of its type
//   #pragma external W     W, declared in <>, is an initializer in another file
//
//===----------------------------------------------------------------------===//

#include <fstream>
#include <iostream>
#include <onnx/defs/parser.h>
#include <sstream>

/// Renames `from` in all references to a value of the main graph.
static void renameValue(onnx::GraphProto &graph, const std::string &from,
                        const std::string &to) {
  auto rename = [&](auto *names) {
    for (std::string &name : *names)
      if (name == from)
        name = to;
  };
  auto renameInfo = [&](auto *infos) {
    for (auto &info : *infos)
      if (info.name() == from)
        info.set_name(to);
  };
  renameInfo(graph.mutable_input());
  renameInfo(graph.mutable_output());
  renameInfo(graph.mutable_initializer());
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    rename(node.mutable_input());
    rename(node.mutable_output());
  }
}

/// Adds the initializer that `info` declares, without contents.
static void addExternalInitializer(onnx::GraphProto &graph,
                                   const onnx::ValueInfoProto &info) {
  onnx::TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(info.name());
  tensor.set_data_type(info.type().tensor_type().elem_type());
  for (const auto &dim : info.type().tensor_type().shape().dim())
    tensor.add_dims(dim.dim_value());
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto *entry = tensor.add_external_data();
  entry->set_key("location");
  entry->set_value("no-such-file");
}

/// Applies one `#pragma` line; returns false if it is unknown.
static bool applyPragma(onnx::ModelProto &model, std::istringstream line) {
  std::string what, name, value;
  line >> what >> name >> value;
  onnx::GraphProto &graph = *model.mutable_graph();
  if (what == "rename") {
    renameValue(graph, name, value);
  } else if (what == "dim0") {
    for (onnx::ValueInfoProto &input : *graph.mutable_input())
      if (input.name() == name)
        input.mutable_type()
            ->mutable_tensor_type()
            ->mutable_shape()
            ->mutable_dim(0)
            ->set_dim_value(0);
  } else if (what == "sequence") {
    for (onnx::ValueInfoProto &input : *graph.mutable_input())
      if (input.name() == name) {
        onnx::TypeProto element = input.type();
        *input.mutable_type()->mutable_sequence_type()->mutable_elem_type() =
            element;
      }
  } else if (what == "external") {
    for (const onnx::ValueInfoProto &info : graph.value_info())
      if (info.name() == name)
        addExternalInitializer(graph, info);
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: onnx-text2model INPUT OUTPUT\n";
    return 2;
  }
  std::ifstream input(argv[1]);
  std::stringstream text;
  text << input.rdbuf();
  if (!input) {
    std::cerr << argv[1] << ": cannot be read\n";
    return 1;
  }

  onnx::ModelProto model;
  std::string contents = text.str(); // The parser keeps a pointer to it.
  onnx::OnnxParser parser(contents.c_str());
  onnx::Common::Status status = parser.Parse(model);
  if (!status.IsOK()) {
    std::cerr << argv[1] << ": " << status.ErrorMessage() << "\n";
    return 1;
  }
  std::string line;
  for (text.seekg(0); std::getline(text, line);) {
    constexpr std::string_view mark = "#pragma ";
    if (line.compare(0, mark.size(), mark) == 0 &&
        !applyPragma(model, std::istringstream(line.substr(mark.size())))) {
      std::cerr << argv[1] << ": unknown line '" << line << "'\n";
      return 1;
    }
  }
  std::ofstream output(argv[2], std::ios::binary);
  if (!model.SerializeToOstream(&output)) {
    std::cerr << argv[2] << ": cannot be written\n";
    return 1;
  }
  return 0;
}
