//===- StudySets.cpp - Coefficient sets of the model studies --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fitted coefficients for the expected values of these tests: our fits,
// fixed on purpose. The tool reads its coefficients from targets/coefficients,
// which may change.
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Support/Span.h"
#include <cassert>
#include <cstring>

using namespace gpucost;

namespace {

struct Device {
  const char *name;
  Architecture architecture;
  int64_t smCount;
  double clock, bf16, fp32, bandwidth, l2, limit, peak;
};

// peak: dense bf16 FLOP/s as the studies used it for e_flop = kap * TDP / peak.
constexpr Device devices[] = {
    {"A100", Architecture::Ampere, 108, 1.41e+09, 2048, 256, 2.039e+12,
     41943040, 400, 3.12e+14},
    {"H100", Architecture::Hopper, 132, 1.98e+09, 4096, 256, 3.352e+12,
     52428800, 700, 9.89e+14},
    {"H200", Architecture::Hopper, 132, 1.98e+09, 4096, 256, 4.8e+12, 52428800,
     700, 9.89e+14},
    {"L40S", Architecture::Ada, 142, 2.52e+09, 1024, 256, 8.64e+11, 100663296,
     350, 3.62e+14},
    {"B200", Architecture::Blackwell, 148, 1.965e+09, 8192, 256, 7.7e+12,
     132120576, 1000, 2.25e+15},
    {"GB200", Architecture::Blackwell, 152, 2.062e+09, 8192, 256, 8e+12,
     132120576, 1200, 2.5e+15},
    {"V100", Architecture::Volta, 80, 1.38e+09, 0, 128, 9e+11, 6291456, 250, 0},
    {"A100-40", Architecture::Ampere, 108, 1.41e+09, 2048, 128, 1.555e+12,
     41943040, 250, 0},
    {"A100-80", Architecture::Ampere, 108, 1.41e+09, 2048, 128, 1.935e+12,
     41943040, 300, 0},
};

struct TensorSet {
  const char *name;
  double e, lk, ed, el2, cl2, t0, tsk, ov, kf, kap, tau;
};

constexpr TensorSet tensorSets[] = {
    {"A100", 1, 401, 0.7479, 25.64, 0.0502, 3.046e-06, 2.687e-06, 0.7315, 125.5,
     0.9155, 0.03503},
    {"L40S", 0.7148, 449.1, 0.7559, 15, 0.7558, 2.011e-06, 2.551e-06, 0.4838,
     141.6, 2.143, 0.03628},
    {"B200", 0.8572, 131.6, 0.8418, 78.36, 0.01494, 2.086e-06, 3.885e-06,
     0.2315, 120.6, 1.095, 0.03711},
    {"H100", 0.8195, 183.3, 0.8617, 91.85, 0.05516, 2.688e-06, 2.93e-06, 0.6589,
     65.12, 1.088, 0.02675},
    {"H200", 0.7767, 187.5, 0.8541, 125.7, 0.03433, 2.671e-06, 2.969e-06,
     0.9373, 64.1, 1.168, 0.03602},
    {"GB200", 0.792, 151.6, 0.8369, 97.35, 0.01902, 2.073e-06, 3.214e-06,
     0.2713, 84.01, 1.513, 0.03312},
};

constexpr Tile ampereTiles[] = {
    {16, 64, 6, 0},   {16, 128, 5, 0},  {32, 32, 8, 0},   {32, 64, 5, 0},
    {32, 128, 4, 0},  {64, 16, 6, 0},   {64, 32, 5, 0},   {64, 64, 4, 0},
    {64, 128, 3, 0},  {64, 256, 2, 0},  {128, 16, 5, 0},  {128, 32, 4, 0},
    {128, 64, 3, 0},  {128, 128, 2, 0}, {128, 256, 1, 0}, {256, 64, 2, 0},
    {256, 128, 1, 0},
};
constexpr Tile hopperTiles[] = {
    {8, 64, 4, 0},    {16, 64, 4, 0},   {16, 128, 2, 0}, {32, 64, 3, 0},
    {32, 128, 2, 0},  {64, 8, 4, 0},    {64, 16, 4, 0},  {64, 32, 3, 0},
    {64, 64, 2, 0},   {64, 128, 2, 0},  {64, 192, 1, 0}, {64, 256, 1, 0},
    {128, 16, 2, 0},  {128, 32, 2, 0},  {128, 64, 2, 0}, {128, 128, 1, 0},
    {128, 192, 1, 0}, {128, 256, 1, 0}, {192, 64, 1, 0}, {192, 128, 1, 0},
    {256, 64, 1, 0},  {256, 128, 1, 0},
};
constexpr Tile blackwellTiles[] = {
    {8, 64, 4, 0},    {16, 64, 4, 0},   {16, 128, 2, 0},  {32, 64, 3, 0},
    {32, 128, 2, 0},  {64, 8, 4, 0},    {64, 16, 4, 0},   {64, 32, 3, 0},
    {64, 64, 2, 0},   {64, 128, 2, 0},  {64, 256, 1, 0},  {128, 16, 2, 0},
    {128, 32, 2, 0},  {128, 64, 2, 0},  {128, 128, 1, 0}, {128, 192, 1, 0},
    {128, 256, 1, 0}, {192, 128, 1, 0}, {256, 64, 1, 0},  {256, 128, 1, 0},
};
constexpr Tile ampereLinearTiles[] = {
    {128, 128, 2, 8}, {64, 128, 4, 4}, {64, 64, 8, 2}, {128, 32, 3, 8},
    {32, 128, 3, 8},  {32, 64, 4, 8},  {32, 32, 8, 4},
};
constexpr Tile ampereBatchedTiles[] = {
    {128, 128, 2, 8},
};
constexpr Tile voltaLinearTiles[] = {
    {128, 128, 2, 8}, {64, 128, 4, 4}, {128, 32, 3, 8},
    {32, 128, 3, 8},  {32, 64, 4, 8},  {32, 32, 8, 4},
};
constexpr Tile voltaBatchedTiles[] = {
    {64, 64, 8, 2},
    {128, 32, 3, 8},
    {32, 128, 3, 8},
};
constexpr Tile implicitTiles[] = {
    {128, 128, 2, 8}, {128, 64, 4, 4}, {64, 64, 8, 2},
    {128, 32, 5, 4},  {32, 128, 5, 4}, {256, 64, 2, 4},
};
constexpr Tile transformedTiles[] = {
    {128, 128, 2, 8}, {64, 128, 4, 4}, {128, 64, 4, 4},
    {64, 64, 8, 2},   {32, 128, 3, 8},
};

constexpr int32_t tensorSplits[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr int32_t simtSplits[] = {1, 2, 3, 4, 6, 8, 12, 16};

struct SimtSet {
  const char *name;
  double emax, k0, lat, eb, l2, cl2, rl2, ep, w0;
};

constexpr SimtSet linearSets[] = {
    {"A100-40", 0.8449, 1.062, 2.618e-05, 0.5878, 8.282, 0.441, 1.087, 6.905,
     1.479},
    {"V100", 1.078, 13.98, 6.631e-06, 0.6107, 8.235, 0.6907, 1, 12.78, 5.99},
};
constexpr SimtSet batchedSets[] = {
    {"A100-40", 1.01, 9.798, 7.863e-07, 0.9362, 5.971, 0.6375, 1.068, 8.454,
     1.654},
    {"V100", 0.8284, 1, 5.787e-07, 0.5661, 12.07, 1.2, 4.513, 4.446, 3.016},
};

struct ConvSet {
  const char *name;
  double k0, w0, eb, l2, cl2, rl2, ei, ew, eg, kw, cf, lat, lw;
};

constexpr ConvSet convSets[] = {
    {"V100", 2.526, 2.742, 0.5213, 5.573, 0.6187, 2.99, 1.039, 0.7972, 0.8008,
     16.5, 1.77, 1.69e-06, 1.775e-05},
    {"A100-80", 1.087, 26.01, 0.6197, 35.83, 0.3795, 1.863, 1.05, 0.6007, 1.05,
     10.58, 2.618, 2.08e-06, 5.927e-05},
};

struct AttentionSet {
  const char *name, *device;
  double e, ks, po, c0, x, phi, tsp, t0, ed, el2, cl2, bl2, kap;
};

constexpr AttentionSet attentionSets[] = {
    {"H100 ctx vllm fa3", "H100", 0.7468, 0.1007, 2.572, 8707, 0.4665, 0.2921,
     2.204e-06, 8.132e-06, 0.4998, 60, 0.3814, 4.189, 1.088},
    {"H200 enc vllm fa3 1s", "H200", 0.7506, 0.1178, 3.221, 6204, 0.9517, 0.3,
     2e-06, 4.865e-06, 0.3905, 60, 0.125, 20, 1.168},
    {"B200 enc sglang fa4", "B200", 0.4662, 0.06595, 3.717, 9997, 0.8722, 0.3,
     2e-06, 1.765e-06, 0.7344, 60, 0.3735, 20, 1.095},
    {"A100 ctx sglang fa2", "A100", 1, 0.1186, 1, 2917, 0.1257, 0.7862,
     1.437e-05, 1.087e-05, 0.6944, 60, 0.3912, 31.12, 0.9155},
};

struct NamedTile {
  const char *name;
  int32_t headDim, rows, columns;
};

constexpr NamedTile attentionTiles[] = {
    {"fa2s", 64, 128, 128}, {"fa2s", 96, 64, 64},   {"fa2s", 128, 64, 64},
    {"fa2s", 192, 128, 64}, {"fa2s", 256, 64, 64},  {"fa2s", 512, 64, 64},
    {"fa2", 64, 128, 128},  {"fa2", 96, 128, 64},   {"fa2", 128, 128, 64},
    {"fa2", 192, 128, 64},  {"fa2", 256, 64, 64},   {"fa2", 512, 64, 64},
    {"fa3", 64, 192, 128},  {"fa3", 96, 192, 128},  {"fa3", 128, 128, 128},
    {"fa3", 192, 128, 96},  {"fa3", 256, 128, 80},  {"fa3", 512, 64, 64},
    {"fa4", 64, 256, 128},  {"fa4", 96, 256, 128},  {"fa4", 128, 256, 128},
    {"fa4", 192, 256, 128}, {"fa4", 256, 128, 128}, {"fa4", 512, 128, 64},
};

} // namespace

template <typename Row, size_t n>
static const Row *find(const Row (&rows)[n], std::string_view name) {
  for (const Row &row : rows)
    if (name == row.name)
      return &row;
  return nullptr;
}

Gpu study::gpu(std::string_view name) {
  const Device *d = find(devices, name);
  assert(d && "unknown study device");
  Gpu gpu;
  gpu.name = d->name;
  gpu.architecture = d->architecture;
  gpu.smCount = d->smCount;
  gpu.maxClock = gpu.boostClock = Hertz(d->clock);
  // The study's solver had no grid and stopped at 0.35 of the maximum.
  gpu.minClock = gpu.maxClock * 0.35;
  gpu.clockStep = Hertz(1e3);
  auto add = [&](NumericFormat format, double flopsPerClock) {
    if (flopsPerClock > 0)
      gpu.formats.push_back(
          {format, static_cast<int64_t>(flopsPerClock),
           FlopsPerSecond(flopsPerClock * d->smCount * d->clock),
           std::nullopt});
  };
  add(NumericFormat::FP32, d->fp32);
  add(NumericFormat::BF16, d->bf16);
  add(NumericFormat::FP16, d->bf16);
  add(NumericFormat::TF32, d->bf16 / 2);
  add(NumericFormat::INT8, d->bf16 * 2);
  if (d->architecture != Architecture::Ampere)
    add(NumericFormat::FP8, d->bf16 * 2);
  gpu.specialPerClock = 16;
  gpu.dramCapacity = Bytes(80e9);
  gpu.dramBandwidth = BytesPerSecond(d->bandwidth);
  gpu.l2Capacity = Bytes(d->l2);
  gpu.powerLimit = Watts(d->limit);
  return gpu;
}

static JoulesPerEvent energyPerFlop(const Device &d, double kap) {
  return JoulesPerEvent(kap * d.limit / d.peak);
}

TensorGemmCoefficients study::tensorGemm(std::string_view name) {
  const TensorSet *s = find(tensorSets, name);
  const Device *d = find(devices, name);
  assert(s && d && "unknown tensor set");
  TensorGemmCoefficients c;
  c.efficiency = s->e;
  c.latencyCycles = s->lk;
  c.dramEfficiency = s->ed;
  c.l2BytesPerClock = s->el2;
  c.l2Fraction = s->cl2;
  c.fixedTime = Seconds(s->t0);
  c.splitKTime = Seconds(s->tsk);
  c.storeExposure = s->ov;
  c.fillDepth = s->kf;
  c.energyPerFlop = energyPerFlop(*d, s->kap);
  c.powerLimiterDelay = Seconds(s->tau);
  c.misalignedEfficiency = c.convolutionEfficiency = 1;
  c.leastSplitDepth = 128;
  c.fullRateIntensity = 32;
  c.rereadL2Share = 0.5;
  Span<Tile> tiles = ampereTiles; // Ada has the same list
  if (d->architecture == Architecture::Hopper)
    tiles = hopperTiles;
  if (d->architecture == Architecture::Blackwell)
    tiles = blackwellTiles;
  c.tiles.assign(tiles.begin(), tiles.end());
  c.splitK.assign(std::begin(tensorSplits), std::end(tensorSplits));
  return c;
}

TensorPowerCoefficients study::tensorPower() {
  TensorPowerCoefficients c;
  c.staticFraction = 0.2;
  c.perL2Byte = JoulesPerEvent(12e-12);
  c.perDramByte = JoulesPerEvent(60e-12);
  c.clockExponent = 1.3;
  c.energyFloor = 0.4;
  return c;
}

SimtGemmCoefficients study::simtGemm(std::string_view name, bool linear) {
  const SimtSet *s = linear ? find(linearSets, name) : find(batchedSets, name);
  assert(s && "unknown CUDA-core set");
  SimtGemmCoefficients c;
  c.emax = s->emax;
  c.k0 = s->k0;
  c.latency = Seconds(s->lat);
  c.dramEfficiency = s->eb;
  c.l2BytesPerClock = s->l2;
  c.l2Fraction = s->cl2;
  c.l2Speedup = s->rl2;
  c.energyPerFlop = JoulesPerEvent(s->ep * 1e-12);
  c.saturationWarps = s->w0;
  c.powerFraction = 0.85;
  bool volta = name == "V100";
  Span<Tile> tiles = linear ? (volta ? Span<Tile>(voltaLinearTiles)
                                     : Span<Tile>(ampereLinearTiles))
                            : (volta ? Span<Tile>(voltaBatchedTiles)
                                     : Span<Tile>(ampereBatchedTiles));
  c.tiles.assign(tiles.begin(), tiles.end());
  if (linear)
    c.splitK.assign(std::begin(simtSplits), std::end(simtSplits));
  else
    c.splitK = {1};
  return c;
}

SimtConvCoefficients study::simtConv(std::string_view name) {
  const ConvSet *s = find(convSets, name);
  assert(s && "unknown convolution set");
  SimtConvCoefficients c;
  c.k0 = s->k0;
  c.saturationWarps = s->w0;
  c.dramEfficiency = s->eb;
  c.l2BytesPerClock = s->l2;
  c.l2Fraction = s->cl2;
  c.l2Speedup = s->rl2;
  c.implicitEfficiency = s->ei;
  c.fusedEfficiency = s->ew;
  c.nonFusedEfficiency = s->eg;
  c.fusedPrologue = s->kw;
  c.filterPasses = s->cf;
  c.latency = Seconds(s->lat);
  c.transformLatency = Seconds(s->lw);
  c.implicitTiles.assign(std::begin(implicitTiles), std::end(implicitTiles));
  c.batchedTiles.assign(std::begin(transformedTiles),
                        std::end(transformedTiles));
  return c;
}

AttentionCoefficients study::attention(std::string_view name,
                                       std::string_view tiles) {
  const AttentionSet *s = find(attentionSets, name);
  assert(s && "unknown attention set");
  AttentionCoefficients c;
  c.efficiency = s->e;
  c.softmaxCycles = s->ks;
  c.pipeNorm = s->po;
  c.prologueCycles = s->c0;
  c.waveFraction = s->x;
  c.causalTail = s->phi;
  c.splitTime = Seconds(s->tsp);
  c.fixedTime = Seconds(s->t0);
  c.dramEfficiency = s->ed;
  c.l2BytesPerClock = s->el2;
  c.l2Fraction = s->cl2;
  c.cacheBytesPerClock = s->bl2;
  c.energyPerFlop = energyPerFlop(*find(devices, s->device), s->kap);
  c.energyPerScore = JoulesPerEvent(110e-12);
  c.splitBelow = 0.8;
  c.leastSplitBlocks = 4;
  c.largestSplit = 128;
  c.firstGenerationSlowdown = 2;
  for (const NamedTile &t : attentionTiles)
    if (tiles == t.name)
      c.tiles.push_back({t.headDim, t.rows, t.columns});
  return c;
}

KernelQuery study::benchmark() {
  KernelQuery query;
  query.benchmark = BenchmarkProtocol();
  return query;
}

const CostModel &study::a100() {
  static const CostModel instance = [] {
    Coefficients c;
    c.tensorGemm = tensorGemm("A100");
    c.tensorPower = tensorPower();
    c.simtLinear = simtGemm("A100-40", /*linear=*/true);
    c.simtBatched = simtGemm("A100-40", /*linear=*/false);
    c.streaming = streaming();
    c.instructions = instructions();
    c.power = power();
    return model(gpu("A100"), std::move(c));
  }();
  return instance;
}

KernelTime gpucost::study::timeOf(const CostModel &model,
                                  const KernelWork &work) {
  Tiling tiling = cantFail(model.selectTiling(work));
  return cantFail(model.predictTime(work, tiling, model.gpu().maxClock));
}

double gpucost::study::microseconds(const CostModel &model,
                                    const KernelWork &work) {
  constexpr double us = 1e-6;
  return timeOf(model, work).total.value() / us;
}
