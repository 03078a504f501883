//===- JsonStream.h - Streaming JSON writer ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes indented JSON like llvm::json::OStream, for libraries without LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_JSONSTREAM_H
#define GPUCOST_CORE_SUPPORT_JSONSTREAM_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpucost {

/// `text` with each maximal part of invalid UTF-8 replaced by U+FFFD.
std::string toUtf8(std::string_view text);

/// A number for programs: seven significant digits, or all digits before the
/// decimal point. nullopt if `value` is not finite.
std::optional<std::string> programNumber(double value);

/// Appends JSON to a string. Strings and keys may contain any bytes; invalid
/// UTF-8 is replaced.
class JsonStream {
public:
  /// One line without blanks if not `indented`.
  explicit JsonStream(std::string &text, bool indented = true)
      : out(text), indented(indented) {}

  template <typename Contents> void object(Contents contents) {
    begin('{', true);
    contents();
    end('}');
  }
  template <typename Contents> void array(Contents contents) {
    begin('[', false);
    contents();
    end(']');
  }

  void value(std::string_view text);
  void value(const char *text) { value(std::string_view(text)); }
  void value(std::nullptr_t) { rawValue("null"); }
  /// Writes `programNumber(number)`; null if it is not finite.
  void value(double number);
  /// Writes an integer or a Boolean.
  template <typename T>
  std::enable_if_t<std::is_integral_v<T>> value(T number) {
    if constexpr (std::is_same_v<T, bool>)
      rawValue(number ? "true" : "false");
    else
      rawValue(std::to_string(number));
  }
  /// Writes text that is already JSON.
  void rawValue(std::string_view json) {
    beginValue();
    out += json;
  }

  /// Starts the member `key`; write its value next.
  void key(std::string_view key);
  template <typename T>
  void attribute(std::string_view name, const T &content) {
    key(name);
    value(content);
  }
  template <typename Contents>
  void attributeObject(std::string_view name, Contents contents) {
    key(name);
    object(contents);
  }
  template <typename Contents>
  void attributeArray(std::string_view name, Contents contents) {
    key(name);
    array(contents);
  }
  void number(std::string_view name, double content) {
    attribute(name, content);
  }

private:
  struct Level {
    bool isObject = false, hasValue = false;
  };
  void begin(char bracket, bool isObject);
  void end(char bracket);
  void beginValue();
  void newLine();
  void quote(std::string_view text);

  std::string &out;
  bool indented;
  std::vector<Level> levels;
};

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_JSONSTREAM_H
