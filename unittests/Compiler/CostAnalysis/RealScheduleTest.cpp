//===- RealScheduleTest.cpp - Schedules and tiled ops ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule costs what the loops cost that MLIR's tiling makes with its tile,
// and what the op costs that states it, for schedules drawn for the products of
// real front ends.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/RecordAttr.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include <cmath>
#include <random>

using namespace gpucost;
using namespace mlir;

namespace {

/// Largest accepted ratio of the two times.
constexpr double tolerance = 1.02;

class RealSchedule : public CostAnalysisTest {
protected:
  RealSchedule() {
    DialectRegistry tiling;
    linalg::registerTilingInterfaceExternalModels(tiling);
    affine::registerValueBoundsOpInterfaceExternalModels(tiling);
    context.appendDialectRegistry(tiling);
    context.loadDialect<scf::SCFDialect, gpu::GPUDialect>();
    context.allowUnregisteredDialects();
  }

  /// The module of a file in structured ops; null if it has none.
  OwningOpRef<ModuleOp> read(const std::string &file) {
    auto module = parseSourceFile<ModuleOp>(file, &context);
    PassManager passes(&context);
    passes.addPass(createLowerTosaPass());
    return module && succeeded(passes.run(*module)) ? std::move(module)
                                                    : OwningOpRef<ModuleOp>();
  }

  static SmallVector<linalg::LinalgOp> productsOf(ModuleOp module) {
    SmallVector<linalg::LinalgOp> products;
    module.walk([&](linalg::LinalgOp op) {
      if (isProduct(getCostClass(op)) && !op.hasDynamicShape() &&
          !isa<LoopLikeOpInterface>(op->getParentOp()))
        products.push_back(op);
    });
    return products;
  }

  /// The loops of a matmul, or of the implicit matmul of a convolution.
  static linalg::ContractionDimensions loopsOf(linalg::LinalgOp op) {
    if (getCostClass(op) == CostClass::Contraction)
      return *linalg::inferContractionDims(op);
    auto window = *linalg::inferConvolutionDims(op);
    linalg::ContractionDimensions dims;
    dims.batch = window.depth;
    dims.m = window.batch;
    dims.m.append(window.outputImage);
    dims.n = window.outputChannel;
    dims.k = window.filterLoop;
    dims.k.append(window.inputChannel);
    return dims;
  }

  /// Sets the sizes of `loops` to a box of `tile` iterations; false if there is
  /// none.
  static bool divide(ArrayRef<unsigned> loops, int64_t tile,
                     ArrayRef<int64_t> ranges,
                     SmallVectorImpl<int64_t> &sizes) {
    for (unsigned loop : llvm::reverse(loops)) {
      if (tile >= ranges[loop] && loop == loops.front())
        return true;
      if (tile >= ranges[loop] && tile % ranges[loop])
        return false;
      if (tile < ranges[loop])
        sizes[loop] = tile;
      tile = std::max<int64_t>(tile / ranges[loop], 1);
    }
    return true;
  }

  /// `product` and the elementwise ops that follow it one after the other.
  static SmallVector<Operation *> withEpilogue(linalg::LinalgOp product) {
    SmallVector<Operation *> members = {product};
    while (members.back()->hasOneUse()) {
      OpOperand &use = *members.back()->use_begin();
      auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (!reader || reader->getBlock() != product->getBlock() ||
          getCostClass(reader) != CostClass::Elementwise ||
          reader.isDpsInit(&use) || reader->getNumResults() != 1 ||
          !reader.getMatchingIndexingMap(&use).isIdentity() ||
          !reader.getMatchingIndexingMap(reader.getDpsInitOperand(0))
               .isIdentity())
        break;
      members.push_back(reader);
    }
    return members;
  }

  /// The loops over CTAs of `members`, a product and its epilogue, with this
  /// schedule; null if its tile is not a box of iterations, or the whole op.
  Operation *tile(ArrayRef<Operation *> members, const Schedule &schedule) {
    auto product = cast<linalg::LinalgOp>(members.front());
    linalg::ContractionDimensions dims = loopsOf(product);
    SmallVector<int64_t> ranges = product.getStaticLoopRanges();
    SmallVector<int64_t> ctas(ranges.size(), 0), steps = ctas, own;
    for (unsigned loop : dims.batch)
      ctas[loop] = ranges[loop] > 1 ? 1 : 0;
    if (!divide(dims.m, schedule.tileM, ranges, ctas) ||
        !divide(dims.n, schedule.tileN, ranges, ctas) ||
        !divide(dims.k, schedule.tileK, ranges, steps))
      return nullptr;
    // The loops of the last op.
    AffineMap result =
        product.getMatchingIndexingMap(product.getDpsInitOperand(0));
    for (AffineExpr expr : result.getResults())
      own.push_back(ctas[cast<AffineDimExpr>(expr).getPosition()]);
    if (members.size() == 1)
      own = ctas;
    scf::SCFTileAndFuseOptions options;
    SmallVector<Attribute> mapping;
    for (int64_t size : own)
      if (size)
        mapping.push_back(gpu::GPUBlockMappingAttr::get(
            &context, static_cast<gpu::MappingId>(
                          static_cast<size_t>(gpu::MappingId::LinearDim0) +
                          mapping.size())));
    if (mapping.empty())
      return nullptr;
    options.tilingOptions.setTileSizes(getAsIndexOpFoldResult(&context, own));
    options.tilingOptions.setLoopType(
        scf::SCFTilingOptions::LoopType::ForallOp);
    options.tilingOptions.setMapping(mapping);
    using Control = scf::SCFTileAndFuseOptions::ControlFnResult;
    options.setFusionControlFn([&](tensor::ExtractSliceOp, OpResult producer,
                                   bool) -> std::optional<Control> {
      if (llvm::is_contained(members, producer.getOwner()))
        return Control{};
      return std::nullopt;
    });
    product->setAttr("test.product", UnitAttr::get(&context));
    IRRewriter rewriter(members.back());
    auto made = scf::tileConsumerAndFuseProducersUsingSCF(
        rewriter, cast<TilingInterface>(members.back()), options);
    EXPECT_TRUE(succeeded(made));
    if (failed(made))
      return nullptr;
    for (auto [from, to] : made->replacements)
      Value(from).replaceAllUsesWith(to);
    Operation *nest = made->loops.front();
    // Slices of the ops that were fused.
    nest->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
    });
    for (Operation *member : llvm::reverse(members)) {
      EXPECT_TRUE(member->use_empty()) << print(member);
      if (!member->use_empty())
        return nullptr;
      rewriter.eraseOp(member);
    }
    nest->walk([&](linalg::LinalgOp op) {
      if (op->hasAttr("test.product"))
        product = op;
    });
    if (llvm::any_of(steps, [](int64_t size) { return size != 0; })) {
      scf::SCFTilingOptions loops;
      loops.setTileSizes(getAsIndexOpFoldResult(&context, steps));
      rewriter.setInsertionPoint(product);
      auto tiled = scf::tileUsingSCF(
          rewriter, cast<TilingInterface>(product.getOperation()), loops);
      EXPECT_TRUE(succeeded(tiled));
      if (failed(tiled))
        return nullptr;
      rewriter.replaceOp(product, tiled->replacements);
      product = cast<linalg::LinalgOp>(tiled->tiledOps.front());
    }
    product->setAttr(scheduleAttrName, ScheduleAttr::get(&context, schedule));
    return nest;
  }

  void compare(const Cost &schedule, const Cost &real, StringRef what,
               const Schedule &of, Operation *op) {
    ++pairs;
    double ratio = schedule.time / real.time;
    if (real.status == CostStatus::Exact && messages.empty() &&
        std::abs(std::log(ratio)) <= std::log(tolerance))
      return;
    ++apart;
    ADD_FAILURE() << print(op) << "\n"
                  << describeSchedule(of) << ": " << schedule.time.value() * 1e6
                  << " us; " << what.str() << ": " << real.time.value() * 1e6
                  << " us " << real.reason << messages;
    messages.clear();
  }

  /// Compares a schedule of the product `number`, with its epilogue or without
  /// it, with the schedule as an attribute and with the tiled loops.
  void check(ModuleOp module, CostAnalysis &analysis, size_t number, bool fuses,
             const Schedule &drawn) {
    auto membersIn = [&](ModuleOp module) {
      linalg::LinalgOp product = productsOf(module)[number];
      return fuses ? withEpilogue(product) : SmallVector<Operation *>{product};
    };
    Cost cost = analysis.getCostAsKernel(membersIn(module), drawn);
    ASSERT_EQ(cost.status, CostStatus::Exact) << cost.reason;
    {
      OwningOpRef<ModuleOp> copy = module.clone();
      SmallVector<Operation *> members = membersIn(*copy);
      members[0]->setAttr(scheduleAttrName, ScheduleAttr::get(&context, drawn));
      CostAnalysis again(*copy, settings);
      compare(cost, again.getCostAsKernel(members), "stated", drawn,
              members.back());
    }
    if (drawn.splitK > 1)
      return;
    OwningOpRef<ModuleOp> copy = module.clone();
    Operation *nest = tile(membersIn(*copy), drawn);
    if (!nest)
      return;
    CostAnalysis again(*copy, settings);
    ++nests;
    compare(cost, again.getCost(nest), fuses ? "fused in loops" : "in loops",
            drawn, nest);
  }

  Scenario settings = onA100();
  int pairs = 0, nests = 0, apart = 0;
};

TEST_F(RealSchedule, CostsWhatTheTiledOpCosts) {
  // Each run draws the same schedules.
  std::mt19937 random(1); // NOLINT(bugprone-random-generator-seed)
  std::set<std::string> refused;
  for (const std::string &file : frontEndFiles()) {
    SCOPED_TRACE(file);
    OwningOpRef<ModuleOp> module = read(file);
    if (!module)
      continue;
    messages.clear();
    SmallVector<linalg::LinalgOp> products = productsOf(*module);
    for (const char *target : {"a100-bf16", "h100-bf16", "l40s-bf16"}) {
      settings.target = target;
      CostAnalysis analysis(*module, settings);
      ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
      for (auto [number, op] : llvm::enumerate(products))
        for (bool fuses : {false, true}) {
          SmallVector<Operation *> members = {op};
          if (fuses)
            members = withEpilogue(op);
          if (fuses && members.size() == 1)
            continue;
          std::string why;
          std::vector<Candidate> all =
              analysis.getTopSchedules(members, {}, /*count=*/1000, {}, &why);
          if (all.empty())
            refused.insert(why);
          for (int draw = 0; draw < 24 && !all.empty(); ++draw)
            check(*module, analysis, number, fuses,
                  all[random() % all.size()].schedule);
        }
    }
  }
  // Depthwise convolutions have no schedules.
  for (const std::string &why : refused)
    EXPECT_NE(why.find("depthwise"), why.npos) << why;
  EXPECT_GE(nests, 500);
  EXPECT_EQ(apart, 0) << "of " << pairs;
}

} // namespace
