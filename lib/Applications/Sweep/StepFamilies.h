//===- StepFamilies.h - Serving steps of a sweep ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SWEEP_STEPFAMILIES_H
#define GPUCOST_LIB_APPLICATIONS_SWEEP_STEPFAMILIES_H

#include "OnceCache.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost::sweep {

/// Families of points that differ only in batch and past tokens, if there are
/// enough such points. Thread-safe.
class StepFamilies {
public:
  using Model = std::shared_ptr<const PreparedModel>;

  explicit StepFamilies(const Space &space);

  /// Identifies the family of `settings`; empty if there is none. `keyOf`
  /// identifies the kernels of settings.
  std::string
  nameOf(const Settings &settings,
         llvm::function_ref<std::string(const Settings &)> keyOf) const;

  /// The model of `settings` from the family `name`, which is learned with its
  /// first point; null if the family has none. `prepare` prepares a shape with
  /// the other settings of the point.
  Model find(const std::string &name, const Settings &settings,
             const ShapeFamily::Prepare &prepare);

  /// `scenario` with the batch and the past of `shape`.
  static Scenario stating(Scenario scenario, const StepShape &shape);

private:
  struct Family {
    std::optional<ShapeFamily> family;
  };
  /// Lowest and highest value in the space.
  struct Values {
    int64_t low = 0, high = 0;
  };
  static Values valuesOf(const Space &space, llvm::StringRef flag,
                         std::optional<int64_t> Scenario::*field);

  Values batches, pasts;
  bool worthwhile = false;
  OnceCache<std::string, Family> families{16};
};

} // namespace gpucost::sweep

#endif // GPUCOST_LIB_APPLICATIONS_SWEEP_STEPFAMILIES_H
