//===- Restate.cpp - Changed settings of prepared models ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>

using namespace gpucost;

ScenarioTarget gpucost::getScenarioTarget(const Gpu &gpu,
                                          const Coefficients &coefficients,
                                          NumericFormat format) {
  ScenarioTarget facts;
  facts.gpu = gpu.name;
  facts.format = format;
  facts.minClock = gpu.minClock;
  facts.maxClock = gpu.maxClock;
  for (const FormatInfo &info : formatInfos)
    if (const FormatRate *rate = gpu.find(info.format);
        rate && rate->flopsPerClock > 0)
      facts.formats.insert(info.format);
  facts.computeCapability = gpu.computeCapability;
  facts.gpusPerNode = gpu.gpusPerNode;
  if (const auto &links = coefficients.collectives;
      links && links->network && links->network->gpus > 0) {
    facts.gpusPerNode = links->network->gpus;
    facts.network = links->network->name;
  }
  return facts;
}

ScenarioTarget gpucost::getScenarioTarget(const CostModel &model,
                                          NumericFormat format) {
  return getScenarioTarget(model.gpu(), model.coefficients(), format);
}

std::string gpucost::findOtherKernels(const Settings &a, const Settings &b) {
  std::vector<std::string_view> flags;
  forEachSetting([&](const auto &row) {
    if (row.affects == SettingEffect::Kernels &&
        !(a.*row.resolved == b.*row.resolved))
      flags.push_back(row.flag);
  });
  if (a.format != b.format)
    flags.push_back("number format");
  return joinNames(flags, ", ");
}

KernelUnits gpucost::kernelUnits(const ScenarioTarget &gpu) {
  constexpr double ampere = 8;
  FormatSet deciding;
  for (const FormatInfo &info : formatInfos)
    if (gpu.formats.contains(info.format) &&
        (hasFewBits(info.format) || info.format == NumericFormat::TF32))
      deciding.insert(info.format);
  return {deciding, gpu.computeCapability.value_or(ampere) >= ampere};
}

/// Whether matmuls of tensors quantised to `format` compute in that format on
/// only one of the two GPUs.
static bool quantisesElsewhere(const PreparedModel &prepared,
                               NumericFormat format, bool has, bool willHave) {
  if (has == willHave)
    return false;
  if (has)
    return std::any_of(prepared.works.begin(), prepared.works.end(),
                       [&](const KernelWork &work) {
                         return work.format == format &&
                                work.family != KernelFamily::Elementwise;
                       });
  return std::any_of(prepared.kinds.begin(), prepared.kinds.end(),
                     [](const KernelKind &kind) {
                       return kind.op == "onnx.DequantizeLinear";
                     });
}

/// Why `to` runs different kernels than those prepared for `from`, as a
/// message; empty if the kernels are the same. Attention on fp32 tensors is one
/// kernel if TF32 is available (A11), else separate kernels with a softmax.
static std::string findOtherUnits(const PreparedModel &prepared,
                                  const KernelUnits &from,
                                  const KernelUnits &to) {
  bool hadTf32 = from.formats.contains(NumericFormat::TF32);
  if (prepared.format == NumericFormat::FP32 &&
      hadTf32 != to.formats.contains(NumericFormat::TF32) &&
      std::any_of(prepared.works.begin(), prepared.works.end(),
                  [&](const KernelWork &work) {
                    return hadTf32 ? work.is<AttentionProblem>()
                                   : work.family == KernelFamily::Softmax;
                  }))
    return "fp32 attention with and without TF32 units";
  if (hasFewBits(prepared.format) && from.bf16 != to.bf16)
    return "tensors in bf16 and in fp16";
  for (const FormatInfo &info : formatInfos)
    if (hasFewBits(info.format) &&
        quantisesElsewhere(prepared, info.format,
                           from.formats.contains(info.format),
                           to.formats.contains(info.format)))
      return concat("products of quantised tensors with and without ",
                    info.bits, "-bit units");
  return {};
}

Expected<std::shared_ptr<const PreparedModel>>
gpucost::restate(const PreparedModel &prepared, const ScenarioTarget &from,
                 const Scenario &changes, const ScenarioTarget &target) {
  auto changed = std::make_shared<PreparedModel>(prepared);
  stateAll(changed->given, changes);
  if (std::string fault = findFault(changed->given, target); !fault.empty())
    return fail(fault);
  changed->settings = resolve(changed->given, target);
  if (std::string others =
          findOtherKernels(prepared.settings, changed->settings);
      !others.empty())
    return fail("the model is prepared for other settings (" + others + ")");
  if (std::string units =
          findOtherUnits(prepared, kernelUnits(from), kernelUnits(target));
      !units.empty())
    return fail("the model is prepared for '" + from.gpu + "', and '" +
                target.gpu + "' runs different kernels (" + units +
                "); prepare it for this GPU");
  return changed;
}
