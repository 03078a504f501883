//===- Sequences.cpp - Lists and optionals with known contents ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A sequence built in the graph is a list of values, and its readers use these
// values directly. Frameworks store references; only concatenation copies.

#include "BlockInference.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;
using onnx::hasOperand;
using onnx::OnnxDialect;

/// Longer lists are not tracked.
static constexpr int64_t maxListLength = 4096;

/// Replaces `op` with `value`, its only relevant result.
Operation *BlockInference::replaceBy(Operation *op, Value value) {
  Operation *next = op->getNextNode();
  OpBuilder builder(op);
  handOver(op->getResult(0), alias(builder, op->getLoc(), value));
  erase(op);
  return next;
}

/// Position in a list of `length`; the last position without `index`.
std::optional<int64_t> BlockInference::getPosition(Value index, int64_t length,
                                                   bool isInsert) {
  std::optional<int64_t> position = getScalar(index);
  if (!position)
    return std::nullopt;
  if (*position < 0)
    *position += length;
  int64_t last = isInsert ? length : length - 1;
  return *position >= 0 && *position <= last ? position : std::nullopt;
}

/// Concatenates the elements along `axis` to one tensor.
Operation *BlockInference::concatList(Operation *op, const List &list) {
  OpBuilder builder(op);
  bool isNew = onnx::getInt(op, "new_axis") != 0;
  NamedAttribute axis = builder.getNamedAttr(
      "axis", builder.getI64IntegerAttr(onnx::getInt(op, "axis")));
  auto unknown = onnx::UnknownType::get(op->getContext());
  SmallVector<Value> parts(list);
  Operation *before = op->getPrevNode();
  if (isNew)
    for (Value &part : parts)
      part = create<onnx::UnsqueezeOp>(
          builder, op->getLoc(), unknown, part,
          builder.getNamedAttr(
              "axes", builder.getDenseI64ArrayAttr(onnx::getInt(op, "axis"))));
  Value joined =
      create<onnx::ConcatOp>(builder, op->getLoc(), unknown, parts, axis);
  handOver(op->getResult(0), joined);
  erase(op);
  return before ? before->getNextNode() : &joined.getParentBlock()->front();
}

/// Replaces SplitToSequence with Split if the number of parts is known.
Operation *BlockInference::splitToList(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!type)
    return nullptr;
  int64_t axis = onnx::getInt(op, "axis");
  axis += axis < 0 ? type.getRank() : 0;
  if (axis < 0 || axis >= type.getRank() || type.isDynamicDim(axis))
    return nullptr;
  int64_t length = type.getDimSize(axis);
  SmallVector<int64_t> sizes;
  bool keeps = true;
  if (!hasOperand(op, 1)) {
    if (length > maxListLength)
      return nullptr;
    sizes.assign(length, 1);
    keeps = onnx::getInt(op, "keepdims") != 0;
  } else {
    auto split = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
    onnx::InferenceContext context(op, state);
    auto known = context.getInputInts(1);
    if (!split || !known)
      return nullptr;
    sizes = *known;
    if (split.getRank() == 0) {
      int64_t chunk = sizes.front();
      if (chunk < 1 || length / chunk > maxListLength)
        return nullptr;
      sizes.clear();
      for (int64_t left = length; left > 0; left -= chunk)
        sizes.push_back(std::min(chunk, left));
    }
  }
  if (sizes.empty() || static_cast<int64_t>(sizes.size()) > maxListLength)
    return nullptr;
  OpBuilder builder(op);
  auto unknown = onnx::UnknownType::get(op->getContext());
  OperationState state(op->getLoc(), onnx::SplitOp::getOperationName());
  state.addOperands(op->getOperand(0));
  state.addTypes(SmallVector<Type>(sizes.size(), unknown));
  state.addAttribute("axis", builder.getI64IntegerAttr(axis));
  state.addAttribute("split", builder.getDenseI64ArrayAttr(sizes));
  Operation *split = builder.create(state);
  List parts(split->getResults());
  if (!keeps)
    for (Value &part : parts)
      part = create<onnx::SqueezeOp>(
          builder, op->getLoc(), unknown, part,
          builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr(axis)));
  Value list =
      create<onnx::SequenceConstructOp>(builder, op->getLoc(), unknown, parts);
  handOver(op->getResult(0), list);
  erase(op);
  return split;
}

/// Stated length of a list whose length cannot be inferred.
size_t BlockInference::estimateLength(Operation *op) {
  std::optional<int64_t> stated = trips.find(op);
  if (!stated)
    stated = trips.findForAll();
  if (stated)
    return *stated;
  assume(op, "length is unknown: one element is counted",
         "; state it with --trip=" + getNodeName(op) + ":<n>",
         /*atMost=*/false);
  return 1;
}

/// The first `length` elements of `list`, each as a read from it.
BlockInference::List BlockInference::takeElements(Operation *op, Value list,
                                                  size_t length) {
  OpBuilder builder(op);
  List elements;
  for (size_t i = 0; i < length; ++i) {
    Value position =
        createScalar(builder, op->getLoc(), builder.getI64Type(), i);
    elements.push_back(create<onnx::SequenceAtOp>(
        builder, op->getLoc(), onnx::UnknownType::get(op->getContext()),
        {list, position}));
  }
  return elements;
}

/// Copies a SequenceMap body for every element in its first list.
Operation *BlockInference::mapSequence(Operation *op) {
  if (op->getNumRegions() != 1 || !op->getNumOperands())
    return nullptr;
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != op->getNumOperands() ||
      body.getTerminator()->getNumOperands() < op->getNumResults())
    return nullptr;
  if (!isa<onnx::SequenceType>(op->getOperand(0).getType()))
    return nullptr;
  auto first = lists.find(op->getOperand(0));
  size_t length =
      first == lists.end() ? estimateLength(op) : first->second.size();
  int64_t size = 1;
  body.walk([&](Operation *) { ++size; });
  if (!mayCopy(op, size * static_cast<int64_t>(length)))
    return nullptr;
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  SmallVector<List> operands;
  for (Value operand : op->getOperands()) {
    auto it = lists.find(operand);
    bool isList = isa<onnx::SequenceType>(operand.getType());
    if (isList && it != lists.end() && it->second.size() != length)
      return fail(op, "maps sequences of " + Twine(length) + " and " +
                          Twine(it->second.size()) + " elements");
    operands.push_back(!isList             ? List(length, operand)
                       : it != lists.end() ? it->second
                                           : takeElements(op, operand, length));
  }
  SmallVector<List> results(op->getNumResults());
  for (size_t i = 0; i < length; ++i) {
    IRMapping mapping;
    for (auto [argument, list] : llvm::zip_equal(body.getArguments(), operands))
      mapping.map(argument, list[i]);
    for (Operation &inner : body.without_terminator())
      clone(&inner, builder, mapping);
    for (auto [list, value] :
         llvm::zip(results, body.getTerminator()->getOperands()))
      list.push_back(mapping.lookupOrDefault(value));
  }
  for (auto [result, list] : llvm::zip_equal(op->getResults(), results))
    handOver(result, create<onnx::SequenceConstructOp>(
                         builder, op->getLoc(),
                         onnx::UnknownType::get(op->getContext()), list));
  Block *block = op->getBlock();
  erase(op);
  return before ? before->getNextNode() : &block->front();
}

Operation *BlockInference::resolveSequenceOp(Operation *op) {
  auto listOf = [&](unsigned i) -> const List * {
    auto it =
        i < op->getNumOperands() ? lists.find(op->getOperand(i)) : lists.end();
    return it == lists.end() ? nullptr : &it->second;
  };
  auto position = [&](unsigned i, const List &list, bool isInsert) {
    int64_t length = list.size();
    return hasOperand(op, i) ? getPosition(op->getOperand(i), length, isInsert)
           : isInsert        ? std::optional(length)
           : length          ? std::optional(length - 1)
                             : std::nullopt;
  };
  // All ops but SequenceMap have one result; others with more remain unchanged.
  if (op->getNumResults() < 1 ||
      (op->getNumResults() > 1 && !isa<onnx::SequenceMapOp>(op)))
    return nullptr;
  Value result = op->getResult(0);
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case<onnx::SequenceConstructOp>([&](Operation *) {
        lists[result] = List(op->getOperands());
        return nullptr;
      })
      .Case<onnx::SequenceEmptyOp>([&](Operation *) {
        lists[result] = List();
        return nullptr;
      })
      .Case<onnx::IdentityOp>([&](Operation *) -> Operation * {
        if (op->getNumOperands() == 0 ||
            !isa<onnx::SequenceType, onnx::OptionalType>(
                op->getOperand(0).getType()))
          return nullptr;
        return replaceBy(op, op->getOperand(0));
      })
      .Case<onnx::SequenceInsertOp>([&](Operation *) {
        const List *list = listOf(0);
        if (!list || !hasOperand(op, 1) ||
            static_cast<int64_t>(list->size()) >= maxListLength)
          return nullptr;
        if (auto at = position(2, *list, /*isInsert=*/true)) {
          List longer = *list;
          longer.insert(longer.begin() + *at, op->getOperand(1));
          lists[result] = std::move(longer);
        }
        return nullptr;
      })
      .Case<onnx::SequenceEraseOp>([&](Operation *) {
        const List *list = listOf(0);
        if (!list)
          return nullptr;
        if (auto at = position(1, *list, /*isInsert=*/false)) {
          List shorter = *list;
          shorter.erase(shorter.begin() + *at);
          lists[result] = std::move(shorter);
        }
        return nullptr;
      })
      .Case<onnx::SequenceAtOp>([&](Operation *) -> Operation * {
        const List *list = listOf(0);
        if (!list || list->empty() || !hasOperand(op, 1))
          return nullptr;
        if (auto at = position(1, *list, /*isInsert=*/false))
          return replaceBy(op, (*list)[*at]);
        return nullptr;
      })
      .Case<onnx::SequenceLengthOp>([&](Operation *) -> Operation * {
        const List *list = listOf(0);
        if (!list)
          return nullptr;
        OpBuilder builder(op);
        return replaceBy(op, createScalar(builder, op->getLoc(),
                                          builder.getI64Type(), list->size()));
      })
      .Case<onnx::ConcatFromSequenceOp>([&](Operation *) -> Operation * {
        const List *list = listOf(0);
        return list && !list->empty() ? concatList(op, *list) : nullptr;
      })
      .Case<onnx::SplitToSequenceOp>([&](Operation *) -> Operation * {
        return op->getNumOperands() ? splitToList(op) : nullptr;
      })
      .Case<onnx::SequenceMapOp>([&](Operation *) { return mapSequence(op); })
      .Case<onnx::OptionalOp, onnx::OptionalGetElementOp>(
          [&](Operation *) -> Operation * {
            // An optional of an existing value is the value.
            if (!hasOperand(op, 0) ||
                isa<onnx::OptionalType, onnx::UnknownType>(
                    op->getOperand(0).getType()))
              return nullptr;
            return replaceBy(op, op->getOperand(0));
          })
      .Case<onnx::OptionalHasElementOp>([&](Operation *) -> Operation * {
        std::optional<int64_t> has;
        if (!hasOperand(op, 0))
          has = 0;
        else if (auto made =
                     op->getOperand(0).getDefiningOp<onnx::OptionalOp>())
          has = hasOperand(made, 0);
        else if (isa<TensorType, onnx::SequenceType>(
                     op->getOperand(0).getType()))
          has = 1;
        if (!has)
          return nullptr;
        OpBuilder builder(op);
        return replaceBy(
            op, createScalar(builder, op->getLoc(), builder.getI1Type(), *has));
      })
      .Default([](Operation *) { return nullptr; });
}
