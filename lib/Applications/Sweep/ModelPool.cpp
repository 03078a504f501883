//===- ModelPool.cpp - Imported models for threads ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/ModelPool.h"
#include "gpucost/Compiler/Session/DiagnosticPlace.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sweep;

llvm::Expected<std::unique_ptr<ImportedModel>>
ImportedModel::read(const std::string &path,
                    const std::optional<std::string> &contents) {
  std::unique_ptr<ImportedModel> model(new ImportedModel());
  model->loaded.context().getDiagEngine().registerHandler(
      [target = model.get()](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        target->errors += (target->errors.empty() ? "" : "; ");
        DiagnosticPlace place = findPlace(diagnostic.getLocation());
        // Points name their model.
        if (!target->loaded.module())
          target->errors += place.file;
        target->errors += place.node + diagnostic.str();
        return success();
      });
  if (contents ? !model->loaded.parse(*contents, path)
               : !model->loaded.load(path))
    return llvm::createStringError(model->takeErrors());
  if (llvm::Error error = model->loaded.checkHasFunction())
    return std::move(error);
  model->settings = model->loaded.stated();
  return model;
}

std::string ImportedModel::takeErrors() {
  std::string text = errors.empty() ? "no reason is known" : errors;
  errors.clear();
  // Keep a point on one line.
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
  return ImportedModel::read(path, contents);
}

void ModelPool::giveBack(std::unique_ptr<ImportedModel> model) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(model));
}

Expected<std::shared_ptr<const PreparedModel>>
ModelPool::prepare(const Scenario &scenario) {
  llvm::Expected<std::unique_ptr<ImportedModel>> model = take();
  if (!model)
    return fail(llvm::toString(model.takeError()));
  FailureOr<Session::Prepared> kernels = (*model)->session().prepare(scenario);
  std::string errors = (*model)->takeErrors();
  giveBack(std::move(*model));
  if (failed(kernels))
    return fail(errors);
  return kernels->model;
}
