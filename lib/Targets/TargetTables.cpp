//===- TargetTables.cpp - Targets for libraries without MLIR --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/TargetTables.h"
#include "TargetFile.h"
#include "gpucost/Archive/TargetData.h"
#include "gpucost/Targets/EmbeddedFile.h"
#include "gpucost/Targets/TargetRegistry.h"

using namespace mlir;
using namespace gpucost;

llvm::Expected<std::string> gpucost::printTargetTables(MLIRContext *context) {
  std::vector<CompiledTarget> targets;
  for (const EmbeddedFile &file : embeddedTargets()) {
    auto data = parseDataFile(context, file.content, file.name);
    if (!data)
      return data.takeError();
    if (!data->gpu || data->coefficientsFrom.empty())
      return llvm::createStringError(
          file.name + ": a shipped target names its set of coefficients");
    targets.push_back({data->gpu.getValue(), defaultFormatOf(*data),
                       data->aliases, data->coefficientsFrom,
                       data->transferredFrom});
  }
  std::vector<std::pair<std::string, Coefficients>> sets;
  for (const EmbeddedFile &file : embeddedCoefficients()) {
    // The shared groups stand once, in their own table.
    auto data = parseDataFile(context, file.content, file.name);
    if (!data)
      return data.takeError();
    if (!data->coefficients)
      return llvm::createStringError(file.name + ": expected coefficients");
    sets.emplace_back(file.name.str(), data->coefficients.getValue());
  }
  return writeTables(targets, sets);
}

llvm::Expected<std::string>
gpucost::compileTarget(MLIRContext *context, StringRef text, StringRef name) {
  auto data = parseDataFile(context, text, name);
  if (!data)
    return data.takeError();
  if (!data->gpu && !data->coefficients)
    return llvm::createStringError(
        name + ": expected 'gpucost.gpu' or 'gpucost.coefficients'");
  TargetData target;
  target.aliases = data->aliases;
  if (data->gpu) {
    target.gpu = data->gpu.getValue();
    target.defaultFormat = defaultFormatOf(*data);
  }
  auto coefficients = coefficientsOf(context, *data, name);
  if (!coefficients)
    return coefficients.takeError();
  target.coefficients = coefficients->getValue();
  if (!data->coefficients && data->transferredFrom.empty())
    target.coefficientsName = data->coefficientsFrom;
  return encodeTarget(target);
}
