//===- SettingsFile.cpp - Settings from a file, and their GPU -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SettingsFile.h"
#include "gpucost/Compiler/Session/Session.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

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
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return llvm::createStringError(message);
  return readSettingsText(buffer->getBuffer(), path, flags);
}
