//===- ServeText.cpp - A service, for people ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Serve/Serve.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::serve;

/// Smaller shares are not shown.
static constexpr double leastShare = 0.005;
/// Columns of label, value and unit; spaces before a note.
static constexpr int labelWidth = 11, valueWidth = 5, unitWidth = 10,
                     noteIndent = 4;

static void addLine(llvm::raw_ostream &os, llvm::StringRef label,
                    const NumberWithUnit &number, llvm::StringRef text) {
  printLine(os, label, number, text, {labelWidth, valueWidth, unitWidth});
}

static void printHead(llvm::raw_ostream &os, const ServeReport &r) {
  const Settings &s = r.settings;
  printWrapped(os,
               modelName(r.model).str() + " as a service on " +
                   (r.gpus > 1 ? std::to_string(r.gpus) + " " : std::string()) +
                   r.target + ", " +
                   std::string(stringifyNumericFormat(r.format)),
               0, 2);
  std::string input = countText(r.question.inputTokens, "input token");
  if (r.question.hasEncoder)
    input = (r.question.encoderTokens
                 ? countText(r.question.encoderTokens, "encoder token")
                 : "the encoder's input") +
            ", " + countText(r.question.inputTokens, "decoder token");
  if (int64_t cached = r.question.cachedTokens())
    input += " (" + std::to_string(cached) + " cached)";
  std::string how =
      countText(r.sequences, "sequence") + " of " + input + " and " +
      countText(r.question.outputTokens, "output token") + "; " +
      std::string(stringifySoftware(s.software)) + ", " +
      std::string(stringifyRuntime(s.runtime)) + " runtime, cache " +
      std::string(stringifyKvCacheMode(s.kvCache));
  if (r.gpus > 1)
    how += ", " + toText(s.parallel);
  if (!r.precision.empty())
    how += ", " + r.precision;
  printWrapped(os, how, 0, 2);
  os << '\n';
}

static std::string interval(const ServePhase &phase, double tokens = 1) {
  return phase.errorBars
             ? "; 80 % PI " + intervalText(phase.time.value() / tokens,
                                           phase.errorBars->time, "s")
             : "";
}

static void printHeadline(llvm::raw_ostream &os, const ServeReport &r) {
  auto time = [&](const ServePhase &phase, double tokens = 1) {
    NumberWithUnit text = formatSi(phase.time.value() / tokens, "s");
    if (phase.isLowerBound || phase.limitUnreachable)
      text.number = ">=" + text.number;
    return text;
  };
  std::string chunks =
      r.question.prefillChunk
          ? " in chunks of " + countText(r.question.prefillChunk, "token")
          : "";
  addLine(os, "first", time(r.prefill),
          "to the first token: " + countText(r.promptsTogether(), "prompt") +
              chunks + interval(r.prefill));
  if (r.decode) {
    double tokens = r.question.techniques.tokensPerStep();
    addLine(os, "next", time(*r.decode, tokens),
            "per output token on average" + interval(*r.decode, tokens));
    addLine(os, "", {},
            siText(r.decode->first->time / tokens) + " with " +
                std::to_string(r.decode->first->context) +
                " tokens in the cache, " +
                siText(r.decode->last->time / tokens) + " with " +
                std::to_string(r.decode->last->context));
  }
  std::string rates =
      r.gpus > 1 ? rateText(r.tokensPerSecond() / static_cast<double>(r.gpus)) +
                       " of each GPU"
                 : "output tokens, prefill included";
  if (r.decode)
    rates += "; " + rateText(r.tokensPerSecondPerUser()) + " of each user";
  addLine(os, "rate", {rateText(r.tokensPerSecond()), "tokens/s"}, rates);
  addLine(os, "energy", formatSi(r.joulesPerToken().value(), "J"),
          "per output token, prefill included; " +
              rateText(r.tokensPerJoule()) + " tokens/J");
  addLine(os, "answer", formatSi(r.total().value(), "s"),
          "all prefills and " +
              (r.speculation
                   ? fmt::format("{:.1f} decode steps", r.question.meanSteps())
                   : countText(r.question.steps(), "decode step")));
  if (const auto &s = r.speculation)
    addLine(
        os, "drafts", {fmt::format("{:.2f}", s->tokensPerStep), "tokens"},
        "per sequence and step: " + countText(s->draftTokens, "draft") +
            fmt::format(" at an acceptance of {:.4g}; first step {} for the "
                        "drafts, {} to verify them",
                        s->acceptance, siText(s->drafts), siText(s->verify)));
}

static void printLoop(llvm::raw_ostream &os, const ServeReport &r) {
  const ServeLoop &loop = *r.loop;
  int64_t copies = r.sequences / r.batch;
  addLine(
      os, "loop", {std::to_string(loop.users), "users"},
      (copies > 1 ? "of each of " + std::to_string(copies) + " copies: " : "") +
          "each sends the next request after its answer, " +
          std::to_string(loop.requests) + " in all");
  addLine(os, "", {},
          "first token after " + siText(loop.first) + " on average, " +
              siText(loop.median) + " median, 99 % within " +
              siText(loop.late));
  addLine(
      os, "", {},
      (loop.perToken ? siText(*loop.perToken) + " per output token, " : "") +
          siText(loop.latency) + " per answer; " +
          rateText(loop.tokensPerSecond) + " output tokens/s");
}

static void printPhase(llvm::raw_ostream &os, llvm::StringRef label,
                       const ServePhase &phase, llvm::StringRef noun) {
  addLine(os, label, formatSi(phase.power().value(), "W"),
          siText(phase.energyPerToken) + " per " + noun.str() + " at " +
              fmt::format("{:.0f} MHz", phase.clock.value() * 1e-6) +
              (phase.limitUnreachable ? ": NO CLOCK KEEPS THE POWER LIMIT"
               : phase.throttled      ? ", the power limit lowers the clock"
                                      : ""));
  addLine(os, "", {},
          "bound " + std::string(stringifyBound(phase.bound)) + "; " +
              sharesText(phase.boundFractions, leastShare));
  const ServeFloor &floor = phase.floor;
  addLine(os, "", {},
          fmt::format("{:.2f}", phase.time / floor.total()) +
              " x the floor: " + siText(floor.memory) + " for " +
              siText(floor.weights) + " of weights" +
              (floor.cache > Bytes(0)
                   ? " and " + siText(floor.cache) + " of cache"
                   : "") +
              " at the DRAM's bandwidth, " + siText(floor.compute) +
              " for the matrix products at their peak" +
              (floor.collectives > 0
                   ? ", and " + siText(floor.communication) + " for " +
                         countText(floor.collectives, "collective")
                   : ""));
}

/// Cost of a million output tokens and of the run, as in a report.
static void printCost(llvm::raw_ostream &os, const ServeReport &r) {
  std::string stated = statedRunText(r.given);
  if (stated.empty())
    return;
  os << '\n';
  if (std::optional<RunCost> run = r.run())
    addLine(os, "run", {}, costText({*run, {}, {}}));
  constexpr double million = 1e6;
  addLine(os, "million", {},
          "output tokens: " + costText({r.perToken() * million, {}, {}}));
  addLine(os, "stated", {}, stated);
}

static void printLimits(llvm::raw_ostream &os, const ServeReport &r) {
  const ServeMemory &memory = r.memory;
  addLine(os, "cache", formatMemory(static_cast<double>(memory.cachePerToken)),
          "per token on a GPU, " + memoryText(memory.cachePerSequence) +
              " per sequence at the end; " +
              (memory.sharedPrefix ? memoryText(*memory.sharedPrefix) +
                                         " of the prefix once for all; "
                                   : "") +
              (memory.encoderCache.value_or(0)
                   ? memoryText(*memory.encoderCache) +
                         " of the encoder per sequence; "
                   : "") +
              "weights " + memoryText(memory.parameters));
  addLine(os, "device", formatMemory(static_cast<double>(memory.decode)),
          "at the end of the answers, " + memoryText(memory.prefill) +
              " in the prefill, of " +
              memoryLimitText(memory.capacity, memory.total,
                              memory.usable.value()) +
              (memory.verdict == MemoryVerdict::MayNotFit
                   ? "; may not fit: the upper bound is larger"
                   : ""));
  auto behind = [](const auto &limit) {
    return limit.reason.empty() ? std::string() : ": " + limit.reason;
  };
  addLine(os, "batch", {std::to_string(r.largestBatch.value), ""},
          "is the largest that fits" + behind(r.largestBatch));
  addLine(os, "context", {std::to_string(r.longestContext.value), ""},
          "tokens of a sequence are the most that fit" +
              behind(r.longestContext));
  if (!r.largestAllowed)
    return;
  std::string bounds;
  if (r.question.ttft)
    bounds += " --ttft=" + siText(*r.question.ttft);
  if (r.question.tpot)
    bounds += " --tpot=" + siText(*r.question.tpot);
  addLine(os, "allowed", {std::to_string(r.largestAllowed->value), ""},
          "is the largest batch that keeps" + bounds +
              behind(*r.largestAllowed));
  if (r.largestAllowed->value > 0)
    addLine(os, "with it",
            {rateText(*r.largestAllowed->tokensPerSecond), "tokens/s"},
            siText(*r.largestAllowed->energyPerToken) +
                " per output token, prefill included; --batch=" +
                std::to_string(r.largestAllowed->value) + " shows the rest");
}

void serve::printServe(const ServeReport &r, llvm::raw_ostream &os) {
  printHead(os, r);
  printHeadline(os, r);
  if (r.loop)
    printLoop(os, r);
  os << '\n';
  printPhase(os, "prefill", r.prefill,
             r.question.cachedTokens() ? "computed prompt token"
                                       : "prompt token");
  if (r.decode)
    printPhase(os, "decode", *r.decode, "output token");
  os << '\n';
  printLimits(os, r);
  printCost(os, r);
  if (!r.notes.empty())
    os << '\n';
  for (const std::string &note : r.notes) {
    os << "  - ";
    printWrapped(os, note, noteIndent, noteIndent);
  }
}

void serve::printServices(llvm::ArrayRef<ServicePoint> services,
                          llvm::raw_ostream &os) {
  using Table = TextTable;
  constexpr double million = 1e6;
  bool hasMoney = false, hasCarbon = false, hasLimits = false;
  for (const ServicePoint &service : services)
    if (const auto &r = service.report) {
      hasMoney |= r->perToken().money.has_value();
      hasCarbon |= r->perToken().carbon.has_value();
      hasLimits |= r->largestAllowed.has_value();
    }
  Table table({Table::numbers("first", "s"), Table::numbers("next", "s"),
               Table::fixed("", "tokens/s"), Table::numbers("", "J/token"),
               Table::fixed("", "money/M").when(hasMoney),
               Table::numbers("", "g/M").when(hasCarbon), Table::right("fits"),
               Table::right("allowed").when(hasLimits),
               Table::left("service")});
  for (const ServicePoint &service : services) {
    const auto &r = service.report;
    if (!r) {
      table.addRow({"-", "-", "-", "-", "-", "-", "-", "-", service.text});
      continue;
    }
    RunCost cost = r->perToken();
    std::optional<Seconds> next =
        r->loop ? r->loop->perToken : r->timePerToken();
    auto perMillion = [](std::optional<double> value) {
      return value ? Table::Cell(*value * million) : Table::Cell("-");
    };
    table.addRow({r->loop ? r->loop->first : r->prefill.time,
                  next ? Table::Cell(*next) : Table::Cell("-"),
                  r->loop ? r->loop->tokensPerSecond : r->tokensPerSecond(),
                  r->joulesPerToken(), perMillion(cost.money),
                  perMillion(cost.carbon), r->largestBatch.value,
                  r->largestAllowed ? Table::Cell(r->largestAllowed->value)
                                    : Table::Cell("-"),
                  service.text});
  }
  printWrapped(os,
               modelName(services.front().model).str() +
                   " as services; tokens/s, energy, money and CO2e per million "
                   "output tokens are those of all GPUs, fits is the largest "
                   "batch",
               0, 2);
  os << '\n';
  table.print(os, 2);
  auto note = [&](const ServicePoint &service, const std::string &text) {
    if (text.empty())
      return;
    os << "  - ";
    printWrapped(os, service.text + ": " + text, noteIndent, noteIndent);
  };
  os << '\n';
  for (const ServicePoint &service : services) {
    note(service, service.reason);
    if (const auto &r = service.report) {
      note(service, r->prefill.brokenLimit);
      note(service, r->decode ? r->decode->brokenLimit : "");
    }
  }
}
