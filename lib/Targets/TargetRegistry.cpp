//===- TargetRegistry.cpp - From --target=a100-bf16 to attributes ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/TargetRegistry.h"
#include "TargetFile.h"
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

/// The target called `name`, or null.
static const EmbeddedFile *findTarget(StringRef name) {
  if (const EmbeddedFile *file = findFile(embeddedTargets(), name))
    return file;
  for (const EmbeddedFile &file : embeddedTargets())
    if (llvm::is_contained(scanAliases(file.content), name))
      return &file;
  return nullptr;
}

/// A suffix that was meant as a format: at most two letters away from one.
static bool looksLikeFormat(StringRef suffix) {
  for (unsigned i = 0; i <= getMaxEnumValForNumericFormat(); ++i)
    if (suffix.edit_distance(
            stringifyNumericFormat(static_cast<NumericFormat>(i))) <= 2)
      return true;
  return false;
}

static llvm::Error unknownTarget(StringRef spec, StringRef base) {
  std::vector<StringRef> names;
  for (const EmbeddedFile &file : embeddedTargets()) {
    names.push_back(file.name);
    llvm::append_range(names, scanAliases(file.content));
  }
  // Names that the user's text begins, else one that is nearly the same.
  std::string suggestion;
  for (StringRef name : names)
    if (!base.empty() && name.starts_with(base))
      suggestion += (suggestion.empty() ? "'" : " or '") + name.str() + "'";
  if (suggestion.empty()) {
    unsigned least = base.size() / 3 + 1;
    for (StringRef name : names)
      if (unsigned edits = base.edit_distance(name, true, least);
          edits < least) {
        suggestion = "'" + name.str() + "'";
        least = edits;
      }
  }
  return llvm::createStringError(
      "unknown target '" + spec + "'; " +
      (suggestion.empty() ? "" : "did you mean " + suggestion + "? ") +
      "'--list-targets' shows all");
}

static llvm::Error unknownFormat(const Gpu &gpu, StringRef format) {
  std::string formats;
  for (const FormatRate &rate : gpu.formats)
    formats += (formats.empty() ? "" : ", ") +
               std::string(stringifyNumericFormat(rate.format));
  return llvm::createStringError("'" + gpu.name + "' has no " + format +
                                 "; its formats are " + formats);
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

static llvm::Expected<CoefficientsAttr>
coefficientsOf(MLIRContext *context, const DataFile &data, StringRef file) {
  if (data.coefficients)
    return data.coefficients;
  if (data.coefficientsFrom.empty())
    return llvm::createStringError(
        file + ": expected 'gpucost.coefficients' or the name of a set in "
               "'gpucost.coefficients_from'");
  const EmbeddedFile *set =
      findFile(embeddedCoefficients(), data.coefficientsFrom);
  if (!set)
    return llvm::createStringError(file + ": unknown coefficient set '" +
                                   data.coefficientsFrom + "'");
  return findEmbeddedCoefficients(context, data.coefficientsFrom);
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
    return parsed->coefficients;
  return llvm::createStringError("coefficient set '" + name +
                                 "' has no 'gpucost.coefficients'");
}

static NumericFormat defaultFormatOf(const DataFile &data) {
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
    return unknownFormat(data.gpu.getValue(), stringifyNumericFormat(chosen));
  resolved.coefficients = own;
  if (!own) {
    auto coefficients = coefficientsOf(context, data, file);
    if (!coefficients)
      return coefficients.takeError();
    resolved.coefficients = *coefficients;
    if (!data.coefficients)
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
  std::string lower = spec.lower();
  StringRef base = lower, suffix;
  std::optional<NumericFormat> format;
  const EmbeddedFile *file = findTarget(base);
  if (!file) {
    std::tie(base, suffix) = StringRef(lower).rsplit('-');
    format = symbolizeNumericFormat(suffix);
    bool meant = format || looksLikeFormat(suffix);
    file = meant ? findTarget(base) : nullptr;
    if (!file)
      return unknownTarget(spec, meant ? base : StringRef(lower));
  }
  auto data = parseEmbedded(context, *file, "targets");
  if (!data)
    return data.takeError();
  if (!suffix.empty() && !format && data->gpu)
    return unknownFormat(data->gpu.getValue(), suffix);
  return finish(context, *data, file->name, format);
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
    return data->coefficients;
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
