//===- GpuCostAttrs.cpp - Annotation attributes ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordSyntax.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostCostAttr.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "gpucost/Compiler/Support/QuantityParser.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace gpucost;

static FailureOr<std::optional<Seconds>> parseIntervalEnd(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("open")))
    return std::optional<Seconds>(std::numeric_limits<double>::infinity());
  return FieldParser<std::optional<Seconds>>::parse(parser);
}

static void printIntervalEnd(AsmPrinter &printer, std::optional<Seconds> end) {
  if (std::isinf(end->value()))
    printer << "open";
  else
    printer << roundedText(*end);
}

#define GET_ATTRDEF_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAllAttrs.cpp.inc"

void GpuCostDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAllAttrs.cpp.inc"
      >();
  registerKernelAttributes();
  registerGpuAttributes();
  registerCoefficientAttributes();
}

Attribute GpuCostDialect::parseAttribute(DialectAsmParser &parser,
                                         Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attr;
  OptionalParseResult generated =
      generatedAttributeParser(parser, &mnemonic, type, attr);
  if (generated.has_value())
    return attr;
  return parseRecordAttribute(parser, loc, mnemonic);
}

void GpuCostDialect::printAttribute(Attribute attr,
                                    DialectAsmPrinter &printer) const {
  if (failed(generatedAttributePrinter(attr, printer)))
    printRecordAttribute(attr, printer);
}
