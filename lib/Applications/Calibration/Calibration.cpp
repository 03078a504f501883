//===- Calibration.cpp - Coefficients from measurements -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Calibration/Calibration.h"
#include "CollectiveFit.h"
#include "MapFit.h"
#include "PowerFit.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <map>
#include <numeric>

using namespace gpucost;
using namespace gpucost::calibration;

/// Relative error of a kernel's time that the equations do not explain.
static constexpr double timeNoise = 0.05;

/// At the measured clock nothing throttles: only the time is needed.
static Expected<Seconds> timeOf(const CostModel &model, const KernelWork &work,
                                const KernelQuery &query) {
  if (!query.clock) {
    auto cost = model.estimate(work, query);
    if (!cost)
      return fail(cost.error());
    return cost->time.total;
  }
  auto tiling = model.selectTiling(work, query);
  if (!tiling)
    return fail(tiling.error());
  auto time = model.predictTime(work, *tiling, *query.clock, query);
  if (!time)
    return fail(time.error());
  return time->total;
}

/// Time of all kernels of the call.
static Expected<Seconds> timeOf(const CostModel &model,
                                const TimedKernel &kernel) {
  Expected<Seconds> sum = timeOf(model, kernel.work, kernel.query);
  for (const KernelWork &other : kernel.others) {
    Expected<Seconds> time = timeOf(model, other, kernel.query);
    if (!sum || !time)
      return sum ? time : sum;
    *sum += *time;
  }
  return sum;
}

/// The groups of coefficients that the time of `kernel` depends on.
static GroupSet groupsOf(const CostModel &model, const TimedKernel &kernel) {
  auto ofWork = [&](const KernelWork &work) -> GroupSet {
    auto tiling = model.selectTiling(work, kernel.query);
    if (!tiling)
      return {};
    auto terms = model.launchTerms(work, *tiling, kernel.query);
    return terms ? terms->groups : GroupSet();
  };
  GroupSet all = ofWork(kernel.work);
  for (const KernelWork &other : kernel.others)
    all |= ofWork(other);
  return all;
}

/// Makes `kernels`, which must outlive it, the observations of `map`.
static std::vector<RowPrediction>
observe(MapFit &map, llvm::ArrayRef<const TimedKernel *> kernels) {
  std::vector<RowPrediction> rows;
  for (const TimedKernel *kernel : kernels) {
    map.noise.push_back(std::hypot(timeNoise, kernel->spread));
    map.keys.push_back(kernel->shape);
    rows.push_back({kernel->family, kernel->file, /*isLoad=*/false,
                    kernel->line, kernel->time.value()});
  }
  map.logError = [kernels](const CostModel &model, size_t i) {
    // The prior predicts all of them; other values lack nothing either.
    Seconds time = cantFail(timeOf(model, *kernels[i]));
    return std::log(time / kernels[i]->time);
  };
  return rows;
}

namespace {

/// Indices of the observations that a group of coefficients explains.
using GroupMembers = std::pair<std::string, std::vector<size_t>>;

/// Collects the fits of all groups.
class Calibrator {
public:
  Calibrator(const CostModel &prior, const CalibrationOptions &options)
      : prior(prior), options(options), current(prior) {
    result.coefficients = prior.coefficients();
  }

  void addKernels(llvm::ArrayRef<TimedKernel> kernels);
  void fitTimes();
  void fitLoads(llvm::ArrayRef<MeasuredLoad> loads);
  void fitCollectives(llvm::ArrayRef<TimedKernel> collectives);
  void setHostLaunch(std::optional<Seconds> hostLaunch);

  CalibrationResult result;

private:
  /// `rows[i]` describes observation i; its predictions are filled in.
  /// Returns the log error of each row, held out if there are enough of them.
  std::vector<double> fit(MapFit &map, llvm::ArrayRef<GroupMembers> groups,
                          std::vector<RowPrediction> rows);
  /// Of `parameters` those that may move.
  std::vector<const Parameter *>
  free(std::vector<const Parameter *> parameters) const {
    llvm::erase_if(parameters, [&](const Parameter *parameter) {
      std::string group(parameter->group);
      return options.kept.contains(group) ||
             options.kept.contains(group + "." + std::string(parameter->name));
    });
    return parameters;
  }
  const CostModel &prior;
  const CalibrationOptions &options;
  CostModel current;
  llvm::MapVector<llvm::StringRef, std::vector<const TimedKernel *>> groups;
};

} // namespace

void Calibrator::addKernels(llvm::ArrayRef<TimedKernel> kernels) {
  for (const TimedKernel &kernel : kernels) {
    llvm::StringRef group = groupOf(kernel.work, kernel.query, prior);
    // (A13)
    if (const auto *p = kernel.work.getIf<AttentionProblem>();
        p && p->backward &&
        (group == "attention_causal" || group == "attention_full")) {
      result.skipped.push_back("the backward pass of attention shares the "
                               "coefficients of the forward pass");
      continue;
    }
    Expected<Seconds> time = timeOf(prior, kernel);
    if (!time) {
      result.skipped.push_back(time.error().message);
      continue;
    }
    if (group.empty() || *time <= Seconds(0)) {
      result.skipped.push_back("'" + kernel.family + "' has no parameters");
      continue;
    }
    groups[group].push_back(&kernel);
  }
}

std::vector<double> Calibrator::fit(MapFit &map,
                                    llvm::ArrayRef<GroupMembers> groups,
                                    std::vector<RowPrediction> rows) {
  auto everything = llvm::to_vector(llvm::seq<size_t>(0, map.noise.size()));
  CostModel fitted = map.run(everything);
  std::vector<double> before = map.errors(map.prior);
  std::vector<double> after = map.errors(fitted);
  std::vector<double> held = map.holdOut(options.folds);
  map.describe(fitted, result.parameters);

  // A group and a family state their errors alike.
  auto addErrors = [&](auto &to, llvm::ArrayRef<size_t> members) {
    to.count = members.size();
    to.before = meanError(before, members);
    to.fitted = meanError(after, members);
    if (!held.empty())
      to.heldOut = meanError(held, members);
  };
  for (const auto &[group, members] : groups) {
    FittedGroup summary;
    summary.name = group;
    addErrors(summary, members);
    result.groups.push_back(summary);
  }

  llvm::MapVector<llvm::StringRef, std::vector<size_t>> families;
  for (auto [i, row] : llvm::enumerate(rows)) {
    families[row.family].push_back(i);
    row.prior = row.measured * std::exp(before[i]);
    row.fitted = row.measured * std::exp(after[i]);
  }
  for (const auto &[family, members] : families) {
    FamilyError error;
    error.family = family.str();
    addErrors(error, members);
    result.families.push_back(error);
  }
  llvm::append_range(result.rows, rows);
  result.coefficients = fitted.coefficients();
  current = std::move(fitted);
  return held.empty() ? after : held;
}

void Calibrator::fitTimes() {
  for (const auto &[group, members] : groups) {
    CostModel start = current;
    MapFit map{start,
               free(parametersOf(group, start.coefficients())),
               options.foreignGroups,
               {},
               {},
               {}};
    // Refinements move together with the group of all kernels.
    std::vector<GroupMembers> fitted = {
        {group.str(), std::vector<size_t>(members.size())}};
    std::iota(fitted[0].second.begin(), fitted[0].second.end(), size_t(0));
    std::map<std::string, std::vector<size_t>> refined;
    for (auto [i, kernel] : llvm::enumerate(members))
      for (const std::string &name : namesOf(groupsOf(start, *kernel)))
        if (name != group && name != "streaming")
          refined[name].push_back(i);
    for (const auto &[name, rows] : refined) {
      auto parameters = free(parametersOf(name, start.coefficients()));
      if (parameters.empty())
        continue;
      llvm::append_range(map.parameters, parameters);
      fitted.emplace_back(name, rows);
    }
    fit(map, fitted, observe(map, members));
  }
}

void Calibrator::fitLoads(llvm::ArrayRef<MeasuredLoad> loads) {
  for (const PowerFit &power : powerFits(current, loads, result.skipped)) {
    if (power.loads.empty() || power.parameters.empty())
      continue;
    CostModel start = current;
    llvm::StringSet<> foreign;
    if (options.foreignGroups.contains(power.group))
      for (const Parameter *parameter : power.parameters)
        foreign.insert(parameter->group);
    MapFit map{start, free(power.parameters), foreign, {}, {}, {}};
    // Boards of one model differ in all energies alike: first this factor.
    Parameter board = boardFactor(start.coefficients());
    MapFit whole{current, {&board}, foreign, {}, {}, {}};
    std::vector<RowPrediction> rows;
    for (const MeasuredLoad *load : power.loads) {
      map.noise.push_back(powerNoise);
      map.keys.push_back(load->name);
      rows.push_back({power.family.str(), "power", /*isLoad=*/true, load->line,
                      load->power.value()});
    }
    map.logError = [&power](const CostModel &model, size_t i) {
      const MeasuredLoad &load = *power.loads[i];
      return std::log(power.predict(model, load) / load.power);
    };
    GroupMembers all{power.group.str(), std::vector<size_t>(rows.size())};
    std::iota(all.second.begin(), all.second.end(), size_t(0));
    if (power.group == "power" && rows.size() > 1 && board.deviation > 0) {
      whole.noise = map.noise;
      whole.logError = map.logError;
      start = whole.run(all.second);
    }
    fit(map, all, std::move(rows));
  }
}

void Calibrator::fitCollectives(llvm::ArrayRef<TimedKernel> collectives) {
  for (const LinkFit &part : linkFits(prior, collectives, result.skipped)) {
    Coefficients prepared = current.coefficients();
    if (part.prepare)
      part.prepare(prepared);
    CostModel start =
        cantFail(CostModel::create(prior.gpu(), std::move(prepared)));
    std::vector<const Parameter *> all;
    all.reserve(part.parameters.size());
    for (const Parameter &parameter : part.parameters)
      all.push_back(&parameter);
    MapFit map{start, free(all), options.foreignGroups, {}, {}, {}};
    if (map.parameters.empty())
      continue;
    std::vector<RowPrediction> rows = observe(map, part.rows);
    GroupMembers members{part.group, std::vector<size_t>(rows.size())};
    std::iota(members.second.begin(), members.second.end(), size_t(0));
    std::vector<double> errors = fit(map, members, std::move(rows));
    result.groups.back().part = part.part;
    if (part.group == "network")
      setNetworkWidths(result.coefficients, part.rows, errors);
  }
}

void Calibrator::setHostLaunch(std::optional<Seconds> hostLaunch) {
  if (!hostLaunch || !result.coefficients.runtime)
    return;
  // Measured as such: nothing to weigh against a prior.
  FittedParameter p;
  p.group = "runtime";
  p.field = "host_launch";
  p.prior = result.coefficients.runtime->hostLaunch.value();
  p.value = hostLaunch->value();
  result.coefficients.runtime->hostLaunch = *hostLaunch;
  result.parameters.push_back(p);
  FittedGroup group;
  group.name = "runtime";
  group.count = 1;
  result.groups.push_back(group);
}

Expected<CalibrationResult>
calibration::calibrate(const CostModel &prior, const Measurements &measurements,
                       const CalibrationOptions &options) {
  Calibrator calibrator(prior, options);
  calibrator.addKernels(measurements.kernels);
  calibrator.fitTimes();
  calibrator.fitLoads(measurements.loads);
  calibrator.fitCollectives(measurements.collectives);
  calibrator.setHostLaunch(measurements.hostLaunch);
  if (calibrator.result.groups.empty())
    return fail("no measurement can be used" +
                (calibrator.result.skipped.empty()
                     ? ""
                     : "; the first was left out because " +
                           calibrator.result.skipped.front()));
  return std::move(calibrator.result);
}
