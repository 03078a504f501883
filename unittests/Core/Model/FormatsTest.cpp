//===- FormatsTest.cpp - Facts of number formats --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Vocabulary/Formats.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(Formats, Bytes) {
  EXPECT_EQ(bytesOf(NumericFormat::FP64, 3), 24);
  EXPECT_EQ(bytesOf(NumericFormat::TF32, 3), 12);
  EXPECT_EQ(bytesOf(NumericFormat::INT4, 3), 2);
  // 32 elements of half a byte, a byte per 16: 16 + 2. 33: 17 + 3.
  EXPECT_EQ(bytesOf(NumericFormat::NVFP4, 32), 18);
  EXPECT_EQ(bytesOf(NumericFormat::NVFP4, 33), 20);
  EXPECT_EQ(bytesOf(NumericFormat::MXFP4, 32), 17);
  EXPECT_EQ(bytesOf(NumericFormat::MXFP8, 64), 66);
  // 256 elements of a byte, 4 bytes per 128.
  EXPECT_EQ(bytesOf(NumericFormat::FP8BLOCK, 256), 264);
  EXPECT_EQ(bytesOf(NumericFormat::INT8, 0), 0);
  EXPECT_EQ(bytesOf(NumericFormat::INT4, INT64_MAX), INT64_MAX / 2 + 1);
  EXPECT_EQ(bytesOf(NumericFormat::FP16, INT64_MAX / 2 + 1), std::nullopt);
  // 4.5 bits; tensors of another width have no scales.
  EXPECT_EQ(elementBytes(NumericFormat::NVFP4, 4), 0.5625);
  EXPECT_EQ(elementBytes(NumericFormat::NVFP4, 16), 2);
  EXPECT_EQ(elementBytes(NumericFormat::BF16, 4), 0.5);
}

TEST(Formats, Storage) {
  EXPECT_EQ(bitsOf(StorageFormat::AsIs), 64);
  EXPECT_EQ(formatOf(StorageFormat::AsIs), std::nullopt);
  EXPECT_EQ(storedAs(NumericFormat::TF32), StorageFormat::AsIs);
  for (const auto &each : EnumTraits<StorageFormat>::cases)
    if (auto format = formatOf(each.value)) {
      EXPECT_EQ(storedAs(*format), each.value);
      EXPECT_EQ(stringifyNumericFormat(*format), each.name);
    }
}

TEST(Formats, Sets) {
  FormatSet set;
  set.insert(NumericFormat::FP64);
  set.insert(NumericFormat::NVFP4);
  for (const FormatInfo &info : formatInfos)
    EXPECT_EQ(set.contains(info.format),
              info.format == NumericFormat::FP64 ||
                  info.format == NumericFormat::NVFP4);
}

/// Generations have an order within a vendor only.
TEST(Formats, Vendors) {
  EXPECT_EQ(vendorOf(Architecture::Blackwell), Vendor::NVIDIA);
  EXPECT_EQ(vendorOf(Architecture::Cdna), Vendor::AMD);
  EXPECT_FALSE(computesIn(Architecture::Volta, NumericFormat::BF16));
  EXPECT_TRUE(computesIn(Architecture::Cdna, NumericFormat::BF16));
  EXPECT_FALSE(computesIn(Architecture::Cdna2, NumericFormat::FP8));
  EXPECT_TRUE(computesIn(Architecture::Cdna3, NumericFormat::FP8));
  EXPECT_FALSE(computesIn(Architecture::Cdna3, NumericFormat::MXFP8));
  EXPECT_TRUE(computesIn(Architecture::Cdna4, NumericFormat::MXFP8));
  EXPECT_FALSE(computesIn(Architecture::Cdna4, NumericFormat::NVFP4));
  EXPECT_EQ(generationsBetween(Architecture::Cdna4, Architecture::Cdna3), 1);
  EXPECT_LT(generationsBetween(Architecture::Pascal, Architecture::Blackwell),
            generationsBetween(Architecture::Cdna, Architecture::Blackwell));
}

/// Words of Vendors.def are replaced as whole words.
TEST(Formats, VendorWords) {
  std::string_view text = "cuBLAS on tensor cores, CUDA graphs, SMs, SMEM";
  EXPECT_EQ(inWordsOf(Vendor::NVIDIA, text), text);
  EXPECT_EQ(inWordsOf(Vendor::AMD, text),
            "hipBLASLt on matrix cores, HIP graphs, CUs, SMEM");
}

/// A format without a rate has the rate of the format that Formats.def names,
/// since the architecture that has units for it.
TEST(Formats, Rates) {
  Gpu gpu;
  gpu.architecture = Architecture::Hopper;
  gpu.formats.emplace_back();
  gpu.formats.back().format = NumericFormat::FP8;
  gpu.formats.back().flopsPerClock = 8192;
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::FP8E5M2), 8192);
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::MXFP8), 0);
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::INT8), 0);
  gpu.architecture = Architecture::Blackwell;
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::MXFP8), 8192);
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::NVFP4), 0);
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::INT4), 0);
  gpu.formats.emplace_back();
  gpu.formats.back().format = NumericFormat::MXFP8;
  gpu.formats.back().flopsPerClock = 4096;
  EXPECT_EQ(gpu.flopsPerClock(NumericFormat::MXFP8), 4096);
}
