//===- Raiser.cpp - Helpers of the fusion patterns ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "Lifting.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpucost-raise-ops"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

bool Match::runsTogether() const {
  return llvm::all_of(inner,
                      [&](Operation *op) { return runTogether(op, root); });
}

bool Match::isClosed() const {
  return llvm::all_of(inner, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      // A user in the body of an op belongs to that op.
      user = op->getBlock()->findAncestorOpInBlock(*user);
      return user && (user == root || llvm::is_contained(inner, user));
    });
  });
}

Location Raiser::fuseLocations(const Match &match) {
  // The root comes first, because reports print its name.
  SmallVector<Location> locations = {match.root->getLoc()};
  for (Operation *op : match.inner)
    locations.push_back(op->getLoc());
  return FusedLoc::get(match.root->getContext(), locations);
}

/// Number of distinct ops in a match; a pattern may add an op twice.
static size_t countOps(const Match &match) {
  llvm::SmallPtrSet<Operation *, 16> ops(match.inner.begin(),
                                         match.inner.end());
  ops.insert(match.root);
  return ops.size();
}

void Raiser::finish(const Match &match, Operation *op, Operation *result) {
  for (StringRef name :
       {StringRef(onnx::OnnxDialect::valueNamesAttrName),
        StringRef(onnx::OnnxDialect::constantAttrName),
        StringRef(tripCountAttrName), StringRef(batchedIterationsAttrName),
        StringRef(unknownTripCountAttrName)})
    if (Attribute attribute = match.root->getAttr(name))
      result->setAttr(name, attribute);
  remark::passed(
      match.root->getLoc(),
      remark::RemarkOpts::name("raised").category("gpucost-raise-ops"))
      << remark::add("raised {0} ops to {1}", countOps(match),
                     op->getName().stripDialect());
  LDBG() << "raise " << countOps(match) << " ops to " << op->getName() << " at "
         << match.root->getLoc();
  match.root->getResult(0).replaceAllUsesWith(result->getResult(0));
  discard(match.root);
}

bool Raiser::miss(Operation *op, StringRef what, StringRef reason) {
  LDBG() << "no " << what << " at " << op->getLoc() << ": " << reason;
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("kept").category("gpucost-raise-ops"))
      << remark::add("no {0}", what.str()) << reason.str();
  return false;
}

bool Raiser::canFuse(const Match &match, StringRef what) const {
  SmallVector<Operation *> ops(match.inner.begin(), match.inner.end());
  ops.push_back(match.root);
  if (fuses || Lifting::areOneKernel(ops))
    return true;
  std::string reason =
      "the model contains it as " + std::to_string(countOps(match)) +
      " separate ops, which eager execution launches one by one; "
      "--runtime=compiled fuses them";
  return miss(match.root, what, reason);
}

void Raiser::discard(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (discarded.contains(next) || !isOpTriviallyDead(next))
      continue;
    SmallVector<Value> operands(next->getOperands());
    next->dropAllReferences();
    discarded.insert(next);
    for (Value operand : operands)
      if (Operation *def = operand.getDefiningOp())
        worklist.push_back(def);
  }
}
