//===- TileWorkTest.cpp - Work of tiles and of tiled ops ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of a tile against the op that MLIR's TilingInterface makes of it,
// and the work of an op against the kernel that this project derives.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/OpWork/OpWork.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <filesystem>
#include <random>

using namespace gpucost;
using namespace mlir;
using opwork::OpWorkInterface;
using opwork::Work;

namespace {

constexpr const char *ops = R"(
#r = affine_map<(i, j) -> (i, j)>
#c = affine_map<(i, j) -> (i)>
#t = affine_map<(i, j) -> (j, i)>
func.func @ops(%a: tensor<48x32xbf16>, %b: tensor<32x64xbf16>,
    %c: tensor<48x64xf32>, %s: tensor<4x6x10xf32>, %u: tensor<4x10x8xf32>,
    %v: tensor<4x6x8xf32>, %image: tensor<2x15x13x6xf32>,
    %filter: tensor<3x3x6x10xf32>, %out: tensor<2x7x11x10xf32>,
    %x: tensor<24x40xf32>, %row: tensor<24xf32>, %y: tensor<40x24xf32>,
    %q: tensor<24x40xi4>, %z: tensor<24x40xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<48x32xbf16>, tensor<32x64xbf16>)
      outs(%c : tensor<48x64xf32>) -> tensor<48x64xf32>
  %1 = linalg.batch_matmul ins(%s, %u : tensor<4x6x10xf32>, tensor<4x10x8xf32>)
      outs(%v : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x15x13x6xf32>, tensor<3x3x6x10xf32>)
      outs(%out : tensor<2x7x11x10xf32>) -> tensor<2x7x11x10xf32>
  %3 = linalg.generic {indexing_maps = [#r, #c, #r],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %row : tensor<24x40xf32>, tensor<24xf32>)
      outs(%z : tensor<24x40xf32>) {
  ^bb0(%l: f32, %h: f32, %o: f32):
    %d = arith.subf %l, %h : f32
    %e = math.exp %d : f32
    %f = arith.divf %e, %h : f32
    %w = arith.addf %f, %o : f32
    linalg.yield %w : f32
  } -> tensor<24x40xf32>
  %4 = linalg.generic {indexing_maps = [#r, #c],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<24x40xf32>) outs(%row : tensor<24xf32>) {
  ^bb0(%l: f32, %o: f32):
    %w = arith.addf %l, %o : f32
    linalg.yield %w : f32
  } -> tensor<24xf32>
  %5 = linalg.generic {indexing_maps = [#t, #r],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<40x24xf32>) outs(%x : tensor<24x40xf32>) {
  ^bb0(%l: f32, %o: f32):
    linalg.yield %l : f32
  } -> tensor<24x40xf32>
  %6 = linalg.generic {indexing_maps = [#r, #r],
      iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<24x40xi4>) outs(%x : tensor<24x40xf32>) {
  ^bb0(%l: i4, %o: f32):
    %w = arith.sitofp %l : i4 to f32
    linalg.yield %w : f32
  } -> tensor<24x40xf32>
  return
})";

class TileWorkTest : public CostAnalysisTest {
protected:
  TileWorkTest() {
    DialectRegistry tiling;
    linalg::registerTilingInterfaceExternalModels(tiling);
    affine::registerValueBoundsOpInterfaceExternalModels(tiling);
    context.appendDialectRegistry(tiling);
    context.loadDialect<scf::SCFDialect>();
  }
  static std::vector<OpWorkInterface> opsOf(ModuleOp module) {
    std::vector<OpWorkInterface> found;
    module.walk([&](OpWorkInterface op) { found.push_back(op); });
    return found;
  }
  SmallVector<OpFoldResult> indices(ArrayRef<int64_t> values) {
    SmallVector<OpFoldResult> list;
    for (int64_t value : values)
      list.push_back(Builder(&context).getIndexAttr(value));
    return list;
  }
  /// Calls `visit` for the tiles of `sizes` that divide `ranges`.
  void forTiles(
      ArrayRef<int64_t> ranges, ArrayRef<int64_t> sizes,
      llvm::function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> visit) {
    SmallVector<int64_t> offsets(ranges.size(), 0);
    while (true) {
      SmallVector<int64_t> inside;
      for (auto [offset, size, range] : llvm::zip(offsets, sizes, ranges))
        inside.push_back(std::min(size, range - offset));
      visit(offsets, inside);
      size_t loop = 0;
      for (; loop < ranges.size(); ++loop) {
        offsets[loop] += sizes[loop];
        if (offsets[loop] < ranges[loop])
          break;
        offsets[loop] = 0;
      }
      if (loop == ranges.size())
        return;
    }
  }
  static void expectSameArithmetic(const Work &a, const Work &b) {
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.flopsOn(opwork::Unit::Matrix), b.flopsOn(opwork::Unit::Matrix));
    EXPECT_EQ(a.flopsOn(opwork::Unit::Vector), b.flopsOn(opwork::Unit::Vector));
    ASSERT_EQ(a.functions.size(), b.functions.size());
    for (auto [x, y] : llvm::zip(a.functions, b.functions)) {
      EXPECT_EQ(x.function, y.function);
      EXPECT_EQ(x.count, y.count);
    }
  }

  std::mt19937 random{7};
};

/// 2 M N K on the matrix unit; subtraction and addition of 24 x 40 elements on
/// the vector unit, and two functions.
TEST_F(TileWorkTest, CountsByUnitAndFormat) {
  auto module = parse(ops);
  std::vector<OpWorkInterface> all = opsOf(*module);
  ASSERT_EQ(all.size(), 7u);
  Work product = *all[0].getOpWork();
  ASSERT_EQ(product.arithmetic.size(), 1u);
  EXPECT_EQ(product.arithmetic[0].unit, opwork::Unit::Matrix);
  EXPECT_TRUE(product.arithmetic[0].format.isBF16());
  EXPECT_EQ(product.arithmetic[0].flops, 2 * 48 * 64 * 32);
  EXPECT_EQ(product.operands[0].read, 48 * 32 * 2);
  EXPECT_EQ(product.operands[1].read, 32 * 64 * 2);
  EXPECT_EQ(product.operands[2].read, 48 * 64 * 4);
  EXPECT_EQ(product.operands[2].written, 48 * 64 * 4);
  Work softmax = *all[3].getOpWork();
  EXPECT_EQ(softmax.flopsOn(opwork::Unit::Vector), 2 * 24 * 40);
  ASSERT_EQ(softmax.functions.size(), 2u);
  EXPECT_EQ(softmax.functions[0].function.getStringRef(), "math.exp");
  EXPECT_EQ(softmax.functions[1].function.getStringRef(), "arith.divf");
  EXPECT_EQ(softmax.functions[1].count, 24 * 40);
  EXPECT_EQ(all[6].getOpWork()->operands[0].read, 24 * 40 / 2);
}

TEST_F(TileWorkTest, TilesThatPartitionAnOpHaveItsArithmetic) {
  auto module = parse(ops);
  for (OpWorkInterface op : opsOf(*module)) {
    SmallVector<int64_t> ranges = op.getWorkLoops();
    Work whole = *op.getOpWork();
    for (int draw = 0; draw < 8; ++draw) {
      SmallVector<int64_t> sizes;
      for (int64_t range : ranges) // at most 4 tiles along each loop
        sizes.push_back(std::min<int64_t>(
            range, (range + 3) / 4 + random() % static_cast<size_t>(range)));
      Work sum;
      bool isFirst = true;
      forTiles(ranges, sizes, [&](auto offsets, auto inside) {
        FailureOr<Work> tile =
            op.getTileWork(indices(offsets), indices(inside));
        ASSERT_TRUE(succeeded(tile));
        sum.iterations += tile->iterations;
        for (const opwork::Arithmetic &each : tile->arithmetic)
          sum.arithmetic.push_back(each);
        for (size_t i = 0; i < tile->functions.size(); ++i)
          if (isFirst)
            sum.functions.push_back(tile->functions[i]);
          else
            sum.functions[i].count += tile->functions[i].count;
        isFirst = false;
        EXPECT_LE(tile->bytesRead(), whole.bytesRead());
        EXPECT_LE(tile->bytesWritten(), whole.bytesWritten());
      });
      expectSameArithmetic(sum, whole);
    }
  }
}

/// The tiled op of TilingInterface has the work of the tile, operand by
/// operand.
TEST_F(TileWorkTest, TilesAreWhatTilingMakesOfThem) {
  auto module = parse(ops);
  int compared = 0;
  for (OpWorkInterface op : opsOf(*module)) {
    SmallVector<int64_t> ranges = op.getWorkLoops();
    for (int draw = 0; draw < 20; ++draw) {
      SmallVector<int64_t> offsets, sizes;
      for (int64_t range : ranges) {
        offsets.push_back(random() % static_cast<size_t>(range));
        sizes.push_back(1 +
                        random() % static_cast<size_t>(range - offsets.back()));
      }
      OpBuilder builder(op);
      FailureOr<TilingResult> tiled =
          cast<TilingInterface>(op.getOperation())
              .getTiledImplementation(builder, indices(offsets),
                                      indices(sizes));
      ASSERT_TRUE(succeeded(tiled));
      Work expected =
          *cast<OpWorkInterface>(tiled->tiledOps.front()).getOpWork();
      Work tile = *op.getTileWork(indices(offsets), indices(sizes));
      expectSameArithmetic(tile, expected);
      ASSERT_EQ(tile.operands.size(), expected.operands.size());
      for (auto [x, y] : llvm::zip(tile.operands, expected.operands)) {
        EXPECT_EQ(x.read, y.read) << print(op) << x.operand;
        EXPECT_EQ(x.written, y.written) << print(op) << x.operand;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200);
}

/// A sum that starts loads no accumulators if they were filled; one that goes
/// on does.
TEST_F(TileWorkTest, AccumulatorsAreReadInTheMiddleOfASum) {
  auto module = parse(R"(
func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x64xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<48x64xf32>)
      -> tensor<48x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x64xf32>)
      outs(%c : tensor<48x64xf32>) -> tensor<48x64xf32>
  return
})");
  auto product = cast<OpWorkInterface>(find(*module, "linalg.matmul").front());
  Work first = *product.getTileWork(indices({16, 0, 0}), indices({8, 8, 8}));
  EXPECT_EQ(first.operands[2].read, 0);
  Work later = *product.getTileWork(indices({16, 0, 8}), indices({8, 8, 8}));
  EXPECT_EQ(later.operands[2].read, 8 * 8 * 4);
  EXPECT_EQ(later.operands[0].read, 8 * 8 * 4);
}

/// `affine.min` of a loop has 20 as its upper bound.
TEST_F(TileWorkTest, SizesThatAreNotConstantHaveTheirBound) {
  auto module = parse(R"(
func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x64xf32>,
    %c: tensor<48x64xf32>, %i: index) {
  %size = affine.min affine_map<(d) -> (-d + 48, 20)>(%i)
  %0 = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x64xf32>)
      outs(%c : tensor<48x64xf32>) -> tensor<48x64xf32>
  return
})");
  auto product = cast<OpWorkInterface>(find(*module, "linalg.matmul").front());
  Operation *size = find(*module, "affine.min").front();
  SmallVector<OpFoldResult> offsets = indices({0, 0, 0}),
                            sizes = indices({0, 64, 32});
  offsets[0] = size->getOperand(0);
  sizes[0] = size->getResult(0);
  FailureOr<Work> tile = product.getTileWork(offsets, sizes);
  ASSERT_TRUE(succeeded(tile));
  EXPECT_EQ(tile->iterations, 20 * 64 * 32);
  EXPECT_EQ(tile->operands[0].read, 20 * 32 * 4);
}

TEST_F(TileWorkTest, DynamicLoopsAndUnknownBodiesFail) {
  auto module = parse(R"(
func.func @f(%a: tensor<?x32xf32>, %b: tensor<32x64xf32>,
    %c: tensor<?x64xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x32xf32>, tensor<32x64xf32>)
      outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return
})");
  auto product = cast<OpWorkInterface>(find(*module, "linalg.matmul").front());
  EXPECT_TRUE(failed(product.getOpWork()));
  // A tile of known size is known.
  FailureOr<Work> tile =
      product.getTileWork(indices({0, 0, 0}), indices({16, 64, 32}));
  ASSERT_TRUE(succeeded(tile));
  EXPECT_EQ(tile->flopsOn(opwork::Unit::Matrix), 2 * 16 * 64 * 32);
  EXPECT_EQ(tile->operands[0].read, 16 * 32 * 4);
}

/// In every structured op of the models of front ends and of tiled kernels: the
/// kernel of this project has the counts of the neutral interface.
TEST_F(TileWorkTest, KernelsHaveTheNeutralCounts) {
  context.allowUnregisteredDialects();
  int compared = 0;
  for (const char *folder :
       {GPUCOST_TEST_INPUTS "/FrontEnds", GPUCOST_TEST_INPUTS "/CostAnalysis",
        GPUCOST_TEST_INPUTS "/Conformance", GPUCOST_MODELS})
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".mlir")
        continue;
      auto module = parseSourceFile<ModuleOp>(entry.path().string(), &context);
      if (!module)
        continue;
      for (OpWorkInterface op : opsOf(*module)) {
        FailureOr<WorkAttr> kernel =
            cast<WorkOpInterface>(op.getOperation()).getWork();
        FailureOr<Work> work = op.getOpWork();
        if (failed(kernel))
          continue;
        ASSERT_TRUE(succeeded(work)) << print(op);
        const WorkCount &count = kernel->getValue().count;
        EXPECT_EQ(work->bytesRead(), count.bytesRead) << print(op);
        EXPECT_EQ(work->bytesWritten(), count.bytesWritten) << print(op);
        EXPECT_EQ(work->flopsOn(opwork::Unit::Matrix), count.tensorFlops)
            << print(op);
        if (work->functions.empty()) {
          EXPECT_EQ(work->flopsOn(opwork::Unit::Vector), count.fp32Flops)
              << print(op);
          EXPECT_EQ(count.specialOps, 0) << print(op);
        } else {
          EXPECT_LE(work->flopsOn(opwork::Unit::Vector), count.fp32Flops)
              << print(op);
          EXPECT_GE(count.specialOps, work->functions.front().count)
              << print(op);
        }
        ++compared;
      }
    }
  EXPECT_GT(compared, 200);
}

} // namespace
