//===- Branches.cpp - If --------------------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A known condition selects its branch. Otherwise both branches are inferred,
// and the one with more work represents the node.

#include "BlockInference.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <tuple>

using namespace mlir;
using namespace gpucost;

/// FLOPs, bytes and number of launches in `block`. Each op counts as one
/// launch, because kernels are not formed yet.
static std::tuple<int64_t, int64_t, int64_t> measure(Block &block) {
  int64_t flops = 0, bytes = 0, ops = 0;
  for (Operation &op : block.without_terminator()) {
    auto work = dyn_cast<WorkOpInterface>(op);
    if (!work || work.getCostClass() == CostClass::Metadata ||
        work.getCostClass() == CostClass::View)
      continue;
    ++ops;
    FailureOr<WorkAttr> cost = work.getWork();
    if (failed(cost))
      continue;
    const WorkCount &count = (*cost)->count;
    flops =
        saturatingSum(flops, saturatingSum(count.tensorFlops, count.fp32Flops));
    bytes = saturatingSum(bytes,
                          saturatingSum(count.bytesRead, count.bytesWritten));
  }
  return {flops, bytes, ops};
}

/// Infers `block`; diagnostics and assumptions are stored in `trial`.
void BlockInference::inferSpeculatively(Block &block, Trial &trial) {
  bool before = ok;
  std::vector<Assumption> outer;
  std::swap(outer, assumptions);
  ok = true;
  {
    ScopedDiagnosticHandler handler(
        block.getParentOp()->getContext(), [&](Diagnostic &diagnostic) {
          trial.diagnostics.push_back({diagnostic.getLocation(),
                                       diagnostic.getSeverity(),
                                       diagnostic.str()});
          return success();
        });
    inferUntil(&block.front(), nullptr);
  }
  trial.good = ok;
  ok = before;
  std::swap(outer, assumptions);
  trial.assumptions = std::move(outer);
}

/// Emits the stored diagnostics.
void BlockInference::accept(const Trial &trial) {
  for (const auto &[location, severity, message] : trial.diagnostics)
    location.getContext()->getDiagEngine().emit(location, severity) << message;
  llvm::append_range(assumptions, trial.assumptions);
}

void BlockInference::handOver(OpResult result, Value value) {
  auto namesOf = [](Operation *op) {
    return op->getAttrOfType<ArrayAttr>(onnx::OnnxDialect::valueNamesAttrName);
  };
  Operation *op = result.getOwner(), *def = value.getDefiningOp();
  unsigned number = result.getResultNumber();
  ArrayAttr own = namesOf(op);
  if (def && own && number < own.size()) {
    SmallVector<Attribute> names(def->getNumResults(),
                                 StringAttr::get(op->getContext(), ""));
    if (ArrayAttr other = namesOf(def))
      for (auto [to, from] : llvm::zip(names, other))
        to = from;
    names[cast<OpResult>(value).getResultNumber()] = own[number];
    def->setAttr(onnx::OnnxDialect::valueNamesAttrName,
                 ArrayAttr::get(op->getContext(), names));
  }
  result.replaceAllUsesWith(value);
}

Value BlockInference::alias(OpBuilder &builder, Location loc, Value value) {
  Value view = create<onnx::IdentityOp>(builder, loc, value.getType(), value);
  if (auto known = state.values.find(value); known != state.values.end()) {
    onnx::SmallTensor copy = known->second;
    state.values[view] = std::move(copy);
  }
  if (auto known = lists.find(value); known != lists.end()) {
    List copy = known->second;
    lists[view] = std::move(copy);
  }
  return view;
}

/// Replaces a node with one of its branches.
Operation *BlockInference::takeBranch(Operation *op, unsigned branch,
                                      bool inferred) {
  Block &block = op->getRegion(branch).front();
  Operation *next = op->getNextNode();
  OpBuilder builder(op);
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    // A value from outside keeps its name; a view of it gets the result's name.
    Value value = operand.get();
    Operation *def = value.getDefiningOp();
    unsigned i = operand.getOperandNumber();
    if (i >= op->getNumResults() || (def && def->getBlock() == &block))
      continue;
    builder.setInsertionPoint(block.getTerminator());
    operand.set(alias(builder, op->getLoc(), value));
  }
  Operation *first = splice(block, op);
  for (auto [result, value] :
       llvm::zip(op->getResults(), block.getTerminator()->getOperands()))
    handOver(result, value);
  erase(op);
  return inferred || !first ? next : first;
}

/// "; choose with --bind=use_cache_branch:<0 or 1>" if the condition is an
/// input with one element.
std::string BlockInference::adviseCondition(Value condition) const {
  // Look through casts, reshapes, negations.
  for (unsigned depth = 0; depth < 16; ++depth) {
    Operation *def = condition.getDefiningOp();
    if (!def || def->getNumOperands() != 1)
      break;
    condition = def->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(condition);
  auto name = argument ? dyn_cast<NameLoc>(argument.getLoc()) : NameLoc();
  auto type = dyn_cast<RankedTensorType>(condition.getType());
  if (!name || !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      !type || !type.hasStaticShape() || type.getNumElements() != 1)
    return "";
  return "; choose with --bind=" + name.getName().str() + ":<0 or 1>";
}

Operation *BlockInference::resolveIf(Operation *op) {
  if (op->getNumRegions() != 2 || op->getNumOperands() < 1)
    return fail(op, "expected a condition and two branches");
  for (Region &region : op->getRegions()) {
    size_t yielded = region.front().getTerminator()->getNumOperands();
    if (yielded < op->getNumResults())
      return fail(op, "has " + Twine(op->getNumResults()) +
                          " results, but a branch gives " + Twine(yielded));
    if (region.front().getNumArguments())
      return fail(op, "expected branches without inputs");
  }
  if (std::optional<int64_t> condition = getScalar(op->getOperand(0)))
    return takeBranch(op, *condition ? 0 : 1, /*inferred=*/false);

  Block &first = op->getRegion(0).front(), &second = op->getRegion(1).front();
  Trial trials[2];
  inferSpeculatively(first, trials[0]);
  inferSpeculatively(second, trials[1]);
  bool good[2] = {trials[0].good, trials[1].good};
  if (exhausted || (!good[0] && !good[1])) {
    ok = false;
    accept(trials[good[0] ? 1 : 0]);
    return exhausted ? nullptr : op->getNextNode();
  }
  unsigned branch = good[0] ? 0 : 1;
  if (good[0] && good[1])
    branch = measure(first) < measure(second) ? 1 : 0;
  SmallVector<Type> merged;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    merged.push_back(
        good[0] && good[1]
            ? onnx::mergeTypes(first.getTerminator()->getOperand(i).getType(),
                               second.getTerminator()->getOperand(i).getType())
            : op->getRegion(branch)
                  .front()
                  .getTerminator()
                  ->getOperand(i)
                  .getType());
  recordTypes(op, merged);
  assume(op, "condition is unknown: the branch with more work is counted",
         (branch == 0 ? ", 'then_branch'" : ", 'else_branch'") +
             adviseCondition(op->getOperand(0)),
         /*atMost=*/true);
  accept(trials[branch]);
  return takeBranch(op, branch, /*inferred=*/true);
}
