//===- ModuleTarget.cpp - The GPU that a module names ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Targets/ModuleTarget.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/NamedTargets.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace gpucost;

static const NamedTargets *getNamedTargets(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<GpuCostDialect>();
  return dialect ? dialect->getRegisteredInterface<NamedTargets>() : nullptr;
}

/// Returns `resolve(name)`, cached under `key` in the context.
template <typename Resolve>
static llvm::Expected<ResolvedTarget>
resolveOnce(MLIRContext *context, StringRef key, Resolve resolve) {
  const NamedTargets *known = getNamedTargets(context);
  if (!known)
    return llvm::createStringError(
        "the dialect 'gpucost' is not loaded; a pass that queries costs must "
        "list it in its dependent dialects");
  std::string message;
  NamedTargets::Entry entry = known->get(key, [&]() -> NamedTargets::Entry {
    llvm::Expected<ResolvedTarget> resolved = resolve();
    if (resolved)
      return {resolved->target, resolved->coefficients,
              resolved->coefficientsName};
    message = llvm::toString(resolved.takeError());
    return {};
  });
  if (!entry.coefficients)
    return llvm::createStringError(message);
  return ResolvedTarget{cast<TargetAttr>(entry.target),
                        cast<CoefficientsAttr>(entry.coefficients),
                        entry.coefficientsName};
}

llvm::Expected<ResolvedTarget> gpucost::resolveTargetOnce(MLIRContext *context,
                                                          StringRef spec) {
  return resolveOnce(context, ("target " + spec).str(),
                     [&] { return toAttributes(context, chooseTarget(spec)); });
}

std::string gpucost::pinOnce(CoefficientsAttr coefficients) {
  auto compute = [&] { return pinOf(coefficients.getValue()); };
  const NamedTargets *known = getNamedTargets(coefficients.getContext());
  return known ? known->getPin(coefficients, compute) : compute();
}

void gpucost::rememberCoefficients(StringRef name, CoefficientsAttr value) {
  if (const NamedTargets *known = getNamedTargets(value.getContext()))
    known->get(("coefficients " + name).str(),
               [&] { return NamedTargets::Entry{{}, value, ""}; });
}

llvm::Expected<CoefficientsAttr>
gpucost::readCoefficients(Attribute coefficients) {
  if (auto inlined = dyn_cast_or_null<CoefficientsAttr>(coefficients))
    return complete(inlined);
  auto name = dyn_cast_or_null<StringAttr>(coefficients);
  if (!name)
    return llvm::createStringError("expected coefficients or their name");
  MLIRContext *context = name.getContext();
  std::string message;
  const NamedTargets *known = getNamedTargets(context);
  NamedTargets::Entry entry = known->get(
      ("coefficients " + name.getValue()).str(), [&]() -> NamedTargets::Entry {
        auto found = findEmbeddedCoefficients(context, name);
        if (found)
          return {{}, *found, ""};
        message = llvm::toString(found.takeError());
        return {};
      });
  if (!entry.coefficients)
    return llvm::createStringError(message);
  return cast<CoefficientsAttr>(entry.coefficients);
}

/// A target for `gpu`, with format and coefficients of its embedded namesake.
static llvm::Expected<ResolvedTarget> resolveGpu(GpuAttr gpu) {
  MLIRContext *context = gpu.getContext();
  llvm::Expected<ResolvedTarget> named = resolveTargetOnce(context, gpu->name);
  if (!named)
    return llvm::createStringError(
        "no coefficients for the GPU '" + gpu->name +
        "' in DLTI: " + llvm::toString(named.takeError()) +
        "; give them in 'gpucost.coefficients'");
  named->target = TargetAttr::get(
      context, {gpu.getValue(), named->target.getValue().format});
  return named;
}

/// The target of a DLTI device; null target without a gpucost entry.
static llvm::Expected<ResolvedTarget>
resolveDevice(TargetDeviceSpecInterface device) {
  if (auto gpu = dyn_cast<GpuAttr>(Attribute(device)))
    return resolveGpu(gpu);
  MLIRContext *context = device.getContext();
  DataLayoutEntryInterface entry =
      device.getSpecForIdentifier(StringAttr::get(context, targetAttrName));
  if (!entry)
    return ResolvedTarget();
  if (auto spec = dyn_cast_or_null<StringAttr>(entry.getValue()))
    return resolveTargetOnce(context, spec);
  if (auto gpu = dyn_cast_or_null<GpuAttr>(entry.getValue()))
    return resolveGpu(gpu);
  return llvm::createStringError("expected the DLTI entry 'gpucost.target' to "
                                 "be a target name");
}

/// `key = "value"` or `key = value` in the assembly format of an attribute
/// whose dialect this library does not link.
static std::string readText(Attribute attr, StringRef key) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attr.print(os);
  auto [before, after] = StringRef(text).split((key + " = ").str());
  bool isWord =
      before.size() < text.size() &&
      (before.ends_with("<") || before.ends_with(" ") || before.ends_with(","));
  if (!isWord)
    return "";
  if (after.consume_front("\""))
    return after.take_until([](char c) { return c == '"'; }).str();
  return after
      .take_until([](char c) { return c == ',' || c == '>' || c == ' '; })
      .str();
}

/// The chip ("sm_80", "gfx942") that NVVM, ROCDL or IREE generate code for; ""
/// for others.
static std::string chipOf(Attribute attr) {
  StringRef dialect = attr.getDialect().getNamespace();
  if (auto opaque = dyn_cast<OpaqueAttr>(attr))
    dialect = opaque.getDialectNamespace();
  // The attributes do not print their defaults.
  for (auto [generator, defaultChip] :
       {std::pair("nvvm", "sm_75"), std::pair("rocdl", "gfx900")})
    if (dialect == generator) {
      std::string chip = readText(attr, "chip");
      return chip.empty() ? defaultChip : chip;
    }
  return dialect == "iree_gpu" ? readText(attr, "arch") : "";
}

static std::string chipOn(Operation *op) {
  for (NamedAttribute named : op->getAttrs()) {
    SmallVector<Attribute> values = {named.getValue()};
    if (auto list = dyn_cast<ArrayAttr>(named.getValue()))
      values.assign(list.begin(), list.end());
    for (Attribute value : values)
      if (std::string chip = chipOf(value); !chip.empty())
        return chip;
  }
  return "";
}

/// The chip named by `op` or by a `gpu.module` in it.
static std::string findChip(Operation *op) {
  std::string chip = chipOn(op);
  if (!chip.empty() || !op->hasTrait<OpTrait::SymbolTable>())
    return chip;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (inner.getName().getStringRef() == "gpu.module" && chip.empty())
        chip = chipOn(&inner);
  return chip;
}

/// The target in `gpucost.target` of `op`; without coefficients on `op`, with
/// those of its embedded namesake.
static llvm::Expected<ResolvedTarget> readOwnTarget(Operation *op,
                                                    TargetAttr target) {
  Attribute stated = op->getAttr(coefficientsAttrName);
  if (!stated) {
    auto named = resolveTargetOnce(op->getContext(), target->gpu.name);
    if (!named)
      return llvm::createStringError("expected 'gpucost.coefficients' next to "
                                     "'gpucost.target': " +
                                     llvm::toString(named.takeError()));
    return ResolvedTarget{target, named->coefficients};
  }
  llvm::Expected<CoefficientsAttr> read = readCoefficients(stated);
  if (!read)
    return read.takeError();
  return ResolvedTarget{target, *read};
}

llvm::Expected<ModuleTarget> gpucost::findModuleTarget(Operation *op) {
  llvm::Expected<std::optional<ModuleTarget>> found = searchModuleTarget(op);
  if (!found)
    return found.takeError();
  if (!*found)
    return llvm::createStringError(
        "no target; give one with target=a100-bf16 or target-file=FILE, or "
        "in the module: gpucost.scenario = #gpucost.scenario<target = "
        "\"a100-bf16\">, or an entry \"gpucost.target\" of a device in "
        "dlti.target_system_spec");
  return **found;
}

llvm::Expected<std::optional<ModuleTarget>>
gpucost::searchModuleTarget(Operation *op) {
  std::string chip;
  for (Operation *holder = op; holder; holder = holder->getParentOp()) {
    if (auto target = holder->getAttrOfType<TargetAttr>(targetAttrName)) {
      auto own = readOwnTarget(holder, target);
      if (!own)
        return own.takeError();
      return ModuleTarget{*own, ""};
    }
    if (auto system = holder->getAttrOfType<TargetSystemSpecInterface>(
            "dlti.target_system_spec"))
      for (DataLayoutEntryInterface entry : system.getEntries()) {
        auto device = dyn_cast<TargetDeviceSpecInterface>(entry.getValue());
        if (!device)
          continue;
        llvm::Expected<ResolvedTarget> found = resolveDevice(device);
        if (!found)
          return found.takeError();
        if (found->target)
          return ModuleTarget{*found, ""};
      }
    if (chip.empty())
      chip = findChip(holder);
  }
  if (chip.empty())
    return std::nullopt;
  std::optional<std::string_view> board = findBoardOfChip(chip);
  if (!board)
    return llvm::createStringError("no target for the chip '" + chip +
                                   "'; '--list-targets' shows all GPUs");
  auto resolved = resolveTargetOnce(op->getContext(), *board);
  if (!resolved)
    return resolved.takeError();
  return ModuleTarget{*resolved, "the chip '" + chip + "' is assumed to be " +
                                     std::string(*board)};
}
