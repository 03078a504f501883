//===- StepModels.cpp - Steps of one model at any shape -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepModels.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// Cached models of single shapes.
static constexpr size_t mostAlone = 64;

StepModels::StepModels(Session &session, const Scenario &scenario)
    : session(session), scenario(scenario),
      hasCache(takesPast(session.model())) {}

StepModels::Model StepModels::prepareAlone(const StepShape &shape,
                                           bool quietly) {
  auto key = std::tuple(shape.batch, shape.query, shape.past);
  if (auto it = alone.find(key); it != alone.end())
    return it->second;
  // Warnings are emitted once, for the first shape; errors of a family's probes
  // are ignored.
  std::optional<ScopedDiagnosticHandler> handler;
  if (quietly || theCostModel)
    handler.emplace(session.model().getContext(), [=](Diagnostic &diagnostic) {
      return success(quietly ||
                     diagnostic.getSeverity() != DiagnosticSeverity::Error);
    });
  Scenario asked = scenario;
  asked.batch = shape.batch;
  asked.seq = shape.query;
  // If the file contains only the prompt, its decode step is derived.
  if (hasCache || shape.past > 0)
    asked.past = shape.past;
  if (!hasCache && shape.past > 0)
    asked.decode = true;
  FailureOr<Session::Prepared> prepared = session.prepare(asked);
  if (failed(prepared))
    return nullptr;
  if (!theCostModel) {
    theCostModel.emplace(prepared->costModel);
    memo = std::make_unique<KernelMemo>(*theCostModel);
  }
  if (alone.size() >= mostAlone)
    alone.clear();
  return alone[key] = prepared->model;
}

bool StepModels::learn(const ShapeRange &range) {
  auto family = ShapeFamily::create(
      range, [&](const StepShape &shape) -> Expected<Model> {
        if (Model model = prepareAlone(shape, /*quietly=*/true))
          return model;
        return fail("a shape cannot be prepared");
      });
  if (family)
    families.push_back(std::move(*family));
  return family.has_value();
}

StepModels::Model StepModels::prepare(const StepShape &shape) {
  for (const ShapeFamily &family : families)
    if (family.range().contains(shape))
      return family.at(shape);
  return prepareAlone(shape, /*quietly=*/false);
}

FailureOr<PlacedModel> StepModels::place(const StepShape &shape) {
  Model model = prepare(shape);
  if (!model)
    return failure();
  std::vector<PlacedKernel> kernels = memo->placeAll(*model);
  auto placed = PlacedModel::create(model, *theCostModel, &kernels);
  if (placed)
    return std::move(*placed);
  return session.model().emitError(placed.error().message);
}

FailureOr<MemoryPlan> StepModels::memory(const StepShape &shape) {
  Model model = prepare(shape);
  if (!model)
    return failure();
  return planMemory(*model, theCostModel->gpu(), theCostModel->coefficients());
}
