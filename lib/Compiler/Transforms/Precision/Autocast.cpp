//===- Autocast.cpp - gpucost-autocast ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One walk in program order: the policy of each op (TableGen, field `autocast`)
// determines the format of its operands and results.

#include "Shapes/Signature.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {
#define GEN_PASS_DEF_AUTOCASTPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

static Type elementOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getElementType() : Type();
}

namespace {

/// Casts of one function; a weight is cast once, an activation for each reader.
class Autocaster {
public:
  Autocaster(Block &block, FloatType half)
      : block(block), half(half), single(Float32Type::get(half.getContext())) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isa<onnx::OnnxOp>(op))
        visit(&op);
    for (Operation *op : stated) {
      if (op->getOperand(0).getType() != op->getResult(0).getType())
        continue;
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  }

private:
  bool isCastable(Value value) const {
    Type element = elementOf(value);
    return element == half || element == single;
  }

  /// Whether `value` is computed only from weights and constants.
  static bool isWeight(Value value) {
    Operation *def = value.getDefiningOp();
    return def && (isa<onnx::ParameterOp>(def) ||
                   def->hasAttr(onnx::OnnxDialect::constantAttrName));
  }

  Value cast(Value value, FloatType to, Operation *reader) {
    if (!isCastable(value) || elementOf(value) == to)
      return value;
    Value &known = weights[{value, to}];
    if (known && isWeight(value))
      return known;
    auto type = mlir::cast<RankedTensorType>(value.getType()).clone(to);
    OpBuilder builder(reader);
    OperationState state(reader->getLoc(), onnx::CastOp::getOperationName());
    state.addTypes(type);
    state.addOperands(value);
    return known = builder.create(state)->getResult(0);
  }

  void castOperands(Operation *op, FloatType to) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(cast(operand.get(), to, op));
  }

  /// Casts the bias of `product` where the library call runs.
  void castBias(Operation *add, Operation *product) {
    for (OpOperand &operand : add->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      bool isReady =
          !def || def->getBlock() != &block || def->isBeforeInBlock(product);
      operand.set(cast(operand.get(), half, isReady ? product : add));
    }
  }

  /// Ops of other dialects keep the types of their operands.
  static void setResults(Operation *op, FloatType from, FloatType to) {
    for (Value result : op->getResults()) {
      if (elementOf(result) != from || from == to)
        continue;
      auto before = mlir::cast<ShapedType>(result.getType());
      result.setType(before.clone(to));
      auto keepsType = [](OpOperand &use) {
        StringRef dialect = use.getOwner()->getName().getDialectNamespace();
        return dialect != "onnx" && dialect != "gpucost" && dialect != "func";
      };
      if (llvm::none_of(result.getUses(), keepsType))
        continue;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      OperationState state(op->getLoc(), onnx::CastOp::getOperationName());
      state.addTypes(before);
      state.addOperands(result);
      result.replaceUsesWithIf(builder.create(state)->getResult(0), keepsType);
    }
  }

  /// fp32 if a non-scalar operand has this format; scalars do not widen.
  FloatType widest(Operation *op) const {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() > 0 && type.getElementType() == single &&
          type.getNumElements() > 1)
        return single;
    }
    return half;
  }

  /// A cast of the file between two formats that are both fp32 before autocast.
  /// x.float() widens what autocast made narrow. The reverse is `type_as`,
  /// which undoes it after softmax, or the result of a sum in place: one kernel
  /// reads both formats and writes that of its first operand.
  void visitStated(Operation *op) {
    stated.push_back(op);
    Operation *def = op->getOperand(0).getDefiningOp();
    if (onnx::getInt(op, "to") == onnxFloat || !def)
      return;
    auto isNarrow = [&](Value value) {
      Operation *cast = value.getDefiningOp();
      bool widened = isa_and_nonnull<onnx::CastOp>(cast) &&
                     elementOf(cast->getOperand(0)) == half;
      return elementOf(value) == half || (isa<onnx::SoftmaxOp>(def) && widened);
    };
    if (!isa<onnx::OnnxOp>(def) || def->getNumResults() != 1 ||
        llvm::none_of(def->getOperands(), isNarrow))
      return;
    setResults(op, single, half);
    if (!isa<onnx::SoftmaxOp>(def) && op->getOperand(0).hasOneUse())
      setResults(def, single, half);
  }

  void visit(Operation *op) {
    if (isa<onnx::CastOp>(op) && isCastable(op->getOperand(0)) &&
        elementOf(op->getResult(0)) == single)
      return visitStated(op);
    // No casts for ops without float operands and for weight preprocessing.
    if (op->hasAttr(onnx::OnnxDialect::constantAttrName) ||
        llvm::none_of(op->getOperands(),
                      [&](Value v) { return isCastable(v); }))
      return;
    // `linear` is lowered as a whole, including its bias.
    if (Operation *product = findProductOfBias(op);
        product && elementOf(product->getResult(0)) == half) {
      castBias(op, product);
      return setResults(op, single, half);
    }
    switch (onnx::getOpInfo(op)->autocast) {
    case AutocastPolicy::Lower:
      castOperands(op, half);
      return setResults(op, single, half);
    case AutocastPolicy::LowerData:
      op->setOperand(0, cast(op->getOperand(0), half, op));
      return setResults(op, single, half);
    case AutocastPolicy::Single:
      castOperands(op, single);
      return;
    case AutocastPolicy::SingleResult:
      // Softmax reads fp16 directly; only bf16 is cast first.
      if (half.isBF16() && isa<onnx::SoftmaxOp, onnx::LogSoftmaxOp>(op))
        castOperands(op, single);
      return;
    case AutocastPolicy::Widest:
      return setResults(op, single, widest(op));
    case AutocastPolicy::Promote: {
      FloatType to = widest(op);
      castOperands(op, to);
      return setResults(op, single, to);
    }
    case AutocastPolicy::Follow:
      // An explicit cast defines its result type.
      if (!isa<onnx::CastOp>(op) && elementOf(op->getOperand(0)) == half)
        setResults(op, single, half);
      return;
    }
  }

  static constexpr int64_t onnxFloat = 1; // TensorProto.FLOAT
  Block &block;
  FloatType half, single;
  SmallVector<Operation *> stated;
  llvm::DenseMap<std::pair<Value, Type>, Value> weights;
};

struct AutocastPass : public gpucost::impl::AutocastPassBase<AutocastPass> {
  using AutocastPassBase::AutocastPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).precisionMode != PrecisionMode::Amp)
      return;
    NumericFormat to = NumericFormat::FP32;
    if (format.empty()) {
      FailureOr<NumericFormat> target = getTargetFormat(module);
      if (failed(target))
        return signalPassFailure();
      to = *target;
    } else if (auto named = symbolizeNumericFormat(format);
               named && (*named == NumericFormat::BF16 ||
                         *named == NumericFormat::FP16)) {
      to = *named;
    } else {
      module.emitError() << "unknown autocast format '" << format
                         << "', expected bf16 or fp16";
      return signalPassFailure();
    }
    FloatType half;
    if (infoOf(to).bits > 16)
      return; // fp32 and tf32 have no narrower format
    half = cast<FloatType>(elementTypeOf(
        &getContext(), hasFewBits(to) ? NumericFormat::BF16 : to));
    for (auto function : module.getOps<func::FuncOp>()) {
      for (Block &block : function.getBody()) {
        Autocaster(block, half).run();
        inheritSteps(block);
      }
      updateSignature(function);
    }
    module->setAttr(autocastAttrName, TypeAttr::get(half));
  }
};

} // namespace
