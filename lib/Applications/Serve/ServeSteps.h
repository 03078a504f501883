//===- ServeSteps.h - Steps of a service ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_SERVESTEPS_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_SERVESTEPS_H

#include "StepModels.h"
#include "gpucost/Applications/Serve/Serve.h"

namespace gpucost::serve {

/// Steps of one model for one question; every failure has a diagnostic.
class ServeSteps {
public:
  ServeSteps(Session &session, const Scenario &scenario,
             const ServeQuestion &question)
      : session(session), models(session, scenario), question(question) {}

  /// (V11) Adds the steps and the memory of a draft model to all results;
  /// `sharesWords`: it has the embedding and the LM head of this model.
  void addDraft(ServeSteps &steps, bool sharesWords);

  /// Finds the caches and their sizes; an error if no input of the model grows
  /// with the context.
  mlir::LogicalResult findCaches(int64_t batch);
  /// Learns the families of the steps that `batch` and the limits need.
  void learn(int64_t batch);

  /// One prefill of `prompts` together, in chunks if requested.
  mlir::FailureOr<ServePhase> prefill(int64_t prompts);
  /// Only time and energy. `launch`: the host launches each kernel in this time
  /// unless --host-launch-us states another one; otherwise as in `prefill`.
  mlir::FailureOr<ServeStep>
  prefillTotals(int64_t prompts, std::optional<Seconds> launch = std::nullopt);
  /// Likewise of the first `tokens` computed tokens of a prompt.
  mlir::FailureOr<ServeStep> promptPart(int64_t tokens,
                                        std::optional<Seconds> launch);
  /// One decode step.
  mlir::FailureOr<ServeStep> step(int64_t batch, int64_t context);
  /// The mean decode step, from at most `contexts` of them.
  mlir::FailureOr<ServeStep> meanStep(int64_t batch, int64_t contexts);
  /// The same with the bounds and floors of one step.
  mlir::FailureOr<ServePhase> decode(int64_t batch);

  /// Memory of one GPU. In a prefill, `device` and its bounds include the
  /// caches of the sequences that wait.
  mlir::FailureOr<MemoryPlan> prefillNeed(int64_t batch);
  mlir::FailureOr<MemoryPlan> decodeNeed(int64_t batch, int64_t context);

  int64_t promptsOf(int64_t batch) const {
    return question.prefillBatch ? std::min(question.prefillBatch, batch)
                                 : batch;
  }
  StepModels &steps() { return models; }
  Session &owner() { return session; }
  const ServeQuestion &asked() const { return question; }
  /// Bytes of one sequence on one GPU, valid after `findCaches`: what the next
  /// token after the prompt adds, and the whole cache at the end of the answer.
  int64_t cacheBytesPerToken() const { return cachePerToken; }
  int64_t cacheBytesPerSequence() const { return cachePerSequence; }
  /// Keys and values of the encoder for one sequence; valid after
  /// `findCaches`.
  int64_t encoderBytes() const { return encoderPerSequence; }
  /// (V10) Cache of the prefix; valid after `findCaches`.
  int64_t prefixBytes() const { return sharedPrefix; }
  /// Weights of the draft model that are not shared; valid after `findCaches`.
  int64_t draftBytes() const { return draft ? draft->weights : 0; }
  /// A decode step of the model, without its drafts.
  mlir::FailureOr<ServeStep> verifyStep(int64_t batch, int64_t context);

private:
  std::vector<StepShape> chunksOf(int64_t prompts) const;
  mlir::FailureOr<ServeStep> totalsOf(llvm::ArrayRef<StepShape> chunks,
                                      std::optional<Seconds> launch);
  /// Learns the families of prompts with fewer and with more tokens than the
  /// vocabulary, because the embedding table is then read as a whole. Each is
  /// learned on first use.
  void learnPrompts(const StepShape &prompts);
  /// Adds the notes of the model at this shape.
  void addModelNotes(const StepShape &shape, ServePhase &phase);
  /// Adds a step to the sums of `phase`, `host` and `busy`; `finishBounds`
  /// completes the phase.
  mlir::LogicalResult addStep(const StepShape &shape, ServePhase &phase,
                              Seconds &host, Seconds &busy);
  /// Without a past, the model has no cache inputs.
  ServeFloor floorOf(const PlacedModel &placed, const IterationSummary &summary,
                     bool hasPast) const;

  Session &session;
  StepModels models;
  const ServeQuestion &question;
  mlir::LogicalResult findEncoderBytes(int64_t batch);

  int64_t cachePerToken = 0, cachePerSequence = 0, encoderPerSequence = 0;
  int64_t sharedPrefix = 0;
  ServeSteps *draft = nullptr;
  /// New tokens of a sequence in a decode step.
  int64_t newTokens = 1;
  /// Of a draft model: it shares the tables of words; its other weights.
  bool sharesWords = false;
  int64_t weights = 0;
  /// Bytes that outlive a step of this model: its weights and caches.
  mlir::FailureOr<int64_t> bytesAt(int64_t batch, int64_t context);
  /// `plan` with `more` bytes, with the prefix once instead of for each of
  /// `batch` sequences (V10), and with the draft model and its `batch` caches
  /// of `context` (V11).
  mlir::FailureOr<MemoryPlan> withTechniques(MemoryPlan plan, int64_t more,
                                             int64_t batch, int64_t context);
  bool hasFewPrompts = false, hasManyPrompts = false;
  std::vector<bool> isCache; ///< for the tensors that outlive a step
};

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_SERVESTEPS_H
