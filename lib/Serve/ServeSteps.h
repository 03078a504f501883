//===- ServeSteps.h - Steps of a service ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_SERVE_SERVESTEPS_H
#define GPUCOST_LIB_SERVE_SERVESTEPS_H

#include "StepModels.h"
#include "gpucost/Serve/Serve.h"

namespace gpucost {

/// Steps of one model for one question; every failure has a diagnostic.
class ServeSteps {
public:
  ServeSteps(Session &session, const Scenario &scenario,
             const ServeQuestion &question)
      : session(session), models(session, scenario), question(question) {}

  /// Bytes that a token adds to the cache of one sequence on one GPU; an error
  /// for models whose inputs do not grow with the context.
  mlir::FailureOr<int64_t> findCacheBytes(int64_t batch);
  /// Families of the steps that `batch` and the limits ask for.
  void learn(int64_t batch);

  /// One prefill of `prompts` together, in chunks where they are asked for.
  mlir::FailureOr<ServePhase> prefill(int64_t prompts);
  /// Time and energy alone.
  mlir::FailureOr<ServeStep> prefillTotals(int64_t prompts);
  /// One decode step.
  mlir::FailureOr<ServeStep> step(int64_t batch, int64_t context);
  /// The mean step of an answer by at most `contexts` of them.
  mlir::FailureOr<ServeStep> meanStep(int64_t batch, int64_t contexts);
  /// The same with what one of them says of bounds and floors.
  mlir::FailureOr<ServePhase> decode(int64_t batch);

  /// Memory of one GPU; `extra` bytes of caches belong to sequences that wait.
  struct Need {
    int64_t bytes = 0;
    bool fits = true;
  };
  mlir::FailureOr<Need> prefillNeed(int64_t batch);
  mlir::FailureOr<Need> decodeNeed(int64_t batch, int64_t context);

  int64_t promptsOf(int64_t batch) const {
    return question.prefillBatch ? std::min(question.prefillBatch, batch)
                                 : batch;
  }
  StepModels &steps() { return models; }
  Session &owner() { return session; }
  const ServeQuestion &asked() const { return question; }
  int64_t cacheBytes() const { return cachePerToken; }
  /// Keys and values of the encoder for one sequence, once `findCacheBytes` has
  /// been asked.
  int64_t encoderBytes() const { return encoderPerSequence; }

private:
  std::vector<StepShape> chunksOf(int64_t prompts) const;
  /// Families of prompts before and behind as many tokens as there are words:
  /// a table of them is read whole then. Each when it is first asked for.
  void learnPrompts(const StepShape &prompts);
  /// Without a past no input is a cache.
  ServeFloor floorOf(const PlacedModel &placed, const IterationSummary &summary,
                     bool hasPast) const;

  Session &session;
  StepModels models;
  const ServeQuestion &question;
  mlir::LogicalResult findEncoderBytes(int64_t batch);

  int64_t cachePerToken = 0, encoderPerSequence = 0;
  bool hasFewPrompts = false, hasManyPrompts = false;
  std::vector<bool> isCache; ///< of the tensors that outlive a step
};

} // namespace gpucost

#endif // GPUCOST_LIB_SERVE_SERVESTEPS_H
