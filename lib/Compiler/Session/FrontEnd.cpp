//===- FrontEnd.cpp - Who wrote a module ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEnd.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace gpucost;

/// The dialect in which the module's work is written: "TOSA" or "linalg"; ""
/// for other modules.
static StringRef findWorkDialect(ModuleOp module) {
  StringRef found;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "onnx" || dialect == GpuCostDialect::getDialectNamespace()) {
      found = "";
      return WalkResult::interrupt();
    }
    bool isWork = isa_and_nonnull<linalg::LinalgDialect, tosa::TosaDialect>(
                      op->getDialect()) &&
                  llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    if (isWork && found != "TOSA")
      found = dialect == "tosa" ? "TOSA" : "linalg";
    return WalkResult::advance();
  });
  return found;
}

/// The producer, from the names that it leaves in a module; "" if unknown.
static StringRef findProducer(ModuleOp module) {
  for (NamedAttribute attribute : module->getAttrs()) {
    StringRef name = attribute.getName();
    if (name.starts_with("torch."))
      return "torch-mlir";
    if (name.starts_with("tf.") || name.starts_with("tfl.") ||
        name.starts_with("tf_saved_model."))
      return "TensorFlow";
    if (name.starts_with("jax.") || name.starts_with("mhlo."))
      return "JAX";
    if (name.starts_with("iree.") || name.starts_with("stream."))
      return "IREE";
  }
  if (module.getSymName() && module.getSymName()->starts_with("jit_"))
    return "JAX";
  StringRef found;
  module.walk([&](arith::ConstantOp op) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!resource || !resource.getRawHandle().getKey().starts_with("torch_"))
      return WalkResult::advance();
    found = "torch-mlir";
    return WalkResult::interrupt();
  });
  return found;
}

void gpucost::chooseRuntime(ModuleOp module) {
  StringRef dialect = findWorkDialect(module);
  if (dialect.empty())
    return;
  StringRef producer = findProducer(module);
  std::string text = dialect.str() + " ops";
  if (!producer.empty())
    text += " of " + producer.str();
  module->setAttr(frontEndAttrName, StringAttr::get(module.getContext(), text));
  Scenario scenario = getScenario(module);
  if (scenario.runtime)
    return;
  module.getContext()->loadDialect<GpuCostDialect>();
  scenario.runtime = Runtime::Compiled;
  setScenario(module, scenario);
}
