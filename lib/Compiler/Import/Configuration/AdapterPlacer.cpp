//===- AdapterPlacer.cpp - Linears with adapters --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdapterPlacer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace gpucost::configuration;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef allLinears = "all-linear",
                           attentionLinears = "attention";

static StringRef lastPart(StringRef path) { return path.rsplit('.').second; }

/// Whether a path is a `torch.nn.Linear` of transformers: routers are plain
/// parameters there.
static bool isLinear(StringRef path) { return lastPart(path) != "router"; }

static bool isOfAttention(StringRef path) {
  return path.contains(".self_attn.") || path.contains(".linear_attn.");
}

llvm::Expected<AdapterPlacer> AdapterPlacer::create(const Adapters &adapters,
                                                    const Description &arch) {
  if (!arch.isCausal)
    return llvm::createStringError("--lora-rank is for decoders, but '" +
                                   arch.modelType + "' is an encoder");
  AdapterPlacer placer(adapters, arch);
  if (adapters.modules == allLinears || adapters.modules == attentionLinears)
    return placer;
  for (StringRef name : llvm::split(adapters.modules, ',')) {
    if (name.empty() || name == allLinears || name == attentionLinears)
      return llvm::createStringError(
          "--lora-modules expects all-linear, attention, or names, but got '" +
          adapters.modules + "'");
    placer.names.push_back(name.str());
  }
  return placer;
}

bool AdapterPlacer::adapts(const Twine &name) {
  std::string path = name.str();
  if (!isLinear(path))
    return false;
  known.insert(lastPart(path).str());
  if (adapters.modules == allLinears)
    return true;
  if (adapters.modules == attentionLinears)
    return isOfAttention(path);
  auto found = llvm::find_if(names, [&](const std::string &each) {
    return StringRef(path).ends_with("." + each);
  });
  if (found == names.end())
    return false;
  used.insert(*found);
  return true;
}

bool AdapterPlacer::storesNarrow(const Twine &path) const {
  return adapters.base != LoraBase::AsIs && isLinear(path.str());
}

llvm::Error AdapterPlacer::checkNames() const {
  for (const std::string &name : names)
    if (!used.contains(name))
      return llvm::createStringError(
          "--lora-modules: the model has no linear '" + name + "'; it has " +
          llvm::join(known, ", "));
  return llvm::Error::success();
}

std::vector<std::string> AdapterPlacer::notes() const {
  std::vector<std::string> notes;
  if (arch.experts > 0)
    notes.push_back(adapters.base == LoraBase::AsIs
                        ? "routed experts have no adapters"
                        : "routed experts have no adapters and stay in " +
                              arch.format);
  if (adapters.base != LoraBase::AsIs)
    notes.push_back(
        "unseen: dequantisation kernels of 4-bit weights were not compared "
        "with a measurement");
  return notes;
}
