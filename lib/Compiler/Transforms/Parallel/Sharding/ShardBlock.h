//===- ShardBlock.h - Tensor parallelism of one block -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor parallelism after Megatron-LM: products with weights are divided by
// columns; their results stay divided through views, pointwise ops and
// attention until a product sums over the divided dimension.
// docs/CostModel.md, rules (X4) and (X6) to (X8).
//
// `follow` reads the block in program order and says which dimension of which
// value is divided along which lane. What cannot be followed is left whole, and
// the rest is read again without it. `apply` changes types and attributes and
// inserts the collectives.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H

#include "Lanes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost::sharding {

struct ShardOptions {
  int64_t gpus = 1;
  /// Pad heads that do not divide.
  bool padHeads = false;
  /// A loss follows: logits may stay divided.
  bool trains = false;
};

/// Something that was not divided, or not as it is in the file.
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

  /// Decides what is divided. Fails after a diagnostic when heads do not
  /// divide.
  mlir::LogicalResult follow();
  /// Divides it.
  void apply();

  /// Something is divided.
  bool divides() const { return !seeds.empty(); }
  void takeNotes(llvm::SmallVectorImpl<ShardNote> &notes) const;

private:
  using Lane = Lanes::Lane;
  /// Where an op starts or ends a divided region.
  enum class Role {
    Columns,    ///< a product divided by columns
    Vocabulary, ///< the same, of logits that are gathered at once
    Logits,     ///< the same, of logits that a loss reads divided
    Embedding,  ///< rows of the vocabulary
    Experts,    ///< columns and rows inside of one op
    Input       ///< an input of the graph
  };
  struct Seed {
    mlir::Operation *op;
    Role role;
    Lane lane;
  };
  /// How a value is divided.
  struct Part {
    int64_t dim;
    Lane lane;
    /// Copies of each head of keys for the queries that share it, and the lane
    /// of those; -1: none.
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
  /// A weight, an input, or what is divided like this already.
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

  // Products.cpp
  void findVocabulary();
  bool isEmbedding(mlir::Operation *op) const;
  bool startColumns(mlir::Operation *op, Role role);
  bool startEmbedding(mlir::Operation *op);
  bool startExperts(mlir::Operation *op);
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

  mlir::Block &block;
  ShardOptions options;
  int64_t vocabulary = 0; ///< rows of the table of words; 0: none

  // What `followOnce` finds.
  Lanes lanes;
  llvm::MapVector<mlir::Value, Part> parts;
  llvm::SmallVector<Seed> seeds;
  llvm::SmallVector<std::pair<mlir::Operation *, Lane>> rows, losses;
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

  /// What cannot be divided, and why.
  llvm::MapVector<std::pair<mlir::Operation *, Role>, std::string> banned;
};

/// The type of a tensor of known shape; null for any other value.
mlir::RankedTensorType shapeOf(mlir::Value value);
/// Made of parameters and constants alone.
bool isWeight(mlir::Value value);
/// A product of an activation with a weight matrix.
bool isWeightProduct(mlir::Operation *op);
/// Its second operand is transposed.
bool isTransposed(mlir::Operation *op);
/// An integer attribute.
int64_t intOf(mlir::Operation *op, llvm::StringRef name, int64_t fallback);
/// The activation that a product reads, before it is cast.
mlir::Value sharedInput(mlir::Operation *op);

} // namespace gpucost::sharding

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_SHARDBLOCK_H
