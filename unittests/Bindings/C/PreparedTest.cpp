//===- PreparedTest.cpp - Prepared models through C -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "SampleModel.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Report/ReportJson.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

using namespace gpucost;

static Handle<gpucostPrepared> loadSample() {
  std::string bytes = encodePrepared(sampleModel());
  gpucostPrepared *prepared = nullptr;
  EXPECT_EQ(gpucostPreparedLoad(bytes.data(), bytes.size(), &prepared),
            GPUCOST_OK)
      << gpucostLastError();
  return Handle<gpucostPrepared>(prepared);
}

static Handle<gpucostPlaced> placeSample(const char *target) {
  auto prepared = loadSample();
  auto model = modelOf(target);
  gpucostPlaced *placed = nullptr;
  EXPECT_EQ(gpucostPlace(prepared.get(), model.get(), &placed), GPUCOST_OK)
      << gpucostLastError();
  return Handle<gpucostPlaced>(placed); // outlives its inputs
}

static Handle<gpucostReport> evaluate(const gpucostPlaced *placed,
                                      const gpucostRun *run = nullptr) {
  gpucostReport *report = nullptr;
  EXPECT_EQ(gpucostEvaluate(placed, run, &report), GPUCOST_OK)
      << gpucostLastError();
  return Handle<gpucostReport>(report);
}

static std::string jsonOf(const gpucostReport *report,
                          const char *groupBy = nullptr) {
  char *text = nullptr;
  size_t size = 0;
  EXPECT_EQ(gpucostReportJson(report, groupBy, &text, &size), GPUCOST_OK);
  std::string copy(text, size);
  gpucostFree(text);
  return copy;
}

/// The page holds the report, with its details, as the tool writes it; JSON
/// cannot end its element.
TEST(CPrepared, Pages) {
  auto placed = placeSample("a100-bf16");
  gpucostRun run;
  GPUCOST_INIT(run);
  run.clock = 900e6;
  char *text = nullptr;
  size_t size = 0;
  gpucostStatus status = gpucostEvaluatePage(placed.get(), &run, &text, &size);
  if (status == GPUCOST_UNSUPPORTED)
    GTEST_SKIP() << gpucostLastError();
  ASSERT_EQ(status, GPUCOST_OK) << gpucostLastError();
  std::string page(text, size);
  gpucostFree(text);
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  auto report = evaluate(placed.get(), &run);
  std::string json = jsonOf(report.get());
  json.resize(json.find("\"coverage\": {")); // after the details
  EXPECT_NE(page.find("data-kind=\"report\">\n" + json), std::string::npos);
  EXPECT_NE(page.find("\"idle_power_w\""), std::string::npos);

  std::string hostile = R"({"points":["</script><b>"]})";
  ASSERT_EQ(gpucostMakePage("sweep", "<i>", hostile.data(), hostile.size(),
                            &text, &size),
            GPUCOST_OK);
  page.assign(text, size);
  gpucostFree(text);
  EXPECT_NE(page.find(R"({"points":["\u003c/script>\u003cb>"]})"),
            std::string::npos);
  EXPECT_NE(page.find("<title>&lt;i></title>"), std::string::npos);
  EXPECT_EQ(errorOf(gpucostMakePage("story", "", "{}", 2, &text, &size)),
            "unknown kind of page 'story', expected report, sweep, comparison "
            "or optimum");
}

/// Writing a decoded file gives the same bytes: nothing is lost.
TEST(CPrepared, EveryFieldSurvives) {
  std::string bytes = encodePrepared(sampleModel());
  PreparedFile back = cantFail(decodePrepared(bytes));
  EXPECT_EQ(encodePrepared(back), bytes);
  PreparedFile sample = sampleModel();
  EXPECT_TRUE(back.model.given == sample.model.given);
  EXPECT_EQ(back.model.works, sample.model.works);
  EXPECT_EQ(back.model.launches.back().count, 3);
  EXPECT_TRUE(back.model.launches.back().synchronizes);
  EXPECT_FALSE(back.model.launches.front().recomputes);
  EXPECT_EQ(back.model.kinds.back().name, "third \"x\"");
  EXPECT_EQ(back.model.memory.trace.events, sample.model.memory.trace.events);
  EXPECT_EQ(back.target.maxClock, sample.target.maxClock);
}

TEST(CPrepared, InfoAndBytes) {
  auto prepared = loadSample();
  auto info = initialized<gpucostPreparedInfo>();
  ASSERT_EQ(gpucostPreparedGetInfo(prepared.get(), &info), GPUCOST_OK);
  EXPECT_STREQ(info.model, "sample.onnx");
  EXPECT_EQ(info.format, uint32_t(GPUCOST_BF16));
  EXPECT_EQ(info.kernels, 3);
  EXPECT_EQ(info.launches, 24 + 24 + 3);
  EXPECT_EQ(info.parameter_count, 1 << 22);
  const void *bytes = nullptr;
  size_t size = 0;
  ASSERT_EQ(gpucostPreparedBytes(prepared.get(), &bytes, &size), GPUCOST_OK);
  EXPECT_EQ(std::string(static_cast<const char *>(bytes), size),
            encodePrepared(sampleModel()));
}

/// The report equals PlacedModel's, byte for byte.
TEST(CPrepared, SameReportAsPlacedModel) {
  PreparedFile sample = sampleModel();
  TargetChoice a100 = cantFail(chooseTarget("a100"));
  auto costs = cantFail(CostModel::create(a100.target.gpu, a100.coefficients));
  auto direct = cantFail(PlacedModel::create(
      std::make_shared<PreparedModel>(sample.model), costs));
  IterationReport expected = direct.evaluate();
  expected.model = "sample.onnx";
  auto placed = placeSample("a100-bf16");
  auto report = evaluate(placed.get());
  EXPECT_EQ(jsonOf(report.get()), reportJson(expected, {}));
  ReportOptions byLayer;
  byLayer.groupBy = GroupBy::Layer;
  EXPECT_EQ(jsonOf(report.get(), "layer"), reportJson(expected, byLayer));
  auto totals = initialized<gpucostTotals>();
  ASSERT_EQ(gpucostReportTotals(report.get(), &totals), GPUCOST_OK);
  EXPECT_EQ(totals.time, expected.time.value());
  EXPECT_EQ(totals.energy, expected.energy.value());
  EXPECT_EQ(totals.peak_bytes, expected.peakMemoryBytes);
  EXPECT_EQ(totals.phase_count, 2u);
  ASSERT_EQ(totals.kernel_count, 3u);
  double busy = 0;
  for (size_t i = 0; i < 3; ++i) {
    auto row = initialized<gpucostKernelRow>();
    ASSERT_EQ(gpucostReportKernel(report.get(), i, &row), GPUCOST_OK);
    EXPECT_EQ(row.cost.time, expected.kernels[i].time.total.value());
    EXPECT_EQ(std::string(row.name), expected.kernels[i].name);
    busy += row.cost.time * static_cast<double>(row.count);
  }
  double phases = 0, energy = 0;
  for (size_t i = 0; i < 2; ++i) {
    auto phase = initialized<gpucostPhaseTotals>();
    ASSERT_EQ(gpucostReportPhase(report.get(), i, &phase), GPUCOST_OK);
    phases += phase.time;
    energy += phase.energy;
    busy -= phase.kernel_time;
  }
  EXPECT_NEAR(busy, 0, 1e-12);
  EXPECT_DOUBLE_EQ(phases, totals.time);
  EXPECT_DOUBLE_EQ(energy, totals.energy);
  EXPECT_NE(gpucostReportNote(report.get(), 0), nullptr);
  EXPECT_EQ(gpucostReportNote(report.get(), 100), nullptr);
}

TEST(CPrepared, OtherGpusAndRuns) {
  auto a100 = placeSample("a100-bf16"), h100 = placeSample("h100-bf16");
  auto totals = initialized<gpucostTotals>();
  auto timeOf = [&](const gpucostPlaced *placed, const gpucostRun *run) {
    auto report = evaluate(placed, run);
    EXPECT_EQ(gpucostReportTotals(report.get(), &totals), GPUCOST_OK);
    return totals.time;
  };
  double full = timeOf(a100.get(), nullptr);
  EXPECT_LT(timeOf(h100.get(), nullptr), full);
  auto run = initialized<gpucostRun>();
  run.clock = 705e6;
  EXPECT_GT(timeOf(a100.get(), &run), full);
  EXPECT_EQ(totals.clock, 705e6);
  run = initialized<gpucostRun>();
  run.power_limit = 150;
  EXPECT_GT(timeOf(a100.get(), &run), full);
  EXPECT_EQ(totals.throttled, 1u);
  run = initialized<gpucostRun>();
  run.host_launch = 100e-6;
  // One segment has 48 launches and another has 3, at least 100 us each.
  EXPECT_GE(timeOf(a100.get(), &run), 51 * 100e-6);
  run.host_launch = -1;
  double none = timeOf(a100.get(), &run);
  EXPECT_LE(none, full);
  run = initialized<gpucostRun>();
  run.step_gap = 2e-3;
  double spaced = timeOf(a100.get(), &run);
  run.step_gap = 3e-3;
  EXPECT_NEAR(timeOf(a100.get(), &run) - spaced, 1e-3, 1e-9);
  // A program of version 1 has no such member.
  run.size = offsetof(gpucostRun, step_gap);
  EXPECT_EQ(timeOf(a100.get(), &run), full);
  uint32_t graph = 0;
  ASSERT_EQ(gpucostEnumValue(GPUCOST_ENUM_RUNTIME, "cudagraph", &graph),
            GPUCOST_OK);
  run = initialized<gpucostRun>();
  run.runtime = graph + 1;
  EXPECT_LE(timeOf(a100.get(), &run), full);

  // The same as one by one.
  std::vector<gpucostRun> runs(5, initialized<gpucostRun>());
  std::vector<gpucostTotals> all(5, initialized<gpucostTotals>());
  for (size_t i = 0; i < runs.size(); ++i)
    runs[i].clock = 1e9 + 1e8 * static_cast<double>(i);
  runs[1].power_limit = 120;
  runs[2].host_launch = 1e-3; // bound by the host
  runs[3].runtime = graph + 1;
  runs[4].step_gap = 1e-3;
  ASSERT_EQ(gpucostEvaluateMany(a100.get(), runs.data(), 0, 5, all.data(), 0),
            GPUCOST_OK);
  for (size_t i = 0; i < runs.size(); ++i) {
    timeOf(a100.get(), &runs[i]);
    EXPECT_EQ(std::memcmp(&totals, &all[i], sizeof(totals)), 0);
  }
}

TEST(CPrepared, OtherRuntimesHaveOtherKernels) {
  auto placed = placeSample("a100-bf16");
  gpucostRun run;
  GPUCOST_INIT(run);
  uint32_t compiled = 0;
  ASSERT_EQ(gpucostEnumValue(GPUCOST_ENUM_RUNTIME, "compiled", &compiled),
            GPUCOST_OK);
  run.runtime = compiled + 1;
  gpucostReport *report = nullptr;
  EXPECT_EQ(gpucostEvaluate(placed.get(), &run, &report), GPUCOST_UNSUPPORTED);
  EXPECT_STREQ(gpucostLastError(),
               "the model is prepared for the runtime 'eager'; prepare it with "
               "the runtime 'compiled'");
  EXPECT_EQ(report, nullptr);
}

TEST(CPrepared, Mistakes) {
  auto prepared = loadSample();
  gpucostPlaced *placed = nullptr;
  auto place = [&](const char *target) {
    auto model = modelOf(target);
    return errorOf(gpucostPlace(prepared.get(), model.get(), &placed));
  };
  EXPECT_EQ(place("a100-fp16"),
            "the model is prepared for other settings (number format)");
  auto fine = placeSample("a100-bf16");
  gpucostReport *report = nullptr;
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (double gpucostRun::*member :
       {&gpucostRun::clock, &gpucostRun::power_limit, &gpucostRun::host_launch,
        &gpucostRun::step_gap})
    for (double wrong : {nan, HUGE_VAL}) {
      auto run = initialized<gpucostRun>();
      run.*member = wrong;
      EXPECT_EQ(gpucostEvaluate(fine.get(), &run, &report),
                GPUCOST_INVALID_ARGUMENT);
    }
  auto run = initialized<gpucostRun>();
  run.clock = 5e9;
  EXPECT_EQ(
      errorOf(gpucostEvaluate(fine.get(), &run, &report)),
      "gpucostRun: clock 5000 MHz is outside the range of 'a100-sxm-80gb' "
      "(210 to 1410 MHz)");
  run = initialized<gpucostRun>();
  run.runtime = 9;
  EXPECT_EQ(errorOf(gpucostEvaluate(fine.get(), &run, &report)),
            "'runtime' of gpucostRun is 9, which is not a valid value");
  gpucostPrepared *none = nullptr;
  EXPECT_EQ(gpucostPreparedLoadFile("/no/such/file.gco", &none), GPUCOST_IO);
  EXPECT_STREQ(gpucostLastError(),
               "cannot read '/no/such/file.gco': No such file or directory");
  EXPECT_EQ(gpucostPreparedLoad("x", 1, &none), GPUCOST_BAD_DATA);
  EXPECT_STREQ(gpucostLastError(), "no prepared model");
  char *text = nullptr;
  auto whole = evaluate(fine.get());
  EXPECT_EQ(errorOf(gpucostReportJson(whole.get(), "node", &text, nullptr)),
            "unknown group 'node', expected op, layer or scope");
}
