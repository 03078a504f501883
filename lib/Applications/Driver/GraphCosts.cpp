//===- GraphCosts.cpp - Costs on the graph of a file ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphCosts.h"
#include "Version.h"
#include "gpucost/Compiler/Import/OnnxAnnotate.h"
#include "gpucost/Core/Iteration/NodeCosts.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace gpucost;

namespace {

/// Costs by place in the file. Several entries of `PreparedModel::nodes` may
/// have one place: calls of a function, ops that a pass has created from one
/// node.
class CostsByPlace {
public:
  explicit CostsByPlace(const PlacedModel &placed)
      : totals(placed.solve(placed.prepared().settings)) {
    std::vector<NodeCost> costs = costNodes(placed, totals);
    const PreparedModel &prepared = placed.prepared();
    for (size_t i = 0; i < costs.size(); ++i) {
      NodePosition at = prepared.positions[i];
      places[{at.graph, at.index}].push_back(std::move(costs[i]));
    }
  }

  /// Null for a node that launches nothing.
  const std::vector<NodeCost> *at(OnnxPosition position) const {
    auto it = places.find({position.graph, position.index});
    return it == places.end() ? nullptr : &it->second;
  }

private:
  IterationTotals totals;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<NodeCost>> places;
};

} // namespace

static std::string text(double value) {
  return programNumber(value).value_or("");
}

/// `costs` as one.
static NodeCost sumOf(const std::vector<NodeCost> &costs) {
  NodeCost sum;
  Seconds longest;
  for (const NodeCost &cost : costs) {
    sum.launches = saturatingSum(sum.launches, cost.launches);
    for (size_t i = 0; i < sum.times.size(); ++i)
      sum.times[i] += cost.times[i];
    sum.energy += cost.energy;
    sum.flops = saturatingSum(sum.flops, cost.flops);
    sum.bytes = saturatingSum(sum.bytes, cost.bytes);
    sum.madeBytes = saturatingSum(sum.madeBytes, cost.madeBytes);
    sum.liveBytes = std::max(sum.liveBytes, cost.liveBytes);
    for (const std::string &label : cost.labels)
      if (!llvm::is_contained(sum.labels, label))
        sum.labels.push_back(label);
    if (cost.time() > longest) {
      longest = cost.time();
      sum.bound = cost.bound;
    }
  }
  return sum;
}

static OnnxProperties propertiesOf(const NodeCost &cost, Seconds all) {
  OnnxProperties properties = {
      {"time_us", text(cost.time().value() * 1e6)},
      {"time_percent", text(all > Seconds(0) ? cost.time() / all * 100 : 0)},
      {"energy_mj", text(cost.energy.value() * 1e3)},
      {"memory_bytes", std::to_string(cost.madeBytes)},
      {"memory_in_use_bytes", std::to_string(cost.liveBytes)},
      {"flops", std::to_string(cost.flops)},
      {"bytes", std::to_string(cost.bytes)},
      {"launches", std::to_string(cost.launches)},
      {"kernels", llvm::join(cost.labels, ", ")},
      {"bound", std::string(stringifyBound(cost.bound))}};
  for (size_t i = 0; i < cost.times.size(); ++i)
    if (cost.times[i] > Seconds(0) && cost.times[i] < cost.time())
      properties.emplace_back(
          "time_us." + std::string(stringifyPhase(static_cast<Phase>(i))),
          text(cost.times[i].value() * 1e6));
  return properties;
}

static OnnxProperties propertiesOf(const IterationReport &report) {
  OnnxProperties properties = {
      {"producer", "gpu-cost-opt " + versionName()},
      {"content", "a prediction, not a measurement"},
      {"target", report.target},
      {"format", std::string(stringifyNumericFormat(report.format))},
      {"mode", std::string(stringifyIterationMode(report.settings.mode))},
      {"time_ms", text(report.time.value() * 1e3)},
      {"energy_j", text(report.energy.value())},
      {"power_w", text(report.averagePower.value())},
      {"clock_mhz", text(report.clock.value() * 1e-6)},
      {"peak_memory_bytes", std::to_string(report.peakMemoryBytes)},
      {"launches", std::to_string(report.launches)}};
  for (const auto &[name, value] : report.bindings)
    properties.emplace_back("bind." + name, std::to_string(value));
  return properties;
}

llvm::Error gpucost::writeAnnotatedOnnx(llvm::StringRef file,
                                        const PlacedModel &placed,
                                        const IterationReport &report,
                                        llvm::raw_ostream &os) {
  CostsByPlace costs(placed);
  Seconds all;
  for (const KernelRow &row : report.kernels)
    all += row.time.total * static_cast<double>(row.count);
  auto ofNode = [&](OnnxPosition position) {
    const std::vector<NodeCost> *found = costs.at(position);
    return found ? propertiesOf(sumOf(*found), all) : OnnxProperties();
  };
  return annotateOnnx(file, {"gpu-cost-opt.", propertiesOf(report), ofNode},
                      os);
}

/// The value by which a viewer colours a node, and its name.
static std::pair<const char *, double> heatOf(const NodeCost &cost,
                                              HeatValue value) {
  switch (value) {
  case HeatValue::Time:
    return {"predicted time, us", cost.time().value() * 1e6};
  case HeatValue::Energy:
    return {"predicted energy, mJ", cost.energy.value() * 1e3};
  case HeatValue::Memory:
    return {"memory made, bytes", static_cast<double>(cost.madeBytes)};
  }
  return {};
}

llvm::Error gpucost::writeNodeData(llvm::StringRef file,
                                   const PlacedModel &placed, HeatValue value,
                                   llvm::raw_ostream &os) {
  CostsByPlace costs(placed);
  // One output identifies its node.
  std::vector<std::pair<std::string, double>> results;
  llvm::StringSet<> known;
  if (llvm::Error error =
          visitOnnxNodes(file, [&](OnnxPosition position,
                                   llvm::ArrayRef<llvm::StringRef> outputs) {
            const std::vector<NodeCost> *found = costs.at(position);
            auto output = llvm::find_if(
                outputs, [](llvm::StringRef name) { return !name.empty(); });
            if (found && output != outputs.end() &&
                known.insert(*output).second)
              results.emplace_back(output->str(),
                                   heatOf(sumOf(*found), value).second);
          }))
    return error;
  std::string text;
  JsonStream json(text);
  json.object([&] {
    json.attribute("name", heatOf(NodeCost(), value).first);
    json.attributeArray("gradient", [&] {
      // Light to dark in one hue, so that colour-blind users can read it.
      for (const auto &color :
           {std::pair(0, "#fff5eb"), std::pair(1, "#d94801")})
        json.object([&] {
          json.attribute("stop", color.first);
          json.attribute("bgColor", color.second);
        });
    });
    json.attributeObject("results", [&] {
      for (const auto &result : results)
        json.attributeObject(result.first,
                             [&] { json.number("value", result.second); });
    });
  });
  os << text << '\n';
  return llvm::Error::success();
}
