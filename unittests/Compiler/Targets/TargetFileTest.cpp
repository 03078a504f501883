//===- TargetFileTest.cpp - Embedded and user-written target files --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Targets/TargetRegistry.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace gpucost;

static const char toyPath[] = GPUCOST_TEST_INPUTS "/toy-target.mlir";

static std::string print(mlir::Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

namespace {

class TargetFileTest : public testing::Test {
protected:
  std::string check(llvm::StringRef path) {
    Expected<std::string> name = checkTargetFile(path.str());
    return name ? "ok " + *name : name.error().message;
  }
  /// checkTargetFile on a file called `stem`.mlir with this text.
  std::string checkText(llvm::StringRef stem, llvm::StringRef text) {
    llvm::SmallString<128> path(testing::TempDir());
    path += stem;
    path += ".mlir";
    std::error_code error;
    {
      llvm::raw_fd_ostream os(path, error);
      os << text;
    }
    std::string message = check(path);
    llvm::sys::fs::remove(path);
    llvm::StringRef shown = message;
    shown.consume_front(testing::TempDir());
    return shown.str();
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(TargetFileTest, EveryTargetResolvesInEachOfItsFormats) {
  ASSERT_GE(embeddedTargets().size(), 20u);
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    std::string name(embeddedTargets().begin()[i].name);
    const DataFile &data = compiledTarget(i);
    ASSERT_TRUE(data.gpu && data.defaultFormat) << name;
    EXPECT_EQ(data.gpu->name, name);
    EXPECT_FALSE(data.coefficientsFrom.empty()) << name;
    for (const FormatRate &rate : data.gpu->formats) {
      std::string spec =
          name + "-" + std::string(stringifyNumericFormat(rate.format));
      Expected<TargetChoice> choice = chooseTarget(spec);
      ASSERT_TRUE(bool(choice)) << choice.error().message;
      EXPECT_TRUE(choice->target.gpu == *data.gpu);
      EXPECT_EQ(choice->target.format, rate.format);
      EXPECT_TRUE(missingGroups(choice->coefficients, rate.format).empty())
          << spec;
    }
  }
}

TEST_F(TargetFileTest, DefaultIsTheNarrowestTrainingFormat) {
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    const DataFile &data = compiledTarget(i);
    NumericFormat expected =
        data.gpu->find(NumericFormat::BF16)   ? NumericFormat::BF16
        : data.gpu->find(NumericFormat::FP16) ? NumericFormat::FP16
                                              : NumericFormat::FP32;
    EXPECT_EQ(data.defaultFormat, expected) << data.gpu->name;
  }
}

TEST_F(TargetFileTest, AttributesPrintAndParseBack) {
  for (const char *spec : {"a100-bf16", "h100", "p4"}) {
    auto resolved = toAttributes(&context, chooseTarget(spec));
    ASSERT_TRUE(bool(resolved)) << llvm::toString(resolved.takeError());
    for (mlir::Attribute attr : {mlir::Attribute(resolved->target),
                                 mlir::Attribute(resolved->coefficients)}) {
      std::string text = print(attr);
      mlir::Attribute parsed = mlir::parseAttribute(text, &context);
      ASSERT_TRUE(parsed);
      EXPECT_EQ(print(parsed), text);
    }
  }
}

TEST_F(TargetFileTest, UserFileWithItsOwnCoefficients) {
  auto toy = chooseTargetFile(toyPath);
  ASSERT_TRUE(bool(toy)) << toy.error().message;
  EXPECT_TRUE(toy->formatIsDefault);
  EXPECT_EQ(toy->coefficients.provenance, "invented");
  auto fp8 = chooseTargetFile(toyPath, NumericFormat::FP8);
  ASSERT_TRUE(bool(fp8)) << fp8.error().message;
  EXPECT_EQ(fp8->target.format, NumericFormat::FP8);
  auto fp64 = chooseTargetFile(toyPath, NumericFormat::FP64);
  ASSERT_FALSE(bool(fp64));
  EXPECT_EQ(fp64.error().message,
            "'toy-target' has no fp64; its formats are fp32, tf32, fp16, bf16, "
            "fp8, int8");
  auto loaded = loadCoefficients(toyPath);
  ASSERT_TRUE(bool(loaded)) << loaded.error().message;
  EXPECT_TRUE(*loaded == toy->coefficients);
}

TEST_F(TargetFileTest, CheckNamesTheFault) {
  EXPECT_EQ(check(toyPath), "ok toy-target");
  EXPECT_EQ(check("/nowhere/x.mlir").find("cannot read '/nowhere/x.mlir': "),
            0u);
  EXPECT_EQ(checkText("empty", "module {}"),
            "empty.mlir: expected 'gpucost.gpu', 'gpucost.network' or "
            "'gpucost.coefficients'");
  EXPECT_EQ(checkText("word", "module attributes {gpucost.gpu = 1} {}"),
            "word.mlir:1:34: expected '<'");
  EXPECT_EQ(
      checkText("syntax", "module {\n  oops\n}").find("syntax.mlir:2:3: "), 0u);
}

static std::string gpuText(llvm::StringRef attributes) {
  return (R"(module attributes {gpucost.gpu = #gpucost.gpu<name = "mine",
    die = "D", architecture = pascal, process = "tsmc_16ff", sms = 10, special_per_clock = 16,
    boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 100 MHz, clock_step = 10 MHz,
    formats = [<format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>],
    memory = "gddr5", dram_bandwidth = 100 GBps, dram_capacity = 8 GiB,
    l2_capacity = 2 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
    source = ["here"]>)" +
          attributes + "} {}")
      .str();
}

TEST_F(TargetFileTest, CheckFollowsReferences) {
  EXPECT_EQ(checkText("mine", gpuText(R"(, gpucost.coefficients_from = "p4")")),
            "ok mine");
  EXPECT_EQ(
      checkText("other", gpuText(R"(, gpucost.coefficients_from = "p4")")),
      "other.mlir: expected the file's name to be 'mine.mlir'");
  EXPECT_EQ(
      checkText("mine", gpuText("")),
      "mine.mlir: expected 'gpucost.coefficients' or the name of a set in "
      "'gpucost.coefficients_from'");
  EXPECT_EQ(checkText("mine", gpuText(R"(, gpucost.coefficients_from = "p5")")),
            "mine.mlir: unknown coefficient set 'p5'");
  EXPECT_EQ(
      checkText("mine", gpuText(R"(, gpucost.default_format = "bf16")")),
      "mine.mlir: expected 'gpucost.default_format' to be a format of the "
      "GPU, but got 'bf16'");
  EXPECT_EQ(checkText("mine", gpuText(R"(, gpucost.aliases = [1])")),
            "mine.mlir:9:44: expected a string");
  EXPECT_EQ(checkText("mine", gpuText(R"(, gpucost.coefficients =
                #gpucost.coefficients<provenance = "here">)")),
            "mine.mlir: fp32 needs the coefficient group 'simt_linear'");
}

} // namespace
