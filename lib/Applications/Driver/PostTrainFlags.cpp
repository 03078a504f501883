//===- PostTrainFlags.cpp - Flags of post-train ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostTrainFlags.h"
#include "Subcommands.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/Support/Threading.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::posttrain;
using llvm::StringRef;

/// Prompts of a round, answers to a prompt, and passes over a round.
static constexpr int64_t mostPrompts = 1 << 20, mostSamples = 1 << 12,
                         mostEpochs = 1000;
static constexpr int64_t usualStepTokens = 8192;

static constexpr OwnFlag ownFlags[] = {
    {"algorithm", "grpo|ppo|dpo",
     "grpo: groups of answers, without a critic; ppo: with a critic; dpo: "
     "pairs of given answers, without a rollout (default: grpo)"},
    {"prompts", "n", "prompts of a round; of dpo, pairs", false, mostPrompts},
    {"samples", "n",
     "answers to each prompt (default: grpo 8, ppo 1; dpo always 2)", false,
     mostSamples},
    {"input-tokens", "n or file.csv",
     "length of the prompts: a number, or a file with the columns tokens and "
     "requests (default: 512)"},
    {"output-tokens", "n or file.csv",
     "length of the answers; the longest one ends a rollout (default: 1024)"},
    {"rollout-gpus", "n", "GPUs of the rollout, without training", false,
     mostGpus},
    {"train-gpus", "n", "GPUs of the training, without rollout", false,
     mostGpus},
    {"lag", "n",
     "with separate GPUs, updates of the weights by which the rollout is "
     "late: from 1 on, it runs beside the training (default: 1)",
     false, 1000, 0},
    {"mini-batch", "n", "sequences of an update (default: all of the round)",
     false, mostPrompts},
    {"epochs", "n", "times that each sequence is trained (default: 1)", false,
     mostEpochs},
    {"padding", "packed|longest",
     "packed: passes have the tokens of the sequences; longest: every sequence "
     "is as long as the longest (default: packed)"},
    {"pass-tokens", "n",
     "tokens of a forward and backward pass on a GPU, unless --train states a "
     "batch (default: those of the longest sequence)",
     false, anyCount},
    {"reference", "model|none",
     "whether a frozen copy of the model computes log-probabilities (default: "
     "model)"},
    {"old-log-probs", "recomputed|rollout",
     "log-probabilities of the policy before its updates: by a forward pass of "
     "the training, or those of the rollout (default: recomputed)"},
    {"reward-model", "model",
     "configuration or file of a reward model (default: rules on the host)"},
    {"critic", "model", "critic of ppo (default: the model)"},
    {"reward-ms", "ms",
     "time in which the GPUs wait for rewards by rules (default: 0, beside the "
     "rollout)"},
    {"offload", "none|frozen|optimizer|all",
     "state that is in host memory while it is not used: reference and reward "
     "model; also optimizer states during the rollout; also parameters "
     "(default: none)"},
    {"sleep", "none|cache|all",
     "memory that the engines free for the training on shared GPUs: the cache; "
     "also the weights (default: all)"},
    {"slots", "n",
     "largest number of answers that an engine runs at the same time "
     "(max_num_seqs; default: as many as fit, up to 1024)",
     false, 1024},
    {"step-tokens", "n",
     "largest number of tokens of a step with prompts (max_num_batched_tokens; "
     "default: 8192)",
     false, 1 << 20},
    {"prefix-cache", "on|off",
     "whether answers to one prompt share its computation and cache (default: "
     "on)"},
    {"rollout", "'settings'",
     "settings of an engine, such as 'parallel=tp2 weights=fp8 "
     "memory-fraction=0.6' (default: one GPU, software=vllm)"},
    {"train", "'settings'",
     "settings of the training, such as 'parallel=tp2.fsdp recompute=full "
     "batch=1'; without parallel, the best plan is searched"},
    {"report", "table|json", "format (default: table)"},
    {"jobs", "n", "threads of the search (default: one for each core)", false,
     1024},
    {"o", "file", "write to a file"}};

llvm::ArrayRef<OwnFlag> gpucost::postTrainFlags() { return ownFlags; }

/// A number of at least 0 in units of `unit`.
static llvm::Error readNumber(const CommandFlags &flags, StringRef flag,
                              double unit, std::optional<double> &number) {
  if (!flags.has(flag))
    return llvm::Error::success();
  double value = 0;
  std::string text = flags.value(flag);
  constexpr double most = 1e9;
  if (StringRef(text).getAsDouble(value) || !(value >= 0 && value <= most))
    return llvm::createStringError("--" + flag +
                                   " expects a number from 0 to 1e9, but got "
                                   "'" +
                                   text + "'");
  number = value * unit;
  return llvm::Error::success();
}

/// Refuses the settings that `chosen` names.
static llvm::Error refuse(const Scenario &settings,
                          llvm::ArrayRef<StringRef> chosen,
                          const llvm::Twine &where, StringRef why) {
  std::string found;
  forEachSetting([&](const auto &row) {
    if (settings.*row.stated && found.empty() &&
        llvm::is_contained(chosen, StringRef(row.flag)))
      found = row.flag;
  });
  if (found.empty())
    return llvm::Error::success();
  return llvm::createStringError(where + found + why);
}

static llvm::Error readSettings(const SubcommandFlags &flags,
                                PostTrainQuestion &question) {
  question.common = flags.settings;
  question.common.gpus.reset();
  if (llvm::Error error =
          readSettingWords("rollout", flags.value("rollout"), question.rollout))
    return error;
  if (llvm::Error error =
          readSettingWords("train", flags.value("train"), question.train))
    return error;
  if (llvm::Error error =
          refuse(question.common,
                 {"parallel", "batch", "micro-batch", "software", "recompute",
                  "memory-fraction", "weights", "kv", "optimizer"},
                 "--", " is a word of --rollout or --train: --train='...'"))
    return error;
  if (llvm::Error error =
          refuse(question.common,
                 {"mode", "seq", "past", "nodes", "global-batch", "grad-accum",
                  "decode", "select-stage", "samples", "tokens", "epochs"},
                 "--", " follows from the round; do not state it"))
    return error;
  static constexpr StringRef lengths[] = {
      "mode",         "seq",         "past",   "nodes",
      "global-batch", "grad-accum",  "decode", "select-stage",
      "target",       "target-file", "gpus"};
  if (llvm::Error error =
          refuse(question.train, lengths, "'",
                 "' in --train follows from the round or from the flags"))
    return error;
  if (llvm::Error error =
          refuse(question.rollout, lengths, "'",
                 "' in --rollout follows from the round or from the flags"))
    return error;
  return refuse(question.rollout, {"batch", "micro-batch"}, "'",
                "' in --rollout follows from the round (see --slots)");
}

static llvm::Error readGpus(const SubcommandFlags &flags,
                            PostTrainQuestion &question) {
  bool separate = flags.has("rollout-gpus") || flags.has("train-gpus");
  question.trainGpus = flags.count("train-gpus", 0);
  question.rolloutGpus = flags.count("rollout-gpus", 0);
  question.isShared = !separate;
  if (separate && flags.settings.gpus)
    return llvm::createStringError(
        "--gpus are shared by rollout and training; give them, or "
        "--rollout-gpus and --train-gpus");
  if (!question.hasRollout()) {
    if (flags.has("rollout-gpus"))
      return llvm::createStringError("dpo has no rollout: give --gpus");
    question.isShared = true;
    if (!separate)
      question.trainGpus = flags.settings.gpus.value_or(0);
  } else if (separate) {
    if (!flags.has("rollout-gpus") || !flags.has("train-gpus"))
      return llvm::createStringError(
          "separate GPUs need --rollout-gpus and --train-gpus");
  } else {
    question.trainGpus = flags.settings.gpus.value_or(0);
  }
  if (question.trainGpus == 0)
    return llvm::createStringError(
        "give the number of GPUs: --gpus, or --rollout-gpus and --train-gpus");
  if (question.isShared && flags.has("lag"))
    return llvm::createStringError("--lag needs separate GPUs: --rollout-gpus "
                                   "and --train-gpus");
  question.lag = question.isShared ? 0 : flags.count("lag", 1);
  return llvm::Error::success();
}

/// Flags of rollouts, which dpo does not have, and of critics.
static llvm::Error checkAlgorithm(const SubcommandFlags &flags,
                                  const PostTrainQuestion &question) {
  if (!question.hasRollout())
    for (StringRef flag :
         {"old-log-probs", "reward-model", "reward-ms", "sleep", "slots",
          "step-tokens", "prefix-cache", "rollout", "lag"})
      if (flags.has(flag))
        return llvm::createStringError("--" + flag +
                                       " does not go with --algorithm=dpo, "
                                       "which has no rollout");
  if (question.algorithm != PostTraining::Ppo && flags.has("critic"))
    return llvm::createStringError("--critic needs --algorithm=ppo");
  if (!question.rewardModel.empty() && flags.has("reward-ms"))
    return llvm::createStringError(
        "give --reward-model or --reward-ms, not both");
  if (!question.isShared && flags.has("sleep"))
    return llvm::createStringError("--sleep needs shared GPUs: --gpus");
  return llvm::Error::success();
}

static llvm::Error readSequences(const SubcommandFlags &flags,
                                 PostTrainQuestion &question) {
  question.prompts = flags.count("prompts", 0);
  if (question.prompts == 0)
    return llvm::createStringError("post-train needs --prompts, the prompts of "
                                   "a round");
  constexpr int64_t group = 8, pair = 2;
  question.samples =
      flags.count("samples", question.algorithm == PostTraining::Grpo  ? group
                             : question.algorithm == PostTraining::Ppo ? 1
                                                                       : pair);
  if (!question.hasRollout() && question.samples != pair)
    return llvm::createStringError("dpo compares 2 answers: --samples is 2");
  auto input =
      deploy::readLengths("input-tokens", flags.value("input-tokens", "512"),
                          /*least=*/1, /*keepsAll=*/true);
  if (!input)
    return input.takeError();
  auto output =
      deploy::readLengths("output-tokens", flags.value("output-tokens", "1024"),
                          /*least=*/1, /*keepsAll=*/true);
  if (!output)
    return output.takeError();
  question.input = std::move(*input);
  question.output = std::move(*output);
  question.miniBatch = flags.count("mini-batch", 0);
  if (question.miniBatch && question.sequences() % question.miniBatch != 0)
    return llvm::createStringError("--mini-batch expects a divisor of the " +
                                   llvm::Twine(question.sequences()) +
                                   " sequences of a round, but got " +
                                   llvm::Twine(question.miniBatch));
  question.epochs = flags.count("epochs", 1);
  question.passTokens = flags.count("pass-tokens", 0);
  question.pads = flags.value("padding") == "longest";
  return llvm::Error::success();
}

llvm::Expected<PostTrainQuestion>
gpucost::readPostTraining(const SubcommandFlags &flags) {
  PostTrainQuestion question;
  question.model = flags.files.front();
  question.algorithm =
      *symbolizeEnum<PostTraining>(flags.value("algorithm", "grpo"));
  question.rewardModel = flags.value("reward-model");
  question.critic = flags.value("critic");
  question.hasReference = flags.value("reference") != "none";
  question.recomputesLogProbs = flags.value("old-log-probs") != "rollout";
  question.offload =
      *symbolizeEnum<HostOffload>(flags.value("offload", "none"));
  question.sleep = *symbolizeEnum<EngineSleep>(flags.value("sleep", "all"));
  question.sharesPrompts = flags.value("prefix-cache") != "off";
  question.slots = flags.count("slots", 0);
  question.stepTokens = flags.count("step-tokens", usualStepTokens);
  question.jobs = static_cast<unsigned>(flags.count(
      "jobs", llvm::heavyweight_hardware_concurrency().compute_thread_count()));
  if (llvm::Error error = readSequences(flags, question))
    return std::move(error);
  if (llvm::Error error = readGpus(flags, question))
    return std::move(error);
  if (llvm::Error error = checkAlgorithm(flags, question))
    return std::move(error);
  if (llvm::Error error = readSettings(flags, question))
    return std::move(error);
  constexpr double milli = 1e-3;
  std::optional<double> reward;
  if (llvm::Error error = readNumber(flags, "reward-ms", milli, reward))
    return std::move(error);
  question.rewardTime = Seconds(reward.value_or(0));
  question.hostLink = question.common.hostLink;
  return question;
}
