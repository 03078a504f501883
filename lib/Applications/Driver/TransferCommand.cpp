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
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Targets/TargetChoice.h"
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

Flags:
)";

static constexpr const char *usageEnd = R"(
All settings of gpu-cost-opt --help are flags here, too: those of the measured run.
docs/Transfer.md explains the output and how good it is.
)";

static constexpr OwnFlag ownFlags[] = {
    {"measured", "file",
     "trace of the PyTorch profiler (JSON, also gzipped), or CSV with time_us "
     "and name, op or family, shape, count"},
    {"to", "gpu,...",
     "GPUs, or settings that differ ('name=value ...'); may be given several "
     "times",
     /*repeats=*/true},
    {"iterations", "n", "steps in a trace that marks none (default: 1)", false,
     anyCount},
    {"settings", "file.json", "settings of a report; flags override them"},
    {"report", "table|json", "format (default: table)"},
    {"top", "n", "rows of lists in the table (default: 10)", false, anyCount}};

llvm::ArrayRef<OwnFlag> gpucost::transferFlags() { return ownFlags; }

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

namespace {
/// A destination before its prediction.
struct Wanted {
  std::string text;
  Scenario scenario;
  /// It names a GPU without a format.
  bool hasDefaultFormat = false;
};
} // namespace

/// Takes the format of the measured run where none is named, if the GPU has it.
static llvm::Error keepFormat(const Scenario &from, Wanted &to) {
  Expected<TargetChoice> choice =
      chooseTarget(withoutChangesOfGpu(to.scenario));
  if (!choice)
    return toLLVMError(choice.error());
  to.hasDefaultFormat = choice->formatIsDefault;
  if (!to.hasDefaultFormat || !(from.target || from.targetFile))
    return llvm::Error::success();
  Expected<TargetChoice> before = chooseTarget(withoutChangesOfGpu(from));
  if (!before)
    return toLLVMError(before.error());
  NumericFormat format = before->target.format;
  if (!choice->target.gpu.find(format))
    return llvm::Error::success();
  std::string name(stringifyNumericFormat(format));
  to.scenario.target = to.scenario.targetFile
                           ? name
                           : to.scenario.target.value_or("") + "-" + name;
  return llvm::Error::success();
}

static llvm::Expected<Wanted> readDestination(const Scenario &from,
                                              const std::string &text) {
  Scenario stated;
  std::string words = StringRef(text).contains('=') ? text : "target=" + text;
  if (llvm::Error error = readSettingWords("to", words, stated))
    return std::move(error);
  Wanted to{text, from};
  bool namesGpu = stated.target || stated.targetFile;
  // Settings for one board do not apply to another.
  if (namesGpu) {
    to.scenario.clock.reset();
    to.scenario.powerLimit.reset();
    to.scenario.coefficients.reset();
  }
  stateAll(to.scenario, stated);
  if (namesGpu)
    if (llvm::Error error = keepFormat(from, to))
      return std::move(error);
  return to;
}

/// "a100-fp32" for "a100", "clock=900" for itself; a format that is not that of
/// the measured run is always named.
static std::string labelOf(const Wanted &to, NumericFormat measured,
                           NumericFormat format) {
  if (!to.hasDefaultFormat)
    return to.text;
  std::string name(stringifyNumericFormat(format));
  if (!StringRef(to.text).contains('='))
    return to.text + "-" + name;
  return format == measured ? to.text : to.text + ", " + name;
}

static FailureOr<PlacedModel> place(CommandModel &model,
                                    const Scenario &scenario) {
  FailureOr<Session::Prepared> prepared = model.session().prepare(scenario);
  if (failed(prepared))
    return failure();
  if (prepared->model->pipeline)
    return model.session().model().emitError(
        "a profile is of one stage of a pipeline; choose it with "
        "--select-stage");
  return model.session().place(*prepared);
}

/// The whole report; nullopt after a diagnostic.
static llvm::Expected<std::optional<TransferReport>>
predictTransfer(const SubcommandFlags &flags, CommandModel &model,
                const Scenario &scenario, Profile profile) {
  if (llvm::Error error = model.check(scenario))
    return std::move(error);
  // All destinations are checked before the first one runs.
  std::vector<Wanted> destinations;
  for (const std::string &text : splitDestinations(flags.own.lookup("to"))) {
    llvm::Expected<Wanted> to = readDestination(scenario, text);
    if (!to)
      return to.takeError();
    if (llvm::Error error = model.check(to->scenario))
      return std::move(error);
    destinations.push_back(std::move(*to));
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
  report.notes = findDoubts(report.profile, report.gaps, report.from);
  const Settings &settings = placed->prepared().settings;
  if (std::string why =
          placed->describeBrokenLimit(settings, placed->solve(settings));
      !why.empty())
    report.notes.push_back("measured run: " + why);
  for (const Wanted &to : destinations) {
    FailureOr<PlacedModel> other = place(model, to.scenario);
    if (failed(other))
      return std::nullopt;
    Destination destination{to.text, "", describeRun(*other), {}};
    NumericFormat format = destination.run.report.format;
    destination.label = labelOf(to, report.from.report.format, format);
    destination.carried =
        carryOver(report.profile, report.alignment, report.from, report.gaps,
                  destination.run, *other);
    if (format != report.from.report.format)
      destination.carried.notes.push_back(
          "predicted in " + std::string(stringifyNumericFormat(format)) +
          ", the measured run is in " +
          std::string(stringifyNumericFormat(report.from.report.format)));
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
  for (const std::string &note : found.notes)
    llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt") << note << '\n';
  return writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
    flags.value("report") == "json"
        ? printTransferJson(found, os)
        : printTransfer(found, flags.count("top", 10), os);
    return llvm::Error::success();
  });
}

ExitCode gpucost::runTransferCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSubcommandFlags("transfer", arguments, ownFlags),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
        os << usageEnd;
      },
      runTransfer);
}
