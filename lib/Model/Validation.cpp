//===- Validation.cpp - Physical limits of facts and coefficients ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation.h"
#include <cmath>
#include <initializer_list>
#include <limits>

using namespace gpucost;

namespace {

/// What a field may hold. Fractions may exceed 1 a little: a fit against a
/// nominal peak does (conv_fp32 has 1.06).
enum class Kind { Positive, NonNegative, Fraction, AtLeastOne };

struct Field {
  const char *name;
  double value;
  Kind kind;
};

} // namespace

static constexpr double largestFraction = 1.25;

static const char *violation(const Field &field) {
  double v = field.value;
  if (!std::isfinite(v))
    return "a finite number";
  switch (field.kind) {
  case Kind::Positive:
    return v > 0 ? nullptr : "a positive number";
  case Kind::NonNegative:
    return v >= 0 ? nullptr : "a number of at least 0";
  case Kind::Fraction:
    return v > 0 && v <= largestFraction ? nullptr : "a fraction";
  case Kind::AtLeastOne:
    return v >= 1 ? nullptr : "a number of at least 1";
  }
  return nullptr;
}

static llvm::Error check(const char *group,
                         std::initializer_list<Field> fields) {
  for (const Field &field : fields)
    if (const char *expected = violation(field))
      return llvm::createStringError("expected %s for '%s' of %s, but got %g",
                                     expected, field.name, group, field.value);
  return llvm::Error::success();
}

static llvm::Error checkTiles(const char *group, llvm::ArrayRef<Tile> tiles,
                              bool warps) {
  if (tiles.empty())
    return llvm::createStringError("expected 'tiles' for %s", group);
  for (const Tile &tile : tiles)
    if (tile.m <= 0 || tile.n <= 0 || tile.ctasPerSm <= 0 ||
        (warps && tile.warps <= 0))
      return llvm::createStringError(
          "expected positive 'tiles' of %s, but got (%d, %d, %d, %d)", group,
          tile.m, tile.n, tile.ctasPerSm, tile.warps);
  return llvm::Error::success();
}

static llvm::Error checkSplits(const char *group,
                               llvm::ArrayRef<int32_t> splits) {
  // Without the split 1 a short K would have no candidate at all.
  if (!llvm::is_contained(splits, 1))
    return llvm::createStringError("expected 'splitK' of %s to hold 1", group);
  for (int32_t split : splits)
    if (split <= 0)
      return llvm::createStringError(
          "expected positive 'splitK' of %s, but got %d", group, split);
  return llvm::Error::success();
}

llvm::Error gpucost::validate(const Gpu &gpu) {
  if (llvm::Error e =
          check("the GPU",
                {{"smCount", double(gpu.smCount), Kind::Positive},
                 {"maxClock", gpu.maxClock.value(), Kind::Positive},
                 {"minClock", gpu.minClock.value(), Kind::Positive},
                 {"clockStep", gpu.clockStep.value(), Kind::Positive},
                 {"boostClock", gpu.boostClock.value(), Kind::NonNegative},
                 {"fp32FlopsPerClock", gpu.fp32FlopsPerClock, Kind::Positive},
                 {"dramBandwidth", gpu.dramBandwidth.value(), Kind::Positive},
                 {"l2Capacity", gpu.l2Capacity.value(), Kind::Positive},
                 {"powerLimit", gpu.powerLimit.value(), Kind::Positive}}))
    return e;
  for (double rate : gpu.tensorFlopsPerClock)
    if (llvm::Error e = check(
            "the GPU", {{"tensorFlopsPerClock", rate, Kind::NonNegative}}))
      return e;
  return llvm::Error::success();
}

static llvm::Error validate(const TensorGemmCoefficients &c) {
  const char *group = "tensor-core GEMM";
  if (llvm::Error e = check(
          group,
          {{"efficiency", c.efficiency, Kind::Fraction},
           {"latencyCycles", c.latencyCycles, Kind::NonNegative},
           {"dramEfficiency", c.dramEfficiency, Kind::Fraction},
           {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
           {"l2Share", c.l2Share, Kind::Positive},
           {"fixedTime", c.fixedTime.value(), Kind::NonNegative},
           {"splitKTime", c.splitKTime.value(), Kind::NonNegative},
           {"storeExposure", c.storeExposure, Kind::NonNegative},
           {"fillDepth", c.fillDepth, Kind::NonNegative},
           {"energyPerFlop", c.energyPerFlop.value(), Kind::NonNegative},
           {"powerLimiterDelay", c.powerLimiterDelay.value(),
            Kind::NonNegative},
           {"misalignedEfficiency", c.misalignedEfficiency, Kind::Fraction},
           {"convolutionEfficiency", c.convolutionEfficiency, Kind::Fraction}}))
    return e;
  if (llvm::Error e = check(group, {{"1 - storeExposure", 1 - c.storeExposure,
                                     Kind::NonNegative}}))
    return e;
  if (llvm::Error e = checkTiles(group, c.tiles, /*warps=*/false))
    return e;
  return checkSplits(group, c.splitK);
}

static llvm::Error validate(const TensorPowerCoefficients &c) {
  return check(
      "tensor-core power",
      {{"staticShare", c.staticShare, Kind::NonNegative},
       {"perL2Byte", c.perL2Byte.value(), Kind::NonNegative},
       {"perDramByte", c.perDramByte.value(), Kind::NonNegative},
       {"clockExponent", c.clockExponent, Kind::NonNegative},
       {"energyFloor", c.energyFloor, Kind::NonNegative},
       {"referenceClock", c.referenceClock.value(), Kind::NonNegative}});
}

static llvm::Error validate(const char *group, const SimtGemmCoefficients &c) {
  if (llvm::Error e = check(
          group, {{"emax", c.emax, Kind::Fraction},
                  {"k0", c.k0, Kind::NonNegative},
                  {"dramEfficiency", c.dramEfficiency, Kind::Fraction},
                  {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
                  {"l2Share", c.l2Share, Kind::Positive},
                  {"l2Speedup", c.l2Speedup, Kind::AtLeastOne},
                  {"saturationWarps", c.saturationWarps, Kind::NonNegative},
                  {"latency", c.latency.value(), Kind::NonNegative},
                  {"energyPerFlop", c.energyPerFlop.value(), Kind::NonNegative},
                  {"powerShare", c.powerShare, Kind::NonNegative}}))
    return e;
  if (llvm::Error e = checkTiles(group, c.tiles, /*warps=*/true))
    return e;
  return checkSplits(group, c.splitK);
}

static llvm::Error validate(const SimtConvCoefficients &c) {
  const char *group = "fp32 convolution";
  if (llvm::Error e = check(
          group, {{"k0", c.k0, Kind::NonNegative},
                  {"saturationWarps", c.saturationWarps, Kind::NonNegative},
                  {"dramEfficiency", c.dramEfficiency, Kind::Fraction},
                  {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
                  {"l2Share", c.l2Share, Kind::Positive},
                  {"l2Speedup", c.l2Speedup, Kind::AtLeastOne},
                  {"implicitEfficiency", c.implicitEfficiency, Kind::Fraction},
                  {"fusedEfficiency", c.fusedEfficiency, Kind::Fraction},
                  {"nonFusedEfficiency", c.nonFusedEfficiency, Kind::Fraction},
                  {"fusedPrologue", c.fusedPrologue, Kind::NonNegative},
                  {"filterPasses", c.filterPasses, Kind::NonNegative},
                  {"latency", c.latency.value(), Kind::NonNegative},
                  {"transformLatency", c.transformLatency.value(),
                   Kind::NonNegative}}))
    return e;
  if (llvm::Error e = checkTiles(group, c.implicitTiles, /*warps=*/true))
    return e;
  return checkTiles(group, c.batchedTiles, /*warps=*/true);
}

static llvm::Error validate(const char *group, const AttentionCoefficients &c) {
  if (llvm::Error e = check(
          group,
          {{"efficiency", c.efficiency, Kind::Fraction},
           {"softmaxCycles", c.softmaxCycles, Kind::NonNegative},
           {"pipeNorm", c.pipeNorm, Kind::AtLeastOne},
           {"prologueCycles", c.prologueCycles, Kind::NonNegative},
           {"waveShare", c.waveShare, Kind::NonNegative},
           {"1 - waveShare", 1 - c.waveShare, Kind::NonNegative},
           {"causalTail", c.causalTail, Kind::NonNegative},
           {"dramEfficiency", c.dramEfficiency, Kind::Fraction},
           {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
           {"l2Share", c.l2Share, Kind::Positive},
           {"cacheBytesPerClock", c.cacheBytesPerClock,
            c.writesKvCache ? Kind::Positive : Kind::NonNegative},
           {"splitTime", c.splitTime.value(), Kind::NonNegative},
           {"fixedTime", c.fixedTime.value(), Kind::NonNegative},
           {"energyPerFlop", c.energyPerFlop.value(), Kind::NonNegative},
           {"energyPerScore", c.energyPerScore.value(), Kind::NonNegative}}))
    return e;
  if (c.tiles.empty())
    return llvm::createStringError("expected 'tiles' for %s", group);
  for (const auto &[headDim, tile] : c.tiles)
    if (headDim <= 0 || tile.first <= 0 || tile.second <= 0)
      return llvm::createStringError(
          "expected positive 'tiles' of %s, but got %d: (%d, %d)", group,
          headDim, tile.first, tile.second);
  return llvm::Error::success();
}

static llvm::Error validate(const DecodeCoefficients &c) {
  return check("decode attention",
               {{"groupTile", c.groupTile, Kind::Positive},
                {"dramEfficiency", c.dramEfficiency, Kind::Fraction},
                {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
                {"l2Share", c.l2Share, Kind::Positive},
                {"prologueCycles", c.prologueCycles, Kind::NonNegative},
                {"blockCycles", c.blockCycles, Kind::NonNegative},
                {"groupCycles", c.groupCycles, Kind::NonNegative},
                {"occupancy", c.occupancy, Kind::AtLeastOne},
                {"fixedTime", c.fixedTime.value(), Kind::NonNegative},
                {"splitTime", c.splitTime.value(), Kind::NonNegative}});
}

static llvm::Error validate(const StreamingCoefficients &c) {
  if (llvm::Error e =
          check("memory-bound kernels",
                {{"dramEfficiency", c.dramEfficiency, Kind::Fraction},
                 {"l2Share", c.l2Share, Kind::Positive},
                 {"l2BytesPerClock", c.l2BytesPerClock, Kind::Positive},
                 {"issueScale", c.issueScale, Kind::NonNegative},
                 {"issueWidth", c.issueWidth, Kind::Positive},
                 {"broadcastSlots", c.broadcastSlots, Kind::NonNegative},
                 {"latency", c.latency.value(), Kind::NonNegative},
                 {"softmaxRow0", c.softmaxRow0, Kind::NonNegative},
                 {"softmaxRow1", c.softmaxRow1, Kind::NonNegative},
                 {"normRow0", c.normRow0, Kind::NonNegative},
                 {"normRow1", c.normRow1, Kind::NonNegative}}))
    return e;
  for (double slots : c.issueSlots)
    if (llvm::Error e = check("memory-bound kernels",
                              {{"issueSlots", slots, Kind::NonNegative}}))
      return e;
  return llvm::Error::success();
}

static llvm::Error validate(const InstructionCounts &c) {
  for (double count : c.perElement)
    if (llvm::Error e = check("instruction counts",
                              {{"perElement", count, Kind::NonNegative}}))
      return e;
  return check("instruction counts",
               {{"strided", c.strided, Kind::NonNegative},
                {"softmaxWide", c.softmaxWide, Kind::NonNegative},
                {"layoutConversion", c.layoutConversion, Kind::NonNegative},
                {"attentionScore", c.attentionScore, Kind::NonNegative},
                {"depthwiseTap", c.depthwiseTap, Kind::NonNegative},
                {"softmaxScale", c.softmaxScale, Kind::NonNegative},
                {"normScale", c.normScale, Kind::NonNegative}});
}

static llvm::Error validate(const PowerCoefficients &c) {
  const char *group = "event energies";
  if (llvm::Error e = check(
          group,
          {{"perTensorFlop", c.perTensorFlop.value(), Kind::NonNegative},
           {"perFp32Flop", c.perFp32Flop.value(), Kind::NonNegative},
           {"perInstruction", c.perInstruction.value(), Kind::NonNegative},
           {"perDramByte", c.perDramByte.value(), Kind::NonNegative},
           {"perSmCycle", c.perSmCycle.value(), Kind::NonNegative},
           {"voltageExponent", c.voltageExponent, Kind::NonNegative},
           {"referenceClock", c.referenceClock.value(), Kind::Positive},
           {"idleBase", c.idleBase.value(), Kind::NonNegative},
           {"idleVoltage", c.idleVoltage.value(), Kind::NonNegative},
           {"idleClock", c.idleClock.value(), Kind::NonNegative},
           {"dramVoltageExponent", c.dramVoltageExponent, Kind::NonNegative},
           {"l2Share", c.l2Share, Kind::Positive}}))
    return e;
  if (c.voltage.empty())
    return check(group, {{"genericKnee", c.genericKnee, Kind::NonNegative},
                         {"1 - genericKnee", 1 - c.genericKnee, Kind::Positive},
                         {"genericMax", c.genericMax, Kind::AtLeastOne}});
  Hertz previous(0);
  for (const auto &[clock, volts] : c.voltage) {
    if (clock <= previous || volts <= Volts(0))
      return llvm::createStringError(
          "expected ascending clocks and positive volts in 'voltage' of %s, "
          "but got %g Hz, %g V",
          group, clock.value(), volts.value());
    previous = clock;
  }
  return llvm::Error::success();
}

static llvm::Error validate(const RuntimeCoefficients &c) {
  return check("the runtime",
               {{"kernelGap", c.kernelGap.value(), Kind::NonNegative},
                {"hostLaunch", c.hostLaunch.value(), Kind::NonNegative},
                {"libraryWeight", c.libraryWeight, Kind::NonNegative},
                {"hostNorm", c.hostNorm, Kind::AtLeastOne}});
}

static llvm::Error validate(const CollectiveCoefficients &c) {
  for (const CollectiveCoefficients::Fit &fit : c.fits)
    if (llvm::Error e =
            check("a collective",
                  {{"base", fit.base.value(), Kind::NonNegative},
                   {"step", fit.step.value(), Kind::NonNegative},
                   {"root", fit.root, Kind::NonNegative},
                   {"bandwidth", fit.bandwidth.value(), Kind::Positive},
                   {"ramp", fit.ramp, Kind::NonNegative}}))
      return e;
  return check("collectives",
               {{"powerShare", c.powerShare, Kind::NonNegative}});
}

static llvm::Error validate(const ErrorBarCoefficients &c) {
  for (const ErrorBarCoefficients::Kernel &kernel : c.kernels)
    if (llvm::Error e = check("error bars of a kernel",
                              {{"small", kernel.small, Kind::NonNegative},
                               {"medium", kernel.medium, Kind::NonNegative},
                               {"large", kernel.large, Kind::NonNegative}}))
      return e;
  return check("error bars", {{"correlation", c.correlation, Kind::NonNegative},
                              {"outside", c.outside, Kind::AtLeastOne},
                              {"host", c.host, Kind::NonNegative},
                              {"hostUnknown", c.hostUnknown, Kind::NonNegative},
                              {"inference", c.inference, Kind::NonNegative},
                              {"training", c.training, Kind::NonNegative},
                              {"power", c.power, Kind::NonNegative}});
}

/// A group that is absent is allowed: asking for it is the error.
template <typename Group, typename... Name>
static llvm::Error validatePresent(const std::optional<Group> &group,
                                   Name... name) {
  return group ? validate(name..., *group) : llvm::Error::success();
}

llvm::Error gpucost::validate(const Coefficients &c) {
  if (llvm::Error e = validatePresent(c.tensorGemm))
    return e;
  if (llvm::Error e = validatePresent(c.tensorPower))
    return e;
  if (llvm::Error e = validatePresent(c.simtLinear, "CUDA-core linear GEMM"))
    return e;
  if (llvm::Error e = validatePresent(c.simtBatched, "CUDA-core batched GEMM"))
    return e;
  if (llvm::Error e = validatePresent(c.simtConv))
    return e;
  if (llvm::Error e = validatePresent(c.attentionFull, "full attention"))
    return e;
  if (llvm::Error e = validatePresent(c.attentionCausal, "causal attention"))
    return e;
  if (llvm::Error e = validatePresent(c.decode))
    return e;
  if (llvm::Error e = validatePresent(c.streaming))
    return e;
  if (llvm::Error e = validatePresent(c.instructions))
    return e;
  if (llvm::Error e = validatePresent(c.power))
    return e;
  if (c.power && !c.instructions)
    return llvm::createStringError(
        "expected instruction counts with event energies");
  if (llvm::Error e = validatePresent(c.collectives))
    return e;
  if (llvm::Error e = validatePresent(c.errorBars))
    return e;
  return validatePresent(c.runtime);
}
