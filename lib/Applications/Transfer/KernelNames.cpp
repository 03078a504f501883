//===- KernelNames.cpp - Kernel families by name --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/Profile.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;

namespace {
struct Word {
  llvm::StringLiteral part;
  KernelFamily family;
};
} // namespace

static constexpr Word words[] = {
#define WORD(part, family) {part, KernelFamily::family},
#include "KernelNames.def"
};

std::optional<KernelFamily> transfer::familyOfName(StringRef name,
                                                   StringRef op) {
  for (StringRef text : {name, op}) {
    std::string lower = text.lower();
    for (const Word &word : words)
      if (StringRef(lower).contains(word.part))
        return word.family;
  }
  return std::nullopt;
}

/// The digits at the end of `text`.
static StringRef trailingDigits(StringRef text) {
  return text.take_back(text.size() - text.find_last_not_of("0123456789") - 1);
}

std::string transfer::tileOfName(StringRef name) {
  for (size_t x = name.find('x'); x != StringRef::npos;
       x = name.find('x', x + 1)) {
    StringRef m = trailingDigits(name.take_front(x));
    StringRef n = name.drop_front(x + 1).take_while(llvm::isDigit);
    // Tiles have at least 16 rows; "16x8" is an instruction, "x4" a vector.
    if (m.size() >= 2 && m.size() <= 3 && n.size() >= 2 && n.size() <= 3)
      return (m + "x" + n).str();
  }
  return "";
}
