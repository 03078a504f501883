//===- FormKernels.cpp - gpucost-form-kernels -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Groups ops into launches. Eager execution launches one kernel per op (bias
// adds are part of their matmul); compiled execution fuses elementwise chains.

#include "ConvolutionBias.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpucost {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {

/// Applies the partition of one block.
class KernelFormer {
public:
  KernelFormer(Block &block, const PartitionOptions &options)
      : block(block), partition(block, options),
        context(block.getParentOp()->getContext()),
        kernelName(KernelOp::getOperationName(), context),
        originName(StringAttr::get(context, originAttrName)),
        recomputedName(StringAttr::get(context, recomputedAttrName)),
        scheduleName(StringAttr::get(context, scheduleAttrName)) {
    KernelOp::populateDefaultProperties(kernelName, defaults);
  }
  void run();

private:
  void applyPlan(Operation *op, const OpPlan &plan);
  CopyOp insertCopy(OpBuilder &builder, const PlannedCopy &copy, Value input);
  StringAttr labelOf(ArrayRef<Operation *> ops);
  void describe(const KernelGroup &group, ArrayRef<Operation *> ops,
                OperationState &state);
  void wrap(const KernelGroup &group);
  void hoistBefore(Operation *op, Operation *anchor);

  Block &block;
  KernelPartition partition;
  MLIRContext *context;
  OperationName kernelName;
  KernelOp::Properties defaults; ///< shared by all kernels, uniqued once
  StringAttr originName, recomputedName, scheduleName;
  llvm::DenseMap<OperationName, StringAttr> labels; ///< of kernels of one op
  llvm::DenseMap<const PlannedCopy *, CopyOp> copies;
  llvm::DenseMap<Operation *, unsigned> position;
};

} // namespace

/// A copy has the position and the annotations of the op that needs it.
CopyOp KernelFormer::insertCopy(OpBuilder &builder, const PlannedCopy &planned,
                                Value input) {
  auto copy = CopyOp::create(builder, planned.op->getLoc(), planned.type, input,
                             planned.reason, /*strided=*/true);
  for (StringRef name : {phaseAttrName, originAttrName, recomputedAttrName,
                         accumulationCountAttrName, tripCountAttrName})
    if (Attribute value = planned.op->getAttr(name))
      copy->setAttr(name, value);
  position[copy] = position.lookup(planned.op);
  return copies[&planned] = copy;
}

void KernelFormer::applyPlan(Operation *op, const OpPlan &plan) {
  OpBuilder builder(op);
  for (const PlannedRead &read : plan.reads) {
    CopyOp copy = copies.lookup(read.copy);
    if (!copy)
      copy = insertCopy(builder, *read.copy, op->getOperand(read.operand));
    Value output = copy.getOutput();
    if (read.transpose) {
      Operation *view = builder.clone(*read.transpose);
      view->setOperand(0, output);
      SmallVector<int64_t> shape(read.copy->type.getShape());
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
      output = view->getResult(0);
      output.setType(
          RankedTensorType::get(shape, read.copy->type.getElementType()));
      position[view] = position.lookup(op);
    }
    op->setOperand(read.operand, output);
  }
  auto mark = [&](bool holds, StringRef name) {
    if (holds)
      op->setAttr(name, builder.getUnitAttr());
  };
  mark(plan.strided, stridedAttrName);
  mark(plan.channelsLast, channelsLastAttrName);
  mark(plan.fixedStatistics, fixedStatisticsAttrName);
  if (plan.run)
    op->setAttr(runAttrName, builder.getI64IntegerAttr(plan.run));
  if (plan.after) {
    builder.setInsertionPointAfter(op);
    CopyOp copy = insertCopy(builder, *plan.after, op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(copy.getOutput(), copy);
  }
}

/// Library calls take about twice the host time of an elementwise launch.
static bool isLibraryCall(CostClass shape) {
  return shape == CostClass::Contraction || shape == CostClass::Convolution ||
         shape == CostClass::RowNormalization || shape == CostClass::Attention;
}

/// Moves `op` and the ops that it depends on before `anchor` if they launch
/// nothing. `position` replaces the block order, which every move renumbers.
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

/// Label of a kernel: the name of its first op, or the reason of a copy,
/// followed by the fused ops as long as the label stays short.
static std::string describeMembers(ArrayRef<Operation *> ops) {
  Operation *primary = ops.front();
  std::string label = primary->getName().stripDialect().str();
  if (auto copy = dyn_cast<CopyOp>(primary))
    label = std::string(stringifyCopyReason(copy.getReason())) + " copy";
  for (Operation *op : ops.drop_front())
    if (label.size() < 60)
      label += ("+" + op->getName().stripDialect()).str();
  if (auto step = dyn_cast<OptimizerStepOp>(primary))
    label = step.getStep().str();
  return label;
}

StringAttr KernelFormer::labelOf(ArrayRef<Operation *> ops) {
  if (ops.size() > 1 || isa<CopyOp, OptimizerStepOp>(ops.front()))
    return StringAttr::get(context, describeMembers(ops));
  StringAttr &label = labels[ops.front()->getName()];
  if (!label)
    label = StringAttr::get(context, describeMembers(ops));
  return label;
}

/// Sets the attributes of the kernel with `ops`, the members of `group`.
void KernelFormer::describe(const KernelGroup &group, ArrayRef<Operation *> ops,
                            OperationState &state) {
  Builder builder(context);
  Operation *primary = ops.front();
  KernelOp::Properties &kernel =
      state.getOrAddProperties<KernelOp::Properties>();
  kernel = defaults;
  kernel.label = labelOf(ops);
  if (auto phase = primary->getAttrOfType<PhaseAttr>(phaseAttrName))
    kernel.phase = phase;
  if (isa<CollectiveOp>(primary))
    kernel.phase = PhaseAttr::get(context, Phase::Communication);
  for (StringAttr name : {originName, recomputedName})
    if (Attribute value = primary->getAttr(name))
      state.addAttribute(name, value);
  int64_t launches = 1;
  if (auto steps = primary->getAttrOfType<IntegerAttr>(tripCountAttrName))
    launches = steps.getInt();
  if (primary->hasAttr(unknownTripCountAttrName)) {
    kernel.coverage = CoverageAttr::get(context, Coverage::Fallback);
    state.addAttribute(
        reasonAttrName,
        builder.getStringAttr("in a loop with an unknown trip count, "
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
  // (J5) If a compiler has fused ops, the first op with a schedule defines it.
  for (Operation *op : ops)
    if (Attribute schedule = op->getAttr(scheduleName)) {
      op->removeAttr(scheduleName);
      if (!state.attributes.get(scheduleName))
        state.addAttribute(scheduleName, schedule);
    }
  if (llvm::any_of(
          ops, [](Operation *op) { return op->hasAttr(synchronizesAttrName); }))
    state.addAttribute(synchronizesAttrName, builder.getUnitAttr());
  if (isLibraryCall(group.shape))
    kernel.library = builder.getUnitAttr();
  if (group.insideLibraryCall)
    kernel.host_launches = builder.getI64IntegerAttr(0);
  else if (auto stated =
               primary->getAttrOfType<IntegerAttr>(hostLaunchesAttrName))
    kernel.host_launches = stated;
  state.addRegion();
}

void KernelFormer::wrap(const KernelGroup &group) {
  auto find = [&](ArrayRef<KernelMember> members) {
    SmallVector<Operation *> ops;
    for (KernelMember member : members)
      if (auto *copy = dyn_cast<const PlannedCopy *>(member))
        ops.push_back(copies.lookup(copy));
      else
        ops.push_back(cast<Operation *>(member));
    return ops;
  };
  SmallVector<Operation *> named = find(group.members), ops = find(group.body);
  if (group.loadsVectors)
    for (Operation *op : named)
      op->removeAttr(stridedAttrName);
  llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end());
  // Precomputed values and reserved memory must precede the kernel.
  for (Operation *op : ops)
    for (Value operand : valuesRead(op))
      if (!members.contains(operand.getDefiningOp()))
        hoistBefore(operand.getDefiningOp(), named.front());
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

  Operation *first = ops.front(), *primary = named.front();
  OpBuilder builder(first);
  OperationState state(primary->getLoc(), kernelName);
  for (Value value : outside)
    state.types.push_back(value.getType());
  describe(group, named, state);
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
  ops.reserve(block.getOperations().size());
  position.reserve(2 * block.getOperations().size());
  for (Operation &op : block) {
    position[&op] = ops.size();
    ops.push_back(&op);
  }
  for (Operation *op : ops) {
    if (partition.isConstant(op))
      op->setAttr(onnx::OnnxDialect::constantAttrName, UnitAttr::get(context));
    if (const OpPlan *plan = partition.planOf(op))
      applyPlan(op, *plan);
  }
  for (const KernelGroup &group : partition.groups())
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
    if (failed(settings) || failed(checkFormation(getOperation())))
      return signalPassFailure();
    recordFormation(getOperation());
    PartitionOptions options = PartitionOptions::of(*settings);
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
        if (addsBiasSeparately(*settings))
          splitConvolutionBias(block, settings->channelsLast);
        KernelFormer(block, options).run();
      }
    });
    if (anyLinalg && !anyWork)
      emitWarning(getOperation().getLoc())
          << "no op implements 'WorkOpInterface'; check that the external "
             "models are registered";
  }

private:
  SettingOptions settingOptions{*this, &Scenario::runtime, &Scenario::software,
                                &Scenario::channelsLast};
};
} // namespace
