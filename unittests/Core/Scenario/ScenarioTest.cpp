//===- ScenarioTest.cpp - Text, checks and defaults of settings -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/PackedLengths.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace gpucost;

static std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

static ScenarioTarget targetOf(NumericFormat format, bool hasTf32 = true) {
  ScenarioTarget target;
  target.gpu = "toy";
  target.format = format;
  target.maxClock = Hertz(1e9);
  if (hasTf32)
    target.formats.insert(NumericFormat::TF32);
  return target;
}

/// A scenario with every setting stated, none at its default.
static Scenario fullScenario() {
  Scenario scenario;
  forEachSetting([&](const auto &row) {
    using T = typename std::decay_t<decltype(row)>::Type;
    T &value = (scenario.*row.stated).emplace();
    if constexpr (std::is_same_v<T, std::string>)
      value = row.spec.isText == isCounts          ? "8,7"
              : row.spec.isText == isPackedLengths ? "512:3,2048"
              : row.spec.isText == isStageClocks   ? "1980,1755/1800"
              : row.spec.isText == isContextPlan   ? "ulysses4.ring2"
              : row.spec.isText                    ? "a100:1.5, *:2"
                                                   : "some text";
    else if constexpr (std::is_same_v<T, NamedValues>)
      value = {{"*", 3}, {"a:b", 7}};
    else if constexpr (std::is_same_v<T, bool>)
      value = true;
    else if constexpr (std::is_same_v<T, int64_t>)
      value = 17;
    else if constexpr (IsQuantity<T>::value)
      value = T(std::min(2.3, row.spec.highest) * row.spec.unitSize);
    else if constexpr (std::is_same_v<T, Parallelism>)
      value = Parallelism{1, 17, 3};
    else if constexpr (std::is_same_v<T, Recomputation>)
      value = *parseRecomputation("every-2:MatMul");
    else
      value = *symbolizeEnum<T>(caseNames<T>().back());
  });
  return scenario;
}

TEST(Scenario, RowsAreComplete) {
  llvm::StringSet<> flags;
  forEachSetting([&](const auto &row) {
    EXPECT_TRUE(flags.insert(row.flag).second) << std::string(row.flag);
    EXPECT_FALSE(row.help.empty()) << std::string(row.flag);
    bool found = false;
    EXPECT_TRUE(visitSetting(
        row.key(), [&](const auto &same) { found = same.flag == row.flag; }));
    EXPECT_TRUE(found) << std::string(row.flag);
  });
}

TEST(Scenario, TextReadsBack) {
  Scenario before = fullScenario(), after;
  forEachSetting([&](const auto &row) {
    std::string text = toText(*(before.*row.stated), row.spec);
    EXPECT_EQ(messageOf(state(after, row.flag, text)), "") << text;
  });
  EXPECT_TRUE(before == after);
  EXPECT_EQ(hash_value(before), hash_value(after));
  EXPECT_EQ(messageOf(checkValues(before, std::nullopt)), "");
}

TEST(Scenario, StatedSettingsReplaceOthers) {
  Scenario scenario = fullScenario(), none, one;
  stateAll(scenario, none);
  EXPECT_TRUE(scenario == fullScenario());
  one.batch = 18;
  stateAll(scenario, one);
  EXPECT_TRUE(scenario != fullScenario());
  EXPECT_EQ(scenario.batch, 18);
  // A GPU by name replaces one from a file.
  one.target = "t4";
  stateAll(scenario, one);
  EXPECT_EQ(scenario.target, "t4");
  EXPECT_FALSE(scenario.targetFile.has_value());
  EXPECT_TRUE(scenario.coefficients.has_value());
}

TEST(Scenario, WrongTextIsRefused) {
  Scenario scenario;
  auto refusal = [&](const char *name, const char *text) {
    return messageOf(state(scenario, name, text));
  };
  EXPECT_EQ(refusal("speed", "1"), "unknown setting 'speed'");
  EXPECT_EQ(refusal("runtime", "lazy"),
            "unknown value 'lazy' of --runtime, expected eager, cudagraph, "
            "compiled or as-written");
  EXPECT_EQ(refusal("grad_accum", "1000001"),
            "--grad-accum expects 1 to 1000000, but got '1000001'");
  EXPECT_EQ(refusal("batch", "2.5"),
            "--batch expects a whole number, at least 1, but got '2.5'");
  EXPECT_EQ(refusal("clock", "0"),
            "--clock expects more than 0 MHz, but got '0'");
  EXPECT_EQ(refusal("power-limit", "inf"),
            "--power-limit expects more than 0 W, but got 'inf'");
  EXPECT_EQ(refusal("power-limit", "nan"),
            "--power-limit expects more than 0 W, but got 'nan'");
  EXPECT_EQ(refusal("channels-last", "yes"),
            "--channels-last expects true or false, but got 'yes'");
  for (const char *text : {"a", "a:b", ":1", "a:-1", "a:1,a:2"})
    EXPECT_EQ(refusal("bind", text),
              "--bind expects NAME:N pairs, one N for each NAME, with N from 0 "
              "to 2147483648, but got '" +
                  std::string(text) + "'");
  for (const char *text : {"", "abc", "-1", "nan", "1e999", ":1", "a:", "a:x",
                           "1,", "a:1,a:2", "1,*:2"})
    EXPECT_EQ(refusal("price", text),
              "--price expects money for an hour of one GPU, or of several by "
              "name, each once (a100:1.5,h100:3,*:2), but got '" +
                  std::string(text) + "'");
  EXPECT_TRUE(scenario.empty());
  EXPECT_EQ(refusal("price", "a100:1.5, h100:0"), "");
  EXPECT_EQ(refusal("host-launch-us", "0"), "");
  EXPECT_EQ(scenario.hostLaunch, Seconds(0));
}

TEST(Scenario, DefaultsFollowTheTarget) {
  Scenario training;
  training.mode = IterationMode::Training;
  EXPECT_EQ(resolve(Scenario(), targetOf(NumericFormat::BF16)).precisionMode,
            PrecisionMode::Cast);
  EXPECT_EQ(resolve(training, std::nullopt).precisionMode, PrecisionMode::Cast);
  for (NumericFormat format : {NumericFormat::BF16, NumericFormat::FP16})
    EXPECT_EQ(resolve(training, targetOf(format)).precisionMode,
              PrecisionMode::Amp);
  for (NumericFormat format :
       {NumericFormat::FP64, NumericFormat::FP32, NumericFormat::TF32})
    EXPECT_EQ(resolve(training, targetOf(format)).precisionMode,
              PrecisionMode::Cast);
  EXPECT_EQ(resolve(training, targetOf(NumericFormat::TF32)).tf32,
            Tf32Mode::On);
  EXPECT_EQ(resolve(training, targetOf(NumericFormat::FP32)).tf32,
            Tf32Mode::Off);
  // Stated values are never replaced.
  training.precisionMode = PrecisionMode::AsIs;
  training.tf32 = Tf32Mode::Conv;
  Settings settings = resolve(training, targetOf(NumericFormat::TF32));
  EXPECT_EQ(settings.precisionMode, PrecisionMode::AsIs);
  EXPECT_EQ(settings.tf32, Tf32Mode::Conv);
  EXPECT_EQ(settings.optimizer, OptimizerKind::AdamW);
  EXPECT_FALSE(settings.batch.has_value());
}

TEST(Scenario, DefaultsFollowTheRelease) {
  Scenario scenario;
  auto settings = [&] { return resolve(scenario, std::nullopt); };
  EXPECT_EQ(settings().optimizerVariant, OptimizerVariant::Foreach);
  EXPECT_EQ(settings().zeroGrad, ZeroGradMode::SetToNone);
  // 2.0 to 2.7 only differ in kernels.
  scenario.software = Software::PyTorch2_7;
  EXPECT_EQ(settings().optimizerVariant, OptimizerVariant::Foreach);
  EXPECT_EQ(settings().attention, AttentionMode::AsIs);
  scenario.software = Software::PyTorch1_13;
  EXPECT_EQ(settings().optimizerVariant, OptimizerVariant::Unfused);
  EXPECT_EQ(settings().zeroGrad, ZeroGradMode::Zero);
  EXPECT_EQ(settings().attention, AttentionMode::Eager);
  EXPECT_FALSE(frameworkRules(Software::PyTorch1_13).stopsRecomputationEarly);
  EXPECT_TRUE(frameworkRules(Software::PyTorch).stopsRecomputationEarly);
  // Stated values are kept.
  scenario.optimizerVariant = OptimizerVariant::Foreach;
  scenario.zeroGrad = ZeroGradMode::Keep;
  scenario.attention = AttentionMode::Flash;
  EXPECT_EQ(settings().optimizerVariant, OptimizerVariant::Foreach);
  EXPECT_EQ(settings().zeroGrad, ZeroGradMode::Keep);
  EXPECT_EQ(settings().attention, AttentionMode::Flash);
}

TEST(Scenario, CombinationsAreChecked) {
  auto check = [](const Scenario &scenario,
                  std::optional<ScenarioTarget> target = std::nullopt) {
    return messageOf(validate(scenario, target));
  };
  EXPECT_EQ(check(Scenario()), "");
  // Every setting of training needs one.
  forEachSetting([&](const auto &row) {
    if (row.group != SettingGroup::Training)
      return;
    Scenario full = fullScenario(), one;
    one.*row.stated = full.*row.stated;
    EXPECT_EQ(check(one),
              "--" + std::string(row.flag) + " needs --mode=training");
    one.mode = IterationMode::Training;
    if (one.loraModules || one.loraBase) {
      EXPECT_NE(check(one), "");
      one.loraRank = 8;
    }
    if (one.offloadActivations) {
      EXPECT_NE(check(one), "");
      one.hostLink = BytesPerSecond(1e9);
    }
    // Two settings belong to an optimizer.
    if (one.muonParameters || one.lbfgsHistory) {
      EXPECT_NE(check(one), "");
      one.optimizer =
          one.lbfgsHistory ? OptimizerKind::LBFGS : OptimizerKind::Muon;
    }
    EXPECT_EQ(check(one), "");
  });
  Scenario scenario;
  scenario.parallel = Parallelism{1, 0, 3};
  EXPECT_EQ(check(scenario), "--parallel needs --gpus=2 or more");
  scenario.gpus = 2;
  EXPECT_EQ(check(scenario),
            "--gpus without --mode=training needs --parallel=tp, or ep for "
            "experts, or dp for independent copies");
  scenario.parallel = Parallelism{1, 0, 0};
  EXPECT_EQ(check(scenario), "");
  EXPECT_EQ(resolve(scenario, std::nullopt).coupledGpus(), 1);
  scenario.parallel = Parallelism{1, 0, 3};
  scenario.mode = IterationMode::Training;
  EXPECT_EQ(check(scenario), "");
  EXPECT_EQ(check(scenario, targetOf(NumericFormat::INT8)),
            "training does not support int8; use the bf16 or fp16 of 'toy'");
  scenario = Scenario();
  scenario.clock = Hertz(1.001e9);
  EXPECT_EQ(check(scenario), "");
  EXPECT_EQ(check(scenario, targetOf(NumericFormat::FP32)),
            "clock 1001 MHz is outside the range of 'toy' (0 to 1000 MHz)");
  scenario = Scenario();
  scenario.tf32 = Tf32Mode::Conv;
  EXPECT_EQ(check(scenario, targetOf(NumericFormat::FP32)), "");
  EXPECT_EQ(check(scenario, targetOf(NumericFormat::FP32, false)),
            "'toy' has no TF32 rate; leave out --tf32");
  // A plan and a number of GPUs agree; one follows from the other.
  scenario = Scenario();
  scenario.mode = IterationMode::Training;
  scenario.parallel = Parallelism{4, 2, 0};
  EXPECT_EQ(check(scenario), "");
  EXPECT_EQ(resolve(scenario, std::nullopt).gpus, 8);
  scenario.gpus = 4;
  EXPECT_EQ(check(scenario),
            "--parallel=tp4.dp2 is a plan for 8 GPUs, but --gpus is 4");
  scenario.parallel = Parallelism{3, 0, 3};
  EXPECT_EQ(check(scenario), "--parallel=tp3.fsdp needs a number of GPUs "
                             "divisible by 3, but --gpus is 4");
  scenario.parallel = Parallelism{2, 0, 3};
  EXPECT_EQ(resolve(scenario, std::nullopt).plan(), (Parallelism{2, 2, 3}));
  scenario = Scenario();
  scenario.padHeads = true;
  EXPECT_EQ(check(scenario), "--tp-pad-heads needs --parallel=tp");
  // (X10) Nodes have the same number of GPUs, as many as fit, and whole groups.
  scenario = Scenario();
  scenario.mode = IterationMode::Training;
  scenario.gpus = 12;
  scenario.nodes = 5;
  EXPECT_EQ(check(scenario), "--nodes=5 needs a number of GPUs divisible by 5, "
                             "but --gpus (of all nodes together) is 12");
  scenario.nodes = 2;
  EXPECT_EQ(
      check(scenario),
      "--nodes=2 needs --network=GB/s:us, the bandwidth of a node and the "
      "latency of a hop (400:5), or the name of a system (dgx-h100)");
  scenario.network = "400:5";
  EXPECT_EQ(check(scenario), "");
  ScenarioTarget target = targetOf(NumericFormat::FP32);
  EXPECT_EQ(check(scenario, target), "");
  target.gpusPerNode = 6;
  EXPECT_EQ(check(scenario, target), "");
  target.gpusPerNode = 4;
  EXPECT_EQ(check(scenario, target),
            "--gpus=12 on --nodes=2 puts 6 on each, but a node of 'toy' holds "
            "4; spread them with --nodes=3 and --network=GB/s:us");
  // Groups of four: two would share a node of six; three nodes hold one each.
  scenario.parallel = Parallelism{4, 3, false};
  EXPECT_EQ(check(scenario),
            "tensor parallelism stays inside a node: groups of 4 GPUs do not "
            "fit into nodes of 6 (--gpus=12 on --nodes=2)");
  scenario.nodes = 3;
  EXPECT_EQ(check(scenario, target), "");
  scenario.parallel = Parallelism{6, 2, false};
  scenario.nodes = 1;
  EXPECT_EQ(check(scenario, target),
            "tensor parallelism stays inside a node: a node of 'toy' holds 4 "
            "GPUs, but its groups have 6");
  // A value that was not read from text is also checked.
  scenario = Scenario();
  scenario.batch = 0;
  EXPECT_EQ(check(scenario), "--batch expects at least 1, but got '0'");
}

TEST(Scenario, PlansAreText) {
  auto again = [](llvm::StringRef text) {
    std::optional<Parallelism> plan = parseParallelism(text.str());
    return plan ? toText(*plan) : "none";
  };
  for (llvm::StringRef text :
       {"ddp",       "dp8",         "fsdp",
        "fsdp8",     "tp",          "tp4",
        "tp4.dp2",   "tp2.fsdp4",   "tp.dp2",
        "tp2.fsdp",  "tp2.ddp",     "zero1",
        "zero2",     "zero1x8",     "tp2.zero2x4",
        "tp2.zero1", "ep",          "ep8",
        "tp2.ep4",   "ep2.dp2",     "tp2.pp4.ep4.zero1x8",
        "ep.fsdp",   "ep2.ddp",     "fsdp8.dp16",
        "fsdp8.dp",  "zero1x8.dp2", "tp2.ep4.zero2x8.dp2"})
    EXPECT_EQ(again(text), text);
  EXPECT_EQ(again("dp"), "ddp");
  EXPECT_EQ(again("ddp8"), "dp8");
  EXPECT_EQ(again("dp2.tp4"), "tp4.dp2");
  EXPECT_EQ(again("dp2.fsdp4"), "fsdp4.dp2");
  EXPECT_EQ(again("fsdp4.dp1"), "fsdp4");
  EXPECT_EQ(parseParallelism("tp2.fsdp4.dp2")->gpus(), 16);
  EXPECT_EQ(parseParallelism("tp4.dp2")->gpus(), 8);
  for (llvm::StringRef text :
       {"",           ".",           "tp4.",          "tp0",
        "tp-1",       "tp4x",        "tp.ddp",        "tp2.tp2",
        "fsdp.dp2",   "fsdp2.fsdp2", "fsdp512.dp512", "ep2.ep4",
        "ep.tp",      "zero",        "zero3",         "zero1x",
        "zero18",     "4",           "TP4",           "tp131073",
        "tp512.dp512"})
    EXPECT_EQ(again(text), "none");
}

// (X31) 32 GPUs with two copies of 8 shards, each shard on tp2: 8 shards add up
// the gradients of a copy.
TEST(Scenario, HybridShardingHasCopies) {
  Parallelism plan = *parseParallelism("tp2.fsdp8.dp")->on(32);
  EXPECT_EQ(plan, *parseParallelism("tp2.fsdp8.dp2"));
  EXPECT_EQ(plan.data, 16);
  EXPECT_EQ(plan.copies(), 2);
  EXPECT_EQ(plan.shardGpus(), 8);
  EXPECT_EQ(plan.replicas(), 16);
  // One copy is fsdp.
  EXPECT_EQ(*parseParallelism("fsdp8.dp")->on(8),
            *parseParallelism("fsdp8")->on(8));
  EXPECT_FALSE(parseParallelism("fsdp8.dp")->on(12));
  // (X21) Experts over 4 GPUs: 2 of 8 in a copy have the same ones.
  Parallelism experts = *parseParallelism("ep4.fsdp8.dp2");
  EXPECT_EQ(experts.expertShardGpus(), 2);
  EXPECT_EQ(experts.expertReplicas(), 4);
  Scenario scenario;
  scenario.mode = IterationMode::Training;
  scenario.parallel = *parseParallelism("fsdp1.dp16");
  EXPECT_EQ(findFault(scenario, std::nullopt),
            "--parallel=fsdp1.dp16 shards over one GPU; use dp without fsdp");
  scenario.parallel = *parseParallelism("fsdp8.dp");
  scenario.gpus = 12;
  EXPECT_EQ(findFault(scenario, std::nullopt),
            "--parallel=fsdp8.dp needs a number of GPUs "
            "divisible by 8, but --gpus is 12");
  scenario.parallel = *parseParallelism("ep16.fsdp8.dp2");
  scenario.gpus = 16;
  EXPECT_EQ(findFault(scenario, std::nullopt),
            "--parallel=ep16.fsdp8.dp2 distributes experts over 16 GPUs, but "
            "expected a multiple of 1 (tp) that divides the 8 GPUs of a copy");
}

// (X22) Eight GPUs share a sequence: all divide the heads, or groups of four.
TEST(Scenario, ContextPlansAreText) {
  for (llvm::StringRef text :
       {"ring", "ring2", "ulysses", "ulysses4", "ulysses4.ring2",
        "ulysses.ring2", "all-gather", "ulysses2.all-gather4"}) {
    std::optional<ContextPlan> plan = parseContextPlan(text.str());
    ASSERT_TRUE(plan) << text.str();
    EXPECT_EQ(toText(*plan), text);
  }
  for (llvm::StringRef text :
       {"", ".", "ulysses0", "ulysses.ring", "ring2.ring4", "ring.all-gather",
        "usp", "ulysses4x"})
    EXPECT_FALSE(parseContextPlan(text.str())) << text.str();
  Scenario scenario;
  scenario.mode = IterationMode::Training;
  scenario.parallel = *parseParallelism("cp8.dp2");
  scenario.seq = 4096;
  auto planOf = [&](const char *text) {
    scenario.context = text;
    ContextPlan plan = resolve(scenario, std::nullopt).contextPlan();
    return std::tuple(plan.heads, plan.ring, plan.gathers);
  };
  EXPECT_EQ(planOf("ring"), std::tuple(1, 8, false));
  EXPECT_EQ(planOf("all-gather"), std::tuple(1, 8, true));
  EXPECT_EQ(planOf("ulysses"), std::tuple(8, 1, false));
  EXPECT_EQ(planOf("ulysses4.ring"), std::tuple(4, 2, false));
  EXPECT_EQ(findFault(scenario, std::nullopt), "");
  scenario.context = "ulysses4";
  EXPECT_EQ(findFault(scenario, std::nullopt),
            "--context=ulysses4 does not divide the 8 GPUs that share a "
            "sequence with --parallel=cp8.dp2");
  scenario.parallel = *parseParallelism("dp8");
  EXPECT_EQ(findFault(scenario, std::nullopt),
            "--context=ulysses4 needs --parallel=cp");
}

TEST(Scenario, RecomputationsAreText) {
  auto again = [](llvm::StringRef text) {
    std::optional<Recomputation> known = parseRecomputation(text.str());
    return known ? toText(*known) : "none of them";
  };
  for (llvm::StringRef text : {"none", "full", "selective", "every-3",
                               "every-2:MatMul", "Softmax", "Softmax,Gelu"})
    EXPECT_EQ(again(text), text);
  EXPECT_EQ(again("attention"), "selective");
  EXPECT_EQ(parseRecomputation("every-2:MatMul")->every, 2);
  for (llvm::StringRef text :
       {"", "some", "every", "every-0", "every-x", "every--2", "every-2:",
        "every-2:matmul", "every-2 ", "Softmax,", ",Softmax", "Softmax,gelu"})
    EXPECT_EQ(again(text), "none of them");
}

TEST(Scenario, MainGradientsNeedMasterWeights) {
  Scenario scenario;
  scenario.mode = IterationMode::Training;
  scenario.mainGrads = StateFormat::FP32;
  EXPECT_EQ(messageOf(validate(scenario, std::nullopt)), "");
  EXPECT_EQ(resolve(scenario, std::nullopt).masterWeights, StateFormat::FP32);
  scenario.masterWeights = StateFormat::AsIs;
  EXPECT_EQ(messageOf(validate(scenario, std::nullopt)),
            "--main-grads=fp32 needs --master-weights=fp32: no optimizer "
            "updates 16-bit weights by fp32 gradients");
}
