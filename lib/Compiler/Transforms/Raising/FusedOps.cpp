//===- FusedOps.cpp - Expansion of fused operators ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// ONNX Runtime's optimizer fuses ops for inference; training runs and
// differentiates the original ops.

#include "LibraryOps.h"
#include "OpExpander.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {

class FusedOp : public OpExpander {
public:
  explicit FusedOp(Operation *op) : OpExpander(op) {}

  bool run() {
    if (!in(0) || !out(0))
      return false;
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<onnx::SkipLayerNormalizationOp>([&](auto) {
          return splitSkipNorm<onnx::LayerNormalizationOp>({2, 3}, /*bias=*/4);
        })
        .Case<onnx::SkipSimplifiedLayerNormalizationOp>([&](auto) {
          return splitSkipNorm<onnx::SimplifiedLayerNormalizationOp>(
              {2}, /*bias=*/3);
        })
        .Case<onnx::SkipGroupNormOp>([&](auto) { return splitSkipGroupNorm(); })
        .Case<onnx::EmbedLayerNormalizationOp>(
            [&](auto) { return splitEmbedding(); })
        .Case<onnx::BiasGeluOp>([&](auto) { return splitBias<onnx::GeluOp>(); })
        .Case<onnx::FastGeluOp>(
            [&](auto) { return splitBias<onnx::FastGeluOp>(); })
        .Case<onnx::BiasSoftmaxOp>(
            [&](auto) { return splitBias<onnx::SoftmaxOp>(); })
        .Case<onnx::BiasSplitGeluOp>([&](auto) { return splitGatedGelu(); })
        .Case<onnx::BiasAddOp>([&](auto) { return splitBiasAdd(); })
        .Case<onnx::BiasDropoutOp>([&](auto) { return splitBiasDropout(); })
        .Case<onnx::GemmFastGeluOp>([&](auto) {
          return splitActivation<onnx::MatMulOp>(
              {}, 2, &onnx::FastGeluOp::getOpInfo());
        })
        .Case<onnx::FusedGemmOp>([&](auto) {
          return splitActivation<onnx::GemmOp>(
              copied({"alpha", "beta", "transA", "transB"}), 3);
        })
        .Case<onnx::FusedMatMulActivationOp>([&](auto) {
          return splitActivation<onnx::FusedMatMulOp>(
              copied(
                  {"alpha", "transA", "transB", "transBatchA", "transBatchB"}),
              2);
        })
        .Case<onnx::FusedConvOp>([&](auto) {
          return splitActivation<onnx::ConvOp>(
              copied({"auto_pad", "dilations", "group", "kernel_shape", "pads",
                      "strides"}),
              3);
        })
        .Default([](Operation *) { return false; });
  }

private:
  /// Operand `i` if it exists; null otherwise.
  Value operand(unsigned i) const {
    return in(i) ? op->getOperand(i) : Value();
  }

  Value add(Value sum, Value other) {
    return other ? create<onnx::AddOp>(sum.getType(), {sum, other}) : sum;
  }

  template <typename NormOp>
  bool splitSkipNorm(ArrayRef<unsigned> weights, unsigned bias);
  bool splitSkipGroupNorm();
  bool splitEmbedding();
  template <typename NextOp> bool splitBias();
  bool splitGatedGelu();
  bool splitBiasAdd();
  bool splitBiasDropout();
  template <typename ProductOp>
  bool splitActivation(ArrayRef<NamedAttribute> attributes, unsigned summand,
                       const onnx::OpInfo *activation = nullptr);
};

} // namespace

/// x, skip, scale, shift, bias: the sum (result 3), then its norm.
template <typename NormOp>
bool FusedOp::splitSkipNorm(ArrayRef<unsigned> weights, unsigned bias) {
  // The plain norm does not return statistics (results 1 and 2) in inference.
  if (!in(1) || !in(2) || isUsed(1) || isUsed(2))
    return false;
  Value sum = add(add(op->getOperand(0), operand(bias)), operand(1));
  SmallVector<Value> inputs = {sum};
  for (unsigned weight : weights)
    if (Value value = operand(weight))
      inputs.push_back(value);
  SmallVector<NamedAttribute> attributes = copied({"epsilon"});
  attributes.push_back(integer("axis", -1));
  if (isUsed(0))
    give(0, create<NormOp>(out(0), inputs, attributes));
  if (isUsed(3))
    give(3, sum);
  return true;
}

/// x, scale, shift, skip, bias; result 1 is the sum.
bool FusedOp::splitSkipGroupNorm() {
  if (!in(1) || !in(2) || !in(3))
    return false;
  Value sum = add(add(op->getOperand(0), operand(3)), operand(4));
  Value y =
      create<onnx::GroupNormOp>(out(0), {sum, operand(1), operand(2)},
                                copied({"epsilon", "groups", "channels_last"}));
  if (onnx::getInt(op, "activation") != 0)
    y = create<onnx::SiluOp>(out(0), y);
  give(0, y);
  if (isUsed(1))
    give(1, sum);
  return true;
}

/// Token and segment numbers, the three tables, scale, shift, mask, positions:
/// the norm, the mask lengths, the sum of the embeddings.
bool FusedOp::splitEmbedding() {
  RankedTensorType table = in(3);
  if (!in(2) || !table || !in(5) || !in(6) || out(0).getRank() != 3 ||
      table.getRank() != 2 || (isUsed(1) && !out(1)))
    return false;
  auto lookUp = [&](Value rows, Value numbers) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(numbers.getType()).getShape());
    shape.push_back(out(0).getDimSize(2));
    return create<onnx::GatherOp>(
        RankedTensorType::get(shape, out(0).getElementType()), {rows, numbers});
  };
  Value sum = lookUp(operand(2), operand(0));
  if (operand(1) && operand(4))
    sum = add(sum, lookUp(operand(4), operand(1)));
  Value positions = operand(8);
  if (!positions) {
    // A model buffer.
    Type type =
        RankedTensorType::get({1, out(0).getDimSize(1)}, builder.getI64Type());
    positions = create<onnx::ParameterOp>(type, {});
  }
  sum = add(sum, lookUp(operand(3), positions));
  SmallVector<NamedAttribute> attributes = copied({"epsilon"});
  attributes.push_back(integer("axis", -1));
  give(0, create<onnx::LayerNormalizationOp>(
              out(0), {sum, operand(5), operand(6)}, attributes));
  if (isUsed(1))
    give(1, operand(7) ? create<onnx::ReduceSumOp>(out(1), operand(7))
                       : create<onnx::FillOp>(out(1), {}));
  if (isUsed(2))
    give(2, sum);
  return true;
}

template <typename NextOp> bool FusedOp::splitBias() {
  if (!in(1))
    return false;
  Value sum = add(op->getOperand(0), operand(1));
  give(0, create<NextOp>(out(0), sum, copied({"axis"})));
  return true;
}

/// One half multiplied by the GELU of the other.
bool FusedOp::splitGatedGelu() {
  if (!in(1) || in(0).getRank() != out(0).getRank())
    return false;
  Value sum = add(op->getOperand(0), operand(1));
  Operation *halves =
      createOp<onnx::SplitOp>({out(0), out(0)}, sum, integer("axis", -1));
  Value gate = create<onnx::GeluOp>(out(0), halves->getResult(1));
  give(0, create<onnx::MulOp>(out(0), {halves->getResult(0), gate}));
  return true;
}

bool FusedOp::splitBiasAdd() {
  if (!in(1) || !in(2))
    return false;
  give(0, add(add(op->getOperand(0), operand(1)), operand(2)));
  return true;
}

/// x, bias, residual, ratio: y and the mask.
bool FusedOp::splitBiasDropout() {
  if (!in(1) || (isUsed(1) && !out(1)))
    return false;
  SmallVector<Value> inputs = {add(op->getOperand(0), operand(1))};
  if (Value ratio = operand(3))
    inputs.push_back(ratio);
  SmallVector<Type> types = {out(0)};
  if (isUsed(1))
    types.push_back(out(1));
  Operation *dropout = createOp<onnx::DropoutOp>(types, inputs, {});
  give(0, add(dropout->getResult(0), operand(2)));
  if (isUsed(1))
    give(1, dropout->getResult(1));
  return true;
}

/// A matmul or convolution, an addend (a bias is part of Gemm and Conv), and
/// the activation in the attribute `activation` or in the operator name.
template <typename ProductOp>
bool FusedOp::splitActivation(ArrayRef<NamedAttribute> attributes,
                              unsigned summand,
                              const onnx::OpInfo *activation) {
  if (StringRef name = onnx::getString(op, "activation");
      !activation && llvm::is_contained({"Relu", "Tanh", "Sigmoid", "LeakyRelu",
                                         "Clip", "HardSigmoid"},
                                        name))
    activation = onnx::findOpInfo(name);
  if (!in(1) || !activation)
    return false;
  SmallVector<Value> inputs;
  for (unsigned i = 0; i < summand && i < op->getNumOperands(); ++i)
    inputs.push_back(op->getOperand(i));
  Value sum =
      add(create<ProductOp>(out(0), inputs, attributes), operand(summand));
  give(0, create(activation->name, out(0), sum));
  return true;
}

bool gpucost::raising::splitFusedOp(Operation *op) { return FusedOp(op).run(); }
