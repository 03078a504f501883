//===- ReadProfile.h - Readers of profiles -------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_TRANSFER_READPROFILE_H
#define GPUCOST_LIB_APPLICATIONS_TRANSFER_READPROFILE_H

#include "gpucost/Applications/Transfer/Profile.h"

namespace gpucost::transfer {

/// Kernels of one device in a Chrome trace of Kineto. Iterations are the spans
/// named "ProfilerStep#N", else equal parts of the sequence. Times are medians
/// over the iterations with the most frequent sequence of kernels.
llvm::Expected<Profile> readKinetoTrace(llvm::StringRef text,
                                        const ProfileOptions &options);

/// A CSV table with a row per kernel or op; lines that begin with '#' are
/// comments. Columns: `name`, `op`, `family`, `shape` (at least one of them),
/// `time_us` of one launch, `count`; files of measure.py also have `status`:
/// only `ok` rows count.
llvm::Expected<Profile> readCsvProfile(llvm::StringRef text);

} // namespace gpucost::transfer

#endif // GPUCOST_LIB_APPLICATIONS_TRANSFER_READPROFILE_H
