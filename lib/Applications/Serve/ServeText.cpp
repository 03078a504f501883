//===- ServeText.cpp - A service, for people ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "llvm/Support/Path.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::serve;

static constexpr size_t labelWidth = 11, valueWidth = 6, unitWidth = 10,
                        numberWidth = valueWidth + unitWidth, noteIndent = 4;
/// Rates from here on have no decimals; smaller shares are not shown.
static constexpr double wholeRate = 100, leastShare = 0.005;

static void printLine(llvm::raw_ostream &os, llvm::StringRef label,
                      const NumberWithUnit &number, llvm::StringRef text) {
  os << fmt::format("  {:<{}}{:>5} {:<{}}", label.str(), labelWidth,
                    number.number, number.unit, unitWidth);
  printWrapped(os, text, 2 + labelWidth + numberWidth,
               2 + labelWidth + numberWidth);
}

static std::string inSeconds(Seconds time) {
  return formatSi(time.value(), "s").str();
}
static std::string inJoules(Joules energy) {
  return formatSi(energy.value(), "J").str();
}
static std::string inMemory(double bytes) { return formatMemory(bytes).str(); }

static std::string counted(int64_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

static std::string rate(double value) {
  return value >= wholeRate ? fmt::format("{:.0f}", value)
                            : fmt::format("{:.3g}", value);
}

static void printHead(llvm::raw_ostream &os, const ServeReport &r) {
  const Settings &s = r.settings;
  printWrapped(os,
               llvm::sys::path::filename(r.model).str() + " as a service on " +
                   (r.gpus > 1 ? std::to_string(r.gpus) + " " : std::string()) +
                   r.target + ", " +
                   std::string(stringifyNumericFormat(r.format)),
               0, 2);
  std::string input = counted(r.question.inputTokens, "input token");
  if (r.question.hasEncoder)
    input = (r.question.encoderTokens
                 ? counted(r.question.encoderTokens, "encoder token")
                 : "the encoder's input") +
            ", " + counted(r.question.inputTokens, "decoder token");
  std::string how = counted(r.sequences, "sequence") + " of " + input +
                    " and " + counted(r.question.outputTokens, "output token") +
                    "; " + std::string(stringifySoftware(s.software)) + ", " +
                    std::string(stringifyRuntime(s.runtime)) +
                    " runtime, cache " +
                    std::string(stringifyKvCacheMode(s.kvCache));
  if (r.gpus > 1)
    how += ", " + toText(s.parallel);
  if (!r.precision.empty())
    how += ", " + r.precision;
  printWrapped(os, how, 0, 2);
  os << '\n';
}

static std::string interval(const ServePhase &phase) {
  if (!phase.errorBars)
    return "";
  return "; 80 % PI " + inSeconds(lowEnd(phase.time, phase.errorBars->time)) +
         " to " + inSeconds(highEnd(phase.time, phase.errorBars->time));
}

static void printHeadline(llvm::raw_ostream &os, const ServeReport &r) {
  auto time = [&](const ServePhase &phase) {
    NumberWithUnit text = formatSi(phase.time.value(), "s");
    if (phase.isLowerBound)
      text.number = ">=" + text.number;
    return text;
  };
  std::string chunks =
      r.question.prefillChunk
          ? " in chunks of " + counted(r.question.prefillChunk, "token")
          : "";
  printLine(os, "first", time(r.prefill),
            "to the first token: " + counted(r.promptsTogether(), "prompt") +
                chunks + interval(r.prefill));
  if (r.decode) {
    printLine(os, "next", time(*r.decode),
              "per output token on average" + interval(*r.decode));
    printLine(os, "", {},
              inSeconds(r.decode->first->time) + " with " +
                  std::to_string(r.decode->first->context) +
                  " tokens in the cache, " + inSeconds(r.decode->last->time) +
                  " with " + std::to_string(r.decode->last->context));
  }
  std::string rates =
      r.gpus > 1 ? rate(r.tokensPerSecond() / static_cast<double>(r.gpus)) +
                       " of each GPU"
                 : "output tokens, prefill included";
  if (r.decode)
    rates += "; " + rate(r.tokensPerSecondPerUser()) + " of each user";
  printLine(os, "rate", {rate(r.tokensPerSecond()), "tokens/s"}, rates);
  printLine(os, "energy", formatSi(r.joulesPerToken().value(), "J"),
            "per output token, prefill included; " + rate(r.tokensPerJoule()) +
                " tokens/J");
  printLine(os, "answer", formatSi(r.total().value(), "s"),
            "all prefills and " + counted(r.question.steps(), "decode step"));
}

static void printPhase(llvm::raw_ostream &os, llvm::StringRef label,
                       const ServePhase &phase, llvm::StringRef noun) {
  printLine(os, label, formatSi(phase.power().value(), "W"),
            inJoules(phase.energyPerToken) + " per " + noun.str() + " at " +
                fmt::format("{:.0f} MHz", phase.clock.value() * 1e-6) +
                (phase.throttled ? ", the power limit lowers the clock" : ""));
  std::string bounds;
  for (const auto &[bound, share] : phase.boundFractions)
    if (share >= leastShare)
      bounds += (bounds.empty() ? "" : ", ") +
                std::string(stringifyBound(bound)) + " " + formatPercent(share);
  printLine(os, "", {},
            "bound " + std::string(stringifyBound(phase.bound)) + "; " +
                bounds);
  const ServeFloor &floor = phase.floor;
  printLine(os, "", {},
            fmt::format("{:.2f}", phase.time / floor.total()) +
                " x the floor: " + inSeconds(floor.memory) + " for " +
                formatSi(floor.weights.value(), "B").str() + " of weights" +
                (floor.cache > Bytes(0)
                     ? " and " + formatSi(floor.cache.value(), "B").str() +
                           " of cache"
                     : "") +
                " at the DRAM's bandwidth, " + inSeconds(floor.compute) +
                " for the matrix products at their peak" +
                (floor.collectives > 0
                     ? ", and " + inSeconds(floor.communication) + " for " +
                           counted(floor.collectives, "collective")
                     : ""));
}

static void printLimits(llvm::raw_ostream &os, const ServeReport &r) {
  const ServeMemory &memory = r.memory;
  printLine(os, "cache",
            formatMemory(static_cast<double>(memory.cachePerToken)),
            "per token on a GPU; " +
                (memory.encoderCache.value_or(0)
                     ? inMemory(static_cast<double>(*memory.encoderCache)) +
                           " of the encoder per sequence; "
                     : "") +
                "weights " + inMemory(static_cast<double>(memory.parameters)));
  printLine(os, "device", formatMemory(static_cast<double>(memory.decode)),
            "at the end of the answers, " +
                inMemory(static_cast<double>(memory.prefill)) +
                " in the prefill, of " + inMemory(memory.capacity.value()));
  auto behind = [](const auto &limit) {
    return limit.reason.empty() ? std::string() : ": " + limit.reason;
  };
  printLine(os, "batch", {std::to_string(r.largestBatch.value), ""},
            "is the largest that fits" + behind(r.largestBatch));
  printLine(os, "context", {std::to_string(r.longestContext.value), ""},
            "tokens of a sequence are the most that fit" +
                behind(r.longestContext));
  if (!r.largestAllowed)
    return;
  std::string bounds;
  if (r.question.ttft)
    bounds += " --ttft=" + inSeconds(*r.question.ttft);
  if (r.question.tpot)
    bounds += " --tpot=" + inSeconds(*r.question.tpot);
  printLine(os, "allowed", {std::to_string(r.largestAllowed->value), ""},
            "is the largest batch that keeps" + bounds +
                behind(*r.largestAllowed));
  if (r.largestAllowed->value > 0)
    printLine(os, "with it",
              {rate(*r.largestAllowed->tokensPerSecond), "tokens/s"},
              inJoules(*r.largestAllowed->energyPerToken) +
                  " per output token, prefill included; --batch=" +
                  std::to_string(r.largestAllowed->value) + " shows the rest");
}

void serve::printServe(const ServeReport &r, llvm::raw_ostream &os) {
  printHead(os, r);
  printHeadline(os, r);
  os << '\n';
  printPhase(os, "prefill", r.prefill, "prompt token");
  if (r.decode)
    printPhase(os, "decode", *r.decode, "output token");
  os << '\n';
  printLimits(os, r);
  if (!r.notes.empty())
    os << '\n';
  for (const std::string &note : r.notes) {
    os << "  - ";
    printWrapped(os, note, noteIndent, noteIndent);
  }
}
