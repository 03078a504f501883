//===- RecordTypes.h - Type-erased records and fields -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines `recordType<Record>()`, which Support/RecordText.h declares. Files
// that include this header instantiate it: lib/Core/Model/RecordTypes.cpp for
// data file records, lib/Compiler/Dialect/GpuCost/IR/KernelAttrs.cpp for
// kernels.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_RECORDTYPES_H
#define GPUCOST_CORE_MODEL_RECORDTYPES_H

#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/RecordText.h"

namespace gpucost {

namespace detail {

template <typename T> struct UnitsOf {
  static Span<Unit> get() { return {}; }
};
template <typename Tag> struct UnitsOf<Quantity<Tag>> {
  static Span<Unit> get() { return unitsOf<Tag>(); }
};

template <typename Enum> bool readCase(RecordSource &source, Enum &value) {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const auto &each : EnumTraits<Enum>::cases)
      all.push_back(each.name);
    return all;
  }();
  size_t index = 0;
  if (!readName(source, EnumTraits<Enum>::summary, names, index))
    return false;
  value = EnumTraits<Enum>::cases[index].value;
  return true;
}

/// A problem is always written with its mnemonic, which selects the
/// alternative.
template <typename... Records>
bool readProblem(RecordSource &source, std::variant<Records...> &value) {
  RecordSource::Place at = source.here();
  WholeRecord whole;
  if (!source.optionalWhole(whole))
    return false;
  auto take = [&](auto record) {
    using Record = decltype(record);
    bool isThis =
        whole.type && whole.type->mnemonic == RecordTraits<Record>::mnemonic;
    if (isThis)
      value = *static_cast<const Record *>(whole.value);
    return isThis;
  };
  return (take(Records()) || ...) || source.fail(at, "expected a problem");
}

template <typename T> bool readValue(RecordSource &source, T &value) {
  if constexpr (IsOptional<T>::value) {
    return readValue(source, value.emplace());
  } else if constexpr (IsList<T>::value) {
    value.clear();
    return source.list(/*isRecord=*/false,
                       [&] { return readValue(source, value.emplace_back()); });
  } else if constexpr (std::is_same_v<T, Problem>) {
    return readProblem(source, value);
  } else if constexpr (IsRecord<T>::value) {
    return readNestedRecord(source, recordType<T>(), &value);
  } else if constexpr (IsNumber<T>::value) {
    double number = 0;
    bool isRead = readNumber(source, UnitsOf<T>::get(), number);
    assignNumber(value, number);
    return isRead;
  } else if constexpr (std::is_same_v<T, bool>) {
    return readFlag(source, value);
  } else if constexpr (std::is_enum_v<T>) {
    return readCase(source, value);
  } else if constexpr (std::is_integral_v<T>) {
    int64_t number = 0;
    bool isRead = readInteger(source, std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max(), number);
    value = static_cast<T>(number);
    return isRead;
  } else {
    return readText(source, value);
  }
}

template <typename T> void printValue(std::string &text, const T &value) {
  if constexpr (IsOptional<T>::value) {
    printValue(text, *value);
  } else if constexpr (IsList<T>::value) {
    text += '[';
    for (const auto &item : value) {
      if (text.back() != '[')
        text += ", ";
      printValue(text, item);
    }
    text += ']';
  } else if constexpr (std::is_same_v<T, Problem>) {
    std::visit(
        [&](const auto &problem) {
          using P = std::decay_t<decltype(problem)>;
          text.append("#gpucost.").append(RecordTraits<P>::mnemonic);
          printRecord(text, recordType<P>(), &problem);
        },
        value);
  } else if constexpr (IsRecord<T>::value) {
    printRecord(text, recordType<T>(), &value);
  } else if constexpr (IsNumber<T>::value) {
    text += quantityText(numberOf(value), UnitsOf<T>::get());
  } else if constexpr (std::is_same_v<T, bool>) {
    text += value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    printName(text, stringifyEnum(value));
  } else if constexpr (std::is_integral_v<T>) {
    text += std::to_string(value);
  } else {
    printText(text, value);
  }
}

template <typename T>
inline constexpr FieldType fieldType = {
    [](RecordSource &source, void *value) {
      return readValue(source, *static_cast<T *>(value));
    },
    [](std::string &text, const void *value) {
      printValue(text, *static_cast<const T *>(value));
    },
    [](const void *a, const void *b) {
      return *static_cast<const T *>(a) == *static_cast<const T *>(b);
    }};

} // namespace detail

template <typename Record> const RecordType &recordType() {
  static constexpr RecordType type = {
      RecordTraits<Record>::mnemonic,
      [](void *record) {
        std::vector<RecordField> fields;
        visitFields(*static_cast<Record *>(record),
                    [&](const FieldInfo &info, auto &value) {
                      using T = std::decay_t<decltype(value)>;
                      addField(fields, info, &value, detail::fieldType<T>);
                    });
        return fields;
      },
      [](const void *value) {
        const Record &record = *static_cast<const Record *>(value);
        std::string fault = findFault(record);
        return fault.empty() ? findFaultInFile(record) : fault;
      },
      []() -> std::shared_ptr<void> { return std::make_shared<Record>(); },
      [](void *to, const void *from) {
        *static_cast<Record *>(to) = *static_cast<const Record *>(from);
      }};
  return type;
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_RECORDTYPES_H
