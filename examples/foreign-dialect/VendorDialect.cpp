//===- VendorDialect.cpp - A dialect with costs ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `vendor.rms_norm`, a kernel in a vendor's library. It implements
// WorkOpInterface: its arithmetic and memory traffic, not its time. Everything
// else - GPU, equations, power, intervals - comes from the model. It also
// implements opwork::OpWorkInterface and is in destination style, so that a
// nest of workgroups whose body applies it to tiles has a cost.
// docs/Compilers.md runs it.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/OpWork/OpWork.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

namespace {

/// x / sqrt(mean(x^2)) along the last dimension: in %x and a destination, out
/// a tensor like them.
struct RmsNormOp
    : Op<RmsNormOp, OpTrait::NOperands<2>::Impl, OpTrait::OneResult,
         OpTrait::ZeroRegions, DestinationStyleOpInterface::Trait,
         gpucost::WorkOpInterface::Trait, opwork::OpWorkInterface::Trait> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RmsNormOp)
  using Op::Op;
  static StringRef getOperationName() { return "vendor.rms_norm"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  MutableOperandRange getDpsInitsMutable() {
    return MutableOperandRange(getOperation(), 1, 1);
  }

  /// One loop for each dimension; an iteration reads and writes one element.
  SmallVector<int64_t> getWorkLoops() {
    return llvm::to_vector(
        cast<ShapedType>(getOperand(0).getType()).getShape());
  }
  SmallVector<AffineMap> getAccessMaps() {
    auto rank = static_cast<unsigned>(getWorkLoops().size());
    return SmallVector<AffineMap>(
        2, Builder(getContext()).getMultiDimIdentityMap(rank));
  }
  /// Per element a square, a sum and a product, in any tile of whole rows.
  FailureOr<opwork::Work> getTileWork(ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
    auto type = cast<ShapedType>(getOperand(0).getType());
    auto tile = opwork::readTile(offsets, sizes, getWorkLoops());
    if (!tile || tile->loops.back().size() != type.getShape().back())
      return failure();
    int64_t count = 1;
    for (opwork::Span loop : tile->loops)
      count *= loop.size();
    int64_t bytes = count * type.getElementTypeBitWidth() / 8;
    opwork::Work work;
    work.iterations = count;
    work.arithmetic.push_back(
        {opwork::Unit::Vector, type.getElementType(), 3 * count});
    work.operands = {{0, bytes, 0}, {1, 0, bytes}};
    return work;
  }

  gpucost::CostClass getCostClass() {
    return gpucost::CostClass::RowNormalization;
  }
  /// Per element a square, a sum and a product; one root per row. Reads and
  /// writes each element once.
  FailureOr<gpucost::WorkAttr> getWork() {
    auto type = dyn_cast<RankedTensorType>(getOperand(0).getType());
    if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
        type.getNumElements() == 0)
      return failure();
    int64_t count = type.getNumElements(), columns = type.getShape().back();
    int64_t bits = type.getElementTypeBitWidth(), bytes = count * bits / 8;
    gpucost::KernelWork work;
    work.family = gpucost::KernelFamily::Normalization;
    work.instructions = gpucost::InstructionClass::Norm;
    work.format = gpucost::formatOf(type.getElementType());
    work.inputBits = work.outputBits = bits;
    work.problem = gpucost::RowsProblem{count / columns, columns};
    work.count.fp32Flops = 3 * count;
    work.count.specialOps = count / columns;
    work.count.bytesRead = work.count.bytesWritten = bytes;
    return gpucost::WorkAttr::get(getContext(), work);
  }
};

struct VendorDialect : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VendorDialect)
  explicit VendorDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<VendorDialect>()) {
    // WorkAttr is one of its attributes.
    context->loadDialect<gpucost::GpuCostDialect>();
    addOperations<RmsNormOp>();
  }
  static StringRef getDialectNamespace() { return "vendor"; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Vendor", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registry->insert<VendorDialect>(); }};
}
