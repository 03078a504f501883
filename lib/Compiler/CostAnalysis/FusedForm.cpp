//===- FusedForm.cpp - Ops as MLIR fuses them -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedForm.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <functional>

using namespace mlir;
using namespace gpucost;

/// Maximum number of fused ops, and of idle ops copied with them.
static constexpr size_t mostFused = 32, mostIdle = 64;

/// Whether `op` launches nothing, and the work of its readers depends on it.
static bool isIdle(Operation *op) {
  return !isa<CallOpInterface>(op) && op->getNumOperands() <= 2 &&
         (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op)) &&
         (getCostClass(op) == CostClass::View || launchesNothing(op));
}

namespace {
/// A function with a copy of structured ops.
struct GroupCopy {
  OwningOpRef<func::FuncOp> function;
  IRMapping mapping;
};
} // namespace

/// Copies `members` with the idle ops whose results they read. Values that
/// bodies use are copied too: the copy must not add uses to values of the IR,
/// which other threads may read.
static std::optional<GroupCopy> copyGroup(ArrayRef<Operation *> members,
                                          ValueRange results) {
  MLIRContext *context = members.front()->getContext();
  llvm::SetVector<Operation *> order;
  SmallVector<Value> arguments;
  size_t idle = 0;
  bool isTooLarge = false;
  std::function<void(Operation *)> place = [&](Operation *op) {
    if (order.contains(op) || isTooLarge)
      return;
    for (Value operand : valuesRead(op)) {
      Operation *def = operand.getDefiningOp();
      if (def && llvm::is_contained(members, def)) {
        place(def);
      } else if (def && (isIdle(def) || isa<tensor::PadOp>(def))) {
        // A convolution does not read the padding of its image.
        isTooLarge |= !order.contains(def) && ++idle > mostIdle;
        place(def);
      } else if (!llvm::is_contained(arguments, operand)) {
        arguments.push_back(operand);
      }
    }
    order.insert(op);
  };
  for (Operation *op : members)
    place(op);
  if (isTooLarge)
    return std::nullopt;
  OpBuilder builder(context);
  Location loc = UnknownLoc::get(context);
  GroupCopy copy;
  copy.function = func::FuncOp::create(
      loc, "group",
      builder.getFunctionType(TypeRange(ValueRange(arguments)),
                              TypeRange(results)));
  Block *body = copy.function->addEntryBlock();
  copy.mapping.map(arguments, body->getArguments());
  builder.setInsertionPointToEnd(body);
  for (Operation *op : order)
    builder.clone(*op, copy.mapping);
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(copy.mapping.lookup(result));
  func::ReturnOp::create(builder, loc, returned);
  return copy;
}

/// A producer that can be fused into `op`, as the operand that reads it. No
/// other op of the group reads it: such an op is fused earlier.
static OpOperand *findFusable(linalg::GenericOp op,
                              const llvm::SmallPtrSetImpl<Operation *> &group) {
  for (OpOperand *use : op.getDpsInputOperands()) {
    Operation *producer = use->get().getDefiningOp();
    if (producer && group.contains(producer) &&
        llvm::none_of(producer->getUsers(),
                      [&](Operation *user) {
                        return user != op && group.contains(user);
                      }) &&
        linalg::areElementwiseOpsFusable(use))
      return use;
  }
  return nullptr;
}

/// `op` without inputs that repeat another one, so that their producer is
/// computed once, and without results that are not read.
static linalg::GenericOp simplify(IRRewriter &rewriter, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray(), inputMaps;
  SmallVector<Value> inputs, outputs, results;
  SmallVector<size_t> kept; // operands whose block arguments remain
  SmallVector<size_t> position(op->getNumOperands());
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    size_t same = 0;
    while (same < inputs.size() &&
           (inputs[same] != input || inputMaps[same] != maps[i]))
      ++same;
    if (same == inputs.size()) {
      inputs.push_back(input);
      inputMaps.push_back(maps[i]);
      kept.push_back(i);
    }
    position[i] = same;
  }
  Block *from = op.getBlock();
  SmallVector<AffineMap> outputMaps;
  for (OpResult result : op->getResults()) {
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    size_t i = init->getOperandNumber();
    if (result.use_empty() && from->getArgument(i).use_empty())
      continue;
    position[i] = kept.size();
    kept.push_back(i);
    outputs.push_back(init->get());
    outputMaps.push_back(maps[i]);
    results.push_back(result);
  }
  inputMaps.append(outputMaps);
  if (kept.size() == op->getNumOperands() || results.empty() ||
      !inversePermutation(concatAffineMaps(inputMaps, op.getContext())))
    return op;
  rewriter.setInsertionPoint(op);
  auto simple = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(results)), inputs, outputs,
      inputMaps, op.getIteratorTypesArray());
  Block *body = rewriter.createBlock(&simple.getRegion());
  for (size_t i : kept)
    body->addArgument(from->getArgument(i).getType(), op.getLoc());
  // Arguments of results that are not read have no uses.
  SmallVector<Value> arguments;
  for (size_t i : position)
    arguments.push_back(body->getArgument(i));
  rewriter.mergeBlocks(from, body, arguments);
  Operation *yield = body->getTerminator();
  SmallVector<Value> yielded;
  for (auto [result, to] : llvm::zip_equal(results, simple->getResults())) {
    yielded.push_back(
        yield->getOperand(cast<OpResult>(result).getResultNumber()));
    rewriter.replaceAllUsesWith(result, to);
  }
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, yielded);
  rewriter.eraseOp(op);
  return simple;
}

/// The member that no other member reads; null if there are several.
static Operation *findRoot(ArrayRef<Operation *> members) {
  Operation *root = nullptr;
  for (Operation *op : members) {
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return llvm::is_contained(members, user);
        }))
      continue;
    if (root)
      return nullptr;
    root = op;
  }
  return root;
}

std::optional<LaunchView> gpucost::viewFusedForm(const KernelMembers &kernel,
                                                 const UnitRules &rules) {
  ArrayRef<Operation *> members = kernel.ops();
  if (members.size() < 2 || members.size() > mostFused ||
      !llvm::all_of(members, [](Operation *op) {
        auto structured = dyn_cast<linalg::LinalgOp>(op);
        return structured && structured.hasPureTensorSemantics() &&
               op->getNumResults() == 1;
      }))
    return std::nullopt;
  // Ops of the copy must not be recorded.
  OpFacts::Recorder shield;
  Operation *last = findRoot(members);
  std::optional<GroupCopy> copy =
      last ? copyGroup(members, kernel.results()) : std::nullopt;
  if (!copy)
    return std::nullopt;
  IRRewriter rewriter(members.front()->getContext());
  llvm::SmallPtrSet<Operation *, 8> group;
  linalg::GenericOp root;
  for (Operation *op : members) {
    auto structured = copy->mapping.lookup(op->getResult(0))
                          .getDefiningOp<linalg::LinalgOp>();
    if (!structured)
      return std::nullopt;
    rewriter.setInsertionPoint(structured);
    FailureOr<linalg::GenericOp> general =
        isa<linalg::GenericOp>(structured.getOperation())
            ? FailureOr<linalg::GenericOp>(
                  cast<linalg::GenericOp>(structured.getOperation()))
            : linalg::generalizeNamedOp(rewriter, structured);
    if (failed(general))
      return std::nullopt;
    group.insert(*general);
    if (op == last)
      root = *general;
  }
  for (size_t step = 0; step < mostFused; ++step) {
    group.erase(root);
    root = simplify(rewriter, root);
    group.insert(root);
    OpOperand *use = findFusable(root, group);
    if (!use)
      break;
    auto producer = cast<linalg::GenericOp>(use->get().getDefiningOp());
    rewriter.setInsertionPoint(root);
    FailureOr<linalg::ElementwiseOpFusionResult> made =
        linalg::fuseElementwiseOps(rewriter, use);
    if (failed(made))
      return std::nullopt;
    for (auto [from, to] : made->replacements)
      rewriter.replaceUsesWithIf(from, to, [&](OpOperand &other) {
        return other.getOwner() != producer && other.getOwner() != root &&
               other.getOwner() != made->fusedOp;
      });
    group.erase(root);
    rewriter.eraseOp(root);
    if (producer->use_empty()) {
      group.erase(producer);
      rewriter.eraseOp(producer);
    }
    root = cast<linalg::GenericOp>(made->fusedOp);
    group.insert(root);
  }
  if (llvm::any_of(group, [&](Operation *op) { return op != root; }))
    return std::nullopt;
  OpFacts facts;
  return viewMembers(KernelMembers(root.getOperation()), facts, rules);
}
