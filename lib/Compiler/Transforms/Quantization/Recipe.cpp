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
  RecipeQuantizer(Block &block, const RecipeOptions &options)
      : options(options), rules(rulesOf(options.recipe)),
        info(infoOf(rules.format)), builder(block.getParentOp()),
        element(elementTypeOf(builder.getContext(), rules.format)) {}

  void quantize(const NarrowTensor &tensor);

  /// Weights in the format of the recipe.
  int64_t stored = 0;

private:
  Operation *create(StringRef name, Location loc, TypeRange types,
                    ValueRange operands, Operation *like);
  Value follow(Value value, Value root, Value narrow);
  bool isStored(Operation *parameter) const {
    return options.storesFrozen && parameter->hasAttr(frozenAttrName);
  }
  SmallVector<Value> storeWeight(Value weight, TypeRange types);
  void launchQuantisation(Value weight, ValueRange copies, int64_t shards,
                          Operation *like);
  bool isGatheredNarrow(Value value) const;
  SmallVector<Value> gatherWeight(const NarrowTensor &tensor, TypeRange types);
  SmallVector<Value> quantizeWeight(Value weight, TypeRange types);
  SmallVector<Value> quantizeActivation(const NarrowTensor &tensor,
                                        TypeRange types);

  const RecipeOptions &options;
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

/// Whether `op` is autocast's copy of a frozen weight.
static bool castsFrozen(Operation *op) {
  if (!isa_and_nonnull<onnx::CastOp>(op))
    return false;
  auto weight = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  return weight && weight->hasAttr(frozenAttrName);
}

/// A stored weight is laid out along the dimension that the forward matmul sums
/// over, independent of the file.
static NarrowUse readUse(Operation *product, unsigned operand,
                         const RecipeOptions &options, Value &root) {
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
  if (options.storesFrozen && castsFrozen(root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
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
  if (castsFrozen(view))
    return source;
  builder.setInsertionPoint(view);
  Operation *copy = builder.clone(*view);
  copy->setOperand(0, source);
  copy->getResult(0).setType(
      cast<RankedTensorType>(value.getType()).clone(element));
  return copy->getResult(0);
}

/// A frozen weight is quantised when it is loaded.
SmallVector<Value> RecipeQuantizer::storeWeight(Value weight, TypeRange types) {
  Operation *parameter = weight.getDefiningOp();
  builder.setInsertionPointAfter(parameter);
  SmallVector<Value> copies;
  for (Type type : types)
    copies.push_back(createStored(builder, weight.getLoc(), type));
  copies.front().getDefiningOp()->setAttrs(parameter->getAttrs());
  ++stored;
  return copies;
}

/// One kernel writes the `copies` of the part of a weight that a GPU has, as
/// often as `like` runs.
void RecipeQuantizer::launchQuantisation(Value weight, ValueRange copies,
                                         int64_t shards, Operation *like) {
  SmallVector<Value> operands = {weight};
  llvm::append_range(operands, copies);
  auto type = cast<RankedTensorType>(weight.getType());
  int64_t written = 0;
  for (Value copy : copies)
    written = saturatingSum(written, byteCount(copy.getType()).value_or(0));
  int64_t elements = elementCount(type).value_or(0) / shards;
  if (copies.empty())
    written = elements * info.bits / 8;
  int64_t read = saturatingProduct(byteCount(type).value_or(0) / shards,
                                   rules.readsTwice ? 2 : 1);
  auto step = OptimizerStepOp::create(
      builder, weight.getLoc(), operands,
      builder.getStringAttr("quantise weight"),
      builder.getI64IntegerAttr(elements), builder.getI64IntegerAttr(1),
      builder.getI64IntegerAttr(1), builder.getI64IntegerAttr(info.bits),
      builder.getI64IntegerAttr(1), builder.getI64IntegerAttr(read),
      builder.getI64IntegerAttr(written));
  auto phase = like->getAttrOfType<PhaseAttr>(phaseAttrName);
  step->setAttr(phaseAttrName,
                phase ? phase
                      : PhaseAttr::get(builder.getContext(), Phase::Forward));
  step->setAttr(originAttrName, builder.getStringAttr("quantisation"));
  if (Attribute count = like->getAttr(accumulationCountAttrName))
    step->setAttr(accumulationCountAttrName, count);
}

/// The copies of a weight are kept until the next step.
SmallVector<Value> RecipeQuantizer::quantizeWeight(Value weight,
                                                   TypeRange types) {
  builder.setInsertionPointAfter(weight.getDefiningOp());
  SmallVector<Value> copies;
  for (Type type : types)
    copies.push_back(createStored(builder, weight.getLoc(), type));
  launchQuantisation(weight, copies, /*shards=*/1, weight.getDefiningOp());
  return copies;
}

/// The parameter whose parts FSDP gathers to `value`.
static Operation *gatheredParameter(Value value) {
  auto gather = value.getDefiningOp<CollectiveOp>();
  if (!gather || gather.getKind() != CollectiveKind::AllGather)
    return nullptr;
  unsigned number = cast<OpResult>(value).getResultNumber();
  return gather.getInputs().size() == gather.getOutputs().size()
             ? gather.getInputs()[number].getDefiningOp<onnx::ParameterOp>()
             : nullptr;
}

bool RecipeQuantizer::isGatheredNarrow(Value value) const {
  Operation *parameter = gatheredParameter(value);
  return parameter && !info.block &&
         (options.gathersNarrow || isStored(parameter));
}

/// FSDP gathers narrow parts. A matmul of the backward pass that needs the
/// other order reads a copy that its GPU makes.
SmallVector<Value> RecipeQuantizer::gatherWeight(const NarrowTensor &tensor,
                                                 TypeRange types) {
  auto gather = tensor.root.getDefiningOp<CollectiveOp>();
  Operation *parameter = gatheredParameter(tensor.root);
  Operation *first = tensor.uses.front().product;
  auto wide = cast<RankedTensorType>(tensor.root.getType());
  if (isStored(parameter)) {
    auto type = cast<RankedTensorType>(parameter->getResult(0).getType());
    parameter->getResult(0).setType(type.clone(element));
    ++stored;
  } else {
    builder.setInsertionPoint(gather);
    launchQuantisation(parameter->getResult(0), {}, gather.getWorldSize(),
                       first);
  }
  auto type = wide.clone(element);
  Value root = tensor.root;
  root.setType(type);
  gather.setBytes(gather.getBytes() - byteCount(wide).value_or(0) +
                  byteCount(type).value_or(0));
  auto phase = first->getAttrOfType<PhaseAttr>(phaseAttrName);
  bool isForward = !phase || phase.getValue() == Phase::Forward ||
                   first->hasAttr(recomputedAttrName);
  builder.setInsertionPointAfter(gather);
  SmallVector<Value> copies(types.size(), root);
  if (!options.readsAnyLayout && (!isForward || copies.size() > 1))
    copies.back() = create(onnx::QuantizeBlocksOp::getOperationName(),
                           first->getLoc(), type, root, first)
                        ->getResult(0);
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
  bool hasOneCopy = options.readsAnyLayout && !info.block;
  for (bool isByRow : {false, true}) {
    if (llvm::none_of(tensor.uses, [&](const NarrowUse &use) {
          return use.isByRow == isByRow;
        }))
      continue;
    results[isByRow] = hasOneCopy ? 0 : types.size();
    if (hasOneCopy && !types.empty())
      continue;
    types.push_back(type.clone(element));
    if (info.block)
      types.push_back(scalesOf(type, info));
  }
  auto parameter = tensor.root.getDefiningOp<onnx::ParameterOp>();
  SmallVector<Value> narrow =
      isGatheredNarrow(tensor.root) ? gatherWeight(tensor, types)
      : !parameter                  ? quantizeActivation(tensor, types)
      : isStored(parameter)         ? storeWeight(tensor.root, types)
                                    : quantizeWeight(tensor.root, types);
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

static bool splitsAccumulator(Operation *product, const RecipeRules &rules) {
  auto phase = product->getAttrOfType<PhaseAttr>(phaseAttrName);
  bool isBackward = phase && phase.getValue() == Phase::Backward &&
                    !product->hasAttr(recomputedAttrName);
  return isBackward ? rules.splitsBackward : rules.splitsForward;
}

/// Erases the views that only led to matmuls, and then `parameter`.
static void eraseUnread(Operation *parameter) {
  for (Operation *user : llvm::make_early_inc_range(parameter->getUsers()))
    if (isView(user) || isa<onnx::CastOp>(user))
      eraseUnread(user);
  if (parameter->use_empty())
    parameter->erase();
}

void quantization::narrowProducts(Block &block, const RecipeOptions &options,
                                  NarrowCounts &counts) {
  llvm::MapVector<Value, NarrowTensor> tensors;
  for (Operation &op : block) {
    if (!op.hasAttr(narrowAttrName))
      continue;
    ++counts.products;
    if (splitsAccumulator(&op, rulesOf(options.recipe)))
      op.setAttr(splitAccumulatorAttrName, UnitAttr::get(op.getContext()));
    for (unsigned operand : {0u, 1u}) {
      Value root;
      NarrowUse use = readUse(&op, operand, options, root);
      NarrowTensor &tensor = tensors[root];
      tensor.root = root;
      tensor.uses.push_back(use);
    }
  }
  RecipeQuantizer quantizer(block, options);
  for (auto &[root, tensor] : tensors)
    quantizer.quantize(tensor);
  counts.stored += quantizer.stored;
  if (quantizer.stored)
    for (auto &[root, tensor] : tensors)
      if (Operation *parameter = root.getDefiningOp<onnx::ParameterOp>())
        if (parameter->hasAttr(frozenAttrName))
          eraseUnread(parameter);
}
