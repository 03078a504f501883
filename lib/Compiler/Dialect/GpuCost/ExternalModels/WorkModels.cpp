//===- WorkModels.cpp - All work models -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/WorkModels.h"
#include "LinalgWork.h"

void gpucost::registerAllWorkModels(mlir::DialectRegistry &registry) {
  registerLinalgWorkExternalModels(registry);
  registerTensorWorkExternalModels(registry);
  registerLoopWorkExternalModels(registry);
}
