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
    checkSize(info, "gpucostTargetInfo");
    if (index >= embeddedTargets().size())
      refuse(GPUCOST_NOT_FOUND, "there are ", embeddedTargets().size(),
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
  });
}

/// The target that `name` names, and its format.
static std::pair<size_t, NumericFormat> findTarget(const char *name) {
  require(name, "the name of a target is NULL");
  return valueOf(findCompiledTarget(name), GPUCOST_NOT_FOUND);
}

gpucostStatus gpucostTargetFind(const char *name, size_t *index) {
  return guard([&] {
    require(index, "the place for the index is NULL");
    *index = findTarget(name).first;
  });
}

gpucostStatus gpucostTargetDevice(const char *name, gpucostDevice *device) {
  return guard([&] {
    checkSize(device, "gpucostDevice");
    writeStruct(device, describe(*compiledTarget(findTarget(name).first).gpu));
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

static const Coefficients &findSet(const char *name) {
  require(name, "the name of the coefficient set is NULL");
  const Coefficients *set = findCompiledCoefficients(name);
  if (!set)
    refuse(GPUCOST_NOT_FOUND, "unknown coefficient set '", name, "'");
  return *set;
}

gpucostStatus gpucostCoefficientGroup(const char *name, size_t index,
                                      gpucostGroupInfo *info) {
  return guard([&] {
    checkSize(info, "gpucostGroupInfo");
    size_t place = 0;
    bool found = false;
    forEachGroup(findSet(name),
                 [&](const GroupInfo &group, const auto &values) {
                   if (!values || place++ != index)
                     return;
                   found = true;
                   gpucostGroupInfo out{};
                   out.name = group.name.data();
                   out.provenance = values->provenance.c_str();
                   out.transferred_from = values->transferredFrom.c_str();
                   writeStruct(info, out);
                 });
    if (!found)
      refuse(GPUCOST_NOT_FOUND, "the set '", name, "' has ", place, " groups");
  });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Marks coefficients that were measured on another die than `gpu`.
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
static gpucostModel *createModel(const Gpu &gpu, NumericFormat format,
                                 Coefficients coefficients,
                                 const std::string &spec,
                                 const gpucostModelOptions &options) {
  if (!gpu.find(format))
    refuse(GPUCOST_UNSUPPORTED,
           unknownFormat(gpu, stringifyNumericFormat(format)));
  auto software =
      readEnum<Software>(options.software, "software", "gpucostModelOptions");
  Scenario settings;
  settings.target = spec;
  if (options.interconnect)
    settings.interconnect = options.interconnect;
  if (options.network)
    settings.network = options.network;
  coefficients = valueOf(withLinks(std::move(coefficients), settings),
                         GPUCOST_INVALID_ARGUMENT);
  CostModel model = valueOf(CostModel::create(gpu, coefficients, software));
  return new gpucostModel{std::move(model), format, std::move(coefficients),
                          std::move(settings)};
}

/// The set that the caller prefers.
static Coefficients chooseSet(const char *name, const Gpu &gpu) {
  Coefficients coefficients = findSet(name);
  markTransferred(name, gpu, coefficients);
  return coefficients;
}

/// The format of the caller.
static NumericFormat readFormat(uint32_t format) {
  std::optional<NumericFormat> chosen = formatOf(format);
  if (!chosen)
    invalid("the format is ", format, ", which is not a valid value");
  return *chosen;
}

gpucostStatus gpucostModelCreate(const char *target,
                                 const gpucostModelOptions *given,
                                 gpucostModel **model) {
  return guard([&] {
    require(model, "the place for the model is NULL");
    auto options = readOptional(given, "gpucostModelOptions");
    auto [index, format] = findTarget(target);
    const DataFile &known = compiledTarget(index);
    bool prefers =
        options.coefficients && options.coefficients != known.coefficientsFrom;
    *model =
        createModel(*known.gpu, format,
                    prefers ? chooseSet(options.coefficients, *known.gpu)
                            : valueOf(coefficientsOf(known, known.gpu->name),
                                      GPUCOST_NOT_FOUND),
                    target, options);
  });
}

gpucostStatus gpucostModelCreateForDevice(const gpucostDevice *device,
                                          uint32_t format,
                                          const gpucostModelOptions *given,
                                          gpucostModel **model) {
  return guard([&] {
    require(model, "the place for the model is NULL");
    auto in = readStruct(device, "gpucostDevice");
    auto options = readOptional(given, "gpucostModelOptions");
    require(options.coefficients,
            "'coefficients' of gpucostModelOptions names the set of the "
            "nearest GPU, but is NULL");
    NumericFormat chosen = readFormat(format);
    Gpu gpu = readDevice(in);
    *model = createModel(gpu, chosen, chooseSet(options.coefficients, gpu),
                         concat(gpu.name, "-", stringifyNumericFormat(chosen)),
                         options);
  });
}

gpucostStatus gpucostModelCreateFromBytes(const void *bytes, size_t size,
                                          uint32_t format,
                                          const gpucostModelOptions *given,
                                          gpucostModel **model) {
  return guard([&] {
    require(model, "the place for the model is NULL");
    require(bytes, "the bytes are NULL");
    auto options = readOptional(given, "gpucostModelOptions");
    auto target =
        valueOf(decodeTarget({static_cast<const char *>(bytes), size}),
                GPUCOST_BAD_DATA);
    if (!target.gpu)
      refuse(GPUCOST_BAD_DATA, "coefficients without a GPU");
    NumericFormat chosen = format ? readFormat(format) : target.defaultFormat;
    if (options.coefficients)
      target.coefficients = chooseSet(options.coefficients, *target.gpu);
    *model = createModel(
        *target.gpu, chosen, std::move(target.coefficients),
        concat(target.gpu->name, "-", stringifyNumericFormat(chosen)), options);
  });
}

void gpucostModelFree(gpucostModel *model) { delete model; }

gpucostStatus gpucostModelDevice(const gpucostModel *model,
                                 gpucostDevice *device) {
  return guard([&] {
    require(model, "the model is NULL");
    checkSize(device, "gpucostDevice");
    writeStruct(device, describe(model->model.gpu()));
  });
}

uint32_t gpucostModelFormat(const gpucostModel *model) {
  return model ? toC(model->format) : 0;
}
