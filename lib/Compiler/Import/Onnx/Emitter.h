//===- Emitter.h - Converts flat nodes to the onnx dialect ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the module of a flat graph. Values (arguments, weights, constants)
// are in EmitValues.cpp, nodes in Emitter.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_EMITTER_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_EMITTER_H

#include "Attributes.h"
#include "Flatten.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/Builders.h"

namespace gpucost::importer {

/// The op that represents an ONNX operator.
struct OpIdentity {
  mlir::OperationName name;
  /// `domain` and `op_type`; empty for a dedicated op.
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes;
  /// Table row of the op; null for `onnx.Custom`.
  const onnx::OpInfo *info = nullptr;
};

/// Builds one module; `fileName` is used in locations.
class Emitter {
public:
  Emitter(mlir::MLIRContext &context, FlatGraph &graph,
          llvm::StringRef fileName, const ImportOptions &options)
      : context(&context), graph(graph), options(options), builder(&context),
        tensors(&context, options), attributes(&context, tensors, options),
        fileName(builder.getStringAttr(fileName)),
        valuesName(
            builder.getStringAttr(onnx::OnnxDialect::valueNamesAttrName)),
        values(graph.values.size()), declared(graph.values.size()) {}

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> emit();

private:
  llvm::Error addArguments(mlir::Block &block,
                           llvm::SmallVectorImpl<mlir::DictionaryAttr> &attrs);
  /// Fills `block`, which has its arguments, with weights and nodes of `body`.
  llvm::Error emitBody(const FlatBody &body, mlir::Block &block);
  llvm::Error emitWeights(const FlatBody &body);
  llvm::Error emitInitializer(ValueId id);
  llvm::Error emitNode(const FlatNode &node);
  /// Adds the subgraphs of a control flow node as regions of its op.
  llvm::Error addRegions(const FlatNode &node, mlir::OperationState &state);
  llvm::Error emitConstantNode(const FlatNode &node);
  mlir::Value emitConstant(const ConstantValue &constant, ValueId id,
                           llvm::StringRef name, mlir::Location location);
  mlir::Value getNone();

  void collectDeclaredTypes(const FlatBody &body);
  llvm::Error addDeclaredTypes(const FlatNode &node,
                               mlir::NamedAttrList &attrs);
  llvm::Error addAttributes(const FlatNode &node, const onnx::OpInfo *info,
                            int64_t opset, mlir::NamedAttrList &attrs);
  /// Checks that the operator declares such an attribute of this kind; an
  /// attribute of another opset is only a note.
  llvm::Error checkAttribute(const FlatNode &node, const onnx::OpInfo &info,
                             int64_t opset, llvm::StringRef name,
                             const pb::AttributeProto &attribute);
  void setModuleAttributes(mlir::ModuleOp module);

  const OpIdentity &getIdentity(const FlatNode &node, int64_t opset);
  const OpIdentity &findIdentity(const FlatNode &node, int64_t opset,
                                 bool isMalformed);
  /// Error for values that no op defines: missing results of a Constant.
  llvm::Error undefined(const llvm::Twine &where, ValueId id) const;
  int64_t getOpset(llvm::StringRef domain, const Scope *scope) const;
  mlir::Location getFileLocation(unsigned index, unsigned graphNumber = 0) {
    return mlir::FileLineColLoc::get(fileName, index, graphNumber);
  }
  mlir::Location getLocation(const pb::NodeProto &proto, unsigned index,
                             const Scope *scope);
  /// The name of the node, or `Relu_12` if it has none.
  mlir::StringAttr getNodeName(const pb::NodeProto &proto, unsigned index);
  mlir::StringAttr getValueName(ValueId id);
  /// Adds `onnx.values` to an op with these results if names are kept.
  void addValueNames(llvm::ArrayRef<ValueId> outputs,
                     mlir::NamedAttrList &attrs);
  void chooseNamedValues();

  mlir::MLIRContext *context;
  FlatGraph &graph;
  const ImportOptions &options;
  mlir::OpBuilder builder;
  TensorBuilder tensors;
  AttributeBuilder attributes;
  mlir::StringAttr fileName, valuesName;

  /// By value: its SSA value, and the type declared in the file.
  std::vector<mlir::Value> values;
  std::vector<const pb::TypeProto *> declared;
  /// Values that keep their names; if empty, all do.
  llvm::DenseSet<ValueId> named;
  mlir::Value none;
  mlir::Block *mainBlock = nullptr;
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::StringRef>, OpIdentity>
      identities[3]; // Without and with subgraphs; malformed nodes.
  llvm::DenseMap<const Scope *, mlir::Location> callLocations;
  /// Attributes of other opsets that are already noted.
  llvm::DenseSet<const onnx::AttrInfo *> notedAttributes;
};

/// Adds `subject` as a prefix to `error`.
llvm::Error prefixError(const llvm::Twine &subject, llvm::Error error);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_EMITTER_H
