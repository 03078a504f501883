//===- Techniques.h - Techniques of serving ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H
#define GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace gpucost::serve {

/// The flags of TechniqueFlags.def.
struct Techniques {
#define TECHNIQUE_SHARE(field, flag, help) std::optional<double> field;
#define TECHNIQUE_COUNT(field, flag, most, help) int64_t field = 0;
#define TECHNIQUE_TEXT(field, flag, placeholder, help) std::string field;
#include "gpucost/Applications/Serve/TechniqueFlags.def"

  /// (V10) Tokens of a prompt that the prefix cache contains. The last token is
  /// computed, because its logits give the first output token.
  int64_t cachedOf(int64_t prompt) const {
    return std::min(static_cast<int64_t>(prefixHit.value_or(0) *
                                         static_cast<double>(prompt)),
                    std::max<int64_t>(prompt - 1, 0));
  }
  /// New tokens of a sequence in a decode step: the last one, and its drafts.
  int64_t verified() const { return draftTokens + 1; }
  /// (V11) Expected output tokens of a sequence in a decode step: accepted
  /// drafts, and one token of the model after them.
  double tokensPerStep() const {
    double a = acceptance.value_or(0);
    auto most = static_cast<double>(verified());
    return a < 1 ? (1 - std::pow(a, most)) / (1 - a) : most;
  }
  /// Why the flags contradict each other; "" if they do not.
  std::string contradiction() const {
    if (draftTokens > 0 && !acceptance)
      return "--draft-tokens needs --acceptance";
    if (draftTokens == 0 && acceptance)
      return "--acceptance needs --draft-tokens";
    if (draftTokens == 0 && !draft.empty())
      return "--draft needs --draft-tokens";
    return "";
  }
};

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H
