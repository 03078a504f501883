//===- Record.h - Plain structs that know their fields ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record is a plain struct whose fields stand once in a .def file:
//
//   RECORD(Tile, "tile", "candidate CTA tile")
//   FIELD(int32_t, m, "m", Positive, NoNote, "rows")
//   OPTIONAL_FIELD(int32_t, warps, "warps", 0, between(0, 32), NoNote, "warps")
//   END_RECORD(Tile)
//
// DefineRecords.inc makes of it the struct, `==`, `hash_value` and
// `visitFields(record, visit)`, which calls `visit(FieldInfo, value)` for each
// field in order. Range check (Model/Validation.h), text (RecordText.h) of data
// files and attributes, calibration and the JSON dump follow from
// `visitFields`. Neither LLVM nor MLIR here.
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

/// The numbers that a field may hold, in SI base units. Finite ones only.
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

/// What `gpu-cost-opt calibrate` may do with a coefficient. Physical ones may
/// not move far on a healthy GPU; a Rate is the same, a constant of the die at
/// a given clock, of which another die says little; a Shape absorbs what the
/// equations leave out.
enum class ParameterKind { Fixed, Physical, Rate, Shape };

/// The prior of a fit to tables of measured kernels by scripts:
/// joint value of several GPUs, deviation of its log, bounds; SI units. A value
/// of 0 scales with the GPU: the script that fits it knows how.
struct JointPrior {
  double value = 0, deviation = 0, low = 0, high = 0;
};

/// What a coefficient is called in docs/CostModel.md and how it is calibrated.
struct FieldNote {
  std::string_view symbol = "";
  ParameterKind kind = ParameterKind::Fixed;
  /// Of the prior of the log around the shipped value, and bounds in SI units.
  double deviation = 0, low = 0, high = 0;
  /// A group of `Coefficients` in which it is not moved.
  std::string_view fixedIn = "";
  /// Without one its deviation is 0.
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
  bool required;            ///< else left out of the text at its default
  Range range;
  FieldNote note;
  std::string_view doc;
};

/// `mnemonic`: name of the record in attributes, without the dialect;
/// `summary`.
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

/// The vocabulary of the columns in .def files.
namespace fields {
inline constexpr double us = 1e-6, pJ = 1e-12;

inline constexpr Range AnyValue{};
inline constexpr Range Positive{0, std::numeric_limits<double>::infinity(),
                                false};
inline constexpr Range NotNegative{0};
inline constexpr Range AtLeastOne{1};
inline constexpr Range Fraction{0, 1};
/// A fraction of a hardware rate. Fits reach 1.0977 where the datasheet's clock
/// is below the real one.
inline constexpr Range Efficiency{0, 1.1, false};
/// Fits of the fraction of the L2 may go beyond 1: their notion of capacity is
/// soft.
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

/// Fields that hold one real number.
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
