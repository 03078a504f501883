//===- TargetChoice.cpp - GPU selection by options ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/TargetChoice.h"
#include "gpucost/Core/Model/GpuFacts.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Targets/Links.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gpucost/Core/Targets/TargetNames.h"
#include <fstream>

using namespace gpucost;

static Expected<TargetChoice> finish(const DataFile &data,
                                     std::string_view file,
                                     std::optional<NumericFormat> format,
                                     const Coefficients *own = nullptr) {
  if (!data.gpu)
    return fail(concat(file, ": expected a 'gpucost.gpu' attribute"));
  NumericFormat chosen = format.value_or(defaultFormatOf(data));
  if (!data.gpu->find(chosen))
    return fail(unknownFormat(*data.gpu, stringifyNumericFormat(chosen)));
  Expected<Coefficients> set =
      own ? Expected<Coefficients>(*own) : coefficientsOf(data, file);
  if (!set)
    return fail(set.error());
  bool isCompiledIn =
      !own && !data.coefficients && data.transferredFrom.empty();
  return TargetChoice{{*data.gpu, chosen},
                      *std::move(set),
                      isCompiledIn ? data.coefficientsFrom : "",
                      !format};
}

Expected<TargetChoice> gpucost::chooseTarget(std::string_view spec) {
  bool isDefault = false;
  auto found = findCompiledTarget(spec, &isDefault);
  if (!found)
    return fail(found.error());
  auto [index, format] = *found;
  auto choice = finish(compiledTarget(index),
                       embeddedTargets().begin()[index].name, format);
  if (choice)
    choice->formatIsDefault = isDefault;
  return choice;
}

Expected<TargetChoice>
gpucost::chooseTargetFile(const std::string &path,
                          std::optional<NumericFormat> format,
                          const Coefficients *own) {
  Expected<DataFile> data = readDataFile(path);
  if (!data)
    return fail(data.error());
  return finish(*data, path, format, own);
}

namespace {
/// A set of a file, and the board that it was fitted to; "": unknown.
struct LoadedSet {
  Coefficients coefficients;
  std::string board;
  /// The compiled-in set that it equals; "": none.
  std::string_view name;
};
} // namespace

/// "unknown coefficient set 'a10'; did you mean ...".
static std::string unknownSet(std::string_view name) {
  std::vector<std::string_view> names;
  for (const EmbeddedFile &file : embeddedCoefficients())
    names.push_back(file.name);
  return concat("unknown coefficient set '", name, "'; ",
                suggestNames(names, toLower(name)),
                "expected a built-in set or a file such as 'my-gpu.mlir'");
}

/// The set in the file `path`, or the built-in set with this name.
static Expected<LoadedSet> loadSet(const std::string &path) {
  for (const EmbeddedFile &file : embeddedCoefficients())
    if (file.name == path)
      return LoadedSet{*findCompiledCoefficients(path), path, file.name};
  if (path.find_first_of("./") == std::string::npos && path != "-" &&
      !std::ifstream(path))
    return fail(unknownSet(path));
  Expected<DataFile> data = readDataFile(path);
  if (!data)
    return fail(data.error());
  if (!data->coefficients)
    return fail(path + ": expected a 'gpucost.coefficients' attribute");
  Expected<Coefficients> complete = coefficientsOf(*data, path);
  if (!complete)
    return fail(complete.error());
  LoadedSet set{*std::move(complete), data->calibratedFor, {}};
  if (data->gpu && set.board.empty())
    set.board = data->gpu->name;
  for (const EmbeddedFile &file : embeddedCoefficients()) {
    if (!set.board.empty())
      break;
    Coefficients known = *findCompiledCoefficients(file.name);
    completeCoefficients(known);
    if (known == set.coefficients)
      set.board = set.name = file.name;
  }
  return set;
}

Expected<Coefficients> gpucost::loadCoefficients(const std::string &name) {
  auto pinned = parseCoefficientsName(name);
  if (!pinned)
    return fail(pinned.error());
  Expected<LoadedSet> set = loadSet(pinned->source);
  if (!set)
    return fail(set.error());
  if (auto checked = checkPin(*pinned, set->coefficients); !checked)
    return fail(checked.error());
  return std::move(set->coefficients);
}

/// A set that was fitted to another board than `gpu` has no intervals for it.
/// `known` is the set of that board.
static Coefficients coefficientsFor(LoadedSet set, const Gpu &gpu,
                                    std::string_view known) {
  bool isOther = set.name.empty() ? !set.board.empty() && set.board != gpu.name
                                  : set.name != known;
  if (isOther) {
    markTransferred(set.coefficients, set.board);
    set.coefficients.errorBars.reset();
  }
  return std::move(set.coefficients);
}

Expected<std::optional<NumericFormat>>
gpucost::parseFormatOfTargetFile(std::string_view name) {
  if (name.empty())
    return std::nullopt;
  if (std::optional<NumericFormat> format = symbolizeNumericFormat(name))
    return format;
  std::string names;
  for (const FormatInfo &info : formatInfos)
    if (info.rate && info.format != NumericFormat::FP64)
      names += concat(names.empty() ? "" : ", ",
                      stringifyNumericFormat(info.format));
  return fail(concat("with a target file the target may only name a format (",
                     names, "), but got '", name, "'"));
}

Expected<TargetChoice> gpucost::changeTarget(TargetChoice target,
                                             std::string_view changes) {
  bool hadInlineEcc = target.target.gpu.inlineEcc;
  Expected<Gpu> gpu = changeFacts(std::move(target.target.gpu), changes);
  if (!gpu)
    return fail("--set: " + gpu.error().message);
  gpu->name += " (hypothetical)";
  if (hadInlineEcc && !gpu->inlineEcc)
    removeInlineEcc(target.coefficients);
  target.target.gpu = *std::move(gpu);
  // The changed GPU was not measured.
  target.coefficients.errorBars.reset();
  target.coefficientsName.clear();
  target.formatIsDefault = false;
  return target;
}

/// Evaluates only `target`, `target-file` and `source`, which names the
/// coefficients.
static Expected<TargetChoice> chooseNamed(const Scenario &scenario,
                                          const std::string &source) {
  std::optional<LoadedSet> own;
  if (!source.empty()) {
    Expected<LoadedSet> loaded = loadSet(source);
    if (!loaded)
      return fail(loaded.error());
    own = *std::move(loaded);
  }
  std::string name = scenario.target.value_or("");
  if (scenario.targetFile && !scenario.targetFile->empty()) {
    auto format = parseFormatOfTargetFile(name);
    if (!format)
      return fail(format.error());
    Expected<TargetChoice> choice = chooseTargetFile(
        *scenario.targetFile, *format, own ? &own->coefficients : nullptr);
    Expected<DataFile> data = readDataFile(*scenario.targetFile);
    if (choice && data && own)
      choice->coefficients = coefficientsFor(
          *std::move(own), choice->target.gpu,
          data->transferredFrom.empty() ? data->coefficientsFrom : "");
    return choice;
  }
  Expected<TargetChoice> choice = chooseTarget(name);
  if (choice && own) {
    choice->coefficients = coefficientsFor(*std::move(own), choice->target.gpu,
                                           choice->coefficientsName);
    choice->coefficientsName.clear();
  }
  return choice;
}

Expected<TargetChoice> gpucost::chooseTarget(const Scenario &scenario) {
  auto pinned = parseCoefficientsName(scenario.coefficients.value_or(""));
  if (!pinned)
    return fail(pinned.error());
  Expected<TargetChoice> choice = chooseNamed(scenario, pinned->source);
  if (!choice)
    return choice;
  if (scenario.interconnect || scenario.network) {
    Expected<Coefficients> linked = withLinks(choice->coefficients, scenario);
    if (!linked)
      return fail(linked.error());
    if (*linked != choice->coefficients)
      choice->coefficientsName.clear();
    choice->coefficients = *std::move(linked);
  }
  if (scenario.changes)
    choice = changeTarget(*std::move(choice), *scenario.changes);
  if (choice)
    if (auto checked = checkPin(*pinned, choice->coefficients); !checked)
      return fail(checked.error());
  return choice;
}

Scenario gpucost::withoutChangesOfGpu(Scenario scenario) {
  scenario.changes = scenario.interconnect = scenario.network = std::nullopt;
  return scenario;
}

std::optional<std::string_view>
gpucost::findBoardOfChip(std::string_view chip) {
  // Architecture-specific code such as "sm_90a" runs on the same boards; the
  // "a" of AMD's "gfx90a" is a part of the number.
  if (chip.substr(0, 3) == "sm_")
    chip = chip.substr(0, chip.find_last_not_of("af") + 1);
  if (chip.empty())
    return std::nullopt;
  std::string line = concat("gpucost.assumed_for = \"", chip, "\"");
  for (const EmbeddedFile &file : embeddedTargets())
    if (file.content.find(line) != std::string_view::npos)
      return file.name;
  return std::nullopt;
}

Expected<std::string> gpucost::checkTargetFile(const std::string &path) {
  size_t folder = path.find_last_of('/') + 1;
  std::string stem = path.substr(folder, path.find_last_of('.') - folder);
  Expected<DataFile> data = readDataFile(path);
  if (!data)
    return fail(data.error());
  if (data->network) {
    std::string fault = faultOfNetwork(*data);
    if (fault.empty() && data->network->name != stem)
      fault = concat("expected the file's name to be '", data->network->name,
                     ".mlir'");
    return fault.empty() ? Expected<std::string>(stem)
                         : fail(concat(path, ": ", fault));
  }
  if (!data->gpu)
    return data->coefficients
               ? Expected<std::string>(stem)
               : fail(path + ": expected 'gpucost.gpu', 'gpucost.network' or "
                             "'gpucost.coefficients'");
  if (data->gpu->name != stem)
    return fail(concat(path, ": expected the file's name to be '",
                       data->gpu->name, ".mlir'"));
  auto choice = finish(*data, path, std::nullopt);
  if (!choice)
    return fail(choice.error());
  for (const FormatRate &rate : data->gpu->formats)
    for (const std::string &group :
         missingGroups(choice->coefficients, rate.format))
      return fail(concat(path, ": ", stringifyNumericFormat(rate.format),
                         " needs the coefficient group '", group, "'"));
  return stem;
}
