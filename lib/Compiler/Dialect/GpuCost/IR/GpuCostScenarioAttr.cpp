//===- GpuCostScenarioAttr.cpp - Settings on the module -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/QuantityParser.h"
#include "gpucost/Core/Scenario/SettingRow.h"

using namespace mlir;
using namespace gpucost;

template <typename T>
static void printValue(AsmPrinter &printer, const T &value,
                       const ValueSpec &spec) {
  if constexpr (IsQuantity<T>::value)
    printer.getStream() << value;
  else if constexpr (std::is_enum_v<T> || std::is_same_v<T, Parallelism> ||
                     std::is_same_v<T, Recomputation>)
    printer.printKeywordOrString(toText(value, spec));
  else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int64_t>)
    printer << toText(value, spec);
  else
    printer.printString(toText(value, spec));
}

void ScenarioAttr::print(AsmPrinter &printer) const {
  printer << '<';
  StringRef separator;
  forEachSetting([&](const auto &row) {
    const auto &value = getValue().*row.stated;
    if (!value)
      return;
    printer << separator << row.key() << " = ";
    printValue(printer, *value, row.spec);
    separator = ", ";
  });
  printer << '>';
}

template <typename Row>
static ParseResult parseValue(AsmParser &parser, const Row &row,
                              Scenario &scenario) {
  using T = typename Row::Type;
  if constexpr (Row::isNumber) {
    FailureOr<T> value = FieldParser<T>::parse(parser);
    if (failed(value))
      return failure();
    scenario.*row.stated = *value;
    return success();
  } else {
    SMLoc loc = parser.getCurrentLocation();
    std::string text;
    if (parser.parseKeywordOrString(&text))
      return failure();
    if (llvm::Error error = state(scenario, row.flag, text))
      return parser.emitError(loc, llvm::toString(std::move(error)));
    return success();
  }
}

Attribute ScenarioAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Scenario scenario;
  auto parseOne = [&]() -> ParseResult {
    SMLoc keyLoc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    ParseResult result = failure();
    bool known = visitSetting(key, [&](const auto &row) {
      if (scenario.*row.stated)
        parser.emitError(keyLoc, "setting '") << key << "' is stated twice";
      else
        result = parseValue(parser, row, scenario);
    });
    if (!known)
      return parser.emitError(keyLoc, "unknown setting '") << key << "'";
    return result;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  return parser.getChecked<ScenarioAttr>(loc, parser.getContext(), scenario);
}

LogicalResult ScenarioAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Scenario scenario) {
  if (llvm::Error error = checkValues(scenario, std::nullopt))
    return emitError() << llvm::toString(std::move(error));
  return success();
}
