//===- CalibrationPrior.cpp - Prior of a calibration ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/CalibrationPrior.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <cmath>
#include <tuple>

using namespace gpucost;

static auto distance(const DataFile &shipped, const Gpu &b) {
  const Gpu &a = *shipped.gpu;
  int generations = generationsBetween(a.architecture, b.architecture);
  bool otherMemory = a.hasStackedMemory() != b.hasStackedMemory();
  double bandwidth = std::abs(std::log(a.dramBandwidth / b.dramBandwidth));
  return std::make_tuple(generations, otherMemory, bandwidth,
                         !shipped.transferredFrom.empty());
}

/// The shipped GPU that is most similar to `gpu`; of several, one that was
/// measured.
static const DataFile &findNearest(const Gpu &gpu) {
  const DataFile *nearest = &compiledTarget(0);
  for (size_t i = 1; i < embeddedTargets().size(); ++i)
    if (distance(compiledTarget(i), gpu) < distance(*nearest, gpu))
      nearest = &compiledTarget(i);
  return *nearest;
}

static Expected<CalibrationPrior> startFromNearest(const DataFile &data,
                                                   std::string_view format) {
  auto chosen = parseFormatOfTargetFile(format);
  if (!chosen)
    return fail(chosen.error());
  const DataFile &nearest = findNearest(*data.gpu);
  CalibrationPrior prior;
  prior.target.target = {
      *data.gpu,
      chosen->value_or(data.defaultFormat.value_or(NumericFormat::FP32))};
  prior.target.coefficients =
      cantFail(coefficientsOf(nearest, nearest.gpu->name));
  prior.description = concat("the coefficients of '", nearest.gpu->name,
                             "', the nearest shipped GPU");
  prior.foreignGroups = namesOf(presentGroups(prior.target.coefficients));
  return prior;
}

Expected<CalibrationPrior>
gpucost::chooseCalibrationPrior(const Scenario &scenario) {
  std::string targetFile = scenario.targetFile.value_or(""),
              coefficients = scenario.coefficients.value_or("");
  bool isTransferredSet = false;
  if (!targetFile.empty() && coefficients.empty()) {
    Expected<DataFile> data = readDataFile(targetFile);
    if (!data)
      return fail(data.error());
    if (data->gpu && !data->coefficients && data->coefficientsFrom.empty())
      return startFromNearest(*data, scenario.target.value_or(""));
    isTransferredSet = !data->coefficients;
  }
  Expected<TargetChoice> choice = chooseTarget(scenario);
  if (!choice)
    return fail(choice.error());
  CalibrationPrior prior;
  prior.target = *std::move(choice);
  const Coefficients &set = prior.target.coefficients;
  prior.foreignGroups =
      namesOf(isTransferredSet ? presentGroups(set) : transferredGroups(set));
  const std::string &named = coefficients.empty() ? targetFile : coefficients;
  prior.description =
      concat(coefficients.empty() ? "the coefficients of '" : "'",
             named.empty() ? prior.target.target.gpu.name : named, "'");
  return prior;
}
