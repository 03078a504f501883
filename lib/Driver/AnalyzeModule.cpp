//===- AnalyzeModule.cpp - A report from a module ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/TrainingMarks.h"
#include "gpucost/Driver/Driver.h"
#include "gpucost/Target/TargetOptions.h"
#include "gpucost/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpucost;

static bool trains(const AnalyzeOptions &options) {
  return options.mode == stringifyIterationMode(IterationMode::Training);
}

LogicalResult gpucost::chooseDefaults(MLIRContext &context,
                                      AnalyzeOptions &options) {
  bool chosen = !options.precisionMode.empty();
  if (!chosen)
    options.precisionMode = stringifyPrecisionMode(PrecisionMode::Pure).str();
  if (!trains(options) ||
      (options.target.empty() && options.targetFile.empty()))
    return success();
  llvm::Expected<ResolvedTarget> target = resolveTargetOptions(
      &context, options.target, options.targetFile, options.coefficients);
  if (!target)
    return emitError(UnknownLoc::get(&context),
                     llvm::toString(target.takeError()));
  NumericFormat format = target->target->format;
  if (format == NumericFormat::FP8 || format == NumericFormat::INT8)
    return emitError(UnknownLoc::get(&context))
           << "no training in " << stringifyNumericFormat(format)
           << "; use the bf16 or fp16 of '" << target->target->gpu.name << "'";
  if (!chosen && format != NumericFormat::FP32 &&
      format != NumericFormat::TF32 && format != NumericFormat::FP64)
    options.precisionMode = stringifyPrecisionMode(PrecisionMode::Amp).str();
  return success();
}

/// Which formats tensors have, in words.
static std::string describePrecision(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto cast = module->getAttrOfType<TypeAttr>("gpucost.precision");
  auto autocast = module->getAttrOfType<TypeAttr>("gpucost.autocast");
  if (autocast)
    os << "automatic mixed precision (" << autocast.getValue()
       << ", parameters f32)";
  else if (cast)
    os << "tensors cast to " << cast.getValue();
  else
    os << "tensors as the file has them";
  auto tf32 = module->getAttrOfType<StringAttr>("gpucost.tf32");
  if (tf32 && tf32.getValue() != "off")
    os << ", TF32 tensor cores for "
       << (tf32.getValue() == "conv" ? "convolution"
                                     : "matmul and convolution");
  return text;
}

/// Value of the first binding of a known name; 0 when there is none.
static int64_t findBinding(const IterationReport &report,
                           std::initializer_list<llvm::StringLiteral> names) {
  for (const auto &[name, value] : report.bindings)
    for (llvm::StringRef known : names)
      if (llvm::StringRef(name).equals_insensitive(known))
        return value;
  return 0;
}

/// What one iteration processes on all GPUs.
static void countSamples(const AnalyzeOptions &options,
                         IterationReport &report) {
  int64_t batch = options.batch;
  if (batch <= 0)
    batch = findBinding(report, {"batch", "batch_size", "n", "b"});
  int64_t length = options.seq;
  if (length <= 0)
    length = findBinding(report, {"sequence", "seq", "seq_len", "seq_length",
                                  "sequence_length"});
  bool sharesBatch = report.parallelism == "tp";
  report.samples = batch *
                   (trains(options) ? options.gradAccum.getValue() : 1) *
                   (sharesBatch ? 1 : report.gpus);
  report.tokens = report.samples * length;
}

static void addTrainingNotes(ModuleOp module, const AnalyzeOptions &options,
                             IterationReport &report) {
  std::string text = "training step: ";
  if (options.optimizer == "none")
    text += "no parameter update";
  else
    text += options.optimizer + " (" + options.optimizerVariant + ")";
  text += options.zeroGrad == "set-to-none" ? ""
                                            : ", gradients " + options.zeroGrad;
  if (options.gradAccum > 1)
    text += ", " + std::to_string(options.gradAccum) + " accumulated passes";
  if (options.recompute != "none")
    text += ", recompute " + options.recompute;
  text +=
      options.dropout == "off" ? ", dropout off" : ", dropout as in the file";
  report.notes.push_back(text);
  if (auto notes = module->getAttrOfType<ArrayAttr>(trainingNotesAttrName))
    for (auto note : notes.getAsRange<StringAttr>())
      report.notes.push_back(note.str());
  report.notes.push_back("memory is what tensors take; the framework's context "
                         "and the fragmentation of its allocator come on top");
}

FailureOr<IterationReport>
gpucost::analyzeModule(ModuleOp module, const AnalyzeOptions &options,
                       bool verifyEach) {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  buildAnalyzePipeline(pm, options);
  if (failed(pm.run(module)))
    return failure();
  IterationOptions iteration;
  iteration.runtime =
      symbolizeRuntime(options.runtime).value_or(Runtime::Eager);
  if (options.hostLaunchUs >= 0)
    iteration.hostLaunch = Seconds(options.hostLaunchUs * 1e-6);
  if (options.powerLimit > 0)
    iteration.powerLimit = Watts(options.powerLimit);
  if (options.clock > 0)
    iteration.clock = Hertz(options.clock * 1e6);
  ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
  AnalysisManager manager = analyses;
  const auto &kernels = manager.getAnalysis<IterationAnalysis>();
  if (!kernels.isValid())
    return failure();
  const Gpu &gpu = kernels.model().model().gpu();
  if (iteration.clock && *iteration.clock > gpu.maxClock)
    return module.emitError()
           << "clock " << static_cast<int64_t>(options.clock)
           << " MHz is outside of what '" << gpu.name << "' runs at (up to "
           << static_cast<int64_t>(gpu.maxClock.value() / 1e6) << " MHz)";
  FailureOr<IterationReport> report = kernels.model().evaluate(iteration);
  report->mode = options.mode;
  report->attention = options.attention;
  report->precision = describePrecision(module);
  countSamples(options, *report);
  // Only several GPUs use this set.
  auto coefficients = module->getAttrOfType<CoefficientsAttr>(
      GpuCostDialect::coefficientsAttrName);
  if (coefficients && report->gpus > 1)
    if (const auto &links = coefficients->collectives;
        links && !links->borrowedFrom.empty())
      report->notes.push_back(
          "outside the validated region: collectives from " +
          links->borrowedFrom);
  if (auto notes = module->getAttrOfType<ArrayAttr>("onnx.notes"))
    for (auto note : notes.getAsRange<StringAttr>())
      report->notes.push_back(note.str());
  report->notes.push_back(
      trains(options)
          ? "FLOP = 2 x MAC; causal attention counts the half it computes"
          : "FLOP = 2 x MAC; causal attention counts the half it computes; "
            "dropout is off in inference");
  if (trains(options))
    addTrainingNotes(module, options, *report);
  if (iteration.runtime != Runtime::CudaGraph && !iteration.hostLaunch)
    report->notes.push_back("host launch cost is that of a current server; set "
                            "--host-launch-us for yours");
  return report;
}
