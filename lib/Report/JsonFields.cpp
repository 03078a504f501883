//===- JsonFields.cpp - What all JSON writers share -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/JsonFields.h"

using namespace gpucost;

void gpucost::writeNumber(llvm::json::OStream &json, llvm::StringRef key,
                          double value) {
  json.attributeBegin(key);
  if (std::optional<std::string> digits = programNumber(value))
    json.rawValue(*digits);
  else
    json.value(nullptr);
  json.attributeEnd();
}
