//===- BlockInference.h - Type inference of a block -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward pass over the ops of a block. A branch is selected and a loop
// body inlined as soon as the pass reaches it, because its condition or trip
// count is only known at that point; ops before it are already flat. Sequences
// with known elements are replaced with these elements.
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
  /// Limit for the ops in all copies of loop bodies in one function, and the
  /// limit above which loops are not unrolled any more.
  static constexpr int64_t maxCopiedOps = 1'000'000;
  static constexpr int64_t maxFreelyCopiedOps = 200'000;
  /// A loop is unrolled if the result has at most this many ops. The second
  /// limit applies if its types change from one iteration to the next.
  static constexpr int64_t maxUnrolledOps = 512;
  static constexpr int64_t maxUnrolledChangingOps = 20'000;

  BlockInference(onnx::InferenceState &state, TripCounts &trips,
                 DataSizes &sizes)
      : state(state), trips(trips), sizes(sizes), opset(state.opset) {}

  /// Infers all ops of `block`. Contradictions within an op are reported, and
  /// its results remain unknown.
  llvm::LogicalResult run(mlir::Block &block);

  /// Types of ONNX values whose ops were removed, by name.
  llvm::StringMap<mlir::Type> types;
  /// An assumption for the coverage report: operator and reason. With `atMost`,
  /// the iteration costs at most as much as predicted.
  struct Assumption {
    std::string op, reason;
    bool atMost;
  };
  std::vector<Assumption> assumptions;
  /// Writes `gpucost.trip_count` if a loop body was inlined.
  void markSteps(mlir::Block &block) const;

private:
  // All of these return the op at which the pass continues.
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
  /// Replaces `result` with `value`, which gets its name.
  void handOver(mlir::OpResult result, mlir::Value value);
  /// Another name for `value`: a view with the same known contents.
  mlir::Value alias(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);
  /// Result of inferring a branch that may not be selected.
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
    mlir::Operation *before = nullptr; ///< the op that precedes the copy
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

  // Insertion and removal of ops.
  /// Moves the ops of `block` before `anchor`, without its terminator; returns
  /// the first one, or null if there is none.
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
  /// Trip counts of the ops in loop bodies; 1 if absent.
  llvm::DenseMap<mlir::Operation *, int64_t> steps;
  llvm::DenseMap<mlir::Value, List> lists;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_BLOCKINFERENCE_H
