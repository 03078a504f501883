//===- Flattener.h - Implementation of the flat graph -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The implementation of flattenModel: names, inputs and graphs in Flatten.cpp,
// nodes and calls in FlattenNodes.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTENER_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTENER_H

#include "Functions.h"

namespace gpucost::importer {

using Nodes = google::protobuf::RepeatedPtrField<pb::NodeProto>;

class Flattener {
public:
  Flattener(const pb::ModelProto &model, const ImportOptions &options,
            IsKnownOperator isKnown, FlatGraph &graph)
      : model(model), options(options), isKnown(isKnown), graph(graph),
        functions(*graph.functions) {}

  llvm::Error run();

private:
  // Graphs. `body.graph` and `body.scope` are set.
  llvm::Error addGraph(FlatBody &body);
  llvm::Error defineInitializers(FlatBody &body);
  llvm::Error defineInputs(FlatBody &body);
  llvm::Error defineOutputs(FlatBody &body);
  /// Creates the values that a subgraph defines, so that they hide outer values
  /// with the same names.
  void declareNames(const FlatBody &body);
  llvm::Error checkInlining() const;

  // Nodes.
  llvm::Error addNodes(const Nodes &nodes, Scope &scope, FlatBody &body);
  llvm::Error addNode(const pb::NodeProto &proto, unsigned index, Scope &scope,
                      FlatBody &body);
  llvm::Error addCall(const LocalFunction &function, const pb::NodeProto &proto,
                      unsigned index, Scope &scope, FlatBody &body);
  llvm::Error addIdentity(ValueId input, ValueId output, const Scope &scope,
                          FlatBody &body);
  llvm::Error addOutputs(const pb::NodeProto &proto, unsigned index,
                         Scope &scope, FlatBody &body);
  llvm::Error addSubgraphs(const pb::NodeProto &proto, unsigned index,
                           Scope &scope, FlatBody &body);
  llvm::Error checkArity(const pb::NodeProto &proto) const;
  bool isKnownOperator(const pb::NodeProto &proto, const Scope &scope) const;
  bool isRepeatedConstant(const pb::NodeProto &proto, Scope &scope);
  void requireOpset(llvm::StringRef domain, const Scope &scope);

  // Values.
  ValueId makeValue(llvm::StringRef name, const Scope &scope);
  /// The value `name` in `scope`, created on first use.
  ValueId lookup(llvm::StringRef name, Scope &scope);
  /// Sets the definition of `id`; an error if it already has another one.
  llvm::Error define(ValueId id, FlatValue::Kind kind, uint32_t index,
                     const FlatBody &body);
  std::string describeOrigin(FlatValue::Kind kind, uint32_t index,
                             const FlatBody &body) const;

  const pb::ModelProto &model;
  const ImportOptions &options;
  IsKnownOperator isKnown;
  FlatGraph &graph;
  const FunctionTable &functions;
};

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTENER_H
