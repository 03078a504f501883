//===- CalibrateKernel.h - Kernels of a measurement -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel as measure.py names it, as work of the cost model.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEKERNEL_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEKERNEL_H

#include "gpucost/Applications/Query/KernelQueriesRow.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost::calibration {

struct MeasuredKernelName {
  llvm::StringRef family, op, dtype, shape, layout, variant;
};

/// A kernel as a query, or the reason why there is none.
struct MeasuredKernel {
  std::optional<QueriedKernel> kernel;
  /// Other kernels of the same call.
  std::vector<KernelWork> others;
  std::string family; ///< of the error table
  std::string skipped;
};

/// Error when the shape is not understood.
llvm::Expected<MeasuredKernel>
readMeasuredKernel(const MeasuredKernelName &name, const Gpu &gpu);

/// "family op name=value ...", with `layout=` and `variant=` among the values.
llvm::Expected<MeasuredKernel> readMeasuredKernel(llvm::StringRef words,
                                                  llvm::StringRef dtype,
                                                  const Gpu &gpu);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEKERNEL_H
