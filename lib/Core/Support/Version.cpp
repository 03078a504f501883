//===- Version.cpp - The version of this build ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Version.h"

using namespace gpucost;

std::string_view gpucost::releaseVersion() { return GPUCOST_VERSION; }

std::string_view gpucost::commitOfBuild() { return GPUCOST_COMMIT; }

std::string gpucost::versionName() {
  std::string name(releaseVersion());
  if (!commitOfBuild().empty())
    name.append("+").append(commitOfBuild());
  return name;
}
