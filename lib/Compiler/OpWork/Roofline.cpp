//===- Roofline.cpp - Lower bound from a device description ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/OpWork/TargetCost.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <algorithm>

using namespace mlir;
using namespace opwork;

static constexpr StringRef vectorRate = "vector_flops_per_second",
                           matrixRate = "matrix_flops_per_second",
                           memoryRate = "memory_bytes_per_second",
                           cacheSize = "cache_size_in_bytes";

/// Ops that take no time: scalars and views.
static bool isFree(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>() || isa<ViewLikeOpInterface>(op))
    return true;
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         (llvm::all_of(op->getResultTypes(), isScalar) ||
          // An empty tensor.
          llvm::all_of(op->getOperandTypes(), isScalar));
}

/// Whether the work of `op` is known or `op` contains other ops.
static bool hasWork(Operation *op) {
  return isa<OpWorkInterface, LoopLikeOpInterface, FunctionOpInterface>(op) ||
         op->hasTrait<OpTrait::SymbolTable>();
}

static std::string nameOf(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

namespace {

class Roofline : public TargetCostModel {
public:
  explicit Roofline(TargetDeviceSpecInterface device) : device(device) {}

  /// The entry `name`, with the suffix of `format` if there is one; nullopt if
  /// the device does not have it, or if it is not a positive number.
  std::optional<double> read(StringRef name, Type format = {}) const {
    if (format) {
      std::string text;
      llvm::raw_string_ostream(text) << name << "." << format;
      if (std::optional<double> rate = read(text))
        return rate;
    }
    DataLayoutEntryInterface entry =
        device.getSpecForIdentifier(StringAttr::get(device.getContext(), name));
    Attribute value = entry ? entry.getValue() : Attribute();
    double number = 0;
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
      number = integer.getValue().roundToDouble();
    else if (auto floating = dyn_cast_or_null<FloatAttr>(value))
      number = floating.getValueAsDouble();
    return number > 0 ? std::optional(number) : std::nullopt;
  }

  Estimate getCost(Operation *op) override {
    Estimate estimate;
    if (!hasWork(op) && !isFree(op)) {
      refuse(estimate, "no work is known of " + nameOf(op));
      return estimate;
    }
    estimate.status = EstimateStatus::Bound;
    estimate.reason = "roofline of the device";
    estimate.seconds = 0;
    add(op, 1, estimate);
    if (!estimate.hasTime())
      return estimate;
    estimate.low = estimate.seconds;
    return estimate;
  }

private:
  static void refuse(Estimate &estimate, std::string reason) {
    estimate = Estimate();
    estimate.reason = std::move(reason);
  }
  /// Adds `runs` executions of `op`.
  void add(Operation *op, double runs, Estimate &estimate) const;
  double timeOf(const Work &work) const;

  TargetDeviceSpecInterface device;
};

} // namespace

/// (J12)
double Roofline::timeOf(const Work &work) const {
  double matrix = 0, vector = 0;
  for (const Arithmetic &each : work.arithmetic) {
    auto flops = static_cast<double>(each.flops);
    std::optional<double> rate;
    if (each.unit == Unit::Matrix)
      rate = read(matrixRate, each.format);
    if (rate)
      matrix += flops / *rate;
    else
      vector += flops / *read(vectorRate, each.format);
  }
  auto bytes = static_cast<double>(work.bytesRead()) +
               static_cast<double>(work.bytesWritten());
  double memory =
      std::max(bytes - read(cacheSize).value_or(0), 0.) / *read(memoryRate);
  return std::max({matrix, vector, memory});
}

void Roofline::add(Operation *op, double runs, Estimate &estimate) const {
  if (!estimate.hasTime())
    return;
  std::string name = nameOf(op);
  if (auto interface = dyn_cast<OpWorkInterface>(op)) {
    FailureOr<Work> work = interface.getOpWork();
    if (failed(work))
      return refuse(estimate,
                    "the sizes or the body of " + name + " are not known");
    estimate.seconds += runs * timeOf(*work);
    return;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips)
      return refuse(estimate, "the trip count of " + name + " is not known");
    runs *= trips->roundToDouble();
  } else if (!hasWork(op)) {
    // The bound of a sum remains one without the ops that have no known work.
    if (!isFree(op))
      estimate.reason = "roofline of the device, without " + name;
    return;
  }
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      add(&inner, runs, estimate);
}

std::unique_ptr<TargetCostModel>
opwork::createRoofline(TargetDeviceSpecInterface device) {
  auto model = std::make_unique<Roofline>(device);
  if (!model->read(vectorRate) || !model->read(memoryRate))
    return nullptr;
  return model;
}
