//===- ServeJson.cpp - A service, for programs ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Scenario/SettingsText.h"
#include "gpucost/Serve/Serve.h"
#include "gpucost/Support/JsonStream.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::serve;

/// Of docs/serve.schema.json.
static constexpr int64_t schemaVersion = 1;

static void writeStep(JsonStream &j, std::string_view key,
                      const ServeStep &step) {
  j.attributeObject(key, [&] {
    j.attribute("context", step.context);
    j.number("time_ms", step.time.value() * 1e3);
    j.number("energy_j", step.energy.value());
    j.number("power_w", step.power().value());
  });
}

static void writePhase(JsonStream &j, const ServePhase &phase, int64_t gpus) {
  double unknown = std::nan("");
  const auto &bars = phase.errorBars;
  j.number("time_ms", phase.time.value() * 1e3);
  j.number("time_low_ms",
           bars ? lowEnd(phase.time, bars->time).value() * 1e3 : unknown);
  j.number("time_high_ms",
           bars ? highEnd(phase.time, bars->time).value() * 1e3 : unknown);
  j.number("energy_j", phase.energy.value());
  j.number("power_w", phase.power().value());
  j.attribute("tokens", phase.tokens);
  j.number("energy_per_token_j", phase.energy.value() *
                                     static_cast<double>(gpus) /
                                     static_cast<double>(phase.tokens));
  j.number("clock_mhz", phase.clock.value() * 1e-6);
  j.attribute("throttled", phase.throttled);
  j.attribute("time_is_lower_bound", phase.isLowerBound);
  j.attribute("bound", stringifyBound(phase.bound));
  j.attributeObject("bound_fractions", [&] {
    for (const auto &[bound, share] : phase.boundFractions)
      j.number(stringifyBound(bound), share);
  });
  j.attributeObject("floor", [&] {
    j.number("weight_bytes", phase.floor.weights.value());
    j.number("cache_bytes", phase.floor.cache.value());
    j.number("memory_ms", phase.floor.memory.value() * 1e3);
    j.number("compute_ms", phase.floor.compute.value() * 1e3);
    j.number("communication_ms", phase.floor.communication.value() * 1e3);
    j.attribute("collectives", phase.floor.collectives);
  });
}

static void writeLimit(JsonStream &j, std::string_view key,
                       const ServeLimit &limit) {
  j.attributeObject(key, [&] {
    j.attribute("value", limit.value);
    j.attribute("reason", limit.reason);
  });
}

static void writeAllowed(JsonStream &j, const ServeAllowed &allowed) {
  double unknown = std::nan("");
  bool any = allowed.value > 0;
  j.attributeObject("largest_allowed_batch", [&] {
    j.attribute("value", allowed.value);
    j.attribute("reason", allowed.reason);
    j.number("tokens_per_s", any ? allowed.tokensPerSecond : unknown);
    j.number("energy_per_token_j",
             any ? allowed.joulesPerToken.value() : unknown);
  });
}

static void writeTotals(JsonStream &j, const ServeReport &r) {
  j.number("ttft_ms", r.timeToFirstToken().value() * 1e3);
  j.number("tpot_ms", r.decode ? r.decode->time.value() * 1e3 : std::nan(""));
  j.number("answer_ms", r.total().value() * 1e3);
  j.number("tokens_per_s", r.tokensPerSecond());
  j.number("tokens_per_s_per_gpu",
           r.tokensPerSecond() / static_cast<double>(r.gpus));
  j.number("tokens_per_s_per_user",
           r.decode ? r.tokensPerSecondPerUser() : std::nan(""));
  j.number("tokens_per_j", r.tokensPerJoule());
  j.number("energy_per_token_j", r.joulesPerToken().value());
}

static void writeReport(JsonStream &j, const ServeReport &r,
                        llvm::StringRef version) {
  const ServeQuestion &q = r.question;
  j.attribute("schema", schemaVersion);
  j.attribute("version", std::string_view(version));
  j.attribute("model", r.model);
  j.attribute("target", r.target);
  j.attribute("format", stringifyNumericFormat(r.format));
  j.attribute("gpus", r.gpus);
  j.attribute("batch", r.batch);
  j.attribute("sequences", r.sequences);
  j.attribute("input_tokens", q.inputTokens);
  j.attribute("output_tokens", q.outputTokens);
  if (q.hasEncoder)
    j.attribute("encoder_tokens", q.encoderTokens);
  j.attribute("prefill_batch",
              q.prefillBatch ? std::min(q.prefillBatch, r.batch) : r.batch);
  j.attribute("prefill_chunk", q.prefillChunk ? q.prefillChunk : q.inputTokens);
  j.attributeObject("settings", [&] { writeSettings(j, r.given, r.settings); });
  writeTotals(j, r);
  j.attributeObject("prefill", [&] { writePhase(j, r.prefill, r.gpus); });
  if (r.decode)
    j.attributeObject("decode", [&] {
      writePhase(j, *r.decode, r.gpus);
      writeStep(j, "first", r.first);
      writeStep(j, "last", r.last);
    });
  j.attributeObject("memory", [&] {
    j.attribute("cache_bytes_per_token", r.cacheBytesPerToken);
    if (r.question.hasEncoder)
      j.attribute("encoder_cache_bytes", r.encoderCacheBytes);
    j.attribute("parameter_bytes", r.parameterBytes);
    j.attribute("prefill_device_bytes", r.prefillBytes);
    j.attribute("decode_device_bytes", r.decodeBytes);
    j.number("capacity_bytes", r.capacity.value());
  });
  writeLimit(j, "largest_batch", r.largestBatch);
  writeLimit(j, "longest_context", r.longestContext);
  if (r.largestAllowed)
    writeAllowed(j, *r.largestAllowed);
  j.attributeArray("notes", [&] {
    for (const std::string &note : r.notes)
      j.value(note);
  });
}

void serve::printServeJson(const ServeReport &report, llvm::StringRef version,
                           llvm::raw_ostream &os) {
  std::string text;
  JsonStream j(text);
  j.object([&] { writeReport(j, report, version); });
  os << text << '\n';
}
