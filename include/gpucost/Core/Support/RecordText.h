//===- RecordText.h - Records as text ---------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one syntax of records (Support/Record.h), in data files and in MLIR
// attributes: `<keyword = value, ...>` in any order. A field that has its
// default is left out. A nested record is `<...>` or a whole one,
// `#gpucost.tile<...>` or a name for it. A RecordSource supplies the tokens:
// those of a data file (Archive/DataText.h) or of MLIR's parser
// (lib/Compiler/Dialect/GpuCost/IR/RecordSyntax.h). Types are erased, so that
// there is one copy of this code for all records; Model/RecordTypes.h erases
// them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_RECORDTEXT_H
#define GPUCOST_CORE_SUPPORT_RECORDTEXT_H

#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Support/Record.h"
#include <functional>
#include <memory>
#include <vector>

namespace gpucost {

class RecordSource;

/// The syntax of a field's type.
struct FieldType {
  bool (*read)(RecordSource &source, void *value);
  void (*print)(std::string &text, const void *value);
  bool (*equal)(const void *a, const void *b);
};

/// One field of a record in memory.
struct RecordField {
  const FieldInfo *info;
  void *value;
  const FieldType *type;
};

/// A kind of record without its C++ type.
struct RecordType {
  std::string_view mnemonic;
  std::vector<RecordField> (*fields)(void *record);
  /// What is wrong with a record that a user has written; empty when nothing.
  std::string (*findFault)(const void *record);
  std::shared_ptr<void> (*create)();
  void (*assign)(void *to, const void *from);
};

template <typename Record> const RecordType &recordType();

/// `#gpucost.tile<...>`, or the name of one.
struct WholeRecord {
  const RecordType *type = nullptr;
  const void *value = nullptr;
};

/// Tokens. What returns a bool has reported an error when it returns false,
/// except for the optional ones.
class RecordSource {
public:
  using Place = const char *;

  virtual ~RecordSource() = default;
  virtual Place here() = 0;
  /// Reports an error; false.
  virtual bool fail(Place at, const std::string &message) = 0;
  virtual bool optionalWord(std::string_view &word) = 0;
  /// A word or a quoted text.
  virtual bool optionalText(std::string &text) = 0;
  virtual bool integer(int64_t &value) = 0;
  virtual bool number(double &value) = 0;
  virtual bool equals() = 0;
  /// `<item, ...>` or `[item, ...]`.
  virtual bool list(bool isRecord, const std::function<bool()> &item) = 0;
  /// A whole record where one comes next; else its type is null.
  virtual bool optionalWhole(WholeRecord &record) = 0;
};

/// `<keyword = value, ...>` into `record`, which is checked afterwards.
bool readRecord(RecordSource &source, const RecordType &type, void *record);
void printRecord(std::string &text, const RecordType &type, const void *record);

// For the fields of a record.
/// Out of line: every field of every record calls it.
void addField(std::vector<RecordField> &fields, const FieldInfo &info,
              void *value, const FieldType &type);
bool readNestedRecord(RecordSource &source, const RecordType &type,
                      void *record);
bool readNumber(RecordSource &source, Span<Unit> units, double &value);
bool readInteger(RecordSource &source, int64_t low, int64_t high,
                 int64_t &value);
bool readFlag(RecordSource &source, bool &value);
bool readText(RecordSource &source, std::string &value);
/// The index of one of `names`; `what` says what they are.
bool readName(RecordSource &source, std::string_view what,
              Span<std::string_view> names, size_t &index);
/// In quotes, with escapes.
void printText(std::string &text, std::string_view value);
/// In quotes where it is no keyword.
void printName(std::string &text, std::string_view name);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_RECORDTEXT_H
