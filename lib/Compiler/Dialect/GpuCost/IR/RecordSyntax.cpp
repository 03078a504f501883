//===- RecordSyntax.cpp - Assembly format of records ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordSyntax.h"

using namespace mlir;
using namespace gpucost;

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

/// Null if no record matches.
template <typename Matches>
static const RecordAttrSyntax *findRecord(Matches matches) {
  for (llvm::ArrayRef<RecordAttrSyntax> records :
       {kernelRecords(), gpuRecords(), coefficientRecords()})
    for (const RecordAttrSyntax &record : records)
      if (matches(StringRef(record.type().mnemonic)))
        return &record;
  return nullptr;
}

/// The record with the attribute name, such as "gpucost.work".
static const RecordAttrSyntax *findRecord(Attribute attr) {
  StringRef name = attr.getAbstractAttribute().getName();
  if (!name.consume_front("gpucost."))
    return nullptr;
  return findRecord([&](StringRef mnemonic) { return mnemonic == name; });
}

namespace {
/// Record tokens from MLIR's parser.
class AsmSource : public RecordSource {
public:
  explicit AsmSource(AsmParser &parser) : parser(parser) {}

  Place here() override { return parser.getCurrentLocation().getPointer(); }
  bool fail(Place at, const std::string &message) override {
    parser.emitError(SMLoc::getFromPointer(at), message);
    return false;
  }
  bool optionalWord(std::string_view &word) override {
    StringRef keyword;
    bool isThere = succeeded(parser.parseOptionalKeyword(&keyword));
    word = keyword;
    return isThere;
  }
  bool optionalText(std::string &text) override {
    return succeeded(parser.parseOptionalKeywordOrString(&text));
  }
  bool integer(int64_t &value) override {
    return succeeded(parser.parseInteger(value));
  }
  bool number(double &value) override {
    int64_t whole = 0;
    OptionalParseResult integer = parser.parseOptionalInteger(whole);
    value = static_cast<double>(whole);
    return succeeded(integer.has_value() ? *integer : parser.parseFloat(value));
  }
  bool equals() override { return succeeded(parser.parseEqual()); }
  bool list(bool isRecord, const std::function<bool()> &item) override {
    return succeeded(parser.parseCommaSeparatedList(
        isRecord ? AsmParser::Delimiter::LessGreater
                 : AsmParser::Delimiter::Square,
        [&] { return success(item()); }));
  }
  bool optionalWhole(WholeRecord &record) override {
    Attribute attr;
    SMLoc at = parser.getCurrentLocation();
    OptionalParseResult parsed = parser.parseOptionalAttribute(attr);
    if (!parsed.has_value())
      return true;
    if (failed(*parsed))
      return false;
    const RecordAttrSyntax *found = findRecord(attr);
    if (!found)
      return succeeded(parser.emitError(at, "expected a record, but got ")
                       << attr);
    record = {&found->type(), found->value(attr)};
    return true;
  }

private:
  AsmParser &parser;
};
} // namespace

Attribute gpucost::parseRecordAttribute(AsmParser &parser, SMLoc loc,
                                        StringRef mnemonic) {
  const RecordAttrSyntax *found =
      findRecord([&](StringRef each) { return each == mnemonic; });
  if (!found) {
    parser.emitError(loc, "unknown attribute `")
        << mnemonic << "` in dialect `gpucost`";
    return {};
  }
  AsmSource source(parser);
  std::shared_ptr<void> record = found->type().create();
  if (!readRecord(source, found->type(), record.get()))
    return {};
  return found->get(parser.getContext(), record.get());
}

bool gpucost::printRecordAttribute(Attribute attr, AsmPrinter &printer) {
  const RecordAttrSyntax *found = findRecord(attr);
  if (!found)
    return false;
  std::string text(found->type().mnemonic);
  printRecord(text, found->type(), found->value(attr));
  printer.getStream() << text;
  return true;
}
