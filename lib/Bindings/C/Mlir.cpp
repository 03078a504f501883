//===- Mlir.cpp - Model files through the C interface ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "gpucost-c/gpucost-mlir.h"
#include "gpucost/Applications/Driver/Analyze.h"
#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Applications/Driver/Driver.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Support/InputFile.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gpucost/Core/Trace/TraceFile.h"
#include <cstdlib>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;
using namespace gpucost::capi;

const char *gpucostMlirVersion(void) { return GPUCOST_VERSION; }
uint32_t gpucostMlirAbiVersion(void) { return GPUCOST_ABI_VERSION; }
const char *gpucostMlirLastError(void) { return lastErrorText(); }
void gpucostMlirFree(void *memory) { std::free(memory); }

namespace {

/// One model with its context, and its diagnostics.
class ModelRequest {
public:
  /// Reads model and settings, and checks that they fit together.
  explicit ModelRequest(const gpucostInput *given);
  Session &session() { return model.session(); }
  const Scenario &scenario() const { return stated; }
  const std::string &name() const { return path; }
  /// The value of `result`; fails with the errors that MLIR has printed.
  template <typename T> T valueOf(FailureOr<T> result) {
    if (failed(result))
      reject();
    return *std::move(result);
  }
  /// Returns warnings if the caller requests them.
  void takeMessages(char **messages);

private:
  [[noreturn]] void reject();

  PipeMemory pipes;
  std::string text;
  llvm::raw_string_ostream stream{text};
  std::string path = "<memory>";
  Scenario stated;
  LoadedModel model;
  DiagnosticPrinter printer{model.context(), stream};
};

} // namespace

static void check(llvm::Error error) {
  if (error)
    invalid(llvm::toString(std::move(error)));
}

void ModelRequest::reject() {
  printer.flush();
  std::string message(trimBlanks(text));
  invalid(message.empty() ? "the model cannot be analyzed" : message);
}

void ModelRequest::takeMessages(char **messages) {
  printer.flush();
  if (!messages)
    return;
  *messages = nullptr;
  if (!text.empty())
    copyText(text, messages, nullptr);
}

ModelRequest::ModelRequest(const gpucostInput *given) {
  auto input = readStruct(given, "gpucostInput");
  require(input.bytes || input.path,
          "'bytes' and 'path' of gpucostInput are NULL");
  if (input.path)
    path = input.path;
  // Settings are checked before the model is read.
  if (input.settings) {
    llvm::Expected<Scenario> read = readScenario(input.settings);
    if (!read)
      invalid("settings: ", llvm::toString(read.takeError()));
    stated = *read;
  }
  check(model.checkSettings(stated));
  bool loaded = input.bytes
                    ? model.parse({static_cast<const char *>(input.bytes),
                                   input.byte_count},
                                  path)
                    : model.load(path);
  if (!loaded)
    reject();
  check(model.checkQuestion(stated));
}

gpucostStatus gpucostPrepareOnnx(const gpucostInput *input, void **prepared,
                                 size_t *size, char **messages) {
  return guard([&] {
    require(prepared && size, "the place for the prepared model is NULL");
    ModelRequest request(input);
    std::string bytes = request.valueOf(
        request.session().prepareBytes(request.scenario(), request.name()));
    request.takeMessages(messages);
    copyText(bytes, prepared, size);
  });
}

gpucostStatus gpucostPrepareService(const gpucostInput *input, void **service,
                                    size_t *size, char **messages) {
  return guard([&] {
    require(service && size, "the place for the service is NULL");
    ModelRequest request(input);
    std::string bytes = request.valueOf(
        prepareService(request.session(), serveScenario(request.scenario()),
                       ServeQuestion(), request.name()));
    request.takeMessages(messages);
    copyText(bytes, service, size);
  });
}

gpucostStatus gpucostBuildOnnx(const gpucostInput *given, const char *form,
                               void **onnx, size_t *size) {
  return guard([&] {
    require(onnx && size, "the place for the ONNX file is NULL");
    auto input = readStruct(given, "gpucostInput");
    require(input.bytes || input.path,
            "'bytes' and 'path' of gpucostInput are NULL");
    llvm::StringRef json;
    if (input.bytes)
      json = {static_cast<const char *>(input.bytes), input.byte_count};
    require(!input.bytes || !json.empty(), "the configuration is empty");
    llvm::Expected<std::string> file = buildModelFile(
        json, input.path ? input.path : "<memory>", form ? form : "prompt");
    check(file.takeError());
    copyText(*file, onnx, size);
  });
}

/// The file of --trace.
static std::string timelineOf(const PlacedModel &placed,
                              const std::string &name, bool collapsesLoops) {
  if (placed.prepared().pipeline)
    invalid("a timeline shows one stage of a pipeline; choose it with "
            "select_stage");
  const Settings &run = placed.prepared().settings;
  IterationTotals totals = placed.solve(run);
  TimelineOptions options;
  options.collapseLoops = collapsesLoops;
  Timeline timeline =
      capi::valueOf(buildTimeline(placed, totals, run, options));
  std::string text;
  writeTrace(placed, totals, timeline, name,
             [&](std::string_view part) { text += part; });
  return text;
}

gpucostStatus gpucostAnalyze(const gpucostInput *input,
                             const gpucostReportOptions *given, char **text,
                             size_t *size, char **messages) {
  return guard([&] {
    auto options = readOptional(given, "gpucostReportOptions");
    if (options.times)
      checkSize(options.times, "gpucostTimes");
    ReportOptions format;
    format.top = options.top ? options.top : format.top;
    format.groupBy = readGroup(options.group_by);
    llvm::StringRef name = options.format ? options.format : "json";
    StepClock clock;
    ModelRequest request(input);
    Seconds importTime = clock.lap();
    Analysis found =
        request.valueOf(analyze(request.session(), request.scenario(),
                                {options.details || name == "html",
                                 static_cast<bool>(options.sensitivities)}));
    found.times.import = importTime;
    found.report.model = request.name();
    std::string written;
    if (name == "trace") {
      written = timelineOf(found.placed, request.name(),
                           static_cast<bool>(options.collapse_loops));
    } else {
      llvm::raw_string_ostream os(written);
      check(writeReport(name, found.report, format, os));
    }
    request.takeMessages(messages);
    copyText(written, text, size);
    if (options.times)
      writeStruct(options.times, gpucostTimes{0, 0, found.times.import.value(),
                                              found.times.prepare.value(),
                                              found.times.place.value(),
                                              found.times.evaluate.value()});
  });
}

gpucostStatus gpucostCompileTarget(const char *text, size_t length,
                                   const char *name, void **bytes,
                                   size_t *size) {
  return guard([&] {
    require(text, "the text is NULL");
    require(bytes && size, "the place for the bytes is NULL");
    copyText(valueOf(compileTarget({text, length}, name ? name : "<memory>"),
                     GPUCOST_INVALID_ARGUMENT),
             bytes, size);
  });
}

int gpucostMain(int argc, char **argv) {
  constexpr int failure = 1;
  return guardValue(failure, [&] {
    if (argc < 1 || !argv || !argv[0])
      return failure;
    return runDriver(argc, argv);
  });
}
