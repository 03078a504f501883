//===- ServeCommand.cpp - gpu-cost-opt serve ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "RunModel.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Applications/Serve/Serve.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::serve;
using llvm::StringRef;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt serve MODEL [flags] [settings]

A language model as a service: time to the first token, time per output token,
tokens per second, power and energy of prefill and decode, floors, and the
largest batch and the longest context that fit. MODEL has past keys and values
as inputs, or is the forward pass of a decoder, perhaps behind an encoder: its
decode step is derived.

  gpu-cost-opt serve llama.onnx --target=h100-bf16 --input-tokens=2048 \
    --output-tokens=512 --batch=32
  gpu-cost-opt serve llama.onnx --target=h100-bf16 --tpot=30

)";

static constexpr const char *usageEnd = R"(
All settings of gpu-cost-opt --help are flags here, too (--kv, --weights,
--software, --parallel, ...). Defaults that differ: --runtime=cudagraph,
--kv-cache=in-place, --batch=1. docs/Serving.md explains the
output.
)";

static constexpr OwnFlag ownFlags[] = {
#define SERVE_COUNT(field, flag, initial, help)                                \
  {flag, "n", help, false, anyCount},
#define SERVE_TIME(field, flag, help) {flag, "ms", help},
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  {flag, initial "|" other, help},
#include "gpucost/Applications/Serve/ServeFlags.def"
    {"oracle"}, {"report", "table|json"}};

static void printUsage(llvm::raw_ostream &os) {
  auto line = [&](StringRef flag, StringRef value, std::string help,
                  int64_t initial) {
    if (initial > 0)
      help += " (default: " + std::to_string(initial) + ")";
    os << fmt::format("  {:<26} {}\n", ("--" + flag + "=" + value).str(), help);
  };
  os << usage;
#define SERVE_COUNT(field, flag, initial, help) line(flag, "n", help, initial);
#define SERVE_TIME(field, flag, help) line(flag, "ms", help, 0);
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  line(flag, initial "|" other, help " (default: " initial ")", 0);
#include "gpucost/Applications/Serve/ServeFlags.def"
  line("oracle", "file.gcs",
       "write the model for step oracles, and no report (docs/Serving.md)", 0);
  line("report", "table|json", "format (default: table)", 0);
  os << "  -o file                    write to a file instead of standard "
        "output\n"
     << usageEnd;
}

static llvm::Error readTime(const SubcommandFlags &flags, StringRef flag,
                            std::optional<Seconds> &time) {
  std::string text = flags.value(flag);
  if (text.empty() && !flags.has(flag))
    return llvm::Error::success();
  double value = 0;
  if (StringRef(text).getAsDouble(value) || !(value > 0) || std::isinf(value))
    return llvm::createStringError(
        "--" + flag + " expects a time in ms above 0, but got '" + text + "'");
  time = Seconds(value * 1e-3);
  return llvm::Error::success();
}

static llvm::Expected<ServeQuestion>
readQuestion(const SubcommandFlags &flags) {
  ServeQuestion question;
#define SERVE_COUNT(field, flag, initial, help)                                \
  question.field = flags.count(flag, question.field);
#define SERVE_TIME(field, flag, help)                                          \
  if (llvm::Error error = readTime(flags, flag, question.field))               \
    return std::move(error);
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  question.field = flags.value(flag) == other;
#include "gpucost/Applications/Serve/ServeFlags.def"
  return question;
}

/// If even a batch of 1 exceeds the limits, the report is printed, but not a
/// service.
static llvm::Expected<ExitCode> answer(const SubcommandFlags &flags,
                                       const ServeReport &report) {
  ExitCode code =
      writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
        flags.value("report") == "json" ? printServeJson(report, os)
                                        : printServe(report, os);
        return llvm::Error::success();
      });
  if (code == ExitCode::Success && report.largestAllowed &&
      report.largestAllowed->value == 0)
    return llvm::createStringError("no batch size meets the limits: " +
                                   report.largestAllowed->reason);
  return code;
}

static ExitCode writeOracle(const SubcommandFlags &flags, CommandModel &model,
                            const Scenario &scenario,
                            const ServeQuestion &question) {
  mlir::FailureOr<std::string> bytes =
      prepareService(model.session(), scenario, question, model.path());
  if (mlir::failed(bytes))
    return ExitCode::Failure;
  model.printer().flush();
  return writeOutput(flags.value("oracle"), [&](llvm::raw_ostream &os) {
    os << *bytes;
    return llvm::Error::success();
  });
}

static llvm::Expected<ExitCode> runServe(const SubcommandFlags &flags) {
  llvm::Expected<ServeQuestion> question = readQuestion(flags);
  if (!question)
    return question.takeError();
  if (flags.files.size() != 1)
    return llvm::createStringError("serve takes one model (serve --help)");
  std::unique_ptr<CommandModel> model = CommandModel::load(flags.files.front());
  if (!model)
    return ExitCode::Failure;
  Scenario scenario = serveScenario(flags.settings);
  if (llvm::Error error = model->check(scenario))
    return std::move(error);
  if (flags.has("oracle"))
    return writeOracle(flags, *model, scenario, *question);
  mlir::FailureOr<ServeReport> report =
      predictService(model->session(), scenario, *question);
  if (mlir::failed(report))
    return ExitCode::Failure;
  report->model = model->path();
  report->version = versionName();
  model->printer().flush();
  return answer(flags, *report);
}

ExitCode gpucost::runServeCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(readSubcommandFlags("serve", arguments, ownFlags),
                    printUsage, runServe);
}
