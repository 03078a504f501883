//===- Steps.cpp - The equations of one launch with numbers ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Steps.h"
#include <cassert>
#include <cstdio>

using namespace gpucost;

std::string StepValue::text() const {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.6g%s", number, unit);
  return buffer;
}

std::string gpucost::fillIn(std::string_view pattern,
                            std::initializer_list<StepValue> values) {
  std::string text;
  for (StepValue value : values) {
    size_t at = pattern.find("{}");
    assert(at != std::string_view::npos && "more values than places");
    text += pattern.substr(0, at);
    text += value.text();
    pattern.remove_prefix(at + 2);
  }
  assert(pattern.find("{}") == std::string_view::npos &&
         "more places than values");
  return text.append(pattern);
}
