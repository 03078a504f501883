//===- JsonInput.h - Untrusted JSON files -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads untrusted JSON files: nesting is bounded, and a member with an
// unexpected type is an error that names its path ("kernels[3].count").
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_JSONINPUT_H
#define GPUCOST_APPLICATIONS_COMPARE_JSONINPUT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace gpucost::compare {

/// Parses `text`, the contents of `file`, as an object. Errors begin with the
/// file; `expected` describes the expected object.
llvm::Expected<llvm::json::Object> parseJsonObject(llvm::StringRef text,
                                                   llvm::StringRef file,
                                                   llvm::StringRef expected);

/// "'file': message".
llvm::Error refuseFile(llvm::StringRef file, const llvm::Twine &message);

/// One object of a file, with its path. The first error is kept; after it,
/// every getter returns its default.
class JsonObjectInput {
public:
  JsonObjectInput(const llvm::json::Object &object, std::string path,
                  std::string &error)
      : object(&object), path(std::move(path)), error(&error) {}

  const llvm::json::Object &get() const { return *object; }
  /// "" if the member is missing or null.
  std::string text(llvm::StringRef key) const;
  /// The same; an error if it is missing.
  std::string requiredText(llvm::StringRef key) const;
  /// Finite and at least 0; nullopt if it is missing or null.
  std::optional<double> number(llvm::StringRef key) const;
  double requiredNumber(llvm::StringRef key) const;
  /// At least 0; an error if it is missing.
  int64_t requiredCount(llvm::StringRef key) const;
  /// Null if it is missing or null.
  const llvm::json::Object *child(llvm::StringRef key) const;
  const llvm::json::Array *list(llvm::StringRef key) const;
  /// "iteration.time_ms".
  std::string pathOf(llvm::StringRef key) const {
    return path.empty() ? key.str() : path + "." + key.str();
  }
  void fail(llvm::StringRef key, llvm::StringRef expected) const;

private:
  const llvm::json::Value *find(llvm::StringRef key) const;

  const llvm::json::Object *object;
  std::string path;
  std::string *error;
};

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_JSONINPUT_H
