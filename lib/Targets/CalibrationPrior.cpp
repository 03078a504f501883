//===- CalibrationPrior.cpp - Where a calibration starts ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/CalibrationPrior.h"
#include "TargetFile.h"
#include "gpucost/Targets/CoefficientsWriter.h"
#include "gpucost/Targets/EmbeddedFile.h"
#include "gpucost/Targets/TargetOptions.h"
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace gpucost;

static auto distance(const Gpu &a, const Gpu &b) {
  int generations = std::abs(static_cast<int>(a.architecture) -
                             static_cast<int>(b.architecture));
  bool otherMemory = a.hasStackedMemory() != b.hasStackedMemory();
  double bandwidth = std::abs(std::log(a.dramBandwidth / b.dramBandwidth));
  return std::make_tuple(generations, otherMemory, bandwidth);
}

/// The shipped GPU that is most like `gpu`.
static llvm::Expected<ResolvedTarget> findNearest(MLIRContext *context,
                                                  const Gpu &gpu) {
  std::optional<ResolvedTarget> nearest;
  for (const EmbeddedFile &file : embeddedTargets()) {
    llvm::Expected<ResolvedTarget> candidate =
        resolveTarget(context, file.name);
    if (!candidate)
      return candidate.takeError();
    if (!nearest || distance(candidate->target->gpu, gpu) <
                        distance(nearest->target->gpu, gpu))
      nearest = *candidate;
  }
  if (nearest)
    return *nearest;
  return llvm::createStringError("no target is built in");
}

static llvm::Expected<CalibrationPrior> resolveFromNearest(MLIRContext *context,
                                                           const DataFile &data,
                                                           StringRef format) {
  auto chosen = parseFormatOfTargetFile(format);
  if (!chosen)
    return chosen.takeError();
  llvm::Expected<ResolvedTarget> nearest =
      findNearest(context, data.gpu.getValue());
  if (!nearest)
    return nearest.takeError();
  CalibrationPrior prior;
  prior.description = "the coefficients of '" + nearest->target->gpu.name +
                      "', the nearest shipped GPU";
  prior.foreignGroups =
      namesOf(presentGroups(nearest->coefficients.getValue()));
  prior.target.coefficients = nearest->coefficients;
  prior.target.target = TargetAttr::get(
      context,
      {data.gpu.getValue(),
       chosen->value_or(data.defaultFormat.value_or(NumericFormat::FP32))});
  return prior;
}

llvm::Expected<CalibrationPrior>
gpucost::resolveCalibrationPrior(MLIRContext *context, StringRef target,
                                 StringRef targetFile,
                                 StringRef coefficientsFile) {
  bool isTransferredSet = false;
  if (!targetFile.empty() && coefficientsFile.empty()) {
    llvm::Expected<DataFile> data = readDataFile(context, targetFile);
    if (!data)
      return data.takeError();
    if (data->gpu && !data->coefficients && data->coefficientsFrom.empty())
      return resolveFromNearest(context, *data, target);
    isTransferredSet = !data->coefficients;
  }
  llvm::Expected<ResolvedTarget> resolved =
      resolveTargetOptions(context, target, targetFile, coefficientsFile);
  if (!resolved)
    return resolved.takeError();
  CalibrationPrior prior;
  prior.target = *resolved;
  if (!coefficientsFile.empty())
    prior.description = "'" + coefficientsFile.str() + "'";
  else if (!targetFile.empty())
    prior.description = "the coefficients of '" + targetFile.str() + "'";
  else
    prior.description =
        "the coefficients of '" + resolved->target->gpu.name + "'";
  prior.foreignGroups = namesOf(
      isTransferredSet ? presentGroups(resolved->coefficients.getValue())
                       : transferredGroups(resolved->coefficients.getValue()));
  return prior;
}
