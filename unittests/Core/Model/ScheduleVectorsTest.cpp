//===- ScheduleVectorsTest.cpp - (F*), (I*), (Y*), (Z*) against the study -===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleCoefficients.h"
#include "Schedules/LanePatterns.h"
#include "Schedules/ScheduleTerms.h"
#include "StudySets.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace gpucost;

namespace {

/// Facts as the study has them: KiB, bytes per clock, GB/s.
struct StudyBoard {
  double sms, gigahertz, rate, sharedKib, threads, l2, dram;
  double partitions = 4, ctas = 32, reservedKib = 1, cache = 128, shared = 128;
  bool texture = false;
};

const std::map<std::string, StudyBoard> simtBoards = {
    {"a100-pcie-40gb", {108, 1.41, 64, 164, 2048, 47, 1555}},
    {"rtx-3090", {82, 1.695, 128, 100, 1536, 32, 936, 4, 16}},
    {"titan-rtx", {72, 1.77, 64, 63, 1024, 32, 672, 4, 16, 0, 64, 64}},
    {"rtx-2070-super", {40, 1.77, 64, 63, 1024, 32, 448, 4, 16, 0, 64, 64}},
    {"gtx-1080-ti",
     {28, 1.582, 128, 96, 2048, 48, 484, 4, 32, 0, 64, 128, true}},
    {"gtx-titan-x",
     {24, 1.075, 128, 96, 2048, 48, 336, 4, 32, 0, 64, 128, true}},
};

/// The groups that all schedules share.
const Coefficients &shared() {
  static const Coefficients set = [] {
    Coefficients c;
    study::complete(c);
    return c;
  }();
  return set;
}

ScheduleDevice deviceOf(const StudyBoard &b) {
  ScheduleDevice d;
  d.lanes = 32;
  d.threadRegisters = 255;
  d.texture = &*shared().texturePath;
  d.issue = &*shared().simtIssue;
  d.instructions = &*shared().tensorInstructions;
  d.waits = &*shared().tensorWaits;
  d.streams = &*shared().streamLimits;
  d.registers = 65536;
  d.sms = b.sms;
  d.clock = b.gigahertz * 1e9;
  d.fmaPerClock = b.rate;
  d.partitions = b.partitions;
  d.sharedBytes = b.sharedKib * 1024;
  d.ctaSharedBytes = d.sharedBytes;
  d.reservedBytes = b.reservedKib * 1024;
  d.threads = b.threads;
  d.ctas = b.ctas;
  d.cacheBytesPerClock = b.cache;
  d.sharedBytesPerClock = b.shared;
  d.textureLoads = b.texture;
  d.dramBandwidth = b.dram * 1e9;
  return d;
}

/// The study's C is also read: 8 bytes per result.
void checkSimt(const char *gpu, int m, int n, int k, const Schedule &s,
               double seconds) {
  const StudyBoard &board = simtBoards.at(gpu);
  ScheduleDevice device = deviceOf(board);
  SimtScheduleCoefficients c = study::simtSchedule(board.l2);
  ScheduledProduct product;
  product.m = m;
  product.n = n;
  product.k = k;
  product.resultBytes = 8;
  ScheduleFit fit = fitSimt(device, c, 4, s);
  ASSERT_TRUE(fit) << gpu << ": " << describeSchedule(s);
  SimtPipes pipes;
  double time = simtTime(device, c, product, s, fit, pipes).total;
  // The bound for skipping a search is never slower than the result.
  ScheduleTime bound = simtTime(device, c, product, s, fit, pipes, 0);
  EXPECT_TRUE(bound.gaveUp);
  EXPECT_LE(bound.total, time);
  double least = leastSimtTime(device, c, product, s, pipes);
  EXPECT_LE(least, time * (1 + 1e-12));
  SimtLoop loop;
  EXPECT_LE(loop.leastTime(device, c, product, s), least * (1 + 1e-12));
  EXPECT_GT(loop.leastTime(device, c, product, s), 0.2 * least);
  // The study lets a copy cost nothing when it has fewer K rows than rows of
  // threads; here those threads that have a row take their time.
  if (s.tileK * s.copyM < fit.threads) {
    EXPECT_GT(time / seconds, 1);
    EXPECT_LT(time / seconds, 1.05);
    return;
  }
  EXPECT_NEAR(time / seconds, 1, 1e-9) << gpu << ": " << describeSchedule(s);
}

// (F1), (F2), (F3), (I1), (I2), (I3), (Y1), (Y2), (Y3), (Y4), (Y5), (Y6), (Y7),
// (Y8).
TEST(Schedules, CudaCoresReproduceStudy) {
  auto path = [](int staged) {
    return staged ? OperandPath::Shared : OperandPath::Cache;
  };
#define SIMT_VECTOR(gpu, m, n, k, tileM, tileN, tileK, warps, threadM,         \
                    threadN, vectorM, vectorN, stageA, stageB, copyM, copyN,   \
                    seconds)                                                   \
  checkSimt(gpu, m, n, k,                                                      \
            {tileM, tileN, tileK, 1, 1, warps, 0, 1, threadM, threadN,         \
             vectorM, vectorN, path(stageA), path(stageB), copyM, copyN},      \
            seconds);
#define TENSOR_VECTOR(...)
#include "ScheduleVectors.inc"
#undef SIMT_VECTOR
#undef TENSOR_VECTOR
}

struct TensorBoard {
  StudyBoard board;
  double fp32, l2Megabytes;
  MatrixPath path;
};

const std::map<std::string, TensorBoard> tensorBoards = {
    {"a100-sxm-80gb",
     {{108, 1.41, 2048, 164, 2048, 25.6, 2039, 4, 16},
      64,
      40,
      MatrixPath::Mma}},
    {"h100-sxm-80gb",
     {{132, 1.755, 4096, 228, 2048, 42, 3350, 4, 16},
      128,
      50,
      MatrixPath::Wgmma}},
    {"h200-sxm",
     {{132, 1.755, 4096, 228, 2048, 42, 4800, 4, 16},
      128,
      50,
      MatrixPath::Wgmma}},
    {"b200-sxm",
     {{148, 1.85, 8192, 228, 2048, 42, 7700, 4, 16},
      128,
      126,
      MatrixPath::Tcgen05}},
    {"l40s",
     {{142, 2.52, 1024, 100, 1536, 14.5, 864, 4, 16},
      128,
      96,
      MatrixPath::Mma}},
};

void checkTensor(const char *gpu, const ScheduledProduct &product,
                 const Schedule &s, double seconds) {
  const TensorBoard &board = tensorBoards.at(gpu);
  ScheduleDevice device = deviceOf(board.board);
  device.ctaSharedBytes -= 1024;
  device.fmaPerClock = board.fp32;
  device.tensorPerClock = board.board.rate / product.inputBytes;
  device.path = board.path;
  device.l2Bytes = board.l2Megabytes * 1e6;
  TensorScheduleCoefficients c = study::tensorSchedule(board.board.l2);
  TensorTile tile(device, c, product, s);
  ScheduleFit fit = fitTensor(device, c, tile, s);
  EXPECT_EQ(static_cast<bool>(fit), seconds > 0)
      << gpu << ": " << describeSchedule(s);
  if (!fit)
    return;
  ScheduleTime time = tensorTime(device, c, product, tile, s, fit);
  EXPECT_NEAR(time.total / seconds, 1, 1e-9)
      << gpu << ": " << describeSchedule(s);
  // The bound for skipping a search is never slower than the result.
  ScheduleTime bound = tensorTime(device, c, product, tile, s, fit, 0);
  EXPECT_TRUE(bound.gaveUp);
  EXPECT_LE(bound.total, time.total);
  double most = time.total * (1 + 1e-12);
  double least = leastTensorTime(device, c, product, tile, s, fit, s.stages);
  EXPECT_LE(least, most);
  EXPECT_LE(leastTensorTileTime(device, c, product, tile), least * (1 + 1e-12));
  EXPECT_GT(leastTensorTileTime(device, c, product, tile), 0.2 * least);
  // The bound of fewer stages holds for more.
  Schedule fewer = s;
  fewer.stages = 2;
  if (s.stages > 2)
    EXPECT_LE(leastTensorTime(device, c, product, tile, fewer,
                              fitTensor(device, c, tile, fewer), s.stages),
              most);
}

// (F3), (Z1), (Z2), (Z3), (Z4), (Z5).
TEST(Schedules, TensorCoresReproduceStudy) {
#define SIMT_VECTOR(...)
#define TENSOR_VECTOR(gpu, m, n, k, bytes, scaled, integers, tileM, tileN,     \
                      tileK, warps, stages, seconds)                           \
  checkTensor(gpu, {1, m, n, k, bytes, bytes, 2, scaled, integers},            \
              {tileM, tileN, tileK, 1, stages, warps, 0, 1}, seconds);
#include "ScheduleVectors.inc"
#undef SIMT_VECTOR
#undef TENSOR_VECTOR
}

//===----------------------------------------------------------------------===//
// Lane patterns against a simulation of banks, lines and sectors
//===----------------------------------------------------------------------===//

/// First words of the 32 lanes in one instruction that loads `vector` words.
LaneLoads simulate(const std::vector<int> &shared, const std::vector<int> &far,
                   int vector, double instructions) {
  int group = 32 / vector;
  LaneLoads loads;
  for (int first = 0; first < 32; first += group) {
    std::map<int, std::set<int>> wordsOfBank;
    std::set<int> lines;
    for (int lane = first; lane < first + group; ++lane) {
      for (int word = shared[lane]; word < shared[lane] + vector; ++word)
        wordsOfBank[word % 32].insert(word);
      lines.insert(far[lane] / 32);
    }
    size_t most = 0;
    for (const auto &bank : wordsOfBank)
      most = std::max(most, bank.second.size());
    loads.wavefronts += static_cast<double>(most) * instructions;
    loads.lines += static_cast<double>(lines.size()) * instructions;
  }
  std::set<int> sectors;
  for (int first : far)
    for (int word = first; word < first + vector; ++word)
      sectors.insert(word / 8);
  loads.instructions = instructions;
  loads.vector = vector;
  loads.sectors = static_cast<double>(sectors.size());
  return loads;
}

void expectEqual(const LaneLoads &closed, const LaneLoads &simulated) {
  EXPECT_DOUBLE_EQ(closed.instructions, simulated.instructions);
  EXPECT_DOUBLE_EQ(closed.wavefronts, simulated.wavefronts);
  EXPECT_DOUBLE_EQ(closed.lines, simulated.lines);
  const TexturePath &texture = *shared().texturePath;
  EXPECT_DOUBLE_EQ(textureClocks(texture, closed),
                   textureClocks(texture, simulated));
}

// (I1)-(I3): every grid of lanes, thread tile and vector.
TEST(LanePatterns, FragmentsEqualSimulation) {
  for (int lanesM = 1; lanesM <= 32; lanesM *= 2)
    for (int elements = 1; elements <= 32; elements *= 2)
      for (int vector = 1; vector <= std::min(elements, 16); vector *= 2) {
        std::vector<int> alongM, alongN;
        for (int lane = 0; lane < 32; ++lane) {
          alongM.push_back(lane % lanesM * elements);
          alongN.push_back(lane / lanesM * elements);
        }
        int v = std::min(vector, 4);
        double n = static_cast<double>(elements) / v;
        SCOPED_TRACE(std::to_string(lanesM) + " lanes, " +
                     std::to_string(elements) + " elements, vector " +
                     std::to_string(vector));
        expectEqual(fragmentLoads(lanesM, 1, elements, vector),
                    simulate(alongM, alongM, v, n));
        expectEqual(fragmentLoads(32 / lanesM, lanesM, elements, vector),
                    simulate(alongN, alongN, v, n));
      }
}

// (I1)-(I3): rows of K in DRAM are far apart (4096 words).
TEST(LanePatterns, CopiesEqualSimulation) {
  for (int edge = 16; edge <= 256; edge *= 2)
    for (int across = 1; across <= std::min(edge, 64); across *= 2)
      for (int threads = std::max(32, across); threads <= 512; threads *= 2)
        for (int depth = threads / across; depth <= 64; depth *= 2)
          for (int vector = 1; vector <= std::min(edge / across, 8);
               vector *= 2) {
            int part = edge / across, rows = depth * across / threads;
            std::vector<int> shared, far;
            for (int lane = 0; lane < 32; ++lane) {
              int row = lane / across * rows, column = lane % across * part;
              shared.push_back(row * edge + column);
              far.push_back(row * 4096 + column);
            }
            int v = std::min(vector, 4);
            SCOPED_TRACE(std::to_string(edge) + " words, " +
                         std::to_string(across) + " of " +
                         std::to_string(threads) + " threads, " +
                         std::to_string(depth) + " rows, vector " +
                         std::to_string(vector));
            expectEqual(
                copyLoads(across, threads, edge, depth, vector),
                simulate(shared, far, v, static_cast<double>(part) / v * rows));
          }
}

// The measured proof: a 16 x 4 thread tile, 8 lanes along m, both operands
// staged: 16 * max(1, 8 * 16 / 32) = 64 and 4 wavefronts a warp and K element,
// 68 clocks at 128 bytes per clock (measured: 71), 136 at 64 (measured: 136).
TEST(LanePatterns, BankConflictsOfALongThreadTile) {
  LaneLoads a = fragmentLoads(8, 1, 16, 4), b = fragmentLoads(4, 8, 4, 4);
  EXPECT_DOUBLE_EQ(a.wavefronts, 64);
  EXPECT_DOUBLE_EQ(b.wavefronts, 4);
}

} // namespace
