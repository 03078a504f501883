//===- DecodeStep.cpp - Adds a KV cache to attention ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecodeStep.h"
#include "AttentionMatch.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static int64_t integerOf(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

SmallVector<Operation *> raising::findAttention(Block &block) {
  SmallVector<Operation *> found;
  for (Operation &op : block) {
    auto work = dyn_cast<WorkOpInterface>(op);
    if (work && work.getCostClass() == CostClass::Attention)
      found.push_back(&op);
  }
  return found;
}

std::string raising::whyNoCache(Operation *op, const DecoderValues &decoder) {
  if (!isa<onnx::FusedAttentionOp, onnx::AttentionOp>(op))
    return "no cache is derived for the operator";
  if (op->getNumOperands() < 3)
    return "it has fewer than three operands";
  RankedTensorType q = getStaticType(op->getOperand(0));
  RankedTensorType k = getStaticType(op->getOperand(1));
  RankedTensorType v = getStaticType(op->getOperand(2));
  if (!q || !k || !v || k.getRank() != q.getRank() ||
      v.getRank() != q.getRank() || (q.getRank() != 4 && q.getRank() != 3))
    return "its shapes are unknown or their rank is not 3 or 4";
  int64_t axis = q.getRank() == 4 ? 2 : 1;
  if (q.getRank() == 3 && (integerOf(op, "q_num_heads") <= 0 ||
                           integerOf(op, "kv_num_heads") <= 0 ||
                           k.getDimSize(2) % integerOf(op, "kv_num_heads")))
    return "its number of heads is unknown";
  if (decoder.isCross(op))
    return "";
  if (q.getDimSize(axis) != k.getDimSize(axis))
    return "its keys and queries are different sequences";
  return integerOf(op, "is_causal") ? "" : "it is not causal";
}

bool raising::isSeparateAttention(Operation &op) {
  return isa<onnx::SoftmaxOp>(op) &&
         llvm::any_of(op.getResult(0).getUsers(), [](Operation *user) {
           return isa<onnx::MatMulOp>(user);
         });
}

namespace {

/// Adds the caches of one function.
class CacheBuilder {
public:
  CacheBuilder(Block &block, int64_t past, const LibraryOptions &options)
      : block(block), past(past), options(options),
        function(cast<func::FuncOp>(block.getParentOp())) {
    if (auto known = function->getAttrOfType<ArrayAttr>(outputNames))
      names.assign(known.begin(), known.end());
  }

  void append(Operation *op);
  /// Converts the keys and values of an encoder to inputs.
  void fix(Operation *op);
  void dropResults(const DecoderValues &decoder);
  /// Erases unused ops.
  void finish(bool keepWeights);

private:
  static constexpr StringLiteral outputNames =
      onnx::OnnxDialect::outputNamesAttrName;

  Value addInput(Operation *op, RankedTensorType type, StringRef suffix);
  Value extend(OpBuilder &builder, Operation *op, Value part, StringRef suffix);
  void giveBack(Value part, Value present, const std::string &name);

  Block &block;
  int64_t past;
  const LibraryOptions &options;
  func::FuncOp function;
  SmallVector<Attribute> names;
  unsigned layer = 0;
};

} // namespace

/// If `part` is an output of the file, it becomes the present tensor; otherwise
/// an output is added.
void CacheBuilder::giveBack(Value part, Value present,
                            const std::string &name) {
  Operation *end = block.getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (operand.get() == part) {
      operand.set(present);
      return;
    }
  end->insertOperands(end->getNumOperands(), present);
  names.push_back(StringAttr::get(end->getContext(), name));
}

/// Adds an input to `function`.
Value CacheBuilder::addInput(Operation *op, RankedTensorType type,
                             StringRef suffix) {
  Builder builder(op->getContext());
  unsigned index = function.getNumArguments();
  NamedAttribute name = builder.getNamedAttr(
      onnx::OnnxDialect::inputNameAttrName,
      builder.getStringAttr("past_key_values." + std::to_string(layer) + "." +
                            suffix));
  (void)function.insertArgument(index, type, builder.getDictionaryAttr(name),
                                op->getLoc());
  return block.getArgument(index);
}

/// Appends `part` to the cached tokens of a new input.
Value CacheBuilder::extend(OpBuilder &builder, Operation *op, Value part,
                           StringRef suffix) {
  RankedTensorType type = getStaticType(part);
  SmallVector<int64_t> shape(type.getShape());
  shape[2] = past;
  Value cache = addInput(op, type.clone(shape), suffix);
  shape[2] += type.getDimSize(2);
  RankedTensorType whole = type.clone(shape);
  Value present =
      options.cache == KvCacheMode::Concat
          ? onnx::ConcatOp::create(
                builder, op->getLoc(), TypeRange(Type(whole)), {cache, part},
                {builder.getNamedAttr("axis", builder.getI64IntegerAttr(2))})
                ->getResult(0)
          : createCacheUpdate(builder, op->getLoc(), whole, part, cache,
                              options);
  giveBack(part, present,
           "present." + std::to_string(layer) + "." + suffix.str());
  return present;
}

void CacheBuilder::append(Operation *op) {
  OpBuilder builder(op);
  bool rows = getStaticType(op->getOperand(0)).getRank() == 3;
  int64_t heads = integerOf(op, "q_num_heads");
  int64_t kvHeads = integerOf(op, "kv_num_heads");
  SmallVector<Value> operands;
  for (unsigned i = 0; i < 3; ++i)
    operands.push_back(createHeads(builder, op->getLoc(), op->getOperand(i),
                                   i ? kvHeads : heads));
  foldRepeatedHeads(operands[1], operands[2]);
  operands[1] = extend(builder, op, operands[1], "key");
  operands[2] = extend(builder, op, operands[2], "value");
  ++layer;
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("is_causal", builder.getI64IntegerAttr(1))};
  for (StringRef name :
       {"scale", "softcap", "local_window_size", "left_window_size",
        "right_window_size", "selects_keys"})
    if (Attribute value = op->getAttr(name))
      attributes.push_back(builder.getNamedAttr(name, value));
  RankedTensorType q = getStaticType(operands[0]);
  SmallVector<int64_t> shape(q.getShape());
  shape[3] = getStaticType(operands[2]).getDimSize(3);
  Value result = onnx::FusedAttentionOp::create(builder, op->getLoc(),
                                                TypeRange(Type(q.clone(shape))),
                                                operands, attributes)
                     ->getResult(0);
  if (Attribute valueNames = op->getAttr(onnx::OnnxDialect::valueNamesAttrName))
    result.getDefiningOp()->setAttr(onnx::OnnxDialect::valueNamesAttrName,
                                    valueNames);
  if (rows)
    result = createReshape(
        builder, op->getLoc(),
        createTranspose(builder, op->getLoc(), result, {0, 2, 1, 3}),
        getStaticType(op->getResult(0)).getShape());
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

void CacheBuilder::fix(Operation *op) {
  // The previous attention op belongs to the same layer.
  layer -= layer > 0;
  for (auto [index, suffix] : {std::pair(1u, StringRef("encoder.key")),
                               std::pair(2u, StringRef("encoder.value"))})
    op->setOperand(index,
                   addInput(op, getStaticType(op->getOperand(index)), suffix));
  ++layer;
}

/// Results of the encoder belong to the prefill.
void CacheBuilder::dropResults(const DecoderValues &decoder) {
  Operation *end = block.getTerminator();
  bool named = names.size() == end->getNumOperands();
  for (unsigned i = end->getNumOperands(); i-- > 0;) {
    if (decoder.contains(end->getOperand(i)))
      continue;
    end->eraseOperand(i);
    if (named)
      names.erase(names.begin() + i);
  }
}

/// Sets the names of the results and erases ops that were only used by masks.
/// Weights of an encoder remain on the GPU.
void CacheBuilder::finish(bool keepWeights) {
  if (names.size() == block.getTerminator()->getNumOperands())
    function->setAttr(outputNames,
                      ArrayAttr::get(function.getContext(), names));
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isa<onnx::OnnxOp>(op) && isOpTriviallyDead(op) &&
        !(keepWeights && isa<onnx::ParameterOp>(op)))
      op->erase();
}

LogicalResult raising::appendCaches(Block &block, int64_t past,
                                    const LibraryOptions &options) {
  DecoderValues decoder(block);
  SmallVector<Operation *> attention = findAttention(block);
  llvm::erase_if(attention, [&](Operation *op) {
    return !decoder.contains(op->getOperand(0));
  });
  for (Operation *op : attention) {
    // A single new token attends to all tokens with any mask; causality was
    // checked with several tokens.
    std::string why = whyNoCache(op, decoder);
    if (!why.empty() && why != "it is not causal")
      return op->emitError("--decode: ") << why;
  }
  // Attention without a cache would ignore the past.
  for (Operation &op : block)
    if (isSeparateAttention(op) && decoder.contains(op.getOperand(0)))
      return op.emitError("--decode: ") << separateAttention;
  CacheBuilder builder(block, past, options);
  builder.dropResults(decoder);
  for (Operation *op : attention)
    decoder.isCross(op) ? builder.fix(op) : builder.append(op);
  builder.finish(decoder.hasEncoder());
  return success();
}
