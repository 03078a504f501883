//===- Calibrate.h - gpu-cost-opt calibrate ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CALIBRATION_CALIBRATE_H
#define GPUCOST_CALIBRATION_CALIBRATE_H

#include "llvm/Support/Error.h"

namespace gpucost {

/// `gpu-cost-opt calibrate ...`, with `argv[0]` the tool and `argv[1]` the word
/// `calibrate`. docs/Calibration.md.
llvm::Error runCalibrate(int argc, char **argv);

} // namespace gpucost

#endif // GPUCOST_CALIBRATION_CALIBRATE_H
