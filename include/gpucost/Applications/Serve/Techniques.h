//===- Techniques.h - Techniques of serving ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H
#define GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H

#include <algorithm>
#include <cstdint>

namespace gpucost::serve {

/// The flags of TechniqueFlags.def.
struct Techniques {
#define TECHNIQUE_SHARE(field, flag, help) double field = 0;
#include "gpucost/Applications/Serve/TechniqueFlags.def"

  /// (V10) Tokens of a prompt that the prefix cache contains. The last token is
  /// computed, because its logits give the first output token.
  int64_t cachedOf(int64_t prompt) const {
    return std::min(
        static_cast<int64_t>(prefixHit * static_cast<double>(prompt)),
        std::max<int64_t>(prompt - 1, 0));
  }
};

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_TECHNIQUES_H
