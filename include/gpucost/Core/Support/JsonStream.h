//===- JsonStream.h - JSON text, member by member ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes indented JSON, as llvm::json::OStream does, for libraries without
// LLVM.
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

/// `text` with U+FFFD for each maximal part that is no UTF-8.
std::string toUtf8(std::string_view text);

/// Seven significant digits, or all before the point: a number for programs.
/// nullopt when `value` is not finite.
std::optional<std::string> programNumber(double value);

/// Text that grows. Texts and keys may hold any bytes; what is no UTF-8 is
/// replaced.
class JsonStream {
public:
  /// In one line without blanks when not `indented`.
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
  /// A number as `programNumber` writes it; null where it is not finite.
  void value(double number);
  /// An integer or a truth value.
  template <typename T>
  std::enable_if_t<std::is_integral_v<T>> value(T number) {
    if constexpr (std::is_same_v<T, bool>)
      rawValue(number ? "true" : "false");
    else
      rawValue(std::to_string(number));
  }
  /// Text that is JSON.
  void rawValue(std::string_view json) {
    beginValue();
    out += json;
  }

  /// What follows is the value of the member `key`.
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
