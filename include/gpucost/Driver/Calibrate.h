//===- Calibrate.h - gpu-cost-opt calibrate ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DRIVER_CALIBRATE_H
#define GPUCOST_DRIVER_CALIBRATE_H

namespace gpucost {

/// `gpu-cost-opt calibrate ...`, with `argv[0]` the tool and `argv[1]` the word
/// `calibrate`. Returns the exit code. docs/Calibration.md.
int runCalibrate(int argc, char **argv);

} // namespace gpucost

#endif // GPUCOST_DRIVER_CALIBRATE_H
