//===- AlignKernels.h - Which kernel of one report is which -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPARE_ALIGNKERNELS_H
#define GPUCOST_COMPARE_ALIGNKERNELS_H

#include "gpucost/Compare/ComparedReport.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

/// Indices of two kernels that are the same one, or of one kernel that has no
/// counterpart (-1).
struct KernelPair {
  int64_t before = -1, after = -1;
};

/// Pairs every kernel of `before` with at most one of `after`. Rounds of fewer
/// and fewer equal fields, each over what the ones before left: phase and op,
/// always, label and origin, but in round 5; and
///
///   1. name, shape and number format
///   2. name and shape
///   3. shape and number format
///   4. name
///   5. name and shape: another version of the tool words labels otherwise
///   6. count, in the order of the lists
///
/// Where the names of at least half of the kernels of `before` are also in
/// `after`, with the same op, both are of one graph: there 4 comes before 3, as
/// a kernel of another node can have the shape that this one had.
/// Kernels that are equal in a round pair in the order of the lists. Pairs come
/// in the order of `before`, then what only `after` has.
std::vector<KernelPair> alignKernels(llvm::ArrayRef<ComparedKernel> before,
                                     llvm::ArrayRef<ComparedKernel> after);

} // namespace gpucost

#endif // GPUCOST_COMPARE_ALIGNKERNELS_H
