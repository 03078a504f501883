//===- InlineCalls.cpp - gpucost-inline-calls -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An iteration is one function. Calls are inlined from the leaves up, so that
// each body is flat before it is copied.

#include "LiftJumps.h"
#include "OuterModule.h"
#include "TensorDims.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Compiler/Transforms/Structure/ForeignFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gpucost {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// Limit for functions that call each other twice, which grow exponentially.
static constexpr int64_t maxInlinedOps = 1'000'000;
/// Maximum depth of nested calls.
static constexpr unsigned maxCallDepth = 256;

namespace {

class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : symbols(module) {}
  /// Inlines all calls of `function`.
  LogicalResult flatten(func::FuncOp function);

private:
  LogicalResult inlineCall(func::CallOp call);

  SymbolTable symbols;
  llvm::SetVector<Operation *> open;
  llvm::DenseSet<Operation *> flat;
  llvm::DenseMap<Operation *, int64_t> sizes;
  int64_t inlinedOps = 0;
};

struct InlineCallsPass
    : public gpucost::impl::InlineCallsPassBase<InlineCallsPass> {
  using InlineCallsPassBase::InlineCallsPassBase;
  InlineCallsPass() = default;
  InlineCallsPass(const InlineCallsPass &other) : InlineCallsPassBase(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    InlineCallsPassBase::getDependentDialects(registry);
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    scf::SCFDialect, ub::UBDialect>();
  }

  void runOnOperation() override;

private:
  /// The functions with the kernels of the iteration.
  FailureOr<SmallVector<func::FuncOp>> findEntries();

  SettingOptions options{*this, &Scenario::entry};
};

} // namespace

LogicalResult CallInliner::inlineCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  // A callee without a body in the module is an op of unknown cost.
  if (!callee || callee.isExternal())
    return success();
  if (open.contains(callee))
    return call.emitError() << "recursive call of '" << call.getCallee()
                            << "' with an unknown number of iterations";
  if (open.size() >= maxCallDepth)
    return call.emitError() << "calls are nested deeper than " << maxCallDepth;
  if (failed(flatten(callee)))
    return failure();
  // A callee with jumps that cannot be lifted is not inlined.
  if (!callee.getBody().hasOneBlock())
    return success();
  inlinedOps += sizes[callee];
  if (inlinedOps > maxInlinedOps)
    return call.emitError()
           << "calls expand to more than " << maxInlinedOps << " ops";
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, returned] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(returned));
  call.erase();
  return success();
}

LogicalResult CallInliner::flatten(func::FuncOp function) {
  if (flat.contains(function))
    return success();
  open.insert(function);
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (failed(inlineCall(call)))
      return failure();
  open.remove(function);
  int64_t size = 0;
  function.walk([&](Operation *) { ++size; });
  sizes[function] = size;
  flat.insert(function);
  return success();
}

FailureOr<SmallVector<func::FuncOp>> InlineCallsPass::findEntries() {
  SmallVector<func::FuncOp> bodies;
  llvm::StringSet<> called;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal())
      bodies.push_back(function);
  // "a', 'b": as many names as fit into one line of a message.
  auto nameAll = [&] {
    constexpr size_t most = 8;
    std::string names =
        llvm::join(llvm::map_range(ArrayRef(bodies).take_front(most),
                                   [](func::FuncOp function) {
                                     return function.getName();
                                   }),
                   "', '");
    return bodies.size() > most
               ? names + "' and " + std::to_string(bodies.size() - most) +
                     " more"
               : names + "'";
  };
  FailureOr<Settings> settings =
      stateSettings(getOperation(), options.stated());
  if (failed(settings))
    return failure();
  if (settings->entry) {
    StringRef entry = *settings->entry;
    for (func::FuncOp function : bodies)
      if (function.getName() == entry)
        return SmallVector<func::FuncOp>{function};
    return getOperation().emitError()
           << "no function '" << entry << "' with a body; there are '"
           << nameAll();
  }
  if (bodies.size() < 2)
    return bodies;
  for (StringRef name : {"main", "forward", "main_graph"})
    for (func::FuncOp function : bodies)
      if (function.getName() == name && function.isPublic())
        return SmallVector<func::FuncOp>{function};
  getOperation().walk([&](func::CallOp call) {
    if (call->getParentOfType<func::FuncOp>().getName() != call.getCallee())
      called.insert(call.getCallee());
  });
  SmallVector<func::FuncOp> roots;
  for (func::FuncOp function : bodies)
    if (function.isPublic() && !called.contains(function.getName()))
      roots.push_back(function);
  if (roots.empty())
    return getOperation().emitError()
           << "no public function without callers; choose one of '" << nameAll()
           << " with --entry";
  if (roots.size() > 1)
    getOperation().emitWarning()
        << "the iteration is the sum of " << roots.size()
        << " functions; choose one of '" << nameAll() << " with --entry";
  return roots;
}

/// MLIR's lowerings compute with dimensions without overflow checks; no GPU can
/// store this many elements.
static constexpr int64_t maxDimension = int64_t(1) << 48;

static LogicalResult checkDimensions(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      for (int64_t size : shaped.getShape())
        if (size > maxDimension)
          return op->emitError("result has a dimension of ")
                 << size << ", more than " << maxDimension;
  return success();
}

/// Checks requirements of later passes that the verifier does not check.
static LogicalResult checkBodies(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    // The verifier accepts an op of an unregistered dialect as a terminator.
    for (Block &block : function.getBody())
      if (block.empty() || !block.back().isRegistered())
        return function.emitError("expected a 'func.return' at the end of '")
               << function.getName() << "'";
    WalkResult walked = function.walk([](Operation *op) {
      return isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()) ||
                     succeeded(checkDimensions(op))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

void InlineCallsPass::runOnOperation() {
  adoptForeignFunctions(getOperation());
  if (failed(hoistInnerModule(getOperation())))
    return signalPassFailure();
  inlineLaunches(getOperation());
  if (failed(checkBodies(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (liftJumps(function)) {
      OpPassManager pm(func::FuncOp::getOperationName());
      addCanonicalizer(pm);
      if (failed(runPipeline(pm, function)))
        return signalPassFailure();
    }
  FailureOr<SmallVector<func::FuncOp>> entries = findEntries();
  if (failed(entries))
    return signalPassFailure();
  CallInliner inliner(getOperation());
  for (func::FuncOp function : *entries)
    if (failed(inliner.flatten(function)))
      return signalPassFailure();
  // A callee with several blocks is an op of unknown cost. Functions of nested
  // modules cannot be called from here.
  llvm::StringSet<> called;
  for (func::FuncOp function : *entries)
    function.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (isa<ModuleOp>(op)) {
      op.erase();
    } else if (function && !function.isExternal() &&
               !llvm::is_contained(*entries, function)) {
      if (called.contains(function.getName())) {
        function.eraseBody();
        function.setPrivate();
      } else {
        function.erase();
      }
    }
  }
}
