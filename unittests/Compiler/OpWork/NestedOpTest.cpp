//===- NestedOpTest.cpp - Custom ops in tiled loops -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op of another dialect that states its accesses costs the same on whole
// tensors and in a nest of workgroups.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/OpWork/OpWork.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace gpucost;
using namespace mlir;

namespace {

/// Scales rows: in %x, %factors, a destination.
struct ScaleRowsOp
    : Op<ScaleRowsOp, OpTrait::NOperands<3>::Impl, OpTrait::OneResult,
         OpTrait::ZeroRegions, DestinationStyleOpInterface::Trait,
         WorkOpInterface::Trait, opwork::OpWorkInterface::Trait> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScaleRowsOp)
  using Op::Op;
  static StringRef getOperationName() { return "test.scale_rows"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  MutableOperandRange getDpsInitsMutable() {
    return MutableOperandRange(getOperation(), 2, 1);
  }

  SmallVector<int64_t> getWorkLoops() {
    return llvm::to_vector(
        cast<ShapedType>((*this)->getResult(0).getType()).getShape());
  }
  SmallVector<AffineMap> getAccessMaps() {
    Builder builder(getContext());
    AffineMap all = builder.getMultiDimIdentityMap(2);
    return {all, AffineMap::get(2, 0, builder.getAffineDimExpr(0)), all};
  }
  FailureOr<opwork::Work> getTileWork(ArrayRef<OpFoldResult>,
                                      ArrayRef<OpFoldResult>) {
    return failure(); // nests are read by the access maps
  }
  CostClass getCostClass() { return CostClass::Elementwise; }
  FailureOr<WorkAttr> getWork() {
    std::optional<int64_t> count =
                               elementCount((*this)->getResult(0).getType()),
                           bytes = byteCount((*this)->getResult(0).getType()),
                           factors =
                               byteCount((*this)->getOperand(1).getType());
    if (!count || !bytes || !factors)
      return failure();
    KernelWork work;
    work.family = KernelFamily::Elementwise;
    work.instructions = InstructionClass::Mul;
    work.problem = ElementsProblem{*count, /*strided=*/true};
    work.count.fp32Flops = *count;
    work.count.bytesRead = *bytes + *factors;
    work.count.bytesWritten = *bytes;
    return WorkAttr::get(getContext(), work);
  }
};

struct TestDialect : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDialect)
  explicit TestDialect(MLIRContext *context)
      : Dialect("test", context, TypeID::get<TestDialect>()) {
    addOperations<ScaleRowsOp>();
  }
  static StringRef getDialectNamespace() { return "test"; }
};

class NestedOpTest : public CostAnalysisTest {
protected:
  NestedOpTest() { context.getOrLoadDialect<TestDialect>(); }
};

TEST_F(NestedOpTest, CostsTheSameInANest) {
  auto whole = parse(R"(
func.func @f(%x: tensor<4096x4096xf32>, %s: tensor<4096xf32>)
    -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096x4096xf32>
  %y = "test.scale_rows"(%x, %s, %e) : (tensor<4096x4096xf32>,
      tensor<4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %y : tensor<4096x4096xf32>
})");
  auto tiled = parse(R"(
func.func @f(%x: tensor<4096x4096xf32>, %s: tensor<4096xf32>)
    -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096x4096xf32>
  %y = scf.forall (%i, %j) = (0, 0) to (4096, 4096) step (64, 64)
      shared_outs(%o = %e) -> (tensor<4096x4096xf32>) {
    %a = tensor.extract_slice %x[%i, %j] [64, 64] [1, 1]
        : tensor<4096x4096xf32> to tensor<64x64xf32>
    %b = tensor.extract_slice %s[%i] [64] [1]
        : tensor<4096xf32> to tensor<64xf32>
    %c = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1]
        : tensor<4096x4096xf32> to tensor<64x64xf32>
    %t = "test.scale_rows"(%a, %b, %c) : (tensor<64x64xf32>, tensor<64xf32>,
        tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, %j] [64, 64] [1, 1]
          : tensor<64x64xf32> into tensor<4096x4096xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %y : tensor<4096x4096xf32>
})");
  CostAnalysis one(*whole, onA100()), other(*tiled, onA100());
  Cost expected = one.getCost(find(*whole, "test.scale_rows").front());
  Cost nest = other.getCost(find(*tiled, "scf.forall").front());
  ASSERT_EQ(expected.status, CostStatus::Exact) << expected.reason;
  ASSERT_EQ(nest.status, CostStatus::Exact) << nest.reason;
  // 128 MiB at 2.039 TB/s take at least 65 us.
  EXPECT_GT(expected.time.value(), 65e-6);
  EXPECT_DOUBLE_EQ(nest.time.value(), expected.time.value());
}

} // namespace
