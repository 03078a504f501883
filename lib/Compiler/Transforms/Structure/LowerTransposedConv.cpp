//===- LowerTransposedConv.cpp - Transposed convolutions of TOSA ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream lowers transpose_conv2d with strides to a convolution with more
// filters, whose results are interleaved in memory; libraries have a kernel.

#include "LowerTransposedConv.h"
#include "Raising/AttentionMatch.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Whether all tensors are static floats, no rows or columns are added to the
/// result, and the bias has one number per filter.
static bool isPlain(tosa::TransposeConv2DOp op) {
  auto isImage = [](Value value) {
    RankedTensorType type = getStaticType(value);
    return type && type.getRank() == 4 && isa<FloatType>(type.getElementType());
  };
  RankedTensorType bias = getStaticType(op.getBias());
  return isImage(op.getInput()) && isImage(op.getWeight()) &&
         isImage(op.getOutput()) && bias && bias.getRank() == 1 &&
         bias.getDimSize(0) == getStaticType(op.getOutput()).getDimSize(3) &&
         llvm::all_of(op.getOutPad(), [](int64_t pad) { return pad <= 0; });
}

static void lower(tosa::TransposeConv2DOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // [n, h, w, c] and [filters, h, w, channels] with the channels first.
  Value x = createTranspose(builder, loc, op.getInput(), {0, 3, 1, 2});
  Value filter = createTranspose(builder, loc, op.getWeight(), {3, 0, 1, 2});
  if (isWeight(op.getWeight()))
    filter.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                    builder.getUnitAttr());
  RankedTensorType out = getStaticType(op.getOutput());
  SmallVector<int64_t> shape = {out.getDimSize(0), out.getDimSize(3),
                                out.getDimSize(1), out.getDimSize(2)};
  // Top, bottom, left, right.
  ArrayRef<int64_t> pad = op.getOutPad();
  auto integers = [&](StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  };
  ArrayRef<int64_t> window = getStaticType(filter).getShape().drop_front(2);
  Value result =
      onnx::ConvTransposeOp::create(
          builder, loc, TypeRange(Type(out.clone(shape))),
          {x, filter, op.getBias()},
          {builder.getNamedAttr("group", builder.getI64IntegerAttr(1)),
           integers("kernel_shape", window),
           integers("pads", {-pad[0], -pad[2], -pad[1], -pad[3]}),
           integers("strides", op.getStride())})
          ->getResult(0);
  op.getOutput().replaceAllUsesWith(
      createTranspose(builder, loc, result, {0, 2, 3, 1}));
  op.erase();
}

void gpucost::lowerTransposedConvolutions(ModuleOp module) {
  SmallVector<tosa::TransposeConv2DOp> found;
  module.walk([&](tosa::TransposeConv2DOp op) {
    if (isPlain(op))
      found.push_back(op);
  });
  for (tosa::TransposeConv2DOp op : found)
    lower(op);
}
