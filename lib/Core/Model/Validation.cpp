//===- Validation.cpp - Physical limits of facts and coefficients ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace gpucost;

static std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::string detail::faultOfNumber(const FieldInfo &field, double value,
                                  double most) {
  Range range = field.range;
  range.high = std::min(range.high, most);
  if (range.contains(value))
    return {};
  std::string text = "expected " + quoted(field.keyword) + " ";
  if (std::isfinite(range.low))
    text += (range.lowIncluded ? "of at least " : "above ") +
            shortestDouble(range.low);
  else
    text += "to be finite";
  if (std::isfinite(field.range.high) || value > range.high)
    text += (range.highIncluded ? " and at most " : " and below ") +
            shortestDouble(range.high);
  return text + ", but got " + shortestDouble(value);
}

std::string detail::faultOf(const FieldInfo &field, const Tiles &tiles) {
  if (tiles.empty())
    return "expected " + quoted(field.keyword) + " to contain a tile";
  for (const Tile &tile : tiles)
    if (std::string fault = findFault(tile); !fault.empty())
      return fault;
  return {};
}

std::string detail::faultOf(const FieldInfo &field,
                            const AttentionTiles &tiles) {
  if (tiles.empty())
    return "expected " + quoted(field.keyword) + " to contain a tile";
  int32_t last = 0;
  for (const AttentionTile &tile : tiles) {
    if (std::string fault = findFault(tile); !fault.empty())
      return fault;
    if (tile.headDim <= last)
      return "expected " + quoted(field.keyword) +
             " in ascending order of 'head_dim'";
    last = tile.headDim;
  }
  return {};
}

std::string detail::faultOf(const FieldInfo &field, const Splits &splits) {
  for (int32_t split : splits)
    if (split < 1)
      return "expected " + quoted(field.keyword) +
             " to contain integers of at least 1, but got " +
             std::to_string(split);
  // Without the split 1, a short K would not have any candidate.
  if (std::find(splits.begin(), splits.end(), 1) == splits.end())
    return "expected " + quoted(field.keyword) + " to contain 1";
  return {};
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::string needWarps(std::string_view field, const Tiles &tiles) {
  if (std::all_of(tiles.begin(), tiles.end(),
                  [](const Tile &tile) { return tile.warps > 0; }))
    return {};
  return "expected 'warps' for each tile of " + quoted(field);
}

std::string detail::faultOfRules(const SimtGemmCoefficients &c) {
  return needWarps("tiles", c.tiles);
}

std::string detail::faultOfRules(const SimtConvCoefficients &c) {
  std::string fault = needWarps("implicit_tiles", c.implicitTiles);
  return fault.empty() ? needWarps("batched_tiles", c.batchedTiles) : fault;
}

std::string detail::faultOfRules(const PowerCoefficients &c) {
  Hertz last(0);
  for (const VoltagePoint &point : c.voltage) {
    if (point.clock <= last)
      return "expected 'voltage' in ascending order of clocks";
    last = point.clock;
  }
  // The generic curve rises from the knee to the maximum.
  if (c.voltage.empty() && c.genericKnee >= 1)
    return "expected 'generic_knee' below 1 without 'voltage', but got " +
           shortestDouble(c.genericKnee);
  return {};
}

std::string detail::faultOfRules(const CollectiveCoefficients &c) {
  return c.fits.empty() ? "expected at least one collective" : "";
}

std::string detail::faultOfRules(const ErrorBarCoefficients &c) {
  std::set<std::pair<ErrorClass, std::string>> seen;
  for (const KernelError &kernel : c.kernels)
    if (!seen.insert({kernel.kind, kernel.gpu}).second)
      return "expected one entry of " +
             quoted(stringifyErrorClass(kernel.kind));
  return {};
}

std::string detail::faultOfRules(const Coefficients &c) {
  if (c.power && !c.instructions)
    return "expected 'instructions' with 'power'";
  return {};
}

/// A fact that is larger than that of any GPU, whose products overflow. Counts
/// may be 2^40, quantities 2^60 in SI units.
template <typename Record>
static std::string findHugeFact(const Record &record) {
  std::string fault;
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    using Value = std::decay_t<decltype(value)>;
    auto check = [&](const auto &fact) {
      using Fact = std::decay_t<decltype(fact)>;
      if constexpr (IsRecord<Fact>::value) {
        return findHugeFact(fact);
      } else if constexpr (!std::is_same_v<Fact, bool> &&
                           (IsNumber<Fact>::value ||
                            std::is_integral_v<Fact>)) {
        constexpr bool isCount = std::is_integral_v<Fact>;
        double most = isCount ? 0x1p40 : 0x1p60;
        if (numberOf(fact) > most)
          return "expected " + quoted(field.keyword) + " of at most " +
                 (isCount ? "2^40" : "2^60") + ", but got " +
                 shortestDouble(numberOf(fact));
      }
      return std::string();
    };
    if (!fault.empty())
      return;
    if constexpr (IsOptional<Value>::value)
      fault = value ? check(*value) : "";
    else if constexpr (std::is_same_v<Value, FormatRates>)
      for (const FormatRate &rate : value)
        fault = fault.empty() ? check(rate) : fault;
    else
      fault = check(value);
  });
  return fault;
}

std::string detail::faultOfRules(const Gpu &gpu) {
  if (std::string fault = findHugeFact(gpu); !fault.empty())
    return fault;
  if (gpu.maxClock < gpu.boostClock)
    return "expected 'max_clock' of at least 'boost_clock'";
  if (gpu.minClock > gpu.boostClock)
    return "expected 'min_clock' of at most 'boost_clock'";
  // Searches try each clock.
  constexpr double mostClocks = 1e7;
  if ((gpu.maxClock - gpu.minClock) / gpu.clockStep > mostClocks)
    return "expected 'clock_step' to give at most 10000000 clocks from "
           "'max_clock' down to 'min_clock'";
  if (gpu.baseClock && *gpu.baseClock > gpu.boostClock)
    return "expected 'base_clock' above 0 and at most 'boost_clock'";
  if (!gpu.memory.empty() && !gpu.hasStackedMemory() &&
      gpu.memory.find("ddr") == gpu.memory.npos)
    return "expected 'memory' such as hbm3e or gddr6, but got " +
           quoted(gpu.memory);
  if (gpu.dramCapacity < gpu.l2Capacity)
    return "expected 'l2_capacity' below 'dram_capacity'";
  if (gpu.totalMemory() > gpu.dramCapacity)
    return "expected 'reported_memory' of at most 'dram_capacity'";
  for (const FormatRate &rate : gpu.formats)
    if (gpu.find(rate.format) != &rate)
      return "expected one rate of " +
             std::string(stringifyNumericFormat(rate.format)) + ", but got two";
  return {};
}

std::string detail::faultOfRules(const KernelWork &work) {
  if (problemFits(work.family, work.problem))
    return {};
  return "expected the problem of family " +
         quoted(stringifyKernelFamily(work.family));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Maximum relative difference between a stated peak and SMs x clock x rate:
/// L40S states 362.05 TFLOPS, but its clock results in 366.4.
static constexpr double peakTolerance = 0.015;

static std::string faultOfPeak(const Gpu &gpu, const FormatRate &rate) {
  Hertz clock = rate.clock.value_or(gpu.boostClock);
  FlopsPerSecond peak(gpu.smCount * clock.value() * rate.flopsPerClock);
  if (std::fabs(rate.peak / peak - 1.0) <= peakTolerance)
    return {};
  FlopsPerSecond rounded(std::round(peak.value() / 1e9) * 1e9);
  return "expected 'peak' of " +
         std::string(stringifyNumericFormat(rate.format)) +
         " within 1.5 % of SMs x clock x FLOP/clock/SM = " + toText(rounded) +
         ", but got " + toText(rate.peak) + "; state the dense peak";
}

std::string gpucost::findFaultInFile(const Gpu &gpu) {
  bool hasUpper = std::any_of(gpu.name.begin(), gpu.name.end(),
                              [](char c) { return c >= 'A' && c <= 'Z'; });
  if (gpu.name.empty() || hasUpper)
    return "expected 'name' in lower case, but got " + quoted(gpu.name);
  if (gpu.die.empty())
    return "expected 'die' to name a die";
  if (gpu.source.empty())
    return "expected 'source' to list the documents that state these facts";
  for (const FormatRate &rate : gpu.formats) {
    const FormatInfo &info = infoOf(rate.format);
    if (!computesIn(gpu.architecture, rate.format) || !info.rate)
      return std::string(stringifyArchitecture(gpu.architecture)) +
             " has no tensor cores for " +
             std::string(stringifyNumericFormat(rate.format));
    if (std::string fault = faultOfPeak(gpu, rate); !fault.empty())
      return fault;
  }
  return gpu.find(NumericFormat::FP32) ? ""
                                       : "expected 'formats' to contain fp32";
}

std::string gpucost::findFaultInFile(const Coefficients &c) {
  if (c.provenance.empty())
    return "expected 'provenance' to name a source";
  if (c.tensorGemm.has_value() != c.tensorPower.has_value())
    return "expected 'tensor_gemm' and 'tensor_power' together";
  return {};
}

std::string gpucost::findFaultInFile(const Target &target) {
  if (target.gpu.find(target.format))
    return {};
  return quoted(target.gpu.name) + " has no " +
         std::string(stringifyNumericFormat(target.format));
}
