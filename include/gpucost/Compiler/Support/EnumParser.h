//===- EnumParser.h - Enumerations as attribute parameters ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's FieldParser and printer for every enumeration: the name of the case,
// in quotes if it is not a keyword.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_ENUMPARSER_H
#define GPUCOST_COMPILER_SUPPORT_ENUMPARSER_H

#include "gpucost/Core/Support/Enumeration.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace gpucost {

template <typename Enum>
std::enable_if_t<IsEnumeration<Enum>::value, llvm::raw_ostream &>
operator<<(llvm::raw_ostream &os, Enum value) {
  std::string_view name = stringifyEnum(value);
  bool isKeyword =
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isKeyword ? os << name : os << '"' << name << '"';
}

} // namespace gpucost

namespace mlir {

template <typename Enum>
struct FieldParser<
    Enum, std::enable_if_t<::gpucost::IsEnumeration<Enum>::value, Enum>> {
  template <typename ParserT> static FailureOr<Enum> parse(ParserT &parser) {
    llvm::StringRef summary = ::gpucost::EnumTraits<Enum>::summary;
    llvm::SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (failed(parser.parseOptionalKeywordOrString(&name)))
      return parser.emitError(loc, "expected keyword for ") << summary;
    if (std::optional<Enum> value = ::gpucost::symbolizeEnum<Enum>(name))
      return *value;
    std::string names;
    for (const auto &each : ::gpucost::EnumTraits<Enum>::cases)
      names.append(names.empty() ? "" : ", ").append(each.name);
    return parser.emitError(loc, "expected one of [")
           << names << "] for " << summary << ", got: " << name;
  }
};

} // namespace mlir

#endif // GPUCOST_COMPILER_SUPPORT_ENUMPARSER_H
