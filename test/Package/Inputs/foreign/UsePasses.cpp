//===- UsePasses.cpp - The installed dialects and passes ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// use-passes FILE: forms kernels, annotates their work and prints it.
int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<gpucost::GpuCostDialect, gpucost::onnx::OnnxDialect,
                  func::FuncDialect>();
  gpucost::registerGpuCostPasses();
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(argv[argc - 1], &context);
  PassManager pm(&context);
  if (!module ||
      failed(parsePassPipeline("gpucost-form-kernels,gpucost-annotate-work",
                               pm)) ||
      failed(pm.run(*module)))
    return 1;
  module->walk([](gpucost::KernelOp kernel) {
    llvm::outs() << kernel.getLabel() << ": " << kernel->getAttr("work")
                 << '\n';
  });
}
