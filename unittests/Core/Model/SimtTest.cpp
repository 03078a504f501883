//===- SimtTest.cpp - Equations (S*) and (C*) against the study -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

CostModel modelOf(std::string_view gpu) {
  Coefficients c;
  if (gpu != "A100-80") {
    c.simtLinear = study::simtGemm(gpu, /*linear=*/true);
    c.simtBatched = study::simtGemm(gpu, /*linear=*/false);
  }
  if (gpu != "A100-40")
    c.simtConv = study::simtConv(gpu);
  c.tensorGemm = study::tensorGemm("A100");
  c.streaming = study::streaming();
  c.instructions = study::instructions();
  return study::model(study::gpu(gpu), std::move(c));
}

KernelWork gemm(int64_t b, int64_t m, int64_t n, int64_t k, bool linear) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.problem = MatmulProblem{b, m, n, k, linear};
  return work;
}

KernelWork convolution(int64_t b, int64_t c, int64_t m, int64_t taps,
                       int64_t size, int64_t stride = 1, int64_t groups = 1) {
  KernelWork work;
  work.family = KernelFamily::Convolution;
  int64_t out = (size - 1) / stride + 1; // same padding
  work.problem = ConvolutionProblem{b,   c,    size, size,   m,      out,
                                    out, taps, taps, stride, stride, groups};
  work.count.bytesRead =
      4 * (b * c * size * size + m * c / groups * taps * taps);
  work.count.bytesWritten = 4 * b * m * out * out;
  return work;
}

KernelTime timeOf(const CostModel &model, const KernelWork &work,
                  const KernelQuery &query, Tiling *chosen = nullptr) {
  Tiling tiling = cantFail(model.selectTiling(work, query));
  if (chosen)
    *chosen = tiling;
  return cantFail(model.predictTime(work, tiling, model.gpu().maxClock, query));
}

// (S1)-(S6), repeated without other kernels: L2 contains the operands.
TEST(SimtGemm, ReproducesStudy) {
  struct Row {
    const char *gpu;
    bool linear;
    int64_t b, m, n, k;
    Tile tile;
    int32_t split;
    double seconds;
  };
  for (
      const Row &r :
      {Row{"A100-40", true, 1, 512, 4096, 1024, {64, 64, 8, 2}, 1, 3.27165e-4},
       Row{"A100-40",
           true,
           1,
           4096,
           4096,
           4096,
           {128, 128, 2, 8},
           2,
           8.63903e-3},
       Row{"A100-40", true, 1, 128, 1024, 4096, {64, 64, 8, 2}, 16, 1.28783e-4},
       Row{"A100-40", true, 1, 37, 1000, 333, {32, 32, 8, 4}, 1, 3.38737e-5},
       Row{"A100-40", false, 16, 512, 512, 64, {128, 128, 2, 8}, 1, 4.20287e-5},
       Row{"A100-40",
           false,
           256,
           128,
           64,
           512,
           {128, 128, 2, 8},
           1,
           2.88978e-4},
       Row{"V100", true, 1, 512, 4096, 1024, {128, 128, 2, 8}, 3, 3.89593e-4},
       Row{"V100", true, 1, 4096, 4096, 4096, {128, 128, 2, 8}, 2, 1.10461e-2},
       Row{"V100", true, 1, 37, 1000, 333, {32, 32, 8, 4}, 1, 1.57488e-5},
       Row{"V100", false, 16, 512, 512, 64, {64, 64, 8, 2}, 1, 5.48229e-5},
       Row{"V100",
           false,
           8,
           1024,
           1024,
           1024,
           {128, 32, 3, 8},
           1,
           1.56673e-3}}) {
    CostModel model = modelOf(r.gpu);
    KernelQuery query;
    query.benchmark = BenchmarkProtocol();
    query.reuseBytesA = query.reuseBytesB =
        4.0 * r.b * (r.m * r.k + r.k * r.n + r.m * r.n);
    Tiling tiling;
    KernelTime time =
        timeOf(model, gemm(r.b, r.m, r.n, r.k, r.linear), query, &tiling);
    SCOPED_TRACE(testing::Message()
                 << r.gpu << " " << r.m << " " << r.n << " " << r.k);
    EXPECT_NEAR(time.total.value(), r.seconds, 1e-3 * r.seconds);
    EXPECT_TRUE(tiling.tile == r.tile);
    EXPECT_EQ(tiling.splitK, r.split);
  }
}

// (S6) 128 x 1024 x 4096 has 32 tiles of 64 x 64 on 108 SMs: parts of K pay off
// where the set permits them, three of them in one round.
TEST(SimtGemm, LeastDepthOfParts) {
  Coefficients c = modelOf("A100-40").coefficients();
  KernelQuery query;
  query.benchmark = BenchmarkProtocol();
  auto split = [&](double least, double leastOfLayers, bool strided) {
    c.simtLinear->leastDepth = least;
    c.simtLinear->leastLayerDepth = leastOfLayers;
    CostModel model = study::model(study::gpu("A100-40"), c);
    KernelWork work = gemm(1, 128, 1024, 4096, true);
    work.edit<MatmulProblem>().stridedK = strided;
    return cantFail(model.selectTiling(work, query)).splitK;
  };
  EXPECT_EQ(split(0, 0, false), 12);
  EXPECT_EQ(split(0, 1024, false), 3);
  EXPECT_EQ(split(0, 4096, false), 1);
  EXPECT_EQ(split(0, 4096, true), 12);
  EXPECT_EQ(split(1024, 0, true), 3);
  EXPECT_EQ(split(4096, 1024, false), 1);
}

// (S5) only counts on request: inside a network the clock is solved.
TEST(SimtGemm, PowerRoofIsOptional) {
  CostModel model = modelOf("A100-40");
  KernelWork work = gemm(1, 8192, 8192, 8192, true);
  KernelQuery roof;
  roof.benchmark = BenchmarkProtocol();
  EXPECT_GT(timeOf(model, work, roof).total.value(),
            timeOf(model, work, {}).total.value());
  EXPECT_EQ(timeOf(model, work, {}).bound, Bound::FP32);
}

TEST(SimtGemm, EdgesAndErrors) {
  CostModel model = modelOf("V100");
  double latency = model.coefficients().simtLinear->latency.value();
  EXPECT_DOUBLE_EQ(timeOf(model, gemm(1, 0, 5, 5, true), {}).total.value(),
                   latency);
  int64_t huge = int64_t(1) << 40;
  for (const KernelWork &work :
       {gemm(1, 1, 1, 1, true), gemm(1, huge, huge, huge, true)})
    EXPECT_TRUE(std::isfinite(timeOf(model, work, {}).total.value()));
  auto none = modelOf("A100-80").selectTiling(gemm(1, 8, 8, 8, true));
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(none.error().message,
            "'A100-80' has no coefficients 'simt_linear'");
}

// (S9) The layout changes the energy of a product, but not its time.
TEST(SimtGemm, EnergyFollowsTheLayout) {
  Coefficients all = modelOf("A100-40").coefficients();
  all.simtLinear->stridedEnergy = 0.75;
  CostModel model = study::model(study::gpu("A100-40"), all, KernelChoice());
  KernelWork work = gemm(1, 2048, 2048, 2048, /*linear=*/true);
  Tiling tiling = cantFail(model.selectTiling(work));
  LaunchTerms layer = cantFail(model.launchTerms(work, tiling));
  work.edit<MatmulProblem>().stridedK = true;
  LaunchTerms strided = cantFail(model.launchTerms(work, tiling));
  EXPECT_EQ(layer.events.fp32Flops, 2.0 * 2048 * 2048 * 2048);
  EXPECT_EQ(strided.events.fp32Flops, 0.75 * 2 * 2048 * 2048 * 2048);
  EXPECT_EQ(timeAt(strided, 1), timeAt(layer, 1));
}

// (C1)-(C3) with the variant that the study's reference picks.
// (S7): one row reads its matrix once, at the rate of streaming kernels.
TEST(SimtGemm, OneRowIsAMatrixVectorProduct) {
  CostModel model = modelOf("A100-40");
  KernelWork work = gemm(1, 1, 16384, 4096, /*linear=*/true);
  Tiling tiling = cantFail(model.selectTiling(work));
  EXPECT_EQ(tiling.tile.m, 0);
  LaunchTerms terms = cantFail(model.launchTerms(work, tiling));
  double bytes = 4.0 * (4096 + 4096.0 * 16384 + 16384);
  EXPECT_NEAR(terms.dram.value(),
              bytes / (model.gpu().dramBandwidth.value() *
                       model.coefficients().streaming->dramEfficiency),
              1e-12);
  // 268.5 MB at 0.92 * 1555 GB/s take 187.7 us, at 12.6 B per clock of 108 SMs
  // 140 us, together 200 us: 0.86 of the bandwidth and no launch inside.
  EXPECT_NEAR(
      terms.l2.value(),
      bytes / (108 * 1.41e9 * model.coefficients().streaming->l2BytesPerClock),
      1e-12);
  EXPECT_EQ(terms.fixed, model.coefficients().streaming->latency);
  EXPECT_GT(bytes / timeAt(terms, 1).value(), 0.8 * 1555e9);
  EXPECT_EQ(terms.events.fp32Flops, 2.0 * 4096 * 16384);
  // 32 rows are a matrix product.
  work = gemm(1, 32, 16384, 4096, /*linear=*/true);
  EXPECT_GT(cantFail(model.selectTiling(work)).tile.m, 0);
}

// (S8): two rows read the matrix once, too; their products run at 0.075 of the
// peak of 108 SMs x 128 FLOP x 1.41 GHz.
TEST(SimtGemm, FewRowsHaveNoTiles) {
  CostModel model = modelOf("A100-40");
  KernelWork work = gemm(1, 2, 768, 768, /*linear=*/true);
  Tiling tiling = cantFail(model.selectTiling(work));
  EXPECT_EQ(tiling.tile.m, 0);
  LaunchTerms terms = cantFail(model.launchTerms(work, tiling));
  EXPECT_NEAR(terms.compute.value(),
              2.0 * 2 * 768 * 768 / (0.075 * 108 * 128 * 1.41e9), 1e-12);
  // Batched products run in tiles: all rows of A100's table do.
  EXPECT_GT(cantFail(model.selectTiling(gemm(8, 2, 768, 768, /*linear=*/false)))
                .tile.m,
            0);
  // Not slower than one row by more than a few microseconds.
  Tiling row = cantFail(model.selectTiling(gemm(1, 1, 768, 768, true)));
  LaunchTerms one =
      cantFail(model.launchTerms(gemm(1, 1, 768, 768, /*linear=*/true), row));
  EXPECT_LT(timeAt(terms, 1) - timeAt(one, 1), Seconds(6e-6));
}

TEST(SimtConvolution, ReproducesStudy) {
  struct Row {
    const char *gpu;
    int64_t b, c, m, taps, size;
    ImplementationKind kernel;
    double seconds;
  };
  constexpr auto gemm = ImplementationKind::ImplicitGemmSimt,
                 fused = ImplementationKind::WinogradFused,
                 split = ImplementationKind::WinogradTransforms;
  for (const Row &r : {Row{"V100", 32, 64, 64, 3, 56, fused, 3.7857e-4},
                       Row{"V100", 8, 256, 256, 3, 14, fused, 1.53235e-4},
                       Row{"V100", 1, 64, 128, 3, 112, fused, 9.85026e-5},
                       Row{"V100", 16, 512, 512, 3, 7, split, 3.08398e-4},
                       Row{"V100", 64, 3, 64, 3, 224, gemm, 1.89726e-3},
                       Row{"V100", 16, 64, 256, 1, 56, gemm, 1.58369e-4},
                       Row{"V100", 4, 16, 16, 3, 28, fused, 9.34928e-6},
                       Row{"A100-80", 32, 64, 64, 3, 56, fused, 3.41121e-4},
                       Row{"A100-80", 16, 512, 512, 3, 7, split, 2.81406e-4},
                       Row{"A100-80", 64, 3, 64, 3, 224, gemm, 1.27537e-3},
                       Row{"A100-80", 16, 64, 256, 1, 56, gemm, 1.59961e-4}}) {
    CostModel model = modelOf(r.gpu);
    KernelWork work = convolution(r.b, r.c, r.m, r.taps, r.size);
    KernelQuery query;
    query.reuseBytesA = query.reuseBytesB =
        static_cast<double>(work.count.bytesRead + work.count.bytesWritten);
    Tiling tiling;
    KernelTime time = timeOf(model, work, query, &tiling);
    SCOPED_TRACE(testing::Message() << r.gpu << " " << r.c << " " << r.size);
    EXPECT_NEAR(time.total.value(), r.seconds, 1e-3 * r.seconds);
    EXPECT_EQ(tiling.implementation, r.kernel);
  }
}

TEST(SimtConvolution, WinogradNeedsStrideOne) {
  Tiling tiling;
  timeOf(modelOf("V100"), convolution(32, 64, 64, 3, 56, 2), {}, &tiling);
  EXPECT_EQ(tiling.implementation, ImplementationKind::ImplicitGemmSimt);
}

// The same sizes take Winograd where the filter is dense and of an image.
TEST(SimtConvolution, WinogradNeedsDenseFiltersOfImages) {
  auto usesWinograd = [](auto change) {
    KernelWork work = convolution(32, 256, 256, 3, 28);
    change(work.edit<ConvolutionProblem>());
    Tiling tiling;
    timeOf(modelOf("V100"), work, {}, &tiling);
    return tiling.implementation != ImplementationKind::ImplicitGemmSimt;
  };
  EXPECT_TRUE(usesWinograd([](ConvolutionProblem &) {}));
  EXPECT_FALSE(
      usesWinograd([](ConvolutionProblem &p) { p.dilationHeight = 2; }));
  EXPECT_FALSE(
      usesWinograd([](ConvolutionProblem &p) { p.dilationWidth = 2; }));
  EXPECT_FALSE(usesWinograd([](ConvolutionProblem &p) { p.dims = 3; }));
  EXPECT_FALSE(usesWinograd([](ConvolutionProblem &p) { p.sampled = true; }));
}

// (C4): a 1x1 convolution is the GEMM m = b*h*w, n = M, k = C.
TEST(TensorConvolution, PointwiseIsAGemm) {
  CostModel model = modelOf("A100-40");
  KernelWork conv = convolution(32, 256, 512, 1, 28);
  conv.format = NumericFormat::BF16;
  conv.inputBits = conv.outputBits = 16;
  conv.edit<ConvolutionProblem>().channelsLast = true;
  KernelWork product = gemm(1, 32 * 28 * 28, 512, 256, true);
  product.format = NumericFormat::BF16;
  product.inputBits = product.outputBits = 16;
  EXPECT_DOUBLE_EQ(timeOf(model, conv, {}).total.value(),
                   timeOf(model, product, {}).total.value());
  // (L6) NCHW images are a batch of products with 28 * 28 rows each.
  conv.edit<ConvolutionProblem>().channelsLast = false;
  constexpr int64_t size = 28;
  KernelWork images = gemm(32, size * size, 512, 256, false);
  images.format = NumericFormat::BF16;
  images.inputBits = images.outputBits = 16;
  EXPECT_EQ(cantFail(model.selectTiling(conv)).ctas,
            cantFail(model.selectTiling(images)).ctas);
}

// (C4): 3x3 reads the input once from DRAM but nine times from L2.
TEST(TensorConvolution, Im2colCostsL2Only) {
  CostModel model = modelOf("A100-40");
  auto events = [&](int64_t taps) {
    KernelWork conv = convolution(32, 256, 256, taps, 28);
    conv.format = NumericFormat::BF16;
    conv.inputBits = conv.outputBits = 16;
    conv.edit<ConvolutionProblem>().channelsLast = true;
    Tiling tiling;
    tiling.tile = {128, 128, 2, 0};
    return cantFail(model.countEvents(conv, tiling));
  };
  EXPECT_DOUBLE_EQ(events(3).l2Bytes, 9 * events(1).l2Bytes);
  // 8 more taps of 256 x 256 weights at 2 B.
  EXPECT_DOUBLE_EQ(events(3).dramBytes - events(1).dramBytes,
                   8.0 * 256 * 256 * 2);
}

// (C5): groups == channels has no tile; grouped convolutions are one GEMM a
// group.
TEST(Convolution, DepthwiseAndGroups) {
  CostModel model = modelOf("A100-40");
  KernelWork depthwise = convolution(32, 128, 128, 3, 56, 1, 128);
  depthwise.format = NumericFormat::BF16;
  Tiling tiling;
  timeOf(model, depthwise, {}, &tiling);
  EXPECT_EQ(tiling.tile.m, 0);
  KernelEvents events = cantFail(model.countEvents(depthwise, tiling));
  // 9 taps of 6 instructions and the strided indexing per output.
  EXPECT_DOUBLE_EQ(events.instructions, 32.0 * 128 * 56 * 56 * (9 * 6 + 14.01));
  EXPECT_EQ(events.tensorFlops, 0);

  KernelWork grouped = convolution(32, 128, 128, 3, 56, 1, 4);
  grouped.format = NumericFormat::BF16;
  timeOf(model, grouped, {}, &tiling);
  EXPECT_GT(tiling.tile.m, 0);
  events = cantFail(model.countEvents(grouped, tiling));
  // 2 * 32*56*56 pixels * 128 channels * 32 inputs * 9 taps
  EXPECT_DOUBLE_EQ(events.tensorFlops, 2.0 * 32 * 56 * 56 * 128 * 32 * 9);

  grouped.edit<ConvolutionProblem>().groups = 3;
  auto wrong = model.selectTiling(grouped);
  ASSERT_FALSE(bool(wrong));
}

} // namespace
