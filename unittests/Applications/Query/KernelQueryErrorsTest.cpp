//===- KernelQueryErrorsTest.cpp - Wrong rows print nothing ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueryTestModel.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::querytest;

static const std::string header = "family,op,dtype,m,n,k,elements\n";
static const std::string good = "matmul,,,64,64,64,\n";

/// A valid row precedes the wrong one: it must not be printed either.
static std::string errorOf(const std::string &row) {
  return runFile(header + good + row + "\n");
}

static void expectStart(const std::string &text, llvm::StringRef start) {
  EXPECT_TRUE(llvm::StringRef(text).starts_with(start)) << text;
}

TEST(KernelQueryErrors, Numbers) {
  EXPECT_EQ(
      errorOf("matmul,,,-5,64,64,"),
      "error: kernels.csv:3:10: column 'm': expected an integer from 1 to "
      "2^40, but got '-5'");
  for (const char *value : {"0", "1.5", "1e3", "abc", "1099511627777", "inf",
                            "99999999999999999999", "0x10", "1.", "--1"})
    expectStart(
        errorOf("matmul,,,64," + std::string(value) + ",64,"),
        "error: kernels.csv:3:13: column 'n': expected an integer from 1 "
        "to 2^40, but got '" +
            std::string(value) + "'");
  expectStart(
      errorOf("matmul,,,64,64,,"),
      "error: kernels.csv:3:16: column 'k': expected an integer from 1 to "
      "2^40, but got an empty cell");
  // 2 * 2^40 * 2^40 FLOP
  EXPECT_EQ(
      errorOf("matmul,,,1099511627776,1099511627776,1,"),
      "error: kernels.csv:3:1: expected a kernel whose FLOPs and bytes fit "
      "63 bits");
}

TEST(KernelQueryErrors, Names) {
  expectStart(
      errorOf("matmull,,,64,64,64,"),
      "error: kernels.csv:3:1: column 'family': expected one of matmul, "
      "conv2d, attention, softmax, layernorm, elementwise, collective, but got "
      "'matmull', did you mean 'matmul'?");
  expectStart(errorOf(",,,64,64,64,"),
              "error: kernels.csv:3:1: column 'family'");
  std::string op = errorOf("elementwise,geluu,,,,,64");
  expectStart(op,
              "error: kernels.csv:3:13: column 'op': expected one of add, mul");
  EXPECT_TRUE(
      llvm::StringRef(op).ends_with("but got 'geluu', did you mean 'gelu'?"));
  expectStart(
      errorOf("matmul,,bf61,64,64,64,"),
      "error: kernels.csv:3:9: column 'dtype': expected one of fp32, tf32, "
      "fp16, bf16, fp8, int8, fp8-e5m2, mxfp8, mxfp4, nvfp4, fp8-block, "
      "mxfp6, but "
      "got 'bf61', "
      "did you mean 'bf16'?");
  expectStart(errorOf("matmul,,fp64,64,64,64,"),
              "error: kernels.csv:3:9: column");
}

TEST(KernelQueryErrors, FormatThatTheGpuLacks) {
  EXPECT_EQ(
      errorOf("matmul,,fp8,64,64,64,"),
      "error: kernels.csv:3:9: column 'dtype': expected a format with matrix "
      "units on 'A100' (fp32, tf32, fp16, bf16, int8), but got 'fp8'");
  // Memory holds any format.
  expectStart(errorOf("elementwise,add,fp8,,,,64"), "family,");
}

TEST(KernelQueryErrors, Shape) {
  expectStart(
      runText("conv2d n=1 c=8 h=2 w=8 oc=8 kh=3 kw=3"),
      "error: --kernel:1:32: column 'kh': expected a kernel that fits into "
      "the padded height of 2, but got '3'");
  expectStart(
      runText("conv2d n=1 c=8 h=8 w=8 oc=8 kh=3 kw=3 groups=3"),
      "error: --kernel:1:46: column 'groups': expected a divisor of the 8 "
      "input and 8 output channels, but got '3'");
  expectStart(
      runText("attention heads=8 kv_heads=3 q_len=8 kv_len=8 head_dim=64"),
      "error: --kernel:1:28: column 'kv_heads': expected a divisor of the 8 "
      "heads");
}

TEST(KernelQueryErrors, QueryColumns) {
  expectStart(
      runText("matmul m=64 n=64 k=64 clock_mhz=2000"),
      "error: --kernel:1:33: column 'clock_mhz': expected a number above 0 "
      "and of at most 1410, but got '2000'");
  for (const char *field :
       {"clock_mhz=0", "toggle_rate=-1", "burst_ms=nan", "power_limit_w=inf",
        "reuse_bytes=x", "toggle_rate=3", "linear=maybe"})
    expectStart(runText("matmul m=64 n=64 k=64 " + std::string(field)),
                "error: --kernel:1:");
}

TEST(KernelQueryErrors, Table) {
  EXPECT_EQ(runFile("family,m,n\nmatmul,64,64\n"),
            "error: kernels.csv:2:1: missing column 'k' for kernels of family "
            "'matmul': expected an integer from 1 to 2^40");
  expectStart(runFile("Family,m,n,k\nmatmul,64,64,64\n"),
              "error: kernels.csv:1:1: missing column 'family'");
  EXPECT_EQ(
      errorOf("matmul,,,64,64,64"),
      "error: kernels.csv:3:1: expected 7 cells as in the header, but got 6");
  EXPECT_EQ(runFile(""), "error: kernels.csv: expected a header such as "
                         "family,m,n,k, but the file is empty");
  EXPECT_EQ(runFile("\n\n"), runFile(""));
  EXPECT_EQ(runFile("family,m,m\n"),
            "error: kernels.csv:1:10: expected different "
            "column names, but got 'm' twice");
  EXPECT_EQ(runFile("family,bound\n"),
            "family,input_bound,time_us,power_w,energy_j,tile,split_k,waves,"
            "bound,time_low_us,time_high_us,in_calibrated_domain\n");
  EXPECT_EQ(errorOf("matmul,\"open"),
            "error: kernels.csv:3:8: expected a closing quote");
}

TEST(KernelQueryErrors, MissingFile) {
  KernelQueryOptions options;
  options.file = "/nowhere/kernels.csv";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error =
      runKernelQueries(model(), NumericFormat::BF16, options, os);
  expectStart(llvm::toString(std::move(error)),
              "cannot read '/nowhere/kernels.csv': ");
  EXPECT_EQ(text, "");
}

TEST(KernelQueryErrors, Words) {
  expectStart(runText(""), "error: expected a kernel such as 'matmul m=4096");
  expectStart(runText("matmul mm=64"),
              "error: --kernel:1:8: unknown field 'mm'");
  expectStart(runText("matmul m"), "error: --kernel:1:8: expected 'm=value'");
  expectStart(runText("matmul m= n=4"),
              "error: --kernel:1:8: expected 'm=value'");
  expectStart(runText("matmul m=1 m=2"),
              "error: --kernel:1:14: expected one 'm'");
  expectStart(runText("m=64 n=64 k=64"), "error: --kernel:1:1: missing column "
                                         "'family'");
  expectStart(runText("matmul m=64 n=64"),
              "error: --kernel:1:1: missing column "
              "'k' for kernels of family 'matmul'");
}

TEST(KernelQueryErrors, WhatTheModelRefuses) {
  // The test GPU has no attention coefficients.
  expectStart(
      runText("attention heads=8 q_len=64 kv_len=64 head_dim=64"),
      "error: --kernel:1:1: 'A100' has no coefficients 'attention_full'");
}

TEST(KernelQueryErrors, UnknownReport) {
  expectStart(runText("softmax rows=8 cols=8", "yaml"),
              "error: unknown report format 'yaml'");
}
