//===- TargetCost.h - Cost models of DLTI devices ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a target description to a cost, for any target. `findCostModel` finds
// the model of the nearest device. Two implementations: the GPU model of this
// project (`gpucost::registerTargetCostModels`) and a roofline of DLTI entries.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_OPWORK_TARGETCOST_H
#define GPUCOST_COMPILER_OPWORK_TARGETCOST_H

#include "gpucost/Compiler/OpWork/OpWork.h"
#include "mlir/IR/Attributes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <limits>
#include <memory>
#include <string>

namespace opwork {

enum class EstimateStatus {
  Exact,      ///< all work is modelled
  Bound,      ///< `seconds` is a lower bound
  Infeasible, ///< cannot run on the device
  Unknown
};

/// The time of an op.
struct Estimate {
  EstimateStatus status = EstimateStatus::Unknown;
  /// Why `status` is not Exact.
  std::string reason;
  double seconds = std::numeric_limits<double>::quiet_NaN();
  /// 80 % interval; `high` is infinite if it is unknown.
  double low = 0, high = std::numeric_limits<double>::infinity();

  bool hasTime() const {
    return status == EstimateStatus::Exact || status == EstimateStatus::Bound;
  }
};

/// Never changes the IR.
class TargetCostModel {
public:
  virtual ~TargetCostModel();
  /// The time of `op` when its function runs once; of a function, of its body.
  virtual Estimate getCost(mlir::Operation *op) = 0;
};

/// The model of the first device with one in the `dlti.target_system_spec` of
/// `op` or the nearest op around it; null if there is none.
std::unique_ptr<TargetCostModel> findCostModel(mlir::Operation *op);

/// (J12) A lower bound from the peak rates in a device description: the longest
/// of the times of each unit and of memory. Entries, all positive numbers:
///
/// | entry | meaning |
/// |---|---|
/// | `vector_flops_per_second` | required |
/// | `matrix_flops_per_second` | without it, products run on the vector unit |
/// | either, with `.bf16` or another type | for this format |
/// | `memory_bytes_per_second` | required |
/// | `cache_size_in_bytes` | operands up to this size may be in the cache |
///
/// Null if a required entry is missing.
std::unique_ptr<TargetCostModel>
createRoofline(mlir::TargetDeviceSpecInterface device);

} // namespace opwork

#include "gpucost/Compiler/OpWork/TargetCostInterface.h.inc"

#endif // GPUCOST_COMPILER_OPWORK_TARGETCOST_H
