//===- NamePatterns.cpp - Selection of trained parameters -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamePatterns.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost::training;
using llvm::StringRef;

llvm::Expected<NamePatterns> NamePatterns::parse(StringRef text) {
  NamePatterns result;
  // Globs refer to their source string.
  result.text = std::make_shared<const std::string>(text);
  llvm::SmallVector<StringRef> parts;
  StringRef(*result.text)
      .split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    bool excludes = part.consume_front("!");
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(part);
    if (!glob)
      return glob.takeError();
    result.patterns.push_back({std::move(*glob), excludes});
  }
  return result;
}

bool NamePatterns::match(StringRef name) const {
  for (const Pattern &pattern : llvm::reverse(patterns))
    if (pattern.glob.match(name))
      return !pattern.excludes;
  return patterns.empty() || patterns.front().excludes;
}
