//===- OnnxOpTable.cpp - The table of the onnx ops ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference/Inference.h"
#include "Rules/OpRule.h"
#include "Work/PackedElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.cpp.inc"

ArrayRef<OpInfo> gpucost::onnx::getOpTable() { return opTable; }

const OpInfo *gpucost::onnx::getOpInfo(OperationName name) {
  auto *info =
      static_cast<const OpInfo *>(name.getTypeID().getAsOpaquePointer());
  // Identities of other ops are addresses outside the table.
  std::less<const OpInfo *> before;
  return before(info, std::begin(opTable)) || !before(info, std::end(opTable))
             ? nullptr
             : info;
}

const OpInfo *gpucost::onnx::findOpInfo(StringRef bareName) {
  auto *info = llvm::lower_bound(opTable, bareName,
                                 [](const OpInfo &row, StringRef name) {
                                   return row.getBareName() < name;
                                 });
  return info != std::end(opTable) && info->getBareName() == bareName ? info
                                                                      : nullptr;
}

LogicalResult OnnxOp::inferTypes(InferenceContext &context) {
  const OpInfo &info = getInfo();
  return inferAndFold(context, info.infer, info.fold);
}

bool gpucost::onnx::hasOperand(Operation *op, unsigned i) {
  return i < op->getNumOperands() &&
         !isa<::gpucost::onnx::NoneType>(op->getOperand(i).getType());
}

std::string gpucost::onnx::describeMalformed(const OpInfo &info,
                                             ArrayRef<bool> givenOperands,
                                             size_t results) {
  int required = info.minOperands, given = 0;
  int count = givenOperands.size();
  while (given < required && given < count && givenOperands[given])
    ++given;
  if (given < required)
    return "has " + std::to_string(given) + " of the " +
           std::to_string(required) + " operands that the operator requires";
  if (info.maxOperands >= 0 && count > info.maxOperands)
    return "has " + std::to_string(count) +
           " operands, but the operator takes at most " +
           std::to_string(info.maxOperands);
  if (results == 0)
    return "has no result";
  if (info.maxResults >= 0 && results > size_t(info.maxResults))
    return "has " + std::to_string(results) +
           " results, but the operator gives at most " +
           std::to_string(info.maxResults);
  return "";
}

std::string gpucost::onnx::describeMalformed(Operation *op) {
  SmallVector<bool> given;
  for (Value operand : op->getOperands())
    given.push_back(!isa<::gpucost::onnx::NoneType>(operand.getType()));
  return describeMalformed(*getOpInfo(op), given, op->getNumResults());
}

Operation *gpucost::onnx::create(OpBuilder &builder, Location loc,
                                 const OpInfo &info, TypeRange types,
                                 ValueRange operands,
                                 ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, info.name);
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(attributes);
  return builder.create(state);
}
