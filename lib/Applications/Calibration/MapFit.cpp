//===- MapFit.cpp - One group of parameters -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapFit.h"
#include "LeastSquares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace gpucost;
using namespace gpucost::calibration;
using Eigen::VectorXd;

/// One start at the prior and some around it: the loss has steps and several
/// minima. In deviations of the prior.
static constexpr double startOffset = 0.7;
static constexpr unsigned startCount = 4;
/// The priors of groups that another GPU lends are this much wider.
static constexpr double foreignScale = 3, foreignRateScale = 10;
/// Number of folds below which an error on held-out rows is not reliable.
static constexpr unsigned leastFolds = 3;

/// Soft-L1: quadratic below the scale, linear above it.
double calibration::soften(double error, double scale) {
  double x = error / scale;
  return std::copysign(std::sqrt(2 * (std::sqrt(1 + x * x) - 1)), x);
}

static CostModel withValues(const CostModel &prior,
                            llvm::ArrayRef<const Parameter *> parameters,
                            const VectorXd &logs) {
  Coefficients c = prior.coefficients();
  for (auto [i, parameter] : llvm::enumerate(parameters))
    parameter->set(c, std::exp(logs[i]));
  Expected<CostModel> model = CostModel::create(prior.gpu(), std::move(c));
  // The bounds of Coefficients.def are narrower than the range that a model
  // accepts.
  return cantFail(std::move(model));
}

double MapFit::deviationOf(const Parameter &parameter) const {
  if (!foreignGroups.contains(parameter.group))
    return parameter.deviation;
  return parameter.deviation * (parameter.kind == ParameterKind::Rate
                                    ? foreignRateScale
                                    : foreignScale);
}

CostModel MapFit::run(llvm::ArrayRef<size_t> rows) const {
  Eigen::Index count = parameters.size(), observed = rows.size();
  VectorXd center(count), deviation(count);
  LeastSquares problem;
  problem.low.resize(count);
  problem.high.resize(count);
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    double value = parameter->get(prior.coefficients());
    center[i] = std::log(value);
    deviation[i] = deviationOf(*parameter);
    // A shipped value beyond the bounds stays allowed.
    problem.low[i] = std::log(std::min(parameter->low, value));
    problem.high[i] = std::log(std::max(parameter->high, value));
  }
  problem.residuals = [&](const VectorXd &logs) {
    CostModel model = withValues(prior, parameters, logs);
    VectorXd result(observed + count);
    for (auto [i, row] : llvm::enumerate(rows))
      result[i] = soften(logError(model, row), noise[row]);
    result.tail(count) = (logs - center).cwiseQuotient(deviation);
    return result;
  };
  LeastSquaresResult best = minimise(problem, center);
  for (unsigned start = 1; start < startCount; ++start) {
    VectorXd from = center;
    for (Eigen::Index i = 0; i < count; ++i)
      from[i] += deviation[i] * startOffset * ((i + start) % 3 - 1.0);
    LeastSquaresResult found = minimise(problem, from);
    if (found.cost < best.cost)
      best = found;
  }
  return withValues(prior, parameters, best.point);
}

std::vector<double> MapFit::errors(const CostModel &model) const {
  std::vector<double> result(noise.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = logError(model, i);
  return result;
}

std::vector<double> MapFit::holdOut(unsigned folds) const {
  // Equal folds, the same in every run, in no order of the files.
  std::map<std::pair<uint64_t, std::string>, unsigned> foldOf;
  for (const std::string &key : keys)
    foldOf[{llvm::xxh3_64bits(key), key}];
  // Few keys are left out one by one.
  folds = std::min<size_t>(folds, foldOf.size());
  if (folds < leastFolds)
    return {};
  for (auto [i, entry] : llvm::enumerate(foldOf))
    entry.second = i % folds;
  std::vector<double> result(noise.size());
  for (unsigned fold = 0; fold < folds; ++fold) {
    std::vector<size_t> inside, outside;
    for (auto [i, key] : llvm::enumerate(keys))
      (foldOf[{llvm::xxh3_64bits(key), key}] == fold ? outside : inside)
          .push_back(i);
    CostModel model = run(inside);
    for (size_t i : outside)
      result[i] = logError(model, i);
  }
  return result;
}

void MapFit::describe(const CostModel &fitted,
                      std::vector<FittedParameter> &to) const {
  for (const Parameter *parameter : parameters) {
    FittedParameter p;
    p.group = parameter->group.str();
    p.field = parameter->name.str();
    p.prior = parameter->get(prior.coefficients());
    p.value = parameter->get(fitted.coefficients());
    p.deviations = std::log(p.value / p.prior) / deviationOf(*parameter);
    p.physical = parameter->kind != ParameterKind::Shape;
    p.perUnit = parameter->perUnit;
    to.push_back(p);
  }
}

double calibration::meanError(llvm::ArrayRef<double> errors,
                              llvm::ArrayRef<size_t> rows) {
  double sum = 0;
  for (size_t row : rows)
    sum += std::abs(std::expm1(errors[row]));
  return sum / rows.size();
}

std::optional<double> calibration::halfWidthOf(std::vector<double> errors) {
  constexpr size_t leastRows = 5;
  constexpr double coverage = 0.8;
  if (errors.size() < leastRows)
    return std::nullopt;
  for (double &error : errors)
    error = std::abs(error);
  auto place = errors.begin() +
               static_cast<ptrdiff_t>(std::ceil(coverage * errors.size()) - 1);
  std::nth_element(errors.begin(), place, errors.end());
  return std::expm1(*place);
}
