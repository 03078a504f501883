//===- ModelWriter.h - ONNX wire format by hand -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes protobuf messages field by field, well-formed or not. Field numbers
// come from onnx.proto.
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_COMPILER_IMPORT_MODELWRITER_H
#define UNITTESTS_COMPILER_IMPORT_MODELWRITER_H

#include <cstdint>
#include <string>
#include <vector>

namespace gpucost::wire {

inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}
inline std::string number(unsigned field, uint64_t value) {
  return varint(field << 3) + varint(value);
}
inline std::string bytes(unsigned field, const std::string &value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}
inline std::string floating(unsigned field, const std::string &fourBytes) {
  return varint(field << 3 | 5) + fourBytes;
}

/// TensorProto without contents.
inline std::string tensor(const std::string &name, int dataType,
                          const std::vector<int64_t> &dims) {
  std::string result;
  for (int64_t dim : dims)
    result += number(1, dim);
  return result + number(2, dataType) + bytes(8, name);
}

/// NodeProto.
inline std::string node(const std::string &type,
                        const std::vector<std::string> &inputs,
                        const std::vector<std::string> &outputs,
                        const std::string &rest = "") {
  std::string result;
  for (const std::string &input : inputs)
    result += bytes(1, input);
  for (const std::string &output : outputs)
    result += bytes(2, output);
  return result + bytes(4, type) + rest;
}

/// ValueInfoProto of an f32 tensor.
inline std::string valueInfo(const std::string &name,
                             const std::vector<int64_t> &dims) {
  std::string shape;
  for (int64_t dim : dims)
    shape += bytes(1, number(1, dim));
  return bytes(1, name) + bytes(2, bytes(1, number(1, 1) + bytes(2, shape)));
}

/// ModelProto with IR version 8, opset 17 and `graph` (a GraphProto).
inline std::string model(const std::string &graph,
                         const std::string &rest = "") {
  return number(1, 8) + bytes(8, number(2, 17)) + bytes(7, graph) + rest;
}

/// A FunctionProto of the domain "local" with one input and one output.
inline std::string function(const std::string &name, const std::string &input,
                            const std::string &output,
                            const std::vector<std::string> &nodes) {
  std::string result = bytes(1, name) + bytes(4, input) + bytes(5, output) +
                       bytes(9, number(2, 17)) + bytes(10, "local");
  for (const std::string &node : nodes)
    result += bytes(7, node);
  return result;
}

} // namespace gpucost::wire

#endif // UNITTESTS_COMPILER_IMPORT_MODELWRITER_H
