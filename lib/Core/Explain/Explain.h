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
#include <initializer_list>
#include <string>
#include <vector>

namespace gpucost {

/// One kind of launch, and where it runs.
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
  /// "  (G1)   text".
  void equation(const std::string &id, const std::string &text);
  /// The same of `pattern` with `values` in place of each "{}".
  void equation(const std::string &id, const std::string &pattern,
                std::initializer_list<double> values);
  void section(const std::string &title) { out += '\n' + title + '\n'; }
  std::string take() { return std::move(out); }

private:
  std::string out;
};

/// Six significant digits, without a unit.
std::string number(double value);
/// `pattern` with `values` as numbers in place of each "{}".
std::string fill(const std::string &pattern,
                 std::initializer_list<double> values);
/// In microseconds: "12.3456".
std::string us(Seconds time);

/// How the parts of (W1) follow from the shape. (ExplainTerms.cpp)
void explainTerms(const ExplainedKernel &kernel, ExplainText &text);
/// (W1) and what would move the bound. (ExplainTime.cpp)
void explainTime(const ExplainedKernel &kernel, ExplainText &text);
void explainBound(const ExplainedKernel &kernel, ExplainText &text);
/// (P*). (ExplainEnergy.cpp)
void explainEnergy(const ExplainedKernel &kernel, ExplainText &text);
/// Other tiles, splits and algorithms. (Alternatives.cpp)
void explainAlternatives(const ExplainedKernel &kernel, ExplainText &text);

/// What `op` names, most time first; an error for nothing. (FindOp.cpp)
struct FoundOp {
  std::string title;
  std::vector<ExplainedKernel> kernels;
};
Expected<FoundOp> findOp(const PlacedModel &placed,
                         const IterationTotals &totals, std::string_view op);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_EXPLAIN_EXPLAIN_H
