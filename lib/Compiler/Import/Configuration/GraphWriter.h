//===- GraphWriter.h - Writes an ONNX graph ------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ONNX model, node by node. Weights have a shape and no values: they refer
// to a file of external data that is never written.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_GRAPHWRITER_H
#define GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_GRAPHWRITER_H

#include "../Onnx/Domains.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <gpucost_onnx/onnx.pb.h>
#include <initializer_list>
#include <string>
#include <variant>

namespace gpucost::configuration {

namespace pb = ::gpucost_onnx;

/// The name of a tensor; "" for an optional operand that is not given.
using Tensor = std::string;

/// A size in the type of an input or output: a number or a symbol.
using Dim = std::variant<int64_t, std::string>;

struct NodeAttribute {
  llvm::StringRef name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>> value;
};

class GraphWriter {
public:
  /// `data_type` of formats that onnx.proto of older releases lacks: 4-bit
  /// integers, and 8-bit floats (E4M3).
  static constexpr int32_t int4 = 22, float8 = 17;

  /// `format`: bf16, fp16 or fp32, of the weights.
  GraphWriter(llvm::StringRef name, llvm::StringRef format);

  /// A parameter, or, if the name ends with ".buffer", another table.
  Tensor weight(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape);
  /// A tensor without values; `type` as the field `data_type` of ONNX.
  Tensor tensor(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape,
                int32_t type);
  /// The format of the weights, as an attribute of nodes.
  int64_t format() const { return weights; }
  Tensor integers(const llvm::Twine &name, llvm::ArrayRef<int64_t> values);
  /// A constant without dimensions, in the format of the weights.
  Tensor scalar(const llvm::Twine &name);

  /// A node of the default domain, of `importer::microsoftDomain` or of
  /// `importer::ownDomain`; returns its first result, which has the name of the
  /// node.
  Tensor node(llvm::StringRef op, llvm::ArrayRef<Tensor> inputs,
              const llvm::Twine &name,
              std::initializer_list<NodeAttribute> attributes = {},
              llvm::ArrayRef<Tensor> more = {}, llvm::StringRef domain = {});

  enum class Type { Weights, Int32, Int64 };
  void input(llvm::StringRef name, Type type, llvm::ArrayRef<Dim> shape);
  void output(llvm::StringRef name, Type type, llvm::ArrayRef<Dim> shape);
  bool hasInput(llvm::StringRef name) const;

  pb::ModelProto &model() { return proto; }

private:
  void describe(pb::ValueInfoProto &value, llvm::StringRef name, Type type,
                llvm::ArrayRef<Dim> shape) const;

  pb::ModelProto proto;
  pb::GraphProto &graph;
  pb::TensorProto::DataType weights;
};

} // namespace gpucost::configuration

#endif // GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_GRAPHWRITER_H
