//===- KernelWork.cpp - Exact counts and keys of a kernel -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/KernelWork.h"
#include "gpucost/Support/CheckedMath.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace gpucost;

namespace {

/// Non-negative integer that stays at the largest value instead of wrapping:
/// a saturated count is wrong by definition but never negative or undefined.
class Saturating {
public:
  Saturating(int64_t v) : v(std::max<int64_t>(v, 0)) {}
  Saturating operator*(Saturating o) const {
    int64_t r;
    return Saturating(__builtin_mul_overflow(v, o.v, &r) ? largest : r);
  }
  Saturating operator+(Saturating o) const {
    int64_t r;
    return Saturating(__builtin_add_overflow(v, o.v, &r) ? largest : r);
  }
  int64_t value() const { return v; }

private:
  static constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  int64_t v;
};

} // namespace

// (W2) FLOP = 2 per multiply-add.
int64_t gpucost::countFlops(const MatmulProblem &p) {
  return (Saturating(2) * p.batch * p.m * p.n * p.k).value();
}

int64_t gpucost::countFlops(const ConvolutionProblem &p) {
  if (p.groups <= 0)
    return 0;
  return (Saturating(2) * p.batch * p.outChannels * p.outHeight * p.outWidth *
          (p.channels / p.groups) * p.kernelHeight * p.kernelWidth)
      .value();
}

/// Sum of clamp(x, 0, limit) over the `count` integers from `first`.
static Saturating sumClamped(int64_t first, int64_t count, int64_t limit) {
  int64_t last = first + count - 1;
  int64_t low = std::max<int64_t>(first, 1);
  int64_t high = std::min(last, limit);
  Saturating sum = 0;
  if (low <= high) {
    int64_t terms = high - low + 1, ends = low + high;
    // One of the two is even: the series has an integer sum.
    sum = terms % 2 == 0 ? Saturating(terms / 2) * ends
                         : Saturating(terms) * (ends / 2);
  }
  int64_t beyond = last - std::max(limit, first - 1);
  return sum + Saturating(beyond) * limit;
}

int64_t gpucost::countFlops(const AttentionProblem &p) {
  int64_t queries = std::max<int64_t>(p.queryLength, 0);
  int64_t keys = std::max<int64_t>(p.kvLength, 0);
  if (queries == 0 || keys == 0)
    return 0;
  int64_t offset = keys - queries; // position of the first query
  // (W2) Scores that the mask leaves, per head: a causal query at position x
  // sees x + 1 keys, at most `window` of them, itself included.
  Saturating scores = Saturating(queries) * keys;
  if (p.causal)
    scores = sumClamped(offset + 1, queries,
                        p.window > 0 ? std::min(keys, p.window) : keys);
  else if (p.window > 0) {
    // Only keys older than the window are dropped.
    int64_t dropped = sumClamped(offset + 1 - p.window, queries, keys).value();
    scores = scores.value() - dropped;
  }
  return (Saturating(p.backward ? 10 : 4) * p.batch * p.heads * scores *
          p.headDim)
      .value();
}

static auto fields(const MatmulProblem &p) {
  return std::tie(p.batch, p.m, p.n, p.k, p.linear, p.weightBits);
}
static auto fields(const ConvolutionProblem &p) {
  return std::tie(p.batch, p.channels, p.height, p.width, p.outChannels,
                  p.outHeight, p.outWidth, p.kernelHeight, p.kernelWidth,
                  p.strideHeight, p.strideWidth, p.groups, p.pass);
}
static auto fields(const AttentionProblem &p) {
  return std::tie(p.batch, p.heads, p.kvHeads, p.queryLength, p.kvLength,
                  p.headDim, p.window, p.causal, p.backward, p.generation);
}
static auto fields(const RowsProblem &p) { return std::tie(p.rows, p.cols); }
static auto fields(const ElementsProblem &p) {
  return std::tie(p.elements, p.strided);
}
static auto fields(const CollectiveProblem &p) {
  return std::tie(p.kind, p.bytes, p.ranks);
}
static auto fields(const WorkCount &c) {
  return std::tie(c.tensorFlops, c.fp32Flops, c.specialOps, c.bytesRead,
                  c.bytesWritten);
}
static auto scalars(const KernelWork &w) {
  return std::tie(w.family, w.instructions, w.format, w.inputBits, w.outputBits,
                  w.channelsLast);
}

bool gpucost::operator==(const KernelWork &a, const KernelWork &b) {
  return scalars(a) == scalars(b) && fields(a.count) == fields(b.count) &&
         fields(a.matmul) == fields(b.matmul) &&
         fields(a.convolution) == fields(b.convolution) &&
         fields(a.attention) == fields(b.attention) &&
         fields(a.rows) == fields(b.rows) &&
         fields(a.elements) == fields(b.elements) &&
         fields(a.collective) == fields(b.collective);
}

template <typename Tuple>
static llvm::hash_code hashFields(const Tuple &tuple) {
  return std::apply(
      [](const auto &...field) { return llvm::hash_combine(field...); }, tuple);
}

llvm::hash_code gpucost::hash_value(const KernelWork &work) {
  // Only the problem of the family takes part: equal works still agree.
  llvm::hash_code problem = 0;
  switch (work.family) {
  case KernelFamily::Matmul:
    problem = hashFields(fields(work.matmul));
    break;
  case KernelFamily::Convolution:
    problem = hashFields(fields(work.convolution));
    break;
  case KernelFamily::Attention:
    problem = hashFields(fields(work.attention));
    break;
  case KernelFamily::Softmax:
  case KernelFamily::Normalization:
  case KernelFamily::Reduction:
    problem = hashFields(fields(work.rows));
    break;
  case KernelFamily::Collective:
    problem = hashFields(fields(work.collective));
    break;
  default:
    problem = hashFields(fields(work.elements));
  }
  return llvm::hash_combine(hashFields(scalars(work)), problem,
                            work.count.bytesRead, work.count.bytesWritten);
}

KernelWork gpucost::asOpaque(const KernelWork &work) {
  KernelWork opaque;
  opaque.family = KernelFamily::Opaque;
  opaque.instructions = InstructionClass::Copy;
  opaque.format = work.format;
  opaque.inputBits = work.inputBits;
  opaque.outputBits = work.outputBits;
  opaque.elements = {saturatingSum(work.count.bytesWritten, 3) / 4, false};
  opaque.count = work.count;
  return opaque;
}

namespace {

/// "name=value" pairs, separated by spaces.
class ProblemText {
public:
  ProblemText &add(const char *name, int64_t value) {
    return word(std::string(name) + "=" + std::to_string(value));
  }
  ProblemText &word(const std::string &text) {
    words += words.empty() ? text : " " + text;
    return *this;
  }
  std::string words;
};

} // namespace

static void describe(const MatmulProblem &p, ProblemText &text) {
  if (p.batch != 1)
    text.add("b", p.batch);
  text.add("m", p.m).add("n", p.n).add("k", p.k);
}

static void describe(const ConvolutionProblem &p, ProblemText &text) {
  auto sizes = [](int64_t a, int64_t b) {
    return std::to_string(a) + "x" + std::to_string(b);
  };
  text.add("n", p.batch).add("c", p.channels);
  text.word("hw=" + sizes(p.height, p.width)).add("oc", p.outChannels);
  text.word("k=" + sizes(p.kernelHeight, p.kernelWidth));
  text.add("s", p.strideHeight);
  if (p.groups != 1)
    text.add("g", p.groups);
  if (p.pass != ConvolutionPass::Forward)
    text.word(p.pass == ConvolutionPass::InputGradient ? "dgrad" : "wgrad");
}

static void describe(const AttentionProblem &p, ProblemText &text) {
  text.add("b", p.batch).add("h", p.heads);
  if (p.kvHeads != p.heads)
    text.words += "/" + std::to_string(p.kvHeads);
  text.add("q", p.queryLength).add("kv", p.kvLength).add("d", p.headDim);
  if (p.causal)
    text.word("causal");
  if (p.backward)
    text.word("backward");
}

std::string gpucost::describeProblem(const KernelWork &work) {
  ProblemText text;
  switch (work.family) {
  case KernelFamily::Matmul:
    describe(work.matmul, text);
    break;
  case KernelFamily::Convolution:
    describe(work.convolution, text);
    break;
  case KernelFamily::Attention:
    describe(work.attention, text);
    break;
  case KernelFamily::Collective:
    text.word(stringifyCollectiveKind(work.collective.kind).str());
    text.add("bytes", work.collective.bytes);
    text.add("ranks", work.collective.ranks);
    break;
  case KernelFamily::Softmax:
  case KernelFamily::Normalization:
  case KernelFamily::Reduction:
    text.add("rows", work.rows.rows).add("cols", work.rows.cols);
    break;
  default:
    text.add("n", work.elements.elements);
  }
  return text.words;
}
