//===- Calibrate.cpp - gpu-cost-opt calibrate -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Calibration/Calibrate.h"
#include "CalibrateInput.h"
#include "CalibrateNetworks.h"
#include "CalibratePrint.h"
#include "gpucost/LLVMSupport/Errors.h"
#include "gpucost/Targets/CalibrationPrior.h"
#include "gpucost/Targets/CoefficientsWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace gpucost;
namespace cl = llvm::cl;

namespace {

struct CalibrateOptions {
  cl::OptionCategory category{"Calibration"};
  cl::opt<std::string> measurements{
      "measurements", cl::value_desc("folder"), cl::Required,
      cl::desc("CSV files of calibration/measure: kernels.csv, "
               "kernels-from-model.csv, power.csv, host.csv"),
      cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::value_desc("gpu[-format]"),
      cl::desc("the GPU they were measured on; its coefficients are the prior"),
      cl::cat(category)};
  cl::opt<std::string> targetFile{
      "target-file", cl::value_desc("file.mlir"),
      cl::desc("GPU described in a file of your own; without coefficients in "
               "it, those of the nearest shipped GPU are the prior"),
      cl::cat(category)};
  cl::opt<std::string> coefficients{
      "coefficients", cl::value_desc("file.mlir"),
      cl::desc("prior to use instead of the target's"), cl::cat(category)};
  cl::opt<std::string> models{
      "models", cl::value_desc("folder"),
      cl::desc("models to predict training.csv and inference.csv with, before "
               "and after: models/ of gpu-cost-opt"),
      cl::cat(category)};
  cl::opt<std::string> output{"o", cl::value_desc("file.mlir"), cl::Required,
                              cl::desc("coefficients file to write"),
                              cl::cat(category)};
  cl::opt<std::string> rows{
      "rows", cl::value_desc("file.csv"),
      cl::desc("write the prediction of each row before and after here"),
      cl::cat(category)};
  cl::list<std::string> keep{
      "keep", cl::value_desc("group[.field],..."), cl::CommaSeparated,
      cl::desc("coefficients that stay as they are"), cl::cat(category)};
  cl::opt<unsigned> folds{
      "folds", cl::value_desc("n"), cl::init(5),
      cl::desc("parts that are held out in turn (default: 5; 0: none)"),
      cl::cat(category)};
};

} // namespace

static llvm::raw_ostream &warn() {
  return llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt");
}

/// The head of the file: what it is, from what, and how good.
static std::string describeFile(const CalibrateOptions &options,
                                const CalibrationPrior &prior,
                                const CalibrationInput &input,
                                const CalibrationResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "Written by gpu-cost-opt calibrate, version " << GPUCOST_VERSION
     << ", for " << prior.target.target->gpu.name << ".\n"
     << "Measured on " << input.provenance << ".\n"
     << "Prior: " << prior.description << ".\n\n";
  printErrors(result, os);
  os << '\n';
  printSkipped(input, result, os);
  if (std::string suspects = describeSuspects(result); !suspects.empty())
    os << "\nWarning: " << suspects << '\n';
  for (const std::string &warning : input.warnings)
    os << "\nWarning: " << warning << '\n';
  return text;
}

static std::string writeFile(const CalibrateOptions &options,
                             const CalibrationPrior &prior,
                             const CalibrationInput &input,
                             const CalibrationResult &result) {
  llvm::StringMap<GroupProvenance> provenances;
  std::string rest = "; the rest: " + prior.description;
  for (const FittedGroup &group : result.groups) {
    std::string text = describeGroup(group, input.provenance);
    if (group.name == "runtime") {
      provenances[group.name] = {text + rest, /*isPartial=*/true};
    } else if (group.name == "tensor_power") {
      // One energy per FLOP, which stands in the groups of its kernels.
      for (const char *name :
           {"tensor_gemm", "attention_full", "attention_causal"}) {
        auto [entry, isNew] = provenances.try_emplace(name);
        if (isNew)
          entry->second = {"energy_per_flop: " + text + rest,
                           /*isPartial=*/true};
        else
          entry->second.text += "; energy_per_flop: " + text;
      }
    } else {
      provenances[group.name] = {text, /*isPartial=*/false};
    }
  }
  CoefficientsAttr fitted = withFitted(
      prior.target.coefficients.getContext(), result.coefficients, provenances,
      "gpu-cost-opt calibrate " GPUCOST_VERSION " on " + input.provenance +
          "; groups without a fit: " + prior.description);
  return printCoefficientsFile(fitted,
                               describeFile(options, prior, input, result));
}

static llvm::Error run(const CalibrateOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<CalibrationPrior> prior = resolveCalibrationPrior(
      &context, options.target, options.targetFile, options.coefficients);
  if (!prior)
    return prior.takeError();
  Expected<CostModel> model = CostModel::create(
      prior->target.target->gpu, prior->target.coefficients.getValue());
  if (!model)
    return toLLVMError(model.error());
  llvm::Expected<CalibrationInput> input =
      readMeasurements(options.measurements, model->gpu());
  if (!input)
    return input.takeError();
  CalibrationOptions how;
  how.folds = options.folds;
  for (const std::string &group : prior->foreignGroups)
    how.foreignGroups.insert(group);
  for (const std::string &name : options.keep)
    how.kept.insert(name);
  Expected<CalibrationResult> result =
      calibrate(*model, input->measurements, how);
  if (!result)
    return llvm::createStringError("'" + options.measurements +
                                   "': " + result.error().message);

  std::string text = writeFile(options, *prior, *input, *result), message;
  NetworkErrors networks;
  if (!options.models.empty()) {
    NetworkCheck check;
    check.measurements = options.measurements;
    check.models = options.models;
    check.target = model->gpu().name;
    check.targetFile = options.targetFile;
    check.prior = printCoefficientsFile(prior->target.coefficients, "prior");
    check.fitted = text;
    llvm::Expected<NetworkErrors> checked = checkNetworks(check);
    if (!checked)
      return checked.takeError();
    networks = std::move(*checked);
  }
  std::unique_ptr<llvm::ToolOutputFile> file =
      mlir::openOutputFile(options.output, &message);
  if (!file)
    return llvm::createStringError(message);
  file->os() << text;
  file->keep();
  if (!options.rows.empty()) {
    auto rows = mlir::openOutputFile(options.rows, &message);
    if (!rows)
      return llvm::createStringError(message);
    printRows(*result, rows->os());
    rows->keep();
  }
  // The file itself may go to standard output.
  llvm::raw_ostream &os = options.output == "-" ? llvm::errs() : llvm::outs();
  os << model->gpu().name << " from " << input->provenance
     << "\nprior: " << prior->description << "\n\n";
  printErrors(*result, os);
  os << '\n';
  printParameters(*result, os);
  os << '\n';
  if (!options.models.empty())
    printNetworks(networks, os);
  printSkipped(*input, *result, os);
  os << "wrote " << options.output << '\n';
  os.flush();
  for (const std::string &warning : input->warnings)
    warn() << warning << '\n';
  if (std::string suspects = describeSuspects(*result); !suspects.empty())
    warn() << suspects << '\n';
  return llvm::Error::success();
}

llvm::Error gpucost::runCalibrate(int argc, char **argv) {
  CalibrateOptions options;
  cl::HideUnrelatedOptions(options.category);
  std::string name = std::string(argv[0]) + " calibrate";
  llvm::SmallVector<const char *> arguments = {name.c_str()};
  arguments.append(argv + 2, argv + argc);
  cl::ParseCommandLineOptions(
      arguments.size(), arguments.data(),
      "gpu-cost-opt calibrate: coefficients for your GPU from your own "
      "measurements\n\n"
      "  python3 calibration/measure/measure.py kernels power host --out m\n"
      "  gpu-cost-opt calibrate --measurements m --target a100-bf16 "
      "-o my-gpu.mlir\n"
      "  gpu-cost-opt model.onnx --target=a100-bf16 "
      "--coefficients=my-gpu.mlir\n");
  if (options.target.empty() && options.targetFile.empty())
    return llvm::createStringError(
        "a calibration needs a GPU: --target=a100-bf16 "
        "(gpu-cost-opt --list-targets shows all) or --target-file");
  return run(options);
}
