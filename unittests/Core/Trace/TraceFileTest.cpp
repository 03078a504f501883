//===- TraceFileTest.cpp - The text of traces -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Trace/TraceFile.h"
#include "SampleModel.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::sample;

static std::string write(PreparedModel model, size_t *pieces = nullptr,
                         Settings run = {}) {
  PlacedModel placed = place(std::move(model));
  IterationTotals totals = placed.solve(run);
  Timeline timeline = cantFail(buildTimeline(placed, totals, run));
  std::string text;
  writeTrace(placed, totals, timeline, "a \"model\"\n",
             [&](std::string_view piece) {
               text += piece;
               if (pieces)
                 ++*pieces;
             });
  return text;
}

static size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(TraceFile, HasAnEventOfEachKind) {
  std::string text = write(trainingStep());
  EXPECT_EQ(countOf(text, "\"cat\":\"kernel\""), 14u);
  EXPECT_EQ(countOf(text, "\"name\":\"cudaLaunchKernel\""), 14u);
  EXPECT_EQ(countOf(text, "\"name\":\"ProfilerStep#0\""), 2u);
  EXPECT_EQ(countOf(text, "\"name\":\"ncclDevKernel_"), 2u);
  EXPECT_EQ(countOf(text, "\"stream\":20"), 2u);
  // a/MatMul, a/Relu, b/MatMul, forward to backward.
  EXPECT_EQ(countOf(text, "\"ph\":\"s\",\"cat\":\"fwdbwd\""), 3u);
  EXPECT_EQ(countOf(text, "\"ph\":\"f\",\"cat\":\"fwdbwd\""), 3u);
  EXPECT_EQ(countOf(text, "\"traceName\":\"a \\\"model\\\"\\n\""), 1u);
}

TEST(TraceFile, GraphHasOneLaunch) {
  PreparedModel model;
  add(model, relu(1 << 20), Phase::Forward, 3);
  Settings run;
  run.runtime = Runtime::CudaGraph;
  std::string text = write(model, nullptr, run);
  EXPECT_EQ(countOf(text, "\"name\":\"cudaGraphLaunch\""), 1u);
  EXPECT_EQ(countOf(text, "\"cat\":\"cpu_op\""), 0u);
  EXPECT_EQ(countOf(text, "\"cat\":\"kernel\""), 3u);
}

TEST(TraceFile, ComesInPieces) {
  PreparedModel model;
  add(model, relu(1024), Phase::Forward, 5000);
  size_t pieces = 0;
  std::string text = write(model, &pieces);
  EXPECT_GT(pieces, 2u);
  EXPECT_EQ(countOf(text, "\"cat\":\"kernel\""), 5000u);
}

TEST(TraceFile, HostileNamesStayText) {
  PreparedModel model;
  add(model, relu(1024), Phase::Forward, 1, "a\"]}\n</script>\xff");
  std::string text = write(model);
  EXPECT_EQ(countOf(text, "\"node\":\"a\\\"]}\\n</script>\xEF\xBF\xBD\""), 2u);
}
