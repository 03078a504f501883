//===- AnnotateWork.cpp - gpucost-annotate-work ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/LoopTrips.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingMarks.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Transforms/Passes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace gpucost {
#define GEN_PASS_DEF_ANNOTATEWORKPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// Reserved memory: an empty tensor, or one that is only initialised for an
/// accumulation.
static bool holdsNoData(Value value) {
  Operation *def = value.getDefiningOp();
  auto work = dyn_cast_or_null<WorkOpInterface>(def);
  for (int depth = 0; work && work.getCostShape() == CostShape::View &&
                      def->getNumOperands() && depth < 64;
       ++depth) {
    def = def->getOperand(0).getDefiningOp();
    work = dyn_cast_or_null<WorkOpInterface>(def);
  }
  if (!def)
    return false;
  return def->getName().getStringRef() == "tensor.empty" ||
         (def->getName().getDialectNamespace() == "linalg" && work &&
          work.getCostShape() == CostShape::Metadata);
}

/// A destination whose elements the body of a structured op does not read.
static bool isOnlyShape(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!op || !op.isDpsInit(&operand) || op->getNumRegions() != 1 ||
      op->getRegion(0).empty())
    return false;
  Block &body = op->getRegion(0).front();
  return body.getNumArguments() == op->getNumOperands() &&
         body.getArgument(operand.getOperandNumber()).use_empty();
}

/// Bytes that cross the border of a kernel; nullopt when a shape is unknown.
static std::optional<std::pair<int64_t, int64_t>> borderBytes(KernelOp kernel) {
  llvm::SetVector<Value> inputs;
  kernel.getBody().walk([&](Operation *op) {
    // A view takes its bytes from its first operand; the rest says how.
    auto work = dyn_cast<WorkOpInterface>(op);
    bool isView = work && work.getCostShape() == CostShape::View;
    for (OpOperand &operand :
         isView ? op->getOpOperands().take_front() : op->getOpOperands())
      if (operand.get().getParentRegion()->isProperAncestor(
              &kernel.getBody()) &&
          !isOnlyShape(operand))
        inputs.insert(operand.get());
  });
  int64_t read = 0, written = 0;
  for (Value input : inputs) {
    if (isa<onnx::UnknownType>(input.getType()))
      return std::nullopt;
    if (!isa<ShapedType>(input.getType()) || holdsNoData(input))
      continue;
    std::optional<int64_t> bytes = storageBytes(input);
    if (!bytes || __builtin_add_overflow(read, *bytes, &read))
      return std::nullopt;
  }
  for (Value result : kernel.getResults()) {
    if (isa<onnx::UnknownType>(result.getType()))
      return std::nullopt;
    if (!isa<ShapedType>(result.getType()))
      continue;
    std::optional<int64_t> bytes = byteCount(result.getType());
    if (!bytes || __builtin_add_overflow(written, *bytes, &written))
      return std::nullopt;
  }
  return std::pair(read, written);
}

/// Which member of a fused kernel names its family: the one with matrix FLOPs,
/// else the one with the heaviest arithmetic.
static bool outweighs(WorkAttr a, WorkAttr b) {
  auto weight = [](WorkAttr work) {
    bool rows = isa<RowsProblemAttr>(work.getProblem());
    return std::tuple(work.getTensorFlops(), rows, work.getSpecialOps(),
                      work.getFp32Flops());
  };
  return weight(a) > weight(b);
}

static WorkAttr withCounts(WorkAttr work, int64_t fp32Flops, int64_t specialOps,
                           int64_t read, int64_t written) {
  return WorkAttr::get(work.getContext(), work.getFamily(),
                       work.getInstructions(), work.getFormat(),
                       work.getInputBits(), work.getOutputBits(),
                       work.getProblem(), work.getTensorFlops(), fp32Flops,
                       specialOps, read, written);
}

/// The work of `copies` iterations that run at the same time; null when a count
/// does not fit. Products of different iterations share no operand.
static WorkAttr repeat(WorkAttr work, int64_t copies) {
  auto times = [&](int64_t each) {
    return checkedProduct({each, copies}).value_or(-1);
  };
  MLIRContext *context = work.getContext();
  Attribute problem = work.getProblem();
  if (auto matmul = dyn_cast<MatmulProblemAttr>(problem))
    problem = MatmulProblemAttr::get(
        context, times(matmul.getBatch()), matmul.getM(), matmul.getN(),
        matmul.getK(), /*linear=*/false, matmul.getWeightBits());
  else if (auto conv = dyn_cast<ConvolutionProblemAttr>(problem))
    problem = ConvolutionProblemAttr::get(
        context, times(conv.getBatch()), conv.getChannels(), conv.getHeight(),
        conv.getWidth(), conv.getOutChannels(), conv.getOutHeight(),
        conv.getOutWidth(), conv.getKernelHeight(), conv.getKernelWidth(),
        conv.getStrideHeight(), conv.getStrideWidth(), conv.getGroups(),
        conv.getChannelsLast(), conv.getPass());
  else if (auto rows = dyn_cast<RowsProblemAttr>(problem))
    problem =
        RowsProblemAttr::get(context, times(rows.getRows()), rows.getCols());
  else if (auto elements = dyn_cast<ElementsProblemAttr>(problem))
    problem = ElementsProblemAttr::get(context, times(elements.getCount()),
                                       elements.getStrided());
  int64_t counts[] = {times(work.getTensorFlops()), times(work.getFp32Flops()),
                      times(work.getSpecialOps()), times(work.getBytesRead()),
                      times(work.getBytesWritten())};
  if (llvm::is_contained(counts, -1))
    return {};
  return WorkAttr::get(context, work.getFamily(), work.getInstructions(),
                       work.getFormat(), work.getInputBits(),
                       work.getOutputBits(), problem, counts[0], counts[1],
                       counts[2], counts[3], counts[4]);
}

namespace {
struct AnnotateWorkPass
    : public gpucost::impl::AnnotateWorkPassBase<AnnotateWorkPass> {
  using AnnotateWorkPassBase::AnnotateWorkPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Settings settings = getSettings(module);
    tensorFloat = settings.tf32;
    format = settings.format.value_or(NumericFormat::FP32);
    module.walk([&](KernelOp kernel) { annotate(kernel); });
  }

  void annotate(KernelOp kernel) {
    WorkAttr primary;
    int64_t fp32Flops = 0, specialOps = 0, members = 0;
    Operation *unknown = nullptr;
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      auto interface = dyn_cast<WorkOpInterface>(op);
      if (interface && (interface.getCostShape() == CostShape::View ||
                        interface.getCostShape() == CostShape::Metadata))
        continue;
      FailureOr<WorkAttr> work =
          interface ? interface.getWork() : FailureOr<WorkAttr>(failure());
      if (failed(work)) {
        unknown = &op;
        break;
      }
      ++members;
      addSaturating(fp32Flops, work->getFp32Flops(), 1);
      addSaturating(specialOps, work->getSpecialOps(), 1);
      if (!primary || outweighs(*work, primary))
        primary = *work;
    }
    if (unknown || !primary)
      return bookAsFallback(kernel, unknown);
    int64_t read = primary.getBytesRead(), written = primary.getBytesWritten();
    if (members > 1)
      if (auto border = borderBytes(kernel))
        std::tie(read, written) = *border;
    WorkAttr work = withCounts(primary, fp32Flops, specialOps, read, written);
    Operation &first = kernel.getBody().front().front();
    if (auto copies = first.getAttrOfType<IntegerAttr>(concurrentAttrName))
      work = repeat(work, copies.getInt());
    if (!work)
      return bookAsFallback(kernel, &first);
    kernel.setWorkAttr(applyFormat(work));
  }

  /// Name of a loop in `op` that nobody knows the length of; null without one.
  static StringAttr findUnknownLoop(Operation *op) {
    StringAttr name;
    op->walk([&](Operation *inner) {
      if (!name && !inner->hasAttr(statedTripsAttrName))
        name = inner->getAttrOfType<StringAttr>(loopNameAttrName);
    });
    return name;
  }

  /// Bytes in and out are a lower bound for an op that we cannot cost.
  void bookAsFallback(KernelOp kernel, Operation *op) {
    std::string reason = "no cost rule";
    if (StringAttr loop = op ? findUnknownLoop(op) : StringAttr())
      reason = "unknown iterations, state --trip=" + loop.str() + ":<n>";
    else if (op && isUnknownGradient(op))
      reason = "no backward rule";
    else if (op && isa<WorkOpInterface>(op) &&
             cast<WorkOpInterface>(op).getCostShape() != CostShape::Opaque)
      reason = "shapes do not fit its cost rule";
    auto bytes = borderBytes(kernel);
    if (!bytes) {
      kernel.setCoverage(Coverage::Unmodelled);
      kernel->setAttr("gpucost.reason",
                      StringAttr::get(&getContext(), "unknown shapes"));
      return;
    }
    kernel.setCoverage(Coverage::Fallback);
    kernel->setAttr("gpucost.reason", StringAttr::get(&getContext(), reason));
    kernel.setWorkAttr(WorkAttr::get(
        &getContext(), KernelFamily::Opaque, InstructionClass::Copy,
        NumericFormat::FP32, 32, 32,
        ElementsProblemAttr::get(&getContext(), (bytes->second + 3) / 4, false),
        0, 0, 0, bytes->first, bytes->second));
  }

  /// The unit that matrix kernels run on, where the element types leave a
  /// choice: TF32 for fp32 tensors, 8-bit operands for fp8 and int8 targets.
  WorkAttr applyFormat(WorkAttr work) {
    bool matmul = work.getFamily() == KernelFamily::Matmul;
    bool convolution = work.getFamily() == KernelFamily::Convolution;
    bool attention = work.getFamily() == KernelFamily::Attention;
    if (!matmul && !convolution && !attention)
      return work;
    NumericFormat unit = work.getFormat();
    int64_t inputBits = work.getInputBits(), read = work.getBytesRead();
    if (unit == NumericFormat::FP32 &&
        (tensorFloat == Tf32Mode::On ||
         (convolution && tensorFloat == Tf32Mode::Conv)))
      unit = NumericFormat::TF32;
    bool eightBit =
        format == NumericFormat::FP8 || format == NumericFormat::INT8;
    // Kernels for weights of few bits compute in the format of the activations.
    auto product = dyn_cast<MatmulProblemAttr>(work.getProblem());
    bool fewBits = product && product.getWeightBits() != 0;
    if (eightBit && inputBits == 16 && !attention && !fewBits) {
      unit = format;
      inputBits = 8;
      read /= 2;
    }
    return WorkAttr::get(work.getContext(), work.getFamily(),
                         work.getInstructions(), unit, inputBits,
                         work.getOutputBits(), work.getProblem(),
                         work.getTensorFlops(), work.getFp32Flops(),
                         work.getSpecialOps(), read, work.getBytesWritten());
  }

  Tf32Mode tensorFloat = Tf32Mode::Off;
  NumericFormat format = NumericFormat::FP32;
};
} // namespace
