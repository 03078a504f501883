//===- ExplainTerms.cpp - From the shape to the parts of (W1) -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The equations of a family with numbers in place. The model does not keep its
// intermediate numbers: they are computed here again, and shown only where the
// result is the model's; otherwise the parts stand with the ids of their
// equations.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "gpucost/Support/CheckedMath.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static bool isClose(double a, double b) {
  return std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
}

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

namespace {

/// (G1) to (G3), (G7) of one product.
class ProductSteps {
public:
  ProductSteps(const ExplainedKernel &kernel, const MatmulProblem &p,
               const TensorGemmCoefficients &c)
      : kernel(kernel), p(p), c(c), gpu(kernel.placed.model().gpu()),
        tiling(kernel.kernel().tiling) {
    compute();
  }
  /// Whether they give what the model has.
  bool areTheModels() const { return matches; }
  void print(ExplainText &text) const;

private:
  void compute();

  const ExplainedKernel &kernel;
  const MatmulProblem &p;
  const TensorGemmCoefficients &c;
  const Gpu &gpu;
  const Tiling &tiling;
  double steps = 0, ctas = 0, perSm = 0, full = 0, rest = 0;
  double efficiency = 0, feed = 0, stepCycles = 0, latency = 0, cycles = 0;
  double ei = 0, ew = 0, l2Bytes = 0, partials = 0, l2Time = 0, exposed = 0;
  /// (W3) Of another product in the kernel.
  double fused = 1;
  bool matches = false;
};

} // namespace

void ProductSteps::compute() {
  const KernelWork &work = kernel.work();
  const LaunchTerms &terms = kernel.terms();
  double tm = tiling.tile.m, tn = tiling.tile.n;
  double o = std::max(tiling.tile.ctasPerSm, 1), s = tiling.splitK;
  double sms = static_cast<double>(gpu.smCount), clock = gpu.maxClock.value();
  auto m = static_cast<double>(p.m), n = static_cast<double>(p.n),
       k = static_cast<double>(p.k), b = static_cast<double>(p.batch);
  steps = std::ceil(k / s / 64);
  ctas = b * std::ceil(m / tm) * std::ceil(n / tn) * s;
  perSm = std::ceil(ctas / sms);
  full = std::floor(perSm / o);
  rest = perSm - full * o;
  latency = steps * c.latencyCycles;
  ei = static_cast<double>(work.inputBits) / 8;
  ew = p.weightBits ? static_cast<double>(p.weightBits) / 8 : ei;
  int64_t own = work.count.tensorFlops - work.count.fused.tensorFlops;
  if (work.count.fused.tensorFlops > 0 && own > 0)
    fused = 1 + static_cast<double>(work.count.fused.tensorFlops) /
                    static_cast<double>(own);
  double rate = gpu.flopsPerClock(work.format);
  double intensity = std::min(1.0, tm * tn / (tm + tn) / c.fullRateIntensity);
  l2Bytes = ctas * (tm * ei + tn * ew) * steps * 64;
  partials = s > 1 ? 8 * b * m * n * s : 0;
  exposed = std::min(1.0, c.fillDepth / (64 * steps));
  // Misaligned rows (G2), instructions of one warp (G14).
  for (auto [factor, feedFactor] :
       {std::pair(1.0, 1.0),
        std::pair(c.misalignedEfficiency, c.misalignedEfficiency),
        std::pair(gpu.warpMatrixShare, 1.0)}) {
    efficiency = c.efficiency * factor;
    feed = c.l2BytesPerClock * feedFactor;
    stepCycles = 2 * tm * tn * 64 * steps / (rate * efficiency * intensity);
    auto round = [&](double count) {
      return std::hypot(count * stepCycles, latency);
    };
    cycles = full * (full > 0 ? round(o) : 0) + (rest > 0 ? round(rest) : 0);
    l2Time = (l2Bytes + partials) / (std::min(ctas, sms) * feed * clock);
    matches = isClose(cycles / clock * fused, terms.compute.value()) &&
              isClose((1 - exposed) * l2Time * fused, terms.l2.value());
    if (matches)
      return;
  }
}

void ProductSteps::print(ExplainText &text) const {
  double o = std::max(tiling.tile.ctasPerSm, 1);
  double tm = tiling.tile.m, tn = tiling.tile.n;
  double sms = static_cast<double>(gpu.smCount);
  const LaunchTerms &terms = kernel.terms();
  text.equation(
      "G1",
      "nk = ceil(" + std::to_string(p.k) + "/" + std::to_string(tiling.splitK) +
          "/64) = " + number(steps) + "; T = " + std::to_string(p.batch) +
          "*ceil(" + std::to_string(p.m) + "/" + number(tm) + ")*ceil(" +
          std::to_string(p.n) + "/" + number(tn) + ")*" +
          std::to_string(tiling.splitK) + " = " + number(ctas) + "; q = ceil(" +
          number(ctas) + "/" + number(sms) + ") = " + number(perSm) + " = " +
          number(full) + "*" + number(o) + " + " + number(rest));
  text.equation(
      "G2", "Cc = 2*" + number(tm) + "*" + number(tn) + "*64*" + number(steps) +
                "/(" + number(gpu.flopsPerClock(kernel.work().format)) + "*" +
                number(efficiency) + "*min(1, " + number(tm * tn / (tm + tn)) +
                "/" + number(c.fullRateIntensity) + ")) = " +
                number(stepCycles) + " cycles; Lc = " + number(steps) + "*" +
                number(c.latencyCycles) + " = " + number(latency));
  std::string rounds;
  if (full > 0)
    rounds = number(full) + "*||" + number(o) + "*Cc, Lc||_2";
  if (rest > 0)
    rounds +=
        (rounds.empty() ? "" : " + ") + ("||" + number(rest)) + "*Cc, Lc||_2";
  text.equation("G2", "compute = (" + rounds + ")/" +
                          number(gpu.maxClock.value() * 1e-6) +
                          " MHz = " + number(cycles) + " cycles = " +
                          us(Seconds(cycles / gpu.maxClock.value())) + " us");
  text.equation("G3", "tL = (" + number(ctas) + "*(" + number(tm) + "*" +
                          number(ei) + " + " + number(tn) + "*" + number(ew) +
                          ")*" + number(steps) + "*64 + " + number(partials) +
                          ")/(" + number(std::min(ctas, sms)) + "*" +
                          number(feed) + "*" +
                          number(gpu.maxClock.value() * 1e-6) +
                          " MHz) = " + us(Seconds(l2Time)) + " us");
  text.equation(
      "G7", "xf = min(1, " + number(c.fillDepth) + "/" + number(64 * steps) +
                ") = " + number(exposed) +
                "; l2 = (1 - xf)*tL = " + us(Seconds((1 - exposed) * l2Time)) +
                " us, exposed l2 = xf*tL = " + us(Seconds(exposed * l2Time)) +
                " us");
  double tD = exposed > 0 ? terms.exposedDram.value() / exposed : 0;
  double rate = gpu.dramBandwidth.value() * c.dramEfficiency;
  text.equation("G6", "tD = " + number(tD * rate) + " bytes/(" +
                          number(gpu.dramBandwidth.value() * 1e-9) + "*" +
                          number(c.dramEfficiency) +
                          " GB/s) = " + us(Seconds(tD)) +
                          " us; the operands, re-reads (G4) "
                          "and what L2 holds (G5) in it");
  if (fused > 1)
    text.equation("W3", "another product in the kernel: compute, l2 and "
                        "exposed l2 times " +
                            number(fused));
}

/// A part with the rate that it stands for.
static void explainPart(ExplainText &text, const char *ids,
                        const std::string &name, Seconds time,
                        const std::string &how) {
  if (time > Seconds(0))
    text.equation(ids, name + " = " + us(time) + " us" +
                           (how.empty() ? "" : ": " + how));
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
  explainPart(text, "M4", "issue", t.issue,
              number(slots) + " slots*" + number(c->issueScale) + "/(" +
                  std::to_string(gpu.smCount) + "*" +
                  number(gpu.maxClock.value() * 1e-6) + " MHz*" +
                  number(c->issueWidth) + "); at least (M8), (M10)");
  explainPart(text, "M5", "rows", t.rows,
              number(t.rows.value() * cycles) + " cycles/(" +
                  std::to_string(gpu.smCount) + "*" +
                  number(gpu.maxClock.value() * 1e-6) + " MHz)");
  explainPart(text, "M5", "fixed", t.fixed, "latency of a launch");
}

void gpucost::explainTerms(const ExplainedKernel &kernel, ExplainText &text) {
  const KernelWork &work = kernel.work();
  const Coefficients &c = kernel.placed.model().coefficients();
  const LaunchTerms &t = kernel.terms();
  text.section("parts, in us at the maximum clock");
  explainTiling(kernel, text);
  if (!work.isTiled() && work.family != KernelFamily::Collective) {
    explainStream(kernel, text);
    return;
  }
  if (const auto *p = work.getIf<MatmulProblem>();
      p && work.format != NumericFormat::FP32 && c.tensorGemm) {
    ProductSteps steps(kernel, *p, *c.tensorGemm);
    if (steps.areTheModels()) {
      steps.print(text);
      explainPart(text, "G8", "dram", t.dram, "");
      explainPart(text, "G8", "exposed dram", t.exposedDram, "");
      explainPart(text, "G8", "serial dram", t.serialDram,
                  "stores that nothing hides, tensors of fused ops (W3)");
      explainPart(text, "W3", "serial issue", t.serialIssue, "fused ops");
      explainPart(text, "G8", "fixed", t.fixed, "launch, drain, split");
      return;
    }
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
