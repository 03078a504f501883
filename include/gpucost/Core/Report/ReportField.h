//===- ReportField.h - Definition of report fields --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .def file defines the fields of a report: C++ member, JSON key, unit,
// position in the C struct, documentation.
//
//   REPORT(PeakTensor, PeakTensor, "PeakTensor", NoCStruct, "tensor at ...")
//   FIELD(int64_t, bytes, "bytes", B, Always, NOT_IN_C, "")
//   COMPUTED(r.isLarge(), "is_large", none, Always, NOT_IN_C, "larger than ..")
//   END_REPORT
//
// The order of the rows is the order of the JSON keys. DefineReport.inc defines
// the structs, VisitReport.inc the traits for `visitReport`. JSON
// (RecordJson.h), CSV, schemas, the list of fields (RecordShape.h) and the C
// structs are generated from them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_REPORTFIELD_H
#define GPUCOST_CORE_REPORT_REPORTFIELD_H

#include "gpucost/Core/Model/ErrorBars.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpucost {

/// How JSON and CSV print a number that C++ and C store in SI base units.
struct FieldUnit {
  std::string_view label = ""; ///< first word of the documentation
  double factor = 1, divisor = 1;
  double low = 0, high = HUGE_VAL; ///< the range in schemas

  constexpr double of(double si) const { return si * factor / divisor; }
};

/// Values of the unit column.
namespace units {
inline constexpr FieldUnit none{}, fraction{"", 1, 1, 0, 1},
    anyNumber{"", 1, 1, -HUGE_VAL}, ms{"ms", 1e3}, us{"us", 1e6},
    hours{"h", 1, 3600}, watts{"W"}, joules{"J"}, kWh{"kWh", 1, 3.6e6},
    kilograms{"kg", 1, 1000}, MHz{"MHz", 1e-6}, B{"B"}, FLOP{"FLOP"},
    perSecond{"1/s"}, FLOPPerSecond{"FLOP/s"}, BPerSecond{"B/s"},
    anyBytes{"B", 1, 1, -1};
/// For differences, and for numbers stored in us, MHz and J.
inline constexpr FieldUnit usNumber{"us", 1, 1, -HUGE_VAL},
    msOfUs{"ms", 1e-3, 1, -HUGE_VAL}, MHzNumber{"MHz"},
    anyJoules{"J", 1, 1, -HUGE_VAL};
} // namespace units

/// Null means that the number is unknown. Optional values are null if absent;
/// Known fields are also null if no kernel of the iteration is known. LeftOut:
/// the key is omitted if the value is absent.
enum class Presence { Always, Known, LeftOut };

/// Position of a member in its C struct, starting at 1; 0: not in C.
struct CMember {
  int position;
  std::string_view type, name;
};
constexpr CMember inC(int position, std::string_view type,
                      std::string_view name) {
  return {position, type, name};
}

struct ReportField {
  std::string_view key; ///< in JSON; "" for a member that exists only in C
  FieldUnit unit;
  Presence presence;
  CMember c;
  std::string_view doc;
};

/// The value of a member that exists only in C.
struct OnlyInC {};

/// One end of the 80 % interval around `value`; null if the half-width is
/// unknown.
struct IntervalEnd {
  double value = 0; ///< SI
  std::optional<double> halfWidth;
  bool isHigh = false;
  double atMost = HUGE_VAL;

  /// Rounded like the interval ends of a value in this unit.
  double in(const FieldUnit &unit) const {
    if (!halfWidth)
      return std::nan("");
    return isHigh
               ? std::min(highEnd(unit.of(value), *halfWidth), unit.of(atMost))
               : lowEnd(unit.of(value), *halfWidth);
  }
};

template <typename Tag>
IntervalEnd lowOf(Quantity<Tag> value, std::optional<double> halfWidth) {
  return {value.value(), halfWidth};
}
template <typename Tag>
IntervalEnd highOf(Quantity<Tag> value, std::optional<double> halfWidth,
                   Quantity<Tag> atMost = Quantity<Tag>(HUGE_VAL)) {
  return {value.value(), halfWidth, true, atMost.value()};
}

/// The member `part` of `record`; nullopt without a record.
template <typename Record, typename T>
std::optional<T> partOf(const std::optional<Record> &record, T Record::*part) {
  return record ? std::optional<T>((*record).*part) : std::nullopt;
}
template <typename Record, typename T>
std::optional<T> partOf(const std::optional<Record> &record,
                        std::optional<T> Record::*part) {
  return record ? (*record).*part : std::nullopt;
}

/// `value`; nullopt for memory-bound kernels, which have no tile.
template <typename T>
std::optional<T> ifTiled(const Tiling &tiling, const T &value) {
  return tiling.tile.m > 0 ? std::optional<T>(value) : std::nullopt;
}
inline std::optional<std::string> implementationName(const Tiling &tiling) {
  if (tiling.implementation == ImplementationKind::None)
    return std::nullopt;
  return std::string(stringifyImplementationKind(tiling.implementation));
}
/// "128x64".
inline std::optional<std::string> tileTextOf(const Tiling &tiling) {
  return ifTiled(tiling, std::to_string(tiling.tile.m) + "x" +
                             std::to_string(tiling.tile.n));
}

/// A JSON object whose keys are data.
template <typename Key, typename T>
using KeyedValues = std::vector<std::pair<Key, T>>;
template <typename Case> using Shares = KeyedValues<Case, double>;

/// `className` (in Python), `cStruct`, `doc` and `visit`.
template <typename Record> struct ReportTraits;

/// Calls `visit(ReportField, get)` for each row; `get()` is the value.
template <typename Record, typename Visitor>
void visitReport(const Record &record, Visitor &&visit) {
  ReportTraits<Record>::visit(record, visit);
}

/// Types with `ReportTraits`.
template <typename T, typename = void> struct IsReport : std::false_type {};
template <typename T>
struct IsReport<T, std::void_t<decltype(ReportTraits<T>::className)>>
    : std::true_type {};

/// Whether the values of Known fields exist.
template <typename Record> bool isKnown(const Record &) { return true; }

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_REPORTFIELD_H
