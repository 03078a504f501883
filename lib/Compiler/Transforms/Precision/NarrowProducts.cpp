//===- NarrowProducts.cpp - gpucost-narrow-products -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleNotes.h"
#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpucost {
#define GEN_PASS_DEF_NARROWPRODUCTSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// Whether the widening `op` keeps the layout of its operand.
static bool keepsLayout(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return !structured ||
         llvm::all_of(structured.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

/// Makes the structured op `op` move elements of type `narrow` from its input.
static void narrowBody(linalg::LinalgOp op, Type narrow, OpBuilder &builder) {
  auto out = cast<RankedTensorType>(op->getResult(0).getType());
  op.getDpsInitOperand(0)->set(
      tensor::EmptyOp::create(builder, op.getLoc(), out.getShape(), narrow));
  Block *body = op.getBlock();
  for (BlockArgument argument : body->getArguments())
    argument.setType(narrow);
  Operation *end = body->getTerminator();
  Operation *extension = end->getOperand(0).getDefiningOp();
  end->setOperand(0, op.getMatchingBlockArgument(op.getDpsInputOperand(0)));
  if (extension)
    extension->erase();
}

static void narrowPadding(tensor::PadOp pad, Type narrow, OpBuilder &builder) {
  auto old = pad.getConstantPaddingValue().getDefiningOp<arith::ConstantOp>();
  TypedAttr value;
  if (auto number = dyn_cast<FloatAttr>(old.getValue()))
    value = builder.getFloatAttr(narrow, number.getValueAsDouble());
  else
    value = builder.getIntegerAttr(narrow,
                                   cast<IntegerAttr>(old.getValue())
                                       .getValue()
                                       .trunc(narrow.getIntOrFloatBitWidth()));
  pad.getBody()->getTerminator()->setOperand(
      0, arith::ConstantOp::create(builder, pad.getLoc(), value));
}

namespace {
/// Rewrites the products of one module.
class Narrower {
public:
  void narrow(Operation *product, ArrayRef<WidenedOperand> operands);
  /// Erases what only narrowed products have read.
  void eraseUnread();

private:
  Value narrowed(const WidenedOperand &operand);
  Value cloneNarrow(Operation *op, Value source);

  llvm::DenseMap<Operation *, Value> copies;
  llvm::SetVector<Operation *> replaced;
};
} // namespace

Value Narrower::cloneNarrow(Operation *op, Value source) {
  Value &known = copies[op];
  if (known)
    return known;
  Type narrow = getElementTypeOrSelf(source.getType());
  OpBuilder builder(op);
  Operation *copy = op->clone();
  copy->setOperand(0, source);
  copy->getResult(0).setType(
      cast<ShapedType>(op->getResult(0).getType()).clone(narrow));
  if (auto structured = dyn_cast<linalg::LinalgOp>(copy))
    narrowBody(structured, narrow, builder);
  else if (auto pad = dyn_cast<tensor::PadOp>(copy))
    narrowPadding(pad, narrow, builder);
  builder.insert(copy);
  return known = copy->getResult(0);
}

Value Narrower::narrowed(const WidenedOperand &operand) {
  Value value = operand.source();
  for (Operation *op : llvm::reverse(operand.path)) {
    replaced.insert(op);
    if (op != operand.path.back() || !keepsLayout(op))
      value = cloneNarrow(op, value);
  }
  return value;
}

void Narrower::narrow(Operation *product, ArrayRef<WidenedOperand> operands) {
  for (const WidenedOperand &operand : operands) {
    Value value = narrowed(operand);
    operand.operand->set(value);
    auto structured = dyn_cast<linalg::LinalgOp>(product);
    if (!structured)
      continue;
    // The body still multiplies wide numbers, as a mixed named op does.
    BlockArgument element =
        structured.getMatchingBlockArgument(operand.operand);
    Type wide = element.getType();
    element.setType(getElementTypeOrSelf(value.getType()));
    auto builder = OpBuilder::atBlockBegin(structured.getBlock());
    Operation *extension =
        isa<FloatType>(wide)
            ? arith::ExtFOp::create(builder, product->getLoc(), wide, element)
                  .getOperation()
            : arith::ExtSIOp::create(builder, product->getLoc(), wide, element)
                  .getOperation();
    element.replaceAllUsesExcept(extension->getResult(0), extension);
  }
}

void Narrower::eraseUnread() {
  // A user precedes the ops that it reads.
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : replaced.takeVector()) {
      if (op->use_empty()) {
        op->erase();
        changed = true;
      } else {
        replaced.insert(op);
      }
    }
  }
}

/// Whether the GPU has a matrix unit for `format`.
static bool multiplies(const Gpu &gpu, NumericFormat format) {
  return computesIn(gpu.architecture, format) && gpu.flopsPerClock(format) > 0;
}

namespace {
struct NarrowProductsPass
    : public gpucost::impl::NarrowProductsPassBase<NarrowProductsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    NarrowProductsPassBase::getDependentDialects(registry);
    registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<TargetAttr>(targetAttrName);
    llvm::MapVector<Type, int64_t> counts;
    Narrower narrower;
    getOperation().walk([&](Operation *op) {
      auto operands = findWidenedOperands(op);
      if (operands.empty() ||
          (target && !multiplies(target.getValue().gpu,
                                 formatOf(narrowTypeOf(operands)))))
        return;
      ++counts[narrowTypeOf(operands)];
      narrower.narrow(op, operands);
    });
    narrower.eraseUnread();
    for (auto [type, count] : counts)
      addNote(getOperation(), describe(type, count));
  }

  static std::string describe(Type narrow, int64_t count) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << count << (count == 1 ? " product reads its" : " products read their")
       << " operands before the file widens them from " << narrow
       << "; accumulators stay " << (isa<FloatType>(narrow) ? "f32" : "i32");
    return text;
  }
};
} // namespace
