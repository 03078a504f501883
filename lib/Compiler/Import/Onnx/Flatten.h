//===- Flatten.h - Flat node list without names or functions ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts a model's graph to nodes over numbered values: names are resolved,
// calls of local functions are inlined, subgraphs of control flow are bodies of
// their node, and nodes are in topological order. No MLIR is used here.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTEN_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTEN_H

#include "ModelFile.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <vector>

namespace gpucost::importer {

using ValueId = uint32_t;
/// A missing optional input or output.
inline constexpr ValueId noValue = ~0u;

/// Domain (canonical) -> version.
using Opsets = llvm::StringMap<int64_t>;

class FunctionTable;
struct FlatNode;

/// The names and attributes visible in one graph or in one function call.
struct Scope {
  const Opsets *opsets = nullptr;
  llvm::DenseMap<llvm::StringRef, ValueId> values;
  /// The enclosing scope, in which a subgraph resolves names that it does not
  /// define; null elsewhere.
  Scope *parent = nullptr;
  /// Number of the graph in the file: 0 for the main graph
  /// (OnnxPosition::graph).
  unsigned graphNumber = 0;

  // Only for calls.
  /// The call's node and scope; null in the main graph.
  const pb::NodeProto *call = nullptr;
  const Scope *caller = nullptr;
  unsigned callIndex = 0;
  /// The attributes that `ref_attr_name` refers to.
  llvm::DenseMap<llvm::StringRef, const pb::AttributeProto *> attributes;
};

struct FlatBody;

struct FlatNode {
  FlatNode(const pb::NodeProto *proto, const Scope *scope, unsigned index)
      : proto(proto), scope(scope), index(index) {}
  FlatNode(FlatNode &&) noexcept = default;
  FlatNode(const FlatNode &) = delete;

  const pb::NodeProto *proto;
  const Scope *scope;
  /// Position in its graph or function.
  unsigned index;
  /// Number of trailing inputs that are values used by subgraphs, if the node
  /// is not control flow and its subgraphs are not converted.
  unsigned captured = 0;
  /// Number of nodes in subgraphs that are not converted, at all levels.
  uint64_t subgraphNodes = 0;
  bool hasSubgraph = false;
  llvm::SmallVector<ValueId, 3> inputs;
  llvm::SmallVector<ValueId, 1> outputs;
  /// Subgraphs of control flow in the order of the operator's attributes, and
  /// the values from outside that they use.
  std::vector<std::unique_ptr<FlatBody>> bodies;
  std::vector<ValueId> captures;
};

/// The main graph, or a subgraph of a control flow node.
struct FlatBody {
  const pb::GraphProto *graph = nullptr;
  Scope *scope = nullptr;
  /// 0 for the main graph.
  unsigned depth = 0;
  std::vector<FlatNode> nodes;
  /// Inputs that are not initializers: indices into `graph->input()`.
  std::vector<unsigned> inputs;
  std::vector<ValueId> inputValues, outputValues;
  /// Nodes in an order in which every value is defined before its uses.
  std::vector<uint32_t> order;
};

/// A value and its origin.
struct FlatValue {
  enum Kind : uint8_t {
    Undefined,
    Input,
    Initializer,
    SparseInitializer,
    Node
  };
  Kind kind = Undefined;
  /// Index of the input, initializer or node of `body`.
  uint32_t index = 0;
  const FlatBody *body = nullptr;
  llvm::StringRef name;
  const Scope *scope = nullptr;
};

struct FlatGraph {
  FlatBody main;
  std::vector<FlatValue> values;
  /// Opsets of the model, including assumed ones.
  Opsets opsets;
  /// Assumptions made.
  std::vector<std::string> notes;
  /// Number of initializers that nothing uses.
  int64_t unusedInitializers = 0;

  /// Subgraphs by their numbers in the file.
  llvm::DenseMap<const pb::GraphProto *, unsigned> graphNumbers;

  /// Storage for the pointers in the members above.
  std::deque<Scope> scopes;
  std::shared_ptr<FunctionTable> functions;
  std::deque<pb::NodeProto> identities;
};

/// Whether the dialect has a dedicated op for an operator. The op's kernel
/// replaces a local function of that name, so the function is not inlined.
using IsKnownOperator = llvm::function_ref<bool(
    llvm::StringRef domain, llvm::StringRef type, int64_t opset)>;

/// Resolves, inlines, checks and sorts the graph of `model`; refers to `model`.
llvm::Expected<std::unique_ptr<FlatGraph>>
flattenModel(const pb::ModelProto &model, const ImportOptions &options,
             IsKnownOperator isKnown);

/// `node 12 'relu' (Relu)`, with the function that contains it.
std::string describe(const pb::NodeProto &node, unsigned index,
                     const Scope *scope);

/// Fills `body.order`; a cycle is an error with its nodes (SortNodes.cpp).
llvm::Error sortNodes(const FlatGraph &graph, FlatBody &body);

/// Checks that all values that `body` uses are defined, and fills the captures
/// and the order of all bodies in it (CheckUses.cpp).
llvm::Error checkAndSort(FlatGraph &graph);

/// The subgraph attributes of a control flow operator; empty for any other
/// operator, whose subgraphs are not converted (Subgraphs.cpp).
llvm::ArrayRef<llvm::StringLiteral> getBodyNames(const pb::NodeProto &node);

/// Calls `visit` for `node` and all nodes of its subgraphs (Subgraphs.cpp).
void visitNodes(const pb::NodeProto &node,
                llvm::function_ref<void(const pb::NodeProto &)> visit);

/// Captures and node count of a node's unconverted subgraphs (Subgraphs.cpp).
struct SubgraphSummary {
  bool any = false;
  uint64_t nodes = 0;
  /// Names from outside, without duplicates, in order of first use.
  std::vector<llvm::StringRef> captured;
};
SubgraphSummary summarizeSubgraphs(const pb::NodeProto &node);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTEN_H
