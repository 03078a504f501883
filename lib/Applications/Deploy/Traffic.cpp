//===- Traffic.cpp - Requests of a deployment -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/Traffic.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;
using llvm::StringRef;

/// Groups of similar lengths, and lengths of one request.
static constexpr size_t mostGroups = 32;
static constexpr int64_t mostTokens = int64_t(1) << 20;
/// The built-in day: the least load as a share of the largest, and the hour of
/// the largest.
static constexpr double nightShare = 0.3, busiestHour = 15, hoursOfDay = 24;

double Traffic::meanOf(const std::vector<LengthShare> &lengths) {
  double mean = 0;
  for (const LengthShare &each : lengths)
    mean += each.share * static_cast<double>(each.tokens);
  return mean;
}

int64_t Traffic::cachedInput() const {
  return techniques.cachedOf(std::llround(meanInput()));
}

double Traffic::computedInput() const {
  double mean = 0;
  for (const LengthShare &each : input)
    mean += each.share *
            static_cast<double>(each.tokens - techniques.cachedOf(each.tokens));
  return mean;
}

double Traffic::outputVariation() const {
  double square = 0, mean = decodedTokens();
  for (const LengthShare &each : output) {
    auto tokens = static_cast<double>(each.tokens - 1);
    square += each.share * tokens * tokens;
  }
  constexpr double rounding = 1e-12;
  double variation = square / (mean * mean) - 1;
  return variation > rounding ? variation : 0;
}

double Traffic::meanContext() const {
  // The k-th decoded token of a request has the context input + k - 1.
  double pairs = 0;
  for (const LengthShare &each : output) {
    auto tokens = static_cast<double>(each.tokens - 1);
    pairs += each.share * tokens * (tokens - 1) / 2;
  }
  return meanInput() + pairs / decodedTokens();
}

int64_t Traffic::length() const {
  return std::llround(meanInput() + meanOutput()) - 1;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The rows of a CSV file with two numbers each, except a header.
static llvm::Expected<std::vector<std::pair<double, double>>>
readPairs(StringRef path, StringRef columns) {
  auto text = readInput(path.str(), mostBytesOfText);
  if (!text)
    return llvm::createStringError("'" + path + "': " + text.error().message);
  std::vector<std::pair<double, double>> pairs;
  llvm::SmallVector<StringRef> lines;
  StringRef(*text).split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [first, second] = line.split(',');
    double a = 0, b = 0;
    bool isPair = !first.trim().getAsDouble(a) &&
                  !second.trim().getAsDouble(b) && std::isfinite(a) &&
                  std::isfinite(b) && a >= 0 && b >= 0;
    if (!isPair && pairs.empty() && !first.empty() &&
        std::isalpha(static_cast<unsigned char>(first.front())))
      continue; // The header.
    if (!isPair)
      return llvm::createStringError("'" + path + "', line " +
                                     llvm::Twine(number + 1) + ": expected " +
                                     columns + ", but got '" + line + "'");
    pairs.emplace_back(a, b);
  }
  if (pairs.empty())
    return llvm::createStringError("'" + path + "' has no rows: expected " +
                                   columns);
  return pairs;
}

/// Joins neighbours into groups with about equal shares.
static std::vector<LengthShare> group(std::vector<LengthShare> lengths) {
  if (lengths.size() <= mostGroups)
    return lengths;
  std::vector<LengthShare> groups;
  double done = 0, share = 0, tokens = 0;
  for (const LengthShare &each : lengths) {
    share += each.share;
    tokens += each.share * static_cast<double>(each.tokens);
    done += each.share;
    if (done * static_cast<double>(mostGroups) <
        static_cast<double>(groups.size() + 1))
      continue;
    groups.push_back({share, std::llround(tokens / share)});
    share = tokens = 0;
  }
  if (share > 0)
    groups.push_back({share, std::llround(tokens / share)});
  return groups;
}

llvm::Expected<std::vector<LengthShare>> deploy::readLengths(StringRef flag,
                                                             StringRef text,
                                                             int64_t least,
                                                             bool keepsAll) {
  auto refuse = [&](const llvm::Twine &got) {
    return llvm::createStringError(
        "--" + flag + " expects " + llvm::Twine(least) + " to " +
        llvm::Twine(mostTokens) + " tokens, but got " + got);
  };
  int64_t number = 0;
  if (!text.getAsInteger(10, number)) {
    if (number < least || number > mostTokens)
      return refuse("'" + text + "'");
    return std::vector<LengthShare>{{1, number}};
  }
  auto pairs = readPairs(text, "a number of tokens and one of requests");
  if (!pairs)
    return llvm::createStringError(
        "--" + flag +
        " expects a number or a file: " + llvm::toString(pairs.takeError()));
  llvm::sort(*pairs);
  double sum = 0;
  for (const auto &[tokens, requests] : *pairs)
    sum += requests;
  if (sum <= 0)
    return llvm::createStringError("'" + text + "' has no requests");
  std::vector<LengthShare> lengths;
  for (const auto &[tokens, requests] : *pairs) {
    if (tokens < static_cast<double>(least) ||
        tokens > static_cast<double>(mostTokens) ||
        tokens != std::floor(tokens))
      return refuse("a number outside of this range in '" + text + "'");
    auto count = static_cast<int64_t>(tokens);
    if (requests <= 0)
      continue;
    if (!lengths.empty() && lengths.back().tokens == count)
      lengths.back().share += requests / sum;
    else
      lengths.push_back({requests / sum, count});
  }
  return keepsAll ? lengths : group(std::move(lengths));
}

llvm::Expected<std::vector<HourOfLoad>>
deploy::readLoad(StringRef text, std::optional<double> peak) {
  std::vector<HourOfLoad> load;
  if (text == "day") {
    if (!peak)
      return llvm::createStringError(
          "--load=day needs --requests-per-second, its largest rate");
    for (double hour = 0; hour < hoursOfDay; ++hour) {
      double phase = 2 * M_PI * (hour - busiestHour) / hoursOfDay;
      double share = nightShare + (1 - nightShare) * (1 + std::cos(phase)) / 2;
      load.push_back({hour, *peak * share});
    }
    return load;
  }
  if (peak)
    return llvm::createStringError(
        "a load file states the rates; give it, or --requests-per-second");
  auto pairs = readPairs(text, "an hour and requests per second");
  if (!pairs)
    return llvm::createStringError("--load expects 'day' or a file: " +
                                   llvm::toString(pairs.takeError()));
  double most = 0;
  for (const auto &[hour, requests] : *pairs) {
    if (!load.empty() && hour <= load.back().hour)
      return llvm::createStringError("'" + text +
                                     "': expected ascending hours");
    load.push_back({hour, requests});
    most = std::max(most, requests);
  }
  if (most <= 0)
    return llvm::createStringError("'" + text + "' has no requests");
  return load;
}
