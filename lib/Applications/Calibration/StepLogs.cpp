//===- StepLogs.cpp - Levels of training stacks from step times -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The log of a step's time follows the log of its stack's slowdown by a slope
// between 0 and 1, the share of the step that kernels take. Two predictions of
// each row give that slope; the fit of one number per stack follows from them.

#include "StepLogs.h"
#include "CalibrateNetworks.h"
#include "LeastSquares.h"
#include "MapFit.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;

/// Of the log of a slowdown between clusters, and of a step between runs.
static constexpr double levelDeviation = 0.3, stepNoise = 0.05;
/// The second prediction.
static constexpr double otherLevel = 1.25;

namespace {

struct Step {
  std::string model;
  Scenario scenario;
  size_t line = 0;
  double measured = 0;
  double error = 0; ///< log(predicted / measured) at the level of the prior
  double slope = 0; ///< d log(time) / d log(slowdown)
};

class LevelFit {
public:
  LevelFit(const CalibrateRequest &request, const std::string &board,
           CalibrationInput &input, CalibrationResult &result)
      : request(request), board(board), input(input), result(result) {
    registerDialects(registry);
  }
  llvm::Error run();

private:
  llvm::Error readRow(MeasurementRow row);
  llvm::Error predict(double factor,
                      llvm::function_ref<void(Step &, double)> use);
  void fit(TrainingLevel &level, llvm::ArrayRef<const Step *> steps);

  const CalibrateRequest &request;
  const std::string &board;
  CalibrationInput &input;
  CalibrationResult &result;
  mlir::DialectRegistry registry;
  std::vector<Step> steps;
};

} // namespace

llvm::Error LevelFit::readRow(MeasurementRow row) {
  Step step;
  step.measured = row.requiredNumber("time_s");
  step.model = row.cell("model").str();
  step.line = row.line();
  step.scenario.mode = IterationMode::Training;
  if (llvm::Error error =
          request.readSettings(row.cell("flags"), step.scenario))
    row.fail("flags", llvm::toString(std::move(error)));
  else if (step.scenario.mode != IterationMode::Training)
    row.fail("flags", "expected steps of a training");
  else if (step.scenario.target || step.scenario.targetFile ||
           step.scenario.coefficients)
    row.fail("flags", "expected no target and no coefficients: those of the "
                      "calibration are used");
  else if (!step.scenario.software ||
           !hasTrainingLevel(result.coefficients, *step.scenario.software))
    row.fail("flags", "expected --software with a stack that has a level: "
                      "megatron, fsdp2, torchtitan, maxtext, ...");
  if (row.failed())
    return row.takeError();
  if (!request.target.empty())
    step.scenario.target = request.target;
  if (!request.targetFile.empty())
    step.scenario.targetFile = request.targetFile;
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error LevelFit::predict(double factor,
                              llvm::function_ref<void(Step &, double)> use) {
  Coefficients moved = result.coefficients;
  for (TrainingLevel &level : moved.trainingLevels->stacks)
    level.slowdown *= factor;
  if (moved.collectives)
    moved.collectives->network.reset();
  llvm::SmallString<128> path;
  if (llvm::Error error = storeCoefficients(
          printCoefficientsFile(moved, "levels", board), path))
    return error;
  llvm::FileRemover remover(path);
  for (Step &step : steps) {
    step.scenario.coefficients = path.str().str();
    auto report = predictIteration(registry, step.model, step.scenario);
    if (!report)
      return llvm::createStringError(
          request.steps + ":" + llvm::Twine(step.line) + ": '" + step.model +
          "': " + llvm::toString(report.takeError()));
    use(step, report->time.value());
  }
  return llvm::Error::success();
}

/// The log of the factor on the slowdown that fits `steps` best.
static double bestFactor(llvm::ArrayRef<const Step *> steps) {
  LeastSquares problem;
  problem.low = Eigen::VectorXd::Constant(1, -3);
  problem.high = Eigen::VectorXd::Constant(1, 3);
  problem.residuals = [&](const Eigen::VectorXd &at) {
    Eigen::VectorXd residuals(steps.size() + 1);
    for (auto [i, step] : llvm::enumerate(steps))
      residuals[i] = soften(step->error + step->slope * at[0], stepNoise);
    residuals[steps.size()] = at[0] / levelDeviation;
    return residuals;
  };
  return minimise(problem, Eigen::VectorXd::Zero(1)).point[0];
}

void LevelFit::fit(TrainingLevel &level, llvm::ArrayRef<const Step *> steps) {
  double factor = bestFactor(steps);
  std::string software(stringifySoftware(level.software));
  std::vector<double> before, after, held;
  for (auto [i, step] : llvm::enumerate(steps)) {
    before.push_back(step->error);
    after.push_back(step->error + step->slope * factor);
    std::vector<const Step *> others(steps);
    others.erase(others.begin() + i);
    if (!others.empty())
      held.push_back(step->error + step->slope * bestFactor(others));
    result.rows.push_back({"steps " + software,
                           llvm::sys::path::filename(request.steps).str(),
                           /*isLoad=*/false, step->line, step->measured,
                           step->measured * std::exp(before.back()),
                           step->measured * std::exp(after.back())});
  }
  auto all = llvm::to_vector(llvm::seq(steps.size()));
  FittedGroup group;
  group.name = "training_levels";
  group.part = software;
  FamilyError family;
  family.family = "steps " + software;
  group.count = family.count = steps.size();
  group.before = family.before = meanError(before, all);
  group.fitted = family.fitted = meanError(after, all);
  if (!held.empty())
    group.heldOut = family.heldOut = meanError(held, all);
  result.groups.push_back(group);
  result.families.push_back(family);
  FittedParameter parameter;
  parameter.group = group.name;
  parameter.field = software + ".slowdown";
  parameter.prior = level.slowdown;
  level.slowdown *= std::exp(factor);
  parameter.value = level.slowdown;
  parameter.deviations = factor / levelDeviation;
  result.parameters.push_back(parameter);
  level.timeWidth = halfWidthOf(held).value_or(level.timeWidth);
}

llvm::Error LevelFit::run() {
  static constexpr llvm::StringLiteral columns[] = {"model", "flags", "time_s"};
  llvm::Expected<MeasurementFile> file = readMeasurementFile(
      request.steps, columns, "the columns model, flags and time_s");
  if (!file)
    return file.takeError();
  input.rows += file->rows.size();
  for (size_t i = 0; i < file->rows.size(); ++i)
    if (llvm::Error error = readRow(MeasurementRow(*file, i)))
      return error;
  if (steps.empty())
    return llvm::createStringError("'" + request.steps + "' has no rows");
  if (llvm::Error error = predict(1, [](Step &step, double time) {
        step.error = std::log(time / step.measured);
      }))
    return error;
  if (llvm::Error error = predict(otherLevel, [](Step &step, double time) {
        step.slope = (std::log(time / step.measured) - step.error) /
                     std::log(otherLevel);
      }))
    return error;
  for (TrainingLevel &level : result.coefficients.trainingLevels->stacks) {
    std::vector<const Step *> own;
    for (const Step &step : steps)
      if (step.scenario.software == level.software)
        own.push_back(&step);
    if (!own.empty())
      fit(level, own);
  }
  return llvm::Error::success();
}

llvm::Error calibration::fitStepLogs(const CalibrateRequest &request,
                                     const std::string &board,
                                     CalibrationInput &input,
                                     CalibrationResult &result) {
  return LevelFit(request, board, input, result).run();
}
