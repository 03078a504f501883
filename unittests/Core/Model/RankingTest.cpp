//===- RankingTest.cpp - Order of candidates ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Ranking.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace gpucost;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<size_t> groupsOf(const Ranking &ranking) {
  std::vector<size_t> groups;
  for (const RankedCandidate &each : ranking.order)
    groups.push_back(each.group);
  return groups;
}

TEST(Ranking, ProbabilityByHand) {
  // Half-widths of e^0.12 - 1: 80 % of the logs are within 0.12. For 90 %
  // below, the difference is sqrt(2) * 0.12.
  double width = std::expm1(0.12);
  RankCandidate fast{100, width},
      slow{100 * std::exp(0.12 * std::sqrt(2.0)), width};
  EXPECT_NEAR(probabilityLess(fast, slow, 0), 0.9, 1e-12);
  EXPECT_NEAR(probabilityLess(slow, fast, 0), 0.1, 1e-12);
  EXPECT_EQ(probabilityLess(fast, fast, 0), 0.5);
  // A common part of 0.6 leaves 0.8 of the difference.
  RankCandidate nearer{100 * std::exp(0.12 * std::sqrt(2.0) * 0.8), width};
  EXPECT_NEAR(probabilityLess(fast, nearer, 0.6), 0.9, 1e-12);
  EXPECT_LT(probabilityLess(fast, nearer, 0), 0.87);
  // Errors that are wholly common do not change an order.
  EXPECT_EQ(probabilityLess(fast, {100.1, width}, 1), 1);
  EXPECT_EQ(probabilityLess(fast, {1000, std::nullopt}, 0), 0.5);
}

// (U6)
TEST(Ranking, GroupsAndCut) {
  double width = std::expm1(0.1);
  // Two predictions differ by 0.8416 / 1.2816 * sqrt(2) * 0.1 = 0.0929 in logs
  // to be told apart with 80 %.
  std::vector<RankCandidate> candidates = {
      {130, width}, {100, width}, {infinity, width}, {109, width},
      {0, width},   {110, width}, {142, width},      {144, width}};
  Ranking ranking = rankCandidates(candidates, 0);
  std::vector<size_t> order;
  for (const RankedCandidate &each : ranking.order)
    order.push_back(each.index);
  // 109 is within a factor of e^0.0929 = 1.097 of 100, 110 is not; 142 and 130
  // are within 1.097, 144 and 130 are not.
  EXPECT_EQ(order, (std::vector<size_t>{1, 3, 5, 0, 6, 7}));
  EXPECT_EQ(groupsOf(ranking), (std::vector<size_t>{0, 0, 1, 2, 2, 3}));
  EXPECT_EQ(ranking.worthMeasuring, 2u);
  // A higher confidence tells fewer apart.
  EXPECT_EQ(rankCandidates(candidates, 0, 0.99).worthMeasuring, 3u);
}

TEST(Ranking, UnknownWidthsTellNothingApart) {
  std::vector<RankCandidate> candidates = {
      {300, std::nullopt}, {100, 0.1}, {200, 0.1}};
  Ranking ranking = rankCandidates(candidates, 0);
  EXPECT_EQ(groupsOf(ranking), (std::vector<size_t>{0, 0, 0}));
  EXPECT_EQ(ranking.worthMeasuring, 3u);
  EXPECT_TRUE(rankCandidates({}, 0).order.empty());
  EXPECT_EQ(rankCandidates({}, 0).worthMeasuring, 0u);
}

TEST(Ranking, EqualCandidatesKeepTheirOrder) {
  std::vector<RankCandidate> candidates = {{5, 0.0}, {5, 0.0}, {4, 0.0}};
  Ranking ranking = rankCandidates(candidates, 0);
  EXPECT_EQ(ranking.order[1].index, 0u);
  EXPECT_EQ(ranking.order[2].index, 1u);
  EXPECT_EQ(groupsOf(ranking), (std::vector<size_t>{0, 1, 1}));
}

} // namespace
