//===- KernelWork.cpp - Exact counts and keys of a kernel -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Model/RecordTypes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <cctype>
#include <iterator>
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
  // (A16) As many tokens in documents of the same length.
  if (p.document > 0 && p.document < queries) {
    AttentionProblem one = p;
    one.batch = one.heads = one.headDim = 1, one.document = 0;
    one.queryLength = one.kvLength = p.document;
    int64_t scores = countFlops(one) / scoreFlops(p.backward);
    Saturating all =
        Saturating(queries) * (scores / p.document) +
        (Saturating(queries) * (scores % p.document)).value() / p.document;
    return (Saturating(scoreFlops(p.backward)) * p.batch * p.heads * all *
            p.headDim)
        .value();
  }
  int64_t offset = keys - queries; // position of the first query
  // (W2) Unmasked scores per head: a causal query at position x attends to
  // x + 1 keys, itself included, but at most `window`.
  Saturating scores = Saturating(queries) * keys;
  if (p.causal)
    scores = sumClamped(offset + 1, queries,
                        p.window > 0 ? std::min(keys, p.window) : keys);
  else if (p.window > 0) {
    // Only keys older than the window are dropped.
    int64_t dropped = sumClamped(offset + 1 - p.window, queries, keys).value();
    scores = scores.value() - dropped;
  }
  return (Saturating(scoreFlops(p.backward)) * p.batch * p.heads * scores *
          p.headDim)
      .value();
}

bool KernelWork::isTiled() const {
  return is<MatmulProblem>() || is<ConvolutionProblem>() ||
         is<AttentionProblem>();
}

static auto scalars(const KernelWork &w) {
  return std::tie(w.family, w.instructions, w.format, w.inputBits, w.outputBits,
                  w.count.tensorFlops, w.count.fp32Flops, w.count.specialOps,
                  w.count.bytesRead, w.count.bytesWritten,
                  w.count.fused.tensorFlops, w.count.fused.fp32Flops,
                  w.count.fused.specialOps, w.count.fused.bytes);
}

bool gpucost::operator==(const KernelWork &a, const KernelWork &b) {
  return scalars(a) == scalars(b) && a.problem == b.problem;
}

size_t gpucost::hash_value(const KernelWork &work) {
  size_t hash = std::visit(
      [](const auto &problem) { return hash_value(problem); }, work.problem);
  for (int64_t number :
       {static_cast<int64_t>(work.family),
        static_cast<int64_t>(work.instructions),
        static_cast<int64_t>(work.format), work.inputBits, work.outputBits,
        work.count.bytesRead, work.count.bytesWritten,
        work.count.fused.tensorFlops, work.count.fused.bytes})
    hash = combineHashes(hash, hashField(number));
  return hash;
}

bool gpucost::problemFits(KernelFamily family, const Problem &problem) {
  using Check = bool (*)(const Problem &);
  static constexpr Check checks[] = {
#define FAMILY(Case, text, ProblemType, ...)                                   \
  [](const Problem &each) { return std::holds_alternative<ProblemType>(each); },
#include "gpucost/Core/Vocabulary/Families.def"
  };
  auto index = static_cast<size_t>(family);
  return index < std::size(checks) && checks[index](problem);
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// All required fields and those with other values than `initial`: "bytes=8",
/// a name ("all_reduce") or a flag ("causal").
static std::string describeFields(const RecordType &type, void *problem,
                                  void *initial) {
  std::string text;
  std::vector<RecordField> fields = type.fields(problem),
                           defaults = type.fields(initial);
  for (size_t i = 0; i < fields.size(); ++i) {
    const RecordField &field = fields[i];
    if (!field.info->required &&
        field.type->equal(field.value, defaults[i].value))
      continue;
    std::string value;
    field.type->print(value, field.value);
    text += text.empty() ? "" : " ";
    if (value == "true")
      text += field.info->keyword;
    else if (std::isalpha(static_cast<unsigned char>(value.front())))
      text += value;
    else
      text.append(field.info->keyword).append("=").append(value);
  }
  return text;
}

/// A problem without a shorter form below.
template <typename P> static std::string describe(P problem) {
  P initial;
  return describeFields(recordType<P>(), &problem, &initial);
}

static std::string describe(const RowsProblem &p) {
  return "rows=" + std::to_string(p.rows) + " cols=" + std::to_string(p.cols);
}

static std::string describe(const MatmulProblem &p) {
  std::string batch = p.batch != 1 ? "b=" + std::to_string(p.batch) + " " : "";
  return batch + "m=" + std::to_string(p.m) + " n=" + std::to_string(p.n) +
         " k=" + std::to_string(p.k);
}

/// "2" along both axes, or "1x5".
static std::string describeSteps(int64_t height, int64_t width) {
  std::string text = std::to_string(height);
  return height == width ? text : text + "x" + std::to_string(width);
}

static std::string describe(const ConvolutionProblem &p) {
  std::string text =
      "n=" + std::to_string(p.batch) + " c=" + std::to_string(p.channels) +
      " hw=" + std::to_string(p.height) + "x" + std::to_string(p.width) +
      " oc=" + std::to_string(p.outChannels) +
      " k=" + std::to_string(p.kernelHeight) + "x" +
      std::to_string(p.kernelWidth) +
      " s=" + describeSteps(p.strideHeight, p.strideWidth);
  if (p.dilationHeight != 1 || p.dilationWidth != 1)
    text += " d=" + describeSteps(p.dilationHeight, p.dilationWidth);
  if (p.dims != 2)
    text += " dims=" + std::to_string(p.dims);
  if (p.groups != 1)
    text += " g=" + std::to_string(p.groups);
  if (p.pass != ConvolutionPass::Forward)
    text += p.pass == ConvolutionPass::InputGradient ? " dgrad" : " wgrad";
  return text;
}

static std::string describe(const AttentionProblem &p) {
  std::string text =
      "b=" + std::to_string(p.batch) + " h=" + std::to_string(p.heads);
  if (p.kvHeads != p.heads)
    text += "/" + std::to_string(p.kvHeads);
  text += " q=" + std::to_string(p.queryLength) +
          " kv=" + std::to_string(p.kvLength) +
          " d=" + std::to_string(p.headDim);
  if (p.window > 0)
    text += " window=" + std::to_string(p.window);
  if (p.document > 0)
    text += " document=" + std::to_string(p.document);
  return text + (p.causal ? " causal" : "") + (p.backward ? " backward" : "");
}

static std::string describe(const ElementsProblem &p) {
  return "n=" + std::to_string(p.elements);
}

std::string gpucost::describeProblem(const KernelWork &work) {
  return std::visit([](const auto &problem) { return describe(problem); },
                    work.problem);
}

int64_t gpucost::opaqueElements(int64_t bytes) {
  constexpr int64_t elementBytes = opaqueBits / 8;
  return saturatingSum(bytes, elementBytes - 1) / elementBytes;
}

KernelWork gpucost::asOpaque(const KernelWork &work) {
  KernelWork opaque = work;
  opaque.family = KernelFamily::Opaque;
  opaque.instructions = InstructionClass::Copy;
  opaque.count.fused = {};
  opaque.problem = ElementsProblem{opaqueElements(work.count.bytesWritten)};
  return opaque;
}

std::optional<int64_t> gpucost::collectiveBytes(CollectiveKind kind,
                                                int64_t bytes,
                                                int64_t worldSize) {
  if (isHostCopy(kind))
    return bytes;
  if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::SendRecv)
    return worldSize > 1 ? bytes : 0;
  int64_t passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  return checkedProduct({bytes / worldSize, worldSize - 1, passes});
}
