//===- FixShapes.cpp - gpucost-fix-shapes ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds symbolic dimensions of inputs, infers all types in one forward pass,
// and separates the ops that run before the iteration: known values become
// constants, and ops that depend only on weights are marked `onnx.constant`.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow/BlockInference.h"
#include "DataSizes.h"
#include "DeclaredTypes.h"
#include "DimensionBindings.h"
#include "MalformedOps.h"
#include "ScalarInputs.h"
#include "Signature.h"
#include "Structure/TensorDims.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/UnusedParameters.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

namespace gpucost {
#define GEN_PASS_DEF_FIXSHAPESPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using onnx::InferenceState;
using onnx::OnnxDialect;
using onnx::OnnxOp;

/// Larger known tensors (masks) are not replaced with constants but marked as
/// constant, because later passes match the ops that compute them.
static constexpr int64_t maxConstantElements = 1024;

namespace {
struct FixShapesPass : public gpucost::impl::FixShapesPassBase<FixShapesPass> {
  using FixShapesPassBase::FixShapesPassBase;
  FixShapesPass() = default;
  FixShapesPass(const FixShapesPass &other) : FixShapesPassBase(other) {}

  void runOnOperation() override;

  void getDependentDialects(DialectRegistry &registry) const override {
    FixShapesPassBase::getDependentDialects(registry);
    insertPropagationDialects(registry);
  }

private:
  LogicalResult bindTensorDims(func::FuncOp func,
                               const DimensionBindings &bindings);
  LogicalResult readBindings(const Settings &settings,
                             DimensionBindings &bindings);

  SettingOptions options{*this,          &Scenario::bind, &Scenario::batch,
                         &Scenario::seq, &Scenario::past, &Scenario::trip};
};

/// One dynamic dimension of a function argument.
struct SymbolicDim {
  BlockArgument argument;
  unsigned index;
  std::string inputName, name;
};
} // namespace

static bool isOnnx(func::FuncOp func) {
  // A graph may be empty, but its inputs still have names.
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, OnnxDialect::inputNameAttrName))
      return true;
  return func.walk([](OnnxOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The dynamic dimensions of inputs. An unnamed dimension is named after its
/// input and position: "input_ids.1", or "arg0.1" in modules of other dialects.
static SmallVector<SymbolicDim> findSymbolicDims(func::FuncOp func) {
  SmallVector<SymbolicDim> dims;
  if (func.isDeclaration())
    return dims;
  for (BlockArgument argument : func.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto input = func.getArgAttrOfType<StringAttr>(
        number, OnnxDialect::inputNameAttrName);
    auto names =
        func.getArgAttrOfType<ArrayAttr>(number, OnnxDialect::dimNamesAttrName);
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || !type.hasRank() || type.hasStaticShape() ||
        (!input && !names && isOnnx(func)))
      continue;
    std::string inputName =
        input ? input.getValue().str() : "arg" + std::to_string(number);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      auto name = names && i < static_cast<int64_t>(names.size())
                      ? dyn_cast<StringAttr>(names[i])
                      : StringAttr();
      dims.push_back(
          {argument, static_cast<unsigned>(i), inputName,
           name && !name.getValue().empty()
               ? name.getValue().str()
               : unnamedDimension(inputName, static_cast<unsigned>(i))});
    }
  }
  return dims;
}

LogicalResult FixShapesPass::readBindings(const Settings &settings,
                                          DimensionBindings &bindings) {
  int64_t batch = settings.batch.value_or(0);
  // (X20) The tokens of one GPU.
  int64_t seq = settings.seq.value_or(0) / settings.plan().context;
  bool names = false;
  for (auto func : getOperation().getOps<func::FuncOp>()) {
    for (const SymbolicDim &dim : findSymbolicDims(func)) {
      bindings.addName(dim.name);
      if (dim.index == 1 && dim.inputName == "attention_mask")
        bindings.addMaskLength(dim.name);
    }
    declareInputs(func, bindings);
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      names |= func.getArgAttr(i, OnnxDialect::inputNameAttrName) ||
               func.getArgAttr(i, OnnxDialect::dimNamesAttrName);
  }
  auto check = [&](llvm::Error error) -> LogicalResult {
    if (error)
      return getOperation().emitError(llvm::toString(std::move(error)));
    return success();
  };
  if (settings.bind && failed(check(bindings.bindAll(*settings.bind))))
    return failure();
  // Without names, the batch is first, followed by the length.
  bool unnamed = false;
  if (!names)
    for (auto func : getOperation().getOps<func::FuncOp>())
      for (const SymbolicDim &dim : findSymbolicDims(func)) {
        unnamed = true;
        int64_t value = dim.index == 0 ? batch : dim.index == 1 ? seq : 0;
        if (value != 0 &&
            failed(check(bindings.bindUnlessBound(dim.name, value))))
          return failure();
      }
  // A derived cache has no dimension yet.
  bool takesPast =
      settings.past && !getOperation()->hasAttr(derivesDecodeAttrName);
  if (unnamed)
    return takesPast ? check(bindings.bindPast(*settings.past)) : success();
  if (batch != 0 && failed(check(bindings.bindBatch(batch))))
    return failure();
  if (seq != 0 && failed(check(bindings.bindSequence(seq))))
    return failure();
  if (takesPast && failed(check(bindings.bindPast(*settings.past))))
    return failure();
  return check(bindings.deriveTotals());
}

/// One error for all symbols without a value, with the flag to set them.
static void reportUnbound(func::FuncOp func, ArrayRef<SymbolicDim> dims) {
  constexpr size_t most = 8;
  std::string what;
  std::vector<std::string> names;
  for (const SymbolicDim &dim : dims.take_front(most)) {
    what += (what.empty() ? "'" : ", '") + dim.name + "' of input '" +
            dim.inputName + "'";
    names.push_back(dim.name);
  }
  if (dims.size() == 1) {
    func.emitError() << "symbolic dimension " << what
                     << " has no value; set it with " << bindFlag(names);
    return;
  }
  if (dims.size() > most)
    what += " and " + std::to_string(dims.size() - most) + " more";
  func.emitError() << "symbolic dimensions have no values: " << what
                   << "; set them with " << bindFlag(names)
                   << ", or all of them with --bind='*:<n>'";
}

/// Gives the arguments of `func` static types. Each symbol without a valid
/// value is reported once, at the first input that has it.
static LogicalResult bindArguments(func::FuncOp func,
                                   const DimensionBindings &bindings) {
  llvm::StringSet<> reported;
  SmallVector<SymbolicDim> unbound;
  for (SymbolicDim dim : findSymbolicDims(func)) {
    llvm::Expected<std::optional<int64_t>> value = bindings.evaluate(dim.name);
    if (!value) {
      std::string message = llvm::toString(value.takeError());
      if (reported.insert(dim.name).second)
        emitError(dim.argument.getLoc()) << message;
      continue;
    }
    if (!*value) {
      if (reported.insert(dim.name).second)
        unbound.push_back(dim);
      continue;
    }
    auto type = cast<ShapedType>(dim.argument.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim.index] = **value;
    dim.argument.setType(type.clone(shape));
  }
  if (!unbound.empty())
    reportUnbound(func, unbound);
  return success(reported.empty());
}

/// TOSA accepts a window larger than its input and infers a negative size.
static LogicalResult checkSizes(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || !shaped.hasRank())
        continue;
      for (int64_t size : shaped.getShape())
        if (size < 0 && ShapedType::isStatic(size)) {
          op->emitOpError() << "has a result of size " << size
                            << " for the given input sizes";
          return WalkResult::interrupt();
        }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether an op outside of loops has a result with a size that its type does
/// not state, although it may be a constant.
static bool hasDynamicResults(func::FuncOp func) {
  return llvm::any_of(func.getOps(), [](Operation &op) {
    return llvm::any_of(op.getResultTypes(), hasDynamicSize);
  });
}

/// Binds the arguments of a function in other dialects.
LogicalResult FixShapesPass::bindTensorDims(func::FuncOp func,
                                            const DimensionBindings &bindings) {
  if (findSymbolicDims(func).empty() && !hasDynamicResults(func))
    return success();
  SmallVector<Type> before(func.getArgumentTypes());
  if (failed(bindArguments(func, bindings)))
    return failure();
  castArguments(func, before);
  updateSignature(func);
  OpPassManager pm(func::FuncOp::getOperationName());
  addShapePropagation(func, pm);
  if (failed(runPipeline(pm, func)))
    return failure();
  dropIdentityGathers(func);
  dropReturnedCasts(func);
  updateSignature(func);
  // Ops reject impossible sizes, such as a window larger than its input.
  return success(succeeded(verify(func)) && succeeded(checkSizes(func)));
}

/// Names every loop whose trip count does not follow from its bounds, after its
/// location or by its number in the function, and sets its stated trip count.
static void nameLoops(func::FuncOp func, TripCounts &tripCounts) {
  unsigned number = 0;
  Builder builder(func.getContext());
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isLoop(op) || getLoopRanges(op))
      return;
    std::string name = getNodeName(op).str();
    if (name.empty())
      name = "loop_" + std::to_string(number++);
    op->setAttr(loopNameAttrName, builder.getStringAttr(name));
    if (std::optional<int64_t> trips = tripCounts.findNamed(name))
      op->setAttr(statedTripsAttrName, builder.getI64IntegerAttr(*trips));
  });
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Infers all results in order and inlines control flow. Contradictions within
/// an op are reported, and its results remain unknown.
static LogicalResult inferFunction(func::FuncOp func,
                                   BlockInference &inference) {
  bool ok = true;
  for (Block &block : func.getBody()) {
    ok &= succeeded(inference.run(block));
    inference.markSteps(block);
  }
  return success(ok);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool isGiven(Operation *op) {
  return isa<onnx::ParameterOp, onnx::ConstantOp, onnx::NoneOp>(op);
}

/// Replaces `op` if all of its used results have known values.
static bool replaceByConstants(Operation *op, const InferenceState &state) {
  if (isGiven(op))
    return false;
  for (OpResult result : op->getResults()) {
    auto it = state.values.find(result);
    if (!result.use_empty() &&
        (it == state.values.end() || !it->second.allKnown() ||
         it->second.size() > maxConstantElements))
      return false;
  }
  OpBuilder builder(op);
  auto names = op->getAttrOfType<ArrayAttr>(OnnxDialect::valueNamesAttrName);
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    const onnx::SmallTensor &value = state.values.find(result)->second;
    NamedAttrList attributes;
    attributes.append("value", onnx::getElementsAttr(value));
    if (names && result.getResultNumber() < names.size())
      attributes.append(OnnxDialect::valueNamesAttrName,
                        builder.getArrayAttr(names[result.getResultNumber()]));
    OperationState constant(op->getLoc(), onnx::ConstantOp::getOperationName(),
                            ValueRange(), TypeRange(value.type),
                            attributes.getAttrs());
    result.replaceAllUsesWith(builder.create(constant)->getResult(0));
  }
  return true;
}

/// Whether `op` is a parameter that takes memory without a reader.
static bool isHeldParameter(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>("name");
  return isa<onnx::ParameterOp>(op) && name &&
         name.getValue().ends_with(onnx::unusedParameterSuffix);
}

/// Whether `op` multiplies matrices: PyTorch computes a product of parameters
/// (projected relative positions, learned queries) again in each pass.
static bool isProduct(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && work.getCostClass() == CostClass::Contraction;
}

/// Whether `op` is torch.full([], x): a float without dimensions.
static bool fillsNumber(Operation *op) {
  return isa<onnx::ConstantOfShapeOp>(op) &&
         isFloatScalar(op->getResult(0).getType());
}

/// Replaces known values with constants, erases dead ops, and marks ops that
/// depend only on parameters and constants with `onnx.constant`, unless PyTorch
/// computes them in each pass.
static void separateConstants(func::FuncOp func, const InferenceState &state) {
  SmallVector<Operation *> ops;
  func.walk([&](OnnxOp op) { ops.push_back(op); });
  // In reverse order, the inputs of a constant are dead when they are reached.
  for (Operation *op : llvm::reverse(ops))
    if (!isHeldParameter(op) &&
        (isOpTriviallyDead(op) || replaceByConstants(op, state)))
      op->erase();
  func.walk([&](OnnxOp op) {
    auto isConstant = [](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def &&
             (isGiven(def) || def->hasAttr(OnnxDialect::constantAttrName));
    };
    // Unknown operators may generate data at run time; carried values change.
    bool mayRead =
        (isa<onnx::CustomOp>(op) && op->getNumOperands() == 0) ||
        isa<onnx::LoopValueOp, onnx::LoopIndexOp, onnx::LoopStackOp>(op);
    // Weights that are stored in few bits are converted at every call.
    mayRead |= isa<onnx::CastOp>(op) && isDequantisation(op);
    // A number on the device is filled at every call.
    mayRead |= fillsNumber(op);
    if (!isGiven(op) && !mayRead && !isProduct(op) &&
        llvm::all_of(op->getOperands(), isConstant))
      op->setAttr(OnnxDialect::constantAttrName,
                  UnitAttr::get(op->getContext()));
  });
}

/// Records the types of all ONNX values in `func` by name; for duplicate names
/// the first value is used.
static void recordTypes(func::FuncOp func, llvm::StringMap<Type> &types) {
  auto record = [&](StringRef name, Type type) {
    if (!name.empty() && !isa<onnx::NoneType>(type))
      types.try_emplace(name, type);
  };
  for (BlockArgument argument : func.getArguments())
    if (auto name = func.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), OnnxDialect::inputNameAttrName))
      record(name, argument.getType());
  func.walk([&](OnnxOp op) {
    auto names = op->getAttrOfType<ArrayAttr>(OnnxDialect::valueNamesAttrName);
    if (!names)
      return;
    for (auto [name, result] : llvm::zip(names, op->getResults()))
      if (auto text = dyn_cast<StringAttr>(name))
        record(text, result.getType());
  });
}

void FixShapesPass::runOnOperation() {
  ModuleOp module = getOperation();
  DimensionBindings bindings;
  FailureOr<Settings> settings = stateSettings(module, options.stated());
  if (failed(settings) || failed(readBindings(*settings, bindings)))
    return signalPassFailure();
  replaceMalformedOps(module);

  InferenceState initial;
  if (auto opsets =
          module->getAttrOfType<DictionaryAttr>(OnnxDialect::opsetsAttrName))
    for (StringRef domain : {"ai.onnx", ""})
      if (auto version = opsets.getAs<IntegerAttr>(domain))
        initial.opset = version.getInt();
  Builder builder(&getContext());
  SmallVector<NamedAttribute> bound;
  for (auto &[name, value] : bindings.getBound()) {
    bound.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
    initial.bindings += (initial.bindings.empty() ? "" : ", ") + name + " = " +
                        std::to_string(value);
  }

  // Contradictory sizes may come from the user, so shape inspection continues.
  initial.keepsGoing = recordShapes && !bindings.getBound().empty();
  TripCounts tripCounts(settings->trip.value_or(NamedValues()));
  bool ok = true;
  DataSizes sizes(bindings);
  llvm::StringMap<Type> types;
  SmallVector<Attribute> assumptions, upperBounds;
  for (auto func : module.getOps<func::FuncOp>()) {
    // Functions of other dialects already have types.
    if (func.isExternal())
      continue;
    if (!isOnnx(func)) {
      ok &= succeeded(bindTensorDims(func, bindings));
      nameLoops(func, tripCounts);
      continue;
    }
    InferenceState state = initial;
    BlockInference inference(state, tripCounts, sizes);
    setScalars(func, bindings, state);
    bindDeclaredTypes(func, bindings);
    if (failed(bindArguments(func, bindings)) ||
        (failed(inferFunction(func, inference)) && !state.keepsGoing)) {
      ok = false;
      continue;
    }
    for (const auto &[op, reason, atMost] : inference.assumptions)
      (atMost ? upperBounds : assumptions)
          .push_back(builder.getStrArrayAttr({op, reason}));
    if (recordShapes) {
      for (const auto &[name, type] : inference.types)
        types.try_emplace(name, type);
      recordTypes(func, types);
    }
    reportUnknownShapes(func, sizes);
    reportContradictedTypes(func);
    separateConstants(func, state);
    updateSignature(func);
  }
  if (llvm::Error error = bindings.checkDataSizes()) {
    module.emitError(llvm::toString(std::move(error)));
    ok = false;
  }
  if (ok)
    if (llvm::Error error = tripCounts.checkAllUsed()) {
      module.emitError(llvm::toString(std::move(error)));
      ok = false;
    }
  if (!ok)
    return signalPassFailure();
  if (!assumptions.empty())
    module->setAttr(assumptionsAttrName, builder.getArrayAttr(assumptions));
  if (!upperBounds.empty())
    module->setAttr(upperBoundsAttrName, builder.getArrayAttr(upperBounds));
  if (recordShapes) {
    SmallVector<NamedAttribute> entries;
    for (const auto &[name, type] : types)
      entries.push_back(builder.getNamedAttr(name, TypeAttr::get(type)));
    module->setAttr(shapesAttrName, builder.getDictionaryAttr(entries));
  }
  // The cache of a derived decode step is not a dimension of the file.
  if (module->hasAttr(derivesDecodeAttrName))
    if (std::optional<int64_t> past = getSettings(module).past)
      bound.push_back(
          builder.getNamedAttr("past", builder.getI64IntegerAttr(*past)));
  // Sizes of the example inputs of an export are not symbols of the file.
  if (auto sizes = module->getAttrOfType<DictionaryAttr>(exampleSizesAttrName))
    for (NamedAttribute size : sizes)
      if (llvm::none_of(bound, [&](NamedAttribute other) {
            return other.getName() == size.getName();
          }))
        bound.push_back(size);
  if (!bound.empty())
    module->setAttr(bindingsAttrName, builder.getDictionaryAttr(bound));
}
