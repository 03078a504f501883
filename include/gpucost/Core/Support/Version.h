//===- Version.h - The version of this build ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_VERSION_H
#define GPUCOST_CORE_SUPPORT_VERSION_H

#include <string>
#include <string_view>

namespace gpucost {

/// "0.9.0".
std::string_view releaseVersion();

/// "c7ab7ea", the commit of the checkout at the last run of CMake; "" without a
/// checkout.
std::string_view commitOfBuild();

/// "0.9.0+c7ab7ea": identifies everything that predictions depend on, except
/// models and settings.
std::string versionName();

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_VERSION_H
