//===- Recurrent.cpp - Kernels of recurrent layers ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recurrent.h"
#include "Matchers.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static RankedTensorType typeOf(Operation *op, unsigned operand) {
  return operand < op->getNumOperands() ? getStaticType(op->getOperand(operand))
                                        : RankedTensorType();
}

namespace {

/// One layer: X [steps, batch, in], W [directions, gates, in], R [directions,
/// gates, hidden], B [directions, 2 gates]. Weights of DynamicQuantizeLSTM are
/// transposed, [directions, in, gates].
class Layer {
public:
  explicit Layer(Operation *op) : op(op), builder(op) {}

  bool expand() {
    RankedTensorType x = typeOf(op, 0), w = typeOf(op, 1), r = typeOf(op, 2);
    bool batchFirst = onnx::getInt(op, "layout") != 0;
    if (!x || !w || !r || x.getRank() != 3 || w.getRank() != 3 ||
        r.getRank() != 3)
      return false;
    element = x.getElementType();
    steps = x.getDimSize(batchFirst);
    batch = x.getDimSize(!batchFirst);
    transposed = isa<onnx::DynamicQuantizeLSTMOp>(op);
    gates = r.getDimSize(transposed ? 2 : 1);
    hidden = r.getDimSize(transposed ? 1 : 2);
    int64_t directions = r.getDimSize(0);
    if (w.getDimSize(0) != directions ||
        w.getDimSize(transposed ? 2 : 1) != gates ||
        w.getDimSize(transposed ? 1 : 2) != x.getDimSize(2) || directions < 1 ||
        directions > 2 || steps < 1)
      return false;
    input = op->getOperand(0);
    if (batchFirst)
      input = permute(input, {steps, batch, x.getDimSize(2)}, {1, 0, 2});
    SmallVector<Value> outputs;
    for (int64_t i = 0; i < directions; ++i)
      outputs.push_back(addDirection(i, directions));
    Type all = tensor({steps, directions, batch, hidden});
    Value y =
        directions == 1
            ? outputs.front()
            : inCall(create<onnx::ConcatOp>(
                  all, outputs,
                  builder.getNamedAttr("axis", builder.getI64IntegerAttr(1))));
    op->getResult(0).replaceAllUsesWith(
        batchFirst
            ? permute(y, {batch, steps, directions, hidden}, {2, 0, 1, 3})
            : y);
    // The last states are slices of existing results.
    for (unsigned i = 1; i < op->getNumResults(); ++i) {
      if (op->getResult(i).use_empty())
        continue;
      Value last =
          inCall(create<onnx::SliceOp>(tensor({directions, batch, hidden}), y));
      if (batchFirst)
        last = permute(last, {batch, directions, hidden}, {1, 0, 2});
      op->getResult(i).replaceAllUsesWith(last);
    }
    return true;
  }

private:
  RankedTensorType tensor(ArrayRef<int64_t> shape) const {
    return RankedTensorType::get(shape, element);
  }

  template <typename OpT>
  Value create(Type type, ValueRange operands,
               ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(op->getLoc(), OpT::getOperationName());
    state.addTypes(type);
    state.addOperands(operands);
    state.addAttributes(attributes);
    // In a loop, each kernel of the layer runs in each iteration.
    if (Attribute runs = op->getAttr(tripCountAttrName);
        runs && !state.attributes.get(tripCountAttrName))
      state.addAttribute(tripCountAttrName, runs);
    return builder.create(state)->getResult(0);
  }

  /// (R5) The host calls the library once: `value` is computed in that call.
  Value inCall(Value value) {
    value.getDefiningOp()->setAttr(hostLaunchesAttrName,
                                   builder.getI64IntegerAttr(0));
    return value;
  }

  Value permute(Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> perm) {
    return create<onnx::TransposeOp>(
        tensor(shape), value,
        builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm)));
  }

  NamedAttribute constant() {
    return builder.getNamedAttr(onnx::OnnxDialect::constantAttrName,
                                builder.getUnitAttr());
  }

  /// The part of a weight for one direction: a view.
  Value part(unsigned operand, int64_t directions, ArrayRef<int64_t> shape) {
    if (directions == 1 && operand < 3)
      return create<onnx::ReshapeOp>(tensor(shape), op->getOperand(operand),
                                     constant());
    return create<onnx::SliceOp>(tensor(shape), op->getOperand(operand),
                                 constant());
  }

  Value addDirection(int64_t index, int64_t directions) {
    int64_t in = cast<RankedTensorType>(input.getType()).getDimSize(2);
    Value columns =
        transposed ? part(1, directions, {in, gates})
                   : create<onnx::TransposeOp>(
                         tensor({in, gates}), part(1, directions, {gates, in}),
                         {builder.getNamedAttr(
                              "perm", builder.getDenseI64ArrayAttr({1, 0})),
                          constant()});
    Value all =
        create<onnx::MatMulOp>(tensor({steps, batch, gates}), {input, columns});
    if (index > 0)
      inCall(all);
    if (RankedTensorType bias = typeOf(op, 3); bias && bias.getRank() == 2)
      all = inCall(create<onnx::AddOp>(all.getType(),
                                       {all, part(3, directions, {gates})}));
    int64_t runs = steps;
    if (auto outer = op->getAttrOfType<IntegerAttr>(tripCountAttrName))
      runs = checkedProduct({runs, outer.getInt()}).value_or(INT64_MAX);
    NamedAttribute repeat = builder.getNamedAttr(
        tripCountAttrName, builder.getI64IntegerAttr(runs));
    Value product = inCall(create<onnx::RecurrentProductOp>(
        tensor({batch, gates}), {all, part(2, directions, {gates, hidden})},
        repeat));
    Value states = inCall(create<onnx::RecurrentCellOp>(
        tensor({steps, batch, hidden}), {all, product}, repeat));
    return create<onnx::ReshapeOp>(tensor({steps, 1, batch, hidden}), states);
  }

  Operation *op;
  OpBuilder builder;
  Type element;
  Value input; ///< [steps, batch, in]
  bool transposed = false;
  int64_t steps = 0, batch = 0, gates = 0, hidden = 0;
};

} // namespace

void gpucost::raising::expandRecurrentLayers(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (isa<onnx::LSTMOp, onnx::GRUOp, onnx::RNNOp,
            onnx::DynamicQuantizeLSTMOp>(op) &&
        Layer(&op).expand())
      op.erase();
}
