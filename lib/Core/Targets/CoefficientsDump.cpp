//===- CoefficientsDump.cpp - Coefficient descriptions as JSON ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dumps Model/Coefficients.def for the fit scripts.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/JsonStream.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include <cmath>

using namespace gpucost;

/// Quantity of a field, which determines the unit in coefficient files.
template <typename T> static std::string_view quantityOf() {
  if (std::is_same_v<T, double>)
    return "number";
  if (std::is_same_v<T, Seconds>)
    return "time";
  if (std::is_same_v<T, JoulesPerEvent>)
    return "energy";
  if (std::is_same_v<T, Hertz>)
    return "clock";
  if (std::is_same_v<T, Watts>)
    return "power";
  if (std::is_same_v<T, bool>)
    return "flag";
  if (std::is_same_v<T, std::string>)
    return "text";
  if (std::is_same_v<T, InstructionTable>)
    return "table";
  return "list";
}

static std::string_view nameOf(ParameterKind kind) {
  switch (kind) {
  case ParameterKind::Fixed:
    return "fixed";
  case ParameterKind::Physical:
    return "physical";
  case ParameterKind::Rate:
    return "rate";
  case ParameterKind::Shape:
    return "shape";
  }
  return "";
}

/// Prints all digits, because calibrations start from these numbers.
static void printNumber(JsonStream &j, std::string_view name, double value) {
  j.key(name);
  j.rawValue(shortestDouble(value));
}

static void printField(JsonStream &j, std::string_view group,
                       const FieldInfo &field, std::string_view quantity) {
  const FieldNote &note = field.note;
  j.object([&] {
    j.attribute("name", field.keyword);
    j.attribute("symbol", note.symbol);
    j.attribute("quantity", quantity);
    j.attribute("required", field.required);
    if (std::isfinite(field.range.low))
      printNumber(j, "low", field.range.low);
    if (std::isfinite(field.range.high))
      printNumber(j, "high", field.range.high);
    if (note.kind != ParameterKind::Fixed && note.fixedIn != group)
      j.attributeObject("calibration", [&] {
        j.attribute("kind", nameOf(note.kind));
        printNumber(j, "deviation", note.deviation);
        printNumber(j, "low", note.low);
        printNumber(j, "high", note.high);
      });
    if (note.jointPrior.deviation > 0)
      j.attributeObject("joint_prior", [&] {
        if (note.jointPrior.value > 0)
          printNumber(j, "value", note.jointPrior.value);
        printNumber(j, "deviation", note.jointPrior.deviation);
        printNumber(j, "low", note.jointPrior.low);
        printNumber(j, "high", note.jointPrior.high);
      });
    j.attribute("doc", field.doc);
  });
}

std::string gpucost::printCoefficientFields() {
  std::string text;
  JsonStream j(text);
  Coefficients none;
  j.object([&] {
    forEachGroup(none, [&](const GroupInfo &info, const auto &absent) {
      using Group = typename std::decay_t<decltype(absent)>::value_type;
      j.attributeObject(info.name, [&] {
        j.attribute("attribute", RecordTraits<Group>::mnemonic);
        j.attribute("doc", RecordTraits<Group>::summary);
        j.attributeArray("fields", [&] {
          Group group;
          visitFields(group, [&](const FieldInfo &field, const auto &value) {
            printField(j, info.name, field,
                       quantityOf<std::decay_t<decltype(value)>>());
          });
        });
      });
    });
  });
  return text + '\n';
}
