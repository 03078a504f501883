//===- DeployJson.cpp - Deployments for programs --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/Deploy.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/RecordCsv.h"
#include "gpucost/Core/Report/RecordJson.h"

using namespace gpucost::deploy;
using namespace gpucost::sweep;

namespace gpucost {

namespace {
struct PrintedTraffic {
  const Traffic *traffic = nullptr;
};
struct PrintedRival {
  const DeployResult *all = nullptr;
  const Rival *rival = nullptr;
  const Deployment &deployment() const { return all->candidates[rival->index]; }
};
/// Parts of a result as JSON has them.
struct PrintedDeploy {
  const DeployResult *all = nullptr;
  std::string version;
  static constexpr int64_t schema = 1;

  std::string_view minimize() const {
    return stringifyMetric(all->question.goal.metric);
  }
  std::vector<std::string> constraints() const {
    std::vector<std::string> texts;
    for (const Constraint &constraint : all->question.goal.constraints)
      texts.push_back(constraint.text);
    return texts;
  }
  std::optional<Deployment> at(std::optional<size_t> index) const {
    return index ? std::optional(all->candidates[*index]) : std::nullopt;
  }
  std::optional<Deployment> choice() const { return at(all->choice.chosen); }
  std::optional<Deployment> fewest() const { return at(all->fewestGpus); }
  std::optional<DeployCommands> commands() const {
    const Deployment *chosen = all->chosen();
    return chosen ? std::optional(commandsOf(*all, *chosen)) : std::nullopt;
  }
  std::vector<PrintedRival> rivals() const {
    std::vector<PrintedRival> rivals;
    for (const Rival &rival : all->rivals)
      rivals.push_back({all, &rival});
    return rivals;
  }
  std::vector<Deployment> front() const {
    std::vector<Deployment> front;
    for (size_t index : all->front)
      front.push_back(all->candidates[index]);
    return front;
  }
};
} // namespace

#define GPUCOST_REPORT "gpucost/Applications/Deploy/DeployReport.def"
#include "gpucost/Core/Report/VisitReport.inc"

RecordShape deploy::shapeOfDeploy() { return shapeOfRecord<PrintedDeploy>(); }

void deploy::printDeployJson(const DeployResult &result,
                             llvm::StringRef version, llvm::raw_ostream &os,
                             bool everyCandidate) {
  PrintedDeploy printed{&result, version.str()};
  std::string text;
  JsonStream j(text);
  j.object([&] {
    writeRecord(j, printed);
    if (!everyCandidate)
      return;
    std::vector<bool> allowed(result.candidates.size());
    for (size_t i : result.choice.ranking)
      allowed[i] = true;
    j.attributeArray("candidates_beyond_bounds", [&] {
      for (size_t i = 0; i < allowed.size(); ++i)
        if (result.candidates[i].isFeasible() && !allowed[i])
          j.value(static_cast<int64_t>(i));
    });
    j.key("all_candidates");
    writeValue(j, FieldUnit(), result.candidates);
  });
  os << text << '\n';
}

void deploy::printDeployCsv(const DeployResult &result, llvm::raw_ostream &os) {
  static const RecordColumns<Deployment> columns({}, /*all=*/true);
  printCsvCells(os, columns.names());
  os << '\n';
  for (const Deployment &candidate : result.candidates) {
    printCsvCells(os, columns.cells(candidate));
    os << '\n';
  }
}

} // namespace gpucost
