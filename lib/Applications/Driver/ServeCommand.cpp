//===- ServeCommand.cpp - gpu-cost-opt serve ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "RunModel.h"
#include "Subcommands.h"
#include "TechniqueFlags.h"
#include "Version.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::serve;
using namespace gpucost::sweep;
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
  gpu-cost-opt serve llama.onnx --target=a100,h100 --batch=1..64x2 --price=*:2

Flags:
)";

static constexpr const char *usageEnd = R"(
All settings of gpu-cost-opt --help are flags here, too (--kv, --weights,
--software, --parallel, --price, ...). Defaults that differ: --batch=1,
--runtime=cudagraph, --kv-cache=in-place. Settings, lengths and limits take
lists and ranges as in a sweep; several combinations are one line each, with
--report=json one JSON object per line. docs/Serving.md explains the output.
)";

/// Services of one command.
static constexpr size_t mostServices = 10'000;
/// Users, requests and steps of a closed loop.
static constexpr int64_t mostInLoop = 1'000'000;

/// A default of 0 is none.
#define SERVE_COUNT(field, flag, initial, help)                                \
  {flag, "n",                                                                  \
   initial ? llvm::StringRef(help " (default: " #initial ")")                  \
           : llvm::StringRef(help)},
static constexpr OwnFlag ownFlags[] = {
#define SERVE_TIME(field, flag, help) {flag, "ms", help},
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  {flag, initial "|" other, help " (default: " initial ")"},
#include "gpucost/Applications/Serve/ServeFlags.def"
#define TECHNIQUE_SHARE(field, flag, help) {flag, "share", help},
#define TECHNIQUE_COUNT(field, flag, most, help) {flag, "n", help},
#define TECHNIQUE_TEXT(field, flag, placeholder, help)                         \
  {flag, placeholder, help},
#include "gpucost/Applications/Serve/TechniqueFlags.def"
#define LOOP_COUNT(field, flag, initial, help)                                 \
  {flag, "n",                                                                  \
   initial ? llvm::StringRef(help " (default: " #initial ")")                  \
           : llvm::StringRef(help)},
#define LOOP_SHARE(field, flag, initial, help)                                 \
  {flag, "share", help " (default: " #initial ")"},
#define LOOP_TIME(field, flag, help) {flag, "ms", help},
#include "gpucost/Applications/Serve/LoopFlags.def"
    {"oracle", "file.gcs",
     "write the model for step oracles, and no report (docs/Serving.md)"},
    {"report", "table|json", "format (default: table)"}};

llvm::ArrayRef<OwnFlag> gpucost::serveFlags() { return ownFlags; }

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

namespace {
/// A question, and the values of its flags that have several: "--tpot=20".
struct Asked {
  ServeQuestion question;
  std::string text;
};
} // namespace

static llvm::Error refuseServices() {
  return llvm::createStringError("more than " + llvm::Twine(mostServices) +
                                 " services; take fewer values");
}

static llvm::Expected<std::vector<double>> readTimes(StringRef flag,
                                                     StringRef text) {
  std::vector<double> times;
  for (StringRef item : llvm::split(text, ',')) {
    double value = 0;
    if (item.trim().getAsDouble(value) || !(value > 0) || std::isinf(value))
      return llvm::createStringError(
          "--" + flag + " expects a time in ms above 0, but got '" + item +
          "'");
    times.push_back(value);
  }
  return times;
}

/// Repeats every question for each value of `flag`, if it is given.
template <typename Read, typename Set>
static llvm::Error multiply(std::vector<Asked> &all, const CommandFlags &flags,
                            StringRef flag, Read read, Set set) {
  if (!flags.has(flag))
    return llvm::Error::success();
  auto values = read(flag, flags.value(flag));
  if (!values)
    return values.takeError();
  std::vector<Asked> result;
  for (const Asked &asked : all)
    for (auto value : *values) {
      Asked next = asked;
      set(next.question, value);
      if (values->size() > 1)
        next.text += fmt::format("{}--{}={}", next.text.empty() ? "" : " ",
                                 flag.str(), value);
      result.push_back(std::move(next));
    }
  all = std::move(result);
  return llvm::Error::success();
}

/// Reads whole numbers up to `most`.
static auto countsUpTo(int64_t most) {
  return [most](StringRef flag, StringRef text) {
    return expandCounts(flag, text, most);
  };
}

static llvm::Expected<std::vector<Asked>>
readQuestions(const CommandFlags &flags) {
  std::vector<Asked> all(1);
#define MULTIPLY(flag, read, assignment)                                       \
  if (llvm::Error error =                                                      \
          multiply(all, flags, flag, read,                                     \
                   [](ServeQuestion &q, auto value) { assignment; }))          \
    return std::move(error);
#define SERVE_COUNT(field, flag, initial, help)                                \
  MULTIPLY(flag, countsUpTo(anyCount), q.field = value)
#define SERVE_TIME(field, flag, help)                                          \
  MULTIPLY(flag, readTimes, q.field = Seconds(value * 1e-3))
#define SERVE_CHOICE(field, flag, initial, other, help)                        \
  for (Asked &asked : all)                                                     \
    asked.question.field = flags.value(flag) == other;
#include "gpucost/Applications/Serve/ServeFlags.def"
#define TECHNIQUE_SHARE(field, flag, help)                                     \
  MULTIPLY(flag, readShares, q.techniques.field = value)
#define TECHNIQUE_COUNT(field, flag, most, help)                               \
  MULTIPLY(flag, countsUpTo(most), q.techniques.field = value)
#define TECHNIQUE_TEXT(field, flag, placeholder, help)                         \
  for (Asked &asked : all)                                                     \
    asked.question.techniques.field = flags.value(flag);
#include "gpucost/Applications/Serve/TechniqueFlags.def"
#define LOOP_COUNT(field, flag, initial, help)                                 \
  MULTIPLY(flag, countsUpTo(mostInLoop), q.loop.field = value)
#define LOOP_SHARE(field, flag, initial, help)                                 \
  MULTIPLY(flag, readShares, q.loop.field = value)
#define LOOP_TIME(field, flag, help)                                           \
  MULTIPLY(flag, readTimes, q.loop.field = Seconds(value * 1e-3))
#include "gpucost/Applications/Serve/LoopFlags.def"
#undef MULTIPLY
  if (all.size() > mostServices)
    return refuseServices();
  for (const Asked &asked : all)
    for (const std::string &fault : {asked.question.techniques.contradiction(),
                                     asked.question.loop.contradiction()})
      if (!fault.empty())
        return llvm::createStringError(fault);
  if (flags.has("users"))
    for (StringRef flag : {"ttft", "tpot", "prefill-batch", "prefill-chunk"})
      if (flags.has(flag))
        return llvm::createStringError("--" + flag +
                                       " does not go with --users");
  return all;
}

//===----------------------------------------------------------------------===//
// One service
//===----------------------------------------------------------------------===//

/// If even a batch of 1 exceeds the limits, the report is printed, but not a
/// service.
static llvm::Expected<ExitCode> answer(const CommandFlags &flags,
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

static ExitCode writeOracle(const CommandFlags &flags, CommandModel &model,
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

/// nullopt after a diagnostic.
static llvm::Expected<std::optional<ServeReport>>
predict(CommandModel &model, const Scenario &stated,
        const ServeQuestion &question, llvm::raw_ostream &os = llvm::errs()) {
  if (question.loop.users > 0 && stated.batch)
    return llvm::createStringError(
        "--users does not go with --batch: the loop decides how many "
        "sequences a step has; --slots limits them");
  Scenario scenario = serveScenario(stated);
  if (llvm::Error error = model.check(scenario))
    return std::move(error);
  std::optional<CommandModel> draft;
  if (question.techniques.draftTokens > 0) {
    const std::string &path = question.techniques.draft;
    draft.emplace(os);
    if (path.empty()) {
      if (llvm::Error error = draft->loadPredictor(model.path()))
        return std::move(error);
    } else if (!draft->LoadedModel::load(path)) {
      return std::nullopt;
    }
  }
  mlir::FailureOr<ServeReport> report = predictService(
      model.session(), scenario, question, draft ? &draft->session() : nullptr);
  if (mlir::failed(report))
    return std::nullopt;
  report->model = model.path();
  report->version = versionName();
  return std::optional(std::move(*report));
}

static llvm::Expected<ExitCode> runOne(const CommandFlags &flags,
                                       const Scenario &stated,
                                       const ServeQuestion &question) {
  std::unique_ptr<CommandModel> model = CommandModel::load(flags.files.front());
  if (!model)
    return ExitCode::Failure;
  if (flags.has("oracle")) {
    Scenario scenario = serveScenario(stated);
#define NOT_IN_ORACLES(flag)                                                   \
  if (flags.has(flag))                                                         \
    return llvm::createStringError(                                            \
        "--oracle does not go with --" flag                                    \
        ": each query of the oracle states new and cached tokens");
#define TECHNIQUE_SHARE(field, flag, help) NOT_IN_ORACLES(flag)
#define TECHNIQUE_COUNT(field, flag, most, help) NOT_IN_ORACLES(flag)
#define TECHNIQUE_TEXT(field, flag, placeholder, help) NOT_IN_ORACLES(flag)
#include "gpucost/Applications/Serve/TechniqueFlags.def"
#define LOOP_COUNT(field, flag, initial, help) NOT_IN_ORACLES(flag)
#define LOOP_SHARE(field, flag, initial, help) NOT_IN_ORACLES(flag)
#define LOOP_TIME(field, flag, help) NOT_IN_ORACLES(flag)
#include "gpucost/Applications/Serve/LoopFlags.def"
#undef NOT_IN_ORACLES
    if (llvm::Error error = model->check(scenario))
      return std::move(error);
    return writeOracle(flags, *model, scenario, question);
  }
  llvm::Expected<std::optional<ServeReport>> report =
      predict(*model, stated, question);
  if (!report)
    return report.takeError();
  if (!*report)
    return ExitCode::Failure;
  model->printer().flush();
  return answer(flags, **report);
}

//===----------------------------------------------------------------------===//
// Several services
//===----------------------------------------------------------------------===//

/// The text of the first error among printed diagnostics.
static std::string firstError(StringRef text) {
  constexpr StringRef mark = "error: ";
  size_t at = text.find(mark);
  return at == StringRef::npos
             ? "no reason is known"
             : text.substr(at + mark.size()).split('\n').first.str();
}

static ServicePoint predictPoint(const Space &space, int64_t point,
                                 const Asked &asked) {
  ServicePoint service;
  service.text = axesText(space, point);
  if (!asked.text.empty())
    service.text += (service.text.empty() ? "" : " ") + asked.text;
  service.model = space.models()[space.modelOf(point / space.blockSize())];
  std::string errors;
  llvm::raw_string_ostream os(errors);
  std::unique_ptr<CommandModel> model = CommandModel::load(service.model, os);
  if (!model) {
    service.reason = firstError(errors);
    return service;
  }
  llvm::Expected<std::optional<ServeReport>> report =
      predict(*model, space.scenarioOf(point), asked.question, os);
  if (!report)
    service.reason = llvm::toString(report.takeError());
  else if (*report)
    service.report = std::move(**report);
  else
    service.reason = firstError(errors);
  return service;
}

static llvm::Expected<ExitCode> runSeveral(const CommandFlags &flags,
                                           const Space &space,
                                           llvm::ArrayRef<Asked> questions) {
  if (flags.has("oracle"))
    return llvm::createStringError("--oracle takes one value per flag");
  // A misspelt target is a mistake, not a service.
  for (int64_t point = 0; point < space.size(); ++point) {
    Scenario gpu = withoutChangesOfGpu(space.scenarioOf(point));
    if (gpu.target || gpu.targetFile)
      if (Expected<TargetChoice> choice = chooseTarget(gpu); !choice)
        return toLLVMError(choice.error());
  }
  std::vector<ServicePoint> services;
  for (int64_t point = 0; point < space.size(); ++point)
    for (const Asked &asked : questions)
      services.push_back(predictPoint(space, point, asked));
  ExitCode code =
      writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
        flags.value("report") == "json" ? printServicesJson(services, os)
                                        : printServices(services, os);
        return llvm::Error::success();
      });
  if (code == ExitCode::Success &&
      llvm::none_of(services, [](const ServicePoint &service) {
        return service.report.has_value();
      }))
    return llvm::createStringError("no service: " + services.front().reason);
  return code;
}

static llvm::Expected<ExitCode> runServe(CommandFlags &flags) {
  llvm::Expected<std::vector<Asked>> questions = readQuestions(flags);
  if (!questions)
    return questions.takeError();
  if (flags.files.empty())
    return llvm::createStringError("serve takes one model (serve --help)");
  llvm::Expected<Space> space = Space::create(flags.files, flags.texts);
  if (!space)
    return space.takeError();
  if (space->size() == 1 && questions->size() == 1)
    return runOne(flags, space->scenarioOf(0), questions->front().question);
  constexpr auto most = static_cast<int64_t>(mostServices);
  if (space->size() > most / static_cast<int64_t>(questions->size()))
    return refuseServices();
  return runSeveral(flags, *space, *questions);
}

ExitCode gpucost::runServeCommand(llvm::ArrayRef<char *> arguments) {
  llvm::Expected<CommandFlags> flags =
      readCommandFlags("serve", arguments, ownFlags);
  if (flags)
    joinPairs(flags->texts);
  return runCommand(
      std::move(flags),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
        os << usageEnd;
      },
      runServe);
}
