//===- Driver.cpp - What the tool does, as a library ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Driver/Driver.h"
#include "DriverOptions.h"
#include "Explain.h"
#include "Output.h"
#include "ProcessFlags.h"
#include "ReportSchemas.h"
#include "SettingsFile.h"
#include "ShapeDump.h"
#include "Subcommands.h"
#include "TargetList.h"
#include "Terminal.h"
#include "TraceOutput.h"
#include "UserDocuments.h"
#include "Version.h"
#include "gpucost/Applications/Driver/Analyze.h"
#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Applications/Query/KernelQueries.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/SettingsPage.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Report/Units.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/CrashGuard.h"
#include "gpucost/Core/Accuracy/MeasuredRows.h"
#include "gpucost/Core/Explain/ExplainOp.h"
#include "gpucost/Core/Support/Nesting.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include <csignal>
#include <cstdlib>
#include <mutex>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sweep;

static ExitCode runKernelQuery(const DriverOptions &options,
                               const Scenario &scenario) {
  if (!scenario.target && !scenario.targetFile)
    return reportError(
        "a kernel query needs a GPU: --target=a100-bf16 (--list-targets "
        "shows all)");
  Expected<TargetChoice> choice = chooseTarget(scenario);
  if (!choice)
    return reportError(choice.error().message);
  const auto &[gpu, format] = choice->target;
  // Each row has the GPUs of its collective.
  Scenario device = scenario;
  device.nodes.reset();
  if (llvm::Error error = validate(
          device, getScenarioTarget(gpu, choice->coefficients, format)))
    return reportError(std::move(error));
  Expected<CostModel> model = CostModel::create(
      gpu, choice->coefficients, resolve(scenario, std::nullopt).kernels());
  if (!model)
    return reportError(model.error().message);
  KernelQueryOptions query;
  query.file = options.kernels;
  query.text = options.kernel;
  query.report = options.report;
  query.nodes = scenario.nodes;
  query.clockMHz = scenario.clock.value_or(Hertz(0)).value() / 1e6;
  query.powerLimitW = scenario.powerLimit.value_or(Watts(0)).value();
  return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
    return runKernelQueries(*model, choice->target.format, query, os);
  });
}

static ExitCode writeText(const DriverOptions &options,
                          const std::string &text) {
  return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
}

/// Runs passes on assembly, and writes what they print.
static ExitCode runOpt(const DriverOptions &options,
                       std::unique_ptr<llvm::MemoryBuffer> buffer,
                       DialectRegistry &registry,
                       const MlirOptMainConfig &config) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  LogicalResult result = MlirOptMain(os, std::move(buffer), registry, config);
  // On standard output, the parts before an error are shown.
  ExitCode code = succeeded(result) || options.outputFile == "-"
                      ? writeText(options, printed)
                      : ExitCode::Success;
  return failed(result) ? ExitCode::Failure : code;
}

/// Pass flags were given: behave as an opt tool and print IR.
static ExitCode runPasses(const DriverOptions &options,
                          DialectRegistry &registry,
                          const MlirOptMainConfig &config) {
  std::string path = options.input.empty() ? "-" : options.input.getValue();
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (isStream(path) || llvm::StringRef(path).ends_with(".mlir")) {
    auto opened = openInput(path, mostBytesOfData);
    if (!opened)
      return reportError(opened.takeError());
    buffer = std::move(*opened);
  }
  if (buffer && !isOnnx(buffer->getBuffer())) {
    if (std::optional<TextPlace> place =
            findDeepNesting(buffer->getBuffer(), NestedSyntax::Mlir))
      return reportError(path + ":" + llvm::Twine(place->line) + ":" +
                         llvm::Twine(place->column) + ": " +
                         llvm::StringRef(deepNestingText()));
    return runOpt(options, std::move(buffer), registry, config);
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  OwningOpRef<ModuleOp> module =
      buffer ? parseModel(context, *buffer) : loadModel(context, path);
  if (!module)
    return ExitCode::Failure;
  PassManager pm(&context, ModuleOp::getOperationName());
  if (failed(config.setupPassPipeline(pm)) || failed(pm.run(*module)))
    return ExitCode::Failure;
  printer.flush();
  return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
    os << *module << '\n';
    return llvm::Error::success();
  });
}

/// A model that stays until the next run: the process mostly ends with its
/// analysis, and to take a large module apart would be a good part of its time.
static LoadedModel &renewModel() {
  static LoadedModel *kept = nullptr; // reachable, for leak checkers
  delete kept;
  kept = new LoadedModel();
  return *kept;
}

/// MLIR's `--verify-each` is on by default for textual pipelines; an analysis
/// only uses it if the user set it.
static bool verifiesEachPass(const MlirOptMainConfig &config) {
  const llvm::cl::Option *flag =
      llvm::cl::getRegisteredOptions().lookup("verify-each");
  return flag && flag->getNumOccurrences() ? config.shouldVerifyPasses()
                                           : verifyEachByDefault;
}

/// The settings of the flags, added to the settings in the `--settings` file.
static llvm::Expected<Scenario> statedScenario(const DriverOptions &options,
                                               bool &choosesRecomputation) {
  llvm::Expected<Scenario> flags = options.scenario.read(choosesRecomputation);
  if (!flags || options.settings.empty())
    return flags;
  return readSettingsFile(options.settings, *flags);
}

/// Report options from the flags and the terminal.
static ReportOptions reportOptions(const DriverOptions &options) {
  ReportOptions format;
  format.top = options.top;
  format.groupBy = options.groupBy;
  format.treeDepth = options.tree;
  bool onTerminal = options.outputFile == "-" && isTerminal();
  if (options.width.getNumOccurrences())
    format.width = columnsOf(options.width).value_or(format.width);
  else if (onTerminal)
    format.width = std::max<size_t>(terminalWidth(), 40);
  bool always = options.color == ColorMode::Always;
  format.bars = always || (onTerminal && options.color != ColorMode::Never);
  format.color = always || (format.bars && !isColorUnwanted());
  return format;
}

/// The report of the flags, with the parts that optional output needs.
static FailureOr<Analysis> analyze(Session &session, const Scenario &scenario,
                                   const DriverOptions &options) {
  FailureOr<Analysis> analysis = gpucost::analyze(
      session, scenario, {options.needsDetails(), options.sensitivities});
  bool listsOps = options.emitsGraph() || !options.explainOp.empty();
  if (succeeded(analysis) && analysis->placed.prepared().pipeline && listsOps)
    return session.model().emitError(
        "ops are those of one stage of a pipeline; choose it with "
        "--select-stage");
  return analysis;
}

static ExitCode writeExplanation(const DriverOptions &options,
                                 const PlacedModel &placed) {
  IterationTotals totals = placed.solve(placed.prepared().settings);
  Expected<std::string> text =
      explainOp(placed, totals, options.explainOp.getValue());
  if (!text)
    return reportError("--explain-op: " + text.error().message);
  // Names of ops may have control characters.
  std::string lines;
  for (llvm::StringRef line :
       llvm::split(llvm::StringRef(*text).rtrim('\n'), '\n'))
    lines += printable(line) + '\n';
  return writeText(options, lines);
}

/// The file of --emit=onnx and the like.
static ExitCode writeGraph(const DriverOptions &options,
                           const IterationReport &report,
                           const PlacedModel &placed) {
  llvm::StringRef flag =
      options.emit == Emit::Onnx ? "--emit=onnx" : "--emit=model-explorer";
  if (isStream(options.input))
    return reportError(flag + " reads the model twice; give a file instead of "
                              "a pipe");
  auto file = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return reportError("cannot read '" + options.input +
                       "': " + file.getError().message());
  llvm::StringRef contents = (*file)->getBuffer();
  if (!isOnnx(contents))
    return reportError(flag + " needs an ONNX model, but '" + options.input +
                       "' is none");
  // It is mapped, and read while the output is written.
  if (llvm::sys::fs::equivalent(options.input, options.outputFile))
    return reportError("the output would replace the model '" + options.input +
                       "' while it is read; give another file by -o");
  return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
    llvm::Error error = llvm::Error::success();
    bool finished = finishes([&] {
      llvm::Error result =
          options.emit == Emit::Onnx
              ? writeAnnotatedOnnx(contents, placed, report, os)
              : writeNodeData(contents, placed, options.heat, os);
      error = llvm::joinErrors(std::move(error), std::move(result));
    });
    if (finished)
      return error;
    llvm::consumeError(std::move(error));
    return llvm::createStringError("'" + options.input +
                                   "' changed while it was read");
  });
}

static ExitCode runAnalysis(const DriverOptions &options, Scenario scenario,
                            bool choosesRecomputation,
                            const MlirOptMainConfig &config) {
  if (options.input.empty())
    return reportError(
        "no model; usage: gpu-cost-opt model.onnx --target=a100-bf16 "
        "--batch=16 (--help shows all)");
  bool verifyEach = verifiesEachPass(config);
  bool needsTarget = options.emit == Emit::Report || options.emit == Emit::IR ||
                     options.emitsGraph();
  LoadedModel &loaded = renewModel();
  MLIRContext &context = loaded.context();
  DiagnosticPrinter printer(context);
  if (failed(enableRemarks(context, options.explain, config)))
    return reportError("invalid filter of remarks");
  if (needsTarget)
    if (llvm::Error error = loaded.checkSettings(scenario))
      return reportError(std::move(error));
  BusyLine busy("analyzing " + options.input.getValue());
  StepClock clock;
  if (!loaded.load(options.input, options.emit != Emit::Report))
    return ExitCode::Failure;
  Seconds importTime = clock.lap();
  OwningOpRef<ModuleOp> &module = loaded.module();
  if (needsTarget)
    if (llvm::Error error = loaded.checkQuestion(scenario))
      return reportError(std::move(error));
  Scenario all = stateOn(loaded.stated(), scenario);
  auto printModule = [&](llvm::raw_ostream &os) -> llvm::Error {
    OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16);
    module->print(os, flags);
    os << '\n';
    return llvm::Error::success();
  };
  if (options.emit == Emit::Import)
    return writeOutput(options.outputFile, printModule);
  if (options.emit == Emit::Shapes) {
    FailureOr<std::string> shapes = dumpShapes(*module, all, verifyEach);
    if (failed(shapes))
      return ExitCode::Failure;
    return writeText(options, *shapes);
  }
  Session session(*module, verifyEach);
  std::string name =
      options.input == "-" ? "<stdin>" : options.input.getValue();
  std::string found;
  if (choosesRecomputation) {
    FailureOr<Recomputation> chosen = session.chooseRecomputation(all);
    if (failed(chosen))
      return ExitCode::Failure;
    scenario.recompute = *chosen;
    found = "--recompute=" + toText(*chosen) + ": the least that fits";
  }
  if (options.prepare) {
    FailureOr<std::string> bytes = session.prepareBytes(scenario, name);
    if (failed(bytes))
      return ExitCode::Failure;
    printer.flush();
    return writeText(options, *bytes);
  }
  Scenario run = scenario;
  if (options.maxBatch) {
    FailureOr<int64_t> batch = session.findLargestBatch(all);
    if (failed(batch))
      return ExitCode::Failure;
    run.batch = *batch;
    found = "largest batch that fits: " + std::to_string(*batch);
  }
  IterationReport report;
  std::optional<Analysis> analysis;
  if (options.emit == Emit::IR) {
    FailureOr<IterationReport> annotated =
        annotateModule(*module, run, verifyEach);
    if (failed(annotated))
      return ExitCode::Failure;
    report = std::move(*annotated);
  } else {
    FailureOr<Analysis> found = analyze(session, run, options);
    if (failed(found))
      return ExitCode::Failure;
    analysis = std::move(*found);
    report = std::move(analysis->report);
  }
  busy.finish();
  if (options.timing) {
    analysis->times.import = importTime;
    llvm::errs() << analysis->times.text() << '\n';
  }
  report.model = name;
  if (!found.empty())
    report.notes.insert(report.notes.begin(), found);
  printer.flush();
  if (!options.trace.empty())
    if (llvm::Error error =
            writeTraceFile(options.trace, analysis->placed, name,
                           options.traceLoops == TraceLoops::Collapse))
      return reportError(std::move(error));
  if (options.emitsGraph())
    return writeGraph(options, report, analysis->placed);
  if (!options.explainOp.empty())
    return writeExplanation(options, analysis->placed);
  ExitCode code =
      options.emit == Emit::IR
          ? writeOutput(options.outputFile, printModule)
          : writeOutput(
                options.outputFile, [&](llvm::raw_ostream &os) -> llvm::Error {
                  ReportOptions format = reportOptions(options);
                  os.enable_colors(format.color);
                  UnitChoice units;
                  if (!options.units.empty())
                    units = llvm::cantFail(
                        UnitChoice::parse(options.units.getValue()));
                  ScopedUnits scoped(units);
                  if (options.howAccurate) {
                    printAccuracy(os, report, measuredRows());
                    return llvm::Error::success();
                  }
                  return writeReport(options.report, report, format, os);
                });
  if (code == ExitCode::Success && options.strict &&
      (report.fallback.ops || report.unmodelled.ops || report.assumed.ops))
    return ExitCode::NotFullyModelled;
  return code;
}

/// Everything except subcommands with separate arguments.
static ExitCode runFlags(llvm::ArrayRef<char *> arguments, bool prepares) {
  ProcessFlags &flags = ProcessFlags::reset();
  DriverOptions &options = flags.options;
  options.prepare = prepares;
  if (!flags.parse(arguments))
    return ExitCode::Failure;
  if (options.help || options.helpHidden) {
    flags.printHelp();
    return ExitCode::Success;
  }
  if (options.version) {
    printVersion(llvm::outs());
    return ExitCode::Success;
  }
  if (options.emit == Emit::OldImport) {
    llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt")
        << "--emit=import is deprecated; use --emit=imported-ir\n";
    options.emit = Emit::Import;
  }
  bool choosesRecomputation = false;
  llvm::Expected<Scenario> scenario =
      statedScenario(options, choosesRecomputation);
  if (!scenario)
    return reportError(scenario.takeError());
  if (std::string misuse = options.findMisuse(*scenario); !misuse.empty())
    return reportError(misuse);
  ScopedWidth width(reportOptions(options).width);
  if (options.dumpCoefficients) {
    llvm::outs() << printCoefficientFields();
    return ExitCode::Success;
  }
  if (choosesRecomputation && scenario->mode != IterationMode::Training)
    return reportError("--recompute=auto needs --mode=training");
  if (choosesRecomputation && options.maxBatch)
    return reportError("--max-batch looks for the batch with a stated "
                       "--recompute, not with auto");
  if (!options.isKernelQuery())
    if (llvm::Error error = validate(*scenario, std::nullopt))
      return reportError(std::move(error));
  if (options.listTargets || options.listNetworks)
    return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
      bool json = options.report == "json";
      return options.listTargets ? printTargets(os, json)
                                 : printNetworks(os, json);
    });
  if (options.howAccurate && options.input.empty())
    return writeOutput(options.outputFile, [](llvm::raw_ostream &os) {
      printMeasuredRows(os, measuredRows());
      return llvm::Error::success();
    });
  if (options.printDocument != UserDocument::None)
    return writeOutput(options.outputFile, [&](llvm::raw_ostream &os) {
      printUserDocument(options.printDocument, options, os);
      return llvm::Error::success();
    });
  if (options.listSettings)
    return writeOutput(options.outputFile, [](llvm::raw_ostream &os) {
      printSettingsPage(os);
      return llvm::Error::success();
    });
  if (const ReportKind *kind = findReportKind(options.printSchema))
    return writeText(options, printSchema(kind->root(), kind->title));
  if (options.listReportFields)
    return writeText(options, listReportFields(reportKinds()));
  if (!options.checkTarget.empty()) {
    Expected<std::string> name = checkTargetFile(options.checkTarget);
    llvm::outs() << (name ? "ok " + *name : name.error().message) << '\n';
    return name ? ExitCode::Success : ExitCode::Failure;
  }
  if (options.isKernelQuery())
    return runKernelQuery(options, *scenario);

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MLIRContext probe(MLIRContext::Threading::DISABLED);
  PassManager pm(&probe, ModuleOp::getOperationName());
  if (failed(config.setupPassPipeline(pm)))
    return ExitCode::Failure;
  if (pm.size() > 0 || config.shouldVerifyDiagnostics())
    return runPasses(options, flags.registry, config);
  return runAnalysis(options, *scenario, choosesRecomputation, config);
}

static ExitCode runTool(llvm::ArrayRef<char *> arguments) {
  llvm::StringRef word = arguments.size() > 1 ? arguments[1] : "";
  for (const Subcommand &subcommand : subcommands())
    if (subcommand.run && subcommand.name == word)
      return subcommand.run(arguments.drop_front(2));
  if (word != "prepare")
    return runFlags(arguments, /*prepares=*/false);
  // The rest is parsed as for a report.
  llvm::SmallVector<char *> rest(arguments.drop_front());
  rest.front() = arguments.front();
  return runFlags(rest, /*prepares=*/true);
}

#ifndef NDEBUG
/// Turns on debug output of the passes that GPUCOST_DEBUG lists. The
/// distribution's LLVM, which has no asserts, has no flag --debug-only.
static void enableDebugOutput() {
  const char *list = std::getenv("GPUCOST_DEBUG");
  if (!list)
    return;
  llvm::SmallVector<llvm::StringRef> passes;
  llvm::StringRef(list).split(passes, ',');
  std::vector<std::string> names(passes.begin(), passes.end());
  std::vector<const char *> types;
  for (const std::string &name : names)
    types.push_back(name.c_str());
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(types.data(), static_cast<unsigned>(types.size()));
}
#endif

int gpucost::runDriver(int argc, char **argv) {
#ifndef NDEBUG
  enableDebugOutput();
#endif
  // Flags, signals and standard output are those of the process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  // A write beyond `ulimit -f` becomes an error instead of the end of the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  PipeMemory pipes;
  ExitCode code = runTool(llvm::ArrayRef(argv, argc));
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  // An error that stays on the stream ends the process.
  if (std::error_code error = os.error()) {
    os.clear_error();
    code = reportError("cannot write to standard output: " + error.message());
  }
  return static_cast<int>(code);
}
