//===- LinalgWork.cpp - Work of linalg ops --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The only file that includes all linalg op classes; LinalgRules has the rules.

#include "LinalgWork.h"
#include "LinalgRules.h"
#include "LinalgTiles.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace gpucost;

namespace {

template <typename StructuredOp>
struct StructuredModel
    : public WorkOpInterface::ExternalModel<StructuredModel<StructuredOp>,
                                            StructuredOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    return computeStructuredWork(cast<linalg::LinalgOp>(op));
  }
  CostClass getCostClass(Operation *op) const {
    return classifyStructuredOp(cast<linalg::LinalgOp>(op));
  }
};

/// The neutral interface.
template <typename StructuredOp>
struct TileModel
    : public opwork::OpWorkInterface::ExternalModel<TileModel<StructuredOp>,
                                                    StructuredOp> {
  SmallVector<int64_t> getWorkLoops(Operation *op) const {
    return cast<linalg::LinalgOp>(op).getStaticLoopRanges();
  }
  SmallVector<AffineMap> getAccessMaps(Operation *op) const {
    return cast<linalg::LinalgOp>(op).getIndexingMapsArray();
  }
  FailureOr<opwork::Work> getTileWork(Operation *op,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) const {
    return computeTileWork(cast<linalg::LinalgOp>(op), offsets, sizes);
  }
};

/// exp(x - max) / sum along one dimension: 5 FLOP and one special result per
/// element, as in the onnx dialect.
struct SoftmaxModel
    : public WorkOpInterface::ExternalModel<SoftmaxModel, linalg::SoftmaxOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto softmax = cast<linalg::SoftmaxOp>(op);
    ShapedType in = softmax.getInputOperandType();
    ShapedType out = softmax.getOutputOperandType();
    std::optional<int64_t> count = elementCount(in);
    std::optional<int64_t> read = storageBytes(softmax.getInput());
    std::optional<int64_t> written = byteCount(out);
    if (!count || !read || !written)
      return failure();
    int64_t cols = in.getDimSize(softmax.getDimension());
    std::optional<int64_t> flops = checkedProduct({5, *count});
    if (!flops)
      return failure();
    auto problem = RowsProblem{cols ? *count / cols : 0, cols};
    return WorkAttr::get(
        op->getContext(),
        {KernelFamily::Softmax,
         InstructionClass::Softmax,
         formatOf(in.getElementType()),
         storedBits(in.getElementType()).value_or(32),
         storedBits(out.getElementType()).value_or(32),
         problem,
         {/*tensorFlops=*/0, *flops, *count, *read, *written}});
  }
  CostClass getCostClass(Operation *) const {
    return CostClass::RowNormalization;
  }
};

/// Packing into tiles and unpacking: a copy to another layout.
template <typename RelayoutOp>
struct RelayoutModel
    : public WorkOpInterface::ExternalModel<RelayoutModel<RelayoutOp>,
                                            RelayoutOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto relayout = cast<RelayoutOp>(op);
    auto out = cast<ShapedType>(relayout.getDest().getType());
    std::optional<int64_t> count = elementCount(out);
    std::optional<int64_t> read = storageBytes(relayout.getSource());
    std::optional<int64_t> written = byteCount(out);
    if (!count || !read || !written)
      return failure();
    int64_t bits = storedBits(out.getElementType()).value_or(32);
    return WorkAttr::get(op->getContext(),
                         {KernelFamily::DataMovement,
                          InstructionClass::Copy,
                          formatOf(out.getElementType()),
                          bits,
                          bits,
                          ElementsProblem{*count, /*strided=*/true},
                          {/*tensorFlops=*/0, /*fp32Flops=*/0, /*specialOps=*/0,
                           *read, *written}});
  }
  CostClass getCostClass(Operation *) const { return CostClass::DataMovement; }
};

} // namespace

template <typename... StructuredOps>
static void attachToStructuredOps(MLIRContext *context) {
  (StructuredOps::template attachInterface<StructuredModel<StructuredOps>,
                                           TileModel<StructuredOps>>(*context),
   ...);
}

void gpucost::registerLinalgWorkExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    // The models build attributes of the gpucost dialect.
    context->loadDialect<GpuCostDialect>();
    attachToStructuredOps<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
    linalg::SoftmaxOp::attachInterface<SoftmaxModel>(*context);
    linalg::PackOp::attachInterface<RelayoutModel<linalg::PackOp>>(*context);
    linalg::UnPackOp::attachInterface<RelayoutModel<linalg::UnPackOp>>(
        *context);
  });
}
