//===- TensorWork.cpp - Work of ops that move tensors ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The ops of tensor, memref and bufferization: views, which cost nothing, and
// copies. Ops without an implementation launch nothing.

#include "LinalgBody.h"
#include "LinalgWork.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gpucost;

/// A kernel that reads `read` and writes `written` bytes of `moved` elements.
static FailureOr<WorkAttr>
makeMovement(Operation *op, Type moved, std::optional<int64_t> read,
             std::optional<int64_t> written, bool strided = true,
             KernelFamily family = KernelFamily::DataMovement) {
  std::optional<int64_t> count = elementCount(moved);
  if (!count || !read || !written)
    return failure();
  Type element = getElementTypeOrSelf(moved);
  int64_t bits = storedBits(element).value_or(32);
  return WorkAttr::get(op->getContext(), {family,
                                          family == KernelFamily::Embedding
                                              ? InstructionClass::Gather
                                              : InstructionClass::Copy,
                                          formatOf(element),
                                          bits,
                                          bits,
                                          ElementsProblem{*count, strided},
                                          {/*tensorFlops=*/0, /*fp32Flops=*/0,
                                           /*specialOps=*/0, *read, *written}});
}

/// Convolutions and poolings pad their images in the kernel.
static bool isPaddingOfWindows(tensor::PadOp pad) {
  Value fill = pad.getConstantPaddingValue();
  return fill && matchPattern(fill, m_Constant()) && !pad->use_empty() &&
         llvm::all_of(pad->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return user && user.getNumReductionLoops() &&
                  use.getOperandNumber() == 0 &&
                  !user.getMatchingIndexingMap(&use).isProjectedPermutation();
         });
}

/// The slice is computed in place if its destination is the slice of the tensor
/// that it is inserted into.
static bool isComputedInPlace(tensor::InsertSliceOp insert) {
  Value value = insert.getSource();
  for (int depth = 0; depth < 16; ++depth) {
    Operation *def = value.getDefiningOp();
    if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(def))
      return slice.getSource() == insert.getDest() &&
             slice.getResultType() == insert.getSourceType();
    auto destination = dyn_cast_or_null<DestinationStyleOpInterface>(def);
    if (!destination)
      return false;
    OpOperand *init = destination.getTiedOpOperand(cast<OpResult>(value));
    if (!init)
      return false;
    value = init->get();
  }
  return false;
}

namespace {

template <typename ViewOp>
struct ViewModel
    : public WorkOpInterface::ExternalModel<ViewModel<ViewOp>, ViewOp> {
  FailureOr<WorkAttr> getWork(Operation *) const { return failure(); }
  CostClass getCostClass(Operation *) const { return CostClass::View; }
};

struct PadModel
    : public WorkOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    return makeMovement(op, pad.getResultType(), storageBytes(pad.getSource()),
                        byteCount(pad.getResultType()));
  }
  CostClass getCostClass(Operation *op) const {
    return isPaddingOfWindows(cast<tensor::PadOp>(op))
               ? CostClass::View
               : CostClass::DataMovement;
  }
};

struct ConcatModel
    : public WorkOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    int64_t read = 0;
    for (Value input : op->getOperands())
      if (!addBytes(read, storageBytes(input)))
        return failure();
    Type out = op->getResult(0).getType();
    return makeMovement(op, out, read, byteCount(out));
  }
  CostClass getCostClass(Operation *) const { return CostClass::DataMovement; }
};

/// The destination is updated in place: only the slice is moved.
struct InsertSliceModel
    : public WorkOpInterface::ExternalModel<InsertSliceModel,
                                            tensor::InsertSliceOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    return makeMovement(op, insert.getSourceType(),
                        storageBytes(insert.getSource()),
                        byteCount(insert.getSourceType()));
  }
  CostClass getCostClass(Operation *op) const {
    return isComputedInPlace(cast<tensor::InsertSliceOp>(op))
               ? CostClass::View
               : CostClass::DataMovement;
  }
};

/// Reads one slice for each index.
struct GatherModel
    : public WorkOpInterface::ExternalModel<GatherModel, tensor::GatherOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto gather = cast<tensor::GatherOp>(op);
    std::optional<int64_t> moved = byteCount(gather.getResultType());
    std::optional<int64_t> indices = storageBytes(gather.getIndices());
    int64_t read = 0;
    if (!addBytes(read, moved) || !addBytes(read, indices))
      return failure();
    return makeMovement(op, gather.getResultType(), read, moved,
                        /*strided=*/true, KernelFamily::Embedding);
  }
  CostClass getCostClass(Operation *) const { return CostClass::Gather; }
};

struct ScatterModel
    : public WorkOpInterface::ExternalModel<ScatterModel, tensor::ScatterOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto scatter = cast<tensor::ScatterOp>(op);
    std::optional<int64_t> moved = storageBytes(scatter.getSource());
    std::optional<int64_t> indices = storageBytes(scatter.getIndices());
    int64_t read = 0;
    if (!addBytes(read, moved) || !addBytes(read, indices))
      return failure();
    return makeMovement(op, scatter.getSourceType(), read,
                        byteCount(scatter.getSourceType()), /*strided=*/true,
                        KernelFamily::Embedding);
  }
  CostClass getCostClass(Operation *) const { return CostClass::Gather; }
};

/// A copy of the values, into which one row is written for each index.
struct TosaScatterModel
    : public WorkOpInterface::ExternalModel<TosaScatterModel, tosa::ScatterOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    auto scatter = cast<tosa::ScatterOp>(op);
    std::optional<int64_t> rows = byteCount(scatter.getInput().getType());
    int64_t read = 0, written = 0;
    if (!addBytes(read, storageBytes(scatter.getValuesIn())) ||
        !addBytes(read, storageBytes(scatter.getIndices())) ||
        !addBytes(read, rows) || !addBytes(written, rows) ||
        !addBytes(written, byteCount(scatter.getType())))
      return failure();
    return makeMovement(op, scatter.getType(), read, written, /*strided=*/true,
                        KernelFamily::Embedding);
  }
  CostClass getCostClass(Operation *) const { return CostClass::Gather; }
};

/// Computes each element from its position.
struct GenerateModel
    : public WorkOpInterface::ExternalModel<GenerateModel, tensor::GenerateOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    Type type = op->getResult(0).getType();
    std::optional<BodyCost> body = countBody(op->getRegion(0).front());
    std::optional<int64_t> count = elementCount(type), bytes = byteCount(type);
    if (!body || !count || !bytes)
      return failure();
    std::optional<int64_t> flops = checkedProduct({*count, body->fp32Flops});
    std::optional<int64_t> special = checkedProduct({*count, body->specialOps});
    std::optional<int64_t> gathered =
        checkedProduct({*count, body->gatheredBits});
    if (!flops || !special || !gathered)
      return failure();
    Type element = getElementTypeOrSelf(type);
    int64_t bits = storedBits(element).value_or(32);
    return WorkAttr::get(
        op->getContext(),
        {KernelFamily::Elementwise,
         body->instructions,
         formatOf(element),
         bits,
         bits,
         ElementsProblem{*count, /*strided=*/true},
         {/*tensorFlops=*/0, *flops, *special, (*gathered + 7) / 8, *bytes}});
  }
  CostClass getCostClass(Operation *) const { return CostClass::Elementwise; }
};

/// Copies operand 0 without changes.
template <typename CopyLikeOp>
struct CopyModel
    : public WorkOpInterface::ExternalModel<CopyModel<CopyLikeOp>, CopyLikeOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    Type type = op->getOperand(0).getType();
    return makeMovement(op, type, storageBytes(op->getOperand(0)),
                        byteCount(type), /*strided=*/false);
  }
  CostClass getCostClass(Operation *) const { return CostClass::DataMovement; }
};

/// Fills a tensor with one value.
struct SplatModel
    : public WorkOpInterface::ExternalModel<SplatModel, tensor::SplatOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    Type type = op->getResult(0).getType();
    return makeMovement(op, type, 0, byteCount(type), /*strided=*/false);
  }
  // Kernels that read it use the value directly.
  CostClass getCostClass(Operation *op) const {
    bool leaves = llvm::any_of(op->getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
    return leaves ? CostClass::DataMovement : CostClass::Metadata;
  }
};

/// An allocation, and the copy that initializes it if there is one.
struct AllocTensorModel
    : public WorkOpInterface::ExternalModel<AllocTensorModel,
                                            bufferization::AllocTensorOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    Value copied = cast<bufferization::AllocTensorOp>(op).getCopy();
    if (!copied)
      return failure();
    return makeMovement(op, copied.getType(), storageBytes(copied),
                        byteCount(copied.getType()), /*strided=*/false);
  }
  CostClass getCostClass(Operation *op) const {
    return cast<bufferization::AllocTensorOp>(op).getCopy()
               ? CostClass::DataMovement
               : CostClass::Metadata;
  }
};

} // namespace

template <typename... ViewOps> static void attachViews(MLIRContext *context) {
  (ViewOps::template attachInterface<ViewModel<ViewOps>>(*context), ...);
}

void gpucost::registerTensorWorkExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    context->loadDialect<GpuCostDialect>();
    attachViews<tensor::CastOp, tensor::BitcastOp, tensor::CollapseShapeOp,
                tensor::ExpandShapeOp, tensor::ExtractSliceOp,
                tensor::ReshapeOp>(context);
    tensor::PadOp::attachInterface<PadModel>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::GatherOp::attachInterface<GatherModel>(*context);
    tensor::ScatterOp::attachInterface<ScatterModel>(*context);
    tensor::GenerateOp::attachInterface<GenerateModel>(*context);
    tensor::SplatOp::attachInterface<SplatModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    context->loadDialect<GpuCostDialect>();
    tosa::ScatterOp::attachInterface<TosaScatterModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    context->loadDialect<GpuCostDialect>();
    attachViews<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
                memref::MemorySpaceCastOp, memref::ReinterpretCastOp,
                memref::ReshapeOp, memref::SubViewOp, memref::TransposeOp,
                memref::ViewOp>(context);
    memref::CopyOp::attachInterface<CopyModel<memref::CopyOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context,
                            bufferization::BufferizationDialect *) {
    context->loadDialect<GpuCostDialect>();
    attachViews<bufferization::ToTensorOp, bufferization::ToBufferOp>(context);
    bufferization::MaterializeInDestinationOp::attachInterface<
        CopyModel<bufferization::MaterializeInDestinationOp>>(*context);
    bufferization::AllocTensorOp::attachInterface<AllocTensorModel>(*context);
    bufferization::CloneOp::attachInterface<CopyModel<bufferization::CloneOp>>(
        *context);
  });
}
