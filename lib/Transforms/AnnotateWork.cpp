//===- AnnotateWork.cpp - gpucost-annotate-work ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Transforms/Passes.h"
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
  if (!def)
    return false;
  auto work = dyn_cast<WorkOpInterface>(def);
  return def->getName().getStringRef() == "tensor.empty" ||
         (def->getName().getDialectNamespace() == "linalg" && work &&
          work.getCostShape() == CostShape::Metadata);
}

/// Bytes that cross the border of a kernel; nullopt when a shape is unknown.
static std::optional<std::pair<int64_t, int64_t>> borderBytes(KernelOp kernel) {
  llvm::SetVector<Value> inputs;
  kernel.getBody().walk([&](Operation *op) {
    // A view takes its bytes from its first operand; the rest says how.
    auto work = dyn_cast<WorkOpInterface>(op);
    bool isView = work && work.getCostShape() == CostShape::View;
    for (Value operand :
         isView ? op->getOperands().take_front() : op->getOperands())
      if (operand.getParentRegion()->isProperAncestor(&kernel.getBody()))
        inputs.insert(operand);
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

namespace {
struct AnnotateWorkPass
    : public gpucost::impl::AnnotateWorkPassBase<AnnotateWorkPass> {
  using AnnotateWorkPassBase::AnnotateWorkPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto mode = module->getAttrOfType<StringAttr>("gpucost.tf32");
    tensorFloat =
        mode ? symbolizeTf32Mode(mode.getValue()).value_or(Tf32Mode::Off)
             : Tf32Mode::Off;
    if (auto target =
            module->getAttrOfType<TargetAttr>(GpuCostDialect::targetAttrName))
      format = target.getFormat();
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
      fp32Flops += work->getFp32Flops();
      specialOps += work->getSpecialOps();
      if (!primary || outweighs(*work, primary))
        primary = *work;
    }
    if (unknown || !primary)
      return bookAsFallback(kernel, unknown);
    int64_t read = primary.getBytesRead(), written = primary.getBytesWritten();
    if (members > 1)
      if (auto border = borderBytes(kernel))
        std::tie(read, written) = *border;
    kernel.setWorkAttr(
        applyFormat(withCounts(primary, fp32Flops, specialOps, read, written)));
  }

  /// Bytes in and out are a lower bound for an op that we cannot cost.
  void bookAsFallback(KernelOp kernel, Operation *op) {
    std::string reason = "no cost rule";
    if (op && isa<WorkOpInterface>(op) &&
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
    if (eightBit && inputBits == 16 && !attention) {
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
