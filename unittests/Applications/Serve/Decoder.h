//===- Decoder.h - Two layers of Llama 3 8B, for tests ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_APPLICATIONS_SERVE_DECODER_H
#define UNITTESTS_APPLICATIONS_SERVE_DECODER_H

#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace gpucost::serve {

/// A loaded model, and its kernels at any shape.
struct Decoder {
  explicit Decoder(Scenario stated = {}, const char *path = GPUCOST_DECODER)
      : scenario(serveScenario(stated)) {
    if (!scenario.target)
      scenario.target = "h100-bf16";
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
    context->allowUnregisteredDialects();
    module = loadModel(*context, path);
    session = std::make_unique<Session>(*module);
  }

  Scenario at(const StepShape &shape) const {
    Scenario asked = scenario;
    asked.batch = shape.batch;
    asked.seq = shape.query;
    asked.past = shape.past;
    return asked;
  }
  std::shared_ptr<const PreparedModel> prepare(const StepShape &shape) {
    auto prepared = session->prepare(at(shape));
    if (mlir::failed(prepared))
      return nullptr;
    costModel.emplace(prepared->costModel);
    return prepared->model;
  }
  ShapeFamily::Prepare maker() {
    return [this](const StepShape &shape)
               -> Expected<std::shared_ptr<const PreparedModel>> {
      if (auto model = prepare(shape))
        return model;
      return fail("a shape cannot be prepared");
    };
  }

  Scenario scenario;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<Session> session;
  std::optional<CostModel> costModel;
};

} // namespace gpucost::serve

#endif // UNITTESTS_APPLICATIONS_SERVE_DECODER_H
