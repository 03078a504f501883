//===- JsonStream.cpp - Streaming JSON writer -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/JsonStream.h"
#include <algorithm>
#include <charconv>
#include <cmath>

using namespace gpucost;

/// Length of the well-formed sequence at the start of `text`, or of its longest
/// prefix that could be extended to one (The Unicode Standard, table 3-7).
static size_t sequenceLength(std::string_view text, bool &valid) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0), low = 0x80, high = 0xBF;
  size_t length = first < 0x80                    ? 1
                  : first >= 0xC2 && first < 0xE0 ? 2
                  : first >= 0xE0 && first < 0xF0 ? 3
                  : first >= 0xF0 && first < 0xF5 ? 4
                                                  : 0;
  valid = length > 0;
  if (length < 2)
    return 1;
  low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : low;
  high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : high;
  for (size_t i = 1; i < length; ++i, low = 0x80, high = 0xBF)
    if (i == text.size() || byte(i) < low || byte(i) > high) {
      valid = false;
      return i;
    }
  return length;
}

std::string gpucost::toUtf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    bool valid;
    size_t length = sequenceLength(text, valid);
    result += valid ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(length);
  }
  return result;
}

std::optional<std::string> gpucost::programNumber(double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  char buffer[32];
  // Large numbers are counts: digits, not an exponent.
  bool isLarge = std::fabs(value) >= 1e7 && std::fabs(value) < 1e18;
  auto [end, error] = isLarge
                          ? std::to_chars(buffer, buffer + sizeof(buffer),
                                          value, std::chars_format::fixed, 0)
                          : std::to_chars(buffer, buffer + sizeof(buffer),
                                          value == 0 ? 0.0 : value,
                                          std::chars_format::general, 7);
  (void)error; // 32 characters suffice for every such number
  return std::string(buffer, end);
}

void JsonStream::newLine() {
  if (!indented)
    return;
  out += '\n';
  out.append(2 * levels.size(), ' ');
}

void JsonStream::begin(char bracket, bool isObject) {
  beginValue();
  out += bracket;
  levels.push_back({isObject, false});
}

void JsonStream::end(char bracket) {
  bool hasValue = levels.back().hasValue;
  levels.pop_back();
  if (hasValue)
    newLine();
  out += bracket;
}

/// `key` has already separated the members.
void JsonStream::beginValue() {
  if (levels.empty() || levels.back().isObject)
    return;
  if (levels.back().hasValue)
    out += ',';
  newLine();
  levels.back().hasValue = true;
}

/// Whether `text` is ASCII without characters that JSON escapes.
static bool isPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
}

void JsonStream::quote(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  if (isPlain(text)) {
    out += text;
    out += '"';
    return;
  }
  for (char c : toUtf8(text)) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\';
    if (byte >= 0x20)
      out += c;
    else if (c == '\t' || c == '\n' || c == '\r')
      out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r";
    else
      (((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15]);
  }
  out += '"';
}

void JsonStream::value(std::string_view text) {
  beginValue();
  quote(text);
}

void JsonStream::key(std::string_view key) {
  if (levels.back().hasValue)
    out += ',';
  newLine();
  levels.back().hasValue = true;
  quote(key);
  out += indented ? ": " : ":";
}

void JsonStream::value(double number) {
  std::optional<std::string> text = programNumber(number);
  rawValue(text ? *text : "null");
}
