//===- SampleRun.h - A prediction made by hand ---------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_APPLICATIONS_TRANSFER_SAMPLERUN_H
#define UNITTESTS_APPLICATIONS_TRANSFER_SAMPLERUN_H

#include "gpucost/Applications/Transfer/Transfer.h"

namespace gpucost::transfer::sample {

/// Four kernels on a made-up GPU, launched in this order:
///
///   product  3 x 100 us, tile 128x64, tensor-bound, within 10 %
///   gelu     2 x  10 us, dram-bound, within 10 %
///   softmax  1 x  20 us, dram-bound, within 10 %
///   add      1 x   5 us, dram-bound, within 10 %
///
///   product gelu product softmax product gelu add
///
/// 345 us of kernels, 35 us between them, no wait for the host: 380 us.
PredictedRun run();

/// A measured launch.
MeasuredKernel launch(const char *name, double us);

} // namespace gpucost::transfer::sample

#endif // UNITTESTS_APPLICATIONS_TRANSFER_SAMPLERUN_H
