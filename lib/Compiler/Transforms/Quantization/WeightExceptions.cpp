//===- WeightExceptions.cpp - Weights that keep their format --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightExceptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::quantization;

/// Maximum number of ops between a product and what identifies it.
static constexpr unsigned longestChain = 8;

llvm::Expected<WeightExceptions> WeightExceptions::parse(StringRef list) {
  WeightExceptions result;
  SmallVector<StringRef> words;
  list.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<std::string> globs;
  for (StringRef word : words) {
    word = word.trim();
    result.heads |= word == "lm_head";
    result.routers |= word == "router";
    bool isPattern = word.find_first_of("*?[{\\") != StringRef::npos;
    globs.push_back(isPattern ? word.str() : "*" + word.str() + "*");
  }
  result.text = std::make_shared<const std::string>(llvm::join(globs, "\n"));
  SmallVector<StringRef> lines;
  StringRef(*result.text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(line);
    if (!glob)
      return glob.takeError();
    result.patterns.push_back(std::move(*glob));
  }
  return result;
}

/// Whether a use of `value`, behind views and ops that `passes` accepts, is one
/// that `isEnd` accepts.
static bool reaches(Value value, function_ref<bool(OpOperand &)> isEnd,
                    function_ref<bool(Operation *)> passes,
                    unsigned depth = longestChain) {
  return depth > 0 && llvm::any_of(value.getUses(), [&](OpOperand &use) {
           if (isEnd(use))
             return true;
           Operation *user = use.getOwner();
           auto work = dyn_cast<WorkOpInterface>(user);
           bool isView = work && work.getCostClass() == CostClass::View;
           return (isView || passes(user)) && user->getNumResults() == 1 &&
                  reaches(user->getResult(0), isEnd, passes, depth - 1);
         });
}

/// Whether `value` becomes the output called logits.
static bool isLogits(Value value) {
  auto isOutput = [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (!isa<func::ReturnOp>(user))
      return false;
    auto names = user->getParentOp()->getAttrOfType<ArrayAttr>(
        onnx::OnnxDialect::outputNamesAttrName);
    unsigned i = use.getOperandNumber();
    auto name = names && i < names.size() ? dyn_cast<StringAttr>(names[i])
                                          : StringAttr();
    return name && name.getValue().contains("logits");
  };
  return reaches(value, isOutput, [](Operation *op) {
    return isa<onnx::CastOp, onnx::AddOp, onnx::MulOp, onnx::DivOp,
               onnx::TanhOp>(op);
  });
}

/// Whether `value` becomes the scores by which tokens choose experts.
static bool choosesExperts(Value value) {
  auto isChoice = [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<onnx::TopKOp>(user))
      return use.getOperandNumber() == 0;
    return isa<onnx::MoEOp, onnx::QMoEOp, onnx::MoEPackedOp>(user) &&
           use.getOperandNumber() == 1;
  };
  return reaches(value, isChoice, [](Operation *op) {
    return isa<onnx::CastOp, onnx::AddOp, onnx::SoftmaxOp, onnx::SigmoidOp>(op);
  });
}

bool WeightExceptions::contains(Operation *parameter,
                                const WeightUse &use) const {
  auto name = parameter->getAttrOfType<StringAttr>("name");
  if (name && llvm::any_of(patterns, [&](const llvm::GlobPattern &pattern) {
        return pattern.match(name.getValue());
      }))
    return true;
  if (isa<onnx::MoEOp>(use.product))
    return false;
  Value result = use.product->getResult(0);
  return (heads && isLogits(result)) || (routers && choosesExperts(result));
}
