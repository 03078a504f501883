//===- CsvReportTest.cpp - The kernel list as CSV -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpucost;

static const char header[] =
    "name,op,label,family,phase,coverage,format,shape,count,flops,matrix_flops,"
    "bytes,tile,split_k,waves,time_us,total_us,time_fraction,power_w,energy_j,"
    "bound,"
    "origin,"
    "time_low_us,time_high_us,in_calibrated_domain,"
    "ctas,ctas_per_sm,sm_utilization,compute_us,l2_us,dram_us,fixed_us,"
    "implementation\n";

TEST(CsvReport, OneRowPerKernel) {
  EXPECT_EQ(
      sample::write("csv", sample::report()),
      std::string(header) +
          "/encoder/layer.0/query/MatMul,onnx.MatMul,MatMul+Add,matmul,forward,"
          "modelled,bf16,m=2048 n=1024 "
          "k=1024,48,4294967296,4294967296,10485760,"
          "128x256,2,2,25,1200,0.7594937,390,0.00975,tensor,,20,31.25,true,"
          "128,1,0.5925926,20,5,4,3,cublas-tensor\n"
          "/encoder/layer.0/Softmax,onnx.Softmax,Softmax,softmax,forward,"
          "modelled,bf16,rows=24576 cols=128,24,15728640,0,12582912,,,,15,360,"
          "0.2278481,240,0.0036,dram,,,,true,,,,0,0,12,0,\n"
          "/encoder/layer.0/Gelu,onnx.Gelu,Gelu,elementwise,forward,modelled,"
          "bf16,rows=24576 cols=128,2,15728640,0,12582912,,,,10,20,0.01265823,"
          "240,0.0024,dram,,,,true,,,,0,0,8,0,\n");
}

TEST(CsvReport, QuotesAndUnknownNumbers) {
  IterationReport report = sample::report();
  report.kernels.resize(1);
  report.kernels[0].name = "a,\"b\"";
  report.kernels[0].power = Watts(std::numeric_limits<double>::quiet_NaN());
  std::string text = sample::write("csv", report);
  EXPECT_NE(text.find("\n\"a,\"\"b\"\"\",onnx.MatMul,"), std::string::npos);
  EXPECT_NE(text.find(",0.7594937,,0.00975,tensor,,20,"), std::string::npos);
}

TEST(CsvReport, NoKernels) {
  EXPECT_EQ(sample::write("csv", IterationReport()), header);
}

TEST(Report, UnknownFormatNamesTheKnownOnes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = writeReport("xml", IterationReport(), {}, os);
  EXPECT_EQ(
      llvm::toString(std::move(error)),
      "unknown report format 'xml', expected one of table, json, csv, html");
  EXPECT_EQ(text, "");
}
