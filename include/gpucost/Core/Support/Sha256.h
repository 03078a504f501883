//===- Sha256.h - Checksums of texts ----------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_SHA256_H
#define GPUCOST_CORE_SUPPORT_SHA256_H

#include <string>
#include <string_view>

namespace gpucost {

/// SHA-256 of `bytes` (FIPS 180-4) as 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_SHA256_H
