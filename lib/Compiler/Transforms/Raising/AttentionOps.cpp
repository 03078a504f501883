//===- AttentionOps.cpp - Ops created by rewrites of attention ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

Value raising::createIntegers(OpBuilder &builder, Location loc,
                              ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    builder.getI64Type());
  return onnx::ConstantOp::create(
             builder, loc, TypeRange(Type(type)), ValueRange(),
             {builder.getNamedAttr("value",
                                   DenseElementsAttr::get(type, numbers))})
      ->getResult(0);
}

Value raising::createReshape(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  return onnx::ReshapeOp::create(builder, loc, TypeRange(Type(type)),
                                 {value, createIntegers(builder, loc, shape)})
      ->getResult(0);
}

Value raising::createHeads(OpBuilder &builder, Location loc, Value value,
                           int64_t heads) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 4)
    return value;
  Value split = createReshape(builder, loc, value,
                              {type.getDimSize(0), type.getDimSize(1), heads,
                               type.getDimSize(2) / heads});
  return createTranspose(builder, loc, split, {0, 2, 1, 3});
}

Value raising::createTranspose(OpBuilder &builder, Location loc, Value value,
                               ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t source : permutation)
    shape.push_back(type.getDimSize(source));
  return onnx::TransposeOp::create(
             builder, loc, TypeRange(Type(type.clone(shape))), value,
             {builder.getNamedAttr("perm",
                                   builder.getDenseI64ArrayAttr(permutation))})
      ->getResult(0);
}

Value raising::createSum(OpBuilder &builder, Location loc, Value a, Value b) {
  RankedTensorType left = getStaticType(a), right = getStaticType(b);
  SmallVector<int64_t> shape(std::max(left.getRank(), right.getRank()), 1);
  for (RankedTensorType type : {left, right})
    for (auto [i, size] : llvm::enumerate(llvm::reverse(type.getShape())))
      if (int64_t &out = shape[shape.size() - 1 - i]; size != 1)
        out = size;
  return onnx::AddOp::create(builder, loc, TypeRange(Type(left.clone(shape))),
                             {a, b})
      ->getResult(0);
}
