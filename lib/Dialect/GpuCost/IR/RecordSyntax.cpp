//===- RecordSyntax.cpp - Records as attribute text -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordSyntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

ParseResult gpucost::parseFields(AsmParser &parser,
                                 llvm::ArrayRef<FieldText> fields) {
  llvm::SmallVector<bool, 24> seen(fields.size(), false);
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    const auto *field = llvm::find_if(fields, [&](const FieldText &each) {
      return StringRef(each.info->keyword) == keyword;
    });
    size_t index = field - fields.begin();
    if (field == fields.end() || seen[index])
      return parser.emitError(loc,
                              "duplicate or unknown struct parameter name: ")
             << keyword;
    seen[index] = true;
    return field->syntax->parse(parser, field->value);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return failure();
  for (auto [field, isSeen] : llvm::zip_equal(fields, seen))
    if (field.info->required && !isSeen)
      return parser.emitError(parser.getCurrentLocation(),
                              "struct is missing required parameter: ")
             << field.info->keyword;
  return success();
}

void gpucost::printFields(AsmPrinter &printer, llvm::ArrayRef<FieldText> fields,
                          llvm::ArrayRef<FieldText> defaults) {
  printer << "<";
  llvm::ListSeparator comma;
  for (auto [field, initial] : llvm::zip_equal(fields, defaults)) {
    if (!field.info->required &&
        field.syntax->equal(field.value, initial.value))
      continue;
    printer.getStream() << StringRef(comma) << field.info->keyword << " = ";
    field.syntax->print(printer, field.value);
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

template <typename Visitor> static void forEachRecord(Visitor visit) {
  for (llvm::ArrayRef<RecordAttrSyntax> records :
       {kernelRecords(), gpuRecords(), coefficientRecords()})
    for (const RecordAttrSyntax &record : records)
      visit(record);
}

Attribute gpucost::parseRecordAttribute(AsmParser &parser, SMLoc loc,
                                        StringRef mnemonic) {
  const RecordAttrSyntax *found = nullptr;
  forEachRecord([&](const RecordAttrSyntax &record) {
    if (record.mnemonic.drop_front(StringRef("gpucost.").size()) == mnemonic)
      found = &record;
  });
  if (found)
    return found->parse(parser);
  parser.emitError(loc, "unknown attribute `")
      << mnemonic << "` in dialect `gpucost`";
  return {};
}

bool gpucost::printRecordAttribute(Attribute attr, AsmPrinter &printer) {
  bool isPrinted = false;
  forEachRecord([&](const RecordAttrSyntax &record) {
    // The name comes first: only its record knows whether it is the right one.
    if (isPrinted || record.mnemonic != attr.getAbstractAttribute().getName())
      return;
    printer << record.mnemonic.drop_front(StringRef("gpucost.").size());
    isPrinted = record.print(attr, printer);
  });
  return isPrinted;
}
