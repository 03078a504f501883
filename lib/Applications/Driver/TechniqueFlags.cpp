//===- TechniqueFlags.cpp - Flags of techniques of serving ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TechniqueFlags.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using llvm::StringRef;

llvm::Expected<std::vector<double>> gpucost::readShares(StringRef flag,
                                                        StringRef text) {
  std::vector<double> shares;
  for (StringRef item : llvm::split(text, ',')) {
    double value = 0;
    if (item.trim().getAsDouble(value) || !(value >= 0 && value <= 1))
      return llvm::createStringError("--" + flag +
                                     " expects a number from 0 to 1, but got "
                                     "'" +
                                     item + "'");
    shares.push_back(value);
  }
  return shares;
}

llvm::Expected<serve::Techniques>
gpucost::readTechniques(const CommandFlags &flags) {
  serve::Techniques techniques;
#define TECHNIQUE_SHARE(field, flag, help)                                     \
  if (flags.has(flag)) {                                                       \
    auto values = readShares(flag, flags.value(flag));                         \
    if (!values)                                                               \
      return values.takeError();                                               \
    if (values->size() > 1)                                                    \
      return llvm::createStringError("--" flag " takes one value, but got '" + \
                                     flags.value(flag) + "'");                 \
    techniques.field = values->front();                                        \
  }
#include "gpucost/Applications/Serve/TechniqueFlags.def"
  return techniques;
}
