//===- CoefficientsDump.cpp - What a coefficient is, as JSON --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of Model/Coefficients.def for the scripts that fit them.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/CoefficientsWriter.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace gpucost;
namespace json = llvm::json;

/// What a field holds: decides the unit in coefficient files.
template <typename T> static llvm::StringRef quantityOf() {
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

static llvm::StringRef nameOf(ParameterKind kind) {
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

static void printField(json::OStream &j, std::string_view group,
                       const FieldInfo &field, llvm::StringRef quantity) {
  const FieldNote &note = field.note;
  j.object([&] {
    j.attribute("name", llvm::StringRef(field.keyword));
    j.attribute("symbol", llvm::StringRef(note.symbol));
    j.attribute("quantity", quantity);
    j.attribute("required", field.required);
    if (std::isfinite(field.range.low))
      j.attribute("low", field.range.low);
    if (std::isfinite(field.range.high))
      j.attribute("high", field.range.high);
    if (note.kind != ParameterKind::Fixed && note.fixedIn != group)
      j.attributeObject("calibration", [&] {
        j.attribute("kind", nameOf(note.kind));
        j.attribute("deviation", note.deviation);
        j.attribute("low", note.low);
        j.attribute("high", note.high);
      });
    if (note.jointPrior.deviation > 0)
      j.attributeObject("joint_prior", [&] {
        if (note.jointPrior.value > 0)
          j.attribute("value", note.jointPrior.value);
        j.attribute("deviation", note.jointPrior.deviation);
        j.attribute("low", note.jointPrior.low);
        j.attribute("high", note.jointPrior.high);
      });
    j.attribute("doc", llvm::StringRef(field.doc));
  });
}

void gpucost::printCoefficientFields(llvm::raw_ostream &os) {
  json::OStream j(os, /*IndentSize=*/1);
  Coefficients none;
  j.object([&] {
    forEachGroup(none, [&](const GroupInfo &info, const auto &absent) {
      using Group = typename std::decay_t<decltype(absent)>::value_type;
      j.attributeObject(info.name, [&] {
        j.attribute("attribute",
                    llvm::StringRef(RecordTraits<Group>::mnemonic));
        j.attribute("doc", llvm::StringRef(RecordTraits<Group>::summary));
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
  os << '\n';
}
