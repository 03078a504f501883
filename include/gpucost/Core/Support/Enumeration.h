//===- Enumeration.h - Enumerations with names ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of an enumeration's cases, and lookup functions.
// Vocabulary/DefineEnums.inc defines `EnumTraits` for Vocabulary/Enums.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_ENUMERATION_H
#define GPUCOST_CORE_SUPPORT_ENUMERATION_H

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

namespace gpucost {

template <typename Enum> struct EnumCase {
  Enum value;
  std::string_view name;
};

/// `summary` and `cases` of an enumeration.
template <typename Enum> struct EnumTraits;

/// Enumerations with `EnumTraits`.
template <typename T, typename = void>
struct IsEnumeration : std::false_type {};
template <typename T>
struct IsEnumeration<T, std::void_t<decltype(EnumTraits<T>::summary)>>
    : std::true_type {};

/// Name of `value`; empty if it is not one of the cases.
template <typename Enum> std::string_view stringifyEnum(Enum value) {
  for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
    if (each.value == value)
      return each.name;
  return {};
}

/// The case called `name`.
template <typename Enum>
std::optional<Enum> symbolizeEnum(std::string_view name) {
  for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
    if (each.name == name)
      return each.value;
  return std::nullopt;
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_ENUMERATION_H
