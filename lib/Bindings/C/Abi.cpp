//===- Abi.cpp - Common parts of the C interface --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"

using namespace gpucost;
using namespace gpucost::capi;

/// Constructed without an allocation, so that an error of memory has a text.
static thread_local char lastError[1024];

void capi::setLastError(const char *message) noexcept {
  size_t length = std::strlen(message);
  if (length >= sizeof(lastError)) {
    // Not inside of a UTF-8 sequence.
    length = sizeof(lastError) - 1;
    while (length > 0 && (message[length] & 0xC0) == 0x80)
      --length;
  }
  std::memcpy(lastError, message, length);
  lastError[length] = 0;
}

void capi::setLastError(const std::string &message) noexcept {
  setLastError(message.c_str());
}

const char *capi::lastErrorText() noexcept { return lastError; }

GroupBy capi::readGroup(const char *name) {
  std::optional<GroupBy> group = groupByOf(name ? name : "");
  if (!group)
    invalid("unknown group '", name, "', expected op, layer or scope");
  return *group;
}
