//===- QueryWorkTest.cpp - Exact work of queried kernels ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(QueryWork, Matmul) {
  MatmulProblem p;
  p.batch = 4, p.m = 8, p.n = 16, p.k = 32, p.linear = false;
  KernelWork work = *matmulWork(p, NumericFormat::BF16);
  EXPECT_EQ(work.family, KernelFamily::Matmul);
  EXPECT_EQ(work.count.tensorFlops, 32768); // 2 * 4 * 8 * 16 * 32
  EXPECT_EQ(work.count.bytesRead, 6144);    // 2 * 4 * (8 * 32 + 32 * 16)
  EXPECT_EQ(work.count.bytesWritten, 1024); // 2 * 4 * 8 * 16
  EXPECT_FALSE(work.as<MatmulProblem>().linear);
  work = *matmulWork(p, NumericFormat::TF32); // fp32 in memory
  EXPECT_EQ(work.count.bytesRead, 12288);
  EXPECT_EQ(work.inputBits, 32);
  work = *matmulWork(p, NumericFormat::INT8);
  EXPECT_EQ(work.count.bytesRead, 3072);
}

TEST(QueryWork, Convolution) {
  ConvolutionProblem p;
  p.batch = 2, p.channels = 8, p.height = 9, p.width = 7, p.outChannels = 4;
  p.kernelHeight = 3, p.kernelWidth = 3, p.strideHeight = p.strideWidth = 2;
  p.groups = 2;
  KernelWork work = *convolutionWork(p, /*padding=*/1, NumericFormat::FP32);
  EXPECT_EQ(work.as<ConvolutionProblem>().outHeight, 5); // (9 + 2 - 3) / 2 + 1
  EXPECT_EQ(work.as<ConvolutionProblem>().outWidth, 4);  // (7 + 2 - 3) / 2 + 1
  // 2 * 2 * 4 * 5 * 4 * (8 / 2) * 3 * 3
  EXPECT_EQ(work.count.tensorFlops, 11520);
  EXPECT_EQ(work.count.tensorFlops, countFlops(work.as<ConvolutionProblem>()));
  // 4 * (2 * 8 * 9 * 7 + 4 * (8 / 2) * 3 * 3)
  EXPECT_EQ(work.count.bytesRead, 4608);
  EXPECT_EQ(work.count.bytesWritten, 640); // 4 * 2 * 4 * 5 * 4
}

TEST(QueryWork, OutputSize) {
  EXPECT_EQ(outputSize(224, 7, 2, 3), 112);
  EXPECT_EQ(outputSize(3, 3, 1, 0), 1);
  EXPECT_EQ(outputSize(2, 3, 1, 0), 0);
}

TEST(QueryWork, Attention) {
  AttentionProblem p;
  p.batch = 2, p.heads = 4, p.kvHeads = 2, p.queryLength = 8, p.kvLength = 8;
  p.headDim = 16;
  KernelWork work = *attentionWork(p, NumericFormat::FP16, NumericFormat::FP16);
  EXPECT_EQ(work.count.tensorFlops, 32768); // 4 * 2 * 4 * (8 * 8) * 16
  EXPECT_EQ(work.count.specialOps, 512);    // 2 * 4 * 8 * 8
  EXPECT_EQ(work.count.fp32Flops, 2560);    // 5 * 512
  // 2 * (2 * 4 * 8 * 16 + 2 * 2 * 2 * 8 * 16)
  EXPECT_EQ(work.count.bytesRead, 4096);
  EXPECT_EQ(work.count.bytesWritten, 2048); // 2 * 2 * 4 * 8 * 16
  p.causal = true;                          // 8 * 9 / 2 = 36 of 64 scores
  work = *attentionWork(p, NumericFormat::FP16, NumericFormat::FP16);
  EXPECT_EQ(work.count.tensorFlops, 18432); // 4 * 2 * 4 * 36 * 16
  EXPECT_EQ(work.count.specialOps, 288);    // 2 * 4 * 36
  // Keys and values of one byte: 2 * 2 * 4 * 8 * 16 + 2 * 2 * 2 * 8 * 16
  work = *attentionWork(p, NumericFormat::FP16, NumericFormat::FP8);
  EXPECT_EQ(work.count.bytesRead, 3072);
  EXPECT_EQ(work.count.bytesWritten, 2048);
  EXPECT_EQ(work.inputBits, 8);
  EXPECT_EQ(work.outputBits, 16);
}

TEST(QueryWork, Rows) {
  RowsProblem p;
  p.rows = 10, p.cols = 100;
  KernelWork softmax = *softmaxWork(p, NumericFormat::BF16);
  EXPECT_EQ(softmax.count.bytesRead, 2000); // 2 * 10 * 100
  EXPECT_EQ(softmax.count.bytesWritten, 2000);
  EXPECT_EQ(softmax.count.specialOps, 1000);
  KernelWork norm = *layerNormWork(p, NumericFormat::FP32);
  EXPECT_EQ(norm.family, KernelFamily::Normalization);
  EXPECT_EQ(norm.count.bytesRead, 4800); // 4 * (10 * 100 + 2 * 100)
  EXPECT_EQ(norm.count.bytesWritten, 4000);
  EXPECT_EQ(norm.count.fp32Flops, 8000); // 8 * 10 * 100
}

static const ElementwiseOp &op(std::string_view name) {
  for (const ElementwiseOp &op : elementwiseOps())
    if (op.name == name)
      return op;
  ADD_FAILURE() << name;
  return *elementwiseOps().begin();
}

TEST(QueryWork, Elementwise) {
  KernelWork add =
      *elementwiseWork(op("add"), 1000, op("add").inputs, NumericFormat::FP32);
  EXPECT_EQ(add.instructions, InstructionClass::Add);
  EXPECT_EQ(add.as<ElementsProblem>().elements, 1000);
  EXPECT_EQ(add.count.bytesRead, 8000); // 4 * 2 * 1000
  EXPECT_EQ(add.count.bytesWritten, 4000);
  EXPECT_EQ(add.count.fp32Flops, 1000);
  EXPECT_EQ(op("addu").instructions, InstructionClass::Add);
  EXPECT_EQ(op("addu").inputs, 1); // the other operand is a scalar
  EXPECT_EQ(op("where").inputs, 3);
  KernelWork dropout =
      *elementwiseWork(op("dropout"), 1000, 1, NumericFormat::BF16);
  EXPECT_EQ(dropout.count.bytesWritten, 3000); // 2 * 1000 and the mask
}

TEST(QueryWork, NamesAreThoseOfTheInstructionClasses) {
  for (const ElementwiseOp &op : elementwiseOps()) {
    std::string_view name = op.name;
    if (name.back() == 'u' && name != "relu" && name != "gelu" &&
        name != "silu")
      name.remove_suffix(1);
    EXPECT_EQ(symbolizeInstructionClass(name), op.instructions) << name;
  }
}

TEST(QueryWork, TooLargeForSixtyFourBits) {
  int64_t big = int64_t(1) << 40;
  MatmulProblem p;
  p.m = p.n = big, p.k = 1;
  EXPECT_FALSE(matmulWork(p, NumericFormat::BF16).has_value());
  EXPECT_FALSE(softmaxWork({big, big}, NumericFormat::BF16).has_value());
  AttentionProblem a;
  a.heads = a.kvHeads = 1, a.queryLength = a.kvLength = big, a.headDim = 1;
  a.causal = true;
  EXPECT_FALSE(
      attentionWork(a, NumericFormat::BF16, NumericFormat::BF16).has_value());
}
