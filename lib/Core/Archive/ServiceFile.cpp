//===- ServiceFile.cpp - Binary models for step oracles -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Bytes/ByteStream.h"
#include <algorithm>

using namespace gpucost;

/// Increment it with each change of the format in this file or of the shapes
/// that families use.
static constexpr uint32_t formatNumber = 2;
/// More shapes than twelve families use.
static constexpr size_t mostShapes = 256;

static Envelope envelope() {
  // The models inside have a separate version.
  return {serviceFileMagic, "service", formatNumber};
}

namespace {
using ShapedModel = Expected<std::shared_ptr<const PreparedModel>>;

struct Shaped {
  StepShape shape;
  std::shared_ptr<const PreparedModel> model;
};
} // namespace

static const Shaped *find(const std::vector<Shaped> &models,
                          const StepShape &shape) {
  for (const Shaped &each : models)
    if (each.shape == shape)
      return &each;
  return nullptr;
}

Expected<std::string>
gpucost::encodeService(const std::string &name, const ScenarioTarget &target,
                       const StepLimits &limits,
                       const ShapeFamily::Prepare &prepare) {
  std::vector<Shaped> known;
  auto remember = [&](const StepShape &shape) -> ShapedModel {
    if (const Shaped *own = find(known, shape))
      return own->model;
    auto prepared = prepare(shape);
    if (prepared)
      known.push_back({shape, *prepared});
    return prepared;
  };
  auto shapes = StepShapes::create(limits, remember);
  if (!shapes)
    return fail(shapes.error());
  // Without the models of prompts that were too long.
  std::vector<Shaped> used;
  auto use = [&](const StepShape &shape) {
    auto prepared = remember(shape);
    if (prepared && !find(used, shape))
      used.push_back({shape, *prepared});
    return prepared;
  };
  const StepLimits &own = shapes->limits();
  (void)StepShapes::create(own, use);
  ByteWriter sink;
  sink.integer("batch", own.batch);
  sink.integer("query", own.query);
  sink.integer("past", own.past);
  sink.count("models", used.size());
  for (const Shaped &each : used) {
    sink.integer("batch", each.shape.batch);
    sink.integer("query", each.shape.query);
    sink.integer("past", each.shape.past);
    sink.text("model", encodePrepared({name, target, *each.model}));
  }
  return sealService(sink.bytes());
}

std::string gpucost::sealService(std::string_view payload) {
  return seal(envelope(), payload);
}

Expected<ServiceFile> gpucost::decodeService(std::string_view bytes) {
  auto payload = unseal(envelope(), bytes);
  if (!payload)
    return fail(payload.error());
  ByteReader source(*payload);
  StepLimits limits;
  limits.batch = source.integer("batch");
  limits.query = source.integer("query");
  limits.past = source.integer("past");
  auto outside = [](int64_t value) {
    return value < 1 || value > (int64_t(1) << 21);
  };
  // Sizes of a step grow with the batch, the new tokens, and the larger of new
  // and past tokens.
  auto overflows = [](const StepLimits &limits) {
    __int128 tokens = std::max(limits.query, limits.past);
    return tokens * limits.query * limits.batch > (int64_t(1) << 61);
  };
  size_t count = source.count("models");
  if (!source.good() || outside(limits.batch) || outside(limits.query) ||
      outside(limits.past) || overflows(limits) || count > mostShapes)
    return fail("a service whose limits are wrong");
  ServiceFile file;
  std::vector<Shaped> models;
  while (count-- > 0 && source.good()) {
    Shaped next;
    next.shape.batch = source.integer("batch");
    next.shape.query = source.integer("query");
    next.shape.past = source.integer("past");
    std::string_view text = source.text("model");
    if (!source.good())
      break;
    auto prepared = decodePrepared(text);
    if (!prepared)
      return fail(prepared.error());
    file.name = prepared->name;
    file.target = prepared->target;
    next.model =
        std::make_shared<const PreparedModel>(std::move(prepared->model));
    models.push_back(std::move(next));
  }
  if (!source.complete())
    return fail("a service whose '" +
                std::string(source.good() ? "end" : source.faultyKeyword()) +
                "' is wrong");
  auto shapes =
      StepShapes::create(limits, [&](const StepShape &shape) -> ShapedModel {
        if (const Shaped *own = find(models, shape))
          return own->model;
        return fail("a service without the model of a shape");
      });
  if (!shapes)
    return fail(shapes.error());
  file.shapes = std::make_shared<const StepShapes>(std::move(*shapes));
  return file;
}
