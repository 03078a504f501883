//===- CopyReport.cpp - Records of a report as C structs ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyReport.h"
#include "gpucost/Core/Support/Record.h"

using namespace gpucost;
using namespace gpucost::capi;

namespace {
/// Records and fields that C does not have.
struct NoCStruct {};
struct NoMember {};
} // namespace

template <typename Tag> static void assign(double &to, Quantity<Tag> value) {
  to = value.value();
}
static void assign(double &to, std::optional<double> value) {
  to = value.value_or(unknown);
}
/// Counts, truth values, and real numbers that are whole numbers in C++.
template <typename Number, typename T>
static std::enable_if_t<std::is_arithmetic_v<Number> && std::is_arithmetic_v<T>>
assign(Number &to, T value) {
  to = static_cast<Number>(value);
}
static void assign(const char *&to, const std::string &text) {
  to = text.c_str();
}
template <typename Enum>
static std::enable_if_t<std::is_enum_v<Enum>> assign(uint32_t &to, Enum value) {
  if constexpr (std::is_same_v<Enum, NumericFormat>)
    to = toC(value);
  else
    to = static_cast<uint32_t>(value);
}
static void assign(gpucostCost &to, const KernelRow &row) {
  KernelCost cost;
  cost.tiling = row.tiling;
  cost.time = row.time;
  cost.events = {unknown, unknown, unknown, unknown, unknown};
  cost.clock = row.time.clock;
  cost.power = row.power;
  cost.energy = row.energy;
  to = describe(cost, row.flops, row.bytes);
}

/// A value that C does not have is not computed.
template <typename Get>
static void copyField(NoMember, bool /*isKnown*/, Presence, Get) {}
template <typename Member, typename Get>
static void copyField(Member &to, bool isKnown, Presence presence, Get get) {
  assign(to, get());
  if constexpr (std::is_same_v<Member, double>)
    if (presence == Presence::Known && !isKnown)
      to = unknown;
}

#define VIEW(Visited, className, cStruct, doc)                                 \
  [[maybe_unused]] static void copyFields(cStruct &out, const Visited &r) {    \
    bool known = isKnown(r);                                                   \
    (void)out, (void)known;
#define REPORT(Struct, Visited, className, cStruct, doc)                       \
  VIEW(Visited, className, cStruct, doc)
#define IN_C(position, type, name) out.name
#define NOT_IN_C NoMember()
#define COMPUTED(expression, key, unit, presence, c, doc)                      \
  copyField(c, known, Presence::presence,                                      \
            [&]() -> decltype(auto) { return (expression); });
#define FIELD(Type, member, key, unit, presence, c, doc)                       \
  COMPUTED(r.member, key, unit, presence, c, doc)
#define INITIAL_FIELD(Type, member, initial, key, unit, presence, c, doc)      \
  COMPUTED(r.member, key, unit, presence, c, doc)
#define C_ONLY(expression, c, doc)                                             \
  COMPUTED(expression, "", none, Always, c, doc)
#define MEMBERS(...)
#define END_REPORT }
#define END_VIEW }
#include "gpucost/Core/Report/Report.def"

void capi::copyTo(gpucostTotals &out, const IterationReport &report) {
  copyFields(out, report);
}
void capi::copyTo(gpucostPhaseTotals &out, const PhaseTotals &phase) {
  copyFields(out, phase);
}
void capi::copyTo(gpucostKernelRow &out, const KernelRow &row) {
  copyFields(out, row);
}
