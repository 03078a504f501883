//===- Raiser.h - Common part of the fusion patterns ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over a block visits the rare ops that anchor fusion patterns (Erf,
// Sqrt, Softmax, ...); each fusion pattern follows uses and definitions from
// there. A fusion pattern lists the ops that it covers, and the rewrite is
// applied only if no other op uses their results.
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

/// Ops that one kernel of the framework covers; `root` computes its result.
struct Match {
  mlir::Operation *root = nullptr;
  llvm::SmallVector<mlir::Operation *, 16> inner;

  void add(mlir::Operation *op) { inner.push_back(op); }
  /// Whether all ops run in the same loops.
  bool runsTogether() const;
  /// Whether no op outside the match uses a value inside.
  bool isClosed() const;
};

/// Rewrites the fusion patterns of one block.
struct AttentionMatch;

class Raiser {
public:
  /// `opset` is the version of the default domain, 0 if unknown. Compiled code
  /// (`fuses`) also fuses patterns that the model contains as separate ops.
  /// In a block that a front end has `lowered`, activations were single ops.
  /// `joinsAttention`: attention of separate ops is also one kernel.
  Raiser(mlir::Block &block, AttentionMode attention, int64_t opset, bool fuses,
         bool lowered, bool joinsAttention)
      : block(block), attention(attention), opset(opset), fuses(fuses),
        lowered(lowered), joinsAttention(joinsAttention) {}

  void run();
  /// Only replaces composite operators with the ops that compute them.
  void expand();

  // Fusion patterns. Each takes its anchor and returns whether it applied.
  bool raiseGelu(mlir::Operation *erf);             // Gelu.cpp
  bool raiseErfcGelu(mlir::Operation *abs);         // Gelu.cpp
  bool raiseTanhGelu(mlir::Operation *tanh);        // Gelu.cpp
  bool raiseSelfGate(mlir::Operation *gate);        // Activations.cpp
  bool raiseMish(mlir::Operation *softplus);        // Activations.cpp
  bool raiseSoftplus(mlir::Operation *softplus);    // Activations.cpp
  bool raiseClip(mlir::Operation *lower);           // Activations.cpp
  bool raiseRsqrt(mlir::Operation *sqrt);           // Activations.cpp
  bool raiseLayerNorm(mlir::Operation *sqrt);       // Normalization.cpp
  bool raiseRMSNorm(mlir::Operation *sqrt);         // Normalization.cpp
  bool raiseGroupNorm(mlir::Operation *norm);       // Normalization.cpp
  bool raiseResample(mlir::Operation *gather);      // LoweredPatterns.cpp
  bool raiseBatchNorm(mlir::Operation *sub);        // LoweredPatterns.cpp
  bool raiseNllLoss(mlir::Operation *gather);       // LoweredLoss.cpp
  bool raiseGroupStatistics(mlir::Operation *sqrt); // LoweredPatterns.cpp
  bool raiseSoftmax(mlir::Operation *exp);          // Softmax.cpp
  bool raiseLogSoftmax(mlir::Operation *exp);       // Softmax.cpp
  bool raiseSigmoid(mlir::Operation *exp);          // Activations.cpp
  bool raiseElu(mlir::Operation *exp);              // Activations.cpp
  bool raiseReduction(mlir::Operation *reduce);     // Reductions.cpp
  bool raiseEinsum(mlir::Operation *einsum);        // Einsum.cpp
  bool splitEinsum(mlir::Operation *einsum);
  bool raiseAttention(mlir::Operation *softmax);        // Attention.cpp
  bool raiseGroupedAttention(mlir::Operation *softmax); // GroupedAttention.cpp
  bool expandAttention(mlir::Operation *attention);     // ExpandAttention.cpp

private:
  void visit(mlir::Operation *anchor);
  bool raiseAttention(mlir::Operation *softmax, AttentionMatch &found);
  void visitAll(llvm::function_ref<bool(mlir::Operation *)> isAnchor);
  void eraseDiscarded();
  /// Emits a remark on why the ops of `what` are not fused. Returns false.
  static bool miss(mlir::Operation *op, llvm::StringRef what,
                   llvm::StringRef reason);
  /// Whether patterns that a model contains as separate ops are fused, which
  /// only compiled code does; otherwise reports a missed fusion.
  bool canFuse(const Match &match, llvm::StringRef what) const;

  /// Replaces a match with one `OpT`. It keeps the name and type of the root's
  /// result and the locations of all ops. Null if the match has other users.
  template <typename OpT>
  mlir::Operation *
  replace(const Match &match, mlir::ValueRange operands,
          llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    if (!match.runsTogether()) {
      miss(match.root, OpT::getOperationName().drop_front(5),
           "its ops run in different loops");
      return nullptr;
    }
    if (!match.isClosed()) {
      miss(match.root, OpT::getOperationName().drop_front(5),
           "a value inside it is used elsewhere");
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
  /// Transfers the root's name and uses to `result` (last op of the
  /// replacement), and emits a remark about `op`.
  void finish(const Match &match, mlir::Operation *op, mlir::Operation *result);
  /// Unlinks an unused op and the ops that only it used; they are erased after
  /// the walk, because later anchors may be among them.
  void discard(mlir::Operation *op);

  mlir::Block &block;
  AttentionMode attention;
  int64_t opset;
  bool fuses;
  bool lowered;
  bool joinsAttention;
  CausalMask masks;
  llvm::DenseSet<mlir::Operation *> discarded;
  /// Images whose readings have been looked at.
  llvm::DenseSet<mlir::Value> resampled;
  /// Negations of boolean masks that were created here.
  llvm::DenseMap<mlir::Value, mlir::Value> negatedMasks;
  /// Masks that were created here, by type and window.
  llvm::DenseMap<std::pair<mlir::Type, std::pair<int64_t, int64_t>>,
                 mlir::Value>
      causalMasks;

  friend class AttentionExpander;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RAISER_H
