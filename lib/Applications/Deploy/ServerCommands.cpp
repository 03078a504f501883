//===- ServerCommands.cpp - Commands that start a replica -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Arguments of vLLM 0.12 (docs.vllm.ai: engine arguments, NixlConnector),
// SGLang 0.5 (docs.sglang.io: server arguments) and TensorRT-LLM 1.2
// (trtllm-serve, disaggregated serving).

#include "Engines.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "llvm/Support/JSON.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

namespace {

/// What all servers are told.
struct Replica {
  Replica(const DeployResult &result, const Deployment &d, bool forPrompts)
      : model(result.model), engine(forPrompts ? *d.prompts : *d.engine),
        settings(engine.settings), plan(settings.plan()),
        isSplit(d.prompts != nullptr), forPrompts(forPrompts),
        scheduler(d.scheduler), chunk(d.chunk),
        // Of a prompt replica, as many as a step holds.
        sequences(
            forPrompts
                ? std::max<int64_t>(
                      d.chunk / result.question.traffic.longestComputed(), 1)
                : d.batchLimit),
        techniques(result.question.traffic.techniques),
        length(result.question.traffic.longestInput() +
               result.question.traffic.output.back().tokens) {}

  const std::string &model;
  const Engine &engine;
  const Settings &settings;
  const Parallelism plan;
  bool isSplit, forPrompts;
  serve::Scheduler scheduler;
  int64_t chunk, sequences;
  const serve::Techniques &techniques;
  int64_t length;

  /// Prompt tokens and decodes of a step of one data-parallel rank.
  int64_t tokens() const {
    return isSplit && !forPrompts ? sequencesOfRank()
                                  : chunk + (isSplit ? 0 : sequencesOfRank());
  }
  bool hasEightBitWeights() const {
    return settings.weights == StorageFormat::FP8;
  }
  int64_t ranks() const { return std::max<int64_t>(plan.data, 1); }
  /// Sequences of one data-parallel rank.
  int64_t sequencesOfRank() const {
    return std::max<int64_t>(sequences / ranks(), 1);
  }
  /// Ranks that share the experts of each layer: attention is data parallel.
  bool sharesExperts() const { return plan.experts && ranks() > 1; }
  /// GPUs that have whole experts (X12, X28).
  int64_t expertGpus() const {
    if (settings.wholeExperts)
      return plan.tensor;
    return sharesExperts() ? plan.expertGpus() : 1;
  }
  /// A comment if a server that runs prompts like `possible` is not as
  /// predicted.
  std::string stepsComment(std::initializer_list<serve::Scheduler> possible,
                           const char *instead) const {
    bool is = isSplit;
    for (const serve::Scheduler &each : possible)
      is |= each == scheduler;
    return is ? std::string() : fmt::format(" # {}", instead);
  }
  bool usesDeepEp() const { return sharesExperts() && settings.usesDeepEp(); }
  /// The fraction that the user stated; servers differ in their defaults, and
  /// in TensorRT-LLM it is a share of the memory that weights leave free.
  std::string memoryFlag(const char *name, bool isOfFreeMemory = false) const {
    bool isTensorrt = isOf(settings.software, Software::TensorRtLlm);
    return engine.scenario.memoryFraction && isOfFreeMemory == isTensorrt
               ? fmt::format(" {} {:.2g}", name,
                             engine.scenario.memoryFraction->value())
               : std::string();
  }
  /// A comment on weights that no flag selects; `quantizes`: the server
  /// converts weights to 8 bits.
  std::string weightsComment(bool quantizes = true) const {
    return settings.weights == StorageFormat::AsIs ||
                   (quantizes && hasEightBitWeights())
               ? std::string()
               : fmt::format(" # with a checkpoint whose weights are {}",
                             stringifyStorageFormat(settings.weights));
  }
  /// (V11) The module of the model that predicts further tokens drafts.
  bool draftsAlone() const {
    return techniques.draftTokens > 0 && techniques.draft.empty();
  }
  bool hasEightBitCache() const { return settings.kv == StorageFormat::FP8; }
};

} // namespace

/// `text` as one word of a shell.
static std::string shellWord(const std::string &text) {
  constexpr llvm::StringLiteral plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=.,/:@%";
  if (!text.empty() &&
      llvm::StringRef(text).find_first_not_of(plain) == llvm::StringRef::npos)
    return text;
  std::string word = "'";
  for (char c : text)
    c == '\'' ? word += "'\\''" : word += c;
  return word + "'";
}

/// `text` as a string of JSON, which is also one of YAML.
static std::string jsonText(const std::string &text) {
  std::string quoted;
  llvm::raw_string_ostream(quoted)
      << llvm::json::Value(llvm::json::fixUTF8(text));
  return quoted;
}

static std::string techniqueFlags(const serve::Techniques &techniques) {
  std::string text;
#define TECHNIQUE_SHARE(field, flag, help)                                     \
  if (techniques.field)                                                        \
    text += fmt::format(" --" flag "={}", *techniques.field);
#define TECHNIQUE_COUNT(field, flag, most, help)                               \
  if (techniques.field > 0)                                                    \
    text += fmt::format(" --" flag "={}", techniques.field);
#define TECHNIQUE_TEXT(field, flag, placeholder, help)                         \
  if (!techniques.field.empty())                                               \
    text += fmt::format(" --" flag "={}", shellWord(techniques.field));
#include "gpucost/Applications/Serve/TechniqueFlags.def"
  return text;
}

static std::string serveCommand(const DeployResult &result, const Replica &r) {
  const Traffic &traffic = result.question.traffic;
  Scenario scenario = r.engine.scenario;
  scenario.batch = std::max<int64_t>(r.sequences / r.engine.ranks, 1);
  scenario = withoutDefaults(std::move(scenario));
  return fmt::format("gpu-cost-opt serve {} {} --input-tokens={:.0f} "
                     "--output-tokens={:.0f} --prefill-batch=1 "
                     "--prefill-chunk={}{}",
                     shellWord(r.model), flagsOf(scenario), traffic.meanInput(),
                     traffic.meanOutput(), r.chunk,
                     techniqueFlags(r.techniques));
}

static constexpr serve::Scheduler mixed{true, true}, separate{false, true},
    whole{true, false};

static std::string vllmCommand(const Replica &r) {
  // Without chunks, a step must have place for the longest sequence.
  bool isWhole = !r.isSplit && r.scheduler == whole;
  std::string text = fmt::format(
      "vllm serve {} --tensor-parallel-size {} --max-num-seqs {} "
      "--max-num-batched-tokens {} --max-model-len {}",
      shellWord(r.model), r.plan.tensor, r.sequencesOfRank(),
      isWhole ? std::max(r.tokens(), r.length) : r.tokens(), r.length);
  if (isWhole)
    text += " --no-enable-chunked-prefill";
  text += r.memoryFlag("--gpu-memory-utilization");
  if (r.ranks() > 1)
    text += fmt::format(" --data-parallel-size {}", r.ranks());
  if (r.expertGpus() > 1)
    text += " --enable-expert-parallel";
  if (std::optional<int64_t> copies = r.settings.redundantExperts)
    text += fmt::format(" --enable-eplb --eplb-config "
                        "'{{\"num_redundant_experts\":{}}}'",
                        *copies);
  if (r.usesDeepEp())
    text += r.isSplit && !r.forPrompts
                ? " --all2all-backend deepep_low_latency"
                : " --all2all-backend deepep_high_throughput";
  if (r.techniques.prefixHit > 0)
    text += " --enable-prefix-caching";
  if (int64_t drafts = r.techniques.draftTokens; drafts > 0)
    text += " --speculative-config " +
            shellWord(fmt::format(
                "{{{},\"num_speculative_tokens\":{}}}",
                r.draftsAlone() ? std::string("\"method\":\"mtp\"")
                                : "\"model\":" + jsonText(r.techniques.draft),
                drafts));
  if (r.hasEightBitWeights())
    text += " --quantization fp8";
  if (r.hasEightBitCache())
    text += " --kv-cache-dtype fp8";
  if (r.isSplit)
    text += fmt::format(" --kv-transfer-config '{{\"kv_connector\":"
                        "\"NixlConnector\",\"kv_role\":\"{}\"}}'",
                        r.forPrompts ? "kv_producer" : "kv_consumer");
  return text +
         r.stepsComment({mixed, whole}, "joins prompts to decode steps") +
         r.weightsComment();
}

static std::string sglangCommand(const Replica &r) {
  // --tp-size counts all GPUs of attention that is data parallel; the limits of
  // its ranks are divided by their number, those of whole replicas are not.
  int64_t divided = r.sharesExperts() ? r.ranks() : 1;
  std::string text = fmt::format(
      "python3 -m sglang.launch_server --model-path {} --tp-size {} "
      "--max-running-requests {} --chunked-prefill-size {} --context-length {}",
      shellWord(r.model), r.plan.tensor * divided,
      r.sequencesOfRank() * divided, r.chunk * divided, r.length);
  text += r.memoryFlag("--mem-fraction-static");
  if (r.ranks() > 1)
    text += fmt::format(" --dp-size {}", r.ranks());
  if (r.expertGpus() > 1)
    text += fmt::format(" --ep-size {}", r.expertGpus());
  if (r.sharesExperts())
    text += " --enable-dp-attention";
  if (std::optional<int64_t> copies = r.settings.redundantExperts)
    text +=
        fmt::format(" --enable-eplb --ep-num-redundant-experts {}", *copies);
  if (r.usesDeepEp())
    text += " --moe-a2a-backend deepep";
  if (r.hasEightBitWeights())
    text += " --quantization fp8";
  if (r.hasEightBitCache())
    text += " --kv-cache-dtype fp8_e4m3";
  if (int64_t drafts = r.techniques.draftTokens; drafts > 0)
    text += fmt::format(
        " --speculative-algorithm {} --speculative-num-steps {} "
        "--speculative-eagle-topk 1 --speculative-num-draft-tokens {}",
        r.draftsAlone() ? std::string("NEXTN")
                        : "STANDALONE --speculative-draft-model-path " +
                              shellWord(r.techniques.draft),
        drafts, drafts + 1);
  if (r.isSplit)
    text += fmt::format(" --disaggregation-mode {}",
                        r.forPrompts ? "prefill" : "decode");
  else if (r.scheduler.mixes)
    text += " --enable-mixed-chunk";
  return text + r.stepsComment({mixed, separate}, "divides long prompts") +
         r.weightsComment();
}

/// Settings of TensorRT-LLM that only its YAML file has.
static std::string tensorrtOptions(const Replica &r) {
  std::vector<std::string> options;
  if (r.sharesExperts())
    options.emplace_back("enable_attention_dp: true");
  if (r.hasEightBitCache())
    options.emplace_back("kv_cache_config: {dtype: fp8}");
  if (std::optional<int64_t> copies = r.settings.redundantExperts)
    options.push_back(fmt::format("moe_config: {{load_balancer: {{num_slots: "
                                  "{}, layer_updates_per_iter: 1}}}}",
                                  r.engine.experts + *copies));
  if (int64_t drafts = r.techniques.draftTokens; drafts > 0)
    options.push_back(
        r.draftsAlone()
            ? fmt::format("speculative_config: {{decoding_type: MTP, "
                          "num_nextn_predict_layers: {}}}",
                          drafts)
            : fmt::format("speculative_config: {{decoding_type: DraftTarget, "
                          "max_draft_len: {}, speculative_model_dir: {}}}",
                          drafts, jsonText(r.techniques.draft)));
  if (r.isSplit)
    options.emplace_back("cache_transceiver_config: {backend: DEFAULT}");
  if (r.forPrompts)
    options.emplace_back("disable_overlap_scheduler: true");
  return options.empty()
             ? ""
             : fmt::format(
                   " --extra_llm_api_options <(echo {})",
                   shellWord(fmt::format("{{{}}}", fmt::join(options, ", "))));
}

static std::string tensorrtCommand(const Replica &r) {
  std::string text = fmt::format(
      "trtllm-serve {} --tp_size {} --max_batch_size {} --max_num_tokens {} "
      "--max_seq_len {}",
      shellWord(r.model), r.plan.tensor * (r.sharesExperts() ? r.ranks() : 1),
      r.sequencesOfRank(), r.tokens(), r.length);
  if (r.scheduler.divides)
    text += " --enable_chunked_prefill";
  text += r.memoryFlag("--kv_cache_free_gpu_memory_fraction",
                       /*isOfFreeMemory=*/true);
  if (r.expertGpus() > 1)
    text += fmt::format(" --ep_size {}", r.expertGpus());
  text += tensorrtOptions(r);
  if (r.ranks() > 1 && !r.sharesExperts())
    text += fmt::format(" # one of {} servers", r.ranks());
  return text +
         r.stepsComment({mixed, whole}, "joins prompts to decode steps") +
         r.weightsComment(/*quantizes=*/false);
}

DeployCommands deploy::commandsOf(const DeployResult &result,
                                  const Deployment &d) {
  DeployCommands commands;
  auto add = [&](bool forPrompts) {
    Replica replica(result, d, forPrompts);
    commands.serve.push_back(serveCommand(result, replica));
    commands.vllm.push_back(vllmCommand(replica));
    commands.sglang.push_back(sglangCommand(replica));
    commands.tensorrtLlm.push_back(tensorrtCommand(replica));
  };
  add(/*forPrompts=*/false);
  if (d.prompts)
    add(/*forPrompts=*/true);
  return commands;
}
