//===- DecodeSteps.cpp - (D*) with numbers ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// (D1) to (D5) of one kernel.
class DecodeSteps {
public:
  DecodeSteps(const ExplainedKernel &kernel, const AttentionProblem &p,
              const DecodeCoefficients &c);
  bool areTheModels() const;
  void print(ExplainText &text) const;

private:
  void split();
  void pace();
  void printSplit(ExplainText &text) const;
  void printPace(ExplainText &text) const;

  const ExplainedKernel &kernel;
  const DecodeCoefficients &c;
  const Gpu &gpu;
  /// The second path of a set (D1).
  bool isSingle, isXqa;
  double batch, heads, kvHeads, keys, group, dim, ratio, sms, mhz, ekv, eq;
  double tiles = 1, rows = 1, units = 0, least = 1, blocks = 0, most = 1;
  double ctas = 0, chunk = 0, cacheBytes = 0, queryBytes = 0, dramTime = 0;
  double feed = 0, prologue = 0, block = 0, cta = 0, rounds = 0, chain = 0;
  double busy = 0;
};

} // namespace

DecodeSteps::DecodeSteps(const ExplainedKernel &kernel,
                         const AttentionProblem &p, const DecodeCoefficients &c)
    : kernel(kernel), c(c), gpu(kernel.placed.model().gpu()) {
  isSingle = kernel.kernel().tiling.variant == 1;
  isXqa = c.kernel == DecodeKernel::Xqa || c.kernel == DecodeKernel::FastestXqa;
  batch = static_cast<double>(p.batch);
  heads = static_cast<double>(p.heads);
  kvHeads = static_cast<double>(p.kvHeads);
  keys = static_cast<double>(p.window > 0 ? std::min(p.kvLength, p.window)
                                          : p.kvLength);
  group = heads / kvHeads;
  dim = static_cast<double>(p.headDim);
  ratio = dim / 128;
  sms = static_cast<double>(gpu.smCount);
  mhz = gpu.maxClock.value() * 1e-6;
  ekv = kernel.work().inputBytes();
  eq = kernel.work().outputBytes();
  split();
  pace();
}

void DecodeSteps::split() {
  if (isXqa)
    tiles = isSingle ? group : 1;
  else
    tiles = std::ceil(group / 64);
  rows = group / tiles;
  units = batch * kvHeads * tiles;
  least =
      isSingle && isXqa
          ? kernel.placed.model().coefficients().decodePaths->singleLeastBlocks
          : 1;
  blocks = std::max(keys / 64, least);
  bool allowed = c.largestSplit > 1 &&
                 !(c.kernel == DecodeKernel::FlashAttention2 && group == 1);
  most = allowed ? c.largestSplit : 1;
  ctas = std::max(units,
                  std::min({units * std::max(blocks / c.leastSplitBlocks, 1.0),
                            c.ctasPerSm * sms, units * most}));
  chunk = blocks * units / ctas;
}

void DecodeSteps::pace() {
  cacheBytes = 2 * batch * kvHeads * keys * dim * ekv;
  queryBytes = 2 * batch * (heads + kvHeads) * dim * eq;
  dramTime = (cacheBytes + queryBytes) /
             (gpu.dramBandwidth.value() * c.dramEfficiency) * 1e6;
  feed = cacheBytes * tiles / (std::min(ctas, sms) * c.l2BytesPerClock * mhz);
  prologue = isSingle ? c.singlePrologueCycles : c.prologueCycles;
  block = isSingle ? c.singleBlockCycles : c.blockCycles;
  cta = (prologue + c.rowCycles * rows) * std::pow(ratio, c.rowExponent) +
        chunk * block * ratio;
  double slots = c.ctasPerSm * sms;
  rounds = ctas / sms;
  rounds = ctas > slots
               ? (1 - c.waveFraction) * rounds +
                     c.waveFraction * c.ctasPerSm * std::ceil(ctas / slots)
               : std::max(rounds, 1.0);
  chain = c.latencyCycles +
          chunk * c.blockLatencyCycles * std::pow(ratio, c.latencyExponent);
  busy = std::max({rounds * cta / mhz, chain / mhz, feed});
}

bool DecodeSteps::areTheModels() const {
  const LaunchTerms &t = kernel.terms();
  return isClose((t.compute + t.l2).value() * 1e6,
                 busy * fusedProducts(kernel.work())) &&
         isClose(t.dram.value() * 1e6, dramTime);
}

void DecodeSteps::printSplit(ExplainText &text) const {
  text.equation("D1", "u = {}*{}*{} = {}; rows of a CTA = {}",
                {batch, kvHeads, tiles, units, rows});
  text.equation("D2",
                "blk = max({}/64, {}) = {}; n = max(u, min(u*max(blk/{}, 1), "
                "{}*{}, u*{})) = {}; chunk = blk*u/n = {}",
                {keys, least, blocks, c.leastSplitBlocks, c.ctasPerSm, sms,
                 most, ctas, chunk});
  double bandwidth = gpu.dramBandwidth.value() * 1e-9;
  text.equation("D3",
                "kv = 2*{}*{}*{}*{}*{} = {} bytes; io = 2*{}*({} + {})*{}*{} = "
                "{} bytes",
                {batch, kvHeads, keys, dim, ekv, cacheBytes, batch, heads,
                 kvHeads, dim, eq, queryBytes});
  text.equation("D3",
                "dram = (kv + io)/({}*{} GB/s) = {} us; tL = kv*{}/(min(n, "
                "{})*{}*{} MHz) = {} us",
                {bandwidth, c.dramEfficiency, dramTime, tiles, sms,
                 c.l2BytesPerClock, mhz, feed});
}

void DecodeSteps::printPace(ExplainText &text) const {
  text.equation("D4",
                "cta = ({} + {}*{})*{}^{} + chunk*{}*{} = {} cycles; chain = "
                "{} + chunk*{}*{}^{} = {} cycles",
                {prologue, c.rowCycles, rows, ratio, c.rowExponent, block,
                 ratio, cta, c.latencyCycles, c.blockLatencyCycles, ratio,
                 c.latencyExponent, chain});
  if (ctas > c.ctasPerSm * sms)
    text.equation("D4", "rounds = (1 - {})*n/{} + {}*{}*ceil(n/({}*{})) = {}",
                  {c.waveFraction, sms, c.waveFraction, c.ctasPerSm,
                   c.ctasPerSm, sms, rounds});
  else
    text.equation("D4", "rounds = max(n/{}, 1) = {}", {sms, rounds});
  text.equation("D4", "tS = max(rounds*cta/{} MHz, chain/{} MHz, tL) = {} us",
                {mhz, mhz, busy});
}

void DecodeSteps::print(ExplainText &text) const {
  printSplit(text);
  printPace(text);
  const LaunchTerms &t = kernel.terms();
  bool isCompute = t.compute > Seconds(0);
  explainFusedProducts(kernel, isCompute ? busy * 1e-6 : 0,
                       isCompute ? 0 : busy * 1e-6, text);
  text.equation("D5",
                "share = {}/max(1, n/({}*{})) = {}: of the smaller of tS and "
                "dram, which nothing hides",
                {c.exposedShare, c.ctasPerSm, sms, t.exposedShare});
  double own = (isSingle && isXqa ? c.singleFixedTime : c.fixedTime).value();
  double parts = most > 1 ? c.splitTime.value() : 0;
  double transpose =
      batch > 1 && kvHeads > 1 && group > 1 ? c.transposeTime.value() : 0;
  text.equation("D5",
                "fixed = {} us + {}*max(0, min(1, blk/{} - 1)) us + {} us = {} "
                "us: launch, combined parts, transposes",
                {own * 1e6, parts * 1e6, c.leastSplitBlocks, transpose * 1e6,
                 t.fixed.value() * 1e6});
  if (t.serialDram > Seconds(0))
    text.equation("W3", "serial dram = " + us(t.serialDram) +
                            " us: tensors of fused ops");
}

bool gpucost::explainDecode(const ExplainedKernel &kernel, ExplainText &text) {
  const auto *p = kernel.work().getIf<AttentionProblem>();
  if (!p || !p->isDecode() || p->batch <= 0 || p->kvLength <= 0)
    return false;
  const Coefficients &c = kernel.placed.model().coefficients();
  const DecodeCoefficients *set = findForDim(c.decodeOfDims, p->headDim);
  if (!set && c.decode)
    set = &*c.decode;
  if (!set)
    return false;
  DecodeSteps steps(kernel, *p, *set);
  if (!steps.areTheModels())
    return false;
  steps.print(text);
  return true;
}
