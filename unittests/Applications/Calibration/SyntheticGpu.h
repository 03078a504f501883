//===- SyntheticGpu.h - Measurements with a known answer --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_APPLICATIONS_CALIBRATION_SYNTHETICGPU_H
#define UNITTESTS_APPLICATIONS_CALIBRATION_SYNTHETICGPU_H

#include "gpucost/Applications/Calibration/Calibration.h"

namespace gpucost::calibration::synthetic {

/// An A100 with the coefficients of the studies.
const CostModel &prior();

/// The same GPU with what `change` makes of its coefficients.
CostModel withChanged(llvm::function_ref<void(Coefficients &)> change);

/// 30 kernels as `truth` runs them at its maximum clock, each time with a
/// deterministic error of at most `noise`: 12 bf16 matmuls, 6 fp32 matmuls,
/// 12 memory-bound kernels.
std::vector<TimedKernel> kernels(const CostModel &truth, double noise);

/// Five loads with the event energies of `truth`: idle, a copy, gelu, an fp32
/// and a bf16 matmul.
std::vector<MeasuredLoad> loads(const CostModel &truth, double noise);

const FittedParameter &find(const CalibrationResult &result,
                            llvm::StringRef group, llvm::StringRef field);
const FamilyError &find(const CalibrationResult &result,
                        llvm::StringRef family);

} // namespace gpucost::calibration::synthetic

#endif // UNITTESTS_APPLICATIONS_CALIBRATION_SYNTHETICGPU_H
