//===- TensorSteps.cpp - (G*) and (C4) with numbers -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "gpucost/Core/Model/WideOperands.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// (G1) to (G3), (G7) of one product.
class ProductSteps {
public:
  ProductSteps(const ExplainedKernel &kernel, const Product &p,
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
  Product p;
  const TensorGemmCoefficients &c;
  const Gpu &gpu;
  const Tiling &tiling;
  double steps = 0, ctas = 0, perSm = 0, full = 0, rest = 0;
  double efficiency = 0, feed = 0, stepCycles = 0, latency = 0, cycles = 0;
  double l2Bytes = 0, partials = 0, l2Time = 0, exposed = 0;
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
  steps = std::ceil(p.k / s / 64);
  ctas = p.batch * std::ceil(p.m / tm) * std::ceil(p.n / tn) * s;
  perSm = std::ceil(ctas / sms);
  full = std::floor(perSm / o);
  rest = perSm - full * o;
  latency = steps * c.latencyCycles * operandLatencyFactor(p.inputBytes);
  fused = fusedProducts(work);
  double rate = gpu.flopsPerClock(work.format);
  double intensity = std::min(1.0, tm * tn / (tm + tn) / c.fullRateIntensity);
  l2Bytes = ctas * (tm * p.inputBytes + tn * p.weightBytes) * steps * 64;
  partials = s > 1 ? 8 * p.batch * p.m * p.n * s : 0;
  exposed = std::min(1.0, c.fillDepth / (64 * steps));
  // Misaligned rows (G2), (G13), instructions and registers (G14).
  double aligned = std::min(1.0, c.misalignedEfficiency * p.inputBytes / 2);
  const auto &strided = kernel.placed.model().coefficients().tf32Strided;
  double whole = work.is<ConvolutionProblem>() ? c.convolutionEfficiency : 1.0;
  for (auto [share, feedShare] :
       {std::pair(1.0, 1.0), std::pair(aligned, aligned),
        std::pair(gpu.warpMatrixShare, 1.0),
        std::pair(strided ? strided->registerShare : 1.0, 1.0),
        std::pair(std::min(gpu.warpMatrixShare, aligned), aligned)}) {
    efficiency = c.efficiency * whole * share;
    feed = c.l2BytesPerClock * feedShare;
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
  auto sms = static_cast<double>(gpu.smCount);
  const LaunchTerms &terms = kernel.terms();
  double s = tiling.splitK;
  text.equation("G1",
                "nk = ceil({}/{}/64) = {}; T = {}*ceil({}/{})*ceil({}/{})*{} = "
                "{}; q = ceil({}/{}) = {} = {}*{} + {}",
                {p.k, s, steps, p.batch, p.m, tm, p.n, tn, s, ctas, ctas, sms,
                 perSm, full, o, rest});
  double mhz = gpu.maxClock.value() * 1e-6;
  text.equation("G2",
                "Cc = 2*{}*{}*64*{}/({}*{}*min(1, {}/{})) = {} cycles; Lc = "
                "{}*{} = {}",
                {tm, tn, steps, gpu.flopsPerClock(kernel.work().format),
                 efficiency, tm * tn / (tm + tn), c.fullRateIntensity,
                 stepCycles, steps, latency / steps, latency});
  std::string rounds;
  if (full > 0)
    rounds = fill("{}*||{}*Cc, Lc||_2", {full, o});
  if (rest > 0)
    rounds += (rounds.empty() ? "" : " + ") + fill("||{}*Cc, Lc||_2", {rest});
  text.equation("G2",
                "cycles = " + rounds + " = {}; compute = cycles/{} MHz = {} us",
                {cycles, mhz, cycles / mhz});
  text.equation("G3",
                "tL = ({}*({}*{} + {}*{})*{}*64 + {})/({}*{}*{} MHz) = {} us",
                {ctas, tm, p.inputBytes, tn, p.weightBytes, steps, partials,
                 std::min(ctas, sms), feed, mhz, l2Time * 1e6});
  text.equation("G7",
                "xf = min(1, {}/{}) = {}; l2 = (1 - xf)*tL = {} us, exposed l2 "
                "= xf*tL = {} us",
                {c.fillDepth, 64 * steps, exposed, (1 - exposed) * l2Time * 1e6,
                 exposed * l2Time * 1e6});
  double tD = exposed > 0 ? terms.exposedDram.value() / exposed : 0;
  double bandwidth = gpu.dramBandwidth.value();
  text.equation("G6",
                "tD = {} bytes/({}*{} GB/s) = {} us; the operands, re-reads "
                "(G4) and what L2 holds (G5) in it",
                {tD * bandwidth * c.dramEfficiency, bandwidth * 1e-9,
                 c.dramEfficiency, tD * 1e6});
  explainFusedProducts(kernel, cycles / gpu.maxClock.value(),
                       (1 - exposed) * l2Time, text);
}

/// "(ID)  name = time us: how", of a part that there is.
static void explainRest(ExplainText &text, const char *name, Seconds time,
                        const char *how) {
  if (time > Seconds(0))
    text.equation("G8", std::string(name) + " = " + us(time) + " us" + how);
}

bool gpucost::explainTensorProduct(const ExplainedKernel &kernel,
                                   ExplainText &text) {
  const KernelWork &work = kernel.work();
  const Coefficients &c = kernel.placed.model().coefficients();
  bool isProduct = work.is<MatmulProblem>() || work.is<ConvolutionProblem>();
  if (!isProduct || work.format == NumericFormat::FP32 || !c.tensorGemm ||
      kernel.kernel().tiling.tile.m <= 0)
    return false;
  ProductSteps steps(kernel, productOf(work), *c.tensorGemm);
  if (!steps.areTheModels())
    return false;
  explainImplicitGemm(kernel, "C4", text);
  steps.print(text);
  const LaunchTerms &t = kernel.terms();
  explainRest(text, "dram", t.dram, "");
  explainRest(text, "exposed dram", t.exposedDram, "");
  explainRest(text, "serial dram", t.serialDram,
              ": stores that nothing hides, tensors of fused ops (W3)");
  explainRest(text, "fixed", t.fixed, ": launch, drain, split");
  return true;
}
