//===- Record.h - Structs with field descriptions ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record is a plain struct whose fields are defined in a .def file:
//
//   RECORD(Tile, "tile", "candidate CTA tile")
//   FIELD(int32_t, m, "m", Positive, NoNote, "rows")
//   OPTIONAL_FIELD(int32_t, warps, "warps", 0, between(0, 32), NoNote, "warps")
//   END_RECORD(Tile)
//
// DefineRecords.inc generates the struct, `==`, `hash_value` and
// `visitFields(record, visit)`, which calls `visit(FieldInfo, value)` for each
// field in order. Range checks (Model/Validation.h), the text form of data
// files and attributes (RecordText.h), calibration and the JSON dump use
// `visitFields`. Independent of LLVM and MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_RECORD_H
#define GPUCOST_CORE_SUPPORT_RECORD_H

#include "gpucost/Core/Support/Hashing.h"
#include "gpucost/Core/Support/Quantity.h"
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpucost {

/// The valid numbers of a field, in SI base units. Only finite numbers are
/// valid.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool lowIncluded = true, highIncluded = true;

  constexpr bool contains(double x) const {
    return (lowIncluded ? x >= low : x > low) &&
           (highIncluded ? x <= high : x < high) &&
           x < std::numeric_limits<double>::infinity() &&
           x > -std::numeric_limits<double>::infinity();
  }
};

/// How `gpu-cost-opt calibrate` treats a coefficient. Fixed: not changed.
/// Physical: changes little on a healthy GPU. Rate: likewise, but constant per
/// die and clock, so other dies carry little information. Shape: absorbs
/// unmodelled effects.
enum class ParameterKind { Fixed, Physical, Rate, Shape };

/// The prior that the fit scripts use for tables of measured kernels: joint
/// value of several GPUs, deviation of its log, bounds; SI units. A value of 0
/// means that the fit script computes it from the GPU's facts.
struct JointPrior {
  double value = 0, deviation = 0, low = 0, high = 0;
};

/// Symbol of a coefficient in docs/CostModel.md, and its calibration rule.
struct FieldNote {
  std::string_view symbol = "";
  ParameterKind kind = ParameterKind::Fixed;
  /// Deviation of the log around the shipped value, and bounds in SI units.
  double deviation = 0, low = 0, high = 0;
  /// A group of `Coefficients` in which calibration does not change it.
  std::string_view fixedIn = "";
  /// Absent if its deviation is 0.
  JointPrior jointPrior = {};

  constexpr FieldNote notIn(std::string_view group) const {
    FieldNote note = *this;
    note.fixedIn = group;
    return note;
  }
  constexpr FieldNote joint(double value, double deviation, double low,
                            double high) const {
    FieldNote note = *this;
    note.jointPrior = JointPrior{value, deviation, low, high};
    return note;
  }
};

/// One field of a record.
struct FieldInfo {
  std::string_view keyword; ///< in attributes, JSON and messages
  bool required;            ///< else omitted from the text at its default
  Range range;
  FieldNote note;
  std::string_view doc;
};

/// `mnemonic` (attribute name without the dialect) and `summary`.
template <typename Record> struct RecordTraits;

/// Types with `visitFields`.
template <typename T, typename = void> struct IsRecord : std::false_type {};
template <typename T>
struct IsRecord<T, std::void_t<decltype(RecordTraits<T>::mnemonic)>>
    : std::true_type {};

template <typename T> struct IsList : std::false_type {};
template <typename T> struct IsList<std::vector<T>> : std::true_type {};
template <typename T> struct IsOptional : std::false_type {};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {};

/// Constants and functions for the columns of .def files.
namespace fields {
inline constexpr double us = 1e-6, pJ = 1e-12;

inline constexpr Range AnyValue{};
inline constexpr Range Positive{0, std::numeric_limits<double>::infinity(),
                                false};
inline constexpr Range NotNegative{0};
inline constexpr Range AtLeastOne{1};
inline constexpr Range Fraction{0, 1};
/// A fraction of a hardware rate. Fits reach 1.0977 if the datasheet's clock is
/// below the real one.
inline constexpr Range Efficiency{0, 1.1, false};
/// Fitted fractions of L2 may exceed 1 because they describe a soft capacity.
inline constexpr Range CacheFraction{0, 2, false};
constexpr Range between(double low, double high) { return {low, high}; }

inline constexpr FieldNote NoNote{};
constexpr FieldNote Fixed(std::string_view symbol) { return {symbol}; }
constexpr FieldNote Physical(std::string_view symbol, double deviation,
                             double low, double high) {
  return {symbol, ParameterKind::Physical, deviation, low, high};
}
constexpr FieldNote Rate(std::string_view symbol, double deviation, double low,
                         double high) {
  return {symbol, ParameterKind::Rate, deviation, low, high};
}
constexpr FieldNote Shape(std::string_view symbol, double deviation, double low,
                          double high) {
  return {symbol, ParameterKind::Shape, deviation, low, high};
}
} // namespace fields

/// The number in a field; quantities in SI base units.
constexpr double numberOf(double value) { return value; }
template <typename Tag> constexpr double numberOf(Quantity<Tag> value) {
  return value.value();
}
template <typename Tag> void assignNumber(Quantity<Tag> &to, double value) {
  to = Quantity<Tag>(value);
}
inline void assignNumber(double &to, double value) { to = value; }

/// Fields with one real number.
template <typename T> struct IsNumber : std::is_same<T, double> {};
template <typename Tag> struct IsNumber<Quantity<Tag>> : std::true_type {};

/// Hash of one field.
inline size_t hashField(double value) { return hash_value(Scalar(value)); }
template <typename T> size_t hashField(const std::optional<T> &value);
template <typename T>
auto hashField(const T &value) -> decltype(value.begin(), size_t(0)) {
  if constexpr (std::is_same_v<T, std::string>) {
    return hashText(value);
  } else {
    size_t hash = value.size();
    for (const auto &item : value)
      hash = combineHashes(hash, hashField(item));
    return hash;
  }
}
template <typename T>
auto hashField(const T &value) -> decltype(hash_value(value)) {
  return hash_value(value);
}
template <typename T>
std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, size_t>
hashField(const T &value) {
  return static_cast<size_t>(value);
}
template <typename T> size_t hashField(const std::optional<T> &value) {
  return value ? hashField(*value) : size_t(0);
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_RECORD_H
