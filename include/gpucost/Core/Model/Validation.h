//===- Validation.h - Physical limits of facts and coefficients -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rejects numbers that are not physically possible, by field name, before an
// equation divides by them: checks the ranges of the .def files and the few
// rules that relate several fields. This is the only such check; files,
// calibrations and models built in C++ all use it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_VALIDATION_H
#define GPUCOST_CORE_MODEL_VALIDATION_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Model/CostModel.h"
#include <limits>

namespace gpucost {

namespace detail {

/// The largest plausible number of a type: larger ones come from a wrong unit,
/// and would make every sum meaningless.
template <typename T>
inline constexpr double largest = std::numeric_limits<double>::infinity();
template <> inline constexpr double largest<Seconds> = 1e3;
template <> inline constexpr double largest<JoulesPerEvent> = 1e-3;
template <> inline constexpr double largest<double> = 1e9;

/// "expected 'k0' of at least 0, but got -1"; empty if `value` is in range and
/// at most `most`.
std::string faultOfNumber(const FieldInfo &field, double value, double most);
std::string faultOf(const FieldInfo &field, const Tiles &tiles);
std::string faultOf(const FieldInfo &field, const AttentionTiles &tiles);
std::string faultOf(const FieldInfo &field, const Splits &splits);

// Rules that relate several fields.
template <typename T> std::string faultOfRules(const T &) { return {}; }
std::string faultOfRules(const Gpu &gpu);
std::string faultOfRules(const SimtGemmCoefficients &c);
std::string faultOfRules(const SimtConvCoefficients &c);
std::string faultOfRules(const PowerCoefficients &c);
std::string faultOfRules(const CollectiveCoefficients &c);
std::string faultOfRules(const ErrorBarCoefficients &c);
std::string faultOfRules(const Coefficients &c);
std::string faultOfRules(const KernelWork &work);

} // namespace detail

/// The first fault of a record, as a message; empty if there is none.
template <typename T> std::string findFault(const T &record);

namespace detail {
template <typename T>
std::string faultOf(const FieldInfo &field, const T &value) {
  if constexpr (IsNumber<T>::value || std::is_integral_v<T>)
    return std::is_same_v<T, bool>
               ? std::string()
               : faultOfNumber(field, numberOf(value), largest<T>);
  else if constexpr (IsRecord<T>::value)
    return findFault(value);
  else
    return {};
}
template <typename T>
std::string faultOf(const FieldInfo &field, const std::optional<T> &value) {
  if (!value)
    return {};
  std::string fault = faultOf(field, *value);
  if (!IsRecord<T>::value || fault.empty())
    return fault;
  return std::string(field.keyword) + ": " + fault;
}
template <typename T>
std::string faultOf(const FieldInfo &field, const std::vector<T> &list) {
  for (const T &item : list)
    if (std::string fault = faultOf(field, item); !fault.empty())
      return fault;
  return {};
}
} // namespace detail

template <typename T> std::string findFault(const T &record) {
  std::string fault;
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    using Value = std::decay_t<decltype(value)>;
    if (!fault.empty())
      return;
    // 0 means that an optional number is absent.
    if constexpr (IsNumber<Value>::value)
      if (!field.required && numberOf(value) == 0)
        return;
    fault = detail::faultOf(field, value);
  });
  return fault.empty() ? detail::faultOfRules(record) : fault;
}

/// Additional requirements on data files: sources, names, and peaks consistent
/// with SMs, clock and rate.
template <typename T> std::string findFaultInFile(const T &record) {
  std::string fault;
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
      if (field.keyword == "provenance" && value.empty())
        fault = "expected 'provenance' to name a source";
  });
  return fault;
}
std::string findFaultInFile(const Gpu &gpu);
std::string findFaultInFile(const Coefficients &c);
std::string findFaultInFile(const Target &target);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_VALIDATION_H
