//===- CalibrateCommand.h - gpu-cost-opt calibrate --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_CALIBRATECOMMAND_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_CALIBRATECOMMAND_H

#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

/// Runs `gpu-cost-opt calibrate` with the arguments that follow its name.
int runCalibrateCommand(llvm::ArrayRef<char *> arguments);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_CALIBRATECOMMAND_H
