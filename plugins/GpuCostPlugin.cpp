//===- GpuCostPlugin.cpp - Plugin for a stock mlir-opt --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One shared object with both entry points:
//
//   mlir-opt-22 --load-dialect-plugin=GpuCostPlugin.so
//     --pass-pipeline='builtin.module(gpucost-form-kernels,...)' file.mlir
//
// mlir-opt calls the dialect entry point while it reads its options and parses
// the pipeline afterwards. The passes are registered there, so one option is
// enough and their order does not matter. Plugins cannot add flags for single
// passes (--gpucost-form-kernels). The pass entry point by itself cannot attach
// work models to linalg ops, because it has no access to the dialect registry.

#include "gpucost/Compiler/CostAnalysis/Passes.h"
#include "gpucost/Compiler/CostAnalysis/TargetCost.h"
#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/DeviceSpecModels.h"
#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/WorkModels.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

/// MLIR's pass registry is global and accepts a pipeline only once.
static void registerPassesOnce() {
  static const bool registered = [] {
    gpucost::registerGpuCostPasses();
    gpucost::registerGpuCostAnnotationPasses();
    gpucost::registerPipelinesInPlace();
    return true;
  }();
  (void)registered;
}

static void registerDialects(DialectRegistry *registry) {
  registry->insert<gpucost::GpuCostDialect, gpucost::onnx::OnnxDialect>();
  gpucost::registerAllWorkModels(*registry);
  gpucost::registerDeviceSpecModels(*registry);
  gpucost::registerTargetCostModels(*registry);
  gpucost::registerTransformOps(*registry);
  registerPassesOnce();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "GpuCost", LLVM_VERSION_STRING,
          registerDialects};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "GpuCost", LLVM_VERSION_STRING,
          registerPassesOnce};
}
