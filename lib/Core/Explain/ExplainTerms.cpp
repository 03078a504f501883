//===- ExplainTerms.cpp - From the shape to the parts of (W1) -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The equations of a family with numbers in place (Steps.h), then the parts
// that they leave; where nobody can tell the steps, the parts stand with the
// ids of their equations.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Steps.h"

using namespace gpucost;

/// The ids of the equations that a part of (W1) follows from.
namespace {
struct Ids {
  const char *compute, *l2, *dram, *fixed;
};
} // namespace

static Ids idsOf(const KernelWork &work) {
  bool simt = work.format == NumericFormat::FP32;
  if (const auto *p = work.getIf<AttentionProblem>())
    return p->isDecode() ? Ids{"D2, D4", "D3", "D3", "D5"}
                         : Ids{"A1 to A4", "A5", "A5, A6", "A6"};
  if (work.is<MatmulProblem>())
    return simt ? Ids{"S1, S2", "S4", "S3", "S6"}
                : Ids{"G1, G2", "G3, G7", "G4 to G6", "G8"};
  if (work.is<ConvolutionProblem>())
    return simt ? Ids{"C1 to C3, S2", "S4", "S3", "C1 to C3"}
                : Ids{"C4, G2", "C4, G3", "C4, G6", "G8"};
  if (work.family == KernelFamily::Collective)
    return {"N1", "N1", "N1, N6", "N1, N6"};
  return {"M4", "M3", "M1, M2, M12", "M5"};
}

static void explainTiling(const ExplainedKernel &kernel, ExplainText &text) {
  const Tiling &tiling = kernel.kernel().tiling;
  if (tiling.tile.m <= 0)
    return;
  int64_t sms = kernel.placed.model().gpu().smCount;
  text.line("tile " + std::to_string(tiling.tile.m) + "x" +
            std::to_string(tiling.tile.n) + ", split " +
            std::to_string(tiling.splitK) + ": " + std::to_string(tiling.ctas) +
            " CTAs, " + std::to_string(tiling.tile.ctasPerSm) + " an SM, on " +
            std::to_string(sms) + " SMs: " + std::to_string(tiling.waves) +
            " waves, " + number(tiling.smUtilization * 100) +
            " % of the SMs busy");
}

/// A part with the rate that it stands for.
static void explainPart(ExplainText &text, const char *ids,
                        const std::string &name, Seconds time,
                        const std::string &how) {
  if (time > Seconds(0))
    text.equation(ids, name + " = " + us(time) + " us" +
                           (how.empty() ? "" : ": " + how));
}

/// (C5) Terms as of the families without tiles.
static bool isDepthwise(const KernelWork &work) {
  const auto *p = work.getIf<ConvolutionProblem>();
  return p && p->isDepthwise();
}

static void explainStream(const ExplainedKernel &kernel, ExplainText &text) {
  const Gpu &gpu = kernel.placed.model().gpu();
  const auto &c = kernel.placed.model().coefficients().streaming;
  const LaunchTerms &t = kernel.terms();
  if (!c)
    return;
  double rate = gpu.dramBandwidth.value() * c->dramEfficiency;
  double fabric = static_cast<double>(gpu.smCount) * gpu.maxClock.value() *
                  c->l2BytesPerClock;
  double cycles = static_cast<double>(gpu.smCount) * gpu.maxClock.value();
  double slots = t.issue.value() * cycles * c->issueWidth / c->issueScale;
  auto bytes = static_cast<double>(kernel.work().count.bytesRead) +
               static_cast<double>(kernel.work().count.bytesWritten);
  explainPart(text, "M2", "dram", t.dram,
              number(t.dram.value() * rate) + " bytes/(" +
                  number(gpu.dramBandwidth.value() * 1e-9) + "*" +
                  number(c->dramEfficiency) + " GB/s); of " + number(bytes) +
                  " bytes L2 holds the rest (M1, M12)");
  explainPart(text, "M3", "l2", t.l2,
              number(t.l2.value() * fabric) + " bytes/(" +
                  std::to_string(gpu.smCount) + "*" +
                  number(gpu.maxClock.value() * 1e-6) + " MHz*" +
                  number(c->l2BytesPerClock) + ")");
  std::string clocks = std::to_string(gpu.smCount) + "*" +
                       number(gpu.maxClock.value() * 1e-6) + " MHz";
  if (isDepthwise(kernel.work()))
    explainPart(text, "C5", "issue", t.issue,
                number(t.issue.value() * cycles) + " cycles/(" + clocks + ")");
  else
    explainPart(text, "M4", "issue", t.issue,
                number(slots) + " slots*" + number(c->issueScale) + "/(" +
                    clocks + "*" + number(c->issueWidth) +
                    "); at least (M8), (M10)");
  explainPart(text, "M5", "rows", t.rows,
              number(t.rows.value() * cycles) + " cycles/(" +
                  std::to_string(gpu.smCount) + "*" +
                  number(gpu.maxClock.value() * 1e-6) + " MHz)");
  explainPart(text, "M5", "fixed", t.fixed, "latency of a launch");
}

void gpucost::explainTerms(const ExplainedKernel &kernel, ExplainText &text) {
  const KernelWork &work = kernel.work();
  const LaunchTerms &t = kernel.terms();
  text.section("parts, in us at the maximum clock");
  explainTiling(kernel, text);
  if ((!work.isTiled() || isDepthwise(work)) &&
      work.family != KernelFamily::Collective) {
    explainStream(kernel, text);
    return;
  }
  for (auto explain : {explainTensorProduct, explainSimtProduct,
                       explainAttention, explainDecode, explainCollective})
    if (explain(kernel, text)) {
      explainPart(text, "W3", "serial issue", t.serialIssue, "fused ops");
      return;
    }
  Ids ids = idsOf(work);
  explainPart(text, ids.compute, "compute", t.compute, "");
  explainPart(text, ids.l2, "l2", t.l2, "");
  explainPart(text, ids.dram, "dram", t.dram, "");
  explainPart(text, ids.l2, "exposed l2", t.exposedL2, "");
  explainPart(text, ids.dram, "exposed dram", t.exposedDram, "");
  explainPart(text, "W3", "serial issue", t.serialIssue, "fused ops");
  explainPart(text, ids.dram, "serial dram", t.serialDram, "");
  explainPart(text, ids.fixed, "fixed", t.fixed, "");
}
