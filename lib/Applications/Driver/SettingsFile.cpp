//===- SettingsFile.cpp - Settings from a file, and their GPU -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SettingsFile.h"
#include "Output.h"
#include "gpucost/Compiler/Session/Session.h"

using namespace mlir;
using namespace gpucost;

llvm::Expected<Scenario> gpucost::readSettingsText(llvm::StringRef text,
                                                   llvm::StringRef path,
                                                   const Scenario &flags) {
  llvm::Expected<Scenario> recorded = readScenario(text);
  if (!recorded)
    return llvm::createStringError(
        "'" + path.str() + "': " + llvm::toString(recorded.takeError()));
  stateAll(*recorded, flags);
  return recorded;
}

llvm::Expected<Scenario> gpucost::readSettingsFile(const std::string &path,
                                                   const Scenario &flags) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return readSettingsText((*buffer)->getBuffer(), path, flags);
}
