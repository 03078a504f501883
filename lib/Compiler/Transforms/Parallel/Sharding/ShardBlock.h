//===- ShardBlock.h - Tensor parallelism of one block -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor parallelism as in Megatron-LM: matmuls with weights are split by
// columns; their results remain sharded through views, pointwise ops and
// attention until a matmul sums over the sharded dimension. docs/CostModel.md,
// rules (X4), (X6) to (X8) and (X32).
//
// `follow` reads the block in program order and determines for each value the
// sharded dimension and its lane. Ops that cannot be sharded are excluded, and
// the rest is read again without them. `apply` changes types and attributes and
// inserts the collectives.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H

#include "Lanes.h"
#include "Raising/Matchers.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost::sharding {

struct ShardOptions {
  int64_t gpus = 1;
  /// Pad indivisible numbers of heads.
  bool padHeads = false;
  /// A loss follows: logits may remain sharded.
  bool trains = false;
  /// Each GPU has some of the experts instead of a part of each.
  bool wholeExperts = false;
};

/// A tensor that was not sharded, or was padded or copied.
struct ShardNote {
  std::string subject; ///< "onnx.MatMul", "attention"
  std::string reason;
  std::string name; ///< first node
  int64_t count = 0;
};

class ShardBlock {
public:
  ShardBlock(mlir::Block &block, const ShardOptions &options)
      : block(block), options(options) {}

  /// Decides which dimensions are sharded. Fails after a diagnostic if the
  /// number of heads is not divisible.
  mlir::LogicalResult follow();
  /// Applies the decisions.
  void apply();

  /// The first layer of experts that is sharded; null: none.
  mlir::Operation *firstExperts() const;
  /// Whether any tensor is sharded.
  bool divides() const { return !seeds.empty(); }
  void takeNotes(llvm::SmallVectorImpl<ShardNote> &notes) const;

private:
  using Lane = Lanes::Lane;
  /// How an op starts or ends a sharded region.
  enum class Role {
    Columns,    ///< a matmul split by columns
    Vocabulary, ///< the same for logits that are gathered immediately
    Logits,     ///< the same for logits that a loss reads sharded
    Factor,     ///< a matrix of an adapter, its result is gathered
    Embedding,  ///< rows of the vocabulary
    Experts,    ///< columns and rows inside one op
    Input       ///< an input of the graph
  };
  struct Seed {
    mlir::Operation *op;
    Role role;
    Lane lane;
  };
  /// How a value is sharded.
  struct Part {
    int64_t dim;
    Lane lane;
    /// Dimension along which each key head is copied for the query heads that
    /// share it (-1: none), and its lane.
    int64_t repeatDim = -1;
    Lane queries = 0;
  };

  // Follow.cpp
  void followOnce();
  void start(mlir::Operation *op);
  void startInputs();
  bool isBanned(mlir::Operation *op, Role role) const {
    return banned.count({op, role}) != 0;
  }
  bool banFailures();
  mlir::LogicalResult checkHeads();
  void checkWeights();

  // Values.cpp
  const Part *partOf(mlir::Value value) const;
  bool divide(mlir::Value value, int64_t dim, Lane lane);
  bool divideWeight(mlir::OpOperand &use, int64_t dim, Lane lane);
  /// Shards an operand: a weight, an input, or a value already sharded so.
  bool divideOperand(mlir::Operation *op, unsigned index, int64_t dim,
                     Lane lane);
  void sliceOperand(mlir::OpOperand &use, int64_t dim, Lane lane);
  void fail(mlir::Operation *op, const std::string &reason);

  // Rules.cpp
  bool visit(mlir::Operation *op);
  bool visitPointwise(mlir::Operation *op);
  bool visitRotary(mlir::Operation *op);
  bool visitReshape(mlir::Operation *op);
  bool visitTranspose(mlir::Operation *op);
  bool visitSlices(mlir::Operation *op);
  bool visitCacheUpdate(mlir::Operation *op);
  bool visitExpand(mlir::Operation *op);
  bool visitLoss(mlir::Operation *op);

  // Recurrences.cpp
  bool visitCausalConvolution(mlir::Operation *op);
  bool visitLinearAttention(mlir::Operation *op);

  // Products.cpp
  void findVocabulary();
  bool isEmbedding(mlir::Operation *op) const;
  bool startColumns(mlir::Operation *op, Role role);
  bool startEmbedding(mlir::Operation *op);
  bool startExperts(mlir::Operation *op);
  bool divideExperts(mlir::Operation *op, Lane lane);
  bool visitProduct(mlir::Operation *op);
  bool visitPackedProduct(mlir::Operation *op);
  bool dividePackedWeights(mlir::Operation *op, bool byColumns, Lane lane);

  // Attention.cpp
  struct HeadLayout;
  bool visitAttention(mlir::Operation *op);
  bool divideHeadsOf(mlir::Operation *op, const HeadLayout &layout);
  bool divideMask(mlir::Operation *op, unsigned index, Lane queries);

  // Apply.cpp
  void setTypes();
  void setAttributes();
  void insertSlices();
  void shareInputs();
  void shareInput(llvm::ArrayRef<mlir::Operation *> readers);
  void insertCollectives();
  void insertCollective(mlir::Operation *op, CollectiveKind kind,
                        mlir::Type type, llvm::StringRef origin);

  mlir::Block &block;
  ShardOptions options;
  int64_t vocabulary = 0; ///< rows of the vocabulary table; 0: none

  // Results of `followOnce`.
  Lanes lanes;
  llvm::MapVector<mlir::Value, Part> parts;
  llvm::SmallVector<Seed> seeds;
  llvm::SmallVector<std::pair<mlir::Operation *, Lane>> rows, losses;
  /// (X32) Those of `rows` that are the matrix A of an adapter.
  llvm::DenseSet<mlir::Operation *> factors;
  llvm::DenseSet<mlir::OpOperand *> weightUses;
  struct SlicedOperand {
    mlir::OpOperand *use;
    int64_t dim;
    Lane lane;
  };
  llvm::SmallVector<SlicedOperand> sliced;
  struct ScaledAttribute {
    mlir::Operation *op;
    std::string name;
    Lane lane;
  };
  llvm::SmallVector<ScaledAttribute> attributes;

  /// Ops that cannot be sharded, and why.
  llvm::MapVector<std::pair<mlir::Operation *, Role>, std::string> banned;
};

using raising::getStaticType;
/// Whether `value` is computed only from parameters and constants.
bool isWeight(mlir::Value value);
/// Whether `op` multiplies an activation by a weight matrix.
bool isWeightProduct(mlir::Operation *op);
/// (X32) Whether `op` is the first of two matmuls of low rank, one after the
/// other: the matrix A of an adapter.
bool isFirstFactor(mlir::Operation *op);
/// Whether the second operand is transposed.
bool isTransposed(mlir::Operation *op);
/// An integer attribute.
int64_t intOf(mlir::Operation *op, llvm::StringRef name, int64_t fallback);
/// The activation that a matmul reads, before casts.
mlir::Value sharedInput(mlir::Operation *op);

} // namespace gpucost::sharding

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H
