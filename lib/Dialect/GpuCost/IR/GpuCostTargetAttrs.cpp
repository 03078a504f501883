//===- GpuCostTargetAttrs.cpp - GPUs and coefficients ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fact must be physical, and a stated peak must follow from SMs, clock
// and rate.
//
//===----------------------------------------------------------------------===//

#include "AttributeRanges.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

LogicalResult gpucost::checkRanges(EmitError emitError,
                                   ArrayRef<Checked> fields) {
  for (const Checked &c : fields) {
    bool above = c.lowIncluded ? c.value >= c.low : c.value > c.low;
    if (above && c.value <= c.high && std::isfinite(c.value))
      continue;
    InFlightDiagnostic diag = emitError();
    diag << "expected '" << c.field << "' "
         << (c.lowIncluded ? "of at least " : "above ")
         << shortestDouble(c.low);
    if (c.high != unlimited)
      diag << " and at most " << shortestDouble(c.high);
    return diag << ", but got " << shortestDouble(c.value);
  }
  return success();
}

LogicalResult gpucost::checkText(EmitError emitError, StringRef field,
                                 StringRef text) {
  if (!text.empty())
    return success();
  return emitError() << "expected '" << field << "' to name a source";
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Largest relative distance of a stated peak from SMs x clock x rate: L40S
/// states 362.05 TFLOPS where its clock gives 366.4.
static constexpr double peakTolerance = 0.015;

/// The generation that brought tensor cores for `format`.
static Architecture firstWith(NumericFormat format) {
  switch (format) {
  case NumericFormat::FP16:
    return Architecture::Volta;
  case NumericFormat::INT8:
    return Architecture::Turing;
  case NumericFormat::FP64:
  case NumericFormat::TF32:
  case NumericFormat::BF16:
    return Architecture::Ampere;
  case NumericFormat::FP8:
    return Architecture::Ada;
  case NumericFormat::FP32:
    return Architecture::Pascal;
  }
  return Architecture::Pascal;
}

LogicalResult FormatRateAttr::verify(EmitError emitError, NumericFormat,
                                     int64_t flopsPerClock, FlopsPerSecond peak,
                                     std::optional<Hertz> clock) {
  return checkRanges(emitError, {positive("flops_per_clock", flopsPerClock),
                                 positive("peak", peak),
                                 positive("clock", clock.value_or(Hertz(1)))});
}

LogicalResult InterconnectAttr::verify(EmitError emitError, InterconnectKind,
                                       int64_t generation,
                                       BytesPerSecond bandwidth) {
  return checkRanges(emitError, {positive("generation", generation),
                                 positive("bandwidth", bandwidth)});
}

static LogicalResult checkPeak(EmitError emitError, FormatRateAttr rate,
                               int64_t sms, Hertz boostClock) {
  Hertz clock = rate.getClock().value_or(boostClock);
  FlopsPerSecond peak(sms * clock.value() * rate.getFlopsPerClock());
  if (std::fabs(rate.getPeak() / peak - 1.0) <= peakTolerance)
    return success();
  std::string got, want;
  llvm::raw_string_ostream(got) << rate.getPeak();
  llvm::raw_string_ostream(want)
      << FlopsPerSecond(std::round(peak.value() / 1e9) * 1e9);
  return emitError() << "expected 'peak' of "
                     << stringifyNumericFormat(rate.getFormat())
                     << " within 1.5 % of SMs x clock x FLOP/clock/SM = "
                     << want << ", but got " << got << "; state the dense peak";
}

static LogicalResult checkFormats(EmitError emitError,
                                  Architecture architecture, int64_t sms,
                                  Hertz boostClock,
                                  FormatRateArrayAttr formats) {
  unsigned seen = 0;
  for (FormatRateAttr rate : formats.getValue()) {
    NumericFormat format = rate.getFormat();
    unsigned bit = 1u << static_cast<unsigned>(format);
    if (seen & bit)
      return emitError() << "expected one rate of "
                         << stringifyNumericFormat(format) << ", but got two";
    seen |= bit;
    if (architecture < firstWith(format))
      return emitError() << stringifyArchitecture(architecture)
                         << " has no tensor cores for "
                         << stringifyNumericFormat(format);
    if (failed(checkPeak(emitError, rate, sms, boostClock)))
      return failure();
  }
  if (!(seen & (1u << static_cast<unsigned>(NumericFormat::FP32))))
    return emitError() << "expected 'formats' to hold fp32";
  return success();
}

LogicalResult GpuAttr::verify(EmitError emitError, StringRef name,
                              StringRef die, Architecture architecture,
                              ProcessNode, int64_t sms, Hertz boostClock,
                              Hertz maxClock, Hertz minClock, Hertz clockStep,
                              std::optional<Hertz> baseClock,
                              FormatRateArrayAttr formats, MemoryKind,
                              BytesPerSecond dramBandwidth, Bytes dramCapacity,
                              Bytes l2Capacity, bool, Watts powerLimit,
                              InterconnectAttr, ArrayAttr source) {
  if (name.empty() || name.lower() != name)
    return emitError() << "expected 'name' in lower case, but got '" << name
                       << "'";
  if (die.empty())
    return emitError() << "expected 'die' to name a die";
  if (failed(checkRanges(emitError, {positive("sms", sms),
                                     positive("boost_clock", boostClock),
                                     positive("min_clock", minClock),
                                     positive("clock_step", clockStep),
                                     positive("dram_bandwidth", dramBandwidth),
                                     positive("dram_capacity", dramCapacity),
                                     positive("l2_capacity", l2Capacity),
                                     positive("power_limit", powerLimit)})))
    return failure();
  if (maxClock < boostClock)
    return emitError() << "expected 'max_clock' of at least 'boost_clock'";
  if (minClock > boostClock)
    return emitError() << "expected 'min_clock' of at most 'boost_clock'";
  if (baseClock && (*baseClock <= Hertz(0) || *baseClock > boostClock))
    return emitError() << "expected 'base_clock' above 0 and at most "
                          "'boost_clock'";
  if (dramCapacity < l2Capacity)
    return emitError() << "expected 'l2_capacity' below 'dram_capacity'";
  if (source.empty() || !llvm::all_of(source, llvm::IsaPred<StringAttr>))
    return emitError() << "expected 'source' to list the documents that state "
                          "these facts";
  return checkFormats(emitError, architecture, sms, boostClock, formats);
}

FormatRateAttr GpuAttr::findFormat(NumericFormat format) const {
  for (FormatRateAttr rate : getFormats().getValue())
    if (rate.getFormat() == format)
      return rate;
  return {};
}

LogicalResult TargetAttr::verify(EmitError emitError, GpuAttr gpu,
                                 NumericFormat format) {
  if (gpu.findFormat(format))
    return success();
  return emitError() << "'" << gpu.getName() << "' has no "
                     << stringifyNumericFormat(format);
}
