//===- FormKernels.cpp - gpucost-form-kernels ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Groups ops into launches. Eager execution launches one kernel per op (bias
// adds ride on their matmul); compiled execution fuses elementwise chains.

#include "KernelFormer.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Scenario/FrameworkRules.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Transforms/Passes.h"
#include "gpucost/Transforms/SettingOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace gpucost {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// (L12) Kernels of serving stacks: the norm of a residual sum, and an
/// activation with the product of its gate.
static bool isFusedInLayers(Operation *op) {
  if (isa<onnx::RMSNormalizationOp, onnx::SimplifiedLayerNormalizationOp,
          onnx::LayerNormalizationOp>(op)) {
    auto sum = op->getOperand(0).getDefiningOp<onnx::AddOp>();
    return sum && sum->getNumOperands() == 2 &&
           sum->getOperand(0).getType() == sum->getOperand(1).getType();
  }
  return isa<onnx::MulOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           Operation *gate = operand.getDefiningOp();
           return operand.hasOneUse() &&
                  isa_and_nonnull<onnx::SwishOp, onnx::SiluOp, onnx::GeluOp,
                                  onnx::QuickGeluOp>(gate);
         });
}

/// (L13) The kernel that a stack wrote for `group` knows its rows: where their
/// elements follow each other, it loads vectors at any distance of the rows.
void KernelFormer::loadVectors(const KernelGroup &group) {
  bool followEachOther = llvm::all_of(group.ops, [&](Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      return !type || type.getRank() == 0 || !type.hasStaticShape() ||
             type.getShape().back() == 1 || layouts.get(operand).back() == 1;
    });
  });
  if (followEachOther)
    for (Operation *op : group.ops)
      op->removeAttr(stridedAttrName);
}

void KernelFormer::visit(Operation *op) {
  if (launchesNothing(op))
    return;
  auto work = dyn_cast<WorkOpInterface>(op);
  CostClass shape = work ? work.getCostClass() : CostClass::Opaque;
  SmallVector<Operation *, 4> before, after;
  lowering.lower(op, shape, before, after);
  // Views of copies are new.
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && def->getBlock() == &block && !position.contains(def))
      position[def] = position[op];
  for (Operation *copy : before) {
    position[copy] = position[op];
    if (!fuse || !joinProducer(copy, CostClass::DataMovement))
      addGroup(copy, CostClass::DataMovement);
  }
  if (shape == CostClass::View)
    return;
  // A library runs collectives on a stream of its own: nothing fuses with them.
  if (isa<CollectiveOp>(op))
    shape = CostClass::Opaque;
  bool fusedInLayers = fusesLayers && isFusedInLayers(op);
  if (!joinAsBias(op) && !joinAsNarrowingCast(op) &&
      !((fuse || fusedInLayers) && joinProducer(op, shape)))
    addGroup(op, shape);
  else if (fusedInLayers)
    loadVectors(groups[groupOf.lookup(op)]);
  for (Operation *copy : after) {
    position[copy] = position[op];
    addGroup(copy, CostClass::DataMovement);
  }
}

/// Library calls cost the host about twice an elementwise launch.
static bool isLibraryCall(CostClass shape) {
  return shape == CostClass::Contraction || shape == CostClass::Convolution ||
         shape == CostClass::RowNormalization || shape == CostClass::Attention;
}

/// Moves `op` and what it needs before `anchor` when it launches nothing.
/// Positions stand in for the order in the block, which every move renumbers.
void KernelFormer::hoistBefore(Operation *op, Operation *anchor) {
  if (!op || isa<KernelOp>(op))
    return;
  SmallVector<std::pair<unsigned, Operation *>> moved;
  SmallVector<Operation *> worklist = {op};
  unsigned limit = position.lookup(anchor);
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!next || next->getBlock() != anchor->getBlock() ||
        position.lookup(next) <= limit || !launchesNothing(next))
      continue;
    moved.push_back({position[next], next});
    position[next] = limit;
    for (Value operand : next->getOperands())
      worklist.push_back(operand.getDefiningOp());
  }
  llvm::sort(moved, llvm::less_first());
  for (auto [index, next] : moved)
    next->moveBefore(anchor);
}

/// What the ops of a kernel are called: the first by its name, a copy by its
/// reason, and those fused behind it as long as the label stays short.
static std::string labelOf(const KernelGroup &group) {
  Operation *primary = group.ops.front();
  std::string label = primary->getName().stripDialect().str();
  if (auto copy = dyn_cast<CopyOp>(primary))
    label = (copy.getReason() + " copy").str();
  for (Operation *op : ArrayRef(group.ops).drop_front())
    if (label.size() < 60)
      label += ("+" + op->getName().stripDialect()).str();
  if (auto step = dyn_cast<OptimizerStepOp>(primary))
    label = step.getStep().str();
  return label;
}

/// The attributes of the kernel of `group`.
void KernelFormer::describe(const KernelGroup &group, OperationState &state) {
  Builder builder(block.getParentOp()->getContext());
  Operation *primary = group.ops.front();
  KernelOp::Properties &kernel =
      state.getOrAddProperties<KernelOp::Properties>();
  kernel = defaults;
  kernel.label = builder.getStringAttr(labelOf(group));
  if (auto phase = primary->getAttrOfType<PhaseAttr>(phaseAttrName))
    kernel.phase = phase;
  if (isa<CollectiveOp>(primary))
    kernel.phase = PhaseAttr::get(builder.getContext(), Phase::Communication);
  if (Attribute origin = primary->getAttr(originName))
    state.addAttribute(originName, origin);
  int64_t launches = 1;
  if (auto steps = primary->getAttrOfType<IntegerAttr>(tripCountAttrName))
    launches = steps.getInt();
  if (primary->hasAttr(unknownTripCountAttrName)) {
    kernel.coverage =
        CoverageAttr::get(builder.getContext(), Coverage::Fallback);
    state.addAttribute(reasonAttrName,
                       builder.getStringAttr("in a loop of unknown length, "
                                             "counted once"));
  }
  if (auto repeat =
          primary->getAttrOfType<IntegerAttr>(accumulationCountAttrName)) {
    launches = checkedProduct({launches, repeat.getInt()}).value_or(INT64_MAX);
    state.addAttribute(accumulatedAttrName, repeat);
  }
  if (auto step = dyn_cast<OptimizerStepOp>(primary))
    launches = step.getLaunches();
  if (launches != 1)
    kernel.count = builder.getI64IntegerAttr(std::max<int64_t>(launches, 0));
  // (J5) Of ops that a compiler has fused the first with a schedule says it.
  for (Operation *op : group.ops)
    if (Attribute schedule = op->removeAttr(scheduleAttrName);
        schedule && !state.attributes.get(scheduleAttrName))
      state.addAttribute(scheduleAttrName, schedule);
  if (llvm::any_of(group.ops, [](Operation *op) {
        return op->hasAttr(synchronizesAttrName);
      }))
    state.addAttribute(synchronizesAttrName, builder.getUnitAttr());
  if (isLibraryCall(group.shape))
    kernel.library = builder.getUnitAttr();
  if (group.insideLibraryCall)
    kernel.host_launches = builder.getI64IntegerAttr(0);
  state.addRegion();
}

void KernelFormer::wrap(KernelGroup &group) {
  // Views between fused ops, and late ones of what exists before, move along.
  llvm::SmallSetVector<Operation *, 8> members(group.ops.begin(),
                                               group.ops.end());
  unsigned start = position.lookup(group.ops.front());
  for (size_t i = 1; i < group.ops.size(); ++i)
    for (Value operand : group.ops[i]->getOperands()) {
      SmallVector<Operation *> views;
      Operation *def = operand.getDefiningOp();
      while (def && !members.contains(def) && def->getBlock() == &block) {
        auto view = dyn_cast<WorkOpInterface>(def);
        if (!view || view.getCostClass() != CostClass::View)
          break;
        views.push_back(def);
        def = def->getNumOperands() ? def->getOperand(0).getDefiningOp()
                                    : nullptr;
      }
      // A copy has the position of the op that asked for it, a view of it, too.
      bool between = def && members.contains(def);
      for (Operation *view : llvm::reverse(views))
        if (between || position.lookup(view) > start)
          members.insert(view);
    }
  // What is computed ahead of time or only reserves memory must stand before
  // the kernel that reads it.
  for (Operation *op : members)
    for (Value operand : valuesRead(op))
      if (!members.contains(operand.getDefiningOp()))
        hoistBefore(operand.getDefiningOp(), group.ops.front());
  SmallVector<Operation *> ops(members.begin(), members.end());
  if (ops.size() > 1)
    llvm::stable_sort(ops, [&](Operation *a, Operation *b) {
      return position.lookup(a) < position.lookup(b);
    });

  SmallVector<Value> outside;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outside.push_back(result);

  Operation *first = ops.front(), *primary = group.ops.front();
  OpBuilder builder(first);
  OperationState state(primary->getLoc(), kernelName);
  for (Value value : outside)
    state.types.push_back(value.getType());
  describe(group, state);
  auto kernel = cast<KernelOp>(builder.create(state));
  position[kernel] = position.lookup(first);
  Block *body = &kernel.getBody().emplaceBlock();
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  for (auto [inner, outer] : llvm::zip_equal(outside, kernel.getResults()))
    inner.replaceUsesWithIf(outer, [&](OpOperand &use) {
      return !kernel->isProperAncestor(use.getOwner());
    });
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, primary->getLoc(), outside);
}

void KernelFormer::run() {
  SmallVector<Operation *> ops;
  size_t size = block.getOperations().size();
  ops.reserve(size);
  groups.reserve(size);
  position.reserve(2 * size);
  groupOf.reserve(size);
  for (Operation &op : block) {
    position[&op] = ops.size();
    ops.push_back(&op);
  }
  for (Operation *op : ops)
    visit(op);
  for (KernelGroup &group : groups)
    wrap(group);
}

namespace {
struct FormKernelsPass
    : public gpucost::impl::FormKernelsPassBase<FormKernelsPass> {
  using FormKernelsPassBase::FormKernelsPassBase;
  FormKernelsPass() = default;
  FormKernelsPass(const FormKernelsPass &other) : FormKernelsPassBase(other) {}

  void runOnOperation() override {
    FailureOr<Settings> settings =
        stateSettings(getOperation(), settingOptions.stated());
    if (failed(settings))
      return signalPassFailure();
    EagerLowering::Options options;
    options.channelsLast = settings->channelsLast;
    options.library = settings->runtime != Runtime::Compiled;
    options.tensorFloatConvolution = settings->tf32 != Tf32Mode::Off;
    bool fusesLayers = !settings->trains() &&
                       frameworkRules(settings->software).fusesDecoderLayers;
    bool anyWork = false, anyLinalg = false;
    getOperation().walk([&](func::FuncOp function) {
      if (function.isExternal())
        return;
      function.walk([&](Operation *op) {
        anyWork |= isa<WorkOpInterface>(op);
        anyLinalg |= op->getName().getDialectNamespace() == "linalg";
        return anyWork ? WalkResult::interrupt() : WalkResult::advance();
      });
      for (Block &block : function.getBody()) {
        markConstantWork(block);
        KernelFormer(block, settings->runtime == Runtime::Compiled, fusesLayers,
                     options)
            .run();
      }
    });
    if (anyLinalg && !anyWork)
      emitWarning(getOperation().getLoc())
          << "no op implements 'WorkOpInterface'; were the external models "
             "registered";
  }

private:
  SettingOptions settingOptions{*this, &Scenario::runtime, &Scenario::software,
                                &Scenario::channelsLast};
};
} // namespace
