//===- Mlir.cpp - Model files through the C interface ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "gpucost-c/gpucost-mlir.h"
#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Applications/Driver/Driver.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Targets/TargetData.h"
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

/// One model with its context, and what was said about it.
class ModelRequest {
public:
  /// Reads model and settings, and checks that they make a question.
  Result open(const gpucostInput *given);

  Session &session() { return model->session(); }
  const Scenario &scenario() const { return stated; }
  const std::string &name() const { return path; }
  /// The errors that MLIR has printed.
  Result failed();
  /// Warnings, where the caller wants them.
  Result takeMessages(char **messages);

private:
  std::string text;
  llvm::raw_string_ostream stream{text};
  std::string path = "<memory>";
  Scenario stated;
  std::optional<LoadedModel> model;
  std::optional<DiagnosticPrinter> printer;
};

} // namespace

static Result refuse(llvm::Error why) {
  return invalid(llvm::toString(std::move(why)));
}

Result ModelRequest::failed() {
  if (printer)
    printer->flush();
  std::string message(trimBlanks(text));
  return invalid(message.empty() ? "the model cannot be analyzed" : message);
}

Result ModelRequest::takeMessages(char **messages) {
  printer->flush();
  if (!messages)
    return ok();
  *messages = nullptr;
  return text.empty() ? ok() : copyText(text, messages, nullptr);
}

Result ModelRequest::open(const gpucostInput *given) {
  gpucostInput input;
  if (Result result = readStruct(given, input, "gpucostInput"); result.failed())
    return result;
  if (!input.bytes && !input.path)
    return invalid("'bytes' and 'path' of gpucostInput are NULL");
  if (input.path)
    path = input.path;
  // What is wrong with the settings is worth knowing before a model is read.
  if (input.settings) {
    llvm::Expected<Scenario> read = readScenario(input.settings);
    if (!read)
      return invalid("settings: ", llvm::toString(read.takeError()));
    stated = *read;
  }
  model.emplace();
  printer.emplace(model->context(), stream);
  if (llvm::Error error = model->checkSettings(stated))
    return refuse(std::move(error));
  bool loaded = input.bytes
                    ? model->parse({static_cast<const char *>(input.bytes),
                                    input.byte_count},
                                   path)
                    : model->load(path);
  if (!loaded)
    return failed();
  if (llvm::Error error = model->checkQuestion(stated))
    return refuse(std::move(error));
  return ok();
}

gpucostStatus gpucostPrepareOnnx(const gpucostInput *input, void **prepared,
                                 size_t *size, char **messages) {
  return guard([&] {
    if (!prepared || !size)
      return invalid("the place for the prepared model is NULL");
    ModelRequest request;
    if (Result result = request.open(input); result.failed())
      return result;
    FailureOr<std::string> bytes =
        request.session().prepareBytes(request.scenario(), request.name());
    if (failed(bytes))
      return request.failed();
    if (Result result = request.takeMessages(messages); result.failed())
      return result;
    char *copy = nullptr;
    Result result = copyText(*bytes, &copy, size);
    if (!result.failed())
      *prepared = copy;
    return result;
  });
}

gpucostStatus gpucostPrepareService(const gpucostInput *input, void **service,
                                    size_t *size, char **messages) {
  return guard([&] {
    if (!service || !size)
      return invalid("the place for the service is NULL");
    ModelRequest request;
    if (Result result = request.open(input); result.failed())
      return result;
    FailureOr<std::string> bytes =
        prepareService(request.session(), serveScenario(request.scenario()),
                       ServeQuestion(), request.name());
    if (failed(bytes))
      return request.failed();
    if (Result result = request.takeMessages(messages); result.failed())
      return result;
    char *copy = nullptr;
    Result result = copyText(*bytes, &copy, size);
    if (!result.failed())
      *service = copy;
    return result;
  });
}

gpucostStatus gpucostAnalyze(const gpucostInput *input,
                             const gpucostReportOptions *given, char **text,
                             size_t *size, char **messages) {
  return guard([&] {
    gpucostReportOptions options;
    if (Result result = readOptional(given, options, "gpucostReportOptions");
        result.failed())
      return result;
    ReportOptions format;
    format.top = options.top ? options.top : format.top;
    std::optional<GroupBy> group =
        groupByOf(options.group_by ? options.group_by : "");
    if (!group)
      return invalid("unknown group '", options.group_by,
                     "', expected op, layer or scope");
    format.groupBy = *group;
    llvm::StringRef name = options.format ? options.format : "json";
    ModelRequest request;
    if (Result result = request.open(input); result.failed())
      return result;
    FailureOr<IterationReport> report =
        std::move(request.session())
            .analyze(request.scenario(), /*details=*/name == "html");
    if (failed(report))
      return request.failed();
    report->model = request.name();
    std::string written;
    llvm::raw_string_ostream os(written);
    if (llvm::Error error = writeReport(name, *report, format, os))
      return refuse(std::move(error));
    if (Result result = request.takeMessages(messages); result.failed())
      return result;
    return copyText(written, text, size);
  });
}

gpucostStatus gpucostCompileTarget(const char *text, size_t length,
                                   const char *name, void **bytes,
                                   size_t *size) {
  return guard([&] {
    if (!text || !bytes || !size)
      return invalid(text ? "the place for the bytes is" : "the text is",
                     " NULL");
    Expected<std::string> compiled =
        compileTarget({text, length}, name ? name : "<memory>");
    if (!compiled)
      return refuse(toLLVMError(compiled.error()));
    char *copy = nullptr;
    Result result = copyText(*compiled, &copy, size);
    if (!result.failed())
      *bytes = copy;
    return result;
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
