//===- AnalyzeModule.cpp - A report from a module ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Driver/Driver.h"
#include "gpucost/Transforms/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace gpucost;

/// Which formats tensors have, in words.
static std::string describePrecision(ModuleOp module,
                                     const Settings &settings) {
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
  if (settings.tf32 != Tf32Mode::Off)
    os << ", TF32 tensor cores for "
       << (settings.tf32 == Tf32Mode::Conv ? "convolution"
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
static void countSamples(const Settings &settings, IterationReport &report) {
  int64_t batch = settings.batch.value_or(0);
  if (batch <= 0)
    batch = findBinding(report, {"batch", "batch_size", "n", "b"});
  int64_t length = settings.seq.value_or(0);
  if (length <= 0)
    length = findBinding(report, {"sequence", "seq", "seq_len", "seq_length",
                                  "sequence_length"});
  bool sharesBatch = report.parallelism == "tp";
  report.samples = batch * (settings.trains() ? settings.gradAccum : 1) *
                   (sharesBatch ? 1 : report.worldSize);
  report.tokens = report.samples * length;
}

static void addTrainingNotes(ModuleOp module, const Settings &settings,
                             IterationReport &report) {
  std::string text = "training step: ";
  if (settings.optimizer == OptimizerKind::None)
    text += "no parameter update";
  else
    text += (stringifyOptimizerKind(settings.optimizer) + " (" +
             stringifyOptimizerVariant(settings.optimizerVariant) + ")")
                .str();
  if (settings.zeroGrad != ZeroGradMode::SetToNone)
    text += (", gradients " + stringifyZeroGradMode(settings.zeroGrad)).str();
  if (settings.gradAccum > 1)
    text += ", " + std::to_string(settings.gradAccum) + " accumulated passes";
  if (settings.recompute != RecomputeMode::None)
    text += (", recompute " + stringifyRecomputeMode(settings.recompute)).str();
  text += settings.dropout == DropoutMode::Off ? ", dropout off"
                                               : ", dropout as in the file";
  report.notes.push_back(text);
  if (auto notes = module->getAttrOfType<ArrayAttr>(trainingNotesAttrName))
    for (auto note : notes.getAsRange<StringAttr>())
      report.notes.push_back(note.str());
  report.notes.push_back("memory is what tensors take; the framework's context "
                         "and the fragmentation of its allocator come on top");
}

FailureOr<IterationReport> gpucost::analyzeModule(ModuleOp module,
                                                  const Scenario &scenario,
                                                  AnalyzeFlags flags) {
  PassManager pm(module.getContext());
  pm.enableVerifier(flags.verifyEach);
  buildAnalyzePipeline(pm, scenario, flags.predict);
  if (failed(pm.run(module)))
    return failure();
  ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
  AnalysisManager manager = analyses;
  const auto &kernels = manager.getAnalysis<IterationAnalysis>();
  if (!kernels.isValid())
    return failure();
  Settings settings = getSettings(module);
  FailureOr<IterationReport> report =
      kernels.model().evaluate(getIterationOptions(settings));
  report->given = getScenario(module);
  report->settings = settings;
  report->mode = stringifyIterationMode(settings.mode).str();
  report->attention = stringifyAttentionMode(settings.attention).str();
  report->precision = describePrecision(module, settings);
  countSamples(settings, *report);
  if (auto notes = module->getAttrOfType<ArrayAttr>("onnx.notes"))
    for (auto note : notes.getAsRange<StringAttr>())
      report->notes.push_back(note.str());
  report->notes.push_back(
      settings.trains()
          ? "FLOP = 2 x MAC; causal attention counts the half it computes"
          : "FLOP = 2 x MAC; causal attention counts the half it computes; "
            "dropout is off in inference");
  if (settings.trains())
    addTrainingNotes(module, settings, *report);
  if (settings.runtime != Runtime::CudaGraph && !settings.hostLaunch)
    report->notes.push_back("host launch cost is that of a current server; set "
                            "--host-launch-us for yours");
  return report;
}
