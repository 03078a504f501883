//===- KernelWork.cpp - Exact counts and keys of a kernel -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/KernelWork.h"
#include "gpucost/Support/CheckedMath.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <tuple>

using namespace gpucost;

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

static auto scalars(const KernelWork &w) {
  return std::tie(w.family, w.instructions, w.format, w.inputBits, w.outputBits,
                  w.count.tensorFlops, w.count.fp32Flops, w.count.specialOps,
                  w.count.bytesRead, w.count.bytesWritten);
}

bool gpucost::operator==(const KernelWork &a, const KernelWork &b) {
  return scalars(a) == scalars(b) && a.problem == b.problem;
}

llvm::hash_code gpucost::hash_value(const KernelWork &work) {
  return std::visit(
      [&](const auto &problem) {
        return llvm::hash_combine(work.family, work.instructions, work.format,
                                  work.inputBits, work.outputBits,
                                  hash_value(problem), work.count.bytesRead,
                                  work.count.bytesWritten);
      },
      work.problem);
}

bool gpucost::problemFits(KernelFamily family, const Problem &problem) {
  switch (family) {
#define GPUCOST_FAMILY(Case, model, ProblemType)                               \
  case KernelFamily::Case:                                                     \
    return std::holds_alternative<ProblemType>(problem);
#include "Families/Families.def"
#undef GPUCOST_FAMILY
  }
  return false;
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static void describe(const MatmulProblem &p, llvm::raw_ostream &os) {
  if (p.batch != 1)
    os << "b=" << p.batch << ' ';
  os << "m=" << p.m << " n=" << p.n << " k=" << p.k;
}

static void describe(const ConvolutionProblem &p, llvm::raw_ostream &os) {
  os << "n=" << p.batch << " c=" << p.channels << " hw=" << p.height << 'x'
     << p.width << " oc=" << p.outChannels << " k=" << p.kernelHeight << 'x'
     << p.kernelWidth << " s=" << p.strideHeight;
  if (p.groups != 1)
    os << " g=" << p.groups;
  if (p.pass != ConvolutionPass::Forward)
    os << ' ' << (p.pass == ConvolutionPass::InputGradient ? "dgrad" : "wgrad");
}

static void describe(const AttentionProblem &p, llvm::raw_ostream &os) {
  os << "b=" << p.batch << " h=" << p.heads;
  if (p.kvHeads != p.heads)
    os << '/' << p.kvHeads;
  os << " q=" << p.queryLength << " kv=" << p.kvLength << " d=" << p.headDim
     << (p.causal ? " causal" : "") << (p.backward ? " backward" : "");
}

static void describe(const CollectiveProblem &p, llvm::raw_ostream &os) {
  os << stringifyCollectiveKind(p.kind) << " bytes=" << p.bytes
     << " world_size=" << p.worldSize;
}

static void describe(const RowsProblem &p, llvm::raw_ostream &os) {
  os << "rows=" << p.rows << " cols=" << p.cols;
}

static void describe(const ElementsProblem &p, llvm::raw_ostream &os) {
  os << "n=" << p.elements;
}

std::string gpucost::describeProblem(const KernelWork &work) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::visit([&](const auto &problem) { describe(problem, os); }, work.problem);
  return text;
}

KernelWork gpucost::asOpaque(const KernelWork &work) {
  KernelWork opaque = work;
  opaque.family = KernelFamily::Opaque;
  opaque.instructions = InstructionClass::Copy;
  opaque.problem =
      ElementsProblem{saturatingSum(work.count.bytesWritten, 3) / 4};
  return opaque;
}

std::optional<int64_t> gpucost::collectiveBytes(CollectiveKind kind,
                                                int64_t bytes,
                                                int64_t worldSize) {
  int64_t passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  return checkedProduct({bytes / worldSize, worldSize - 1, passes});
}
