//===- CoefficientDataTest.cpp - What the data files say ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few numbers of the files, end to end: text, attribute, model structure.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/RecordTypes.h"
#include "gpucost/Core/Support/Sha256.h"
#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;

// Defined in lib/Core/Model/RecordTypes.cpp.
extern template const RecordType &gpucost::recordType<Coefficients>();

namespace {

class CoefficientDataTest : public testing::Test {
protected:
  TargetChoice choose(std::string_view spec) {
    return cantFail(chooseTarget(spec));
  }
  Gpu gpu(std::string_view spec) { return choose(spec).target.gpu; }
  Coefficients coefficients(std::string_view spec) {
    return choose(spec).coefficients;
  }
  /// The groups that its default format transfers from other GPUs.
  std::string transferred(std::string_view spec) {
    TargetChoice choice = choose(spec);
    return describeTransferred(choice.coefficients, choice.target.format);
  }
};

TEST_F(CoefficientDataTest, GpuFacts) {
  Gpu a100 = gpu("a100");
  EXPECT_EQ(a100.smCount, 108);
  EXPECT_EQ(a100.maxClock, Hertz(1.41e9));
  EXPECT_EQ(a100.dramBandwidth, BytesPerSecond(2039e9));
  EXPECT_EQ(a100.l2Capacity, Bytes(40 * 1048576.0));
  EXPECT_EQ(a100.powerLimit, Watts(400));
  EXPECT_TRUE(a100.l2Partitioned);
  EXPECT_FALSE(a100.baseClock); // unknown, not 0
  // 108 SMs x 1.41 GHz x 2048 = 311.9 TFLOPS.
  EXPECT_NEAR(a100.peak(NumericFormat::BF16).value(), 311.87e12, 0.01e12);
  EXPECT_EQ(a100.peak(NumericFormat::FP8), FlopsPerSecond(0));
  // H100: tensor peak at 1830 MHz, kernels run at up to 1980 MHz.
  Gpu h100 = gpu("h100");
  EXPECT_EQ(h100.maxClock, Hertz(1.98e9));
  EXPECT_NEAR(h100.peak(NumericFormat::BF16).value(), 989.4e12, 0.1e12);
  // Known errors of public device tables.
  EXPECT_EQ(gpu("p4").smCount, 20);
  EXPECT_EQ(gpu("l4").smCount, 58);
  EXPECT_EQ(gpu("l40s").l2Capacity, Bytes(96 * 1048576.0));
  EXPECT_EQ(gpu("a10").flopsPerClock(NumericFormat::BF16), 1024);
}

TEST_F(CoefficientDataTest, EveryGroupArrives) {
  Coefficients c =
      cantFail(chooseTargetFile(GPUCOST_EXAMPLES "/h100.mlir")).coefficients;
  EXPECT_EQ(transferred("h100"), "");
  ASSERT_TRUE(c.tensorGemm && c.tensorPower && c.simtLinear && c.simtBatched &&
              c.simtConv && c.attentionFull && c.attentionCausal && c.decode &&
              c.streaming && c.instructions && c.power && c.runtime);
  EXPECT_EQ(c.tensorGemm->efficiency, 0.89893);
  EXPECT_EQ(c.tensorGemm->tiles.size(), 22u);
  EXPECT_EQ(c.tensorGemm->tiles.front(), (Tile{8, 64, 4, 0}));
  EXPECT_EQ(c.tensorGemm->splitK.back(), 32);
  EXPECT_EQ(c.simtLinear->tiles.front(), (Tile{128, 128, 2, 4}));
  EXPECT_EQ(c.simtBatched->splitK.size(), 1u);
  const AttentionTiles &tiles = c.attentionFull->tiles;
  EXPECT_EQ(std::count(tiles.begin(), tiles.end(), AttentionTile{192, 128, 96}),
            1);
  EXPECT_FALSE(c.attentionCausal->writesKvCache);
  EXPECT_TRUE(c.attentionCausal->splitKv);
  EXPECT_EQ(c.streaming->dramEfficiency, 0.96953);
  EXPECT_EQ(c.streaming->l2Fraction, 0.45);
  EXPECT_EQ(c.streaming->issueSlots[unsigned(InstructionClass::Gelu)], 60);
  EXPECT_EQ(c.streaming->issueSlots[unsigned(InstructionClass::None)], 0);
  EXPECT_EQ(c.instructions->perElement[unsigned(InstructionClass::Add)], 6);
  EXPECT_EQ(c.power->voltage.size(), 4u);
  EXPECT_EQ(c.runtime->hostLaunch, Seconds(9e-6));
}

// Otherwise a refit of the shared set would change worked examples.
TEST_F(CoefficientDataTest, FrozenTargetsStateEveryGroup) {
  for (const char *file :
       {GPUCOST_EXAMPLES "/a100.mlir", GPUCOST_EXAMPLES "/h100.mlir"})
    EXPECT_TRUE(isComplete(*cantFail(readDataFile(file)).coefficients)) << file;
}

TEST_F(CoefficientDataTest, IdlePowerOfTheFrozenTargets) {
  // P = i0 + i1 v^3 + i2 f v^2 with v = 1 at the reference clock.
  auto idle = [](const char *file, Hertz clock) {
    TargetChoice choice = cantFail(chooseTargetFile(file));
    return cantFail(CostModel::create(choice.target.gpu, choice.coefficients))
        .idlePower(clock)
        .value();
  };
  EXPECT_NEAR(idle(GPUCOST_EXAMPLES "/a100.mlir", Hertz(0.9e9)),
              45.1 + 13.4 + 5.6 * 0.9, 1e-9);
  EXPECT_NEAR(idle(GPUCOST_EXAMPLES "/h100.mlir", Hertz(1.83e9)),
              56.3513 + 34.4169 + 14.8408 * 1.83, 1e-9);
}

TEST_F(CoefficientDataTest, TransferredGroupsFollowTheRules) {
  Coefficients a100 = coefficients("a100");
  Coefficients v100 = coefficients("v100");
  // V100's e and el2 in the study, times the change of the A100 refit.
  EXPECT_NEAR(v100.tensorGemm->efficiency / a100.tensorGemm->efficiency, 0.8,
              1e-4);
  EXPECT_NEAR(v100.tensorGemm->l2BytesPerClock /
                  a100.tensorGemm->l2BytesPerClock,
              25 / 25.64, 1e-4);
  EXPECT_NEAR(v100.tensorGemm->energyPerFlop / a100.tensorGemm->energyPerFlop,
              1.3, 1e-4);
  EXPECT_NE(transferred("v100").find("tensor_gemm from A100"),
            std::string::npos);
  // CUDA-core kernels of V100 are fitted on V100.
  EXPECT_EQ(transferred("v100-fp32").find("simt"), std::string::npos);
  // Energies of a transferred set keep the clock that they hold at.
  EXPECT_EQ(coefficients("l4").tensorPower->referenceClock, Hertz(2.52e9));
  EXPECT_EQ(coefficients("h100-pcie").tensorPower->referenceClock,
            Hertz(1.98e9));
  EXPECT_EQ(a100.tensorPower->referenceClock, Hertz(0));
  EXPECT_TRUE(coefficients("p100").streaming);
  EXPECT_FALSE(coefficients("p100").tensorGemm);
}

// The values that a calibration can reach are physical, in both kinds of fits.
TEST_F(CoefficientDataTest, BoundsOfFitsAreWithinTheRanges) {
  unsigned moved = 0;
  Coefficients none;
  forEachGroup(none, [&](const GroupInfo &info, const auto &group) {
    typename std::decay_t<decltype(group)>::value_type values;
    visitFields(values, [&](const FieldInfo &field, const auto &) {
      const FieldNote &note = field.note;
      auto check = [&](double low, double high) {
        EXPECT_LT(low, high) << info.name << ' ' << field.keyword;
        EXPECT_TRUE(field.range.contains(low) && field.range.contains(high))
            << info.name << ' ' << field.keyword;
        ++moved;
      };
      if (note.kind != ParameterKind::Fixed)
        check(note.low, note.high);
      if (note.jointPrior.deviation > 0)
        check(note.jointPrior.low, note.jointPrior.high);
    });
  });
  EXPECT_GT(moved, 100u);
}

/// The build parses and hashes the files.
TEST_F(CoefficientDataTest, CompiledSetsAreTheirFiles) {
  ASSERT_EQ(compiledSets().size(), embeddedCoefficients().size());
  for (size_t i = 0; i < compiledSets().size(); ++i) {
    const EmbeddedFile &file = embeddedCoefficients().begin()[i];
    const CompiledSet &compiled = compiledSets().begin()[i];
    EXPECT_EQ(compiled.name, file.name);
    const Coefficients &set = *findCompiledCoefficients(file.name);
    DataFile data = cantFail(parseDataFile(file.content, file.name));
    EXPECT_TRUE(set == cantFail(coefficientsOf(data, file.name))) << file.name;
    std::string text;
    printRecord(text, recordType<Coefficients>(), &set);
    EXPECT_EQ(compiled.hash, sha256(text)) << file.name;
    EXPECT_EQ(hashCoefficients(set), compiled.hash);
  }
  Coefficients changed = *findCompiledCoefficients("t4");
  changed.runtime->hostLaunch = Seconds(1);
  EXPECT_EQ(findCompiledSet(changed), nullptr);
}

TEST_F(CoefficientDataTest, PinnedByHash) {
  std::string hash = hashCoefficients(coefficients("a100"));
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_NE(hash, hashCoefficients(coefficients("h100")));
  Coefficients changed = coefficients("a100");
  changed.tensorGemm->efficiency *= 1.01;
  EXPECT_NE(hash, hashCoefficients(changed));

  auto choose = [](const std::string &name) {
    Scenario scenario;
    scenario.target = "a100-bf16";
    scenario.coefficients = name;
    return chooseTarget(scenario);
  };
  auto faultOf = [&](const std::string &name) {
    auto choice = choose(name);
    return choice ? std::string() : choice.error().message;
  };
  for (const std::string &name :
       {"@sha256:" + hash, "@sha256:" + hash.substr(0, 12),
        "a100-sxm-80gb@sha256:" + hash, std::string("a100-sxm-80gb")})
    EXPECT_EQ(faultOf(name), "") << name;
  EXPECT_EQ(pinOf(choose("")->coefficients), "@sha256:" + hash);
  EXPECT_EQ(faultOf("@sha256:" + std::string(12, '0')),
            "coefficients: expected the set with sha256:000000000000, but that "
            "of the target has sha256:" +
                hash);
  EXPECT_EQ(faultOf("@sha256:123"),
            "coefficients: expected 12 to 64 hexadecimal digits after "
            "'@sha256:', but got '123'");
  // The set of another board is pinned as it is used here.
  EXPECT_NE(faultOf("h100-sxm-80gb@sha256:" + hash).find("'h100-sxm-80gb'"),
            std::string::npos);
  EXPECT_EQ(faultOf("a100-sxm-80g")
                .find("unknown coefficient set "
                      "'a100-sxm-80g'; did you mean "
                      "'a100-sxm-80gb'?"),
            0u);
}

} // namespace
