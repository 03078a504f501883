//===- RecordIo.h - Record serialization ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `writeField` and `readField` convert a record (Support/Record.h) to and from
// numbers, integers and strings with keywords. A sink has
//
//   number(keyword, double)  integer(keyword, int64_t)  text(keyword, string)
//   count(keyword, size_t): that many values follow
//
// and a source has the same functions, which return the value; after a fault
// they return zeros and counts of 0. ByteStream.h defines the compact form.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_BYTES_RECORDIO_H
#define GPUCOST_CORE_BYTES_RECORDIO_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Model/KernelWork.h"
#include <limits>

namespace gpucost {

namespace detail {
/// Sets `problem` to the alternative called `name`; false if there is none.
template <size_t I = 0>
bool chooseProblem(Problem &problem, std::string_view name) {
  if constexpr (I == std::variant_size_v<Problem>) {
    return false;
  } else {
    using P = std::variant_alternative_t<I, Problem>;
    if (name != RecordTraits<P>::mnemonic)
      return chooseProblem<I + 1>(problem, name);
    problem.emplace<P>();
    return true;
  }
}
} // namespace detail

template <typename Sink, typename Record>
void writeRecord(Sink &sink, const Record &record);

/// All values inside a field are written with the keyword of the field.
template <typename Sink, typename T>
void writeField(Sink &sink, std::string_view keyword, const T &value) {
  if constexpr (IsOptional<T>::value) {
    sink.count(keyword, value ? 1 : 0);
    if (value)
      writeField(sink, keyword, *value);
  } else if constexpr (IsList<T>::value) {
    sink.count(keyword, value.size());
    for (const auto &item : value)
      writeField(sink, keyword, item);
  } else if constexpr (std::is_same_v<T, Problem>) {
    std::visit(
        [&](const auto &problem) {
          using P = std::decay_t<decltype(problem)>;
          sink.text(keyword, RecordTraits<P>::mnemonic);
          writeRecord(sink, problem);
        },
        value);
  } else if constexpr (IsRecord<T>::value) {
    writeRecord(sink, value);
  } else if constexpr (IsNumber<T>::value) {
    sink.number(keyword, numberOf(value));
  } else if constexpr (std::is_enum_v<T>) {
    sink.text(keyword, stringifyEnum(value));
  } else if constexpr (std::is_integral_v<T>) {
    sink.integer(keyword, static_cast<int64_t>(value));
  } else {
    sink.text(keyword, value);
  }
}

template <typename Sink, typename Record>
void writeRecord(Sink &sink, const Record &record) {
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    writeField(sink, field.keyword, value);
  });
}

template <typename Source, typename Record>
void readRecord(Source &source, Record &record);

template <typename Source, typename T>
void readField(Source &source, std::string_view keyword, T &value) {
  if constexpr (IsOptional<T>::value) {
    size_t count = source.count(keyword);
    if (count > 1)
      source.fail(keyword);
    else if (count == 1)
      readField(source, keyword, value.emplace());
    else
      value.reset();
  } else if constexpr (IsList<T>::value) {
    size_t count = source.count(keyword);
    value.clear();
    while (count-- > 0 && source.good())
      readField(source, keyword, value.emplace_back());
  } else if constexpr (std::is_same_v<T, Problem>) {
    if (!detail::chooseProblem(value, source.text(keyword)))
      source.fail(keyword);
    else
      std::visit([&](auto &problem) { readRecord(source, problem); }, value);
  } else if constexpr (IsRecord<T>::value) {
    readRecord(source, value);
  } else if constexpr (IsNumber<T>::value) {
    assignNumber(value, source.number(keyword));
  } else if constexpr (std::is_enum_v<T>) {
    std::optional<T> known = symbolizeEnum<T>(source.text(keyword));
    if (known)
      value = *known;
    else
      source.fail(keyword);
  } else if constexpr (std::is_integral_v<T>) {
    int64_t number = source.integer(keyword);
    if (number < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
        number > static_cast<int64_t>(std::numeric_limits<T>::max()))
      source.fail(keyword);
    else
      value = static_cast<T>(number);
  } else {
    value = std::string(source.text(keyword));
  }
}

template <typename Source, typename Record>
void readRecord(Source &source, Record &record) {
  visitFields(record, [&](const FieldInfo &field, auto &value) {
    if (source.good())
      readField(source, field.keyword, value);
  });
}

} // namespace gpucost

#endif // GPUCOST_CORE_BYTES_RECORDIO_H
