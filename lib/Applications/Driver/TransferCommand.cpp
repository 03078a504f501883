//===- TransferCommand.cpp - gpu-cost-opt transfer ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "RunModel.h"
#include "SettingsFile.h"
#include "Subcommands.h"
#include "gpucost/Applications/Transfer/TransferPrint.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt transfer --measured=FILE MODEL --target=A --to=B,... [settings]

Aligns a profile of the GPU that you have with the prediction, names each gap,
and carries the measured times to another GPU, clock or plan.

  gpu-cost-opt transfer --measured=trace.json.gz model.onnx --target=v100-fp32 \
    --batch=8 --seq=512 --to=a100-fp32,h100-fp32
  gpu-cost-opt transfer --measured=ops.csv model.onnx --target=a100-bf16 \
    --batch=8 --seq=128 --to='clock=900' --to='target=h100-bf16 batch=16'

  --measured=FILE          trace of the PyTorch profiler (JSON, also gzipped), or CSV
                           with time_us and name, op or family, shape, count
  --to=GPU,... | 'NAME=VALUE ...'   where to; may be given several times
  --iterations=n           steps in a trace that marks none (default: 1)
  --settings=file.json     settings of a report; flags override them
  --report=table|json      format (default: table)
  --top=n                  rows of lists in the table (default: 10)
  -o file                  write to a file instead of standard output

All settings of gpu-cost-opt --help are flags here, too: those of the measured run.
docs/Transfer.md explains the output and how good it is.
)";

/// Destinations as the user wrote them: GPUs by commas, else settings.
static std::vector<std::string>
splitDestinations(const std::vector<std::string> &values) {
  std::vector<std::string> texts;
  for (StringRef value : values) {
    if (value.contains('=')) {
      texts.push_back(value.str());
      continue;
    }
    llvm::SmallVector<StringRef> names;
    value.split(names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef name : names)
      texts.push_back(name.trim().str());
  }
  return texts;
}

static llvm::Expected<Scenario> destinationScenario(const Scenario &from,
                                                    const std::string &text) {
  Scenario scenario = from;
  std::string words = StringRef(text).contains('=') ? text : "target=" + text;
  // Settings for one board do not apply to another.
  if (StringRef(words).contains("target=")) {
    scenario.clock.reset();
    scenario.powerLimit.reset();
    scenario.targetFile.reset();
    scenario.coefficients.reset();
  }
  if (llvm::Error error = readSettingWords("to", words, scenario))
    return std::move(error);
  return scenario;
}

static FailureOr<PlacedModel> place(CommandModel &model,
                                    const Scenario &scenario) {
  FailureOr<Session::Prepared> prepared = model.session().prepare(scenario);
  if (failed(prepared))
    return failure();
  return model.session().place(*prepared);
}

/// The whole report; nullopt after a diagnostic.
static llvm::Expected<std::optional<TransferReport>>
predictTransfer(const SubcommandFlags &flags, CommandModel &model,
                const Scenario &scenario, Profile profile) {
  if (llvm::Error error = model.check(scenario))
    return std::move(error);
  // All destinations are checked before the first one runs.
  std::vector<std::pair<std::string, Scenario>> destinations;
  for (const std::string &text : splitDestinations(flags.own.lookup("to"))) {
    llvm::Expected<Scenario> to = destinationScenario(scenario, text);
    if (!to)
      return to.takeError();
    if (llvm::Error error = model.check(*to))
      return std::move(error);
    destinations.emplace_back(text, std::move(*to));
  }
  FailureOr<PlacedModel> placed = place(model, scenario);
  if (failed(placed))
    return std::nullopt;
  TransferReport report;
  report.model = model.path();
  report.profile = std::move(profile);
  report.from = describeRun(*placed);
  llvm::Expected<Alignment> alignment =
      alignProfile(report.profile, report.from);
  if (!alignment)
    return llvm::createStringError("'" + report.profile.file + "': " +
                                   llvm::toString(alignment.takeError()));
  report.alignment = std::move(*alignment);
  report.gaps = explainGaps(report.profile, report.alignment, report.from);
  for (auto &[text, to] : destinations) {
    FailureOr<PlacedModel> other = place(model, to);
    if (failed(other))
      return std::nullopt;
    Destination destination{text, describeRun(*other), {}};
    destination.carried =
        carryOver(report.profile, report.alignment, report.from, report.gaps,
                  destination.run, *other);
    report.destinations.push_back(std::move(destination));
  }
  return std::optional(std::move(report));
}

static llvm::Expected<Profile> openProfile(const SubcommandFlags &flags) {
  std::string path = flags.value("measured");
  auto buffer = openInput(path, mostBytesOfData);
  if (!buffer)
    return buffer.takeError();
  ProfileOptions options;
  options.iterations = static_cast<unsigned>(flags.count("iterations", 1));
  return readProfile((*buffer)->getBuffer(), path, options);
}

/// "V100" is in "Tesla V100-PCIE-32GB", and "a100-sxm-80gb" means "A100".
static bool isDevice(StringRef device, StringRef gpu) {
  return device.empty() || device.contains_insensitive(gpu.split('-').first);
}

static llvm::Expected<ExitCode> runTransfer(const SubcommandFlags &flags) {
  llvm::StringRef missing = flags.files.size() != 1  ? "one model"
                            : !flags.has("measured") ? "--measured=FILE"
                            : !flags.has("to")       ? "--to=GPU"
                                                     : "";
  if (!missing.empty())
    return llvm::createStringError("transfer needs " + missing +
                                   " (transfer --help)");
  llvm::Expected<Profile> profile = openProfile(flags);
  if (!profile)
    return profile.takeError();
  Scenario scenario = flags.settings;
  if (std::string file = flags.value("settings"); !file.empty()) {
    llvm::Expected<Scenario> read = readSettingsFile(file, flags.settings);
    if (!read)
      return read.takeError();
    scenario = std::move(*read);
  }
  std::unique_ptr<CommandModel> model = CommandModel::load(flags.files.front());
  if (!model)
    return ExitCode::Failure;
  llvm::Expected<std::optional<TransferReport>> report =
      predictTransfer(flags, *model, scenario, std::move(*profile));
  if (!report)
    return report.takeError();
  if (!*report)
    return ExitCode::Failure;
  model->printer().flush();
  const TransferReport &found = **report;
  if (!isDevice(found.profile.device, found.from.gpu))
    llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt")
        << "the trace is of '" << found.profile.device
        << "', but the target is '" << found.from.gpu << "'\n";
  return writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
    flags.value("report") == "json"
        ? printTransferJson(found, os)
        : printTransfer(found, flags.count("top", 10), os);
    return llvm::Error::success();
  });
}

ExitCode gpucost::runTransferCommand(llvm::ArrayRef<char *> arguments) {
  static constexpr OwnFlag own[] = {{"measured"},
                                    {"to", "value", "", /*repeats=*/true},
                                    {"iterations", "n", "", false, anyCount},
                                    {"settings"},
                                    {"report", "table|json"},
                                    {"top", "n", "", false, anyCount}};
  return runCommand(
      readSubcommandFlags("transfer", arguments, own),
      [](llvm::raw_ostream &os) { os << usage; }, runTransfer);
}
