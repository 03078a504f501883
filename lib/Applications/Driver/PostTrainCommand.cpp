//===- PostTrainCommand.cpp - gpu-cost-opt post-train ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostTrainFlags.h"
#include "Subcommands.h"
#include "Version.h"

using namespace gpucost;
using namespace gpucost::posttrain;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt post-train MODEL --algorithm=grpo|ppo|dpo --prompts=N
         --target=GPU --gpus=N | --rollout-gpus=N --train-gpus=N [flags]

Time, energy and memory of a round of post-training: the answers of the policy,
forward passes that score them, updates of the policy, and its new weights for
the engines that generate the answers.

  gpu-cost-opt post-train config.json --target=h100-bf16 --gpus=8 \
    --prompts=64 --samples=8 --input-tokens=512 --output-tokens=lengths.csv
  gpu-cost-opt post-train config.json --target=h100-bf16 --rollout-gpus=8 \
    --train-gpus=8 --network=dgx-h100 --prompts=256 --samples=16 \
    --rollout='parallel=tp2 weights=fp8' --train='parallel=pp2.zero1'

Flags:
)";

static constexpr const char *usageEnd = R"(
Settings of the GPUs and of costs (--target, --network, --clock, --price, ...)
are flags here, too; those of the engines and of the training are words of
--rollout and --train. docs/PostTraining.md explains the output.
)";

static llvm::Expected<ExitCode> runPostTrain(SubcommandFlags &flags) {
  if (flags.files.size() != 1)
    return llvm::createStringError("post-train takes one model (post-train "
                                   "--help)");
  llvm::Expected<PostTrainQuestion> question = readPostTraining(flags);
  if (!question)
    return question.takeError();
  llvm::Expected<PostTrainReport> report = predictRound(*question);
  if (!report)
    return report.takeError();
  report->version = versionName();
  return writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
    flags.value("report") == "json"
        ? printPostTrainJson(*report, /*indented=*/true, os)
        : printPostTrain(*report, os);
    return llvm::Error::success();
  });
}

ExitCode gpucost::runPostTrainCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSubcommandFlags("post-train", arguments, postTrainFlags()),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, postTrainFlags());
        os << usageEnd;
      },
      runPostTrain);
}
