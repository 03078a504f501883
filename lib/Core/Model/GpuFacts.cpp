//===- GpuFacts.cpp - Named and changed GPU facts -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/GpuFacts.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/QuantityText.h"
#include <cmath>
#include <cstdlib>
#include <set>

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Fields by dotted name
//===----------------------------------------------------------------------===//

/// Calls `visit(name, info, value)` for each field that is not a record;
/// `value` is the contained value of optional fields.
template <typename Record, typename Visitor>
static void forEachFact(Record &record, const std::string &prefix,
                        Visitor &&visit) {
  visitFields(record, [&](const FieldInfo &info, auto &value) {
    using T = std::decay_t<decltype(value)>;
    std::string name = prefix + std::string(info.keyword);
    if constexpr (std::is_same_v<T, FormatRates>) {
      for (auto &rate : value)
        forEachFact(rate,
                    std::string(stringifyNumericFormat(rate.format)) + ".",
                    visit);
    } else if constexpr (IsRecord<T>::value) {
      forEachFact(value, name + ".", visit);
    } else if constexpr (std::is_same_v<T, std::optional<SmFacts>> ||
                         std::is_same_v<T, std::optional<Interconnect>>) {
      if (value)
        forEachFact(*value, name + ".", visit);
    } else {
      visit(name, info, value);
    }
  });
}

static std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// Removes and returns the number at the start of `text`; nullopt if there is
/// none.
static std::optional<double> takeNumber(std::string &text) {
  size_t length = text.find_first_not_of("0123456789.+-");
  // An exponent, but not a unit that begins with 'e'.
  if (length != text.npos && (text[length] == 'e' || text[length] == 'E'))
    length = text.find_first_not_of("0123456789+-", length + 1);
  std::string digits = text.substr(0, length);
  char *end = nullptr;
  double value = std::strtod(digits.c_str(), &end);
  if (digits.empty() || *end || !std::isfinite(value))
    return std::nullopt;
  text = length == text.npos ? "" : text.substr(length);
  text.erase(0, text.find_first_not_of(' '));
  return value;
}

/// Assigns `text` to a field; returns a description of the expected value if it
/// is invalid.
static std::string assign(std::string text, bool &value) {
  value = text == "true";
  return value || text == "false" ? "" : "true or false";
}
static std::string assign(std::string text, double &value) {
  std::optional<double> number = takeNumber(text);
  value = number.value_or(value);
  return number && text.empty() ? "" : "a number";
}
template <typename T>
static std::enable_if_t<std::is_integral_v<T>, std::string>
assign(std::string text, T &value) {
  std::optional<double> number = takeNumber(text);
  if (!number || !text.empty() || *number != std::floor(*number) ||
      std::fabs(*number) > 1e9)
    return "a whole number";
  value = static_cast<T>(*number);
  return "";
}
template <typename Tag>
static std::string assign(std::string text, Quantity<Tag> &value) {
  Span<Unit> units = unitsOf<Tag>();
  std::optional<double> number = takeNumber(text);
  std::optional<double> size = findUnit(units, text);
  if (!number || !size)
    return "a number and a unit, one of " + listUnits(units);
  value = Quantity<Tag>(*number * *size);
  return "";
}
template <typename T>
static std::string assign(std::string text, std::optional<T> &value) {
  return assign(std::move(text), value.emplace());
}
// Names do not affect the speed of a GPU.
template <typename T>
static std::enable_if_t<std::is_enum_v<T> || !std::is_arithmetic_v<T>,
                        std::string>
assign(const std::string &, T &) {
  return "nothing: names and kinds cannot be changed; write a target file";
}

//===----------------------------------------------------------------------===//
// Derived facts
//===----------------------------------------------------------------------===//

/// `changed`: names of the stated facts.
static Expected<Gpu>
complete(Gpu gpu, const Gpu &before,
         const std::set<std::string, std::less<>> &changed) {
  double faster = gpu.maxClock / before.maxClock;
  if (!changed.count("boost_clock"))
    gpu.boostClock *= faster;
  if (gpu.reportedMemory && !changed.count("reported_memory"))
    *gpu.reportedMemory *= gpu.dramCapacity / before.dramCapacity;
  for (FormatRate &rate : gpu.formats) {
    std::string name(stringifyNumericFormat(rate.format));
    if (rate.clock && !changed.count(name + ".clock"))
      rate.clock = *rate.clock * faster;
    FlopsPerSecond peak(static_cast<double>(gpu.smCount) *
                        rate.clock.value_or(gpu.boostClock).value() *
                        static_cast<double>(rate.flopsPerClock));
    if (changed.count(name + ".peak"))
      return fail(quoted(name + ".peak") +
                  " follows from SMs x clock x FLOP per clock and SM; change " +
                  quoted("sms") + ", " + quoted("max_clock") + " or " +
                  quoted(name + ".flops_per_clock"));
    rate.peak = peak;
  }
  if (std::string fault = findFault(gpu); !fault.empty())
    return fail(fault);
  return gpu;
}

static std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

Expected<Gpu> gpucost::changeFacts(Gpu gpu, std::string_view changes) {
  const Gpu before = gpu;
  std::set<std::string, std::less<>> changed;
  while (true) {
    size_t comma = changes.find(',');
    std::string_view pair = trim(changes.substr(0, comma));
    size_t equals = pair.find('=');
    if (equals == pair.npos)
      return fail("expected field=value, but got " + quoted(pair));
    std::string name(trim(pair.substr(0, equals)));
    std::string value(trim(pair.substr(equals + 1)));
    bool known = false;
    std::string expected;
    forEachFact(gpu, "",
                [&](const std::string &own, const FieldInfo &, auto &field) {
                  if (own != name)
                    return;
                  known = true;
                  expected = assign(value, field);
                });
    if (!known)
      return fail("no fact " + quoted(name) + " of " + quoted(gpu.name) +
                  "; target files name them: sms, max_clock, dram_bandwidth, "
                  "l2_capacity, bf16.flops_per_clock");
    if (!expected.empty())
      return fail(quoted(name) + " expects " + expected + ", but got " +
                  quoted(value));
    if (!changed.insert(name).second)
      return fail(quoted(name) + " is stated twice");
    if (comma == changes.npos)
      return complete(std::move(gpu), before, changed);
    changes.remove_prefix(comma + 1);
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The facts that may affect time and energy; the clock is last because it
/// changes all rates of the SMs.
static bool isOfInterest(std::string_view name, std::string_view format) {
  // Links are coefficients, not facts, because collectives were measured.
  static constexpr std::string_view names[] = {
      "sms",         "special_per_clock", "dram_bandwidth",
      "l2_capacity", "power_limit",       "max_clock"};
  for (std::string_view each : names)
    if (name == each)
      return true;
  return name == std::string(format) + ".flops_per_clock" ||
         name == "fp32.flops_per_clock";
}

template <typename T> static std::string textOf(const T &value) {
  if constexpr (std::is_arithmetic_v<T>)
    return shortestDouble(static_cast<double>(value));
  else
    return toText(value);
}

/// Calls `visit(name, value)` for numbers only.
template <typename Visitor> static void forEachNumber(Gpu &gpu, Visitor visit) {
  forEachFact(
      gpu, "", [&](const std::string &name, const FieldInfo &, auto &value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (IsNumber<T>::value ||
                      (std::is_integral_v<T> && !std::is_same_v<T, bool>))
          visit(name, value);
      });
}

std::vector<GpuFact> gpucost::factsOf(const Gpu &gpu, NumericFormat format) {
  std::vector<GpuFact> facts;
  if (const FormatRate *rate = gpu.find(format))
    format = rate->format; // the format that defines its rate
  Gpu copy = gpu;
  forEachNumber(copy, [&](const std::string &name, auto &value) {
    if (isOfInterest(name, stringifyNumericFormat(format)))
      facts.push_back({name, numberOf(value), textOf(value)});
  });
  return facts;
}

Expected<Gpu> gpucost::scaleFact(Gpu gpu, std::string_view name,
                                 double factor) {
  const Gpu before = gpu;
  bool known = false;
  forEachNumber(gpu, [&](const std::string &own, auto &value) {
    if (own != name)
      return;
    known = true;
    using T = std::decay_t<decltype(value)>;
    double scaled = numberOf(value) * factor;
    if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(std::llround(scaled));
    else
      assignNumber(value, scaled);
  });
  if (!known)
    return fail("no fact " + quoted(name) + " of " + quoted(gpu.name));
  return complete(std::move(gpu), before, {std::string(name)});
}
