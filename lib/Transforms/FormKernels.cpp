//===- FormKernels.cpp - gpucost-form-kernels ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Groups ops into launches. Eager execution launches one kernel per op (bias
// adds ride on their matmul); compiled execution fuses elementwise chains.

#include "EagerLowering.h"
#include "LinearLayer.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
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

namespace {

/// Ops of one launch, in program order.
struct Group {
  SmallVector<Operation *> ops;
  CostClass shape = CostClass::Opaque; ///< of the first op
  std::optional<int64_t> elements;     ///< iteration domain of pointwise groups
  /// Results of a reduction in the group whose rows one block of threads reads:
  /// the kernel goes on with them, and with the rows.
  std::optional<int64_t> rows;
  bool insideLibraryCall = false; ///< layout conversion of a convolution
};

class KernelFormer {
public:
  KernelFormer(Block &block, bool fuse, bool fusesLayers,
               EagerLowering::Options options)
      : block(block), fuse(fuse), fusesLayers(fusesLayers),
        lowering(layouts, options),
        kernelName(KernelOp::getOperationName(),
                   block.getParentOp()->getContext()),
        originName(StringAttr::get(block.getParentOp()->getContext(),
                                   originAttrName)) {
    KernelOp::populateDefaultProperties(kernelName, defaults);
  }
  void run();

private:
  void visit(Operation *op);
  void addGroup(Operation *op, CostClass shape);
  bool existsBefore(Operation *def, unsigned start, unsigned &budget);
  bool isReadable(Operation *def, unsigned group, unsigned start);
  bool joinProducer(Operation *op, CostClass shape);
  bool joinAsBias(Operation *op);
  bool joinAsVectorBias(Operation *op);
  bool joinAsNarrowingCast(Operation *op);
  void describe(const Group &group, OperationState &state);
  void wrap(Group &group);
  void hoistBefore(Operation *op, Operation *anchor);

  Block &block;
  bool fuse;        ///< what a compiler fuses
  bool fusesLayers; ///< what the layers of serving stacks have fused
  LayoutMap layouts;
  EagerLowering lowering;
  OperationName kernelName;
  StringAttr originName;
  KernelOp::Properties defaults; ///< of every kernel, uniqued once
  std::vector<Group> groups;
  llvm::DenseMap<Operation *, unsigned> groupOf;
  llvm::DenseMap<Operation *, unsigned> position;
};

} // namespace

/// Kernels that an op may continue are tried up to this number: one with more
/// operands from different kernels is no fusion that a compiler makes.
static constexpr unsigned maxProducers = 8;
/// Views between two fused ops, and ops without a launch that one of them
/// needs.
static constexpr unsigned maxViews = 64, maxHoisted = 64;

/// Longest row that one block of threads reads before it goes on.
static constexpr int64_t longestRow = 16384;

/// Results of `op` when it reduces rows of at most `longestRow` elements.
static std::optional<int64_t> rowsOf(Operation *op, CostClass shape) {
  if (shape != CostClass::Reduction || op->getNumOperands() == 0 ||
      op->getNumResults() != 1)
    return std::nullopt;
  auto all = elementCount(op->getOperand(0).getType());
  auto rows = elementCount(op->getResult(0).getType());
  if (!all || !rows || *rows < 1 || *all / *rows > longestRow)
    return std::nullopt;
  return rows;
}

static bool isPointwise(CostClass shape) {
  return shape == CostClass::Elementwise ||
         shape == CostClass::RowNormalization ||
         shape == CostClass::Reduction || shape == CostClass::DataMovement;
}

void KernelFormer::addGroup(Operation *op, CostClass shape) {
  groupOf[op] = groups.size();
  Group group;
  group.ops.push_back(op);
  group.shape = shape;
  if (op->getNumResults())
    group.elements = elementCount(op->getResult(0).getType());
  if (shape == CostClass::Reduction && op->getNumOperands())
    group.elements = elementCount(op->getOperand(0).getType());
  group.rows = rowsOf(op, shape);
  if (auto copy = dyn_cast<CopyOp>(op))
    group.insideLibraryCall = copy.getReason() == "layout";
  groups.push_back(std::move(group));
}

/// (J8) A product with an accumulator wider than its operands, perhaps with a
/// bias, stores what the cast behind it makes.
bool KernelFormer::joinAsNarrowingCast(Operation *op) {
  Operation *product = findProductOfCast(
      op, [&](Operation *other) { return groupOf.contains(other); });
  if (!product)
    return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// The same for structured ops, whose reshapes in between cost nothing.
bool KernelFormer::joinAsVectorBias(Operation *op) {
  Operation *product = findProductOfVector(
      op, [&](Operation *other) { return groupOf.contains(other); });
  if (!product || groups[groupOf[product]].ops.size() != 1)
    return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// A bias vector added to a weight product is the epilogue of its kernel.
bool KernelFormer::joinAsBias(Operation *op) {
  if (op->getName().getDialectNamespace() == "linalg" &&
      op->getNumOperands() == 3)
    return joinAsVectorBias(op);
  Operation *product = findProductOfBias(op);
  if (!product || !runTogether(product, op) || !groupOf.contains(product))
    return false;
  // The kernel runs where the product stands: the bias must be there by then.
  unsigned start = position.lookup(product), budget = maxHoisted;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def != product && !existsBefore(def, start, budget))
      return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// Whether `def` stands before position `start` or can be moved there, because
/// neither it nor what it needs launches anything.
bool KernelFormer::existsBefore(Operation *def, unsigned start,
                                unsigned &budget) {
  if (!def || def->getBlock() != &block || position.lookup(def) < start)
    return true;
  if (groupOf.contains(def) || !launchesNothing(def) || budget == 0)
    return false;
  --budget;
  return llvm::all_of(def->getOperands(), [&](Value operand) {
    return existsBefore(operand.getDefiningOp(), start, budget);
  });
}

/// Whether an op that goes into `group`, which begins at `start`, can read
/// `def`: a member, what exists before, or views of them.
bool KernelFormer::isReadable(Operation *def, unsigned group, unsigned start) {
  unsigned budget = maxHoisted;
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto own = def ? groupOf.find(def) : groupOf.end();
    if ((own != groupOf.end() && own->second == group) ||
        existsBefore(def, start, budget))
      return true;
    auto view = dyn_cast<WorkOpInterface>(def);
    if (!view || view.getCostClass() != CostClass::View ||
        !def->getNumOperands() ||
        !llvm::all_of(def->getOperands().drop_front(), [&](Value more) {
          return existsBefore(more.getDefiningOp(), start, budget);
        }))
      return false;
    def = def->getOperand(0).getDefiningOp();
  }
  return false;
}

/// Compiled code: a pointwise op continues the kernel of an operand when both
/// run over the same elements, or it over the rows that the kernel has reduced,
/// and everything else it reads exists before.
bool KernelFormer::joinProducer(Operation *op, CostClass shape) {
  if (!isPointwise(shape) || op->getNumResults() == 0 ||
      op->getNumOperands() == 0)
    return false;
  auto sourceOf = [](Value value) {
    Operation *def = value.getDefiningOp();
    for (unsigned depth = 0; def && depth < maxViews; ++depth) {
      auto work = dyn_cast<WorkOpInterface>(def);
      if (!work || work.getCostClass() != CostClass::View ||
          !def->getNumOperands())
        break;
      def = def->getOperand(0).getDefiningOp();
    }
    return def;
  };
  std::optional<int64_t> domain = elementCount(op->getResult(0).getType());
  if (shape == CostClass::Reduction)
    domain = elementCount(op->getOperand(0).getType());
  llvm::SmallSetVector<unsigned, maxProducers> tried;
  for (Value operand : op->getOperands()) {
    Operation *def = sourceOf(operand);
    auto it = def ? groupOf.find(def) : groupOf.end();
    if (it == groupOf.end() || !tried.insert(it->second))
      continue;
    if (tried.size() > maxProducers)
      break;
    Group &group = groups[it->second];
    bool sameDomain =
        group.elements == domain ||
        (shape == CostClass::Elementwise && group.rows && group.rows == domain);
    if (!isPointwise(group.shape) || !sameDomain ||
        !runTogether(group.ops.front(), op))
      continue;
    unsigned start = position[group.ops.front()];
    bool closed = llvm::all_of(valuesRead(op), [&](Value other) {
      return isReadable(other.getDefiningOp(), it->second, start);
    });
    if (!closed)
      continue;
    group.ops.push_back(op);
    if (auto rows = rowsOf(op, shape))
      group.rows = rows;
    groupOf[op] = it->second;
    return true;
  }
  return false;
}

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
  if (!joinAsBias(op) && !joinAsNarrowingCast(op) &&
      !((fuse || (fusesLayers && isFusedInLayers(op))) &&
        joinProducer(op, shape)))
    addGroup(op, shape);
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
static std::string labelOf(const Group &group) {
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
void KernelFormer::describe(const Group &group, OperationState &state) {
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

void KernelFormer::wrap(Group &group) {
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
  for (Group &group : groups)
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
