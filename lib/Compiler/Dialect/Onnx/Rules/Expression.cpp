//===- Expression.cpp - Arithmetic on sizes -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Inference/ShapeArithmetic.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost::onnx;
using llvm::StringRef;

static bool isSize(int64_t value) {
  return value != unknownDim && value != badDim;
}

/// Sum of floor(x / group) over x in [1, last].
static int64_t sumOfGroups(int64_t last, int64_t group) {
  if (last <= 0)
    return 0;
  // Each quotient below the last one occurs `group` times.
  int64_t quotient = last / group;
  int64_t pairs = mulDims(quotient, quotient - 1);
  pairs = isSize(pairs) ? pairs / 2 : pairs;
  return addDims(mulDims(pairs, group),
                 mulDims(quotient, last - quotient * group + 1));
}

/// The query at position p sees floor((p + 1) / group) complete groups.
static int64_t countVisible(int64_t queries, int64_t keys, int64_t group) {
  if (group <= 0 || queries < 0 || keys < 0)
    return badDim;
  int64_t all = sumOfGroups(keys, group);
  int64_t before = sumOfGroups(keys - queries, group);
  return subDims(all, before);
}

static int64_t call(StringRef function, llvm::ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (!isSize(value))
      return value;
  if (function == "min")
    return std::min(values[0], values[1]);
  if (function == "max")
    return std::max(values[0], values[1]);
  if (function == "ceil")
    return ceilDivDims(values[0], values[1]);
  if (function == "visible")
    return countVisible(values[0], values[1], values[2]);
  return badDim;
}

namespace {
class Parser {
public:
  Parser(StringRef text, llvm::function_ref<int64_t(StringRef)> valueOf)
      : text(text), valueOf(valueOf) {}

  int64_t sum() {
    int64_t value = product();
    while (true) {
      if (consume("+"))
        value = addDims(value, product());
      else if (consume("-"))
        value = subDims(value, product());
      else
        return value;
    }
  }

private:
  bool consume(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }

  int64_t product() {
    int64_t value = factor();
    while (true) {
      if (consume("*")) {
        int64_t other = factor();
        // Nothing times anything: a part that does not apply may be unknown.
        value = value == 0 || other == 0 ? 0 : mulDims(value, other);
      } else if (consume("/")) {
        value = floorDivDims(value, factor());
      } else {
        return value;
      }
    }
  }

  int64_t factor() {
    if (consume("(")) {
      int64_t value = sum();
      return consume(")") ? value : badDim;
    }
    text = text.ltrim();
    int64_t number;
    if (!text.empty() && llvm::isDigit(text.front()))
      return text.consumeInteger(10, number) ? badDim : number;
    StringRef name = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    text = text.drop_front(name.size());
    if (name.empty())
      return badDim;
    if (!consume("("))
      return valueOf(name);
    llvm::SmallVector<int64_t, 3> values = {sum()};
    while (consume(","))
      values.push_back(sum());
    return consume(")") ? call(name, values) : badDim;
  }

  StringRef text;
  llvm::function_ref<int64_t(StringRef)> valueOf;
};
} // namespace

int64_t
gpucost::onnx::evaluate(StringRef text,
                        llvm::function_ref<int64_t(StringRef)> valueOf) {
  return Parser(text, valueOf).sum();
}
