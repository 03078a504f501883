//===- ServeCommand.cpp - gpu-cost-opt serve ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ServeCommand.h"
#include "CommandFlags.h"
#include "Output.h"
#include "RunModel.h"
#include "Version.h"
#include "gpucost/Applications/Driver/Driver.h"
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
#define SERVE_COUNT(field, flag, initial, help) {flag},
#define SERVE_TIME(field, flag, help) {flag},
#define SERVE_CHOICE(field, flag, initial, other, help) {flag},
#include "gpucost/Applications/Serve/ServeFlags.def"
    {"oracle"}, {"report"}};

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

static llvm::Error readTokens(const SubcommandFlags &flags, StringRef flag,
                              int64_t &count) {
  llvm::Expected<int64_t> number = readCount(flags, flag, count);
  if (!number)
    return number.takeError();
  count = *number;
  return llvm::Error::success();
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

static llvm::Error readChoice(const SubcommandFlags &flags, StringRef flag,
                              StringRef initial, StringRef other,
                              bool &isOther) {
  std::string text = flags.value(flag, initial);
  isOther = text == other;
  if (!isOther && text != initial)
    return llvm::createStringError("unknown value '" + text + "' of --" + flag +
                                   ", expected " + initial + " or " + other);
  return llvm::Error::success();
}

static llvm::Expected<ServeQuestion>
readQuestion(const SubcommandFlags &flags) {
  ServeQuestion question;
#define SERVE_COUNT(field, flag, initial, help)                                \
  if (llvm::Error error = readTokens(flags, flag, question.field))             \
    return std::move(error);
#define SERVE_TIME(field, flag, help)                                          \
  if (llvm::Error error = readTime(flags, flag, question.field))               \
    return std::move(error);
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  if (llvm::Error error =                                                      \
          readChoice(flags, flag, initial, other, question.field))             \
    return std::move(error);
#include "gpucost/Applications/Serve/ServeFlags.def"
  return question;
}

/// The bounds of time that not even a batch of 1 keeps are an answer without a
/// service.
static int answer(const SubcommandFlags &flags, const ServeReport &report) {
  bool isJson = flags.value("report", "table") == "json";
  int code = writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
    if (isJson)
      printServeJson(report, os);
    else
      printServe(report, os);
    return llvm::Error::success();
  });
  if (code == 0 && report.largestAllowed && report.largestAllowed->value == 0)
    return reportError("no batch size meets the limits: " +
                       report.largestAllowed->reason);
  return code;
}

static int writeOracle(const SubcommandFlags &flags, CommandModel &model,
                       const Scenario &scenario,
                       const ServeQuestion &question) {
  mlir::FailureOr<std::string> bytes =
      prepareService(model.session(), scenario, question, model.path());
  if (mlir::failed(bytes))
    return static_cast<int>(ExitCode::Failure);
  model.printer().flush();
  return writeOutput(flags.value("oracle"), [&](llvm::raw_ostream &os) {
    os << *bytes;
    return llvm::Error::success();
  });
}

int gpucost::runServeCommand(llvm::ArrayRef<char *> arguments) {
  llvm::Expected<SubcommandFlags> flags =
      readSubcommandFlags("serve", arguments, ownFlags);
  if (!flags)
    return reportError(flags.takeError());
  if (flags->has("help")) {
    printUsage(llvm::outs());
    return static_cast<int>(ExitCode::Success);
  }
  std::string format = flags->value("report", "table");
  if (format != "table" && format != "json")
    return reportError("unknown value '" + format +
                       "' of --report, expected table or json");
  llvm::Expected<ServeQuestion> question = readQuestion(*flags);
  if (!question)
    return reportError(question.takeError());
  if (flags->files.size() != 1)
    return reportError("serve takes one model (serve --help)");
  std::unique_ptr<CommandModel> model =
      CommandModel::load(flags->files.front());
  if (!model)
    return static_cast<int>(ExitCode::Failure);
  Scenario scenario = serveScenario(flags->settings);
  if (llvm::Error error = model->check(scenario))
    return reportError(std::move(error));
  if (flags->has("oracle"))
    return writeOracle(*flags, *model, scenario, *question);
  mlir::FailureOr<ServeReport> report =
      predictService(model->session(), scenario, *question);
  if (mlir::failed(report))
    return static_cast<int>(ExitCode::Failure);
  report->model = model->path();
  report->version = versionName();
  model->printer().flush();
  return answer(*flags, *report);
}
