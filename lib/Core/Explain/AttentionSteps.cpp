//===- AttentionSteps.cpp - (A*) with numbers ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include "Steps.h"
#include "gpucost/Core/Model/Software.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// (A1) to (A6) of one kernel.
class AttentionSteps {
public:
  AttentionSteps(const ExplainedKernel &kernel, const AttentionProblem &p,
                 const AttentionCoefficients &c, const AttentionTile &tile);
  bool areTheModels() const;
  void print(ExplainText &text) const;

private:
  void countCtas();
  void findRate();
  void moveBytes();
  void printPace(ExplainText &text) const;
  void printBytes(ExplainText &text) const;
  void printRest(ExplainText &text) const;

  const ExplainedKernel &kernel;
  const AttentionProblem &p;
  const AttentionCoefficients &c;
  const Gpu &gpu;
  bool isWide;
  double rows, columns, dim, sms, mhz, split;
  double groups = 0, tiles = 0, blocks = 0,
         most = 0; ///< of one group, but most
  double total = 0, ctas = 0, rate = 0, block = 0, prologue = 0;
  double work = 0, longest = 0;
  double span = 0, feed = 0, bytes = 0, cache = 0, hit = 0;
  double ekv, eq;
};

} // namespace

AttentionSteps::AttentionSteps(const ExplainedKernel &kernel,
                               const AttentionProblem &p,
                               const AttentionCoefficients &c,
                               const AttentionTile &tile)
    : kernel(kernel), p(p), c(c), gpu(kernel.placed.model().gpu()) {
  const KernelWork &work = kernel.work();
  const Tiling &tiling = kernel.kernel().tiling;
  isWide = isFp32Attention(work);
  rows = tiling.tile.m;
  columns = tiling.tile.n;
  dim = tile.headDim;
  sms = static_cast<double>(gpu.smCount);
  mhz = gpu.maxClock.value() * 1e-6;
  split = std::max(tiling.splitK, 1);
  ekv = work.inputBytes();
  eq = work.outputBytes();
  countCtas();
  findRate();
  moveBytes();
}

void AttentionSteps::countCtas() {
  AttentionGrid grid;
  grid.queries = p.queryLength;
  grid.keys = p.kvLength;
  grid.window = p.window;
  grid.causal = p.causal;
  if (c.packGroupedQueries) {
    grid.rowsNumerator = p.heads;
    grid.rowsDenominator = p.kvHeads;
  }
  grid.tileRows = static_cast<int64_t>(rows);
  grid.tileColumns = static_cast<int64_t>(columns);
  AttentionBlocks counted = countBlocks(grid);
  groups = static_cast<double>(p.batch) *
           static_cast<double>(c.packGroupedQueries ? p.kvHeads : p.heads);
  tiles = counted.tiles;
  blocks = counted.total;
  most = counted.most;
  total = groups * blocks;
  ctas = groups * tiles * split;
}

void AttentionSteps::findRate() {
  rate = isWide ? gpu.flopsPerClock(NumericFormat::TF32) * gpu.warpMatrixShare /
                      3 // (A11)
                : gpu.flopsPerClock(kernel.work().format);
  double area = rows * columns;
  double tensor = (p.backward ? 10 : 4) * area * dim / (rate * c.efficiency);
  double softmax = (p.backward ? 2 : 1) * area * c.softmaxCycles;
  block =
      std::pow(std::pow(tensor, c.pipeNorm) + std::pow(softmax, c.pipeNorm),
               1 / c.pipeNorm) *
      attentionSlowdown(kernel.placed.model().coefficients(), c, kernel.work());
  prologue = c.prologueCycles * (p.backward ? c.backwardPrologue : 1);
  work = total * block + ctas * prologue;
  longest = most / split * block + prologue;
  span = (1 - c.waveFraction) * work / sms +
         c.waveFraction * std::ceil(ctas / sms) * work / ctas;
  if (p.causal && ctas > sms)
    span += c.causalTail * longest;
  span = std::max(span, longest);
}

void AttentionSteps::moveBytes() {
  double side = p.backward ? 4 : 2;
  double perHead =
      static_cast<double>(p.batch) * static_cast<double>(p.headDim);
  double queries = static_cast<double>(p.queryLength);
  bytes = perHead *
          (side * queries * p.heads * eq + side * p.kvLength * p.kvHeads * ekv);
  if (c.writesKvCache && !p.backward)
    cache = perHead * 2 * queries * p.kvHeads * (eq + ekv);
  if (c.rewritesQueries && !p.backward)
    cache += perHead * 2 * queries * p.heads * eq; // (A10)
  double touched = (bytes + cache) / (c.l2Fraction * gpu.l2Capacity.value());
  hit = 1 / (1 + touched * touched * touched);
  feed = side * total * columns * p.headDim * ekv /
         (std::min(ctas, sms) * c.l2BytesPerClock * mhz);
}

bool AttentionSteps::areTheModels() const {
  const LaunchTerms &t = kernel.terms();
  double fused = fusedProducts(kernel.work());
  double pace = std::max(span / mhz, feed) * fused;
  double dram =
      bytes * (1 - hit) / (gpu.dramBandwidth.value() * c.dramEfficiency);
  return isClose((t.compute + t.l2).value() * 1e6, pace) &&
         isClose(t.dram, dram);
}

void AttentionSteps::printPace(ExplainText &text) const {
  double slowdown =
      attentionSlowdown(kernel.placed.model().coefficients(), c, kernel.work());
  std::string slower = slowdown != 1 ? fill("*{}", {slowdown}) : "";
  text.equation("A3",
                "Cb = ||{}*{}*{}*{}/({}*{}), {}*{}*{}*{}||_{}" + slower +
                    " = {} cycles",
                {p.backward ? 10.0 : 4.0, rows, columns, dim, rate,
                 c.efficiency, p.backward ? 2.0 : 1.0, rows, columns,
                 c.softmaxCycles, c.pipeNorm, block});
  text.equation("A4",
                "W = N*Cb + n*{} = {} cycles; cm = mx/{}*Cb + {} = {} cycles",
                {prologue, work, split, prologue, longest});
  std::string tail =
      p.causal && ctas > sms ? fill(" + {}*cm", {c.causalTail}) : "";
  text.equation("A4",
                "span = max((1 - {})*W/{} + {}*ceil(n/{})*W/n" + tail +
                    ", cm) = {} cycles",
                {c.waveFraction, sms, c.waveFraction, sms, span});
}

void AttentionSteps::printBytes(ExplainText &text) const {
  double side = p.backward ? 4 : 2;
  auto x = [](int64_t value) { return static_cast<double>(value); };
  text.equation(
      "A5", "tL = {}*N*{}*{}*{}/(min(n, {})*{}*{} MHz) = {} us",
      {side, columns, x(p.headDim), ekv, sms, c.l2BytesPerClock, mhz, feed});
  text.equation("A5",
                "D = {}*{}*({}*{}*{}*{} + {}*{}*{}*{}) = {} bytes; Kc = {} "
                "bytes; h = 1/(1 + ((D + Kc)/({}*{}))^3) = {}",
                {x(p.batch), x(p.headDim), side, x(p.queryLength), x(p.heads),
                 eq, side, x(p.kvLength), x(p.kvHeads), ekv, bytes, cache,
                 c.l2Fraction, gpu.l2Capacity.value(), hit});
}

void AttentionSteps::print(ExplainText &text) const {
  text.equation("A1",
                "N = {}*{} = {}; n = {}*{} = {}; mx = {}: KV blocks of all "
                "CTAs, CTAs, blocks of the longest",
                {groups, blocks, total, groups, tiles, groups * tiles, most});
  if (split > 1)
    text.equation("A2", "ns = {}; n = n*ns = {}", {split, ctas});
  printPace(text);
  printBytes(text);
  const LaunchTerms &t = kernel.terms();
  const char *name = span / mhz >= feed ? "compute" : "l2";
  double pace = std::max(span / mhz, feed);
  text.equation("A6", std::string(name) + " = max(span/{} MHz, tL) = {} us",
                {mhz, pace});
  bool isCompute = span / mhz >= feed;
  explainFusedProducts(kernel, isCompute ? pace * 1e-6 : 0,
                       isCompute ? 0 : pace * 1e-6, text);
  double bandwidth = gpu.dramBandwidth.value() * 1e-9;
  text.equation("A6", "dram = D*(1 - h)/({}*{} GB/s) = {} us",
                {bandwidth, c.dramEfficiency, t.dram.value() * 1e6});
  printRest(text);
}

/// What nothing hides.
void AttentionSteps::printRest(ExplainText &text) const {
  const LaunchTerms &t = kernel.terms();
  bool isMeasured = p.backward && c.backwardTime > Seconds(0); // (A13)
  if (isMeasured) {
    double sums =
        static_cast<double>(p.batch) * static_cast<double>(p.headDim) *
        static_cast<double>(p.queryLength) * static_cast<double>(p.heads);
    double touched =
        (bytes + 8 * sums) / (c.l2Fraction * gpu.l2Capacity.value());
    text.equation("A13",
                  "Ka = {}*(8 + 3*{}) = {} bytes; h = 1/(1 + ((D + "
                  "8*{})/({}*{}))^3) = {}",
                  {sums, eq, sums * (8 + 3 * eq), sums, c.l2Fraction,
                   gpu.l2Capacity.value(),
                   1 / (1 + touched * touched * touched)});
  }
  if (t.serialDram > Seconds(0))
    text.equation(isMeasured ? "A13" : "A6",
                  "serial dram = " + us(t.serialDram) +
                      (isMeasured
                           ? " us: Ka by the rates of DRAM and L2, tensors of "
                             "fused ops (W3)"
                           : " us: what it writes into the cache, tensors of "
                             "fused ops (W3)"));
  std::string more = split > 1 ? fill(" + {} us", {c.splitTime.value() * 1e6})
                     : isMeasured
                         ? ""
                         : fill(" + 0*{} us", {c.splitTime.value() * 1e6});
  if (isMeasured)
    more += fill(" + {} us", {c.backwardTime.value() * 1e6});
  text.equation(isMeasured ? "A13" : "A6", "fixed = {} us" + more + " = {} us",
                {c.fixedTime.value() * 1e6, t.fixed.value() * 1e6});
}

bool gpucost::explainAttention(const ExplainedKernel &kernel,
                               ExplainText &text) {
  const auto *p = kernel.work().getIf<AttentionProblem>();
  if (!p || p->isDecode() || kernel.kernel().tiling.tile.m <= 0)
    return false;
  const AttentionCoefficients *set =
      findAttentionSet(kernel.placed.model().coefficients(), kernel.work())
          .coefficients;
  if (!set)
    return false;
  auto tile = std::find_if(
      set->tiles.begin(), set->tiles.end(),
      [&](const AttentionTile &each) { return each.headDim >= p->headDim; });
  if (tile == set->tiles.end())
    return false;
  AttentionSteps steps(kernel, *p, *set, *tile);
  if (!steps.areTheModels())
    return false;
  steps.print(text);
  return true;
}
