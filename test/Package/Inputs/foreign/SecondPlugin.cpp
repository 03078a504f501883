//===- SecondPlugin.cpp - A plugin beside GpuCostPlugin.so ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives `math.sqrt` the work interface, and reads the work attributes that
// passes of the other plugin wrote: both need the type ids of
// libGpuCostMLIR.so.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

namespace {

struct SqrtWork
    : gpucost::WorkOpInterface::ExternalModel<SqrtWork, math::SqrtOp> {
  FailureOr<gpucost::WorkAttr> getWork(Operation *op) const {
    // 1024 elements of 4 bytes, as the test has them.
    return cast<gpucost::WorkAttr>(
        parseAttribute("#gpucost.work<family = elementwise, format = fp32, "
                       "problem = #gpucost.elements<count = 1024>, "
                       "bytes_read = 4096, bytes_written = 4096>",
                       op->getContext()));
  }
  gpucost::CostClass getCostClass(Operation *) const {
    return gpucost::CostClass::Elementwise;
  }
};

struct RemarkOnWork : PassWrapper<RemarkOnWork, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RemarkOnWork)
  StringRef getArgument() const override { return "second-remark-on-work"; }
  void runOnOperation() override {
    getOperation().walk([](gpucost::KernelOp kernel) {
      if (gpucost::WorkAttr work = kernel.getWorkAttr())
        kernel.emitRemark() << kernel.getLabel() << " has " << work;
    });
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Second", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) {
            PassRegistration<RemarkOnWork>();
            registry->addExtension(
                +[](MLIRContext *context, math::MathDialect *) {
                  context->loadDialect<gpucost::GpuCostDialect>();
                  math::SqrtOp::attachInterface<SqrtWork>(*context);
                });
          }};
}
