//===- InferRule.cpp - Types stated by op definitions ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference/Inference.h"
#include "Inference/InferenceHelpers.h"
#include "OpRule.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

/// "" for the type of operand 0, a number for that of another operand,
/// "@attribute" for the ONNX type in an attribute, or the name of a type.
static Type readType(InferenceContext &context, StringRef name) {
  Builder builder(context.getMLIRContext());
  unsigned operand = 0;
  if (name.empty() || !name.getAsInteger(10, operand))
    return context.getInputElementType(operand);
  if (name.consume_front("@"))
    return getElementType(builder.getContext(), context.getInt(name));
  if (name == "f32")
    return builder.getF32Type();
  if (name == "f16")
    return builder.getF16Type();
  if (name == "bf16")
    return builder.getBF16Type();
  if (name == "u8")
    return builder.getIntegerType(8, /*isSigned=*/false);
  return name == "i32" ? builder.getI32Type() : builder.getI64Type();
}

LogicalResult gpucost::onnx::bindRule(InferenceContext &context,
                                      RuleScope &scope) {
  std::string problem = scope.bind();
  return problem.empty() ? success() : context.emitError() << problem;
}

LogicalResult gpucost::onnx::inferFromRule(InferenceContext &context) {
  const OpRule *rule = findRule(context.getOperation());
  if (!rule)
    return success();
  RuleScope scope(context.getOperation(), *rule);
  if (failed(bindRule(context, scope)))
    return failure();
  for (StringRef entry : llvm::split(rule->results, ';')) {
    auto [number, form] = entry.split('=');
    unsigned result, operand;
    std::optional<StringRef> text = scope.choose(form);
    if (!text || number.getAsInteger(10, result))
      continue;
    // "&2": the type of operand 2.
    if (text->consume_front("&")) {
      if (!text->getAsInteger(10, operand) &&
          failed(copyType(context, result, operand)))
        return failure();
      continue;
    }
    auto [name, list] = text->split('[');
    Dims shape = scope.sizes(list.drop_back());
    if (failed(context.setType(result, shape, readType(context, name))))
      return failure();
  }
  return success();
}
