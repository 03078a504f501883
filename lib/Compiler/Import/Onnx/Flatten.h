//===- Flatten.h - One list of nodes without names or functions -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a model's graph into nodes over numbered values: names are resolved,
// calls of local functions are inlined, subgraphs of control flow are bodies of
// their node, and nodes are in topological order. Nothing of MLIR is in here.
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

/// The names and attributes that one graph or one call of a function sees.
struct Scope {
  const Opsets *opsets = nullptr;
  llvm::DenseMap<llvm::StringRef, ValueId> values;
  /// Where a subgraph finds names that are not its own; null elsewhere.
  Scope *parent = nullptr;
  /// Of the graph in the file: 0 for the main one (OnnxPosition::graph).
  unsigned graphNumber = 0;

  // Calls only.
  /// The call's node and scope; null in the main graph.
  const pb::NodeProto *call = nullptr;
  const Scope *caller = nullptr;
  unsigned callIndex = 0;
  /// What `ref_attr_name` refers to.
  llvm::DenseMap<llvm::StringRef, const pb::AttributeProto *> attributes;
};

struct FlatBody;

struct FlatNode {
  FlatNode(const pb::NodeProto *proto, const Scope *scope, unsigned index)
      : proto(proto), scope(scope), index(index) {}
  FlatNode(FlatNode &&) = default;
  FlatNode(const FlatNode &) = delete;

  const pb::NodeProto *proto;
  const Scope *scope;
  /// Position in its graph or function.
  unsigned index;
  /// The last `captured` inputs are values that subgraphs use, when the node is
  /// no control flow and its subgraphs stay closed.
  unsigned captured = 0;
  /// Nodes in closed subgraphs, at all levels.
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
  /// Real inputs, without initializers: indices into `graph->input()`.
  std::vector<unsigned> inputs;
  std::vector<ValueId> inputValues, outputValues;
  /// Nodes in an order in which every value is defined before its uses.
  std::vector<uint32_t> order;
};

/// A value and where it comes from.
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
  /// Opsets of the model, completed by what was assumed.
  Opsets opsets;
  /// What was assumed.
  std::vector<std::string> notes;
  /// Number of initializers that nothing uses.
  int64_t unusedInitializers = 0;

  /// Subgraphs by their numbers in the file.
  llvm::DenseMap<const pb::GraphProto *, unsigned> graphNumbers;

  /// Storage of what the members above point to.
  std::deque<Scope> scopes;
  std::shared_ptr<FunctionTable> functions;
  std::deque<pb::NodeProto> identities;
};

/// Whether the dialect has an op of its own for an operator: a local function
/// of that name is what the operator's kernel replaces, so it is not inlined.
using IsKnownOperator = llvm::function_ref<bool(
    llvm::StringRef domain, llvm::StringRef type, int64_t opset)>;

/// Resolves, inlines, checks and sorts the graph of `model`, which must outlive
/// the result.
llvm::Expected<std::unique_ptr<FlatGraph>>
flattenModel(const pb::ModelProto &model, const ImportOptions &options,
             IsKnownOperator isKnown);

/// `node 12 'relu' (Relu)`, with the function that it comes from.
std::string describe(const pb::NodeProto &node, unsigned index,
                     const Scope *scope);

/// Fills `body.order`; a cycle is an error that names its nodes
/// (SortNodes.cpp).
llvm::Error sortNodes(const FlatGraph &graph, FlatBody &body);

/// Checks that all values that `body` uses are defined, and fills the captures
/// and the order of all bodies in it (CheckUses.cpp).
llvm::Error checkAndSort(FlatGraph &graph);

/// The subgraph attributes that a control flow operator has; empty for any
/// other operator, whose subgraphs stay closed (Subgraphs.cpp).
llvm::ArrayRef<llvm::StringLiteral> getBodyNames(const pb::NodeProto &node);

/// Calls `visit` for `node` and all nodes of its subgraphs (Subgraphs.cpp).
void visitNodes(const pb::NodeProto &node,
                llvm::function_ref<void(const pb::NodeProto &)> visit);

/// What the closed subgraphs of one node use and hold (Subgraphs.cpp).
struct SubgraphSummary {
  bool any = false;
  uint64_t nodes = 0;
  /// Names from outside, each once, in order of first use.
  std::vector<llvm::StringRef> captured;
};
SubgraphSummary summarizeSubgraphs(const pb::NodeProto &node);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_FLATTEN_H
