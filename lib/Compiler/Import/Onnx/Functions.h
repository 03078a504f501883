//===- Functions.h - Local functions of a model -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the function that a node calls, and computes the size after inlining in
// advance: functions that call each other twice grow exponentially.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_FUNCTIONS_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_FUNCTIONS_H

#include "Flatten.h"

namespace gpucost::importer {

struct LocalFunction {
  const pb::FunctionProto *proto = nullptr;
  llvm::StringRef domain;
  std::string overload;
  Opsets opsets;
  /// `attribute_proto`: attributes with default values.
  std::vector<pb::AttributeProto> defaults;

  /// Weight of the inlined body, and levels of calls in it.
  uint64_t weight = 0;
  int64_t depth = 0;
  enum { New, Open, Done } state = New;
};

class FunctionTable {
public:
  /// Collects the functions of `model`. Duplicate names, recursion, and calls
  /// deeper than `options.maxFunctionDepth` are errors.
  llvm::Error build(const pb::ModelProto &model, const ImportOptions &options);

  /// The function that `node` calls, or null.
  const LocalFunction *find(const pb::NodeProto &node) const;

  /// The weight of `node` for `options.maxInlinedNodes`: 1, more for a large
  /// node, including the body for a call. Saturates.
  uint64_t getWeight(const pb::NodeProto &node) const;
  /// The weight of all inlined calls in `node` and its subgraphs. Saturates.
  uint64_t getCallWeight(const pb::NodeProto &node) const;

private:
  llvm::Error measure(LocalFunction &function, int64_t depth);

  int64_t maxDepth = 0;
  std::deque<LocalFunction> functions;
  llvm::StringMap<llvm::SmallVector<LocalFunction *, 1>> byName;
};

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_FUNCTIONS_H
