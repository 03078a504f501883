//===- Version.cpp - What --version prints --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Version.h"
#include "gpucost/Core/Targets/EmbeddedFile.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include <string>

using namespace gpucost;

/// The latest month, "2026-11", that a text names; "" for none.
static std::string newestMonth(llvm::StringRef text) {
  std::string newest;
  for (size_t i = text.find("20"); i != llvm::StringRef::npos;
       i = text.find("20", i + 1)) {
    llvm::StringRef month = text.substr(i, 7);
    bool isMonth = month.size() == 7 && month[4] == '-' &&
                   llvm::all_of(month.take_front(4), llvm::isDigit) &&
                   llvm::all_of(month.drop_front(5), llvm::isDigit) &&
                   (i == 0 || !llvm::isDigit(text[i - 1]));
    if (isMonth && newest < month)
      newest = month.str();
  }
  return newest;
}

void gpucost::printVersion(llvm::raw_ostream &os) {
  os << "gpu-cost-opt " << releaseVersion();
  if (!commitOfBuild().empty())
    os << " (commit " << commitOfBuild() << ')';
  std::string newest;
  for (const EmbeddedFile &file : embeddedCoefficients())
    newest = std::max(newest, newestMonth(file.content));
  os << "\nMLIR " << LLVM_VERSION_STRING << "\ncoefficients of "
     << (newest.empty() ? "unknown date" : newest) << ", version "
     << llvm::format_hex_no_prefix(compiledDataHash(), 16) << '\n';
}
