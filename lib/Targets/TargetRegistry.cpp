//===- TargetRegistry.cpp - From --target=a100-bf16 to attributes ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/TargetRegistry.h"
#include "TargetFile.h"
#include "gpucost/Archive/TargetData.h"
#include "gpucost/Archive/TargetNames.h"
#include "gpucost/LLVMSupport/Errors.h"
#include "gpucost/Targets/EmbeddedFile.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace gpucost;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static const EmbeddedFile *findFile(ArrayRef<EmbeddedFile> files,
                                    StringRef name) {
  for (const EmbeddedFile &file : files)
    if (file.name == name)
      return &file;
  return nullptr;
}

/// What every target is called.
static std::vector<TargetNames> listNames() {
  std::vector<TargetNames> names;
  for (const EmbeddedFile &file : embeddedTargets()) {
    std::vector<StringRef> aliases = scanAliases(file.content);
    names.push_back({file.name, {aliases.begin(), aliases.end()}});
  }
  return names;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static llvm::Expected<DataFile> parseEmbedded(MLIRContext *context,
                                              const EmbeddedFile &file,
                                              StringRef folder) {
  return parseDataFile(context, file.content,
                       (folder + "/" + file.name + ".mlir").str());
}

CoefficientsAttr gpucost::complete(CoefficientsAttr coefficients) {
  if (isComplete(coefficients.getValue()))
    return coefficients;
  Coefficients set = coefficients.getValue();
  completeCoefficients(set);
  return CoefficientsAttr::get(coefficients.getContext(), set);
}

llvm::Expected<CoefficientsAttr> gpucost::coefficientsOf(MLIRContext *context,
                                                         const DataFile &data,
                                                         StringRef file) {
  if (data.coefficients)
    return complete(data.coefficients);
  if (data.coefficientsFrom.empty())
    return llvm::createStringError(
        file + ": expected 'gpucost.coefficients' or the name of a set in "
               "'gpucost.coefficients_from'");
  const EmbeddedFile *set =
      findFile(embeddedCoefficients(), data.coefficientsFrom);
  if (!set)
    return llvm::createStringError(file + ": unknown coefficient set '" +
                                   data.coefficientsFrom + "'");
  auto found = findEmbeddedCoefficients(context, data.coefficientsFrom);
  if (!found || data.transferredFrom.empty())
    return found;
  const EmbeddedFile *board =
      findFile(embeddedTargets(), data.coefficientsFrom);
  if (!board || !data.gpu)
    return llvm::createStringError(
        file + ": 'gpucost.transferred_from' needs a GPU, and a set of "
               "coefficients that has the name of its board");
  auto measured = parseEmbedded(context, *board, "targets");
  if (!measured)
    return measured.takeError();
  return CoefficientsAttr::get(
      context, transferTo(data.gpu.getValue(), measured->gpu.getValue(),
                          found->getValue(), data.transferredFrom));
}

llvm::Expected<CoefficientsAttr>
gpucost::findEmbeddedCoefficients(MLIRContext *context, StringRef name) {
  const EmbeddedFile *set = findFile(embeddedCoefficients(), name);
  if (!set)
    return llvm::createStringError("unknown coefficient set '" + name + "'");
  auto parsed = parseEmbedded(context, *set, "calibration/coefficients");
  if (!parsed)
    return parsed.takeError();
  if (parsed->coefficients)
    return complete(parsed->coefficients);
  return llvm::createStringError("coefficient set '" + name +
                                 "' has no 'gpucost.coefficients'");
}

NumericFormat gpucost::defaultFormatOf(const DataFile &data) {
  if (data.defaultFormat)
    return *data.defaultFormat;
  for (NumericFormat format : {NumericFormat::BF16, NumericFormat::FP16})
    if (data.gpu->find(format))
      return format;
  return NumericFormat::FP32;
}

static llvm::Expected<ResolvedTarget>
finish(MLIRContext *context, const DataFile &data, StringRef file,
       std::optional<NumericFormat> format, CoefficientsAttr own = {}) {
  if (!data.gpu)
    return llvm::createStringError(file +
                                   ": expected a 'gpucost.gpu' attribute");
  ResolvedTarget resolved;
  resolved.formatIsDefault = !format;
  NumericFormat chosen = format.value_or(defaultFormatOf(data));
  if (!data.gpu->find(chosen))
    return llvm::createStringError(
        unknownFormat(data.gpu.getValue(), stringifyNumericFormat(chosen)));
  resolved.coefficients = own;
  if (!own) {
    auto coefficients = coefficientsOf(context, data, file);
    if (!coefficients)
      return coefficients.takeError();
    resolved.coefficients = *coefficients;
    if (!data.coefficients && data.transferredFrom.empty())
      resolved.coefficientsName = data.coefficientsFrom;
  }
  resolved.target = TargetAttr::get(context, {data.gpu.getValue(), chosen});
  return resolved;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

llvm::Expected<ResolvedTarget> gpucost::resolveTarget(MLIRContext *context,
                                                      StringRef spec) {
  auto match = matchTarget(listNames(), spec);
  if (!match)
    return toLLVMError(match.error());
  const EmbeddedFile &file = embeddedTargets()[match->index];
  auto data = parseEmbedded(context, file, "targets");
  if (!data)
    return data.takeError();
  if (!match->formatName.empty() && !match->format && data->gpu)
    return llvm::createStringError(
        unknownFormat(data->gpu.getValue(), match->formatName));
  return finish(context, *data, file.name, match->format);
}

llvm::Expected<ResolvedTarget>
gpucost::resolveTargetFile(MLIRContext *context, StringRef path,
                           std::optional<NumericFormat> format,
                           CoefficientsAttr coefficients) {
  auto data = readDataFile(context, path);
  if (!data)
    return data.takeError();
  return finish(context, *data, path, format, coefficients);
}

llvm::Expected<CoefficientsAttr> gpucost::loadCoefficients(MLIRContext *context,
                                                           StringRef path) {
  auto data = readDataFile(context, path);
  if (!data)
    return data.takeError();
  if (data->coefficients)
    return complete(data->coefficients);
  return llvm::createStringError(
      path + ": expected a 'gpucost.coefficients' attribute");
}

std::optional<StringRef> gpucost::findBoardOfChip(StringRef chip) {
  // Code for one architecture alone, "sm_90a", runs on the same boards.
  StringRef base = chip.rtrim("af");
  for (const EmbeddedFile &file : embeddedTargets()) {
    StringRef after =
        file.content.split("gpucost.assumed_for = \"").second.split('"').first;
    if (!base.empty() && after == base)
      return file.name;
  }
  return std::nullopt;
}

llvm::Expected<std::vector<TargetSummary>>
gpucost::listTargets(MLIRContext *context) {
  std::vector<TargetSummary> targets;
  for (const EmbeddedFile &file : embeddedTargets()) {
    auto data = parseEmbedded(context, file, "targets");
    if (!data)
      return data.takeError();
    auto resolved = finish(context, *data, file.name, std::nullopt);
    if (!resolved)
      return resolved.takeError();
    TargetSummary summary;
    summary.name = data->gpu->name;
    summary.die = data->gpu->die;
    summary.aliases = data->aliases;
    for (const FormatRate &rate : data->gpu->formats)
      summary.formats.push_back(rate.format);
    summary.defaultFormat = resolved->target->format;
    summary.transferred =
        describeTransferred(resolved->coefficients.getValue());
    targets.push_back(std::move(summary));
  }
  return targets;
}

/// Everything but the syntax: name, coefficients, and a group for each format.
static llvm::Expected<std::string>
checkTarget(MLIRContext *context, const DataFile &data, StringRef path) {
  StringRef name = data.gpu->name;
  if (name != llvm::sys::path::stem(path))
    return llvm::createStringError(path + ": expected the file's name to be '" +
                                   name + ".mlir'");
  auto resolved = finish(context, data, path, std::nullopt);
  if (!resolved)
    return resolved.takeError();
  for (const FormatRate &rate : data.gpu->formats)
    for (const std::string &group :
         missingGroups(resolved->coefficients.getValue(), rate.format))
      return llvm::createStringError(
          path + ": " + StringRef(stringifyNumericFormat(rate.format)) +
          " needs the coefficient group '" + group + "'");
  return name.str();
}

bool gpucost::checkTargetFile(MLIRContext *context, StringRef path,
                              llvm::raw_ostream &os) {
  auto data = readDataFile(context, path);
  llvm::Expected<std::string> name =
      !data       ? data.takeError()
      : data->gpu ? checkTarget(context, *data, path)
      : data->coefficients
          ? llvm::Expected<std::string>(llvm::sys::path::stem(path).str())
          : llvm::Expected<std::string>(llvm::createStringError(
                path + ": expected 'gpucost.gpu' or 'gpucost.coefficients'"));
  if (!name) {
    os << llvm::toString(name.takeError()) << '\n';
    return false;
  }
  os << "ok " << *name << '\n';
  return true;
}
