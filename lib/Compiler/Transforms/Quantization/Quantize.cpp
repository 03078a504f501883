//===- Quantize.cpp - gpucost-quantize ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// docs/CostModel.md, rules (Q*).

#include "KvCache.h"
#include "Recipe.h"
#include "Shapes/Signature.h"
#include "WeightExceptions.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/TrainingRecipe.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace gpucost {
#define GEN_PASS_DEF_QUANTIZEPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::quantization;

static Type elementTypeOf(MLIRContext *context, StorageFormat format) {
  std::optional<NumericFormat> stored = formatOf(format);
  return stored ? elementTypeOf(context, *stored) : Type();
}

namespace {

/// Weights and activations of one block.
class Quantizer {
public:
  Quantizer(Block &block, const Settings &settings,
            const WeightExceptions &exceptions)
      : block(block), settings(settings), exceptions(exceptions),
        builder(block.getParentOp()) {}

  /// Quantises the weights; returns the number of matmuls that read them.
  int64_t run(llvm::MapVector<Kept, int64_t> &kept);

private:
  void addScales(Operation *parameter, ArrayRef<WeightUse> uses);
  void addOperand(Operation *product, Value value);
  Value makeParameter(Operation *weight, ArrayRef<int64_t> shape, Type element);
  void quantizeActivation(Operation *product);
  Operation *quantize(Value activation, Operation *product);
  Operation *sendQuantized(CollectiveOp exchange, Operation *product);

  Block &block;
  const Settings &settings;
  const WeightExceptions &exceptions;
  OpBuilder builder;
  llvm::DenseMap<Value, Operation *> quantized;
};

} // namespace

/// A parameter that is not a model weight, such as scales.
Value Quantizer::makeParameter(Operation *weight, ArrayRef<int64_t> shape,
                               Type element) {
  builder.setInsertionPointAfter(weight);
  return createStored(builder, weight->getLoc(),
                      RankedTensorType::get(shape, element));
}

/// Appends an operand after the bias; cost rules only count its bytes.
void Quantizer::addOperand(Operation *product, Value value) {
  unsigned bias = onnx::getOpInfo(product)->weight + 1;
  SmallVector<Value> operands(product->getOperands());
  if (!isa<onnx::MoEOp>(product) && operands.size() == bias &&
      !isa<onnx::MatMulOp>(product)) {
    builder.setInsertionPoint(product);
    OperationState none(product->getLoc(), onnx::NoneOp::getOperationName());
    none.addTypes(onnx::NoneType::get(builder.getContext()));
    operands.push_back(builder.create(none)->getResult(0));
  }
  operands.push_back(value);
  product->setOperands(operands);
}

static const FormatInfo &infoOf(StorageFormat format) {
  return infoOf(*formatOf(format));
}

/// (Q2) One fp32 scale per output channel; for int4 weights one 16-bit scale
/// and one 4-bit zero point per group; for block formats the block scales.
void Quantizer::addScales(Operation *parameter, ArrayRef<WeightUse> uses) {
  if (bitsOf(settings.weights) > 8)
    return;
  const WeightUse &use = uses.front();
  SmallVector<Value> added;
  const FormatInfo &info = infoOf(settings.weights);
  auto groupsOf = [&](int64_t size) -> SmallVector<int64_t> {
    return {int64_t(llvm::divideCeil(use.channels, info.rows)),
            int64_t(llvm::divideCeil(use.depth, size))};
  };
  if (info.block) {
    added.push_back(makeParameter(parameter, groupsOf(info.block),
                                  builder.getIntegerType(info.scaleBits)));
  } else if (settings.weights == StorageFormat::INT4) {
    SmallVector<int64_t> groups = groupsOf(settings.weightGroup);
    added.push_back(makeParameter(parameter, groups,
                                  Float16Type::get(builder.getContext())));
    added.push_back(makeParameter(parameter, groups, builder.getI4Type()));
  } else {
    added.push_back(
        makeParameter(parameter, {use.channels}, builder.getF32Type()));
  }
  for (const WeightUse &reader : uses)
    for (Value value : added)
      addOperand(reader.product, value);
}

/// (Q3) One elementwise kernel per activation; all matmuls read its result.
Operation *Quantizer::quantize(Value activation, Operation *product) {
  auto type = cast<RankedTensorType>(activation.getType());
  Type element = elementTypeOf(builder.getContext(), settings.activations);
  const FormatInfo &info = infoOf(settings.activations);
  Operation *&known = quantized[activation];
  if (!known) {
    builder.setInsertionPointAfterValue(activation);
    OperationState state(product->getLoc(),
                         info.block
                             ? onnx::QuantizeBlocksOp::getOperationName()
                             : onnx::QuantizeLinearOp::getOperationName());
    state.addTypes(type.clone(element));
    if (info.block)
      state.addTypes(scalesOf(type, info));
    state.addOperands(activation);
    if (Operation *def = activation.getDefiningOp())
      if (Attribute runs = def->getAttr(tripCountAttrName))
        state.addAttribute(tripCountAttrName, runs);
    known = builder.create(state);
  }
  return known;
}

/// (N13) A serving stack quantises tokens before it sends them to experts.
Operation *Quantizer::sendQuantized(CollectiveOp exchange, Operation *product) {
  Operation *tokens = quantize(exchange.getInputs()[0], product);
  const FormatInfo &info = infoOf(settings.activations);
  auto received = cast<RankedTensorType>(exchange.getOutputs()[0].getType());
  SmallVector<Type> types{received.clone(
      cast<RankedTensorType>(tokens->getResult(0).getType()).getElementType())};
  if (info.block)
    types.push_back(scalesOf(received, info));
  int64_t bytes = 0;
  for (Type type : types)
    bytes = saturatingSum(bytes, byteCount(type).value_or(0));
  builder.setInsertionPoint(exchange);
  auto sent = CollectiveOp::create(
      builder, exchange.getLoc(), types, ValueRange(tokens->getResults()),
      exchange.getKind(), bytes, exchange.getWorldSize(), exchange.getNodes(),
      exchange.getGroups(), exchange.getChoices(), exchange.getNodeLimit(),
      exchange.getExchange(), exchange.getTokens());
  sent->setDiscardableAttrs(exchange->getDiscardableAttrDictionary());
  return sent;
}

void Quantizer::quantizeActivation(Operation *product) {
  Value activation = product->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(activation.getType());
  Type element = elementTypeOf(builder.getContext(), settings.activations);
  if (!type || !isa<FloatType>(type.getElementType()) ||
      type.getElementType() == element)
    return;
  const FormatInfo &info = infoOf(settings.activations);
  if (info.block && !type.hasStaticShape())
    return;
  auto exchange = activation.getDefiningOp<CollectiveOp>();
  bool sends = exchange && exchange->hasOneUse() &&
               exchange.getExchange() == ExpertExchange::Dispatch;
  Operation *known =
      sends ? sendQuantized(exchange, product) : quantize(activation, product);
  product->setOperand(0, known->getResult(0));
  if (info.block)
    addOperand(product, known->getResult(1));
  if (sends)
    exchange->erase();
}

int64_t Quantizer::run(llvm::MapVector<Kept, int64_t> &kept) {
  bool computes = bitsOf(settings.activations) <= 8;
  // (Q1) Dequantising and block-format kernels exist only for matmuls.
  Weights weights = findWeights(
      block, computes && !infoOf(settings.activations).block, exceptions);
  Type element = elementTypeOf(builder.getContext(), settings.weights);
  llvm::SetVector<Operation *> products;
  for (auto &[parameter, uses] : weights.uses) {
    setStoredType(parameter, element);
    addScales(parameter, uses);
    for (const WeightUse &use : uses)
      products.insert(use.product);
  }
  if (computes)
    for (Operation *product : products)
      quantizeActivation(product);
  for (auto [reason, count] : weights.kept)
    kept[reason] += count;
  return products.size();
}

/// "3 matmuls".
static std::string countOf(int64_t count, StringRef noun) {
  return (llvm::Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

static std::string nameOf(StorageFormat format) {
  return std::string(stringifyStorageFormat(format));
}

/// Note on the weight and activation formats, for the report.
static std::string describeWeights(const Settings &settings, int64_t products) {
  std::string text = countOf(products, "matmul") + " with weights in " +
                     nameOf(settings.weights);
  if (settings.weights == StorageFormat::INT4)
    text += " (a 16-bit scale and a 4-bit zero point per " +
            std::to_string(settings.weightGroup) + ")";
  else if (const FormatInfo &info = infoOf(settings.weights); info.block)
    text += " (a scale of " + std::to_string(info.scaleBits) + " bits per " +
            std::to_string(info.block) + ")";
  else if (bitsOf(settings.weights) == 8)
    text += " (a scale per output channel)";
  if (bitsOf(settings.activations) <= 8)
    text +=
        " and activations in " + nameOf(settings.activations) +
        (infoOf(settings.activations).block ? " (" : " (static scales; ") +
        "a separate kernel quantises each activation" +
        (settings.runtime == Runtime::Compiled ? ", unless its producer can)"
                                               : ")");
  else if (bitsOf(settings.weights) <= 8)
    text += ", which the kernels dequantise to compute in 16 bit or more";
  return text;
}

static std::string describeKept(Kept reason, int64_t count,
                                const Settings &settings) {
  StorageFormat activations = settings.activations;
  switch (reason) {
  case Kept::Excepted:
    return countOf(count, "matmul") +
           " not quantised: weights-except=" + settings.weightsExcept;
  case Kept::Sizes:
    return countOf(count, "matmul") +
           " not quantised: sizes are not multiples of 16";
  case Kept::OtherReaders:
    return countOf(count, "matmul") +
           " not quantised: other ops also read the weight";
  case Kept::Convolution:
    return countOf(count, "convolution") + " not quantised: no kernels " +
           (bitsOf(activations) <= 8
                ? "compute them in " + nameOf(activations)
                : std::string("dequantise their weights; set "
                              "--activations as well"));
  }
  llvm_unreachable("unknown reason");
}

namespace {
struct QuantizePass : public gpucost::impl::QuantizePassBase<QuantizePass> {
  using QuantizePassBase::QuantizePassBase;
  QuantizePass() = default;
  QuantizePass(const QuantizePass &other) : QuantizePassBase(other) {}

  void runOnOperation() override {
    FailureOr<Settings> settings =
        stateSettings(getOperation(), options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (settings->trains()) {
      if (settings->recipe != Recipe::None && failed(narrowTraining(*settings)))
        signalPassFailure();
      return;
    }
    bool stores = settings->weights != StorageFormat::AsIs;
    bool caches = settings->kv != StorageFormat::AsIs;
    if (!stores && !caches)
      return;
    auto exceptions = WeightExceptions::parse(settings->weightsExcept);
    if (!exceptions) {
      getOperation()->emitError()
          << "weights-except: " << toString(exceptions.takeError());
      return signalPassFailure();
    }
    int64_t products = 0, attentions = 0;
    llvm::MapVector<Kept, int64_t> kept;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (Block &block : function.getBody()) {
        if (stores)
          products += Quantizer(block, *settings, *exceptions).run(kept);
        if (caches)
          attentions +=
              setCacheType(block, elementTypeOf(&getContext(), settings->kv));
      }
      updateSignature(function);
    }
    writeNotes(*settings, products, attentions, kept);
  }

private:
  /// (Q6) The matmuls that gpucost-expand-training marked.
  LogicalResult narrowTraining(const Settings &settings) {
    RecipeOptions narrowing{settings.recipe};
    narrowing.storesFrozen = settings.weights != StorageFormat::AsIs;
    narrowing.gathersNarrow = settings.weightGather == WeightGather::Recipe;
    if (auto target =
            getOperation()->getAttrOfType<TargetAttr>(targetAttrName)) {
      const auto &sm = target.getValue().gpu.sm;
      narrowing.readsAnyLayout = sm && sm->matrixPath == MatrixPath::Tcgen05;
    }
    NarrowCounts counts;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        narrowProducts(block, narrowing, counts);
    if (narrowing.storesFrozen && !counts.stored && !settings.selectStage)
      return getOperation()->emitError()
             << "--weights=" << stringifyStorageFormat(settings.weights)
             << " stores frozen matmul weights in training, but none is "
                "frozen; see --trainable";
    std::string text =
        countOf(counts.products, "matmul") + " in " +
        std::string(stringifyNumericFormat(rulesOf(settings.recipe).format)) +
        " (recipe " + std::string(stringifyRecipe(settings.recipe)) +
        "): a kernel quantises each operand";
    if (counts.stored)
      text += " but " + countOf(counts.stored, "frozen weight") +
              " stored in that format";
    getOperation()->setAttr(formatNotesAttrName,
                            Builder(&getContext()).getStrArrayAttr({text}));
    return success();
  }

  std::string describeOthers(StorageFormat kv) {
    std::string text = kv == StorageFormat::AsIs
                           ? "attention, softmax, norms, embeddings and the KV "
                             "cache stay "
                           : "attention, softmax, norms and embeddings stay ";
    auto cast = getOperation()->getAttrOfType<TypeAttr>(precisionAttrName);
    if (!cast || getOperation()->hasAttr(autocastAttrName))
      return text + "unchanged";
    llvm::raw_string_ostream(text) << cast.getValue();
    return text;
  }

  void writeNotes(const Settings &settings, int64_t products,
                  int64_t attentions,
                  const llvm::MapVector<Kept, int64_t> &kept) {
    SmallVector<std::string> notes;
    if (settings.weights != StorageFormat::AsIs) {
      if (products > 0)
        notes.push_back(describeWeights(settings, products));
      else if (kept.empty())
        notes.push_back("no matmul with weights in 16 bit or more to store "
                        "in " +
                        nameOf(settings.weights));
      for (auto [reason, count] : kept)
        notes.push_back(describeKept(reason, count, settings));
    }
    if (settings.kv != StorageFormat::AsIs)
      notes.push_back(
          attentions ? "KV cache of " + countOf(attentions, "attention") +
                           " in " + nameOf(settings.kv) +
                           ", attention computes in its original format"
                     : "--kv has no effect: no attention with a cache found");
    if (settings.weights != StorageFormat::AsIs)
      notes.push_back(describeOthers(settings.kv));
    SmallVector<StringRef> texts(notes.begin(), notes.end());
    getOperation()->setAttr(formatNotesAttrName,
                            Builder(&getContext()).getStrArrayAttr(texts));
  }

  SettingOptions options{*this,
                         &Scenario::weights,
                         &Scenario::activations,
                         &Scenario::kv,
                         &Scenario::weightGroup,
                         &Scenario::weightsExcept,
                         &Scenario::weightGather,
                         &Scenario::recipe};
};
} // namespace
