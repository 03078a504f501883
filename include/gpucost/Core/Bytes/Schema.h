//===- Schema.h - Schemas of binary records ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keywords of all record fields, in order. Files can only be read with the
// fields they were written with, so the file version contains a hash of this
// schema and changes with every added field.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_BYTES_SCHEMA_H
#define GPUCOST_CORE_BYTES_SCHEMA_H

#include "gpucost/Core/Bytes/ByteStream.h"
#include "gpucost/Core/Bytes/RecordIo.h"

namespace gpucost {

template <typename Record> std::string schemaOf();

namespace detail {
template <typename T> std::string schemaOfField() {
  if constexpr (IsOptional<T>::value || IsList<T>::value)
    return "*" + schemaOfField<typename T::value_type>();
  else if constexpr (IsRecord<T>::value)
    return "{" + schemaOf<T>() + "}";
  else if constexpr (std::is_enum_v<T>)
    return "t";
  else
    return IsNumber<T>::value ? "n" : std::is_integral_v<T> ? "i" : "t";
}
template <size_t... I> std::string schemaOfProblems(std::index_sequence<I...>) {
  return (... +
          (std::string(
               RecordTraits<std::variant_alternative_t<I, Problem>>::mnemonic) +
           schemaOf<std::variant_alternative_t<I, Problem>>()));
}
} // namespace detail

template <typename Record> std::string schemaOf() {
  std::string text;
  Record record{};
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    using T = std::decay_t<decltype(value)>;
    text += std::string(field.keyword) + ":";
    if constexpr (std::is_same_v<T, Problem>)
      text += detail::schemaOfProblems(
          std::make_index_sequence<std::variant_size_v<Problem>>());
    else
      text += detail::schemaOfField<T>();
    text += " ";
  });
  return text;
}

/// `format` in the highest byte, a hash of `schema` in the others.
inline uint32_t archiveVersion(uint32_t format, std::string_view schema) {
  return format << 24 | static_cast<uint32_t>(stableHash(schema) & 0xffffff);
}

} // namespace gpucost

#endif // GPUCOST_CORE_BYTES_SCHEMA_H
