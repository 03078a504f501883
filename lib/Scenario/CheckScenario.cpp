//===- CheckScenario.cpp - Settings from text, and their checks
//-------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Scenario/CheckScenario.h"
#include "gpucost/Scenario/SettingRow.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpucost;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Values from text
//===----------------------------------------------------------------------===//

/// The number for a quantity or count, in the unit of `spec`.
static bool parse(StringRef text, const ValueSpec &, int64_t &value) {
  return !text.trim().getAsInteger(10, value);
}

template <typename Tag>
static bool parse(StringRef text, const ValueSpec &spec, Quantity<Tag> &value) {
  double number;
  if (text.trim().getAsDouble(number))
    return false;
  value = Quantity<Tag>(number * spec.unitSize);
  return true;
}

static bool parse(StringRef text, const ValueSpec &, bool &value) {
  // What LLVM's flags take.
  value = text.empty() || text == "1" || text.equals_insensitive("true");
  return value || text == "0" || text.equals_insensitive("false");
}

static bool parse(StringRef text, const ValueSpec &, std::string &value) {
  value = text.str();
  return true;
}

static bool parse(StringRef text, const ValueSpec &, Parallelism &value) {
  std::optional<Parallelism> plan =
      parseParallelism(std::string_view(text.data(), text.size()));
  value = plan.value_or(value);
  return plan.has_value();
}

static bool parse(StringRef text, const ValueSpec &, Recomputation &value) {
  std::optional<Recomputation> known =
      parseRecomputation(std::string_view(text.data(), text.size()));
  value = known.value_or(value);
  return known.has_value();
}

/// Pairs separated by ',' or ';'. A name may contain a colon.
static bool parse(StringRef text, const ValueSpec &, NamedValues &values) {
  llvm::SmallVector<StringRef> pairs;
  llvm::SplitString(text, pairs, ",;");
  for (StringRef pair : pairs) {
    if (pair.trim().empty())
      continue;
    auto [name, number] = pair.rsplit(':');
    int64_t value;
    if (name.trim().empty() || number.trim().getAsInteger(10, value))
      return false;
    auto [it, isNew] = values.try_emplace(name.trim().str(), value);
    if (!isNew && it->second != value)
      return false;
  }
  return true;
}

template <typename Enum>
static std::enable_if_t<std::is_enum_v<Enum>, bool>
parse(StringRef text, const ValueSpec &, Enum &value) {
  std::optional<Enum> found = symbolizeEnum<Enum>(text);
  if (found)
    value = *found;
  return found.has_value();
}

template <typename Row>
static llvm::Error refuse(const Row &row, const Twine &got) {
  using T = typename Row::Type;
  if constexpr (std::is_enum_v<T>)
    return llvm::createStringError("unknown value '" + got + "' of --" +
                                   row.flag + ", expected " +
                                   listAlternatives(caseNames<T>()));
  std::string expected = row.spec.describe();
  if constexpr (std::is_same_v<T, bool>)
    expected = "true or false";
  if constexpr (std::is_same_v<T, Parallelism>)
    expected = "ddp, zero1, zero2, fsdp or tp, or tp with one of the others "
               "and numbers (tp4.dp2, tp2.fsdp4, tp2.zero1x4)";
  if constexpr (std::is_same_v<T, Recomputation>)
    expected = "none, selective, full, every-N, every-N:Op or names of ONNX "
               "ops (Softmax,Gelu)";
  if constexpr (std::is_same_v<T, NamedValues>)
    expected = "NAME:N pairs, one N for each NAME, with N from " + expected;
  return llvm::createStringError("--" + row.flag + " expects " + expected +
                                 ", but got '" + got + "'");
}

/// Whether the row's range allows `value`.
template <typename T>
static bool isAllowed(const ValueSpec &spec, const T &value) {
  if constexpr (std::is_same_v<T, int64_t>)
    return spec.allows(static_cast<double>(value));
  else if constexpr (IsQuantity<T>::value)
    return spec.allows(value.value() / spec.unitSize);
  else if constexpr (std::is_same_v<T, NamedValues>)
    return llvm::all_of(value, [&](const auto &pair) {
      return spec.allows(static_cast<double>(pair.second));
    });
  else if constexpr (std::is_enum_v<T>)
    return !stringifyEnum(value).empty();
  else
    return true;
}

StringRef gpucost::findRenamed(StringRef name, StringRef value) {
  bool isPrecision = name == "precision-mode" || name == "precision_mode";
  return isPrecision && value == "pure" ? "cast" : "";
}

llvm::Error gpucost::state(Scenario &scenario, StringRef name, StringRef text) {
  if (StringRef now = findRenamed(name, text); !now.empty())
    text = now;
  llvm::Error error = llvm::Error::success();
  bool known = visitSetting(name, [&](const auto &row) {
    typename std::decay_t<decltype(row)>::Type value{};
    if (parse(text, row.spec, value) && isAllowed(row.spec, value))
      scenario.*row.stated = std::move(value);
    else
      error = llvm::joinErrors(std::move(error), refuse(row, text));
  });
  if (!known)
    return llvm::joinErrors(
        std::move(error),
        llvm::createStringError("unknown setting '" + name + "'"));
  return error;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static llvm::Error checkClock(const Scenario &scenario,
                              const ScenarioTarget &target) {
  auto whole = [](double number) {
    return Twine(static_cast<int64_t>(std::llround(number))).str();
  };
  if (scenario.clock &&
      (*scenario.clock > target.maxClock || *scenario.clock < target.minClock))
    return llvm::createStringError(
        "clock " + whole(scenario.clock->value() / 1e6) +
        " MHz is outside of what '" + target.gpu + "' runs at (" +
        whole(target.minClock.value() / 1e6) + " to " +
        whole(target.maxClock.value() / 1e6) + " MHz)");
  return llvm::Error::success();
}

/// Formats of weights, activations and cache that no kernels exist for.
static llvm::Error checkStorage(const Scenario &scenario,
                                const ScenarioTarget &target) {
  Settings settings = resolve(scenario, target);
  StorageFormat weights = settings.weights, activations = settings.activations;
  auto nameOf = [](StorageFormat format) {
    return std::string(stringifyStorageFormat(format));
  };
  if (settings.trains())
    for (auto [flag, format] :
         {std::pair("weights", weights), std::pair("activations", activations),
          std::pair("kv", settings.kv)})
      if (format != StorageFormat::AsIs)
        return llvm::createStringError("no training with --" + Twine(flag) +
                                       "=" + nameOf(format) + "; leave it out");
  if (activations == StorageFormat::INT4 || settings.kv == StorageFormat::INT4)
    return llvm::createStringError(
        Twine("no kernels read ") +
        (activations == StorageFormat::INT4 ? "activations" : "a KV cache") +
        " of int4; use fp8 or int8");
  if ((activations == StorageFormat::FP8 && !target.hasFp8) ||
      (activations == StorageFormat::INT8 && !target.hasInt8))
    return llvm::createStringError(
        "'" + target.gpu + "' has no tensor cores for " + nameOf(activations) +
        "; --weights=" + nameOf(activations) +
        " alone dequantises weights in the kernel");
  if (bitsOf(activations) > 8)
    return llvm::Error::success();
  if (bitsOf(weights) > 8)
    return llvm::createStringError("--activations=" + nameOf(activations) +
                                   " needs --weights=" + nameOf(activations) +
                                   " or int4");
  if (bitsOf(weights) == 8 && weights != activations)
    return llvm::createStringError("no kernels multiply activations of " +
                                   nameOf(activations) + " by weights of " +
                                   nameOf(weights));
  return llvm::Error::success();
}

static llvm::Error checkTarget(const Scenario &scenario,
                               const ScenarioTarget &target) {
  if (scenario.mode == IterationMode::Training &&
      (target.format == NumericFormat::FP8 ||
       target.format == NumericFormat::INT8))
    return llvm::createStringError(
        "no training in " + StringRef(stringifyNumericFormat(target.format)) +
        "; use the bf16 or fp16 of '" + target.gpu + "'");
  if (scenario.tf32.value_or(Tf32Mode::Off) != Tf32Mode::Off && !target.hasTf32)
    return llvm::createStringError("'" + target.gpu +
                                   "' has no TF32 tensor cores; leave out "
                                   "--tf32");
  // FlashAttention needs ldmatrix (Turing), its second version cp.async
  // (Ampere).
  for (auto [mode, capability] : {std::pair(AttentionMode::Flash1, 7.5),
                                  {AttentionMode::Flash, 8.0},
                                  {AttentionMode::Flash2, 8.0}})
    if (scenario.attention == mode && target.computeCapability &&
        *target.computeCapability < capability)
      return llvm::createStringError(
          "--attention=" + StringRef(stringifyAttentionMode(mode)) +
          " needs a GPU of compute capability " +
          llvm::formatv("{0:F1}; '{1}' has {2:F1}", capability, target.gpu,
                        *target.computeCapability)
              .str());
  if (llvm::Error error = checkClock(scenario, target))
    return error;
  return checkStorage(scenario, target);
}

llvm::Error gpucost::checkValues(const Scenario &scenario,
                                 const std::optional<ScenarioTarget> &target) {
  llvm::Error error = llvm::Error::success();
  forEachSetting([&](const auto &row) {
    const auto &value = scenario.*row.stated;
    if (value && !isAllowed(row.spec, *value))
      error = llvm::joinErrors(std::move(error),
                               refuse(row, toText(*value, row.spec)));
  });
  if (error || !target)
    return error;
  return llvm::joinErrors(std::move(error), checkTarget(scenario, *target));
}

static llvm::Error checkParallelism(const Scenario &scenario,
                                    const Settings &settings) {
  const Parallelism &stated = settings.parallel;
  if (!stated.on(settings.gpus)) {
    if (std::optional<int64_t> gpus = stated.gpus())
      return llvm::createStringError(
          "--parallel=" + toText(stated) + " is a plan for " + Twine(*gpus) +
          " GPUs, but --gpus is " + Twine(settings.gpus));
    return llvm::createStringError(
        "--parallel=" + toText(stated) + " needs a number of GPUs that " +
        Twine(std::max(stated.tensor, stated.data)) +
        " divides, but --gpus is " + Twine(settings.gpus));
  }
  if (settings.gpus > 1 && !settings.trains() && settings.plan().data > 1)
    return llvm::createStringError(
        "--gpus without --mode=training needs --parallel=tp");
  if (scenario.parallel && settings.gpus < 2)
    return llvm::createStringError("--parallel needs --gpus=2 or more");
  if (settings.padHeads && settings.plan().tensor < 2)
    return llvm::createStringError("--tp-pad-heads needs --parallel=tp");
  return llvm::Error::success();
}

/// More GPUs than `target` has in the nodes of `settings`.
static llvm::Error refuseFullNodes(const Settings &settings,
                                   const ScenarioTarget &target) {
  int64_t held = *target.gpusPerNode, gpus = settings.gpus;
  int64_t tensor = settings.plan().tensor;
  std::string node =
      "a node of '" + target.gpu + "' holds " + std::to_string(held);
  if (tensor > held)
    return llvm::createStringError(
        "tensor parallelism stays inside a node: " + node +
        " GPUs, but its groups have " + Twine(tensor));
  // The first number that leaves no GPU over and no group in two nodes.
  int64_t nodes = (gpus + held - 1) / held;
  while (gpus % nodes || gpus / nodes % tensor)
    ++nodes;
  std::string wanted = "--gpus=" + std::to_string(gpus);
  if (settings.nodes > 1)
    wanted += " on --nodes=" + std::to_string(settings.nodes) + " puts " +
              std::to_string(gpus / settings.nodes) + " on each";
  return llvm::createStringError(wanted + ", but " + node +
                                 "; spread them with --nodes=" + Twine(nodes) +
                                 " and --network=GB/s:us");
}

/// All nodes hold equally many GPUs, no more than fit, and whole groups of
/// tensor parallelism.
static llvm::Error checkNodes(const Settings &settings,
                              const std::optional<ScenarioTarget> &target) {
  int64_t nodes = settings.nodes, gpus = settings.gpus;
  if (gpus % nodes)
    return llvm::createStringError(
        "--nodes=" + Twine(nodes) + " needs a number of GPUs that " +
        Twine(nodes) + " divides, but --gpus (of all nodes together) is " +
        Twine(gpus));
  int64_t local = gpus / nodes;
  if (nodes > 1 && !settings.network)
    return llvm::createStringError(
        "--nodes=" + Twine(nodes) +
        " needs --network=GB/s:us, the bandwidth of a node and the latency of "
        "a hop (400:5)");
  int64_t tensor = settings.plan().tensor;
  if (target && local > target->gpusPerNode.value_or(local))
    return refuseFullNodes(settings, *target);
  if (local % tensor)
    return llvm::createStringError(
        "tensor parallelism stays inside a node: groups of " + Twine(tensor) +
        " GPUs do not fit into nodes of " + Twine(local) +
        " (--gpus=" + Twine(gpus) + " on --nodes=" + Twine(nodes) + ")");
  return llvm::Error::success();
}

llvm::Error gpucost::validate(const Scenario &scenario,
                              const std::optional<ScenarioTarget> &target) {
  if (llvm::Error error = checkValues(scenario, target))
    return error;
  Settings settings = resolve(scenario, target);
  StringRef misplaced;
  if (!settings.trains())
    forEachSetting([&](const auto &row) {
      if (row.group == SettingGroup::Training && scenario.*row.stated &&
          misplaced.empty())
        misplaced = row.flag;
    });
  if (!misplaced.empty())
    return llvm::createStringError("--" + misplaced + " needs --mode=training");
  if (settings.trains() && settings.kvCache != KvCacheMode::Concat)
    return llvm::createStringError(
        "--kv-cache=" + StringRef(stringifyEnum(settings.kvCache)) +
        " needs --mode=inference");
  if (settings.mainGrads == StateFormat::FP32 &&
      scenario.masterWeights == StateFormat::AsIs)
    return llvm::createStringError(
        "--main-grads=fp32 needs "
        "--master-weights=fp32: no optimizer updates "
        "16-bit weights by fp32 gradients");
  if (scenario.kvBlock && settings.kvCache != KvCacheMode::Paged)
    return llvm::createStringError("--kv-block needs --kv-cache=paged");
  if (llvm::Error error = checkParallelism(scenario, settings))
    return error;
  return checkNodes(settings, target);
}
