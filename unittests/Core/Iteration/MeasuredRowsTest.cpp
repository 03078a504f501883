//===- MeasuredRowsTest.cpp - The rows nearest to a prediction ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Accuracy/MeasuredRows.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

const std::string header =
    "source,board,die,architecture,kind,format,gpus,rows,published,time_error,"
    "power_error,energy_error\n";

// Two sources of inference on the A100, training on the L40S, decode on
// several H100; the errors of `secret` may not be published.
std::vector<MeasuredRows> table() {
  return cantFail(parseMeasuredRows(
      header + "one,a100,GA100,ampere,inference,bf16,1,30,yes,4,2,3\n"
               "two,a100,GA100,ampere,inference,bf16,1,10,yes,8,,\n"
               "one,a100,GA100,ampere,inference,fp32,1,5,yes,1,1,1\n"
               "three,l40s,AD102,ada,training,fp16,1,7,yes,6.25,,\n"
               "secret,h100,GH100,hopper,decode,bf16,several,9,no,,,\n"));
}

MeasuredQuestion inferenceOn(const char *board, const char *die,
                             Architecture architecture) {
  MeasuredQuestion question;
  question.board = board;
  question.die = die;
  question.architecture = architecture;
  question.format = NumericFormat::BF16;
  return question;
}

TEST(MeasuredRows, ErrorsOfOtherSourcesAreWeightedByRows) {
  Accuracy found =
      findNearest(table(), inferenceOn("a100", "GA100", Architecture::Ampere));
  EXPECT_EQ(found.board, BoardEvidence::Measured);
  EXPECT_TRUE(found.boardIsNearest && found.kindIsMeasured &&
              found.formatIsMeasured);
  ASSERT_EQ(found.nearest.size(), 2u);
  // (30 * 4 + 10 * 8) / 40 = 5; power and energy have 30 rows.
  EXPECT_EQ(found.text,
            "this GPU was measured: 40 rows of inference in bf16 on a100 (one "
            "and two), mean error: time 5.0 %, power 2.0 %, energy 3.0 %");
}

TEST(MeasuredRows, KindComesBeforeBoard) {
  MeasuredQuestion question =
      inferenceOn("a100", "GA100", Architecture::Ampere);
  question.kind = MeasuredKind::Training;
  Accuracy found = findNearest(table(), question);
  EXPECT_EQ(found.board, BoardEvidence::Measured);
  EXPECT_FALSE(found.boardIsNearest);
  EXPECT_FALSE(found.formatIsMeasured);
  EXPECT_EQ(found.text,
            "this GPU was measured, but not its training: 7 rows of training "
            "in fp16 on l40s (three), mean error: time 6.2 %");
}

TEST(MeasuredRows, GenerationBeforeOtherGenerations) {
  Accuracy kin =
      findNearest(table(), inferenceOn("a10", "GA102", Architecture::Ampere));
  EXPECT_EQ(kin.board, BoardEvidence::Transferred);
  EXPECT_EQ(kin.nearest.size(), 2u);
  EXPECT_EQ(kin.text.substr(0, kin.text.find(':')),
            "only other GPUs of this generation were measured");
  Accuracy far = findNearest(
      table(), inferenceOn("b200", "GB100", Architecture::Blackwell));
  EXPECT_EQ(far.board, BoardEvidence::Unseen);
  EXPECT_FALSE(far.boardIsNearest);
  EXPECT_EQ(far.text.substr(0, far.text.find(':')),
            "no GPU of this generation was measured");
}

TEST(MeasuredRows, OtherKindWhereNoneIsMeasured) {
  std::vector<MeasuredRows> rows = table();
  rows.pop_back();
  MeasuredQuestion question =
      inferenceOn("a100", "GA100", Architecture::Ampere);
  question.kind = MeasuredKind::Decode;
  Accuracy found = findNearest(rows, question);
  EXPECT_FALSE(found.kindIsMeasured);
  EXPECT_EQ(found.text.substr(0, found.text.find(':')),
            "this GPU was measured, but not its decode");
  EXPECT_EQ(findNearest({}, question).text, "no rows were measured");
}

TEST(MeasuredRows, FiguresThatMayNotBePublished) {
  MeasuredQuestion question =
      inferenceOn("h100", "GH100", Architecture::Hopper);
  question.kind = MeasuredKind::Decode;
  EXPECT_EQ(findNearest(table(), question).text,
            "this GPU was measured: 9 rows of decode in bf16 on several h100 "
            "(secret), mean error: figures not published");
  // The table must not have them either.
  EXPECT_FALSE(parseMeasuredRows(
      header + "secret,h100,GH100,hopper,decode,bf16,several,9,no,3,,\n"));
}

TEST(MeasuredRows, FaultsNameTheLine) {
  auto fault = [](const std::string &text) {
    Expected<std::vector<MeasuredRows>> rows = parseMeasuredRows(text);
    return rows ? "" : rows.error().message.substr(0, 7);
  };
  std::string good = "one,a100,GA100,ampere,inference,bf16,1,30,yes,4,2,3\n";
  EXPECT_EQ(fault(header + good), "");
  EXPECT_EQ(fault("source,board\n" + good), "line 1:");
  for (const char *bad :
       {"one,a100,GA100,ampere,inference,bf16,1,30,yes,4,2",
        "one,a100,GA100,amper,inference,bf16,1,30,yes,4,2,3",
        "one,a100,GA100,ampere,serving,bf16,1,30,yes,4,2,3",
        "one,a100,GA100,ampere,inference,bf17,1,30,yes,4,2,3",
        "one,a100,GA100,ampere,inference,bf16,8,30,yes,4,2,3",
        "one,a100,GA100,ampere,inference,bf16,1,0,yes,4,2,3",
        "one,a100,GA100,ampere,inference,bf16,1,30,maybe,4,2,3",
        "one,a100,GA100,ampere,inference,bf16,1,30,yes,-4,2,3",
        ",a100,GA100,ampere,inference,bf16,1,30,yes,4,2,3"})
    EXPECT_EQ(fault(header + good + bad + "\n"), "line 3:") << bad;
}

TEST(MeasuredRows, BuiltInTable) { EXPECT_FALSE(measuredRows().empty()); }

} // namespace
