//===- Coefficients.cpp - Groups of a set ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Support/QuantityText.h"
#include <algorithm>

using namespace gpucost;

const KernelError *gpucost::findError(const KernelErrors &errors,
                                      ErrorClass kind, std::string_view gpu) {
  const KernelError *common = nullptr;
  for (const KernelError &error : errors) {
    if (error.kind != kind)
      continue;
    if (error.gpu == gpu)
      return &error;
    if (error.gpu.empty())
      common = &error;
  }
  return common;
}

/// Whether kernels in `format` use the group.
static bool isNeeded(GroupUse use, NumericFormat format) {
  switch (use) {
  case GroupUse::Always:
    return true;
  case GroupUse::TensorFormats:
    return format != NumericFormat::FP32;
  case GroupUse::Fp32:
    return format == NumericFormat::FP32;
  case GroupUse::Never:
  case GroupUse::AnyDie:
    return false;
  }
  return false;
}

void gpucost::markTransferred(Coefficients &coefficients,
                              const std::string &from) {
  forEachGroup(coefficients, [&](const GroupInfo &info, auto &group) {
    if (group && group->transferredFrom.empty() && info.use != GroupUse::AnyDie)
      group->transferredFrom = from;
  });
}

double gpucost::tensorRateShare(const Gpu &gpu, const Gpu &measured) {
  for (NumericFormat format : {NumericFormat::BF16, NumericFormat::FP16}) {
    const FormatRate *own = gpu.find(format), *other = measured.find(format);
    if (own && other && other->flopsPerClock > 0)
      return static_cast<double>(own->flopsPerClock) /
             static_cast<double>(other->flopsPerClock);
  }
  return 1;
}

void gpucost::removeInlineEcc(Coefficients &coefficients) {
  if (!coefficients.inlineEcc)
    return;
  const InlineEccCoefficients ecc = *coefficients.inlineEcc;
  // No kernel exceeds the rate of copies, except one that did so before.
  auto adapt = [&](auto &set) {
    double &own = set.dramEfficiency;
    own = std::min(own / ecc.bandwidthShare, std::max(own, ecc.dramEfficiency));
    if (!set.transferredFrom.empty())
      set.transferredFrom += " without inline ECC";
  };
  auto adaptIf = [&](auto &set) {
    if (set)
      adapt(*set);
  };
  auto adaptAll = [&](auto &sets) {
    for (auto &set : sets)
      adapt(set);
  };
  adaptIf(coefficients.tensorGemm);
  adaptIf(coefficients.simtLinear);
  adaptIf(coefficients.simtBatched);
  adaptIf(coefficients.simtConv);
  adaptIf(coefficients.streaming);
  if (coefficients.streaming)
    coefficients.streaming->writeCost = 1;
  adaptIf(coefficients.decode);
  for (auto *set : attentionGroups(coefficients))
    adaptIf(*set);
  adaptAll(coefficients.causalOfDims);
  adaptAll(coefficients.fullOfDims);
  adaptAll(coefficients.decodeOfDims);
  for (auto *stacks :
       {&coefficients.attentionStacks, &coefficients.eightBitAttention})
    for (AttentionStack &stack : *stacks) {
      adaptIf(stack.causal);
      adaptIf(stack.full);
      adaptIf(stack.decode);
      adaptAll(stack.causalOfDims);
      adaptAll(stack.fullOfDims);
      adaptAll(stack.decodeOfDims);
    }
  for (LowPrecisionGemm &stack : coefficients.lowPrecision)
    adapt(stack.gemm);
}

Coefficients gpucost::transferTo(const Gpu &gpu, const Gpu &measured,
                                 Coefficients coefficients,
                                 const std::string &from) {
  double share = tensorRateShare(gpu, measured);
  auto adapt = [&](auto &set) {
    set.efficiency = 1 / (1 + share * (1 / set.efficiency - 1));
  };
  auto adaptAll = [&](auto &sets) {
    for (auto &set : sets)
      adapt(set);
  };
  for (auto *set : attentionGroups(coefficients))
    if (*set)
      adapt(**set);
  if (coefficients.tensorGemm)
    adapt(*coefficients.tensorGemm);
  adaptAll(coefficients.causalOfDims);
  adaptAll(coefficients.fullOfDims);
  for (auto *stacks :
       {&coefficients.attentionStacks, &coefficients.eightBitAttention})
    for (AttentionStack &stack : *stacks) {
      for (auto *own : {&stack.causal, &stack.full})
        if (*own)
          adapt(**own);
      adaptAll(stack.causalOfDims);
      adaptAll(stack.fullOfDims);
    }
  // Notes on these kernels name their origin.
  auto mark = [&](auto &set) {
    if (set.transferredFrom.empty())
      set.transferredFrom = from;
  };
  for (AttentionStack &stack : coefficients.eightBitAttention) {
    if (stack.causal)
      mark(*stack.causal);
    if (stack.decode)
      mark(*stack.decode);
    for (AttentionCoefficients &set : stack.causalOfDims)
      mark(set);
    for (DecodeCoefficients &set : stack.decodeOfDims)
      mark(set);
  }
  double slower = measured.maxClock / gpu.maxClock;
  auto slowDown = [&](TensorGemmCoefficients &set) {
    set.fixedTime *= slower;
    set.splitKTime *= slower;
    // (G2) Misaligned rows are loaded element by element, as fast on any SM.
    set.misalignedEfficiency = std::min(set.misalignedEfficiency / share, 1.0);
  };
  if (auto &set = coefficients.tensorGemm)
    slowDown(*set);
  for (LowPrecisionGemm &stack : coefficients.lowPrecision) {
    adapt(stack.gemm);
    slowDown(stack.gemm);
    mark(stack.gemm);
  }
  for (auto *set : {&coefficients.simtLinear, &coefficients.simtBatched})
    if (*set)
      (*set)->latency *= slower;
  if (auto &set = coefficients.simtConv)
    set->latency *= slower;
  // (N5) Long messages take longer on slower links.
  if (auto &set = coefficients.collectives;
      set && gpu.interconnect && measured.interconnect) {
    // A group of n GPUs uses n - 1 links of a GPU in a mesh.
    bool isMesh = gpu.interconnect->kind == InterconnectKind::XGMI &&
                  measured.interconnect->kind == InterconnectKind::XGMI;
    auto bandwidthOf = [&](const Gpu &board) {
      double links =
          isMesh ? std::max<double>(board.gpusPerNode.value_or(2) - 1, 1) : 1;
      return board.interconnect->bandwidth / links;
    };
    double ratio = bandwidthOf(gpu) / bandwidthOf(measured);
    for (CollectiveFit &fit : set->fits)
      fit.bandwidth *= ratio;
    // Notes show the provenance up to the first semicolon.
    if (ratio != 1)
      set->provenance.insert(
          std::min(set->provenance.find(';'), set->provenance.size()),
          ", bandwidth x " + toText(bandwidthOf(gpu)) + " / " +
              toText(bandwidthOf(measured)));
  }
  // (P4) Another die leaks in proportion to the power that its board may draw.
  if (auto &set = coefficients.power; set && gpu.die != measured.die) {
    double share = gpu.powerLimit / measured.powerLimit;
    for (Watts *idle : {&set->idleBase, &set->idleVoltage, &set->idleClock})
      *idle *= share;
  }
  markTransferred(coefficients, from);
  if (measured.inlineEcc && !gpu.inlineEcc)
    removeInlineEcc(coefficients);
  return coefficients;
}

void gpucost::completeWith(Coefficients &coefficients,
                           const Coefficients &shared) {
  // The groups of `shared` in order, as `forEachGroup` visits them.
  std::vector<const void *> known;
  forEachGroup(shared, [&](const GroupInfo &, const auto &group) {
    known.push_back(&group);
  });
  auto next = known.begin();
  forEachGroup(coefficients, [&](const GroupInfo &, auto &group) {
    const auto *other =
        static_cast<const std::decay_t<decltype(group)> *>(*next++);
    if (!group)
      group = *other;
  });
}

GroupSet gpucost::presentGroups(const Coefficients &coefficients) {
  GroupSet present;
  size_t index = 0;
  forEachGroup(coefficients, [&](const GroupInfo &, const auto &group) {
    present.set(index++, group.has_value());
  });
  return present;
}

std::string_view gpucost::groupName(CoefficientGroup group) {
  static constexpr std::string_view names[] = {
#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc)
#define GROUP(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use) keyword,
#include "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Support/EndRecords.inc"
#undef GROUP
#undef SET
  };
  return names[static_cast<size_t>(group)];
}

std::vector<std::string> gpucost::namesOf(const GroupSet &set) {
  std::vector<std::string> names;
  for (size_t i = 0; i < set.size(); ++i)
    if (set.test(i))
      names.emplace_back(groupName(static_cast<CoefficientGroup>(i)));
  return names;
}

GroupSet gpucost::transferredGroups(const Coefficients &coefficients) {
  GroupSet transferred;
  size_t index = 0;
  forEachGroup(coefficients, [&](const GroupInfo &, const auto &group) {
    transferred.set(index++, group && !group->transferredFrom.empty());
  });
  return transferred;
}

std::string gpucost::describeTransferred(const Coefficients &coefficients,
                                         std::optional<NumericFormat> format,
                                         const GroupSet &used) {
  std::string text;
  size_t index = 0;
  forEachGroup(coefficients, [&](const GroupInfo &info, const auto &group) {
    bool isUsed = used.test(index++);
    if (!group || group->transferredFrom.empty() ||
        (format && !isUsed && !isNeeded(info.use, *format)))
      return;
    text += (text.empty() ? "" : ", ") + std::string(info.name) + " from " +
            group->transferredFrom;
  });
  return text;
}

std::vector<std::string>
gpucost::missingGroups(const Coefficients &coefficients, NumericFormat format) {
  std::vector<std::string> missing;
  forEachGroup(coefficients, [&](const GroupInfo &info, const auto &group) {
    if (!group && isNeeded(info.use, format))
      missing.emplace_back(info.name);
  });
  return missing;
}
