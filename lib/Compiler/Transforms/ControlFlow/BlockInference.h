//===- BlockInference.h - Types of a block, control flow resolved -*- C++ -*-=//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward pass over the ops of a block. A branch is chosen and a loop body
// put in place as soon as the pass reaches it, because only there is known what
// its condition and trip count are: behind it the block is flat. Sequences
// whose elements are known become these elements.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_BLOCKINFERENCE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_BLOCKINFERENCE_H

#include "Shapes/DataSizes.h"
#include "TripCounts.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace gpucost {

class BlockInference {
public:
  /// Ops that copies of loop bodies in one function may have together, and from
  /// which number on loops are no longer unrolled.
  static constexpr int64_t maxCopiedOps = 1'000'000;
  static constexpr int64_t maxFreelyCopiedOps = 200'000;
  /// A loop is unrolled when that gives at most so many ops, or this many when
  /// its types change from one iteration to the next.
  static constexpr int64_t maxUnrolledOps = 512;
  static constexpr int64_t maxUnrolledChangingOps = 20'000;

  BlockInference(onnx::InferenceState &state, TripCounts &trips,
                 DataSizes &sizes)
      : state(state), trips(trips), sizes(sizes), opset(state.opset) {}

  /// Infers all ops of `block`. Ops that contradict themselves are reported and
  /// leave their results unknown.
  llvm::LogicalResult run(mlir::Block &block);

  /// Types of ONNX values whose ops are gone, by name.
  llvm::StringMap<mlir::Type> types;
  /// What had to be assumed: operator and reason, for the coverage report. The
  /// costs of an assumption are part of the iteration, or more than that.
  struct Assumption {
    std::string op, reason;
    bool atMost;
  };
  std::vector<Assumption> assumptions;
  /// Writes `gpucost.trip_count` when a loop body was put in place.
  void markSteps(mlir::Block &block) const;

private:
  // All of these return the op to go on with.
  mlir::Operation *visit(mlir::Operation *op);
  mlir::Operation *resolveIf(mlir::Operation *op);         // Branches.cpp
  mlir::Operation *resolveLoop(mlir::Operation *op);       // Loops.cpp
  mlir::Operation *resolveScan(mlir::Operation *op);       // Loops.cpp
  mlir::Operation *resolveSequenceOp(mlir::Operation *op); // Sequences.cpp

  /// Infers from `from` up to `end`, exclusive; null is the end of the block.
  void inferUntil(mlir::Operation *from, mlir::Operation *end);

  // Branches.
  mlir::Operation *takeBranch(mlir::Operation *op, unsigned branch,
                              bool inferred);
  /// Gives the name of `result` to `value`, which takes its place.
  void handOver(mlir::OpResult result, mlir::Value value);
  /// Another name for `value`: a view of which the same is known.
  mlir::Value alias(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);
  /// What came of inferring a branch that may not be taken.
  struct Trial {
    bool good = false;
    std::vector<
        std::tuple<mlir::Location, mlir::DiagnosticSeverity, std::string>>
        diagnostics;
    std::vector<Assumption> assumptions;
  };
  void inferSpeculatively(mlir::Block &block, Trial &trial);
  void accept(const Trial &trial);

  // Loops (Loops.cpp, LoopBodies.cpp).
  struct Loop;
  /// One copy of a loop's body before the loop.
  struct Iteration {
    mlir::Operation *before = nullptr; ///< the op that the copy stands behind
    llvm::SmallVector<mlir::Value> yields;
  };
  mlir::Operation *expand(Loop &loop);
  bool unroll(Loop &loop);
  void estimateTrips(Loop &loop);
  void repeat(Loop &loop, const Iteration &iteration);
  Iteration placeBody(Loop &loop, llvm::ArrayRef<mlir::Value> arguments,
                      bool keepApart);
  Iteration placeOpaque(Loop &loop, llvm::ArrayRef<mlir::Type> carried);
  void removeBody(Loop &loop, mlir::Operation *before);
  mlir::Value enterLoop(Loop &loop, mlir::Value value, mlir::Type type);
  mlir::Type stackType(Loop &loop, unsigned i, mlir::Type slice,
                       std::optional<int64_t> n);
  void replaceResults(Loop &loop, llvm::ArrayRef<mlir::Value> carried,
                      llvm::ArrayRef<mlir::Value> stacked);
  bool isConstant(mlir::Value value, unsigned depth = 0) const;
  void assume(mlir::Operation *op, llvm::StringRef reason,
              const llvm::Twine &advice, bool atMost);
  std::string adviseCondition(mlir::Value condition) const;

  // Sequences.
  using List = llvm::SmallVector<mlir::Value>;
  mlir::Operation *replaceBy(mlir::Operation *op, mlir::Value value);
  mlir::Operation *mapSequence(mlir::Operation *op);
  size_t estimateLength(mlir::Operation *op);
  List takeElements(mlir::Operation *op, mlir::Value list, size_t length);
  mlir::Operation *splitToList(mlir::Operation *op);
  mlir::Operation *concatList(mlir::Operation *op, const List &list);
  std::optional<int64_t> getPosition(mlir::Value index, int64_t length,
                                     bool isInsert);

  // Ops that come and go.
  /// Moves the ops of `block` before `anchor`, without its terminator; returns
  /// the first one, null when there is none.
  mlir::Operation *splice(mlir::Block &block, mlir::Operation *anchor);
  mlir::Operation *clone(mlir::Operation *op, mlir::OpBuilder &builder,
                         mlir::IRMapping &mapping);
  void erase(mlir::Operation *op);
  void recordTypes(mlir::Operation *op, llvm::ArrayRef<mlir::Type> known);
  template <typename OpT>
  mlir::Value create(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type, mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return OpT::create(builder, loc, type, operands, attributes)->getResult(0);
  }
  mlir::Value createScalar(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Type element, int64_t value);
  std::optional<int64_t> getScalar(mlir::Value value) const;
  bool mayCopy(mlir::Operation *op, int64_t size);
  mlir::Operation *fail(mlir::Operation *op, const llvm::Twine &message);

  onnx::InferenceState &state;
  TripCounts &trips;
  DataSizes &sizes;
  int64_t opset;
  int64_t copiedOps = 0;
  bool ok = true;
  bool exhausted = false;
  /// How often ops of loop bodies run; 1 where nothing is said.
  llvm::DenseMap<mlir::Operation *, int64_t> steps;
  llvm::DenseMap<mlir::Value, List> lists;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_BLOCKINFERENCE_H
