//===- Fields.h - Fields of a configuration ------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed access to the members of a JSON object from an untrusted file, and the
// properties of its model type (Families.def). The first fault is kept; later
// calls return harmless values, so that callers check once at the end.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_FIELDS_H
#define GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_FIELDS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpucost::configuration {

/// Largest size that a field may state: a vocabulary, or a width.
inline constexpr int64_t largestSize = int64_t(1) << 30;

class Fields {
public:
  /// `object` must outlive the fields.
  explicit Fields(const llvm::json::Object &object) : object(object) {}

  /// Whether the file has the field with a value other than null. Rotary fields
  /// are also looked up in `rope_parameters`, where newer files have them.
  bool has(llvm::StringRef name) const { return find(name) != nullptr; }
  /// A number of at least 0, or a truth value as 0 or 1.
  double number(llvm::StringRef name);
  bool flag(llvm::StringRef name, bool initial);
  std::string text(llvm::StringRef name, llvm::StringRef initial = "");
  /// Words or integers as text; empty if the field is missing.
  std::vector<std::string> list(llvm::StringRef name);
  const llvm::json::Object *nested(llvm::StringRef name);
  bool isText(llvm::StringRef name) const;
  /// The value of the field; null if it is missing or null.
  const llvm::json::Value *value(llvm::StringRef name) const {
    return find(name);
  }
  /// Whether the field is there and neither null, false, 0 nor empty.
  bool isTruthy(llvm::StringRef name) const;

  /// Records a fault unless there is one already.
  void fail(const llvm::Twine &message);
  bool failed() const { return !fault.empty(); }
  llvm::Error takeError() const;

  /// Fields with a value that nobody has read.
  std::vector<std::string> unread() const;

private:
  const llvm::json::Value *find(llvm::StringRef name) const;

  const llvm::json::Object &object;
  mutable llvm::StringSet<> read;
  std::string fault;
};

/// Whether a field changes neither shapes nor work in any model type.
bool isIgnoredField(llvm::StringRef name);

/// The properties of one model type, evaluated for the fields of a file.
class Properties {
public:
  /// Records a fault in `fields` if the type is unknown.
  Properties(llvm::StringRef modelType, Fields &fields);

  bool has(llvm::StringRef property) const { return rows.count(property) != 0; }
  /// A size from `least` to `largestSize`.
  int64_t size(llvm::StringRef property, int64_t least = 1);
  /// 0 if the property is missing.
  bool flag(llvm::StringRef property);
  /// The field of the file that the property is; "" if it is not one field.
  std::string fieldOf(llvm::StringRef property);
  /// The word that the property is.
  std::string word(llvm::StringRef property);

private:
  /// The number of the first alternative whose fields are there.
  double evaluate(llvm::StringRef property, bool isExact, unsigned depth = 0);
  double evaluateTerm(llvm::StringRef term, bool isExact, unsigned depth);
  bool isGiven(llvm::StringRef product) const;
  /// The text of the property with its conditions resolved.
  llvm::StringRef resolve(llvm::StringRef property);

  Fields &fields;
  llvm::StringMap<std::string> rows;
};

/// Every model type of Families.def except the roots, sorted.
std::vector<llvm::StringRef> modelTypes();

} // namespace gpucost::configuration

#endif // GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_FIELDS_H
