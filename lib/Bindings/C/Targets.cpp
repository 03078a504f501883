//===- Targets.cpp - Targets and models of the C interface ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Targets/Links.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gpucost/Core/Targets/TargetNames.h"

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {

/// Arrays that a gpucostTargetInfo points to.
struct TargetLists {
  std::vector<const char *> aliases, sources;
  std::vector<uint32_t> formats;
  std::string transferred;
};

} // namespace

static std::vector<const char *>
pointersTo(const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  return pointers;
}

static const std::vector<TargetLists> &targetLists() {
  static const std::vector<TargetLists> all = [] {
    std::vector<TargetLists> lists;
    for (size_t i = 0; i < embeddedTargets().size(); ++i) {
      const DataFile &target = compiledTarget(i);
      TargetLists list{
          pointersTo(target.aliases), pointersTo(target.gpu->source), {}, {}};
      for (const FormatRate &rate : target.gpu->formats)
        list.formats.push_back(toC(rate.format));
      if (auto set = coefficientsOf(target, target.gpu->name))
        list.transferred = describeTransferred(*set);
      lists.push_back(std::move(list));
    }
    return lists;
  }();
  return all;
}

size_t gpucostTargetCount(void) {
  return guardValue(size_t(0), [] { return embeddedTargets().size(); });
}

gpucostStatus gpucostTargetGet(size_t index, gpucostTargetInfo *info) {
  return guard([&] {
    if (Result result = checkSize(info, "gpucostTargetInfo"); result.failed())
      return result;
    if (index >= embeddedTargets().size())
      return error(GPUCOST_NOT_FOUND, "there are ", embeddedTargets().size(),
                   " targets");
    const DataFile &target = compiledTarget(index);
    const TargetLists &lists = targetLists()[index];
    gpucostTargetInfo out{};
    out.default_format = toC(defaultFormatOf(target));
    out.name = target.gpu->name.c_str();
    out.die = target.gpu->die.c_str();
    out.aliases = lists.aliases.data();
    out.alias_count = lists.aliases.size();
    out.formats = lists.formats.data();
    out.format_count = lists.formats.size();
    out.sources = lists.sources.data();
    out.source_count = lists.sources.size();
    out.coefficients = target.coefficientsFrom.c_str();
    out.transferred = lists.transferred.c_str();
    writeStruct(info, out);
    return ok();
  });
}

/// The target that `name` names, and its format.
static Result findTarget(const char *name,
                         std::pair<size_t, NumericFormat> &found) {
  if (!name)
    return invalid("the name of a target is NULL");
  auto target = findCompiledTarget(name);
  if (!target)
    return error(GPUCOST_NOT_FOUND, target.error().message);
  found = *target;
  return ok();
}

gpucostStatus gpucostTargetFind(const char *name, size_t *index) {
  return guard([&] {
    if (!index)
      return invalid("the place for the index is NULL");
    std::pair<size_t, NumericFormat> found;
    Result result = findTarget(name, found);
    if (!result.failed())
      *index = found.first;
    return result;
  });
}

gpucostStatus gpucostTargetDevice(const char *name, gpucostDevice *device) {
  return guard([&] {
    if (Result result = checkSize(device, "gpucostDevice"); result.failed())
      return result;
    std::pair<size_t, NumericFormat> found;
    Result result = findTarget(name, found);
    if (!result.failed())
      writeStruct(device, describe(*compiledTarget(found.first).gpu));
    return result;
  });
}

size_t gpucostCoefficientSetCount(void) {
  return guardValue(size_t(0), [] { return embeddedCoefficients().size(); });
}

const char *gpucostCoefficientSetName(size_t index) {
  return guardValue<const char *>(nullptr, [&]() -> const char * {
    Span<EmbeddedFile> sets = embeddedCoefficients();
    // A literal, which ends in 0.
    return index < sets.size() ? sets.begin()[index].name.data() : nullptr;
  });
}

static Result findSet(const char *name, const Coefficients *&set) {
  if (!name)
    return invalid("the name of a set of coefficients is NULL");
  set = findCompiledCoefficients(name);
  return set ? ok()
             : error(GPUCOST_NOT_FOUND, "unknown coefficient set '", name, "'");
}

gpucostStatus gpucostCoefficientGroup(const char *name, size_t index,
                                      gpucostGroupInfo *info) {
  return guard([&] {
    if (Result result = checkSize(info, "gpucostGroupInfo"); result.failed())
      return result;
    const Coefficients *set;
    if (Result result = findSet(name, set); result.failed())
      return result;
    size_t place = 0;
    bool found = false;
    forEachGroup(*set, [&](const GroupInfo &group, const auto &values) {
      if (!values || place++ != index)
        return;
      found = true;
      gpucostGroupInfo out{};
      out.name = group.name.data();
      out.provenance = values->provenance.c_str();
      out.transferred_from = values->transferredFrom.c_str();
      writeStruct(info, out);
    });
    return found ? ok()
                 : error(GPUCOST_NOT_FOUND, "the set '", name, "' has ", place,
                         " groups");
  });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Marks what was measured on another die than that of `gpu`.
static void markTransferred(const std::string &set, const Gpu &gpu,
                            Coefficients &coefficients) {
  std::string die = set;
  for (size_t i = 0; i < embeddedTargets().size(); ++i)
    if (const DataFile &target = compiledTarget(i);
        target.coefficientsFrom == set && target.transferredFrom.empty())
      die = target.gpu->die;
  if (die != gpu.die)
    gpucost::markTransferred(coefficients, die);
}

/// Builds the model of `gpu`; `spec` names it in settings.
static Result createModel(const Gpu &gpu, NumericFormat format,
                          Coefficients coefficients, const std::string &spec,
                          const gpucostModelOptions &options,
                          gpucostModel **out) {
  if (!gpu.find(format))
    return error(GPUCOST_UNSUPPORTED,
                 unknownFormat(gpu, stringifyNumericFormat(format)));
  if (stringifyEnum(static_cast<Software>(options.software)).empty())
    return invalid("'software' of gpucostModelOptions is ", options.software,
                   ", which is no such value");
  Scenario settings;
  settings.target = spec;
  if (options.interconnect)
    settings.interconnect = options.interconnect;
  if (options.network)
    settings.network = options.network;
  Expected<Coefficients> linked = withLinks(std::move(coefficients), settings);
  if (!linked)
    return invalid(linked.error().message);
  coefficients = *std::move(linked);
  auto model = CostModel::create(gpu, coefficients,
                                 static_cast<Software>(options.software));
  if (!model)
    return error(GPUCOST_UNSUPPORTED, model.error().message);
  *out = new gpucostModel{std::move(*model), format, std::move(coefficients),
                          std::move(settings)};
  return ok();
}

/// The set that the caller prefers.
static Result chooseSet(const char *name, const Gpu &gpu,
                        Coefficients &coefficients) {
  const Coefficients *set;
  if (Result result = findSet(name, set); result.failed())
    return result;
  coefficients = *set;
  markTransferred(name, gpu, coefficients);
  return ok();
}

/// The set that the caller prefers, or that of the target.
static Result chooseSet(const gpucostModelOptions &options,
                        const DataFile &target, Coefficients &coefficients) {
  if (options.coefficients && options.coefficients != target.coefficientsFrom)
    return chooseSet(options.coefficients, *target.gpu, coefficients);
  Expected<Coefficients> own = coefficientsOf(target, target.gpu->name);
  if (!own)
    return error(GPUCOST_NOT_FOUND, own.error().message);
  coefficients = *std::move(own);
  return ok();
}

gpucostStatus gpucostModelCreate(const char *target,
                                 const gpucostModelOptions *given,
                                 gpucostModel **model) {
  return guard([&] {
    gpucostModelOptions options;
    if (!model)
      return invalid("the place for the model is NULL");
    if (Result result = readOptional(given, options, "gpucostModelOptions");
        result.failed())
      return result;
    std::pair<size_t, NumericFormat> found;
    if (Result result = findTarget(target, found); result.failed())
      return result;
    const DataFile &known = compiledTarget(found.first);
    Coefficients coefficients;
    if (Result result = chooseSet(options, known, coefficients);
        result.failed())
      return result;
    return createModel(*known.gpu, found.second, std::move(coefficients),
                       target, options, model);
  });
}

gpucostStatus gpucostModelCreateForDevice(const gpucostDevice *device,
                                          uint32_t format,
                                          const gpucostModelOptions *given,
                                          gpucostModel **model) {
  return guard([&] {
    if (!model)
      return invalid("the place for the model is NULL");
    gpucostDevice in;
    gpucostModelOptions options;
    if (Result result = readStruct(device, in, "gpucostDevice");
        result.failed())
      return result;
    if (Result result = readOptional(given, options, "gpucostModelOptions");
        result.failed())
      return result;
    if (!options.coefficients)
      return invalid("'coefficients' of gpucostModelOptions names the set of "
                     "the nearest GPU, but is NULL");
    std::optional<NumericFormat> chosen = formatOf(format);
    if (!chosen)
      return invalid("the format is ", format, ", which is no such value");
    Gpu gpu;
    if (Result result = readDevice(in, gpu); result.failed())
      return result;
    Coefficients coefficients;
    if (Result result = chooseSet(options.coefficients, gpu, coefficients);
        result.failed())
      return result;
    return createModel(gpu, *chosen, std::move(coefficients),
                       concat(gpu.name, "-", stringifyNumericFormat(*chosen)),
                       options, model);
  });
}

gpucostStatus gpucostModelCreateFromBytes(const void *bytes, size_t size,
                                          uint32_t format,
                                          const gpucostModelOptions *given,
                                          gpucostModel **model) {
  return guard([&] {
    if (!model || !bytes)
      return invalid(model ? "the bytes are" : "the place for the model is",
                     " NULL");
    gpucostModelOptions options;
    if (Result result = readOptional(given, options, "gpucostModelOptions");
        result.failed())
      return result;
    auto target = decodeTarget({static_cast<const char *>(bytes), size});
    if (!target)
      return error(GPUCOST_BAD_DATA, target.error().message);
    if (!target->gpu)
      return error(GPUCOST_BAD_DATA, "coefficients without a GPU");
    std::optional<NumericFormat> chosen =
        format ? formatOf(format) : std::optional(target->defaultFormat);
    if (!chosen)
      return invalid("the format is ", format, ", which is no such value");
    if (options.coefficients)
      if (Result result = chooseSet(options.coefficients, *target->gpu,
                                    target->coefficients);
          result.failed())
        return result;
    std::string spec =
        concat(target->gpu->name, "-", stringifyNumericFormat(*chosen));
    return createModel(*target->gpu, *chosen, std::move(target->coefficients),
                       spec, options, model);
  });
}

void gpucostModelFree(gpucostModel *model) { delete model; }

gpucostStatus gpucostModelDevice(const gpucostModel *model,
                                 gpucostDevice *device) {
  return guard([&] {
    if (!model)
      return invalid("the model is NULL");
    Result result = checkSize(device, "gpucostDevice");
    if (!result.failed())
      writeStruct(device, describe(model->model.gpu()));
    return result;
  });
}

uint32_t gpucostModelFormat(const gpucostModel *model) {
  return model ? toC(model->format) : 0;
}
