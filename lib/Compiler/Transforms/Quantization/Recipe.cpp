//===- Recipe.cpp - Matmuls of 8- and 4-bit training ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// docs/CostModel.md, rule (Q6).

#include "Recipe.h"
#include "WeightExceptions.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include "gpucost/Core/Scenario/TrainingRecipe.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::quantization;

llvm::Error quantization::markNarrowProducts(Block &block, StringRef except) {
  auto exceptions = WeightExceptions::parse(except);
  if (!exceptions)
    return exceptions.takeError();
  Weights weights = findWeights(block, /*convolutions=*/false, *exceptions);
  for (auto &[parameter, uses] : weights.uses)
    for (const WeightUse &use : uses)
      if (isa<onnx::MatMulOp, onnx::GemmOp>(use.product))
        use.product->setAttr(narrowAttrName,
                             UnitAttr::get(block.getParent()->getContext()));
  return llvm::Error::success();
}

namespace {

/// A matmul operand that reads `root` through views, and whether the matmul
/// sums over the last dimension of `root`.
struct NarrowUse {
  Operation *product;
  unsigned operand;
  bool isByRow;
};

/// A tensor in 16 or 32 bit and the operands that read it.
struct NarrowTensor {
  Value root;
  SmallVector<NarrowUse> uses;
};

class RecipeQuantizer {
public:
  RecipeQuantizer(Block &block, Recipe recipe)
      : rules(rulesOf(recipe)), info(infoOf(rules.format)),
        builder(block.getParentOp()),
        element(elementTypeOf(builder.getContext(), rules.format)) {}

  void quantize(const NarrowTensor &tensor);

private:
  Operation *create(StringRef name, Location loc, TypeRange types,
                    ValueRange operands, Operation *like);
  Value follow(Value value, Value root, Value narrow);
  SmallVector<Value> quantizeWeight(Value weight, TypeRange types);
  SmallVector<Value> quantizeActivation(const NarrowTensor &tensor,
                                        TypeRange types);

  RecipeRules rules;
  const FormatInfo &info;
  OpBuilder builder;
  Type element;
};

} // namespace

static bool isStoredWeight(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (isa<onnx::ParameterOp>(def) ||
                 def->hasAttr(onnx::OnnxDialect::constantAttrName));
}

static bool isView(Operation *op) {
  return op && isa<onnx::TransposeOp, onnx::ReshapeOp>(op);
}

/// A stored weight is laid out along the dimension that the forward matmul sums
/// over, independent of the file.
static NarrowUse readUse(Operation *product, unsigned operand, Value &root) {
  root = product->getOperand(operand);
  bool isByRow = operand == 0;
  if (onnx::getInt(product, operand == 0 ? "transA" : "transB"))
    isByRow = !isByRow;
  for (Operation *view = root.getDefiningOp();
       isView(view) && !isStoredWeight(root); view = root.getDefiningOp()) {
    if (onnx::movesLastDim(view))
      isByRow = !isByRow;
    root = view->getOperand(0);
  }
  return {product, operand, isByRow != isStoredWeight(root)};
}

/// The first op that leads from `root` to one of its matmuls.
static Operation *firstReader(const NarrowTensor &tensor) {
  Operation *first = tensor.uses.front().product;
  for (const NarrowUse &use : tensor.uses) {
    Operation *reader = use.product;
    for (Value value = reader->getOperand(use.operand); value != tensor.root;
         value = reader->getOperand(0))
      reader = value.getDefiningOp();
    if (reader->isBeforeInBlock(first))
      first = reader;
  }
  return first;
}

Operation *RecipeQuantizer::create(StringRef name, Location loc,
                                   TypeRange types, ValueRange operands,
                                   Operation *like) {
  OperationState state(loc, name);
  state.addTypes(types);
  state.addOperands(operands);
  for (StringRef copied : {phaseAttrName, recomputedAttrName, tripCountAttrName,
                           accumulationCountAttrName})
    if (Attribute value = like->getAttr(copied))
      state.addAttribute(copied, value);
  state.addAttribute(originAttrName, builder.getStringAttr("quantisation"));
  return builder.create(state);
}

/// The views between `root` and `value`, on `narrow`.
Value RecipeQuantizer::follow(Value value, Value root, Value narrow) {
  if (value == root)
    return narrow;
  Operation *view = value.getDefiningOp();
  Value source = follow(view->getOperand(0), root, narrow);
  builder.setInsertionPoint(view);
  Operation *copy = builder.clone(*view);
  copy->setOperand(0, source);
  copy->getResult(0).setType(
      cast<RankedTensorType>(value.getType()).clone(element));
  return copy->getResult(0);
}

/// The copies of a weight are kept until the next step; one kernel writes them.
SmallVector<Value> RecipeQuantizer::quantizeWeight(Value weight,
                                                   TypeRange types) {
  Operation *parameter = weight.getDefiningOp();
  builder.setInsertionPointAfter(parameter);
  SmallVector<Value> copies = {weight};
  int64_t written = 0;
  for (Type type : types) {
    copies.push_back(createStored(builder, weight.getLoc(), type));
    written = saturatingSum(written, byteCount(type).value_or(0));
  }
  auto type = cast<RankedTensorType>(weight.getType());
  int64_t read =
      saturatingProduct(byteCount(type).value_or(0), rules.readsTwice ? 2 : 1);
  auto step = OptimizerStepOp::create(
      builder, weight.getLoc(), copies,
      builder.getStringAttr("quantise weight"),
      builder.getI64IntegerAttr(elementCount(type).value_or(0)),
      builder.getI64IntegerAttr(1), builder.getI64IntegerAttr(1),
      builder.getI64IntegerAttr(info.bits), builder.getI64IntegerAttr(1),
      builder.getI64IntegerAttr(read), builder.getI64IntegerAttr(written));
  step->setAttr(phaseAttrName,
                PhaseAttr::get(builder.getContext(), Phase::Forward));
  step->setAttr(originAttrName, builder.getStringAttr("quantisation"));
  copies.erase(copies.begin());
  return copies;
}

SmallVector<Value>
RecipeQuantizer::quantizeActivation(const NarrowTensor &tensor,
                                    TypeRange types) {
  Operation *first = tensor.uses.front().product;
  Location loc = first->getLoc();
  if (tensor.root.getDefiningOp())
    builder.setInsertionPointAfterValue(tensor.root);
  else
    builder.setInsertionPoint(firstReader(tensor));
  SmallVector<Value> operands = {tensor.root};
  if (rules.readsTwice)
    operands.push_back(create(onnx::ReduceMaxOp::getOperationName(), loc,
                              RankedTensorType::get({}, builder.getF32Type()),
                              tensor.root, first)
                           ->getResult(0));
  return SmallVector<Value>(create(onnx::QuantizeBlocksOp::getOperationName(),
                                   loc, types, operands, first)
                                ->getResults());
}

void RecipeQuantizer::quantize(const NarrowTensor &tensor) {
  auto type = cast<RankedTensorType>(tensor.root.getType());
  // One copy for each direction in which matmuls read it.
  SmallVector<Type> types;
  unsigned results[2] = {0, 0};
  for (bool isByRow : {false, true}) {
    if (llvm::none_of(tensor.uses, [&](const NarrowUse &use) {
          return use.isByRow == isByRow;
        }))
      continue;
    results[isByRow] = types.size();
    types.push_back(type.clone(element));
    if (info.block)
      types.push_back(scalesOf(type, info));
  }
  SmallVector<Value> narrow = tensor.root.getDefiningOp<onnx::ParameterOp>()
                                  ? quantizeWeight(tensor.root, types)
                                  : quantizeActivation(tensor, types);
  for (const NarrowUse &use : tensor.uses) {
    unsigned result = results[use.isByRow];
    use.product->setOperand(use.operand,
                            follow(use.product->getOperand(use.operand),
                                   tensor.root, narrow[result]));
    if (!info.block)
      continue;
    SmallVector<Value> all(use.product->getOperands());
    all.push_back(narrow[result + 1]);
    use.product->setOperands(all);
  }
}

int64_t quantization::narrowProducts(Block &block, Recipe recipe) {
  llvm::MapVector<Value, NarrowTensor> tensors;
  int64_t products = 0;
  for (Operation &op : block) {
    if (!op.hasAttr(narrowAttrName))
      continue;
    ++products;
    for (unsigned operand : {0u, 1u}) {
      Value root;
      NarrowUse use = readUse(&op, operand, root);
      NarrowTensor &tensor = tensors[root];
      tensor.root = root;
      tensor.uses.push_back(use);
    }
  }
  RecipeQuantizer quantizer(block, recipe);
  for (auto &[root, tensor] : tensors)
    quantizer.quantize(tensor);
  return products;
}
