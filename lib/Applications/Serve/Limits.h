//===- Limits.h - The largest batch and the longest context -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_LIMITS_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_LIMITS_H

#include "ServeSteps.h"

namespace gpucost::serve {

/// The largest batch with the requested lengths that fits in memory; 0 for
/// none. The search begins at `batch`.
mlir::FailureOr<ServeLimit> findLargestBatch(ServeSteps &steps, int64_t batch);

/// The longest sequence that fits with `batch`, within `positions`.
mlir::FailureOr<ServeLimit>
findLongestContext(ServeSteps &steps, int64_t batch,
                   std::optional<int64_t> positions);

/// The largest batch up to `most` that meets the time limits; 0 for none. The
/// search begins at `batch`.
mlir::FailureOr<ServeLimit> findLargestAllowed(ServeSteps &steps, int64_t batch,
                                               int64_t most);

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_LIMITS_H
