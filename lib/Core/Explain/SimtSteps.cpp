//===- SimtSteps.cpp - (S*) and (C1) to (C3) with numbers -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// What the equations need of either set of coefficients.
struct SimtSet {
  double efficiency, k0, saturationWarps, dramEfficiency, l2BytesPerClock;
  double l2Speedup;
  Seconds latency;
};

/// (S1), (S2), (S4) of products.
class SimtSteps {
public:
  SimtSteps(const ExplainedKernel &kernel, const Product &g, const SimtSet &c);
  bool areTheModels() const;
  void print(ExplainText &text) const;
  double computeTime() const { return compute; }
  double l2Time() const { return l2; }
  /// Of partial sums, B.
  double partials() const { return s > 1 ? 8 * s * g.batch * g.m * g.n : 0.0; }

private:
  double share(double ctas) const {
    return c.saturationWarps > 0
               ? 1 - std::exp(-ctas * warps / c.saturationWarps)
               : 1.0;
  }
  std::string shareText(const std::string &ctas) const {
    return c.saturationWarps > 0
               ? "(1 - exp(-" + ctas +
                     fill("*{}/{}))", {warps, c.saturationWarps})
               : "1";
  }

  const ExplainedKernel &kernel;
  Product g;
  SimtSet c;
  const Gpu &gpu;
  double tm, tn, o, s, warps, sms, clock;
  double depth, ctas, perSm, full, rest, rounds = 0, compute, l2;
};

} // namespace

SimtSteps::SimtSteps(const ExplainedKernel &kernel, const Product &g,
                     const SimtSet &c)
    : kernel(kernel), g(g), c(c), gpu(kernel.placed.model().gpu()) {
  const Tiling &tiling = kernel.kernel().tiling;
  tm = tiling.tile.m;
  tn = tiling.tile.n;
  o = std::max(tiling.tile.ctasPerSm, 1);
  s = std::max(tiling.splitK, 1);
  warps = tiling.tile.warps;
  sms = static_cast<double>(gpu.smCount);
  clock = gpu.maxClock.value();
  depth = std::ceil(g.k / s / 8) * 8;
  ctas = g.batch * std::ceil(g.m / tm) * std::ceil(g.n / tn) * s;
  perSm = std::ceil(ctas / sms);
  full = std::floor(perSm / o);
  rest = perSm - full * o;
  if (full > 0)
    rounds += full * o / share(o);
  if (rest > 0)
    rounds += rest / share(rest);
  compute = 2 * tm * tn * (depth + c.k0) * rounds /
            (gpu.flopsPerClock(NumericFormat::FP32) * c.efficiency * clock);
  l2 = ctas * (tm + tn) * depth * g.inputBytes /
       (std::min(sms, ctas) * clock * c.l2BytesPerClock);
}

bool SimtSteps::areTheModels() const {
  double fused = fusedProducts(kernel.work());
  const LaunchTerms &terms = kernel.terms();
  return isClose(terms.compute, compute * fused) &&
         isClose(terms.l2, l2 * fused);
}

void SimtSteps::print(ExplainText &text) const {
  double mhz = clock * 1e-6;
  text.equation("S1",
                "Kc = ceil({}/{}/8)*8 = {}; T = {}*ceil({}/{})*ceil({}/{})*{} "
                "= {}; q = ceil(T/{}) = {}; fw = floor(q/{}) = {}; r = q - "
                "fw*{} = {}",
                {g.k, s, depth, g.batch, g.m, tm, g.n, tn, s, ctas, sms, perSm,
                 o, full, o, rest});
  std::string occ;
  if (full > 0)
    occ = "fw*" + number(o) + "/" + shareText(number(o));
  if (rest > 0)
    occ += (occ.empty() ? "" : " + ") + ("r/" + shareText("r"));
  text.equation("S1", "occ = " + occ + " = " + number(rounds));
  text.equation("S2", "compute = 2*{}*{}*(Kc + {})*occ/({}*{}*{} MHz) = {} us",
                {tm, tn, c.k0, gpu.flopsPerClock(NumericFormat::FP32),
                 c.efficiency, mhz, compute * 1e6});
  text.equation("S4", "l2 = T*({} + {})*Kc*{}/(min({}, T)*{} MHz*{}) = {} us",
                {tm, tn, g.inputBytes, sms, mhz, c.l2BytesPerClock, l2 * 1e6});
  explainFusedProducts(kernel, compute, l2, text);
}

/// (S3) of operands that nothing has left in L2; what else there is stands with
/// the bytes that it amounts to.
static void explainDram(const ExplainedKernel &kernel, const SimtSet &c,
                        double partials, ExplainText &text) {
  const Gpu &gpu = kernel.placed.model().gpu();
  double time = kernel.terms().dram.value();
  double rate = gpu.dramBandwidth.value() * c.dramEfficiency;
  double bytes = time * rate - partials / c.l2Speedup;
  text.equation("S3", "dram = ({} + {}/{})/({}*{} GB/s) = {} us",
                {bytes, partials, c.l2Speedup, gpu.dramBandwidth.value() * 1e-9,
                 c.dramEfficiency, time * 1e6});
}

static void explainLatency(const ExplainedKernel &kernel, const char *id,
                           const SimtSet &c, Seconds more, ExplainText &text) {
  bool isSplit = kernel.kernel().tiling.splitK > 1;
  text.equation(id,
                isSplit ? "fixed = 2*{} us + {} us = {} us"
                        : "fixed = {} us + {} us = {} us",
                {c.latency.value() * 1e6, more.value() * 1e6,
                 kernel.terms().fixed.value() * 1e6});
}

static SimtSet setOf(const SimtConvCoefficients &c, double efficiency) {
  return {efficiency,        c.k0,        c.saturationWarps, c.dramEfficiency,
          c.l2BytesPerClock, c.l2Speedup, c.latency};
}

/// (S7)
static bool explainMatrixVector(const ExplainedKernel &kernel, const Product &g,
                                ExplainText &text) {
  const CostModel &model = kernel.placed.model();
  const Gpu &gpu = model.gpu();
  const auto &c = model.coefficients().streaming;
  const LaunchTerms &t = kernel.terms();
  auto sms = static_cast<double>(gpu.smCount);
  double clock = gpu.maxClock.value();
  double rate = gpu.flopsPerClock(NumericFormat::FP32);
  double compute = 2 * g.batch * g.m * g.n * g.k / (sms * rate * clock);
  double bytes =
      g.batch * (g.m * g.k * g.inputBytes + g.k * g.n * g.weightBytes +
                 g.m * g.n * kernel.work().outputBytes());
  if (!c || !isClose(t.compute, compute) ||
      !isClose(t.l2, bytes / (sms * clock * c->l2BytesPerClock)))
    return false;
  text.equation(
      "S7", "compute = 2*{}*{}*{}*{}/({}*{}*{} MHz) = {} us",
      {g.batch, g.m, g.n, g.k, sms, rate, clock * 1e-6, compute * 1e6});
  text.equation("S7",
                "l2 = {}/({}*{} MHz*{}) = {} us; dram = {}/({}*{} GB/s) = {} "
                "us; fixed = {} us",
                {bytes, sms, clock * 1e-6, c->l2BytesPerClock,
                 t.l2.value() * 1e6, bytes, gpu.dramBandwidth.value() * 1e-9,
                 c->dramEfficiency, t.dram.value() * 1e6,
                 t.fixed.value() * 1e6});
  return true;
}

/// (C2) Whose CTAs the tiling counts.
static bool explainFusedWinograd(const ExplainedKernel &kernel,
                                 const ConvolutionProblem &p,
                                 const SimtConvCoefficients &c,
                                 ExplainText &text) {
  const Gpu &gpu = kernel.placed.model().gpu();
  const LaunchTerms &t = kernel.terms();
  bool isGradient = p.pass == ConvolutionPass::InputGradient;
  auto channels = static_cast<double>(isGradient ? p.outChannels : p.channels);
  auto outputs = static_cast<double>(isGradient ? p.channels : p.outChannels);
  auto ctas = static_cast<double>(kernel.kernel().tiling.ctas);
  auto sms = static_cast<double>(gpu.smCount);
  double rate = gpu.flopsPerClock(NumericFormat::FP32);
  double clock = gpu.maxClock.value();
  double compute = std::ceil(ctas / sms) * (channels + c.fusedPrologue) * 2 *
                   (128 * 32 * 9 / 2.25) / (rate * c.fusedEfficiency * clock);
  if (!isClose(t.compute, compute * fusedProducts(kernel.work())))
    return false;
  double element = kernel.work().inputBytes();
  text.equation("C2",
                "T = {}; compute = ceil(T/{})*({} + {})*2*128*32*9/2.25/({}*{}*"
                "{} MHz) = {} us",
                {ctas, sms, channels, c.fusedPrologue, rate, c.fusedEfficiency,
                 clock * 1e-6, compute * 1e6});
  explainFusedProducts(kernel, compute, 0, text);
  SimtSet set = setOf(c, c.fusedEfficiency);
  explainDram(kernel, set, 0, text);
  double serial = c.filterPasses * 25 * channels * outputs * element /
                  (gpu.dramBandwidth.value() * c.dramEfficiency);
  if (isClose(t.serialDram, serial))
    text.equation("C2",
                  "serial = {}*25*{}*{}*{}/({}*{} GB/s) = {} us: the filter's "
                  "transform",
                  {c.filterPasses, channels, outputs, element,
                   gpu.dramBandwidth.value() * 1e-9, c.dramEfficiency,
                   serial * 1e6});
  else
    text.equation("C2", "serial dram = " + us(t.serialDram) + " us");
  explainLatency(kernel, "C2", set, Seconds(0), text);
  return true;
}

/// (C3) 36 products of transformed tiles of 4 x 4 outputs.
static bool explainWinograd(const ExplainedKernel &kernel,
                            const ConvolutionProblem &p,
                            const SimtConvCoefficients &c, ExplainText &text) {
  bool isGradient = p.pass == ConvolutionPass::InputGradient;
  auto x = [](int64_t value) { return static_cast<double>(value); };
  double height = x(isGradient ? p.height : p.outHeight);
  double width = x(isGradient ? p.width : p.outWidth);
  double channels = x(isGradient ? p.outChannels : p.channels);
  double outputs = x(isGradient ? p.channels : p.outChannels);
  double element = kernel.work().inputBytes();
  Product g = {
      36,      x(p.batch) * std::ceil(height / 4) * std::ceil(width / 4),
      outputs, channels,
      element, element};
  SimtSet set = setOf(c, c.nonFusedEfficiency);
  SimtSteps steps(kernel, g, set);
  if (!steps.areTheModels())
    return false;
  text.equation("C3",
                "b = 36; m = {}*ceil({}/4)*ceil({}/4) = {}; n = {}; k = {}",
                {x(p.batch), height, width, g.m, outputs, channels});
  steps.print(text);
  explainDram(kernel, set, steps.partials(), text);
  const Gpu &gpu = kernel.placed.model().gpu();
  double rate = gpu.dramBandwidth.value() * c.dramEfficiency;
  text.equation("C3",
                "serial = {}/({}*{} GB/s) = {} us: the transforms, less what "
                "L2 holds (S3)",
                {kernel.terms().serialDram.value() * rate,
                 gpu.dramBandwidth.value() * 1e-9, c.dramEfficiency,
                 kernel.terms().serialDram.value() * 1e6});
  explainLatency(kernel, "C3", set, c.transformLatency * 2, text);
  return true;
}

static bool explainProduct(const ExplainedKernel &kernel, const SimtSet &set,
                           ExplainText &text) {
  SimtSteps steps(kernel, productOf(kernel.work()), set);
  if (!steps.areTheModels())
    return false;
  explainImplicitGemm(kernel, "C1", text);
  steps.print(text);
  explainDram(kernel, set, steps.partials(), text);
  if (kernel.terms().serialDram > Seconds(0))
    text.equation("W3",
                  "serial dram = " + us(kernel.terms().serialDram) + " us");
  explainLatency(kernel, "S6", set, Seconds(0), text);
  return true;
}

bool gpucost::explainSimtProduct(const ExplainedKernel &kernel,
                                 ExplainText &text) {
  const KernelWork &work = kernel.work();
  const Coefficients &c = kernel.placed.model().coefficients();
  if (work.format != NumericFormat::FP32)
    return false;
  if (const auto *p = work.getIf<MatmulProblem>()) {
    if (kernel.kernel().tiling.tile.m <= 0)
      return explainMatrixVector(kernel, productOf(work), text);
    const auto &set = p->linear ? c.simtLinear : c.simtBatched;
    return set && explainProduct(kernel,
                                 {set->emax, set->k0, set->saturationWarps,
                                  set->dramEfficiency, set->l2BytesPerClock,
                                  set->l2Speedup, set->latency},
                                 text);
  }
  const auto *p = work.getIf<ConvolutionProblem>();
  if (!p || !c.simtConv)
    return false;
  switch (kernel.kernel().tiling.variant) {
  case 1:
    return explainFusedWinograd(kernel, *p, *c.simtConv, text);
  case 2:
    return explainWinograd(kernel, *p, *c.simtConv, text);
  default:
    return explainProduct(
        kernel, setOf(*c.simtConv, c.simtConv->implicitEfficiency), text);
  }
}
