//===- Lifting.h - Structured ops as operators ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers' front ends write a model as linalg and tensor ops. Lifting
// replaces these with the onnx ops that compute the same, so that one set of
// rules recognises norms, softmax, attention and activations in both spellings.
// An op whose body holds several steps is one kernel as written: if no rule
// takes any of its steps, it is put back.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTING_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTING_H

#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include <vector>

namespace gpucost::raising {

/// Name of the attribute of lifted ops: [number of the lifted op, position
/// among the ops that replace it].
constexpr llvm::StringLiteral liftedAttrName = "gpucost.lifted";

/// Creates the ops that replace one structured op.
class LiftBuilder {
public:
  LiftBuilder(mlir::Operation *original, int32_t number)
      : original(original), builder(original), loc(original->getLoc()),
        number(number) {}

  template <typename OpT>
  mlir::Value create(mlir::Type type, mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return add(OpT::create(builder, loc, type, operands, attributes))
        ->getResult(0);
  }
  template <typename OpT>
  mlir::Operation *
  createWithResults(mlir::TypeRange types, mlir::ValueRange operands,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes) {
    return add(OpT::create(builder, loc, types, operands, attributes));
  }
  /// An elementwise op whose operands are broadcast; its result has elements of
  /// type `element`.
  template <typename OpT>
  mlir::Value createElementwise(mlir::Type element, mlir::ValueRange operands) {
    return create<OpT>(broadcastType(element, operands), operands);
  }
  /// A tensor of rank 0.
  mlir::Value createScalar(mlir::TypedAttr number);
  mlir::Value createIntegers(llvm::ArrayRef<int64_t> numbers);
  mlir::Value createCast(mlir::Value value, mlir::Type element);
  /// `value` itself if it has this shape.
  mlir::Value createReshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value createTranspose(mlir::Value value,
                              llvm::ArrayRef<int64_t> permutation);
  /// `value` as a tensor that is known before the iteration.
  mlir::Value createKnown(mlir::Value value);
  mlir::Value createExpand(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// Positions 0, 1, ... along `loop` of `ranges`; the other sizes are 1.
  mlir::Value createPositions(llvm::ArrayRef<int64_t> ranges, unsigned loop);
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute integers(llvm::StringRef name,
                                llvm::ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  }
  mlir::Type getI64Type() { return builder.getI64Type(); }

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Erases what was created.
  void abandon();

private:
  /// An op whose second operand is the shape of its result.
  template <typename OpT>
  mlir::Value createWithShape(mlir::Value value,
                              llvm::ArrayRef<int64_t> shape) {
    auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
    if (type.getShape() == shape)
      return value;
    return create<OpT>(type.clone(shape), {value, createIntegers(shape)});
  }
  static mlir::RankedTensorType broadcastType(mlir::Type element,
                                              mlir::ValueRange operands);
  mlir::Operation *add(mlir::Operation *op);

  mlir::Operation *original;
  mlir::OpBuilder builder;
  mlir::Location loc;
  int32_t number;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// What a structured op computes as its only used result; null if it has no
/// spelling in onnx ops.
mlir::Value liftBody(mlir::linalg::LinalgOp op, unsigned result,
                     LiftBuilder &builder);
mlir::Value liftProduct(mlir::linalg::LinalgOp op, LiftBuilder &builder);
mlir::Value liftConvolution(mlir::linalg::LinalgOp op, LiftBuilder &builder);
mlir::Value liftPooling(mlir::linalg::LinalgOp op, LiftBuilder &builder);
/// A read of a table at positions from another tensor, in a body with loops of
/// `ranges`; one dimension per loop. `find` lifts the positions.
mlir::Value liftGather(mlir::tensor::ExtractOp extract,
                       llvm::ArrayRef<int64_t> ranges, LiftBuilder &builder,
                       llvm::function_ref<mlir::Value(mlir::Value)> find);
/// Reshapes, slices and other ops of the tensor dialect.
mlir::Value liftTensorOp(mlir::Operation *op, LiftBuilder &builder);

/// The number that every element of `value` is: a fill or a constant.
std::optional<double> getFill(mlir::Value value);
/// The number in a scalar constant, in double precision.
std::optional<double> getNumber(mlir::Value scalar);
/// The loop that an index follows, -1 for index 0; nullopt otherwise.
std::optional<int64_t> findLoop(mlir::Value index,
                                llvm::ArrayRef<int64_t> ranges);

/// The lifted ops of one block.
class Lifting {
public:
  /// Compiled code (`fuses`) dequantises weights in the product that reads
  /// them.
  Lifting(mlir::Block &block, bool fuses) : block(block), fuses(fuses) {}
  Lifting(const Lifting &) = delete;
  ~Lifting();

  void lift();
  bool hasLifted() const { return numberOfLifted > 0; }
  /// After the rules: ops between casts compute in the format of their
  /// operands, and bodies that no rule took part of are put back.
  void finish();

  /// Names of the structured ops that no operator computes, with the steps of
  /// their bodies: "generic (tanh, addf)".
  std::vector<std::string> describeKept() const;

  /// Whether all ops come from the body of one structured op, which is one
  /// kernel as written.
  static bool areOneKernel(llvm::ArrayRef<mlir::Operation *> ops);

private:
  /// Where an operand of a removed op is read now.
  struct Source {
    mlir::Value fixed; ///< or operand `operand` of lifted op `position`
    mlir::Type type;
    unsigned position = 0, operand = 0;
  };
  struct Removed {
    mlir::Operation *op;
    unsigned result;
    llvm::SmallVector<Source, 4> operands;
    unsigned size; ///< number of lifted ops that a rule may take
    unsigned root; ///< position of the one with the result
  };

  void liftForeignOps(); // LiftForeign.cpp
  void replace(mlir::OpResult old, LiftBuilder &builder, mlir::Value result);
  bool findSources(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> ops,
                   Removed &removed);
  void simplify();
  void narrow();
  void restore();

  mlir::Block &block;
  bool fuses;
  int32_t numberOfLifted = 0;
  llvm::DenseMap<int32_t, Removed> removed;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTING_H
