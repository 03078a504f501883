//===- OpRule.cpp - Shapes and counts stated by op definitions ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRule.h"
#include "Expression.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost::onnx;

const OpRule *gpucost::onnx::findRule(Operation *op) {
  const OpInfo *info = getOpInfo(op);
  return info ? info->rule : nullptr;
}

std::optional<StringRef> gpucost::onnx::findEntry(StringRef entries,
                                                  StringRef key) {
  for (StringRef entry : llvm::split(entries, ';'))
    if (auto [name, text] = entry.split('='); name == key && !entry.empty())
      return text;
  return std::nullopt;
}

RankedTensorType RuleScope::type(unsigned operand) const {
  return operand < op->getNumOperands()
             ? dyn_cast<RankedTensorType>(op->getOperand(operand).getType())
             : RankedTensorType();
}

static int64_t countElements(RankedTensorType type) {
  return type ? productDims(type.getShape()) : unknownDim;
}

/// "has.2", "used.1", "size.0", "size.in", "size.out", "rank.0", "last.3".
std::optional<int64_t> RuleScope::valueOfOperand(StringRef name) const {
  auto [what, of] = name.split('.');
  if (what == "size" && of == "out")
    return countElements(op->getNumResults() ? dyn_cast<RankedTensorType>(
                                                   op->getResult(0).getType())
                                             : RankedTensorType());
  if (what == "size" && of == "in") {
    int64_t sum = 0;
    for (Value operand : op->getOperands())
      if (!isa<NoneType>(operand.getType()))
        sum = addDims(
            sum, countElements(dyn_cast<RankedTensorType>(operand.getType())));
    return sum;
  }
  unsigned index;
  if (of.getAsInteger(10, index))
    return std::nullopt;
  if (what == "has")
    return hasOperand(op, index);
  if (what == "used")
    return index < op->getNumResults() && !op->getResult(index).use_empty() &&
           !isa<NoneType>(op->getResult(index).getType());
  RankedTensorType operand = type(index);
  if (what == "size")
    return hasOperand(op, index) ? countElements(operand) : 0;
  if (what == "rank")
    return operand ? operand.getRank() : unknownDim;
  if (what == "last")
    return operand && operand.getRank() ? operand.getShape().back()
                                        : unknownDim;
  return std::nullopt;
}

int64_t RuleScope::valueOf(StringRef name) const {
  if (auto found = symbols.find(name); found != symbols.end())
    return found->second;
  if (name == "rows")
    return lead ? productDims(*lead) : unknownDim;
  if (std::optional<int64_t> value = valueOfOperand(name))
    return *value;
  if (auto [attribute, value] = name.split('.'); !value.empty())
    return getString(op, attribute) == value;
  if (std::optional<StringRef> text = findEntry(rule.names, name))
    return evaluate(*text);
  const OpInfo *info = getOpInfo(op);
  return info && !getForms(*info, name).empty() ? getInt(op, name) : unknownDim;
}

int64_t RuleScope::evaluate(StringRef expression) const {
  return onnx::evaluate(expression,
                        [&](StringRef name) { return valueOf(name); });
}

std::optional<int64_t> RuleScope::count(StringRef expression) const {
  int64_t value = evaluate(expression);
  return value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<StringRef> RuleScope::choose(StringRef text) const {
  if (!text.consume_front("?"))
    return text;
  auto [condition, forms] = text.split('?');
  int64_t value = evaluate(condition);
  if (value == unknownDim || value == badDim)
    return std::nullopt;
  auto [first, second] = forms.split('!');
  return value ? first : second;
}

//===----------------------------------------------------------------------===//
// Sizes of operands
//===----------------------------------------------------------------------===//

static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Parts of a list of sizes; calls of functions contain commas.
static SmallVector<StringRef> splitSizes(StringRef list) {
  SmallVector<StringRef> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    depth += (list[i] == '(') - (list[i] == ')');
    if (list[i] == ',' && depth == 0) {
      parts.push_back(list.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (!list.trim().empty())
    parts.push_back(list.drop_front(start).trim());
  return parts;
}

/// A name without a value gets `size`, also in "B+1"; otherwise the value must
/// equal it.
bool RuleScope::bindSize(StringRef expression, int64_t size) {
  if (expression == "?" || !isKnownDim(size))
    return true;
  int64_t value = evaluate(expression);
  if (value != unknownDim)
    return value == size;
  auto [name, more] = expression.split('+');
  int64_t extra = 0;
  if (!isName(name) || (!more.empty() && more.getAsInteger(10, extra)))
    return true;
  if (size < extra)
    return false;
  symbols[name] = size - extra;
  return true;
}

bool RuleScope::bindOperand(unsigned index, StringRef list) {
  ArrayRef<int64_t> shape = type(index).getShape();
  SmallVector<StringRef> parts = splitSizes(list);
  if (!parts.empty() && parts.front() == "...") {
    parts.erase(parts.begin());
    if (shape.size() < parts.size())
      return false;
    ArrayRef<int64_t> first = shape.drop_back(parts.size());
    if (lead && lead->size() != first.size())
      return false;
    if (!lead)
      lead = Dims(first);
    for (auto [known, size] : llvm::zip_equal(*lead, first)) {
      if (isKnownDim(known) && isKnownDim(size) && known != size)
        return false;
      known = isKnownDim(known) ? known : size;
    }
    shape = shape.take_back(parts.size());
  }
  return shape.size() == parts.size() &&
         llvm::all_of(llvm::zip_equal(parts, shape), [&](auto pair) {
           return bindSize(std::get<0>(pair), std::get<1>(pair));
         });
}

/// "[N, K/2] with K = 32": the values of names in a list.
std::string RuleScope::describe(StringRef list) const {
  std::string text = "[" + list.str() + "]", values;
  llvm::SmallSet<StringRef, 4> seen;
  StringRef rest = list;
  while (!rest.empty()) {
    rest = rest.drop_until([](char c) { return llvm::isAlpha(c); });
    StringRef name = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(name.size());
    int64_t value = name.empty() ? unknownDim : valueOf(name);
    if (value != unknownDim && value != badDim && seen.insert(name).second)
      values += (values.empty() ? " with " : ", ") + name.str() + " = " +
                std::to_string(value);
  }
  return text + values;
}

std::string RuleScope::bind() {
  for (StringRef operand : llvm::split(rule.required, ';')) {
    unsigned index;
    if (!operand.getAsInteger(10, index) && !hasOperand(op, index))
      return "requires operand " + operand.str();
  }
  for (StringRef entry : llvm::split(rule.shapes, ';')) {
    auto [number, text] = entry.split('=');
    unsigned index;
    if (number.getAsInteger(10, index) || !type(index))
      continue;
    std::optional<StringRef> list = choose(text);
    if (!list || bindOperand(index, *list))
      continue;
    return "operand " + number.str() + " has shape " +
           formatShape(type(index).getShape()) + ", expected " +
           describe(*list);
  }
  for (StringRef entry : llvm::split(rule.contradictions, ';')) {
    auto [text, expression] = entry.split('=');
    if (entry.empty())
      continue;
    int64_t value = evaluate(expression);
    if (value != unknownDim && value != 0)
      return text.str();
  }
  return "";
}

Dims RuleScope::sizes(StringRef list) const {
  Dims shape;
  for (StringRef part : splitSizes(list)) {
    if (part != "...")
      shape.push_back(part == "?" ? unknownDim : evaluate(part));
    else if (lead)
      shape.append(*lead);
  }
  return shape;
}
