//===- Serve.h - A language model as a service ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefill and decode of a language model with a KV cache: time to the first
// token, time per output token, power, energy per token, floors, and what fits.
// A prefill is the model with `seq` new tokens, a decode step the same model
// with one new token of each sequence and the context as past. docs/Serving.md
// defines the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SERVE_SERVE_H
#define GPUCOST_SERVE_SERVE_H

#include "gpucost/Report/IterationReport.h"
#include "gpucost/Session/Session.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost::serve {

/// The flags of ServeFlags.def; counts of 0 and nullopt: not stated.
struct ServeQuestion {
#define SERVE_COUNT(field, flag, initial, help) int64_t field = initial;
#define SERVE_TIME(field, flag, help) std::optional<Seconds> field;
#define SERVE_CHOICE(field, flag, initial, other, help) bool field = false;
#include "gpucost/Serve/ServeFlags.def"

  /// Tokens that the encoder reads; 0 without one. Then `inputTokens` are those
  /// of the decoder.
  int64_t encoderTokens = 0;
  bool hasEncoder = false;

  /// Decode steps of an answer, and the tokens in the cache before the last.
  int64_t steps() const { return outputTokens - 1; }
  int64_t lastContext() const { return inputTokens + outputTokens - 2; }
  /// Tokens of a sequence at its end.
  int64_t length() const { return inputTokens + outputTokens - 1; }
};

/// The settings that a service has where `stated` has none: CUDA graphs, a
/// cache that grows in place, a batch of 1.
Scenario serveScenario(const Scenario &stated);

/// One step on one GPU.
struct ServeStep {
  int64_t context = 0; ///< tokens in the cache before it
  Seconds time;
  Joules energy;
  Watts power() const { return energy / time; }
};

/// Lower bounds of a step by what it must do.
struct ServeFloor {
  /// Of weights and cache that the step reads, on one GPU.
  Bytes weights, cache;
  Seconds memory;  ///< both over the DRAM bandwidth of the datasheet
  Seconds compute; ///< matrix FLOPs over the dense peak
  /// Collectives of tensor parallelism: the kernels wait for each of them.
  Seconds communication;
  int64_t collectives = 0;
  Seconds total() const { return std::max(memory, compute) + communication; }
};

/// Prefill or decode.
struct ServePhase {
  std::string stepGap; ///< PlacedModel::describeStepGap
  /// Of one step of it; of a prefill in chunks of all together.
  Seconds time;
  Joules energy;
  Watts power() const { return energy / time; }
  /// Tokens that it computes, of all GPUs together.
  int64_t tokens = 0;
  ServeFloor floor;
  /// 80 % half-widths; nullopt: not known.
  std::optional<IterationErrorBars> errorBars;
  Hertz clock;
  bool throttled = false, isLowerBound = false;
  Bound bound = Bound::Unknown;
  std::vector<std::pair<Bound, double>> boundFractions;
};

/// The largest number that fits, and what the next one breaks.
struct ServeLimit {
  int64_t value = 0;
  std::string reason;
};

/// The same within bounds of time, and what the service does with it.
struct ServeAllowed : ServeLimit {
  double tokensPerSecond = 0;
  Joules joulesPerToken;
};

struct ServeReport {
  std::string model, target;
  ServeQuestion question;
  Scenario given;
  Settings settings;
  std::string precision;
  NumericFormat format = NumericFormat::BF16;
  std::vector<std::string> notes;

  /// Sequences of one group of GPUs (`--batch`), and of all.
  int64_t batch = 1, sequences = 1;
  int64_t gpus = 1;
  ServePhase prefill;
  /// Of the mean step; none for answers of one token.
  std::optional<ServePhase> decode;
  ServeStep first, last;

  /// Bytes of one token of a sequence in the cache, of one GPU and of all
  /// that share the model.
  int64_t cacheBytesPerToken = 0, modelCacheBytesPerToken = 0;
  /// Keys and values of the encoder for one sequence, of one GPU.
  int64_t encoderCacheBytes = 0;
  int64_t parameterBytes = 0;
  /// Of one GPU: in the prefill, and at the end of the answers.
  int64_t prefillBytes = 0, decodeBytes = 0;
  Bytes capacity;
  /// Positions that the file has; nullopt: not known.
  std::optional<int64_t> positions;
  /// Of the lengths asked for; and of this batch, in tokens of a sequence.
  ServeLimit largestBatch, longestContext;
  /// With bounds of time: the largest batch that keeps them all; 0 for none.
  std::optional<ServeAllowed> largestAllowed;

  Seconds timeToFirstToken() const { return prefill.time; }
  /// Of all steps of a batch: prefills one after another, then the decode.
  Seconds total() const;
  Joules totalEnergy() const; ///< of all GPUs
  double tokensPerSecond() const;
  double tokensPerSecondPerUser() const;
  double tokensPerJoule() const { return 1 / joulesPerToken().value(); }
  /// Of all steps, for each output token.
  Joules joulesPerToken() const;
  int64_t prefills() const;
};

/// Answers `question` for the model of `session`; diagnostics are those of the
/// model. `scenario` is that of `serveScenario`.
mlir::FailureOr<ServeReport> predictService(Session &session,
                                            const Scenario &scenario,
                                            const ServeQuestion &question);

/// The step oracle of the model as bytes (Archive/ServiceFile.h); `name` is
/// that of the model in reports.
mlir::FailureOr<std::string> prepareService(Session &session,
                                            const Scenario &scenario,
                                            const ServeQuestion &question,
                                            llvm::StringRef name);

void printServe(const ServeReport &report, llvm::raw_ostream &os);
/// docs/serve.schema.json.
void printServeJson(const ServeReport &report, llvm::StringRef version,
                    llvm::raw_ostream &os);

} // namespace gpucost::serve

#endif // GPUCOST_SERVE_SERVE_H
