//===- Explain.h - Sections of an explanation ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_EXPLAIN_EXPLAIN_H
#define GPUCOST_LIB_CORE_EXPLAIN_EXPLAIN_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Steps.h"
#include <string>
#include <vector>

namespace gpucost {

/// One kind of launch on its GPU.
struct ExplainedKernel {
  ExplainedKernel(const PlacedModel &placed, const IterationTotals &totals,
                  uint32_t kind, int64_t count)
      : placed(placed), totals(totals), kind(kind), count(count) {}

  const PlacedModel &placed;
  const IterationTotals &totals;
  /// Index into PreparedModel::kinds.
  uint32_t kind;
  /// Launches that are explained together.
  int64_t count;

  const KernelKind &kernelKind() const { return placed.prepared().kinds[kind]; }
  const PlacedKernel &kernel() const {
    return placed.kernel(kernelKind().work);
  }
  const KernelWork &work() const { return kernel().work; }
  const LaunchTerms &terms() const {
    return placed.launchTerms(kernelKind().work);
  }
  /// Clock over the maximum clock.
  double clockRatio() const {
    return totals.point.clock / placed.model().gpu().maxClock;
  }
};

/// Lines of an explanation.
class ExplainText {
public:
  /// "  text".
  void line(const std::string &text) { out += "  " + text + '\n'; }
  /// "  tiles (G1)    text".
  void equation(std::string name, const std::string &text);
  void section(const std::string &title) { out += '\n' + title + '\n'; }
  std::string take() { return std::move(out); }

private:
  std::string out;
};

/// Six significant digits without a unit; times in microseconds.
inline std::string number(double value) { return StepValue(value).text(); }
inline std::string number(Seconds time) { return number(time.value() * 1e6); }

/// The steps from the shape to the terms of (W1). (ExplainTerms.cpp)
void explainTerms(const ExplainedKernel &kernel, ExplainText &text);
/// The launch time (W1), and changes that would move the bound.
/// (ExplainTime.cpp)
void explainTime(const ExplainedKernel &kernel, ExplainText &text);
void explainBound(const ExplainedKernel &kernel, ExplainText &text);
/// Events, power and energy (P*). (ExplainEnergy.cpp)
void explainEnergy(const ExplainedKernel &kernel, ExplainText &text);
/// Other tiles, splits and algorithms. (Alternatives.cpp)
void explainAlternatives(const ExplainedKernel &kernel, ExplainText &text);

/// The kernels that `op` names, longest first; an error if there are none.
/// (FindOp.cpp)
struct FoundOp {
  std::string title;
  std::vector<ExplainedKernel> kernels;
};
Expected<FoundOp> findOp(const PlacedModel &placed,
                         const IterationTotals &totals, std::string_view op);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_EXPLAIN_EXPLAIN_H
