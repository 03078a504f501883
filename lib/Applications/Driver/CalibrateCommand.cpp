//===- CalibrateCommand.cpp - gpu-cost-opt calibrate ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "Subcommands.h"
#include "gpucost/Applications/Calibration/Calibrate.h"

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

static constexpr StringRef usage =
    R"(usage: gpu-cost-opt calibrate [--measurements=FOLDER] [--collectives=FILE] [--steps=FILE] --target=GPU -o FILE

gpu-cost-opt calibrate: coefficients for your GPU from your own measurements

  python3 measure.py kernels power host --out m
  gpu-cost-opt calibrate --measurements m --target a100-bf16 -o my-gpu.mlir
  gpu-cost-opt model.onnx --target=a100-bf16 --coefficients=my-gpu.mlir

  all_reduce_perf -b 1M -e 1G -f 2 -g 8 > all_reduce.txt
  gpu-cost-opt calibrate --collectives=all_reduce.txt --target h100-bf16 -o my-links.mlir

Flags:
)";

static constexpr OwnFlag ownFlags[] = {
    {"measurements", "folder",
     "CSV files of measure.py: kernels.csv, kernels-from-model.csv, "
     "power.csv, host.csv"},
    {"collectives", "file,...",
     "output of nccl-tests or rccl-tests: all_reduce_perf, ...",
     /*repeats=*/true},
    {"network", "name or file.mlir",
     "network between the nodes of these tests (--list-networks)"},
    {"steps", "file.csv",
     "measured training steps: columns model, flags, time_s"},
    {"target", "gpu[-format]",
     "the GPU they were measured on; its coefficients are the prior"},
    {"target-file", "file.mlir",
     "GPU in a user-defined target file; without coefficients in it, the "
     "coefficients of the nearest shipped GPU are the prior"},
    {"coefficients", "file.mlir", "prior to use instead of the target's"},
    {"models", "folder",
     "models to predict training.csv and inference.csv with, before and "
     "after: models/ of gpu-cost-opt"},
    {"o", "file.mlir", "coefficients file to write"},
    {"rows", "file.csv",
     "write the prediction of each row before and after here"},
    {"keep", "group[.field],...", "coefficients that are not fitted",
     /*repeats=*/true},
    {"folds", "n", "parts that are held out in turn (default: 5; 0: none)"}};

llvm::ArrayRef<OwnFlag> gpucost::calibrateFlags() { return ownFlags; }

/// The parts between commas of a flag that may repeat.
static std::vector<std::string> wordsOf(const CommandFlags &flags,
                                        StringRef flag) {
  std::vector<std::string> result;
  for (StringRef text : flags.own.lookup(flag)) {
    llvm::SmallVector<StringRef> words;
    text.split(words, ',', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      result.push_back(word.trim().str());
  }
  return result;
}

static llvm::Expected<CalibrateRequest> readRequest(const CommandFlags &flags) {
  if (!flags.files.empty())
    return llvm::createStringError("calibrate takes no model, but got '" +
                                   flags.files.front() + "'");
  CalibrateRequest request;
  request.measurements = flags.value("measurements");
  request.target = flags.value("target");
  request.targetFile = flags.value("target-file");
  request.coefficients = flags.value("coefficients");
  request.models = flags.value("models");
  request.output = flags.value("o");
  request.rows = flags.value("rows");
  request.network = flags.value("network");
  request.steps = flags.value("steps");
  request.readSettings = [](StringRef text, Scenario &scenario) {
    return readSettingWords("steps", text, scenario);
  };
  request.keep = wordsOf(flags, "keep");
  request.collectives = wordsOf(flags, "collectives");
  std::string folds = flags.value("folds");
  if (flags.has("folds") && StringRef(folds).getAsInteger(10, request.folds))
    return llvm::createStringError("--folds expects a number, but got '" +
                                   folds + "'");
  bool isMeasured = !request.measurements.empty() ||
                    !request.collectives.empty() || !request.steps.empty();
  if (!isMeasured || request.output.empty())
    return llvm::createStringError(
        "a calibration needs --measurements=FOLDER, --collectives=FILE or "
        "--steps=FILE, and -o FILE (calibrate --help lists all)");
  if (!request.models.empty() && request.measurements.empty())
    return llvm::createStringError(
        "--models needs --measurements with training.csv or inference.csv");
  if (!request.network.empty() && request.collectives.empty())
    return llvm::createStringError("--network needs --collectives");
  if (request.target.empty() && request.targetFile.empty())
    return llvm::createStringError(
        "a calibration needs a GPU: --target=a100-bf16 "
        "(gpu-cost-opt --list-targets shows all) or --target-file");
  return request;
}

ExitCode gpucost::runCalibrateCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readCommandFlags("calibrate", arguments, ownFlags, TakesSettings::No),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
      },
      [](const CommandFlags &flags) -> llvm::Expected<ExitCode> {
        llvm::Expected<CalibrateRequest> request = readRequest(flags);
        if (!request)
          return request.takeError();
        if (llvm::Error error = runCalibrate(*request))
          return std::move(error);
        return ExitCode::Success;
      });
}
