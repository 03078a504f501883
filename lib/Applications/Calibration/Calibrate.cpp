//===- Calibrate.cpp - gpu-cost-opt calibrate -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Calibration/Calibrate.h"
#include "CalibrateInput.h"
#include "CalibrateNetworks.h"
#include "CalibratePrint.h"
#include "StepLogs.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Compiler/Support/OutputFile.h"
#include "gpucost/Core/Targets/CalibrationPrior.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Targets/Links.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace gpucost;
using namespace gpucost::calibration;

static llvm::raw_ostream &warn() {
  return llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt");
}

/// The head of the file: its content, source and accuracy.
static std::string describeFile(const CalibrateRequest &request,
                                const CalibrationPrior &prior,
                                const CalibrationInput &input,
                                const CalibrationResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "Written by gpu-cost-opt calibrate, version " << GPUCOST_VERSION
     << ", for " << prior.target.target.gpu.name << ".\n"
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

static std::string fileText(const CalibrateRequest &request,
                            const CalibrationPrior &prior,
                            const CalibrationInput &input,
                            const CalibrationResult &result) {
  std::map<std::string, GroupProvenance, std::less<>> provenances;
  std::string rest = "; the rest: " + prior.description;
  for (const FittedGroup &group : result.groups) {
    std::string text = describeGroup(group, input.provenance);
    if (group.name == "runtime") {
      provenances[group.name] = {text + rest, /*isPartial=*/true};
    } else if (group.name == "tensor_power") {
      // One energy per FLOP, which is in the groups of its kernels.
      for (const char *name :
           {"tensor_gemm", "attention_full", "attention_causal"}) {
        auto [entry, isNew] = provenances.try_emplace(name);
        if (isNew)
          entry->second = {"energy_per_flop: " + text + rest,
                           /*isPartial=*/true};
        else
          entry->second.text += "; energy_per_flop: " + text;
      }
    } else if (!group.part.empty()) {
      // Other collectives and numbers of GPUs keep their numbers.
      GroupProvenance &entry = provenances[group.name];
      entry.text += (entry.text.empty() ? "" : "; ") + text;
      entry.isPartial = true;
    } else {
      provenances[group.name] = {text, /*isPartial=*/false};
    }
  }
  for (auto &[name, entry] : provenances)
    if (name == "collectives" || name == "network" || name == "training_levels")
      entry.text += rest;
  Coefficients fitted = withFitted(
      result.coefficients, provenances,
      "gpu-cost-opt calibrate " GPUCOST_VERSION " on " + input.provenance +
          "; groups without a fit: " + prior.description);
  // A fact of the machine, which --network states.
  if (fitted.collectives)
    fitted.collectives->network.reset();
  return printCoefficientsFile(fitted,
                               describeFile(request, prior, input, result),
                               prior.target.target.gpu.name);
}

llvm::Error calibration::runCalibrate(const CalibrateRequest &request) {
  Scenario named;
  named.target = request.target;
  named.targetFile = request.targetFile;
  named.coefficients = request.coefficients;
  Expected<CalibrationPrior> prior = chooseCalibrationPrior(named);
  if (!prior)
    return toLLVMError(prior.error());
  if (!request.network.empty()) {
    auto linked = withNetwork(prior->target.coefficients, request.network);
    if (!linked)
      return toLLVMError(linked.error());
    if (linked->collectives->network->name.empty())
      return llvm::createStringError(
          "--network expects a name or a file in a calibration: a stated "
          "bandwidth is the one that messages get");
    prior->target.coefficients = *std::move(linked);
  }
  Expected<CostModel> model =
      CostModel::create(prior->target.target.gpu, prior->target.coefficients);
  if (!model)
    return toLLVMError(model.error());
  llvm::Expected<CalibrationInput> input =
      readMeasurements(request, model->gpu());
  if (!input)
    return input.takeError();
  CalibrationOptions how;
  how.folds = request.folds;
  for (const std::string &group : prior->foreignGroups)
    how.foreignGroups.insert(group);
  for (const std::string &name : request.keep)
    how.kept.insert(name);
  Expected<CalibrationResult> result = CalibrationResult();
  result->coefficients = prior->target.coefficients;
  if (!request.measurements.empty() || !request.collectives.empty())
    result = calibrate(*model, input->measurements, how);
  if (!result)
    return llvm::createStringError("'" +
                                   (request.measurements.empty()
                                        ? request.collectives.front()
                                        : request.measurements) +
                                   "': " + result.error().message);
  if (!request.steps.empty())
    if (llvm::Error error =
            fitStepLogs(request, model->gpu().name, *input, *result))
      return error;

  std::string text = fileText(request, *prior, *input, *result);
  NetworkErrors networks;
  if (!request.models.empty()) {
    NetworkCheck check;
    check.measurements = request.measurements;
    check.models = request.models;
    check.target = model->gpu().name;
    check.targetFile = request.targetFile;
    check.prior = printCoefficientsFile(prior->target.coefficients, "prior");
    check.fitted = text;
    llvm::Expected<NetworkErrors> checked = checkNetworks(check);
    if (!checked)
      return checked.takeError();
    networks = std::move(*checked);
  }
  if (llvm::Error error = writeFile(request.output, text))
    return error;
  auto writeRows = [&](llvm::raw_ostream &os) {
    printRows(*result, os);
    return llvm::Error::success();
  };
  if (!request.rows.empty())
    if (llvm::Error error = writeFile(request.rows, writeRows))
      return error;
  // The file itself may go to standard output.
  llvm::raw_ostream &os = request.output == "-" ? llvm::errs() : llvm::outs();
  os << model->gpu().name << " from " << input->provenance
     << "\nprior: " << prior->description << "\n\n";
  printErrors(*result, os);
  os << '\n';
  printParameters(*result, os);
  os << '\n';
  if (!request.models.empty())
    printNetworks(networks, os);
  printSkipped(*input, *result, os);
  os << "wrote " << request.output << '\n';
  os.flush();
  for (const std::string &warning : input->warnings)
    warn() << warning << '\n';
  if (std::string suspects = describeSuspects(*result); !suspects.empty())
    warn() << suspects << '\n';
  return llvm::Error::success();
}
