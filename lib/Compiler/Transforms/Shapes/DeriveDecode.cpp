//===- DeriveDecode.cpp - gpucost-derive-decode ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (K4) One new token attends to all previous ones, independent of the file's
// mask: causality is only visible with several tokens, so it is checked on a
// copy of the module.

#include "DimensionBindings.h"
#include "Raising/DecodeStep.h"
#include "Structure/TensorDims.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace gpucost {
#define GEN_PASS_DEF_DERIVEDECODEPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Number of tokens in the copy: a size that does not occur in configurations.
static constexpr int64_t probeTokens = 37;

bool gpucost::takesPast(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto names = function.getArgAttrOfType<ArrayAttr>(
              i, onnx::OnnxDialect::dimNamesAttrName))
        for (auto name : names.getAsRange<StringAttr>())
          if (DimensionBindings::isPastName(name.getValue()))
            return true;
  return false;
}

bool gpucost::isDecoderInput(func::FuncOp function, unsigned index) {
  auto name = function.getArgAttrOfType<StringAttr>(
      index, onnx::OnnxDialect::inputNameAttrName);
  return name && name.getValue().starts_with("decoder_");
}

/// Dimension names of an argument; the second dimension is the length.
static SmallVector<Attribute> dimNames(func::FuncOp function, unsigned index) {
  auto names = function.getArgAttrOfType<ArrayAttr>(
      index, onnx::OnnxDialect::dimNamesAttrName);
  return names ? SmallVector<Attribute>(names.getValue())
               : SmallVector<Attribute>();
}

static bool isNamed(ArrayRef<Attribute> names) {
  return names.size() > 1 && isa<StringAttr>(names[1]) &&
         !cast<StringAttr>(names[1]).getValue().empty();
}

/// Whether an encoder and a decoder input share the name of their length.
static bool areTied(func::FuncOp function) {
  llvm::SmallPtrSet<Attribute, 4> own[2];
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (SmallVector<Attribute> names = dimNames(function, i); isNamed(names))
      own[isDecoderInput(function, i)].insert(names[1]);
  return llvm::any_of(own[0],
                      [&](Attribute name) { return own[1].contains(name); });
}

EncoderLengths gpucost::nameLengths(ModuleOp model) {
  EncoderLengths lengths;
  for (auto function : model.getOps<func::FuncOp>()) {
    unsigned count = function.getNumArguments(), decoders = 0;
    for (unsigned i = 0; i < count; ++i)
      decoders += isDecoderInput(function, i);
    if (decoders == 0 || decoders == count)
      continue;
    lengths.hasEncoder = true;
    if (areTied(function)) {
      lengths.isTied = true;
      continue;
    }
    for (unsigned i = 0; i < count; ++i) {
      SmallVector<Attribute> names = dimNames(function, i);
      if (!isNamed(names))
        continue;
      bool decodes = isDecoderInput(function, i);
      lengths.isFixed &= decodes;
      names[1] = StringAttr::get(model.getContext(),
                                 decodes ? "sequence" : encoderLengthName);
      function.setArgAttr(i, onnx::OnnxDialect::dimNamesAttrName,
                          ArrayAttr::get(model.getContext(), names));
    }
    function.walk([](Operation *op) {
      op->removeAttr("onnx.declared");
      op->removeAttr("onnx.declared_dims");
    });
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.removeResultAttr(
          i, StringAttr::get(model.getContext(),
                             onnx::OnnxDialect::dimNamesAttrName));
  }
  return lengths;
}

/// The settings of the copy: several tokens, one kernel per attention.
static Scenario probeScenario(Scenario scenario) {
  scenario.decode = std::nullopt;
  scenario.past = std::nullopt;
  scenario.seq = probeTokens;
  scenario.attention = AttentionMode::Flash;
  if (scenario.bind)
    for (auto it = scenario.bind->begin(); it != scenario.bind->end();)
      it = DimensionBindings::isSequenceName(it->first)
               ? scenario.bind->erase(it)
               : std::next(it);
  return scenario;
}

/// Why an attention op of the copy cannot have a cache; "" if all can.
static std::string findObstacle(ModuleOp probe, Location &where) {
  bool any = false;
  for (auto function : probe.getOps<func::FuncOp>())
    for (Block &block : function.getBody()) {
      DecoderValues decoder(block);
      for (Operation *op : findAttention(block)) {
        if (!decoder.contains(op->getOperand(0)))
          continue;
        any = true;
        std::string why = whyNoCache(op, decoder);
        if (why.empty())
          continue;
        where = op->getLoc();
        return "cannot derive a decode step of this attention: " + why +
               "; expected the forward pass of a causal decoder";
      }
      for (Operation &op : block)
        if (isSeparateAttention(op) && decoder.contains(op.getOperand(0))) {
          where = op.getLoc();
          return separateAttention.str();
        }
    }
  return any ? ""
             : "no attention found; expected the forward pass of a causal "
               "decoder";
}

namespace {
struct DeriveDecodePass
    : public gpucost::impl::DeriveDecodePassBase<DeriveDecodePass> {
  using DeriveDecodePassBase::DeriveDecodePassBase;
  DeriveDecodePass() = default;
  DeriveDecodePass(const DeriveDecodePass &other)
      : DeriveDecodePassBase(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    DeriveDecodePassBase::getDependentDialects(registry);
    insertPropagationDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Scenario stated = options.stated();
    if (!asStated)
      stated.decode = true;
    FailureOr<Settings> settings = stateSettings(module, stated);
    if (failed(settings))
      return signalPassFailure();
    if (!settings->decode || takesPast(module))
      return;
    if (!settings->past) {
      module.emitError("--decode expects --past, the tokens in the cache");
      return signalPassFailure();
    }
    if (nameLengths(module).isTied) {
      module.emitError("--decode: ") << tiedLengths;
      return signalPassFailure();
    }
    if (failed(checkCausal(module)))
      return signalPassFailure();
    Scenario scenario = getScenario(module);
    bool bound = scenario.bind && llvm::any_of(*scenario.bind, [](auto &pair) {
                   return DimensionBindings::isSequenceName(pair.first);
                 });
    if (!scenario.seq && !bound)
      scenario.seq = 1;
    setScenario(module, scenario);
    module->setAttr(derivesDecodeAttrName, UnitAttr::get(&getContext()));
  }

private:
  LogicalResult checkCausal(ModuleOp module) {
    OwningOpRef<ModuleOp> probe = module.clone();
    setScenario(*probe, probeScenario(getScenario(module)));
    // Independent of the target, which may not have such a kernel.
    (*probe)->removeAttr(targetAttrName);
    PassManager pm(&getContext(), ModuleOp::getOperationName());
    buildShapePipeline(pm);
    pm.addPass(createRaiseOpsPass());
    std::string error;
    Location where = module.getLoc();
    bool failed;
    {
      // Only errors that prevent the creation of the copy matter.
      ScopedDiagnosticHandler handler(
          &getContext(), [&](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                error.empty()) {
              error = diagnostic.str();
              where = diagnostic.getLocation();
            }
            return success();
          });
      failed = mlir::failed(pm.run(*probe));
    }
    if (!failed)
      error = findObstacle(*probe, where);
    if (error.empty())
      return success();
    return emitError(where) << "--decode: " << error;
  }

  SettingOptions options{*this,          &Scenario::decode, &Scenario::past,
                         &Scenario::seq, &Scenario::batch,  &Scenario::bind};
};
} // namespace
