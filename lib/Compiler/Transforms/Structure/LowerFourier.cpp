//===- LowerFourier.cpp - Fourier transforms of TOSA ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream lowers fft2d and rfft2d to sums over all pairs of positions, which
// no library computes. They become transforms along the rows and the columns.

#include "LowerFourier.h"
#include "Raising/AttentionMatch.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {
/// Emits the transforms of one op on [batch, height, width].
class FourierLowering {
public:
  explicit FourierLowering(Operation *op) : op(op), builder(op) {}

  void run(bool isReal, bool isInverse);

private:
  Value transform(Value value, int64_t axis, bool onesided, bool isInverse);
  Value part(Value value);

  Operation *op;
  OpBuilder builder;
};
} // namespace

/// `value` is [batch, height, width, 1 or 2].
Value FourierLowering::transform(Value value, int64_t axis, bool onesided,
                                 bool isInverse) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (onesided)
    shape[axis] = shape[axis] / 2 + 1;
  shape.back() = 2;
  auto integer = [&](StringRef name, int64_t number) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
  };
  return onnx::DFTOp::create(
             builder, op->getLoc(), Type(type.clone(shape)), value,
             {integer("axis", axis), integer("onesided", onesided),
              integer("inverse", isInverse)})
      ->getResult(0);
}

/// The real or the imaginary part: views that cost the same.
Value FourierLowering::part(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 1;
  Value slice = onnx::SliceOp::create(builder, op->getLoc(),
                                      Type(type.clone(shape)), value)
                    ->getResult(0);
  return createReshape(builder, op->getLoc(), slice,
                       ArrayRef(shape).drop_back());
}

void FourierLowering::run(bool isReal, bool isInverse) {
  constexpr int64_t heightDim = 1, widthDim = 2;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SmallVector<Value> parts;
  for (Value operand : op->getOperands())
    parts.push_back(createReshape(builder, op->getLoc(), operand, shape));
  Value value = parts[0];
  if (!isReal) {
    shape.back() = 2;
    value = onnx::ConcatOp::create(
                builder, op->getLoc(), Type(type.clone(shape)), parts,
                builder.getNamedAttr("axis", builder.getI64IntegerAttr(-1)))
                ->getResult(0);
  }
  value = transform(value, widthDim, isReal, isInverse);
  value = transform(value, heightDim, /*onesided=*/false, isInverse);
  for (OpResult result : op->getResults())
    result.replaceAllUsesWith(part(value));
  op->erase();
}

void gpucost::lowerFourier(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (!isa<tosa::RFFT2dOp, tosa::FFT2dOp>(op))
      return;
    auto isImage = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && type.hasStaticShape() && type.getRank() == 3;
    };
    if (llvm::all_of(op->getOperands(), isImage) &&
        llvm::all_of(op->getResults(), isImage))
      found.push_back(op);
  });
  for (Operation *op : found) {
    auto full = dyn_cast<tosa::FFT2dOp>(op);
    FourierLowering(op).run(!full, full && full.getInverse());
  }
}
