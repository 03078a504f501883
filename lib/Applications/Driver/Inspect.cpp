//===- Inspect.cpp - gpu-cost-opt inspect ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inspect.h"
#include "CommandFlags.h"
#include "Subcommands.h"
#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Compiler/Analysis/Iteration/WeightCount.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

using namespace mlir;
using namespace gpucost;

int64_t Inspection::opCount(bool covered) const {
  int64_t count = 0;
  for (const Op &op : ops)
    if (isCovered(op.rule) == covered)
      count += op.count;
  return count;
}

bool gpucost::isCovered(RuleKind rule) {
  return rule != RuleKind::NoRule && rule != RuleKind::Unknown;
}

static RuleKind ruleOf(Operation *op) {
  const onnx::OpInfo *info = onnx::getOpInfo(op);
  if (info && info->hasBodies)
    return RuleKind::ControlFlow;
  if (info && info->isExpanded)
    return RuleKind::Expanded;
  if (isa<onnx::CustomOp>(op))
    return RuleKind::Unknown;
  auto work = dyn_cast<WorkOpInterface>(op);
  if (!work)
    return op->getNumRegions() ? RuleKind::ControlFlow : RuleKind::Unknown;
  switch (work.getCostClass()) {
  case CostClass::Metadata:
  case CostClass::View:
    return RuleKind::Free;
  case CostClass::Opaque:
    return RuleKind::NoRule;
  default:
    return RuleKind::Costed;
  }
}

static std::string elementText(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  std::string text;
  llvm::raw_string_ostream(text) << (shaped ? shaped.getElementType() : type);
  return text;
}

namespace {

/// Collects the contents of one function.
class Inspector {
public:
  explicit Inspector(Inspection &result) : result(result) {}
  void visit(func::FuncOp function);
  void finish();

private:
  void addInput(func::FuncOp function, unsigned index);
  void addOp(Operation *op);

  Inspection &result;
  llvm::MapVector<std::string, std::vector<std::string>,
                  llvm::StringMap<unsigned>>
      symbols;
  std::map<std::string, Inspection::Op> ops;
};

} // namespace

void Inspector::addInput(func::FuncOp function, unsigned index) {
  auto name = function.getArgAttrOfType<StringAttr>(
      index, onnx::OnnxDialect::inputNameAttrName);
  auto dims = function.getArgAttrOfType<ArrayAttr>(
      index, onnx::OnnxDialect::dimNamesAttrName);
  Type type = function.getArgument(index).getType();
  Inspection::Input input;
  input.name = name ? name.str() : "arg" + std::to_string(index);
  input.type = elementText(type);
  auto shaped = dyn_cast<ShapedType>(type);
  for (int64_t i = 0; shaped && shaped.hasRank() && i < shaped.getRank(); ++i) {
    auto symbol = dims && i < static_cast<int64_t>(dims.size())
                      ? dyn_cast<StringAttr>(dims[i])
                      : StringAttr();
    if (!shaped.isDynamicDim(i)) {
      input.dims.push_back(std::to_string(shaped.getDimSize(i)));
      continue;
    }
    input.dims.push_back(
        symbol && !symbol.empty()
            ? symbol.str()
            : unnamedDimension(input.name, static_cast<unsigned>(i)));
    symbols[input.dims.back()].push_back(input.name + "[" + std::to_string(i) +
                                         "]");
  }
  result.inputs.push_back(std::move(input));
}

void Inspector::addOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<onnx::NoneOp>(op))
    return;
  if (isa<ParameterOpInterface>(op)) {
    auto parameter = cast<ParameterOpInterface>(op);
    if (!parameter.isPersistent())
      return;
    auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
    bool isStatic = type && type.hasStaticShape();
    result.parameterBytes =
        saturatingSum(result.parameterBytes,
                      byteCount(type).value_or(isStatic ? INT64_MAX : 0));
    result.parameterCount =
        saturatingSum(result.parameterCount, countWeights(op));
    return;
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return;
  Inspection::Op &row = ops[describeOp(op)];
  row.name = describeOp(op);
  row.rule = ruleOf(op);
  ++row.count;
}

void Inspector::visit(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    addInput(function, i);
  if (auto names = function->getAttrOfType<ArrayAttr>(
          onnx::OnnxDialect::outputNamesAttrName))
    for (auto name : names.getAsRange<StringAttr>())
      result.outputs.push_back(name.str());
  // Bodies of structured ops are scalars, those of control flow are ops.
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    addOp(op);
    return ruleOf(op) == RuleKind::ControlFlow ? WalkResult::advance()
                                               : WalkResult::skip();
  });
}

void Inspector::finish() {
  for (auto &[name, uses] : symbols)
    result.symbols.push_back({name, std::move(uses)});
  for (auto &[name, row] : ops)
    result.ops.push_back(std::move(row));
  // `ops` is sorted by name, and names differ: the order is total.
  llvm::sort(result.ops, [](const Inspection::Op &a, const Inspection::Op &b) {
    return std::tie(b.count, a.name) < std::tie(a.count, b.name);
  });
}

Inspection gpucost::inspect(ModuleOp module) {
  Inspection result;
  if (auto opsets = module->getAttrOfType<DictionaryAttr>(
          onnx::OnnxDialect::opsetsAttrName))
    for (NamedAttribute entry : opsets)
      if (auto version = dyn_cast<IntegerAttr>(entry.getValue()))
        result.opsets.emplace_back(entry.getName().str(), version.getInt());
  Inspector inspector(result);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      inspector.visit(function);
  inspector.finish();
  return result;
}

//===----------------------------------------------------------------------===//
// The subcommand
//===----------------------------------------------------------------------===//

static constexpr const char *usage =
    "usage: gpu-cost-opt inspect <model.onnx | model.mlir | config.json | -> "
    "[flags]\n\n"
    "Prints inputs with the symbols in their shapes, ops by type, and which "
    "of\n"
    "them have a cost rule. Needs no GPU and no values of symbols.\n\n"
    "Flags:\n";

static constexpr OwnFlag ownFlags[] = {
    {"report", "table|json", "format (default: table)"}};

llvm::ArrayRef<OwnFlag> gpucost::inspectFlags() { return ownFlags; }

static llvm::Expected<ExitCode> inspectModel(const CommandFlags &flags) {
  if (flags.files.size() > 1)
    return llvm::createStringError("two models, '" + flags.files[0] +
                                   "' and '" + flags.files[1] + "'; give one");
  if (flags.files.empty())
    return llvm::createStringError(
        "no model; usage: gpu-cost-opt inspect model.onnx");
  LoadedModel model;
  DiagnosticPrinter printer(model.context());
  if (!model.load(flags.files.front(), /*keepOrigins=*/true))
    return ExitCode::Failure;
  printer.flush();
  Inspection inspection = inspect(*model.module());
  if (std::max(inspection.parameterBytes, inspection.parameterCount) ==
      INT64_MAX)
    return llvm::createStringError(
        "the model has 2^63 or more parameters or bytes of them, which cannot "
        "be counted");
  inspection.model = flags.files.front();
  return writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
    flags.value("report") == "json" ? printJson(inspection, os)
                                    : printTable(inspection, os);
    return llvm::Error::success();
  });
}

ExitCode gpucost::runInspect(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readCommandFlags("inspect", arguments, ownFlags, TakesSettings::No),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
      },
      inspectModel);
}
