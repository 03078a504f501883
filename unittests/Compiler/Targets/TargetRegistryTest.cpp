//===- TargetRegistryTest.cpp - Names, aliases and formats ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <set>

using namespace gpucost;

namespace {

class TargetRegistryTest : public testing::Test {
protected:
  std::string messageOf(std::string_view spec) {
    auto choice = chooseTarget(spec);
    return choice ? "no error" : choice.error().message;
  }
  std::string resolve(std::string_view spec) {
    auto choice = chooseTarget(spec);
    if (!choice)
      return choice.error().message;
    return concat(choice->target.gpu.name, " ",
                  stringifyNumericFormat(choice->target.format),
                  choice->formatIsDefault ? " default" : "");
  }
  std::string transferred(const DataFile &target) {
    return describeTransferred(
        cantFail(coefficientsOf(target, target.gpu->name)));
  }
};

TEST_F(TargetRegistryTest, NameAliasAndFormat) {
  EXPECT_EQ(resolve("a100-bf16"), "a100-sxm-80gb bf16");
  EXPECT_EQ(resolve("a100-tf32"), "a100-sxm-80gb tf32");
  EXPECT_EQ(resolve("a100-fp32"), "a100-sxm-80gb fp32");
  EXPECT_EQ(resolve("h100-sxm-80gb"), "h100-sxm-80gb bf16 default");
  EXPECT_EQ(resolve("h100-sxm-80gb-fp8"), "h100-sxm-80gb fp8");
  EXPECT_EQ(resolve("A100-BF16"), "a100-sxm-80gb bf16");
  // As drivers print them, which ends in no format.
  EXPECT_EQ(resolve("NVIDIA A100-SXM4-80GB"), "a100-sxm-80gb bf16 default");
  EXPECT_EQ(resolve("nvidia a100-sxm4-80gb-fp16"), "a100-sxm-80gb fp16");
  EXPECT_EQ(resolve("NVIDIA H100 80GB HBM3-fp8"), "h100-sxm-80gb fp8");
  EXPECT_EQ(resolve("NVIDIA L4"), "l4 bf16 default");
  EXPECT_EQ(resolve("NVIDIA L40"), "l40 bf16 default");
  EXPECT_EQ(resolve("Tesla V100-SXM2-16GB"), "v100-sxm-16gb fp16 default");
}

/// Boards by the names that drivers print and users type.
TEST_F(TargetRegistryTest, NamesOfDriversAndUsers) {
  const std::pair<const char *, const char *> names[] = {
      {"NVIDIA H800", "h800-sxm"},
      {"NVIDIA H800 PCIe", "h800-pcie-80gb"},
      {"h800", "h800-sxm"},
      {"NVIDIA A800-SXM4-80GB", "a800-sxm-80gb"},
      {"a800", "a800-sxm-80gb"},
      {"NVIDIA H100 NVL", "h100-nvl"},
      {"NVIDIA GH200 480GB", "gh200-96gb"},
      {"gh200", "gh200-96gb"},
      {"NVIDIA GeForce RTX 5090", "rtx5090"},
      {"5090", "rtx5090"},
      {"rtx-5090", "rtx5090"},
      {"rtx 5090", "rtx5090"},
      {"RTX5090", "rtx5090"},
      {"rtx3080-ti", "rtx3080ti"},
      {"GeForce RTX 4070 Ti", "rtx4070ti"},
      {"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
      {"NVIDIA GeForce GTX 1080 Ti", "gtx1080ti"},
      {"NVIDIA GB200", "gb200"},
      {"NVIDIA B300 SXM6 AC", "b300-sxm"},
      {"Orin (nvgpu)", "agx-orin-64gb"}};
  for (auto [name, board] : names)
    EXPECT_EQ(cantFail(chooseTarget(name)).target.gpu.name, board) << name;
  EXPECT_EQ(resolve("rtx 4090-fp16"), "rtx4090 fp16");
  EXPECT_EQ(messageOf("rtx-5091"), "unknown target 'rtx-5091'; did you mean "
                                   "'rtx-5090'? '--list-targets' shows all");
  EXPECT_EQ(messageOf("gtx1080ti-fp16"),
            "'gtx1080ti' has no fp16; its formats are fp32");
}

TEST_F(TargetRegistryTest, DefaultFormat) {
  EXPECT_EQ(resolve("v100"), "v100-sxm-32gb fp16 default");
  EXPECT_EQ(resolve("t4"), "t4 fp16 default");
  EXPECT_EQ(resolve("p100"), "p100-pcie-16gb fp32 default");
}

TEST_F(TargetRegistryTest, UnknownNamesSuggestTheNearest) {
  EXPECT_EQ(messageOf("a110-bf16"), "unknown target 'a110-bf16'; did you mean "
                                    "'a10'? '--list-targets' shows all");
  EXPECT_EQ(messageOf("h100-sxm-80g"),
            "unknown target 'h100-sxm-80g'; did you mean 'h100-sxm-80gb'? "
            "'--list-targets' shows all");
  EXPECT_EQ(messageOf("a100-pcie"),
            "unknown target 'a100-pcie'; did you mean 'a100-pcie-40gb' or "
            "'a100-pcie-80gb'? '--list-targets' shows all");
  // A board that only differs in its suffix is not a format.
  EXPECT_EQ(messageOf("v100-sxm3"), "unknown target 'v100-sxm3'; did you mean "
                                    "'v100-sxm'? '--list-targets' shows all");
  EXPECT_EQ(messageOf("NVIDIA H100"),
            "unknown target 'NVIDIA H100'; did you mean 'NVIDIA H100 NVL' or "
            "'NVIDIA H100 PCIe' or "
            "'NVIDIA H100 80GB HBM3'? '--list-targets' shows all");
  EXPECT_EQ(messageOf("nvidia geforce rtx 4091"),
            "unknown target 'nvidia geforce rtx 4091'; did you mean 'NVIDIA "
            "GeForce RTX 4090'? '--list-targets' shows all");
  EXPECT_NE(messageOf(""), "no error");
  EXPECT_NE(messageOf("-bf16"), "no error");
}

TEST_F(TargetRegistryTest, MissingFormatsAreErrors) {
  EXPECT_EQ(messageOf("v100-bf16"),
            "'v100-sxm-32gb' has no bf16; its formats are fp32, fp16");
  EXPECT_EQ(messageOf("t4-tf32"),
            "'t4' has no tf32; its formats are fp32, fp16, "
            "int8");
  EXPECT_EQ(messageOf("p4-fp16"), "'p4' has no fp16; its formats are fp32");
  EXPECT_EQ(messageOf("a100-fp8"),
            "'a100-sxm-80gb' has no fp8; its formats are "
            "fp32, tf32, fp16, bf16, int8");
  EXPECT_EQ(messageOf("l4-bf17"),
            "'l4' has no bf17; its formats are fp32, tf32, "
            "fp16, bf16, fp8, int8");
}

/// Names differ in more than case, blanks and dashes, except those of one
/// board.
TEST_F(TargetRegistryTest, NamesAndAliasesAreUnique) {
  std::map<std::string, size_t> owners;
  auto lettersOf = [](std::string name) {
    name.erase(std::remove_if(name.begin(), name.end(),
                              [](char c) { return c == ' ' || c == '-'; }),
               name.end());
    return toLower(name);
  };
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    const DataFile &target = compiledTarget(i);
    std::set<std::string> names = {target.gpu->name};
    for (const std::string &alias : target.aliases)
      EXPECT_TRUE(names.insert(toLower(alias)).second) << alias;
    for (const std::string &name : names)
      EXPECT_EQ(owners.emplace(lettersOf(name), i).first->second, i) << name;
  }
}

/// Resolving scans the text for aliases; it must find the same as the parser.
TEST_F(TargetRegistryTest, ScannedAliasesAreThoseOfTheFile) {
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    auto scanned = scanAliases(embeddedTargets().begin()[i].content);
    const DataFile &target = compiledTarget(i);
    EXPECT_EQ(std::vector<std::string>(scanned.begin(), scanned.end()),
              target.aliases)
        << target.gpu->name;
    EXPECT_EQ(target.assumedFor.empty(),
              findBoardOfChip(target.assumedFor) != target.gpu->name)
        << target.gpu->name;
  }
}

TEST_F(TargetRegistryTest, ListSaysWhatIsTransferred) {
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    const DataFile &target = compiledTarget(i);
    const std::string &name = target.gpu->name, list = transferred(target);
    // A100 SXM measured every group of a class but one; the rest are
    // refinements of single kernels.
    EXPECT_FALSE(list.empty()) << name;
    bool own = name.find("a100-sxm") == 0;
    EXPECT_EQ(list.find("attention_fp32 from H100 SXM, depthwise from") == 0,
              own)
        << name << ": " << list;
    if (name == "l4") {
      EXPECT_NE(list.find("tensor_gemm from L40S"), std::string::npos);
    }
  }
}

/// An SM of H20 has a fourth of the tensor rate of an H200 SM: the cycles in
/// which a matmul waits for operands stay the same.
TEST_F(TargetRegistryTest, BorrowedCoefficientsFollowTheTensorRate) {
  TargetChoice h20 = cantFail(chooseTarget("h20-bf16")),
               h200 = cantFail(chooseTarget("h200-sxm-bf16"));
  const Coefficients &own = h20.coefficients, &measured = h200.coefficients;
  EXPECT_EQ(tensorRateShare(h20.target.gpu, h200.target.gpu), 0.25);
  double waits = 1 / measured.tensorGemm->efficiency - 1;
  EXPECT_DOUBLE_EQ(own.tensorGemm->efficiency, 1 / (1 + waits / 4));
  EXPECT_EQ(own.tensorGemm->transferredFrom, "H200 SXM");
  EXPECT_EQ(own.tensorGemm->latencyCycles, measured.tensorGemm->latencyCycles);
  EXPECT_TRUE(h20.coefficientsName.empty());
  // Misaligned rows keep their FLOPs per clock, a larger part of the peak.
  EXPECT_DOUBLE_EQ(own.tensorGemm->misalignedEfficiency,
                   measured.tensorGemm->misalignedEfficiency * 4);
  // Launches take as many cycles, at 1853 instead of 1980 MHz.
  EXPECT_DOUBLE_EQ(own.tensorGemm->fixedTime.value(),
                   measured.tensorGemm->fixedTime.value() * 1980 / 1853);
}

} // namespace
