//===- QuantityParser.h - Quantities as attribute parameters ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's FieldParser for quantities: `number unit`; Scalars have no unit.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_QUANTITYPARSER_H
#define GPUCOST_COMPILER_SUPPORT_QUANTITYPARSER_H

#include "gpucost/Compiler/Support/Streams.h"
#include "mlir/IR/DialectImplementation.h"
#include <optional>

namespace mlir {

template <typename Tag> struct FieldParser<::gpucost::Quantity<Tag>> {
  template <typename ParserT>
  static FailureOr<::gpucost::Quantity<Tag>> parse(ParserT &parser) {
    double number = 0.0;
    int64_t whole = 0;
    OptionalParseResult integer = parser.parseOptionalInteger(whole);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      number = static_cast<double>(whole);
    } else if (failed(parser.parseFloat(number))) {
      return failure();
    }
    ::gpucost::Span<::gpucost::Unit> units = ::gpucost::unitsOf<Tag>();
    if (units.empty())
      return ::gpucost::Quantity<Tag>(number);
    llvm::SMLoc loc = parser.getCurrentLocation();
    llvm::StringRef unit;
    if (failed(parser.parseOptionalKeyword(&unit)))
      return parser.emitError(loc, "expected a unit, one of ")
             << ::gpucost::listUnits(units);
    std::optional<double> size = ::gpucost::findUnit(units, unit);
    if (!size)
      return parser.emitError(loc, "unknown unit '")
             << unit << "', expected one of " << ::gpucost::listUnits(units);
    return ::gpucost::Quantity<Tag>(number * *size);
  }
};

/// An optional quantity that is present.
template <typename Tag>
struct FieldParser<std::optional<::gpucost::Quantity<Tag>>> {
  template <typename ParserT>
  static FailureOr<std::optional<::gpucost::Quantity<Tag>>>
  parse(ParserT &parser) {
    auto value = FieldParser<::gpucost::Quantity<Tag>>::parse(parser);
    if (failed(value))
      return failure();
    return std::optional<::gpucost::Quantity<Tag>>(*value);
  }
};

} // namespace mlir

#endif // GPUCOST_COMPILER_SUPPORT_QUANTITYPARSER_H
