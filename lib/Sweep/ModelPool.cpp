//===- ModelPool.cpp - Imported models for threads ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelPool.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

llvm::Expected<std::unique_ptr<ImportedModel>>
ImportedModel::read(const std::string &path) {
  DialectRegistry registry;
  registerDialects(registry);
  std::unique_ptr<ImportedModel> model(new ImportedModel());
  model->context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  model->context->allowUnregisteredDialects();
  model->context->getDiagEngine().registerHandler(
      [target = model.get()](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        target->errors += (target->errors.empty() ? "" : "; ");
        target->errors += diagnostic.str();
        return success();
      });
  model->module = loadModel(*model->context, path, /*keepOrigins=*/false);
  if (!model->module)
    return llvm::createStringError(model->takeErrors());
  model->own = std::make_unique<Session>(*model->module);
  model->settings = getScenario(*model->module);
  return model;
}

std::string ImportedModel::takeErrors() {
  std::string text = errors.empty() ? "no reason is known" : errors;
  errors.clear();
  // A point is one line.
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

llvm::Expected<std::unique_ptr<ImportedModel>> ModelPool::take() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      std::unique_ptr<ImportedModel> model = std::move(idle.back());
      idle.pop_back();
      return model;
    }
  }
  return ImportedModel::read(path);
}

void ModelPool::giveBack(std::unique_ptr<ImportedModel> model) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(model));
}
