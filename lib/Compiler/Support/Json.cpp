//===- Json.cpp - Parses untrusted JSON -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Support/Nesting.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace gpucost;
using llvm::StringRef;
namespace json = llvm::json;

/// The end of the string that begins at `at`: after its closing quote.
static size_t endOfString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return std::min(at + 1, text.size());
}

/// Number of members that `text` states: each one has a colon.
static size_t countStatedMembers(StringRef text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      i = endOfString(text, i) - 1;
    count += text[i] == ':';
  }
  return count;
}

/// Number of members of all objects in `value`.
static size_t countMembers(const json::Value &value) {
  size_t count = 0;
  if (const json::Object *object = value.getAsObject()) {
    count = object->size();
    for (const auto &[name, member] : *object)
      count += countMembers(member);
  } else if (const json::Array *array = value.getAsArray()) {
    for (const json::Value &element : *array)
      count += countMembers(element);
  }
  return count;
}

/// The first member that an object of `text`, valid JSON, has twice.
static llvm::Error findDuplicate(StringRef text) {
  llvm::SmallVector<llvm::StringSet<>> names; // of open objects and arrays
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') {
      names.emplace_back();
    } else if (text[i] == '}' || text[i] == ']') {
      names.pop_back();
    } else if (text[i] == '"') {
      size_t end = endOfString(text, i);
      bool isName = text.drop_front(end).ltrim().starts_with(":");
      // Escapes are part of a name.
      if (isName) {
        json::Value name = llvm::cantFail(json::parse(text.slice(i, end)));
        if (!names.back().insert(*name.getAsString()).second)
          return llvm::createStringError(
              "line " + llvm::Twine(text.take_front(i).count('\n') + 1) +
              ": duplicate member " + text.slice(i, end));
      }
      i = end - 1;
    }
  }
  return llvm::createStringError("duplicate member");
}

llvm::Expected<json::Value> gpucost::parseJson(StringRef text) {
  if (std::optional<TextPlace> place =
          findDeepNesting(text, NestedSyntax::Json))
    return llvm::createStringError("line " + llvm::Twine(place->line) +
                                   ", column " + llvm::Twine(place->column) +
                                   ": JSON is " + StringRef(deepNestingText()));
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return llvm::createStringError("no JSON: " +
                                   llvm::toString(value.takeError()));
  // LLVM's parser keeps the last one of equal members.
  if (countMembers(*value) != countStatedMembers(text))
    return findDuplicate(text);
  return value;
}
