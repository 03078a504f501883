//===- CountWork.cpp - Work of one kernel ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/CountWork.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace gpucost;

KernelMembers::KernelMembers(KernelOp kernel)
    : outside(kernel.getResults().begin(), kernel.getResults().end()),
      isWholeBlock(true) {
  for (Operation &op : kernel.getBody().front().without_terminator())
    members.push_back(&op);
}

KernelMembers::KernelMembers(ArrayRef<Operation *> ops)
    : KernelMembers(ops, ValueRange()) {
  for (Operation *op : members)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
            return !contained.contains(ancestor);
          }))
        outside.push_back(result);
}

bool KernelMembers::define(Value value) const {
  if (members.empty())
    return false;
  Block *block = members.front()->getBlock();
  Operation *def = value.getDefiningOp();
  if (!def) {
    Block *owner = cast<BlockArgument>(value).getOwner();
    if (owner == block)
      return false;
    def = owner->getParentOp();
  }
  if (def && def->getBlock() != block)
    def = block->findAncestorOpInBlock(*def);
  return def && (isWholeBlock || contained.contains(def));
}

OpWork gpucost::readWork(Operation *op) {
  OpWork own;
  auto interface = dyn_cast<WorkOpInterface>(op);
  if (!interface)
    return own;
  own.hasInterface = true;
  own.shape = interface.getCostClass();
  if (own.shape != CostClass::View && own.shape != CostClass::Metadata)
    if (FailureOr<WorkAttr> work = interface.getWork(); succeeded(work))
      own.work = *work;
  return own;
}

/// Whether `op` is a fill that only starts an accumulation.
static bool isStartOfSum(Operation *op, WorkReader read) {
  return op->getName().getDialectNamespace() == "linalg" &&
         isa<WorkOpInterface>(op) && read(op).shape == CostClass::Metadata;
}

/// The op of the block that uses `buffer` last before `op`; null without one.
static Operation *findLastUser(Value buffer, Operation *op) {
  Operation *last = nullptr;
  for (Operation *user : buffer.getUsers())
    if (user->getBlock() == op->getBlock() && user->isBeforeInBlock(op) &&
        (!last || last->isBeforeInBlock(user)))
      last = user;
  return last;
}

/// Whether `value` is an empty tensor or only initialised for an accumulation.
static bool holdsNoData(Value value, WorkReader read) {
  constexpr int mostViews = 64;
  Operation *def = value.getDefiningOp();
  for (int depth = 0;
       def && depth < mostViews && def->getNumOperands() &&
       !isa<bufferization::ToTensorOp>(def) && isa<WorkOpInterface>(def) &&
       read(def).shape == CostClass::View;
       ++depth)
    def = def->getOperand(0).getDefiningOp();
  if (!def)
    return false;
  // The buffer of a nest that was read as a kernel of tensors.
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(def)) {
    Operation *last = findLastUser(tensor.getBuffer(), def);
    return last && isStartOfSum(last, read);
  }
  return def->getName().getStringRef() == "tensor.empty" ||
         isStartOfSum(def, read);
}

/// Whether the body of a structured op does not read a destination.
static bool isOnlyShape(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!op || !op.isDpsInit(&operand) || op->getNumRegions() != 1 ||
      op->getRegion(0).empty())
    return false;
  Block &body = op->getRegion(0).front();
  return body.getNumArguments() == op->getNumOperands() &&
         body.getArgument(operand.getOperandNumber()).use_empty();
}

std::optional<std::pair<int64_t, int64_t>>
gpucost::borderBytes(const KernelMembers &members, WorkReader read) {
  llvm::SetVector<Value> inputs;
  auto visit = [&](Operation *op) {
    // Only the first operand of a view has bytes; the others are parameters.
    bool isView = isa<WorkOpInterface>(op) && read(op).shape == CostClass::View;
    for (OpOperand &operand :
         isView ? op->getOpOperands().take_front() : op->getOpOperands())
      if (!members.define(operand.get()) && !isOnlyShape(operand))
        inputs.insert(operand.get());
  };
  for (Operation *op : members.ops())
    op->walk(visit);
  int64_t bytesRead = 0, bytesWritten = 0;
  for (Value input : inputs) {
    if (isa<onnx::UnknownType>(input.getType()))
      return std::nullopt;
    if (!isa<ShapedType>(input.getType()) || holdsNoData(input, read))
      continue;
    if (!addBytes(bytesRead, storageBytes(input)))
      return std::nullopt;
  }
  for (Value result : members.results()) {
    if (isa<onnx::UnknownType>(result.getType()))
      return std::nullopt;
    if (!isa<ShapedType>(result.getType()))
      continue;
    if (!addBytes(bytesWritten, byteCount(result.getType())))
      return std::nullopt;
  }
  return std::pair(bytesRead, bytesWritten);
}

/// Whether `a` determines the family of a fused kernel instead of `b`: the
/// member with matrix FLOPs, else the one with the heaviest arithmetic.
static bool outweighs(const KernelWork &a, const KernelWork &b) {
  auto weight = [](const KernelWork &work) {
    return std::tuple(work.count.tensorFlops, work.is<RowsProblem>(),
                      work.count.specialOps, work.count.fp32Flops);
  };
  return weight(a) > weight(b);
}

/// The work of `copies` concurrent iterations. Matmuls of different iterations
/// do not share operands.
static KernelWork repeat(KernelWork work, int64_t copies) {
  auto multiply = [&](int64_t &each) {
    each = saturatingProduct(each, copies);
  };
  if (int64_t *each = std::visit([](auto &problem) { return problem.copies(); },
                                 work.problem))
    multiply(*each);
  if (work.is<MatmulProblem>())
    work.edit<MatmulProblem>().linear = false;
  WorkCount &count = work.count;
  for (int64_t *each :
       {&count.tensorFlops, &count.fp32Flops, &count.specialOps,
        &count.bytesRead, &count.bytesWritten, &count.fused.tensorFlops,
        &count.fused.fp32Flops, &count.fused.specialOps, &count.fused.bytes})
    multiply(*each);
  return work;
}

/// (W3) The counts of members other than `named`, which has the counts `own`;
/// `sum` includes all members. Tensors smaller than a result of the kernel are
/// epilogue vectors, unless they are operands of another matmul. The problem
/// includes the operands of `named`, also before they are widened.
static FusedCount countFused(const KernelMembers &members, Operation *named,
                             ArrayRef<WidenedOperand> narrowed,
                             const WorkCount &own, const WorkCount &sum,
                             WorkReader read) {
  int64_t results = 0; // elements
  for (Value result : members.results())
    results = std::max(results, elementCount(result.getType()).value_or(0));
  FusedCount fused;
  fused.tensorFlops = sum.tensorFlops - own.tensorFlops;
  fused.fp32Flops =
      std::max<int64_t>(sum.fp32Flops - own.fp32Flops - results, 0);
  fused.specialOps = sum.specialOps - own.specialOps;
  auto add = [&](Value value, int64_t smallest) {
    if (elementCount(value.getType()).value_or(0) >= smallest &&
        !holdsNoData(value, read))
      addSaturating(fused.bytes, storageBytes(value).value_or(0), 1);
  };
  llvm::SmallPtrSet<Value, 8> seen;
  seen.insert_range(named->getOperands());
  for (const WidenedOperand &operand : narrowed)
    seen.insert(operand.source());
  for (Operation *op : members.ops()) {
    CostClass shape = read(op).shape;
    for (OpOperand &operand : op->getOpOperands())
      if (!members.define(operand.get()) && !isOnlyShape(operand) &&
          seen.insert(operand.get()).second)
        add(operand.get(), isProduct(shape) ? 0 : results);
  }
  // The problem already includes one result.
  for (Value result :
       members.results().drop_front(members.results().empty() ? 0 : 1))
    add(result, results);
  return fused;
}

/// A compiled softmax or norm keeps its rows on chip. It is counted from FLOPs,
/// special-function results and bytes, so that one op costs the same as the
/// reductions and elementwise ops that compute it.
static void countGenerated(KernelWork &work) {
  const auto *problem = work.getIf<RowsProblem>();
  if (!problem || problem->cols > longestRow ||
      (work.family != KernelFamily::Softmax &&
       work.family != KernelFamily::Normalization))
    return;
  RowsProblem rows;
  rows.rows = problem->rows;
  rows.cols = problem->cols;
  work.problem = rows;
  work.family = KernelFamily::Reduction;
  work.instructions = InstructionClass::Reduce;
}

/// Selects the unit of matrix kernels if element types allow several: TF32 for
/// fp32 tensors. ONNX ops have 8-bit activations in their types
/// (`gpucost-quantize`); structured ops keep their types.
static void applyFormat(KernelWork &work, bool isTyped,
                        const UnitRules &rules) {
  bool convolution = work.is<ConvolutionProblem>();
  const auto *product = work.getIf<MatmulProblem>();
  if (!product && !convolution && !work.is<AttentionProblem>())
    return;
  if (work.format == NumericFormat::FP32 &&
      (rules.tensorFloat == Tf32Mode::On ||
       (convolution && rules.tensorFloat == Tf32Mode::Conv)))
    work.format = NumericFormat::TF32;
  std::optional<NumericFormat> quantised = formatOf(rules.activations);
  // Kernels for low-precision weights compute in the activations' format.
  bool fewBits = !isTyped && product && product->weightBits != 0;
  if (!quantised || !hasFewBits(*quantised) || !(product || convolution) ||
      fewBits)
    return;
  const FormatInfo &info = infoOf(*quantised);
  if (isTyped) {
    // Types do not distinguish formats with block scales.
    if (infoOf(work.format).type == info.type)
      work.format = *quantised;
  } else if (work.inputBits == 16) {
    work.format = *quantised;
    work.inputBits = info.bits;
    work.count.bytesRead = static_cast<int64_t>(
        static_cast<double>(work.count.bytesRead) * work.inputBytes() / 2);
  }
}

/// (L14) Applies the narrow format of the operands of `named` that the same
/// kernel widens, and returns them.
static SmallVector<WidenedOperand, 2>
narrowOperands(KernelWork &work, const KernelMembers &members,
               Operation *named) {
  auto operands = findWidenedOperands(named);
  if (operands.empty() ||
      !llvm::all_of(operands, [&](const WidenedOperand &operand) {
        return members.define(operand.path.back()->getResult(0));
      }))
    return {};
  Type narrow = narrowTypeOf(operands);
  work.format = formatOf(narrow);
  work.inputBits = storedBits(narrow).value_or(work.inputBits);
  return operands;
}

/// (J8) Bits of a stored element of the matmul or convolution `named`: the bits
/// of the kernel's largest result if the kernel does not store the
/// accumulators.
static int64_t storedBitsOf(const KernelMembers &members, Operation *named,
                            int64_t own) {
  for (Value result : named->getResults())
    if (llvm::is_contained(members.results(), result) ||
        llvm::any_of(result.getUsers(),
                     [](Operation *user) { return isa<YieldOp>(user); }))
      return own;
  int64_t most = 0, bits = own;
  for (Value result : members.results()) {
    auto type = dyn_cast<ShapedType>(result.getType());
    int64_t elements = elementCount(result.getType()).value_or(0);
    if (type && elements > most) {
      most = elements;
      bits = storedBits(type.getElementType()).value_or(own);
    }
  }
  return bits;
}

CountedWork gpucost::countWork(const KernelMembers &members,
                               const UnitRules &rules, WorkReader read) {
  CountedWork counted;
  std::optional<KernelWork> primary;
  Operation *named = nullptr; // member that defines the problem
  WorkCount sum;
  int64_t copiesOfAll = 1;
  for (Operation *op : members.ops()) {
    OpWork own = read(op);
    if (own.shape == CostClass::View || own.shape == CostClass::Metadata)
      continue;
    counted.unknown = op;
    if (!own.work)
      return counted;
    ++counted.members;
    KernelWork work = own.work.getValue();
    int64_t times = 1;
    if (auto copies =
            op->getAttrOfType<IntegerAttr>(batchedIterationsAttrName)) {
      times = copies.getInt();
      work = repeat(std::move(work), times);
    }
    counted.unknown = nullptr;
    copiesOfAll = counted.members == 1 ? times : std::min(copiesOfAll, times);
    addSaturating(sum.tensorFlops, work.count.tensorFlops, 1);
    addSaturating(sum.fp32Flops, work.count.fp32Flops, 1);
    addSaturating(sum.specialOps, work.count.specialOps, 1);
    if (!primary || outweighs(work, *primary)) {
      primary = work;
      named = op;
    }
  }
  if (!primary)
    return counted;
  WorkCount &count = primary->count;
  if (counted.members > 1) {
    if (primary->isTiled()) {
      auto narrowed = narrowOperands(*primary, members, named);
      count.fused = countFused(members, named, narrowed, count, sum, read);
      primary->outputBits = storedBitsOf(members, named, primary->outputBits);
    }
    if (primary->is<ElementsProblem>())
      primary->edit<ElementsProblem>().quantizedColumns = 0; // (Q7)
    if (auto border = borderBytes(members, read))
      std::tie(count.bytesRead, count.bytesWritten) =
          std::pair(saturatingProduct(border->first, copiesOfAll),
                    saturatingProduct(border->second, copiesOfAll));
  }
  count.tensorFlops = sum.tensorFlops;
  count.fp32Flops = sum.fp32Flops;
  count.specialOps = sum.specialOps;
  if (rules.generates)
    countGenerated(*primary);
  applyFormat(*primary, isa<onnx::OnnxOp>(named), rules);
  counted.work = primary;
  return counted;
}

/// Name of a loop in `op` with an unknown trip count; null without one.
static StringAttr findUnknownLoop(Operation *op) {
  StringAttr name;
  op->walk([&](Operation *inner) {
    if (!name && !inner->hasAttr(statedTripsAttrName))
      name = inner->getAttrOfType<StringAttr>(loopNameAttrName);
  });
  return name;
}

bool gpucost::isBeyondCounts(Operation *op) {
  std::array<double, 3> sizes = {1, 1, 1}; // of the largest tensors
  auto add = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape())
      return;
    double size = 1;
    for (int64_t dim : shaped.getShape())
      size *= static_cast<double>(dim);
    if (double &least = *llvm::min_element(sizes); size > least)
      least = size;
  };
  llvm::for_each(op->getOperandTypes(), add);
  llvm::for_each(op->getResultTypes(), add);
  // A product of matrices has the square root of these three as its size, and
  // a convolution multiplies it by at most the square root of its taps.
  constexpr double countable = 0x1p59;
  double size = std::sqrt(sizes[0]) * std::sqrt(sizes[1]) * std::sqrt(sizes[2]);
  return std::max(size, *llvm::max_element(sizes)) >= countable;
}

std::string gpucost::reasonOfUnknown(Operation *op) {
  if (op && isBeyondCounts(op))
    return "2^63 or more FLOP or bytes";
  if (StringAttr loop = op ? findUnknownLoop(op) : StringAttr())
    return "unknown trip count; state it with --trip=" + loop.str() + ":<n>";
  if (isa_and_nonnull<onnx::UnknownGradOp>(op))
    return "no backward rule";
  if (isa_and_nonnull<WorkOpInterface>(op) &&
      cast<WorkOpInterface>(op).getCostClass() != CostClass::Opaque)
    return "shapes do not fit its cost rule";
  return "no cost rule";
}
