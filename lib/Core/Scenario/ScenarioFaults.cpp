//===- ScenarioFaults.cpp - Parsing and checking settings -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "PipelineFaults.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Scenario/TrainingRecipe.h"
#include "gpucost/Core/Support/Text.h"

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Values from text
//===----------------------------------------------------------------------===//

/// Parses a quantity or count in the unit of `spec`.
static bool parse(std::string_view text, const ValueSpec &, int64_t &value) {
  return parseCount(trimBlanks(text), value);
}

template <typename Tag>
static bool parse(std::string_view text, const ValueSpec &spec,
                  Quantity<Tag> &value) {
  double number;
  if (!parseNumber(trimBlanks(text), number))
    return false;
  value = Quantity<Tag>(number * spec.unitSize);
  return true;
}

static bool parse(std::string_view text, const ValueSpec &, bool &value) {
  // The same values as LLVM's flags.
  value = text.empty() || text == "1" || isSameWord(text, "true");
  return value || text == "0" || isSameWord(text, "false");
}

static bool parse(std::string_view text, const ValueSpec &,
                  std::string &value) {
  value = text;
  return true;
}

static bool parse(std::string_view text, const ValueSpec &,
                  Parallelism &value) {
  std::optional<Parallelism> plan = parseParallelism(text);
  value = plan.value_or(value);
  return plan.has_value();
}

static bool parse(std::string_view text, const ValueSpec &,
                  Recomputation &value) {
  std::optional<Recomputation> known = parseRecomputation(text);
  value = known.value_or(value);
  return known.has_value();
}

/// Takes a name in double quotes, in which "" is a quote, from the front of
/// `text`; nullopt if the quotes are not closed.
static std::optional<std::string> takeQuoted(std::string_view &text) {
  std::string name;
  for (size_t i = 1; i < text.size(); ++i) {
    bool isQuote = text[i] == '"';
    if (isQuote && (i + 1 == text.size() || text[i + 1] != '"')) {
      text.remove_prefix(i + 1);
      return name;
    }
    name += text[i];
    i += isQuote;
  }
  return std::nullopt;
}

/// Pairs separated by ',' or ';'. A name may contain a colon, and in quotes
/// (`pairName`) everything.
static bool parse(std::string_view text, const ValueSpec &,
                  NamedValues &values) {
  while (!text.empty()) {
    text = trimBlanks(text);
    std::optional<std::string> quoted;
    if (!text.empty() && text.front() == '"' && !(quoted = takeQuoted(text)))
      return false;
    size_t end = std::min(text.find_first_of(",;"), text.size());
    std::string_view pair = trimBlanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty() && !quoted)
      continue;
    size_t colon = pair.rfind(':');
    if (colon == std::string_view::npos || (quoted && colon != 0))
      return false;
    std::string name =
        quoted ? *quoted : std::string(trimBlanks(pair.substr(0, colon)));
    int64_t value;
    if (name.empty() || !parseCount(trimBlanks(pair.substr(colon + 1)), value))
      return false;
    auto [it, isNew] = values.try_emplace(name, value);
    if (!isNew && it->second != value)
      return false;
  }
  return true;
}

template <typename Enum>
static std::enable_if_t<std::is_enum_v<Enum>, bool>
parse(std::string_view text, const ValueSpec &, Enum &value) {
  std::optional<Enum> found = symbolizeEnum<Enum>(text);
  if (found)
    value = *found;
  return found.has_value();
}

template <typename Row>
static std::string refuse(const Row &row, std::string_view got) {
  using T = typename Row::Type;
  if constexpr (std::is_enum_v<T>)
    return concat("unknown value '", got, "' of --", row.flag, ", expected ",
                  listAlternatives(caseNames<T>()));
  std::string expected = row.spec.describe();
  if constexpr (std::is_same_v<T, int64_t>)
    if (int64_t number; !parseCount(got, number))
      expected = "a whole number, " + expected;
  if constexpr (std::is_same_v<T, bool>)
    expected = "true or false";
  if constexpr (std::is_same_v<T, Parallelism>)
    expected =
        "ddp, zero1, zero2, fsdp, tp or pp, or several of them with "
        "numbers (tp4.dp2, tp2.fsdp4, tp2.pp4.dp2, tp2.zero1x4, fsdp8.dp2)";
  if constexpr (std::is_same_v<T, Recomputation>)
    expected = "none, selective, full, every-N, every-N:Op, names of ONNX "
               "ops (Softmax,Gelu) or paths of modules (@blocks.*.mlp)";
  if constexpr (std::is_same_v<T, NamedValues>)
    expected = "NAME:N pairs, one N for each NAME, with N from " + expected;
  return concat("--", row.flag, " expects ", expected, ", but got '", got, "'");
}

template <typename T>
static bool isAllowed(const ValueSpec &spec, const T &value) {
  if constexpr (std::is_same_v<T, int64_t>)
    return spec.allows(static_cast<double>(value));
  else if constexpr (IsQuantity<T>::value)
    return spec.allows(value.value() / spec.unitSize);
  else if constexpr (std::is_same_v<T, NamedValues>)
    return std::all_of(value.begin(), value.end(), [&](const auto &pair) {
      return spec.allows(static_cast<double>(pair.second));
    });
  else if constexpr (std::is_enum_v<T>)
    return !stringifyEnum(value).empty();
  else if constexpr (std::is_same_v<T, std::string>)
    return !spec.isText || spec.isText(value);
  else
    return true;
}

std::string_view gpucost::findRenamed(std::string_view name,
                                      std::string_view value) {
  bool isPrecision = name == "precision-mode" || name == "precision_mode";
  return isPrecision && value == "pure" ? "cast" : "";
}

std::string gpucost::stateText(Scenario &scenario, std::string_view name,
                               std::string_view text) {
  if (std::string_view now = findRenamed(name, text); !now.empty())
    text = now;
  std::string fault;
  bool known = visitSetting(name, [&](const auto &row) {
    typename std::decay_t<decltype(row)>::Type value{};
    if (parse(text, row.spec, value) && isAllowed(row.spec, value))
      scenario.*row.stated = std::move(value);
    else
      fault = refuse(row, text);
  });
  return known ? fault : concat("unknown setting '", name, "'");
}

/// "8.0".
static std::string oneDecimal(double value) {
  constexpr double tenth = 10;
  std::string tenths = std::to_string(std::llround(value * tenth));
  return tenths.substr(0, tenths.size() - 1) + "." + tenths.back();
}

static std::string checkClock(const Scenario &scenario,
                              const ScenarioTarget &target) {
  auto whole = [](double number) {
    return std::to_string(std::llround(number));
  };
  std::vector<Hertz> clocks;
  if (scenario.clock)
    clocks.push_back(*scenario.clock);
  if (scenario.stageClocks)
    for (const RankClocks &rank : parseStageClocks(*scenario.stageClocks))
      clocks.insert(clocks.end(), {rank.forward, rank.backward});
  for (Hertz clock : clocks)
    if (clock > target.maxClock || clock < target.minClock)
      return concat("clock ", whole(clock.value() / 1e6),
                    " MHz is outside the range of '", target.gpu, "' (",
                    whole(target.minClock.value() / 1e6), " to ",
                    whole(target.maxClock.value() / 1e6), " MHz)");
  return {};
}

/// Rejects formats of weights, activations and cache without kernels.
static std::string checkStorage(const Scenario &scenario,
                                const ScenarioTarget &target) {
  Settings settings = resolve(scenario, target);
  StorageFormat weights = settings.weights, activations = settings.activations;
  auto nameOf = [](StorageFormat format) {
    return std::string(stringifyStorageFormat(format));
  };
  if (settings.trains()) {
    for (auto [flag, format] :
         {std::pair("activations", activations), std::pair("kv", settings.kv)})
      if (format != StorageFormat::AsIs)
        return concat("training does not support --", flag, "=", nameOf(format),
                      "; use --", flag, "=as-is");
    bool ofRecipe = settings.recipe != Recipe::None &&
                    formatOf(weights) == rulesOf(settings.recipe).format;
    if (weights != StorageFormat::AsIs && !ofRecipe)
      return concat("training stores frozen weights as they are or in the "
                    "format of --recipe, but got --weights=",
                    nameOf(weights));
    return {};
  }
  auto computes = [](StorageFormat format) {
    return !formatOf(format) || infoOf(*formatOf(format)).rate;
  };
  auto hasBlocks = [](StorageFormat format) {
    return formatOf(format) && infoOf(*formatOf(format)).block;
  };
  // Tensor cores multiply formats whose blocks have the same size and scale.
  auto shareBlocks = [&] {
    if (!hasBlocks(weights) || !hasBlocks(activations))
      return false;
    const FormatInfo &left = infoOf(*formatOf(activations));
    const FormatInfo &right = infoOf(*formatOf(weights));
    return left.block == right.block && left.bits >= right.bits;
  };
  for (auto [noun, format, isRead] :
       {std::tuple("activations", activations, computes(activations)),
        std::tuple("a KV cache", settings.kv,
                   computes(settings.kv) && !hasBlocks(settings.kv))})
    if (!isRead)
      return concat("no kernels read ", noun, " of ", nameOf(format),
                    "; use fp8 or int8");
  if (bitsOf(activations) <= 8 &&
      !target.formats.contains(*formatOf(activations)))
    return concat("'", target.gpu, "' has no tensor cores for ",
                  nameOf(activations),
                  "; with only --weights=", nameOf(activations),
                  " kernels dequantise the weights");
  if (bitsOf(activations) > 8)
    return {};
  if (bitsOf(weights) > 8)
    return concat("--activations=", nameOf(activations),
                  " needs --weights=", nameOf(activations),
                  hasBlocks(activations) ? "" : " or int4");
  if (weights != activations && !shareBlocks() &&
      (computes(weights) || hasBlocks(activations)))
    return concat("no kernels multiply activations of ", nameOf(activations),
                  " by weights of ", nameOf(weights));
  return {};
}

/// Rejects formats that no recipe of training has, and recipes that the GPU
/// cannot multiply in.
static std::string checkRecipe(const Scenario &scenario,
                               const ScenarioTarget &target) {
  if (scenario.mode != IterationMode::Training)
    return {};
  std::string_view format = stringifyNumericFormat(target.format);
  if (hasFewBits(target.format) && !recipeOf(target.format))
    return concat("training does not support ", format,
                  "; use the bf16 or fp16 of '", target.gpu, "'");
  Settings settings = resolve(scenario, target);
  Recipe recipe = settings.recipe;
  if (settings.weightGather == WeightGather::Recipe &&
      (recipe == Recipe::None || infoOf(rulesOf(recipe).format).block ||
       !settings.plan().isSharded()))
    return "--weight-gather=recipe needs --parallel=fsdp and a recipe in fp8 "
           "with a scale for each tensor (delayed, current)";
  if (recipe == Recipe::None)
    return hasFewBits(target.format)
               ? concat("--recipe=none needs a target of at least 16 bits, but "
                        "got ",
                        format)
               : std::string();
  NumericFormat narrow = rulesOf(recipe).format;
  if (!target.formats.contains(narrow))
    return concat("--recipe=", std::string_view(stringifyRecipe(recipe)),
                  " needs a GPU with tensor cores for ",
                  std::string_view(stringifyNumericFormat(narrow)), "; '",
                  target.gpu, "' has none");
  return {};
}

static std::string checkTarget(const Scenario &scenario,
                               const ScenarioTarget &target) {
  if (std::string fault = checkRecipe(scenario, target); !fault.empty())
    return fault;
  if (scenario.tf32.value_or(Tf32Mode::Off) != Tf32Mode::Off &&
      !target.formats.contains(NumericFormat::TF32))
    return concat("'", target.gpu, "' has no TF32 rate; leave out --tf32");
  // FlashAttention needs ldmatrix (Turing), its second version cp.async
  // (Ampere).
  constexpr double turing = 7.5, ampere = 8;
  for (auto [mode, capability] : {std::pair(AttentionMode::Flash1, turing),
                                  {AttentionMode::Flash, ampere},
                                  {AttentionMode::Flash2, ampere},
                                  {AttentionMode::Triton1, ampere}})
    if (scenario.attention == mode && target.computeCapability &&
        *target.computeCapability < capability)
      return concat(
          "--attention=", std::string_view(stringifyAttentionMode(mode)),
          " needs a GPU of compute capability ", oneDecimal(capability), "; '",
          target.gpu, "' has ", oneDecimal(*target.computeCapability));
  if (std::string fault = checkClock(scenario, target); !fault.empty())
    return fault;
  return checkStorage(scenario, target);
}

std::string
gpucost::faultOfValues(const Scenario &scenario,
                       const std::optional<ScenarioTarget> &target) {
  std::string faults;
  forEachSetting([&](const auto &row) {
    const auto &value = scenario.*row.stated;
    if (value && !isAllowed(row.spec, *value))
      faults +=
          (faults.empty() ? "" : "\n") + refuse(row, toText(*value, row.spec));
  });
  if (!faults.empty() || !target)
    return faults;
  return checkTarget(scenario, *target);
}

/// Checks how GPUs share a sequence.
static std::string checkContext(const Settings &settings) {
  int64_t gpus = settings.plan().context;
  std::string stated = "--context=" + settings.context;
  if (gpus == 1)
    return settings.context == Settings().context
               ? ""
               : concat(stated, " needs --parallel=cp");
  std::string plan = "--parallel=" + toText(settings.parallel);
  if (settings.past)
    return concat(plan, " divides new tokens (cp) and does not support --past");
  if (!settings.seq || *settings.seq % gpus)
    return concat(plan, " needs --seq, a multiple of ", gpus);
  if (!parseContextPlan(settings.context)->on(gpus))
    return concat(stated, " does not divide the ", gpus,
                  " GPUs that share a sequence with ", plan);
  return {};
}

static std::string checkParallelism(const Scenario &scenario,
                                    const Settings &settings) {
  const Parallelism &stated = settings.parallel;
  if (!stated.on(settings.gpus)) {
    if (std::optional<int64_t> gpus = stated.gpus())
      return concat("--parallel=", toText(stated), " is a plan for ", *gpus,
                    " GPUs, but --gpus is ", settings.gpus);
    return concat("--parallel=", toText(stated),
                  " needs a number of GPUs divisible by ", stated.statedGpus(),
                  ", but --gpus is ", settings.gpus);
  }
  if (Parallelism plan = settings.plan();
      settings.trains() && stated.experts &&
      (gpusOfCopy(plan) % plan.expertGpus() || plan.expertGpus() % plan.tensor))
    return concat("--parallel=", toText(stated), " distributes experts over ",
                  plan.expertGpus(), " GPUs, but expected a multiple of ",
                  plan.tensor, " (tp) that divides the ", gpusOfCopy(plan),
                  " GPUs of a ", plan.shards ? "copy" : "rank");
  if (stated.shards == 1)
    return concat("--parallel=", toText(stated),
                  " shards over one GPU; use dp without ",
                  dataParallelKinds[stated.stage]);
  if (settings.moeOverlap && !stated.experts)
    return "--moe-overlap needs --parallel=ep";
  if (stated.expertGroup && !settings.trains())
    return concat("--parallel=", toText(stated),
                  " distributes experts over some data-parallel GPUs, which "
                  "needs --mode=training; use ep alone");
  if (stated.experts && !settings.trains() && settings.plan().tensor > 1)
    return concat(
        "--parallel=", toText(stated),
        " shards both experts and blocks; expected ep, with the rest "
        "of the model on every GPU, or tp, which also shards experts");
  // Copies share nothing, so they must be requested.
  bool isCopies = scenario.parallel && !stated.stage;
  if (settings.gpus > 1 && !settings.trains() && settings.plan().data > 1 &&
      !stated.experts && !isCopies)
    return concat("--gpus without --mode=training needs --parallel=tp, or ep "
                  "for experts, or dp for independent copies");
  if (scenario.parallel && settings.gpus < 2)
    return concat("--parallel needs --gpus=2 or more");
  if (std::string fault = checkContext(settings); !fault.empty())
    return fault;
  if (settings.padHeads && settings.plan().tensor < 2)
    return concat("--tp-pad-heads needs --parallel=tp");
  if (settings.wholeExperts && settings.plan().tensor < 2)
    return concat("--whole-experts needs --parallel=tp");
  if (settings.wholeExperts && settings.trains())
    return concat("--whole-experts is for inference; in training, "
                  "--parallel=ep distributes experts");
  bool isWhole = settings.wholeExperts || settings.plan().experts;
  if (settings.redundantExperts && (!isWhole || settings.trains()))
    return concat("--redundant-experts needs whole experts on the GPUs of a "
                  "service: --parallel=ep, or tp with --whole-experts");
  if (settings.expertSkew > Scalar(0) && settings.trains())
    return concat("--expert-skew is for inference");
  if ((settings.expertSkew > Scalar(0) || settings.redundantExperts) &&
      settings.moeBalance == MoeBalance::Worst)
    return concat("--moe-balance=worst lets all tokens choose the experts of "
                  "one GPU; drop it or --expert-skew and --redundant-experts");
  if (settings.sequenceParallel && settings.plan().tensor < 2)
    return concat("--sequence-parallel needs --parallel=tp");
  return faultOfPipeline(scenario, settings);
}

/// Rejects more GPUs than the nodes of `settings` contain with `target`.
static std::string refuseFullNodes(const Settings &settings,
                                   const ScenarioTarget &target) {
  int64_t held = *target.gpusPerNode, gpus = settings.gpus;
  int64_t tensor = settings.plan().tensor;
  std::string node = concat(
      "a node of '", target.network.empty() ? target.gpu : target.network,
      "' holds ", held);
  if (tensor > held)
    return concat("tensor parallelism stays inside a node: ", node,
                  " GPUs, but its groups have ", tensor);
  std::string wanted = "--gpus=" + std::to_string(gpus);
  if (settings.nodes > 1)
    wanted += " on --nodes=" + std::to_string(settings.nodes) + " puts " +
              std::to_string(gpus / settings.nodes) + " on each";
  return concat(wanted, ", but ", node,
                "; spread them with --nodes=", nodesFor(settings, held),
                target.network.empty() ? " and --network=GB/s:us" : "");
}

/// All nodes have the same number of GPUs, at most as many as fit, and complete
/// tensor parallel groups.
static std::string checkNodes(const Settings &settings,
                              const std::optional<ScenarioTarget> &target) {
  int64_t nodes = settings.nodes, gpus = settings.gpus;
  if (gpus % nodes)
    return concat("--nodes=", nodes, " needs a number of GPUs divisible by ",
                  nodes, ", but --gpus (of all nodes together) is ", gpus);
  int64_t local = gpus / nodes;
  if (nodes > 1 && !settings.network && settings.coupledGpus() > local)
    return concat(
        "--nodes=", nodes,
        " needs --network=GB/s:us, the bandwidth of a node and the latency of "
        "a hop (400:5), or the name of a system (dgx-h100)");
  int64_t tensor = settings.plan().tensor;
  if (target && local > target->gpusPerNode.value_or(local))
    return refuseFullNodes(settings, *target);
  if (local % tensor)
    return concat("tensor parallelism stays inside a node: groups of ", tensor,
                  " GPUs do not fit into nodes of ", local, " (--gpus=", gpus,
                  " on --nodes=", nodes, ")");
  if (!ranksFillNodes(gpusOfRank(settings), local))
    return concat("the ", gpusOfRank(settings),
                  " GPUs of a pipeline rank do not fill nodes of ", local,
                  " evenly (--gpus=", gpus, " on --nodes=", nodes, ")");
  if (int64_t copy = gpusOfCopy(settings.plan());
      settings.plan().shards && !ranksFillNodes(copy, local))
    return concat("the ", copy, " GPUs of a copy do not fill nodes of ", local,
                  " evenly (--gpus=", gpus, " on --nodes=", nodes, ")");
  return {};
}

/// Checks the optimizer and the settings that belong to one of them.
static std::string checkOptimizer(const Scenario &scenario,
                                  const Settings &settings) {
  OptimizerKind kind = settings.optimizer;
  std::string name = concat("--optimizer=", stringifyEnum(kind));
  if (scenario.muonParameters && kind != OptimizerKind::Muon)
    return "--muon-parameters needs --optimizer=muon";
  if (scenario.lbfgsHistory && kind != OptimizerKind::LBFGS)
    return "--lbfgs-history needs --optimizer=lbfgs";
  // With Muon, AdamW has the variant.
  if (scenario.optimizerVariant == OptimizerVariant::Fused &&
      kind != OptimizerKind::None && kind != OptimizerKind::Muon &&
      !hasFusedVariant(kind))
    return concat(name, " has no fused kernels: expected "
                        "--optimizer-variant=foreach or unfused");
  bool isMuon = kind == OptimizerKind::Muon;
  bool isHistory = kind == OptimizerKind::LBFGS;
  if (settings.optimizerStates == OptimizerStates::EightBit &&
      (isMuon || isHistory || kind == OptimizerKind::Adafactor))
    return concat("no implementation of ", name, " has states in 8 bit");
  Parallelism plan = settings.plan();
  if ((isMuon || isHistory) &&
      (plan.stage > 0 || plan.tensor > 1 || (isHistory && plan.pipeline > 1)))
    return concat(name, " needs all of ",
                  isMuon ? "a matrix" : "the parameters",
                  " on each GPU: expected --parallel=ddp, but got ",
                  toText(settings.parallel));
  return {};
}

/// Checks the settings of a run.
static std::string checkRun(const Scenario &scenario) {
  if (scenario.runSamples && scenario.runTokens)
    return concat(
        "--samples and --tokens both state the size of the run; give one");
  if (scenario.epochs && !scenario.runSamples && !scenario.runTokens)
    return concat(
        "--epochs needs --samples or --tokens, the size of one epoch");
  return {};
}

std::string gpucost::findFault(const Scenario &scenario,
                               const std::optional<ScenarioTarget> &target) {
  if (std::string fault = faultOfValues(scenario, target); !fault.empty())
    return fault;
  Settings settings = resolve(scenario, target);
  std::string_view misplaced;
  if (!settings.trains())
    forEachSetting([&](const auto &row) {
      if (row.group == SettingGroup::Training && scenario.*row.stated &&
          misplaced.empty())
        misplaced = row.flag;
    });
  if (!misplaced.empty())
    return concat("--", misplaced, " needs --mode=training");
  if (settings.trains() && settings.kvCache != KvCacheMode::Concat)
    return concat(
        "--kv-cache=", std::string_view(stringifyEnum(settings.kvCache)),
        " needs --mode=inference");
  if (settings.trains() && settings.decode)
    return concat("--decode needs --mode=inference");
  if (settings.mainGrads == StateFormat::FP32 &&
      scenario.masterWeights == StateFormat::AsIs)
    return concat("--main-grads=fp32 needs "
                  "--master-weights=fp32: no optimizer updates "
                  "16-bit weights by fp32 gradients");
  if (settings.offloadActivations && !settings.hostLink)
    return "--offload-activations needs --host-link=GB/s, the bandwidth "
           "between a GPU and host memory in one direction";
  if (!scenario.loraRank && (scenario.loraModules || scenario.loraBase))
    return concat("--", scenario.loraModules ? "lora-modules" : "lora-base",
                  " needs --lora-rank");
  if (settings.loraBase != LoraBase::AsIs && settings.plan().tensor > 1)
    return concat(
        "--lora-base=", std::string_view(stringifyEnum(settings.loraBase)),
        " needs all of a weight on each GPU: expected "
        "--parallel=ddp, fsdp or pp, but got ",
        toText(settings.parallel));
  if (scenario.kvBlock && settings.kvCache != KvCacheMode::Paged)
    return concat("--kv-block needs --kv-cache=paged");
  if (std::string fault = checkOptimizer(scenario, settings); !fault.empty())
    return fault;
  if (std::string fault = checkRun(scenario); !fault.empty())
    return fault;
  if (std::string fault = checkParallelism(scenario, settings); !fault.empty())
    return fault;
  return checkNodes(settings, target);
}
