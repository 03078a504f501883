//===- Traffic.h - Requests of a deployment ------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DEPLOY_TRAFFIC_H
#define GPUCOST_APPLICATIONS_DEPLOY_TRAFFIC_H

#include "gpucost/Applications/Serve/Techniques.h"
#include "gpucost/Core/Support/Quantity.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace gpucost::deploy {

/// Requests of one length.
struct LengthShare {
  double share = 1; ///< of all requests
  int64_t tokens = 0;
};

/// Lengths as a number, or as the name of a CSV file with the columns `tokens`
/// and `requests`. Ascending. `flag` is for messages. Unless `keepsAll`, many
/// lengths are joined into groups of similar ones.
llvm::Expected<std::vector<LengthShare>> readLengths(llvm::StringRef flag,
                                                     llvm::StringRef text,
                                                     int64_t least,
                                                     bool keepsAll = false);

/// Requests per second in one hour of the day.
struct HourOfLoad {
  double hour = 0;
  double requests = 0;
};

/// "day": the built-in curve with the largest rate `peak`; otherwise a CSV file
/// with the columns `hour` and `requests_per_s`.
llvm::Expected<std::vector<HourOfLoad>> readLoad(llvm::StringRef text,
                                                 std::optional<double> peak);

struct Traffic {
  std::vector<LengthShare> input, output; ///< independent of each other
  /// At most one of them; neither: each replica runs as many requests as its
  /// batch limit allows.
  std::optional<double> requestsPerSecond, users;
  std::vector<HourOfLoad> load;
  serve::Techniques techniques;
  /// (V12) Of a request before its prompt is scheduled; nullopt: as fitted.
  std::optional<Seconds> requestTime;

  double meanInput() const { return meanOf(input); }
  double meanOutput() const { return meanOf(output); }
  int64_t longestInput() const { return input.back().tokens; }
  /// Tokens of a mean prompt that the prefix cache contains, and the others;
  /// the others of the longest prompt.
  int64_t cachedInput() const;
  double computedInput() const;
  int64_t longestComputed() const {
    return longestInput() - techniques.cachedOf(longestInput());
  }
  /// Output tokens that decode steps yield, on average over the requests. (V11)
  /// Their steps, and the squared coefficient of variation of both.
  double decodedTokens() const { return meanOutput() - 1; }
  double outputSteps() const {
    return decodedTokens() / techniques.tokensPerStep();
  }
  double outputVariation() const;
  /// Tokens in the cache before a decode step, on average over the steps.
  double meanContext() const;
  /// Tokens of a sequence at its end, on average over the requests.
  int64_t length() const;

  static double meanOf(const std::vector<LengthShare> &lengths);
};

} // namespace gpucost::deploy

#endif // GPUCOST_APPLICATIONS_DEPLOY_TRAFFIC_H
