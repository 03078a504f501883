//===- Steps.h - The equations of one launch with numbers -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `KernelQuery::steps` collects how the terms of a launch follow from its
// shape. A function of the model reports the variables that it has computed, in
// one `if (steps)` at its end, and computes nothing for the text. The text
// contains every factor, in the order of the code, so that a reader can repeat
// the arithmetic; test/Explain/check_explanations.py does.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_STEPS_H
#define GPUCOST_CORE_MODEL_STEPS_H

#include "gpucost/Core/Support/Quantity.h"
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpucost {

/// A number of an equation, in the unit in which it is printed.
class StepValue {
public:
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  constexpr StepValue(T value) : number(static_cast<double>(value)) {}
  constexpr StepValue(Seconds time) : number(time.value() * 1e6), unit(" us") {}
  constexpr StepValue(Hertz clock)
      : number(clock.value() * 1e-6), unit(" MHz") {}
  constexpr StepValue(Bytes size) : number(size.value()), unit(" bytes") {}
  constexpr StepValue(BytesPerSecond rate)
      : number(rate.value() * 1e-9), unit(" GB/s") {}
  constexpr StepValue(JoulesPerEvent energy)
      : number(energy.value() * 1e12), unit(" pJ") {}
  constexpr StepValue(Watts power) : number(power.value()), unit(" W") {}

  /// "12.3456 us": six significant digits.
  std::string text() const;

private:
  double number;
  const char *unit = "";
};

/// `pattern` with `values` in place of each "{}".
std::string fillIn(std::string_view pattern,
                   std::initializer_list<StepValue> values);

/// One line of an explanation.
struct Step {
  std::string name; ///< "tensor feed (G3)"; "" for a note
  std::string text; ///< "tL = 512/4 = 128 us; ..."
};

/// The lines that the model reports for one launch.
class Steps {
public:
  /// Adds an equation: its name with the id in docs/CostModel.md, and one or
  /// more "name = expression = result", joined by "; ". Expressions may use
  /// names of lines above.
  [[gnu::cold]] void equation(std::string_view name, std::string_view pattern,
                              std::initializer_list<StepValue> values) {
    steps.push_back({std::string(name), fillIn(pattern, values)});
  }
  [[gnu::cold]] void note(std::string text) {
    steps.push_back({"", std::move(text)});
  }
  const std::vector<Step> &lines() const { return steps; }

private:
  std::vector<Step> steps;
};

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_STEPS_H
