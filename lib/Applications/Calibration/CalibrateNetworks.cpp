//===- CalibrateNetworks.cpp - Networks that no fit has seen --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateNetworks.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

namespace {

struct Checker {
  explicit Checker(const NetworkCheck &check) : check(check) {
    registerDialects(registry);
  }
  llvm::Error readFile(StringRef name);
  llvm::Error readRow(MeasurementRow row);
  /// The first diagnostic is the error.
  llvm::Expected<IterationReport>
  predict(const MeasurementRow &row, StringRef model, StringRef coefficients);

  const NetworkCheck &check;
  mlir::DialectRegistry registry;
  NetworkErrors result;
  llvm::SmallString<128> priorFile, fittedFile;
};

} // namespace

/// The options that run a row as measure.py has run it.
static llvm::Expected<Scenario> describeRow(const MeasurementRow &row,
                                            const NetworkCheck &check) {
  Scenario scenario;
  StringRef precision = row.cell("precision");
  bool amp = precision.consume_back("-amp");
  if (check.targetFile.empty()) {
    scenario.target = check.target + "-" + precision.str();
  } else {
    scenario.target = precision.str();
    scenario.targetFile = check.targetFile;
  }
  scenario.precisionMode = amp ? PrecisionMode::Amp : PrecisionMode::Cast;
  for (StringRef column : {"mode", "runtime"})
    if (llvm::Error error = state(scenario, column, row.cell(column)))
      return std::move(error);
  StringRef attention = row.cell("attention");
  if (attention == "eager")
    scenario.attention = AttentionMode::Eager;
  else if (attention == "sdpa")
    scenario.attention = AttentionMode::Flash;
  scenario.channelsLast = row.cell("layout") == "NHWC";
  int64_t batch = 0, length = 0;
  if (!row.cell("batch").getAsInteger(10, batch) && batch > 0)
    scenario.batch = batch;
  // Without an image: a sequence.
  if (row.cell("layout").empty() &&
      !row.cell("length").getAsInteger(10, length) && length > 0)
    scenario.seq = length;
  if (scenario.mode != IterationMode::Training)
    return scenario;
  if (llvm::Error error = state(scenario, "optimizer", row.cell("optimizer")))
    return std::move(error);
  // Networks with a head have a loss; the others are given their gradients.
  bool hasLoss = scenario.optimizer == OptimizerKind::SGDMomentum ||
                 row.cell("model").ends_with("-lm");
  scenario.loss = hasLoss ? LossKind::Auto : LossKind::None;
  return scenario;
}

llvm::Expected<IterationReport>
calibration::predictIteration(const mlir::DialectRegistry &registry,
                              StringRef model, const Scenario &scenario) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            message.empty())
          message = diagnostic.str();
        return mlir::success();
      });
  mlir::OwningOpRef<mlir::ModuleOp> module = loadModel(context, model);
  if (module)
    if (auto report = Session(*module).analyze(scenario);
        mlir::succeeded(report))
      return *report;
  return llvm::createStringError(message.empty() ? "no prediction" : message);
}

llvm::Expected<IterationReport> Checker::predict(const MeasurementRow &row,
                                                 StringRef model,
                                                 StringRef coefficients) {
  llvm::Expected<Scenario> scenario = describeRow(row, check);
  if (!scenario)
    return scenario.takeError();
  scenario->coefficients = coefficients.str();
  return predictIteration(registry, model, *scenario);
}

llvm::Error Checker::readRow(MeasurementRow row) {
  double wall = row.requiredNumber("wall_ms");
  std::optional<double> watts = row.number("power_avg_w");
  if (row.failed())
    return row.takeError();
  std::string name = row.cell("model").str();
  llvm::SmallString<128> model(check.models);
  llvm::sys::path::append(model, name + ".onnx");
  if (!llvm::sys::fs::exists(model)) {
    ++result.skipped["no file '" + std::string(model) + "'"];
    return llvm::Error::success();
  }
  auto before = predict(row, model, priorFile);
  if (!before) {
    ++result.skipped[name + ": " + llvm::toString(before.takeError())];
    return llvm::Error::success();
  }
  auto fitted = predict(row, model, fittedFile);
  if (!fitted)
    return fitted.takeError();
  NetworkError &error = result.models[name + " " + row.cell("mode").str()];
  auto share = [](double predicted, double measured) {
    return std::abs(predicted / measured - 1);
  };
  ++error.count;
  error.timeBefore += share(before->time.value() * 1e3, wall);
  error.timeFitted += share(fitted->time.value() * 1e3, wall);
  if (watts) {
    ++error.powerCount;
    error.powerBefore += share(before->averagePower.value(), *watts);
    error.powerFitted += share(fitted->averagePower.value(), *watts);
  }
  return llvm::Error::success();
}

llvm::Error Checker::readFile(StringRef name) {
  llvm::SmallString<128> path(check.measurements);
  llvm::sys::path::append(path, name);
  if (!llvm::sys::fs::exists(path))
    return llvm::Error::success();
  static constexpr llvm::StringLiteral columns[] = {
      "model", "mode",   "precision", "attention", "layout", "runtime",
      "batch", "length", "optimizer", "status",    "wall_ms"};
  llvm::Expected<MeasurementFile> file = readMeasurementFile(path, columns);
  if (!file)
    return file.takeError();
  for (size_t i = 0; i < file->rows.size(); ++i)
    if (MeasurementRow row(*file, i); row.cell("status") == "ok")
      if (llvm::Error error = readRow(std::move(row)))
        return error;
  return llvm::Error::success();
}

llvm::Error calibration::storeCoefficients(StringRef text,
                                           llvm::SmallVectorImpl<char> &path) {
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("coefficients", "mlir", path))
    return llvm::createStringError(code, "cannot write a temporary file");
  return writeFile(StringRef(path.data(), path.size()), text);
}

llvm::Expected<NetworkErrors>
calibration::checkNetworks(const NetworkCheck &check) {
  Checker checker(check);
  if (llvm::Error error = storeCoefficients(check.prior, checker.priorFile))
    return std::move(error);
  llvm::FileRemover removePrior(checker.priorFile);
  if (llvm::Error error = storeCoefficients(check.fitted, checker.fittedFile))
    return std::move(error);
  llvm::FileRemover removeFitted(checker.fittedFile);
  for (StringRef name : {"training.csv", "inference.csv"})
    if (llvm::Error error = checker.readFile(name))
      return std::move(error);
  return std::move(checker.result);
}

void calibration::printNetworks(const NetworkErrors &errors,
                                llvm::raw_ostream &os) {
  os << llvm::formatv("{0,-31}{1,6}{2,9}{3,9}{4,9}{5,9}  no input of the fit; "
                      "mean absolute error, %\n",
                      "network", "rows", "time", "fitted", "power", "fitted");
  for (const auto &[name, e] : errors.models) {
    auto mean = [](double sum, size_t count) -> std::string {
      return count ? llvm::formatv("{0:f1}", 100 * sum / count).str() : "-";
    };
    os << llvm::formatv(
        "{0,-31}{1,6}{2,9}{3,9}{4,9}{5,9}\n", name, e.count,
        mean(e.timeBefore, e.count), mean(e.timeFitted, e.count),
        mean(e.powerBefore, e.powerCount), mean(e.powerFitted, e.powerCount));
  }
  for (const auto &[reason, count] : errors.skipped)
    os << llvm::formatv("{0,6} rows left out: {1}\n", count, reason);
  os << '\n';
}
