//===- JsonInput.cpp - Untrusted JSON files -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/JsonInput.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Support/Json.h"

using namespace gpucost;
using namespace gpucost::compare;
using llvm::StringRef;
namespace json = llvm::json;

/// Larger than any time, size or rate; sums of such numbers are finite.
static constexpr double largest = 1e30;

llvm::Error compare::refuseFile(StringRef file, const llvm::Twine &message) {
  return llvm::createStringError("'" + file + "': " + message);
}

llvm::Expected<json::Object>
compare::parseJsonObject(StringRef text, StringRef file, StringRef expected) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return refuseFile(file, llvm::toString(value.takeError()));
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return refuseFile(file, expected);
}

void JsonObjectInput::fail(StringRef key, StringRef expected) const {
  if (!error->empty())
    return;
  const json::Value *value = object->get(key);
  std::string got = "nothing";
  if (value) {
    got.clear();
    llvm::raw_string_ostream(got) << *value;
    got = shorten(printable(got), 40);
  }
  *error = "'" + printable(pathOf(key)) + "' expects " + expected.str() +
           ", but got " + got;
}

const json::Value *JsonObjectInput::find(StringRef key) const {
  const json::Value *value = object->get(key);
  return value && value->kind() != json::Value::Null ? value : nullptr;
}

std::string JsonObjectInput::text(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return "";
  if (std::optional<StringRef> found = value->getAsString())
    return found->str();
  fail(key, "a string");
  return "";
}

std::string JsonObjectInput::requiredText(StringRef key) const {
  if (!find(key))
    fail(key, "a string");
  return text(key);
}

std::optional<double> JsonObjectInput::number(StringRef key) const {
  const json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<double> found = value->getAsNumber();
  if (found && *found >= 0 && *found <= largest)
    return found;
  fail(key, "a number of at least 0");
  return std::nullopt;
}

double JsonObjectInput::requiredNumber(StringRef key) const {
  if (!find(key))
    fail(key, "a number of at least 0");
  return number(key).value_or(0);
}

int64_t JsonObjectInput::requiredCount(StringRef key) const {
  const json::Value *value = find(key);
  std::optional<int64_t> found = value ? value->getAsInteger() : std::nullopt;
  if (found && *found >= 0)
    return *found;
  fail(key, "a whole number of at least 0");
  return 0;
}

const json::Object *JsonObjectInput::child(StringRef key) const {
  const json::Value *value = find(key);
  if (value && !value->getAsObject())
    fail(key, "an object");
  return value ? value->getAsObject() : nullptr;
}

const json::Array *JsonObjectInput::list(StringRef key) const {
  const json::Value *value = find(key);
  if (value && !value->getAsArray())
    fail(key, "an array");
  return value ? value->getAsArray() : nullptr;
}
