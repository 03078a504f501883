//===- CoefficientAttrs.cpp - Groups of coefficients ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "RecordSyntax.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

#define EACH_TABLE RECORD(InstructionTable, "instruction_table", "")

#define GROUP(Struct, mnemonic, doc) RECORD(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use, classes)
#define FIELD(Type, member, keyword, range, note, doc)
#define OPTIONAL_FIELD(Type, member, keyword, initial, range, note, doc)
#define RECORD_METHODS(...)
#define END_RECORD(Struct)

#define RECORD(Struct, mnemonic, doc)                                          \
  template class gpucost::RecordAttr<Struct>;                                  \
  MLIR_DEFINE_EXPLICIT_TYPE_ID(::gpucost::RecordAttr<::gpucost::Struct>)
EACH_TABLE
#include "gpucost/Model/Coefficients.def"
#undef RECORD

llvm::ArrayRef<RecordAttrSyntax> gpucost::coefficientRecords() {
  static constexpr RecordAttrSyntax records[] = {
#define RECORD(Struct, mnemonic, doc) recordAttrSyntax<Struct>(),
      EACH_TABLE
#include "gpucost/Model/Coefficients.def"
#undef RECORD
  };
  return records;
}

void GpuCostDialect::registerCoefficientAttributes() {
#define RECORD(Struct, mnemonic, doc) addAttributes<RecordAttr<Struct>>();
  EACH_TABLE
#include "gpucost/Model/Coefficients.def"
#undef RECORD
}

//===----------------------------------------------------------------------===//
// InstructionTable
//===----------------------------------------------------------------------===//

ParseResult gpucost::parseRecord(AsmParser &parser, InstructionTable &table) {
  llvm::SmallVector<bool> seen(table.size(), false);
  seen[static_cast<unsigned>(InstructionClass::None)] = true;
  SMLoc start = parser.getCurrentLocation();
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    std::optional<InstructionClass> kind = symbolizeInstructionClass(name);
    if (!kind)
      return parser.emitError(loc, "unknown instruction class '")
             << name << "'";
    auto index = static_cast<unsigned>(*kind);
    if (seen[index])
      return parser.emitError(loc, "expected one value of '") << name << "'";
    seen[index] = true;
    SMLoc at = parser.getCurrentLocation();
    if (ValueSyntax<double>::parse(parser, table[index]))
      return failure();
    if (!fields::NotNegative.contains(table[index]))
      return parser.emitError(at, "expected '") << name << "' of at least 0";
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return failure();
  for (auto [i, isSeen] : llvm::enumerate(seen))
    if (!isSeen)
      return parser.emitError(start, "expected a value of '")
             << stringifyInstructionClass(static_cast<InstructionClass>(i))
             << "'";
  return success();
}

void gpucost::printRecord(AsmPrinter &printer, const InstructionTable &table) {
  printer << "<";
  llvm::ListSeparator comma;
  for (auto [i, number] : llvm::drop_begin(llvm::enumerate(table)))
    printer.getStream() << StringRef(comma)
                        << stringifyInstructionClass(
                               static_cast<InstructionClass>(i))
                        << " = " << Scalar(number);
  printer << ">";
}
