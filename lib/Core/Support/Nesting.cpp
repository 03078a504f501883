//===- Nesting.cpp - Depth of nested text ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Nesting.h"
#include <string>

using namespace gpucost;

/// The end of the string that begins at `at`: after its closing quote. A string
/// of MLIR does not extend over several lines.
static size_t skipString(std::string_view text, size_t at,
                         NestedSyntax syntax) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"' ||
             (text[at] == '\n' && syntax == NestedSyntax::Mlir))
      return at + 1;
  }
  return text.size();
}

static TextPlace placeOf(std::string_view text, size_t at) {
  TextPlace place;
  for (size_t i = 0; i < at; ++i) {
    place.column = text[i] == '\n' ? 1 : place.column + 1;
    place.line += text[i] == '\n';
  }
  return place;
}

namespace {
/// Open brackets up to the current place.
class OpenBrackets {
public:
  void open(char c) { all += c; }
  /// Closes the bracket `opening`, with any `<` in it, which may be less-than
  /// signs.
  void close(char opening) {
    while (!all.empty() && all.back() == '<' && opening != '<')
      all.pop_back();
    if (!all.empty() && all.back() == opening)
      all.pop_back();
  }
  size_t depth() const { return all.size(); }

private:
  std::string all;
};
} // namespace

std::optional<TextPlace> gpucost::findDeepNesting(std::string_view text,
                                                  NestedSyntax syntax) {
  bool isMlir = syntax == NestedSyntax::Mlir;
  OpenBrackets brackets;
  size_t signs = 0; // in a row, before the current place
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
      continue;
    case '"':
      i = skipString(text, i, syntax) - 1;
      break;
    case '/':
      if (isMlir && next == '/') {
        i = text.find('\n', i);
        if (i == std::string_view::npos)
          return std::nullopt;
        continue;
      }
      break;
    case '-':
      // Arrows are not signs.
      if (isMlir && next == '>')
        ++i;
      else if (isMlir)
        ++signs;
      if (brackets.depth() + signs > deepestNesting)
        return placeOf(text, i);
      continue;
    case '<':
    case '(':
    case '[':
    case '{':
      if (isMlir || c == '[' || c == '{')
        brackets.open(c);
      if (brackets.depth() > deepestNesting)
        return placeOf(text, i);
      break;
    case '>':
      if (isMlir)
        brackets.close('<');
      break;
    case ')':
      if (isMlir)
        brackets.close('(');
      break;
    case ']':
      brackets.close('[');
      break;
    case '}':
      brackets.close('{');
      break;
    default:
      break;
    }
    signs = 0;
  }
  return std::nullopt;
}

std::string_view gpucost::deepNestingText() {
  static const std::string text =
      "nested more than " + std::to_string(deepestNesting) + " deep";
  return text;
}
