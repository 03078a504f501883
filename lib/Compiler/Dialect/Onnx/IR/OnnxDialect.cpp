//===- OnnxDialect.cpp - The onnx dialect and its common op syntax --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/UnusedParameters.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.cpp.inc"

#define GET_OP_CLASSES
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxYield.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `operands attr-dict ":" functional-type(operands, results)`, followed by the
/// bodies of control flow.
ParseResult OnnxOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand, 4> operands;
  FunctionType type;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  if (onnx::getOpInfo(state.name)->hasBodies) {
    auto body = std::make_unique<Region>();
    OptionalParseResult first = parser.parseOptionalRegion(*body);
    if (first.has_value() && failed(*first))
      return failure();
    if (first.has_value())
      state.addRegion(std::move(body));
    while (first.has_value() && succeeded(parser.parseOptionalComma()))
      if (parser.parseRegion(*state.addRegion()))
        return failure();
  }
  state.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc,
                                state.operands);
}

void OnnxOp::print(Operation *op, OpAsmPrinter &printer,
                   StringRef defaultDialect) {
  printOpName(op, printer, defaultDialect);
  printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op->getOperandTypes(), op->getResultTypes());
  if (!onnx::getOpInfo(op)->hasBodies)
    return;
  printer << ' ';
  llvm::interleaveComma(op->getRegions(), printer,
                        [&](Region &body) { printer.printRegion(body); });
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

/// Name of a parameter in the model file; "" if it has none.
static StringRef parameterName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>("name"))
    return name.getValue();
  if (auto names = op->getAttrOfType<ArrayAttr>("onnx.values"))
    if (!names.empty())
      if (auto name = dyn_cast<StringAttr>(names[0]))
        return name.getValue();
  if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
    return loc.getName();
  return "";
}

static bool isTrainableParameter(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return false;
  // Scalars are constants that an exporter moved out of the graph, and small
  // weights are stored in the file like constants: only the name distinguishes
  // them. gpucost.export() adds ".weight" to scalars.
  StringRef name = parameterName(op);
  if ((type.getRank() == 0 || isa<ConstantOp>(op)) &&
      !name.ends_with(".weight") && !name.ends_with(".bias") &&
      !name.ends_with(onnx::unusedParameterSuffix))
    return false;
  // Framework buffers, which are saved with a model but never trainable;
  // gpucost.export() names all of them ".buffer".
  for (StringRef buffer : {".buffer", "running_mean", "running_var", "inv_freq",
                           "num_batches_tracked", "position_ids"})
    if (name.ends_with(buffer))
      return false;
  // Tables of rotary embeddings.
  if (!op->use_empty() &&
      llvm::all_of(op->getResult(0).getUses(), [](OpOperand &use) {
        return (isa<GroupQueryAttentionOp>(use.getOwner()) &&
                use.getOperandNumber() >= firstRotaryTable) ||
               (isa<RotaryEmbeddingOp>(use.getOwner()) &&
                use.getOperandNumber() >= 1);
      }))
    return false;
  // Batch normalization statistics with other names.
  return llvm::none_of(op->getResult(0).getUses(), [](OpOperand &use) {
    return isa<BatchNormalizationOp>(use.getOwner()) &&
           use.getOperandNumber() >= 3;
  });
}

namespace {

// One model of each interface for all ops, implemented by the table row.
struct WorkModel : WorkOpInterface::FallbackModel<WorkModel> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    const OpInfo &info = *onnx::getOpInfo(op);
    return info.work(op, info.shape, info.element);
  }
  CostClass getCostClass(Operation *op) const {
    return onnx::getOpInfo(op)->shape;
  }
  std::string describe(Operation *op) const {
    if (auto of = op->getAttrOfType<StringAttr>("of");
        of && isa<UnknownGradOp>(op))
      return "gradient of " + of.str();
    if (auto type = op->getAttrOfType<StringAttr>("op_type")) {
      auto domain = op->getAttrOfType<StringAttr>("domain");
      StringRef prefix = domain && !domain.empty() ? domain.getValue() : "onnx";
      return (prefix + "::" + type.getValue()).str();
    }
    return op->getName().getStringRef().str();
  }
};

struct BackwardModel : BackwardOpInterface::FallbackModel<BackwardModel> {
  LogicalResult emitGradient(Operation *op, GradientContext &context) const {
    return onnx::getOpInfo(op)->grad(op, context);
  }
};

struct ParameterModel : ParameterOpInterface::FallbackModel<ParameterModel> {
  bool isTrainable(Operation *op) const { return isTrainableParameter(op); }
  bool isPersistent(Operation *op) const {
    return isa<ParameterOp>(op) || isTrainableParameter(op);
  }
};

struct StoredWeightModel
    : StoredWeightOpInterface::FallbackModel<StoredWeightModel> {
  std::optional<int64_t> getStoredWeights(Operation *op, unsigned i) const {
    const OpInfo &info = *onnx::getOpInfo(op);
    if (i < 32 && (info.scales >> i & 1))
      return 0;
    if (info.packed)
      if (std::optional<int64_t> packed = info.packed(op, i))
        return packed;
    // Weights and biases of quantised ops; wider integers are positions.
    auto type = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    std::optional<int64_t> bits =
        type ? storedBits(type.getElementType()) : std::nullopt;
    bool isInteger = type && isa<IntegerType>(type.getElementType()) &&
                     !type.getElementType().isInteger(1);
    return isInteger && bits && *bits <= (info.scales ? 32 : 8)
               ? elementCount(type)
               : std::nullopt;
  }
};

struct InPlaceModel : InPlaceOpInterface::FallbackModel<InPlaceModel> {
  Value getInPlaceOperand(Operation *op, unsigned result) const {
    const OpInfo *info = onnx::getOpInfo(op);
    int operand = info->inPlaceOperand;
    if (result == 1 || result == 2)
      operand = updatesCacheInPlace(op)
                    ? info->cacheOperand + static_cast<int>(result) - 1
                    : -1;
    else if (result != 0)
      operand = -1;
    return operand >= 0 && hasOperand(op, operand) ? op->getOperand(operand)
                                                   : Value();
  }
};

struct EffectsModel : MemoryEffectOpInterface::FallbackModel<EffectsModel> {
  void
  getEffects(Operation *,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &) const {}
};

struct SpeculationModel
    : ConditionallySpeculatable::FallbackModel<SpeculationModel> {
  Speculation::Speculatability getSpeculatability(Operation *) const {
    return Speculation::Speculatable;
  }
};

} // namespace

void *OnnxDialect::getRegisteredInterfaceForOp(TypeID interfaceID,
                                               OperationName name) {
  static struct {
    WorkModel work;
    BackwardModel backward;
    EffectsModel effects;
    SpeculationModel speculation;
    ParameterModel parameter;
    InPlaceModel inPlace;
    StoredWeightModel storedWeight;
  } models;
  const OpInfo *info = onnx::getOpInfo(name);
  if (!info)
    return nullptr;
  if (interfaceID == WorkOpInterface::getInterfaceID())
    return &models.work;
  if (interfaceID == BackwardOpInterface::getInterfaceID())
    return &models.backward;
  if (interfaceID == MemoryEffectOpInterface::getInterfaceID())
    return &models.effects;
  if (interfaceID == ConditionallySpeculatable::getInterfaceID())
    return &models.speculation;
  if (interfaceID == ParameterOpInterface::getInterfaceID() &&
      (info == &ParameterOp::getOpInfo() || info == &ConstantOp::getOpInfo()))
    return &models.parameter;
  if (interfaceID == StoredWeightOpInterface::getInterfaceID() &&
      (info->scales || info->packed || info->shape == CostClass::Contraction ||
       info->shape == CostClass::Convolution))
    return &models.storedWeight;
  if (interfaceID == InPlaceOpInterface::getInterfaceID() &&
      (info->inPlaceOperand >= 0 || info->cacheOperand >= 0))
    return &models.inPlace;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static LogicalResult verifyOp(Operation *op, const OpInfo &info) {
  if (op->getNumSuccessors())
    return op->emitOpError() << "has successors";
  if (!info.hasBodies && op->getNumRegions())
    return op->emitOpError() << "has " << op->getNumRegions()
                             << " regions, but is not a control flow operator";
  for (Region &body : op->getRegions())
    if (!body.hasOneBlock())
      return op->emitOpError() << "expected bodies with one block";
  size_t results = op->getNumResults();
  if (info.maxResults >= 0 &&
      (results == 0 || results > size_t(info.maxResults)))
    return op->emitOpError()
           << "has " << results << " results, the operator has 1 to "
           << info.maxResults;
  return verifyAttributes(op, info);
}

namespace {

/// The single implementation of all ops in the table. They have no properties:
/// ONNX attributes are discardable.
class TableOp : public OperationName::Impl {
public:
  TableOp(const OpInfo &info, Dialect *dialect)
      : Impl(info.name, dialect, info.getTypeID(),
             mlir::detail::InterfaceMap()),
        info(info) {}

  LogicalResult foldHook(Operation *, ArrayRef<Attribute>,
                         SmallVectorImpl<OpFoldResult> &) final {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) final {}
  bool hasTrait(TypeID) final { return false; }
  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return OnnxOp::parse;
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}
  void printAssembly(Operation *op, OpAsmPrinter &printer,
                     StringRef defaultDialect) final {
    OnnxOp::print(op, printer, defaultDialect);
  }
  LogicalResult verifyInvariants(Operation *op) final {
    return verifyOp(op, info);
  }
  LogicalResult verifyRegionInvariants(Operation *) final { return success(); }

  std::optional<Attribute> getInherentAttr(Operation *op,
                                           StringRef name) final {
    return op->getDiscardableAttr(name);
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) final {
    op->setDiscardableAttr(name, value);
  }
  void populateInherentAttrs(Operation *, NamedAttrList &) final {}
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                    function_ref<InFlightDiagnostic()>) final {
    return success();
  }
  int getOpPropertyByteSize() final { return 0; }
  void initProperties(OperationName, OpaqueProperties, OpaqueProperties) final {
  }
  void deleteProperties(OpaqueProperties) final {}
  void populateDefaultProperties(OperationName, OpaqueProperties) final {}
  LogicalResult
  setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                        function_ref<InFlightDiagnostic()> emitError) final {
    return emitError() << "this operation has no properties";
  }
  Attribute getPropertiesAsAttr(Operation *) final { return {}; }
  void copyProperties(OpaqueProperties, OpaqueProperties) final {}
  bool compareProperties(OpaqueProperties, OpaqueProperties) final {
    return true;
  }
  llvm::hash_code hashProperties(OpaqueProperties) final { return {}; }

private:
  const OpInfo &info;
};

} // namespace

void OnnxDialect::initialize() {
  registerTypes();
  addOperations<YieldOp>();
  for (const OpInfo &info : getOpTable())
    RegisteredOperationName::insert(std::make_unique<TableOp>(info, this), {});
}
