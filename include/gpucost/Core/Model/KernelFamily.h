//===- KernelFamily.h - Extension point for kernels -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a kernel is two functions: `tile` chooses a configuration,
// `terms` states the launch as time terms, events and energies, and reports its
// equations to `KernelQuery::steps`. Both are pure. Each row of
// Implementations.def has one; those of a family are in one file of
// lib/Core/Model/Families.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_KERNELFAMILY_H
#define GPUCOST_CORE_MODEL_KERNELFAMILY_H

#include "gpucost/Core/Model/CostModel.h"

namespace gpucost {

/// One launch as a function of the clock. With y = clock / maximum clock,
///   t(y) = || compute/y, l2/y, issue/y, rows/y, dram, powerRoof ||_norm
///          + exposedShare * min(max(compute, l2)/y, dram)
///          + max(exposedL2/y, exposedDram) + serialIssue/y + serialDram
///          + fixed                                                   (W1)
struct LaunchTerms {
  /// Scale with 1/y; stated at the GPU's maximum clock.
  Seconds compute, l2, issue, rows;
  /// Independent of the clock.
  Seconds dram, powerRoof;
  /// Operand feed that nothing hides: the pipeline fill of each CTA.
  Seconds exposedL2, exposedDram;
  /// Arithmetic and DRAM traffic before or after the main loop.
  Seconds serialIssue, serialDram;
  /// Launch and drain, split-K, ...
  Seconds fixed;
  /// Overlap of the parts: exponent of the norm, and the fraction of the
  /// smaller of SM and DRAM time that the larger one does not hide.
  static constexpr double commonNorm = 4;
  double norm = commonNorm, exposedShare = 0;
  /// What `compute` means: the tensor or the FP32 pipe.
  Bound computeBound = Bound::Unknown;
  /// What `fixed` means: the launch, or links between GPUs.
  Bound fixedBound = Bound::Latency;

  KernelEvents events;
  /// What `events.dramBytes` is before L2 (P2).
  double compulsoryBytes = 0;

  /// The kernel takes part in the time-power loop (G9)-(G11) with these
  /// energies at the reference clock, which include the toggle rate of the
  /// operands.
  bool coupled = false;
  Joules onChip, offChip;
  Seconds limiterDelay;
  /// False: no measurements confirm this kernel's prediction.
  bool inCalibratedDomain = true;
  /// The coefficient groups that these terms depend on: those of the row in
  /// Implementations.def, and others that the shape requires.
  GroupSet groups;
};

/// The error for a kernel whose coefficient group is missing in the set.
tl::unexpected<Error> missingGroup(const CostModel &model,
                                   std::string_view keyword);

/// The `tile` of kernels whose equations need no tiling.
Expected<Tiling> untiled(const CostModel &model, const KernelWork &work,
                         const KernelQuery &query);

/// Reports that a problem without elements costs only its fixed time.
void reportEmpty(const KernelQuery &query, const LaunchTerms &terms);

/// t(y), equation (W1).
Seconds timeAt(const LaunchTerms &terms, double clockRatio);
/// t(y) with its parts and the resource that limits it.
KernelTime explainTimeAt(const LaunchTerms &terms, double clockRatio);

/// The equations of one kernel. Plain function pointers: no state, no
/// registration code.
struct KernelModel {
  Expected<Tiling> (*tile)(const CostModel &model, const KernelWork &work,
                           const KernelQuery &query);
  Expected<LaunchTerms> (*terms)(const CostModel &model, const KernelWork &work,
                                 const Tiling &tiling,
                                 const KernelQuery &query);
  /// The configurations that `tile` chooses from; null: there is only one.
  std::vector<Tiling> (*candidates)(const CostModel &model,
                                    const KernelWork &work,
                                    const Tiling &chosen) = nullptr;
};

/// (N1) The fit of `kind` that applies to `gpus` GPUs of one node; null: none.
const CollectiveFit *findCollectiveFit(const CollectiveCoefficients &set,
                                       CollectiveKind kind, int64_t gpus);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_KERNELFAMILY_H
