//===- Serve.h - A language model as a service ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefill and decode of a language model with a KV cache: time to the first
// token, time per output token, power, energy per token, floors, and the
// largest batches. A prefill is the model with `seq` new tokens, a decode step
// is the model with one new token per sequence and the context as past.
// docs/Serving.md defines the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_SERVE_H
#define GPUCOST_APPLICATIONS_SERVE_SERVE_H

#include "gpucost/Applications/Serve/ClosedLoop.h"
#include "gpucost/Applications/Serve/Techniques.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "gpucost/Core/Report/RunCost.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost::serve {

/// The flags of ServeFlags.def; counts of 0 and nullopt: not stated.
struct ServeQuestion {
#define SERVE_COUNT(field, flag, initial, help) int64_t field = initial;
#define SERVE_TIME(field, flag, help) std::optional<Seconds> field;
#define SERVE_CHOICE(field, flag, initial, other, help) bool field = false;
#include "gpucost/Applications/Serve/ServeFlags.def"

  Techniques techniques;
  Loop loop; ///< users of 0: none
  /// Tokens that the encoder reads; 0 without one. Then `inputTokens` are those
  /// of the decoder.
  int64_t encoderTokens = 0;
  bool hasEncoder = false;

  /// Decode steps of an answer, and the tokens in the cache before the last.
  int64_t steps() const { return outputTokens - 1; }
  /// (V11) Steps with draft tokens, on average.
  double meanSteps() const {
    return static_cast<double>(steps()) / techniques.tokensPerStep();
  }
  int64_t lastContext() const { return inputTokens + outputTokens - 2; }
  /// Tokens of a prompt in the prefix cache, and the others.
  int64_t cachedTokens() const { return techniques.cachedOf(inputTokens); }
  int64_t computedTokens() const { return inputTokens - cachedTokens(); }
  /// Tokens of a prompt in one step.
  int64_t chunk() const {
    return prefillChunk ? prefillChunk : computedTokens();
  }
  /// Tokens of a sequence at its end.
  int64_t length() const { return inputTokens + outputTokens - 1; }
};

/// The settings that a service has where `stated` has none: CUDA graphs, a
/// cache that grows in place, a batch of 1.
Scenario serveScenario(const Scenario &stated);

#define GPUCOST_REPORT "gpucost/Applications/Serve/ServeReport.def"
#include "gpucost/Core/Report/DefineReport.inc"

struct ServeReport : ServeFields {
  static constexpr int64_t schema = 1;
  ServeQuestion question;
  Scenario given;
  Settings settings;
  std::string precision;
  /// Cache bytes per token of a sequence, on all GPUs that share the model.
  int64_t modelCacheBytesPerToken = 0;
  /// Positions that the file has; nullopt: not known.
  std::optional<int64_t> positions;

  std::optional<int64_t> encoderTokens() const {
    return question.hasEncoder ? std::optional(question.encoderTokens)
                               : std::nullopt;
  }
  /// Prompts that go through the prefill together.
  int64_t promptsTogether() const {
    return question.prefillBatch ? std::min(question.prefillBatch, batch)
                                 : batch;
  }
  Seconds timeToFirstToken() const { return prefill.time; }
  /// (V11) Mean time per output token; nullopt for answers of one token.
  std::optional<Seconds> timePerToken() const;
  /// Time of all steps for a batch: prefills one after another, then the
  /// decode.
  Seconds total() const;
  Joules totalEnergy() const; ///< of all GPUs
  double tokensPerSecond() const;
  double tokensPerSecondPerUser() const;
  double tokensPerJoule() const { return 1 / joulesPerToken().value(); }
  /// Energy of all steps, per output token.
  Joules joulesPerToken() const;
  int64_t prefills() const;
  double allOutputTokens() const {
    return static_cast<double>(sequences) *
           static_cast<double>(question.outputTokens);
  }
  /// Cost of an output token, prefill included, and of the stated run.
  RunCost perToken() const;
  Joules siteEnergyPerToken() const { return perToken().energy; }
  std::optional<double> moneyPerToken() const { return perToken().money; }
  std::optional<double> carbonPerToken() const { return perToken().carbon; }
  std::optional<RunCost> run() const;
};

/// Answers `question` for the model of `session`; diagnostics are those of the
/// model. `scenario` is that of `serveScenario`, `draft` the model of the draft
/// tokens, if the question has any.
mlir::FailureOr<ServeReport> predictService(Session &session,
                                            const Scenario &scenario,
                                            const ServeQuestion &question,
                                            Session *draft = nullptr);

/// The step oracle of the model as bytes (Archive/ServiceFile.h); `name` is
/// that of the model in reports.
mlir::FailureOr<std::string> prepareService(Session &session,
                                            const Scenario &scenario,
                                            const ServeQuestion &question,
                                            llvm::StringRef name);

void printServe(const ServeReport &report, llvm::raw_ostream &os);
void printServeJson(const ServeReport &report, llvm::raw_ostream &os);

/// One of several services.
struct ServicePoint {
  std::string text;  ///< the flags that differ: "--target=a100 --batch=8"
  std::string model; ///< path
  std::optional<ServeReport> report;
  std::string reason; ///< why there is no report
};
/// A table with one line per service.
void printServices(llvm::ArrayRef<ServicePoint> services,
                   llvm::raw_ostream &os);
/// JSON Lines.
void printServicesJson(llvm::ArrayRef<ServicePoint> services,
                       llvm::raw_ostream &os);
/// The fields of a report in JSON.
RecordShape shapeOfServe();

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_SERVE_H
