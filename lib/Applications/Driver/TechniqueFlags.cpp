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

/// Reads one value of `flag` into `field`, if it is given.
template <typename Field, typename Read>
static llvm::Error readOne(const CommandFlags &flags, StringRef flag,
                           Field &field, Read read) {
  if (!flags.has(flag))
    return llvm::Error::success();
  std::string text = flags.value(flag);
  auto values = read(flag, StringRef(text));
  if (!values)
    return values.takeError();
  if (values->size() > 1)
    return llvm::createStringError("--" + flag + " takes one value, but got '" +
                                   text + "'");
  field = values->front();
  return llvm::Error::success();
}

llvm::Expected<serve::Techniques>
gpucost::readTechniques(const CommandFlags &flags) {
  serve::Techniques techniques;
#define READ(flag, field, read)                                                \
  if (llvm::Error error = readOne(flags, flag, techniques.field, read))        \
    return std::move(error);
#define TECHNIQUE_SHARE(field, flag, help) READ(flag, field, readShares)
#define TECHNIQUE_COUNT(field, flag, most, help)                               \
  READ(flag, field, [](StringRef name, StringRef text) {                       \
    return sweep::expandCounts(name, text, most);                              \
  })
#define TECHNIQUE_TEXT(field, flag, placeholder, help)                         \
  techniques.field = flags.value(flag);
#include "gpucost/Applications/Serve/TechniqueFlags.def"
#undef READ
  if (std::string fault = techniques.contradiction(); !fault.empty())
    return llvm::createStringError(fault);
  return techniques;
}
