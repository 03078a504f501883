//===- TextMutator.cpp - Changes to MLIR text that still parses -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutator.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>

static bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$' || c == '-';
}

namespace {

enum class TokenKind { Number, Value, Word, Type };

struct Token {
  TokenKind kind;
  size_t begin, size;
};

class Mutator {
public:
  Mutator(std::string_view text, unsigned seed,
          const std::vector<std::string> &operators)
      : text(text), operators(operators), random(seed) {}

  std::string run() {
    for (size_t left = 1 + pick(3); left > 0; --left) {
      scan();
      mutate();
    }
    return std::move(text);
  }

private:
  void mutate() {
    switch (pick(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return change(TokenKind::Number, number());
    case 6:
      return forgetSize();
    case 7:
    case 8:
      return changeElementType();
    case 9:
    case 10:
    case 11:
      return changeOp();
    case 12:
      return changeOperand();
    case 13:
      return repeatLine();
    case 14:
      return dropLine();
    case 15:
      return pick(2) ? change(TokenKind::Type, another(TokenKind::Type))
                     : change(TokenKind::Word, another(TokenKind::Word));
    }
  }

  bool mostly() { return pick(8) != 0; }
  size_t pick(size_t count) { return count ? random() % count : 0; }
  std::string_view textOf(const Token &token) const {
    return std::string_view(text).substr(token.begin, token.size);
  }

  /// Finds the tokens of the text. A shape consists of numbers and an element
  /// type: 4, 8 and f32 in tensor<4x8xf32>.
  void scan();

  const Token *any(TokenKind kind) {
    auto is = [&](const Token &token) { return token.kind == kind; };
    size_t count = std::count_if(tokens.begin(), tokens.end(), is);
    if (count == 0)
      return nullptr;
    auto found = std::find_if(tokens.begin(), tokens.end(), is);
    for (size_t skipped = pick(count); skipped > 0; --skipped)
      found = std::find_if(found + 1, tokens.end(), is);
    return &*found;
  }

  std::string another(TokenKind kind) {
    const Token *token = any(kind);
    return token ? std::string(textOf(*token)) : std::string();
  }

  std::string number() {
    static constexpr int64_t values[] = {
        0,         1,         -1,        2,         3,         7,
        8,         16,        64,        255,       1000,      65536,
        1 << 24,   1LL << 31, 1LL << 32, 1LL << 40, 1LL << 53, 1LL << 62,
        INT64_MAX, INT64_MIN, INT32_MAX};
    if (pick(4) == 0)
      return another(TokenKind::Number);
    return std::to_string(values[pick(std::size(values))]);
  }

  /// Changes a token of `kind`, usually all equal tokens, so that uses agree
  /// with their definitions.
  void change(TokenKind kind, const std::string &replacement) {
    if (const Token *token = any(kind))
      replace(*token, replacement, mostly());
  }

  void replace(Token changed, const std::string &replacement, bool everywhere) {
    if (replacement.empty())
      return;
    std::string old(textOf(changed)), result;
    size_t end = 0;
    for (const Token &token : tokens) {
      bool same =
          everywhere
              ? token.kind == changed.kind && textOf(token) == old
              : token.begin == changed.begin && token.kind == changed.kind;
      if (!same || token.begin < end || isOfDenseArray(token) ||
          (replacement == dynamicSize && !isSize(token)))
        continue;
      result.append(text, end, token.begin - end);
      result += replacement;
      end = token.begin + token.size;
    }
    result.append(text, end);
    text = std::move(result);
  }

  static constexpr const char *dynamicSize = "?";

  bool isSize(const Token &token) const {
    size_t end = token.begin + token.size;
    return token.kind == TokenKind::Number && end < text.size() &&
           text[end] == 'x';
  }

  /// A size of a shape becomes dynamic.
  void forgetSize() {
    std::vector<Token> sizes;
    for (const Token &token : tokens)
      if (isSize(token))
        sizes.push_back(token);
    if (!sizes.empty())
      replace(sizes[pick(sizes.size())], dynamicSize, mostly());
  }

  void changeElementType() {
    static const std::vector<std::string> floats = {"f32", "f16", "bf16",
                                                    "f64"};
    // MLIR's parser of linalg ops takes no tensors of index.
    static const std::vector<std::string> integers = {"i64", "i32", "i8",
                                                      "i1",  "ui8", "i4"};
    auto has = [](const std::vector<std::string> &types,
                  std::string_view word) {
      return std::find(types.begin(), types.end(), word) != types.end();
    };
    std::vector<Token> found;
    for (const Token &token : tokens)
      if (token.kind == TokenKind::Word && !isOfDenseArray(token) &&
          (has(floats, textOf(token)) || has(integers, textOf(token))))
        found.push_back(token);
    if (found.empty())
      return;
    const Token &type = found[pick(found.size())];
    bool toFloat = has(floats, textOf(type)) != (pick(8) == 0);
    const std::vector<std::string> &types = toFloat ? floats : integers;
    replace(type, types[pick(types.size())], mostly());
  }

  /// MLIR's parser only accepts integer and float element types and does not
  /// check.
  bool isOfDenseArray(const Token &token) const {
    std::string_view before = std::string_view(text).substr(0, token.begin);
    return before.size() >= 6 && before.substr(before.size() - 6) == "array<";
  }

  /// Another op of the same syntax: ONNX ops all have the same.
  void changeOp() {
    static const std::vector<std::vector<std::string>> families = {
        {"linalg.exp", "linalg.log", "linalg.tanh", "linalg.abs", "linalg.negf",
         "linalg.sqrt", "linalg.erf", "linalg.square"},
        {"linalg.add", "linalg.sub", "linalg.mul", "linalg.div", "linalg.max"},
        {"linalg.matmul", "linalg.batch_matmul", "linalg.matvec", "linalg.dot"},
        {"arith.addf", "arith.mulf", "arith.divf", "arith.maximumf"},
        {"arith.addi", "arith.muli", "arith.divsi", "arith.remui"},
        {"math.exp", "math.tanh", "math.erf", "math.rsqrt"},
        {"scf.for", "affine.for"},
        {"tosa.exp", "tosa.tanh", "tosa.sigmoid", "tosa.abs"}};
    std::vector<std::pair<Token, const std::vector<std::string> *>> found;
    for (const Token &token : tokens) {
      if (token.kind != TokenKind::Word)
        continue;
      std::string_view name = textOf(token);
      if (name.substr(0, 5) == "onnx." && !operators.empty())
        found.emplace_back(token, &operators);
      for (const std::vector<std::string> &family : families)
        if (std::find(family.begin(), family.end(), name) != family.end())
          found.emplace_back(token, &family);
    }
    if (found.empty())
      return;
    auto [op, names] = found[pick(found.size())];
    replace(op, (*names)[pick(names->size())], /*everywhere=*/false);
  }

  void changeOperand() {
    std::string value = another(TokenKind::Value);
    if (const Token *token = any(TokenKind::Value))
      replace(*token, value, /*everywhere=*/false);
  }

  std::array<size_t, 2> anyLine() {
    size_t begin = text.rfind('\n', pick(text.size()));
    begin = begin == std::string::npos ? 0 : begin + 1;
    size_t end = text.find('\n', begin);
    return {begin, end == std::string::npos ? text.size() : end + 1};
  }

  /// A second op like the first; later uses read the copy.
  void repeatLine() {
    auto [begin, end] = anyLine();
    std::string line = text.substr(begin, end - begin);
    size_t name = line.find_first_not_of(' ');
    if (name != std::string::npos && line[name] == '%') {
      size_t size = 1;
      while (name + size < line.size() && isWordChar(line[name + size]))
        ++size;
      std::string renamed = "%again" + std::to_string(random() % 10'000);
      line.replace(name, size, renamed);
    }
    text.insert(end, line);
  }

  void dropLine() {
    auto [begin, end] = anyLine();
    text.erase(begin, end - begin);
  }

  std::string text;
  const std::vector<std::string> &operators;
  std::mt19937 random;
  std::vector<Token> tokens;
};

} // namespace

void Mutator::scan() {
  tokens.clear();
  std::vector<size_t> open; // starts of the types around this place
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '"') {
      i = std::min(text.find('"', i + 1), text.size() - 1) + 1;
      continue;
    }
    if (c == '>' && !open.empty() && text[i - 1] != '-') {
      if (open.back() != std::string::npos)
        tokens.push_back({TokenKind::Type, open.back(), i + 1 - open.back()});
      open.pop_back();
      ++i;
      continue;
    }
    if (c == '<') {
      size_t begin = i;
      while (begin > 0 &&
             std::isalpha(static_cast<unsigned char>(text[begin - 1])))
        --begin;
      bool isType = begin < i && (begin == 0 || text[begin - 1] == ' ' ||
                                  text[begin - 1] == '(');
      open.push_back(isType ? begin : std::string::npos);
      ++i;
      continue;
    }
    bool negative = c == '-' && i + 1 < text.size() &&
                    std::isdigit(static_cast<unsigned char>(text[i + 1])) &&
                    i > 0 && !isWordChar(text[i - 1]);
    if (std::isdigit(static_cast<unsigned char>(c)) || negative) {
      size_t size = 1;
      while (i + size < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[i + size])))
        ++size;
      tokens.push_back({TokenKind::Number, i, size});
      i += size;
      // Between the sizes of a shape.
      if (i < text.size() && text[i] == 'x')
        ++i;
      continue;
    }
    if (c == '?' && i + 1 < text.size() && text[i + 1] == 'x') {
      i += 2;
      continue;
    }
    if (c == '%' || std::isalpha(static_cast<unsigned char>(c))) {
      size_t size = 1;
      while (i + size < text.size() && isWordChar(text[i + size]) &&
             !(text[i + size] == '-' && i + size + 1 < text.size() &&
               text[i + size + 1] == '>'))
        ++size;
      tokens.push_back(
          {c == '%' ? TokenKind::Value : TokenKind::Word, i, size});
      i += size;
      continue;
    }
    if (c == '@' || c == '#' || c == '!' || c == '^')
      while (i + 1 < text.size() && isWordChar(text[i + 1]))
        ++i;
    ++i;
  }
  std::sort(tokens.begin(), tokens.end(),
            [](const Token &a, const Token &b) { return a.begin < b.begin; });
}

std::string mutateText(std::string_view text, unsigned seed,
                       const std::vector<std::string> &operators) {
  return Mutator(text, seed, operators).run();
}
