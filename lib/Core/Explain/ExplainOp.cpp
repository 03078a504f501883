//===- ExplainOp.cpp - One op from shape to seconds to joules -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Explain/ExplainOp.h"
#include "Explain.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Vocabulary/Vendors.h"

using namespace gpucost;

void ExplainText::equation(std::string name, const std::string &text) {
  constexpr size_t column = 28;
  name.resize(std::max(name.size() + 2, column), ' ');
  line(name + text);
}

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
    text.line("only its bytes are known: " + kernel.kernel().reason);
  text.equation(
      "work (W2)",
      "FLOP = matrix " + std::to_string(count.tensorFlops) + " + other " +
          std::to_string(count.fp32Flops) + " = " +
          std::to_string(saturatingSum(count.tensorFlops, count.fp32Flops)));
  text.line("bytes = read " + std::to_string(count.bytesRead) + " + written " +
            std::to_string(count.bytesWritten) + " = " +
            std::to_string(saturatingSum(count.bytesRead, count.bytesWritten)));
}

/// The row of Implementations.def that runs, and why those before it do not.
static void explainChoice(const ExplainedKernel &kernel, ExplainText &text) {
  const Tiling &tiling = kernel.kernel().tiling;
  if (tiling.implementation == ImplementationKind::None)
    return;
  text.section("kernel");
  const Implementation &chosen = implementationOf(tiling.implementation);
  text.line(std::string(chosen.name) + ": " + std::string(chosen.doc));
  for (const Implementation &row : implementationsOf(chosen.family)) {
    if (row.kind == chosen.kind)
      continue;
    std::string why =
        whyNotEligible(row, kernel.placed.model(), kernel.work(), {});
    if (why.empty() && row.kind > chosen.kind && !row.competes)
      break; // never looked at
    text.line("not " + std::string(row.name) + ": " +
              (why.empty() ? "slower" : why));
  }
}

static void explainSum(const ExplainedKernel &kernel, ExplainText &text) {
  LaunchCost cost =
      kernel.placed.launchCost(kernel.kernelKind().work, kernel.totals);
  auto count = static_cast<double>(kernel.count);
  Seconds all = cost.time.total * count;
  text.section("in the report");
  text.line("one launch: " + number(cost.time.total) + " us, " +
            number(cost.energy.value() * 1e3) + " mJ, " +
            number(cost.power().value()) + " W");
  text.line(std::to_string(kernel.count) + " launches: " + number(all) +
            " us, " + number(cost.energy.value() * count * 1e3) + " mJ, " +
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
  const Gpu &gpu = placed.model().gpu();
  std::string result =
      found->title + " on " + gpu.name + "; equations: docs/CostModel.md\n";
  for (const ExplainedKernel &kernel : found->kernels) {
    ExplainText text;
    text.section("shape");
    explainShape(kernel, text);
    explainChoice(kernel, text);
    explainTerms(kernel, text);
    explainTime(kernel, text);
    explainEnergy(kernel, text);
    explainAlternatives(kernel, text);
    explainBound(kernel, text);
    explainSum(kernel, text);
    result += inWordsOf(vendorOf(gpu.architecture), text.take());
  }
  return result;
}
