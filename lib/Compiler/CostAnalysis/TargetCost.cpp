//===- TargetCost.cpp - The GPU model as a model of DLTI devices ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/TargetCost.h"
#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Dialect/DLTI/DLTI.h"

using namespace mlir;
using namespace gpucost;

static opwork::EstimateStatus convert(CostStatus status) {
  switch (status) {
  case CostStatus::Exact:
    return opwork::EstimateStatus::Exact;
  case CostStatus::Bound:
    return opwork::EstimateStatus::Bound;
  case CostStatus::Infeasible:
    return opwork::EstimateStatus::Infeasible;
  case CostStatus::Unknown:
    return opwork::EstimateStatus::Unknown;
  }
  llvm_unreachable("covered switch");
}

static CostStatus convert(opwork::EstimateStatus status) {
  switch (status) {
  case opwork::EstimateStatus::Exact:
    return CostStatus::Exact;
  case opwork::EstimateStatus::Bound:
    return CostStatus::Bound;
  case opwork::EstimateStatus::Infeasible:
    return CostStatus::Infeasible;
  case opwork::EstimateStatus::Unknown:
    return CostStatus::Unknown;
  }
  llvm_unreachable("covered switch");
}

Cost gpucost::toCost(const opwork::Estimate &estimate) {
  Cost cost;
  cost.status = convert(estimate.status);
  cost.reason = estimate.reason;
  cost.halfWidth = std::nullopt;
  if (!estimate.hasTime())
    return cost;
  cost.time = Seconds(estimate.seconds);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  cost.energy = Joules(unknown);
  cost.power = Watts(unknown);
  if (std::isfinite(estimate.high) && estimate.seconds > 0)
    cost.halfWidth = estimate.high / estimate.seconds - 1;
  return cost;
}

namespace {

class GpuModel : public opwork::TargetCostModel {
public:
  explicit GpuModel(Operation *root) : analysis(root) {}
  opwork::Estimate getCost(Operation *op) override {
    Cost cost = analysis.getCost(op);
    opwork::Estimate estimate;
    estimate.status = convert(cost.status);
    estimate.reason = cost.reason;
    if (!cost.hasNumbers())
      return estimate;
    estimate.seconds = cost.time.value();
    estimate.low = cost.low().value();
    estimate.high = cost.high().value();
    return estimate;
  }

private:
  CostAnalysis analysis;
};

struct GpuCostModel
    : public opwork::TargetCostAttrInterface::ExternalModel<GpuCostModel,
                                                            GpuAttr> {
  std::unique_ptr<opwork::TargetCostModel>
  createCostModel(Attribute, Operation *root) const {
    return std::make_unique<GpuModel>(root);
  }
};

/// A device that names a GPU of this project, or that states rates.
struct DeviceCostModel : public opwork::TargetCostAttrInterface::ExternalModel<
                             DeviceCostModel, TargetDeviceSpecAttr> {
  std::unique_ptr<opwork::TargetCostModel>
  createCostModel(Attribute attr, Operation *root) const {
    auto device = cast<TargetDeviceSpecInterface>(attr);
    if (device.getSpecForIdentifier(
            StringAttr::get(attr.getContext(), targetAttrName)))
      return std::make_unique<GpuModel>(root);
    return opwork::createRoofline(device);
  }
};

} // namespace

void gpucost::registerTargetCostModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, GpuCostDialect *, DLTIDialect *) {
        GpuAttr::attachInterface<GpuCostModel>(*context);
        TargetDeviceSpecAttr::attachInterface<DeviceCostModel>(*context);
      });
}
