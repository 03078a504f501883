//===- BuildCommand.cpp - gpu-cost-opt build ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace gpucost;
using llvm::StringRef;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt build <config.json | folder> -o model.onnx [flags]

Writes the model that the config.json of a Hugging Face repository describes as
an ONNX file without weights. Every command that takes a model also takes the
configuration itself. docs/Configurations.md describes the graphs.

  gpu-cost-opt build Llama-3.1-8B/config.json -o llama.onnx
  gpu-cost-opt Llama-3.1-8B/config.json --target=h100-bf16 --batch=8 --seq=2048

Flags:
)";

llvm::ArrayRef<OwnFlag> gpucost::buildFlags() {
  static const std::string bases = joinNames(caseNames<LoraBase>(), "|");
  static const OwnFlag flags[] = {
      {"form", "prompt|training|cache",
       "sequences from their start (default), the same with a backward pass of "
       "experts, or new tokens after cached ones"},
      {"lora-rank", "n", "add adapters (LoRA) of this rank", false, 65536},
      {"lora-modules", "names",
       "linears with adapters: all-linear (default), attention, or names such "
       "as q_proj,v_proj"},
      {"lora-base", bases, "storage of the frozen linears (default: as-is)"},
      {"list-types", "", "list the supported values of 'model_type' and exit"}};
  return flags;
}

static constexpr StringRef adapterFlags[] = {"lora-rank", "lora-modules",
                                             "lora-base"};

static llvm::Expected<Scenario> readAdapters(const CommandFlags &flags) {
  Scenario scenario;
  for (StringRef flag : adapterFlags) {
    if (!flags.has(flag))
      continue;
    if (!flags.has("lora-rank"))
      return llvm::createStringError("--" + flag + " needs --lora-rank");
    if (llvm::Error error = readSettingWords(
            flag, (flag + "=" + flags.value(flag)).str(), scenario))
      return std::move(error);
  }
  return scenario;
}

static llvm::Expected<ExitCode> build(const CommandFlags &flags) {
  std::string output = flags.value("o", "-");
  if (flags.has("list-types"))
    return writeOutput(output, [](llvm::raw_ostream &os) {
      os << llvm::join(supportedModelTypes(), "\n") << '\n';
      return llvm::Error::success();
    });
  if (flags.files.size() != 1)
    return llvm::createStringError(
        flags.files.empty()
            ? "no configuration; usage: gpu-cost-opt build config.json -o "
              "model.onnx"
            : "two configurations, '" + flags.files[0] + "' and '" +
                  flags.files[1] + "'; give one");
  llvm::Expected<Scenario> scenario = readAdapters(flags);
  if (!scenario)
    return scenario.takeError();
  llvm::Expected<std::string> onnx = buildModelFile(
      "", flags.files.front(), flags.value("form", "prompt"), *scenario);
  if (!onnx)
    return onnx.takeError();
  return writeOutput(output, [&](llvm::raw_ostream &os) {
    os << *onnx;
    return llvm::Error::success();
  });
}

ExitCode gpucost::runBuildCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readCommandFlags("build", arguments, buildFlags(), TakesSettings::No),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, buildFlags());
      },
      build);
}
