//===- ServiceFuzzer.cpp - Any bytes as a service and its steps -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a question, then the data after the checksum of a prepared
// model. The fuzzer writes a service file with this model at every shape that
// services learn from. The sizes change with the shape as the question
// describes, in all models or in only one; then its steps follow.
//
//===----------------------------------------------------------------------===//

#include "ShapeSizes.h"
#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Bytes/ByteStream.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace gpucost;

namespace {

/// Adds to a size: constant + batch, query, past times their factors.
struct Edit {
  uint16_t size;
  uint8_t alone; ///< 0: in all models; else in the one of this number
  uint8_t times; ///< a power of two
  int32_t constant, batch, query, past;
};

struct Step {
  int64_t query, past;
};

constexpr size_t mostSteps = 6;

/// Bytes of seeds: fuzz/seeds/structs.py.
struct Question {
  int64_t batch, query, past; ///< limits
  Edit edits[4];
  Step steps[mostSteps];
  uint8_t any; ///< bit i: step i is unchanged, else within the limits
};

using Model = std::shared_ptr<const PreparedModel>;

} // namespace

static void check(gpucostStatus status) {
  if (status == GPUCOST_INTERNAL || status == GPUCOST_OUT_OF_MEMORY)
    std::abort();
}

static PreparedModel edited(const PreparedModel &base, const Question &question,
                            const StepShape &shape, size_t number) {
  PreparedModel model = base;
  std::vector<int64_t *> sizes = sizesOf(model);
  for (const Edit &edit : question.edits) {
    if (sizes.empty() || (edit.alone && edit.alone != number))
      continue;
    auto product = [](int64_t a, int64_t b) {
      return static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
    };
    uint64_t sum = static_cast<uint64_t>(int64_t(edit.constant)) +
                   product(edit.batch, shape.batch) +
                   product(edit.query, shape.query) +
                   product(edit.past, shape.past);
    int64_t &size = *sizes[edit.size % sizes.size()];
    size = static_cast<int64_t>(static_cast<uint64_t>(size) +
                                (sum << (edit.times % 40)));
  }
  return model;
}

/// The shapes that a decoder with these limits requests.
static std::vector<StepShape> shapesOf(const Question &question,
                                       const PreparedFile &file) {
  std::vector<StepShape> shapes;
  auto within = [](int64_t value) {
    return std::clamp<int64_t>(value, 1, 1 << 22);
  };
  StepLimits limits{within(question.batch), within(question.query),
                    within(question.past)};
  (void)StepShapes::create(limits,
                           [&](const StepShape &shape) -> Expected<Model> {
                             shapes.push_back(shape);
                             return std::make_shared<const PreparedModel>(
                                 edited(file.model, question, shape, 0));
                           });
  return shapes;
}

static std::string serviceOf(const Question &question,
                             const PreparedFile &file) {
  std::vector<StepShape> shapes = shapesOf(question, file);
  ByteWriter sink;
  sink.integer("batch", question.batch);
  sink.integer("query", question.query);
  sink.integer("past", question.past);
  sink.count("models", shapes.size());
  // Its texts are numbered by themselves, as encodeService has them.
  ByteWriter models;
  for (size_t i = 0; i < shapes.size(); ++i) {
    models.integer("batch", shapes[i].batch);
    models.integer("query", shapes[i].query);
    models.integer("past", shapes[i].past);
    models.text("model", encodePrepared(
                             {file.name, file.target,
                              edited(file.model, question, shapes[i], i + 1)}));
  }
  return sealService(sink.bytes() + models.bytes());
}

static void ask(gpucostService *service, const Question &question) {
  gpucostServiceLimits limits;
  GPUCOST_INIT(limits);
  if (gpucostServiceGetLimits(service, &limits) != GPUCOST_OK)
    std::abort();
  int64_t query[mostSteps], past[mostSteps];
  for (size_t i = 0; i < mostSteps; ++i) {
    const Step &step = question.steps[i];
    bool any = question.any >> i & 1;
    auto magnitude = [](int64_t value) {
      return value & std::numeric_limits<int64_t>::max();
    };
    query[i] = any ? step.query : 1 + magnitude(step.query) % limits.new_tokens;
    past[i] =
        any ? step.past : magnitude(step.past) % (limits.cache_tokens + 1);
  }
  for (size_t count = 0; count <= mostSteps; ++count) {
    gpucostStepCost cost;
    GPUCOST_INIT(cost);
    gpucostStatus status =
        gpucostServiceStep(service, query, past, count, &cost);
    check(status);
    if (status == GPUCOST_OK && !(cost.time > 0))
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static gpucostModel *model = [] {
    gpucostModel *made = nullptr;
    check(gpucostModelCreate("a100-bf16", nullptr, &made));
    return made;
  }();
  Question question;
  std::memset(&question, 0, sizeof(question));
  size_t head = std::min(size, sizeof(question));
  std::memcpy(&question, data, head);
  auto file = decodePreparedPayload(
      {reinterpret_cast<const char *>(data) + head, size - head});
  if (!file)
    return -1;
  std::string bytes = serviceOf(question, *file);
  gpucostService *service = nullptr;
  gpucostStatus status =
      gpucostServiceCreate(bytes.data(), bytes.size(), model, &service);
  check(status);
  if (status != GPUCOST_OK)
    return 0;
  ask(service, question);
  gpucostServiceFree(service);
  return 0;
}
