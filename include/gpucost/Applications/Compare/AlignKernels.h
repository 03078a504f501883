//===- AlignKernels.h - Matches kernels of two reports ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_ALIGNKERNELS_H
#define GPUCOST_APPLICATIONS_COMPARE_ALIGNKERNELS_H

#include "gpucost/Applications/Compare/ComparedReport.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpucost::compare {

/// Indices of two matching kernels, or of one kernel without a counterpart
/// (-1).
struct KernelPair {
  int64_t before = -1, after = -1;
};

/// Pairs every kernel of `before` with at most one of `after`. Each round
/// requires fewer equal fields and considers only kernels that are still
/// unmatched. All rounds require phase and op; all except round 5 require label
/// and origin; in addition
///
/// 1. name, shape and number format 2. name and shape 3. shape and number
/// format 4. name 5. name and shape: other versions of the tool use other
/// labels 6. count, in the order of the lists
///
/// If the names of at least half of the kernels of `before` are also in
/// `after`, with the same op, both belong to one graph. Round 4 then comes
/// before round 3, because a kernel of another node can have the old shape of
/// this one. Equal candidates in a round are paired in the order of the lists.
/// Pairs are returned in the order of `before`, followed by kernels that only
/// `after` has.
std::vector<KernelPair> alignKernels(llvm::ArrayRef<ComparedKernel> before,
                                     llvm::ArrayRef<ComparedKernel> after);

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_ALIGNKERNELS_H
