//===- FormatsTest.cpp - Facts of number formats --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Vocabulary/Formats.h"
#include "gpucost/Model/Gpu.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(Formats, Bytes) {
  EXPECT_EQ(bytesOf(NumericFormat::FP64, 3), 24);
  EXPECT_EQ(bytesOf(NumericFormat::TF32, 3), 12);
  EXPECT_EQ(bytesOf(NumericFormat::INT4, 3), 2);
  EXPECT_EQ(bytesOf(NumericFormat::INT8, 0), 0);
  EXPECT_EQ(bytesOf(NumericFormat::INT4, INT64_MAX), INT64_MAX / 2 + 1);
  EXPECT_EQ(bytesOf(NumericFormat::FP16, INT64_MAX / 2 + 1), std::nullopt);
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
  set.insert(NumericFormat::INT4);
  for (const FormatInfo &info : formatInfos)
    EXPECT_EQ(set.contains(info.format),
              info.format == NumericFormat::FP64 ||
                  info.format == NumericFormat::INT4);
}
