//===- ExplainOp.cpp - One op from shape to seconds to joules -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Explain/ExplainOp.h"
#include "Explain.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <cassert>
#include <cstdio>

using namespace gpucost;

void ExplainText::equation(const std::string &id, const std::string &text) {
  std::string label = "(" + id + ")";
  label.resize(std::max<size_t>(label.size() + 1, 6), ' ');
  line(label + text);
}

void ExplainText::equation(const std::string &id, const std::string &pattern,
                           std::initializer_list<double> values) {
  equation(id, fill(pattern, values));
}

std::string gpucost::fill(const std::string &pattern,
                          std::initializer_list<double> values) {
  std::string text;
  size_t from = 0;
  for (double value : values) {
    size_t at = pattern.find("{}", from);
    assert(at != std::string::npos && "more values than places");
    text += pattern.substr(from, at - from) + number(value);
    from = at + 2;
  }
  assert(pattern.find("{}", from) == std::string::npos &&
         "more places than values");
  return text + pattern.substr(from);
}

std::string gpucost::number(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.6g", value);
  return buffer;
}

std::string gpucost::us(Seconds time) { return number(time.value() * 1e6); }

/// What the kernel is, and how much of it there is.
static void explainShape(const ExplainedKernel &kernel, ExplainText &text) {
  const KernelKind &kind = kernel.kernelKind();
  const KernelWork &work = kernel.work();
  const WorkCount &count = work.count;
  text.line("op " + kind.op + ", kernel " + kind.label + ", phase " +
            std::string(stringifyPhase(kind.phase)) +
            (kind.origin.empty() ? "" : " (" + kind.origin + ")"));
  text.line("family " + std::string(stringifyKernelFamily(work.family)) +
            ", shape " + describeProblem(work) + ", " +
            std::string(stringifyNumericFormat(work.format)));
  if (!kernel.kernel().reason.empty())
    text.line("its bytes alone are known: " + kernel.kernel().reason);
  text.equation(
      "W2",
      "FLOP = matrix " + std::to_string(count.tensorFlops) + " + other " +
          std::to_string(count.fp32Flops) + " = " +
          std::to_string(saturatingSum(count.tensorFlops, count.fp32Flops)));
  text.line("bytes = read " + std::to_string(count.bytesRead) + " + written " +
            std::to_string(count.bytesWritten) + " = " +
            std::to_string(saturatingSum(count.bytesRead, count.bytesWritten)));
}

static void explainSum(const ExplainedKernel &kernel, ExplainText &text) {
  LaunchCost cost =
      kernel.placed.launchCost(kernel.kernelKind().work, kernel.totals);
  auto count = static_cast<double>(kernel.count);
  Seconds all = cost.time.total * count;
  text.section("in the report");
  text.line("one launch: " + us(cost.time.total) + " us, " +
            number(cost.energy.value() * 1e3) + " mJ, " +
            number(cost.power().value()) + " W");
  text.line(std::to_string(kernel.count) + " launches: " + us(all) + " us, " +
            number(cost.energy.value() * count * 1e3) + " mJ, " +
            number(kernel.totals.time > Seconds(0)
                       ? all / kernel.totals.time * 100
                       : 0) +
            " % of the iteration");
}

Expected<std::string> gpucost::explainOp(const PlacedModel &placed,
                                         const IterationTotals &totals,
                                         std::string_view op) {
  Expected<FoundOp> found = findOp(placed, totals, op);
  if (!found)
    return fail(found.error());
  std::string result = found->title + " on " + placed.model().gpu().name +
                       "; equations: docs/CostModel.md\n";
  for (const ExplainedKernel &kernel : found->kernels) {
    ExplainText text;
    text.section("shape");
    explainShape(kernel, text);
    explainTerms(kernel, text);
    explainTime(kernel, text);
    explainEnergy(kernel, text);
    explainAlternatives(kernel, text);
    explainBound(kernel, text);
    explainSum(kernel, text);
    result += text.take();
  }
  return result;
}
