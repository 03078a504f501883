//===- PostTrainFlags.h - Flags of post-train -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_POSTTRAINFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_POSTTRAINFLAGS_H

#include "CommandFlags.h"
#include "gpucost/Applications/PostTrain/PostTrain.h"

namespace gpucost {

/// The question of a command line with one model.
llvm::Expected<posttrain::PostTrainQuestion>
readPostTraining(const SubcommandFlags &flags);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_POSTTRAINFLAGS_H
