//===- RecordText.h - Records as text ---------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The syntax of records (Support/Record.h) in data files and in MLIR
// attributes: `<keyword = value, ...>` in any order. Fields with default values
// are omitted. A nested record is written as `<...>`, as a whole record
// `#gpucost.tile<...>` or as an alias. A RecordSource supplies the tokens from
// a data file (Targets/DataText.h) or from MLIR's parser
// (lib/Compiler/Dialect/GpuCost/IR/RecordSyntax.h). Model/RecordTypes.h erases
// the types, so that all records share one copy of this code.
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
  /// The first fault of a user-written record; empty if there is none.
  std::string (*findFault)(const void *record);
  std::shared_ptr<void> (*create)();
  void (*assign)(void *to, const void *from);
};

template <typename Record> const RecordType &recordType();

/// A record `#gpucost.tile<...>`, possibly named by an alias.
struct WholeRecord {
  const RecordType *type = nullptr;
  const void *value = nullptr;
};

/// A token source. Functions that return false have reported an error, except
/// the `optional...` ones.
class RecordSource {
public:
  using Place = const char *;

  virtual ~RecordSource() = default;
  virtual Place here() = 0;
  /// Reports an error and returns false.
  virtual bool fail(Place at, const std::string &message) = 0;
  virtual bool optionalWord(std::string_view &word) = 0;
  /// A word or a quoted string.
  virtual bool optionalText(std::string &text) = 0;
  virtual bool integer(int64_t &value) = 0;
  virtual bool number(double &value) = 0;
  virtual bool equals() = 0;
  /// `<item, ...>` or `[item, ...]`.
  virtual bool list(bool isRecord, const std::function<bool()> &item) = 0;
  /// A whole record if one comes next; else sets its type to null.
  virtual bool optionalWhole(WholeRecord &record) = 0;
};

/// Reads `<keyword = value, ...>` into `record` and checks it.
bool readRecord(RecordSource &source, const RecordType &type, void *record);
void printRecord(std::string &text, const RecordType &type, const void *record);

// Helpers for the fields of a record.
/// Out of line because every field of every record calls it.
void addField(std::vector<RecordField> &fields, const FieldInfo &info,
              void *value, const FieldType &type);
bool readNestedRecord(RecordSource &source, const RecordType &type,
                      void *record);
bool readNumber(RecordSource &source, Span<Unit> units, double &value);
bool readInteger(RecordSource &source, int64_t low, int64_t high,
                 int64_t &value);
bool readFlag(RecordSource &source, bool &value);
bool readText(RecordSource &source, std::string &value);
/// Reads one of `names` and sets `index`; `what` describes the names in
/// messages.
bool readName(RecordSource &source, std::string_view what,
              Span<std::string_view> names, size_t &index);
/// Prints `value` in quotes, with escapes.
void printText(std::string &text, std::string_view value);
/// Prints `name`, in quotes if it is not a keyword.
void printName(std::string &text, std::string_view name);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_RECORDTEXT_H
