//===- Products.cpp - The products that a kernel computes -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include <algorithm>

using namespace gpucost;

double gpucost::fusedProducts(const KernelWork &work) {
  int64_t other = work.count.fused.tensorFlops;
  int64_t own = work.count.tensorFlops - other;
  return other > 0 && own > 0
             ? 1 + static_cast<double>(other) / static_cast<double>(own)
             : 1;
}

void gpucost::explainFusedProducts(const ExplainedKernel &kernel,
                                   double compute, double l2,
                                   ExplainText &text) {
  if (double fused = fusedProducts(kernel.work()); fused > 1)
    text.equation("W3",
                  "compute = {}*{} = {} us; l2 = {}*{} = {} us: another "
                  "product in the kernel",
                  {compute * 1e6, fused, compute * fused * 1e6, l2 * 1e6, fused,
                   l2 * fused * 1e6});
}

static Product productOf(const ConvolutionProblem &p, bool simt) {
  auto groups = static_cast<double>(p.groups);
  double pixels = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
  double inputs = static_cast<double>(p.batch) * p.height * p.width;
  double channels = p.channels / groups, outputs = p.outChannels / groups;
  double taps = static_cast<double>(p.kernelHeight) * p.kernelWidth;
  switch (p.pass) {
  case ConvolutionPass::InputGradient: {
    double reached = pixels / std::max(inputs, 1.0);
    if (simt)
      reached = std::min(1.0, reached);
    return {groups, inputs, channels, std::max(1.0, reached * outputs * taps),
            0,      0};
  }
  case ConvolutionPass::WeightGradient:
    return {groups, outputs, channels * taps, pixels, 0, 0};
  default:
    return {groups, pixels, outputs, channels * taps, 0, 0};
  }
}

Product gpucost::productOf(const KernelWork &work) {
  Product result;
  int64_t weightBits = 0;
  if (const auto *p = work.getIf<MatmulProblem>()) {
    result = {static_cast<double>(p->batch),
              static_cast<double>(p->m),
              static_cast<double>(p->n),
              static_cast<double>(p->k),
              0,
              0};
    weightBits = p->weightBits;
  } else {
    result = ::productOf(work.as<ConvolutionProblem>(),
                         work.format == NumericFormat::FP32);
  }
  result.inputBytes = work.inputBytes();
  result.weightBytes =
      weightBits ? static_cast<double>(weightBits) / 8 : result.inputBytes;
  return result;
}

void gpucost::explainImplicitGemm(const ExplainedKernel &kernel, const char *id,
                                  ExplainText &text) {
  const auto *p = kernel.work().getIf<ConvolutionProblem>();
  if (!p)
    return;
  Product g = productOf(kernel.work());
  auto x = [](int64_t value) { return static_cast<double>(value); };
  std::string filter =
      fill("{}/{}*{}*{}", {x(p->channels), x(p->groups), x(p->kernelHeight),
                           x(p->kernelWidth)});
  std::string outputs = fill("{}/{}", {x(p->outChannels), x(p->groups)});
  std::string pixels =
      fill("{}*{}*{}", {x(p->batch), x(p->outHeight), x(p->outWidth)});
  std::string inputs =
      fill("{}*{}*{}", {x(p->batch), x(p->height), x(p->width)});
  std::string m = pixels, n = outputs, k = filter;
  if (p->pass == ConvolutionPass::InputGradient) {
    m = inputs;
    n = fill("{}/{}", {x(p->channels), x(p->groups)});
    k = outputs + fill("*{}*{}", {x(p->kernelHeight), x(p->kernelWidth)}) +
        "*" + pixels + "/(" + inputs + ")";
    if (kernel.work().format == NumericFormat::FP32)
      k = outputs + fill("*{}*{}", {x(p->kernelHeight), x(p->kernelWidth)}) +
          "*min(1, " + pixels + "/(" + inputs + "))";
    k = "max(1, " + k + ")";
  } else if (p->pass == ConvolutionPass::WeightGradient) {
    m = outputs;
    n = filter;
    k = pixels;
  }
  text.equation(id, fill("b = {}; m = " + m + " = {}; n = " + n +
                             " = {}; k = " + k + " = {}",
                         {g.batch, g.m, g.n, g.k}));
}
