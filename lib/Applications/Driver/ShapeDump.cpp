//===- ShapeDump.cpp - Inferred shapes as JSON ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeDump.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace gpucost;

FailureOr<std::string> gpucost::dumpShapes(ModuleOp module,
                                           const Scenario &scenario,
                                           bool verifyEach) {
  if (failed(applyForm(module, scenario)))
    return failure();
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  setScenario(module, scenario);
  buildShapePipeline(pm, /*recordShapes=*/true);
  if (failed(pm.run(module)))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.objectBegin();
  if (auto shapes = module->getAttrOfType<DictionaryAttr>(shapesAttrName))
    for (NamedAttribute entry : shapes) {
      Type type = cast<TypeAttr>(entry.getValue()).getValue();
      auto shaped = dyn_cast<ShapedType>(type);
      json.attributeBegin(entry.getName().strref());
      json.objectBegin();
      std::string element;
      llvm::raw_string_ostream(element)
          << (shaped ? shaped.getElementType() : type);
      json.attribute("type", element);
      if (shaped && shaped.hasRank()) {
        json.attributeArray("shape", [&] {
          for (int64_t size : shaped.getShape())
            if (ShapedType::isDynamic(size))
              json.value(nullptr);
            else
              json.value(size);
        });
      } else {
        json.attribute("shape", nullptr);
      }
      json.objectEnd();
      json.attributeEnd();
    }
  json.objectEnd();
  os << '\n';
  return text;
}
