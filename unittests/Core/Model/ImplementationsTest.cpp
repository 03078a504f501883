//===- ImplementationsTest.cpp - Which kernel runs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Implementations.h"
#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpucost;

namespace {

using K = ImplementationKind;

const Gpu &gpu() {
  static const Gpu gpu =
      *compiledTarget(cantFail(findCompiledTarget("h100-sxm-80gb")).first).gpu;
  return gpu;
}

/// The set of the H100, which has every group.
const Coefficients &coefficients() {
  static const Coefficients set = cantFail(coefficientsOf(
      compiledTarget(cantFail(findCompiledTarget("h100-sxm-80gb")).first), ""));
  return set;
}

CostModel model(KernelChoice choice = {}, DecodeKernel decode = {}) {
  Coefficients c = coefficients();
  c.attentionStacks.clear();
  c.decodeOfDims.clear();
  c.decode->kernel = decode;
  return study::model(gpu(), c, choice);
}

KernelWork work(KernelFamily family, Problem problem,
                NumericFormat format = NumericFormat::FP16) {
  KernelWork w;
  w.family = family;
  w.format = format;
  w.inputBits = w.outputBits = infoOf(format).bits;
  w.problem = problem;
  w.count.bytesRead = w.count.bytesWritten = 1 << 20;
  return w;
}

K kindOf(const CostModel &model, const KernelWork &work,
         const KernelQuery &query = {}) {
  return cantFail(model.selectTiling(work, query)).implementation;
}

ConvolutionProblem convolution(int64_t batch, int64_t channels, int64_t size) {
  return {batch, channels, size, size, channels, size, size, 3, 3, 1, 1, 1};
}

ConvolutionProblem depthwise(int64_t stride, bool channelsLast) {
  ConvolutionProblem p = convolution(8, 64, 32);
  p.groups = 64;
  p.strideHeight = p.strideWidth = stride;
  p.channelsLast = channelsLast;
  return p;
}

AttentionProblem attention(int64_t queries, int64_t headDim = 128,
                           bool causal = true) {
  return {1, 8, 8, queries, 1024, headDim, 0, causal};
}

/// A work for each row.
std::set<K> reached() {
  using F = KernelFamily;
  constexpr auto fp32 = NumericFormat::FP32, bf16 = NumericFormat::BF16;
  std::set<K> kinds;
  auto add = [&](const KernelWork &work, KernelChoice choice = {},
                 DecodeKernel decode = {}) {
    kinds.insert(kindOf(model(choice, decode), work));
  };
  auto asks = [](AttentionMode mode) {
    return KernelChoice(Software::PyTorch, Runtime::Eager, mode);
  };
  add(work(F::Matmul, MatmulProblem{1, 512, 512, 512}));
  add(work(F::Matmul, MatmulProblem{1, 512, 512, 512}, NumericFormat::FP8));
  for (bool linear : {false, true})
    for (int64_t m : {1, 4, 512})
      add(work(F::Matmul, MatmulProblem{1, m, 4096, 4096, linear}, fp32));
  add(work(F::Convolution, depthwise(1, true)));
  add(work(F::Convolution, depthwise(1, false)));
  add(work(F::Convolution, depthwise(2, false)));
  ConvolutionProblem wide = depthwise(1, true);
  wide.kernelHeight = wide.kernelWidth = 7;
  wide.pass = ConvolutionPass::WeightGradient;
  add(work(F::Convolution, wide, fp32));
  add(work(F::Convolution, convolution(8, 64, 56)));
  // Winograd in one kernel, and few outputs of many channels, on the board that
  // the study timed.
  Coefficients v100;
  v100.simtConv = study::simtConv("V100");
  kinds.insert(kindOf(study::model(study::gpu("V100"), v100),
                      work(F::Convolution, convolution(32, 64, 56), fp32)));
  KernelQuery warm;
  warm.reuseBytesA = warm.reuseBytesB =
      4.0 * (2 * 16 * 512 * 7 * 7 + 512 * 512 * 3 * 3);
  kinds.insert(kindOf(study::model(study::gpu("V100"), v100),
                      work(F::Convolution, convolution(16, 512, 7), fp32),
                      warm));
  ConvolutionProblem strided = convolution(8, 64, 56);
  strided.strideHeight = strided.strideWidth = 2;
  add(work(F::Convolution, strided, fp32));
  for (const auto &each : EnumTraits<DecodeKernel>::cases)
    add(work(F::Attention, attention(1)), {}, each.value);
  add(work(F::Attention, attention(1024), fp32));
  add(work(F::Attention, attention(1024)), asks(AttentionMode::Triton1));
  add(work(F::Attention, attention(1024)), asks(AttentionMode::Flash1));
  add(work(F::Attention, attention(1024)), asks(AttentionMode::Flash2));
  add(work(F::Attention, attention(1024)));
  add(work(F::Attention, attention(1024)), Software::Vllm);
  add(work(F::Attention, attention(1024, 128, false)), Software::Vllm);
  KernelWork eightBit = work(F::Attention, attention(1024));
  eightBit.inputBits = 8;
  add(eightBit);
  for (int64_t columns : {1024, 4096, 1 << 20})
    add(work(F::Softmax,
             RowsProblem{64, columns, NormKind::None, 0, RowsPass::Forward}));
  RowsProblem rms{64, 128, NormKind::Rms};
  add(work(F::Normalization, rms));
  add(work(F::Normalization, rms), Software::Sglang);
  add(work(F::Normalization, rms), Software::Vllm);
  for (int64_t columns : {128, 129})
    add(work(F::Normalization, RowsProblem{64, columns, NormKind::Layer}));
  ElementsProblem elements{64 * 144, false, NormKind::Batch, 64, 36};
  add(work(F::Elementwise,
           ElementsProblem{64 * 144, false, NormKind::Batch, 0, 36}));
  RowsProblem rows{64, 144, NormKind::Batch, 36};
  for (KernelChoice choice : {Software::PyTorch, Software::PyTorch1_13}) {
    add(work(F::Elementwise, elements), choice);
    add(work(F::Reduction, rows), choice);
  }
  rows.run = 1;
  add(work(F::Reduction, rows, bf16));
  add(work(F::Reduction,
           RowsProblem{768, 64, NormKind::Layer, 0, RowsPass::WeightGradient}));
  add(work(F::Reduction, RowsProblem{64, 64}));
  add(work(F::Reduction, RowsProblem{64, 64, NormKind::None, 1}));
  KernelWork dropout = work(F::Elementwise, ElementsProblem{64});
  dropout.instructions = InstructionClass::Dropout;
  add(dropout);
  for (F family : {F::Elementwise, F::DataMovement, F::Embedding, F::Pooling,
                   F::Optimizer, F::Opaque})
    add(work(family, ElementsProblem{64}));
  add(work(F::Collective, CollectiveProblem{CollectiveKind::AllReduce, 64, 8}));
  // One stack with three kernels, by the size of the message.
  AllReduceStack stack;
  stack.gpu = "stated";
  stack.software = Software::Vllm;
  stack.generation = 1;
  stack.linkBandwidth = BytesPerSecond(1);
  stack.oneShot = stack.twoShot = stack.multicast =
      ReduceFit{Seconds(0), Seconds(0), BytesPerSecond(1)};
  stack.limits = {{8, Bytes(100), Bytes(200), Bytes(300)}};
  Coefficients links = coefficients();
  links.allReduce.emplace();
  links.allReduce->board = stack.gpu;
  links.allReduce->stacks = {stack};
  for (int64_t bytes : {64, 164, 264})
    kinds.insert(
        kindOf(study::model(gpu(), links, Software::Vllm),
               work(F::Collective,
                    CollectiveProblem{CollectiveKind::AllReduce, bytes, 8})));
  Gpu linked = gpu();
  linked.interconnect =
      Interconnect{InterconnectKind::NVLink, 4, BytesPerSecond(900e9)};
  ExchangeStack exchange;
  exchange.matrixPath = linked.sm->matrixPath;
  exchange.software = Software::Vllm;
  exchange.dispatch.linkEfficiency = exchange.dispatch.networkEfficiency = 1;
  exchange.combine = exchange.dispatch;
  links.expertExchange.emplace().stacks = {exchange};
  CollectiveProblem sent{CollectiveKind::AllToAll, 64, 8};
  sent.choices = 2;
  sent.exchange = ExpertExchange::Dispatch;
  kinds.insert(kindOf(study::model(linked, links, Software::Vllm),
                      work(F::Collective, sent)));
  MatmulProblem layer{8, 2, 3 * 512, 4096, /*linear=*/false};
  layer.experts = 8;
  layer.choices = 2;
  layer.inner = 512;
  layer.gated = true;
  AttentionProblem latent{1, 128, 1, 1, 1024, 576, 0, /*causal=*/true};
  latent.valueDim = 512;
  AttentionProblem prompt{1, 128, 128, 64, 64, 192, 0, /*causal=*/true};
  prompt.valueDim = 128;
  add(work(F::Matmul, layer), Software::Vllm);
  add(work(F::Matmul, MatmulProblem{128, 16, 512, 128, /*linear=*/false}),
      Software::Vllm);
  add(work(F::Attention, latent), Software::Vllm);
  add(work(F::Attention, prompt), Software::Vllm);
  AttentionProblem scores{1, 64, 1, 64, 4096, 128, 0, /*causal=*/true};
  scores.valueDim = 1;
  AttentionProblem sparse{1, 16, 1, 64, 4096, 576, 2048, /*causal=*/true};
  sparse.valueDim = 512;
  sparse.chosen = true;
  RowsProblem choice{64, 4096};
  choice.pass = RowsPass::Choice;
  add(work(F::Attention, scores), Software::Vllm);
  add(work(F::Attention, sparse), Software::Vllm);
  add(work(F::Reduction, choice), Software::Vllm);
  ElementsProblem quantized{1 << 20};
  quantized.quantizedColumns = 1024;
  add(work(F::Elementwise, quantized), Software::Vllm);
  for (Software software :
       {Software::PyTorch, Software::Vllm, Software::TensorRtLlm})
    for (int64_t length : {1, 64}) {
      add(work(F::LinearAttention,
               LinearAttentionProblem{LinearRule::GatedDelta, 1, length, 8, 8,
                                      128, 128}),
          software);
      add(work(F::CausalConvolution,
               CausalConvolutionProblem{LinearRule::GatedDelta, 1, length, 64,
                                        4}),
          software);
    }
  return kinds;
}

TEST(Implementations, EachRowIsReachable) {
  std::set<K> kinds = reached();
  for (const auto &each : EnumTraits<K>::cases)
    EXPECT_EQ(kinds.count(each.value), each.value == K::None ? 0u : 1u)
        << each.name;
}

TEST(Implementations, RowsOfAFamilyAreAdjacent) {
  size_t sum = 0;
  for (const auto &family : EnumTraits<KernelFamily>::cases) {
    auto rows = implementationsOf(family.value);
    sum += rows.size();
    EXPECT_FALSE(rows.begin()->competes);
    for (const Implementation &row : rows) {
      EXPECT_EQ(row.family, family.value) << row.name;
      EXPECT_EQ(&implementationOf(row.kind), &row);
      EXPECT_EQ(stringifyImplementationKind(row.kind), row.name);
    }
  }
  EXPECT_EQ(sum,
            EnumTraits<K>::cases[std::size(EnumTraits<K>::cases) - 1].value ==
                    K::CausalConv
                ? std::size(EnumTraits<K>::cases) - 1
                : 0);
}

// Heads that a kernel does not support take the next row, and no other work
// changes its kernel.
TEST(Implementations, HeadsWiderThanAKernelSupports) {
  auto kindAt = [](AttentionMode mode, int64_t headDim) {
    return kindOf(model({Software::PyTorch, Runtime::Eager, mode}),
                  work(KernelFamily::Attention, attention(1024, headDim)));
  };
  EXPECT_EQ(kindAt(AttentionMode::Triton1, 128), K::TritonFlash1);
  EXPECT_EQ(kindAt(AttentionMode::Triton1, 192), K::FlashCausal);
  EXPECT_EQ(kindAt(AttentionMode::Flash1, 128), K::FlashAttention1);
  EXPECT_EQ(kindAt(AttentionMode::Flash1, 192), K::FlashCausal);
  EXPECT_EQ(kindAt(AttentionMode::Flash2, 256), K::FlashAttention2);
  EXPECT_EQ(kindAt(AttentionMode::AsIs, 128), K::CudnnAttention);
}

TEST(Implementations, ConditionsOfGpuAndRelease) {
  KernelWork w = work(KernelFamily::Attention, attention(1024));
  CostModel old = [&] {
    Gpu turing = gpu();
    turing.computeCapability = 7.5;
    return study::model(
        turing, coefficients(),
        {Software::PyTorch, Runtime::Eager, AttentionMode::Flash2});
  }();
  EXPECT_EQ(kindOf(old, w), K::FlashCausal);
  EXPECT_EQ(whyNotEligible(implementationOf(K::FlashAttention2), old, w, {}),
            "needs compute capability 8.0 or later");
  EXPECT_EQ(kindOf(model(Software::PyTorch2_7), w), K::FlashAttention2);
  EXPECT_EQ(whyNotEligible(implementationOf(K::TritonFlash1), model(), w, {}),
            "needs --attention=triton1");
  // Power in the benchmark protocol was fitted to the common kernels.
  EXPECT_EQ(kindOf(model(), w, study::benchmark()), K::FlashCausal);
}

// A compiler generates kernels instead of calling a library's.
TEST(Implementations, GeneratedKernels) {
  KernelChoice compiled(Software::PyTorch, Runtime::Compiled);
  auto kindsOf = [&](const KernelWork &w) {
    return std::pair(kindOf(model(), w), kindOf(model(compiled), w));
  };
  EXPECT_EQ(
      kindsOf(work(KernelFamily::Softmax, RowsProblem{64, 4096, NormKind::None,
                                                      0, RowsPass::Forward})),
      std::pair(K::SoftmaxOnChip, K::SoftmaxReread));
  EXPECT_EQ(kindsOf(work(KernelFamily::Reduction,
                         RowsProblem{768, 64, NormKind::Layer, 0,
                                     RowsPass::WeightGradient})),
            std::pair(K::NormGradientColumns, K::Reduce));
  EXPECT_EQ(
      kindsOf(work(KernelFamily::Elementwise,
                   ElementsProblem{9216, false, NormKind::Batch, 64, 36})),
      std::pair(K::CudnnBatchNormApply, K::Pointwise));
}

// (M11) Since 2.8 more than 65,536 rows fill the GPU.
TEST(Implementations, GradientsOfLongNorms) {
  auto kindAt = [](Software software, int64_t rows) {
    return kindOf(
        model(software),
        work(KernelFamily::Reduction, RowsProblem{768, rows, NormKind::Layer, 0,
                                                  RowsPass::WeightGradient}));
  };
  EXPECT_EQ(kindAt(Software::PyTorch, 65'536), K::NormGradientColumns);
  EXPECT_EQ(kindAt(Software::PyTorch, 65'537), K::Reduce);
  EXPECT_EQ(kindAt(Software::PyTorch2_7, 65'537), K::NormGradientColumns);
}

// (C5) Before 2.0 PyTorch had no fast kernels for channels-last images.
TEST(Implementations, DepthwiseOfOldReleases) {
  KernelWork w = work(KernelFamily::Convolution, depthwise(2, true));
  EXPECT_EQ(kindOf(model(Software::PyTorch2_7), w), K::CudnnDepthwiseNhwc);
  EXPECT_EQ(kindOf(model(Software::PyTorch1_13), w), K::NativeDepthwise);
}

TEST(Implementations, MissingGroupsAreNotEligible) {
  Coefficients c = coefficients();
  c.attentionCudnn.reset();
  CostModel without = cantFail(CostModel::create(gpu(), c, KernelChoice()));
  KernelWork w = work(KernelFamily::Attention, attention(1024));
  EXPECT_EQ(kindOf(without, w), K::FlashCausal);
  EXPECT_EQ(whyNotEligible(implementationOf(K::CudnnAttention), without, w, {}),
            "'" + without.gpu().name +
                "' has no coefficients 'attention_cudnn'");
  // A tiling from another set needs a group that this one lacks.
  Tiling tiling;
  tiling.implementation = K::CudnnAttention;
  auto terms = without.launchTerms(w, tiling);
  ASSERT_FALSE(bool(terms));
  EXPECT_EQ(terms.error().message, "'" + without.gpu().name +
                                       "' has no coefficients "
                                       "'attention_cudnn'");
}

TEST(Implementations, ForcedRows) {
  KernelWork w = work(KernelFamily::Attention, attention(1024));
  KernelQuery query;
  query.implementation = K::FlashAttention2;
  EXPECT_EQ(kindOf(model(), w, query), K::FlashAttention2);
  // A kernel that cannot compute the problem is an error.
  query.implementation = K::TritonFlash1;
  w.edit<AttentionProblem>().headDim = 256;
  auto tiling = model().selectTiling(w, query);
  ASSERT_FALSE(bool(tiling));
  EXPECT_EQ(tiling.error().message,
            "kernel 'triton-flash-1': needs attention of several queries with "
            "heads of up to 128");
  query.implementation = K::NativeNorm;
  EXPECT_EQ(model().selectTiling(w, query).error().message,
            "kernel 'native-norm': of another family");
}

// The domain follows the row in use, not the family.
TEST(Implementations, DomainFollowsTheRow) {
  Coefficients c = coefficients();
  c.softmaxOnChip->transferredFrom = "another die";
  CostModel model = cantFail(CostModel::create(gpu(), c, KernelChoice()));
  auto isInside = [&](RowsPass pass) {
    KernelWork w = work(KernelFamily::Softmax,
                        RowsProblem{64, 4096, NormKind::None, 0, pass});
    return cantFail(model.estimate(w)).time.inCalibratedDomain;
  };
  EXPECT_FALSE(isInside(RowsPass::Forward));
  EXPECT_TRUE(isInside(RowsPass::Unstated));
}

// A release is one row of Software.def: rules compare versions.
TEST(Releases, CompareVersions) {
  EXPECT_TRUE(isOf(Software::PyTorch2_7, Software::PyTorch));
  EXPECT_FALSE(isOf(Software::Vllm, Software::PyTorch));
  EXPECT_TRUE(isSince(Software::PyTorch, Software::PyTorch, version(2, 8)));
  EXPECT_FALSE(isSince(Software::PyTorch2_7, Software::PyTorch, version(2, 8)));
  EXPECT_TRUE(isSince(Software::PyTorch2_7, Software::PyTorch, version(2, 7)));
  EXPECT_TRUE(
      isBefore(Software::PyTorch1_13, Software::PyTorch, version(2, 0)));
  // For another framework, both comparisons are false.
  EXPECT_FALSE(isBefore(Software::Vllm, Software::PyTorch, version(2, 0)));
  EXPECT_FALSE(isSince(Software::Vllm, Software::PyTorch, version(2, 0)));
  EXPECT_EQ(standInOf(Software::Vllm0_19), Software::Vllm);
  EXPECT_EQ(standInOf(Software::Vllm), std::nullopt);
}

} // namespace
