//===- JsonFields.cpp - What all JSON writers share -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/JsonFields.h"
#include "gpucost/Report/NumberText.h"

using namespace gpucost;

std::string gpucost::toUtf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

void gpucost::writeNumber(llvm::json::OStream &json, llvm::StringRef key,
                          double value) {
  std::string digits;
  llvm::raw_string_ostream os(digits);
  json.attributeBegin(key);
  if (printNumber(os, value))
    json.rawValue(digits);
  else
    json.value(nullptr);
  json.attributeEnd();
}
