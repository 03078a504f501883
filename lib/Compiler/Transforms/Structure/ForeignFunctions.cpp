//===- ForeignFunctions.cpp - Functions of other dialects -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Transforms/Structure/ForeignFunctions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpucost;

/// The type of the function `op`; null for ops that are not functions of
/// another dialect, or have no body.
static FunctionType typeOfForeign(Operation *op) {
  bool isFunction = op->isRegistered() ? isa<FunctionOpInterface>(op)
                                       : op->getNumRegions() == 1;
  if (!isFunction || isa<func::FuncOp>(op) || op->getNumRegions() != 1 ||
      op->getRegion(0).empty() || op->getNumResults() ||
      op->getName().getDialectNamespace() == "gpu" ||
      !op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    return {};
  auto attribute = op->getAttrOfType<TypeAttr>("function_type");
  auto type =
      attribute ? dyn_cast<FunctionType>(attribute.getValue()) : FunctionType();
  if (!type ||
      !llvm::equal(type.getInputs(), op->getRegion(0).getArgumentTypes()))
    return {};
  return type;
}

bool gpucost::isForeignFunction(Operation *op) {
  return static_cast<bool>(typeOfForeign(op));
}

/// Whether `end` ends a function with these results.
static bool returns(Operation &end, TypeRange results) {
  return end.getNumSuccessors() == 0 && end.getNumResults() == 0 &&
         end.getNumRegions() == 0 && end.getOperandTypes() == results;
}

static void adopt(Operation *op, FunctionType type) {
  OpBuilder builder(op);
  StringRef name =
      op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto function = func::FuncOp::create(builder, op->getLoc(), name, type);
  if (auto visibility =
          op->getAttrOfType<StringAttr>(SymbolTable::getVisibilityAttrName()))
    function.setSymVisibilityAttr(visibility);
  function.getBody().takeBody(op->getRegion(0));
  for (Block &block : function.getBody()) {
    Operation &end = block.back();
    if (!returns(end, type.getResults()))
      continue;
    builder.setInsertionPoint(&end);
    func::ReturnOp::create(builder, end.getLoc(), end.getOperands());
    end.erase();
  }
  op->erase();
}

void gpucost::adoptForeignFunctions(ModuleOp module) {
  SmallVector<std::pair<Operation *, FunctionType>> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    FunctionType type = typeOfForeign(op);
    if (!type)
      return isa<func::FuncOp>(op) ? WalkResult::skip() : WalkResult::advance();
    Region &body = op->getRegion(0);
    bool ends = llvm::any_of(body, [&](Block &block) {
      return !block.empty() && returns(block.back(), type.getResults());
    });
    bool complete =
        llvm::none_of(body, [](Block &block) { return block.empty(); });
    if (ends && complete)
      found.emplace_back(op, type);
    return WalkResult::skip();
  });
  if (!found.empty())
    module.getContext()->loadDialect<func::FuncDialect>();
  for (auto [op, type] : found)
    adopt(op, type);
}
