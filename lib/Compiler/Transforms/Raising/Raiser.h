//===- Raiser.h - Shared by the fusion patterns -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over a block visits the rare ops that fusion patterns are anchored
// on (Erf, Sqrt, Softmax, ...); each fusion pattern follows uses and
// definitions from there. A fusion pattern states the ops that it covers, and
// the rewrite takes place only when nothing else uses their results.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RAISER_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RAISER_H

#include "CausalMask.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gpucost::raising {

/// Ops that one kernel of the framework covers; `root` gives its result.
struct Match {
  mlir::Operation *root = nullptr;
  llvm::SmallVector<mlir::Operation *, 16> inner;

  void add(mlir::Operation *op) { inner.push_back(op); }
  /// True when no op outside of the match uses what is inside.
  bool isClosed() const;
};

/// Rewrites the fusion patterns of one block.
class Raiser {
public:
  /// `opset` is the version of the default domain, 0 when unknown. Compiled
  /// code (`fuses`) also makes one kernel of what a model spells out.
  Raiser(mlir::Block &block, AttentionMode attention, int64_t opset, bool fuses)
      : block(block), attention(attention), opset(opset), fuses(fuses) {}

  void run();

  // Fusion patterns. Each takes its anchor and returns whether it rewrote
  // something.
  bool raiseGelu(mlir::Operation *erf);             // Gelu.cpp
  bool raiseTanhGelu(mlir::Operation *tanh);        // Gelu.cpp
  bool raiseSelfGate(mlir::Operation *gate);        // Activations.cpp
  bool raiseMish(mlir::Operation *softplus);        // Activations.cpp
  bool raiseSoftplus(mlir::Operation *softplus);    // Activations.cpp
  bool raiseClip(mlir::Operation *lower);           // Activations.cpp
  bool raiseRsqrt(mlir::Operation *sqrt);           // Activations.cpp
  bool raiseLayerNorm(mlir::Operation *sqrt);       // Normalization.cpp
  bool raiseRMSNorm(mlir::Operation *sqrt);         // Normalization.cpp
  bool raiseGroupNorm(mlir::Operation *instance);   // Normalization.cpp
  bool raiseSoftmax(mlir::Operation *exp);          // Softmax.cpp
  bool raiseEinsum(mlir::Operation *einsum);        // Einsum.cpp
  bool raiseAttention(mlir::Operation *softmax);    // Attention.cpp
  bool expandAttention(mlir::Operation *attention); // ExpandAttention.cpp

private:
  void visit(mlir::Operation *anchor);
  /// A remark that `what` at `op` stays the ops that it is, and why. Returns
  /// false.
  static bool miss(mlir::Operation *op, llvm::StringRef what,
                   llvm::StringRef reason);
  /// What a model spells out is one kernel only in compiled code: reports it as
  /// missed otherwise.
  bool canFuse(const Match &match, llvm::StringRef what) const;

  /// Puts one `OpT` in place of a match. It keeps the name and type of the
  /// root's result and the locations of all ops. Null when the match is open.
  template <typename OpT>
  mlir::Operation *
  replace(const Match &match, mlir::ValueRange operands,
          llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    if (!match.isClosed()) {
      miss(match.root, OpT::getOperationName().drop_front(5),
           "a value inside of it is used elsewhere");
      return nullptr;
    }
    mlir::OpBuilder builder(match.root);
    mlir::Operation *op =
        OpT::create(builder, fuseLocations(match),
                    mlir::TypeRange(match.root->getResult(0).getType()),
                    operands, attributes);
    finish(match, op, op);
    return op;
  }

  static mlir::Location fuseLocations(const Match &match);
  /// Makes `result` (last op of the replacement) take over the root's name and
  /// uses, and emits a remark about `op`.
  void finish(const Match &match, mlir::Operation *op, mlir::Operation *result);
  /// Unlinks an op that nothing uses, and what only it used; the ops go away
  /// after the walk, because later anchors may be among them.
  void discard(mlir::Operation *op);

  mlir::Block &block;
  AttentionMode attention;
  int64_t opset;
  bool fuses;
  CausalMask masks;
  llvm::DenseSet<mlir::Operation *> discarded;
  /// Negations of boolean masks, and causal masks that were built here.
  llvm::DenseMap<mlir::Value, mlir::Value> negatedMasks;
  llvm::DenseMap<mlir::Type, mlir::Value> causalMasks;

  friend class AttentionExpander;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RAISER_H
