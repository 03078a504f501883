//===- AdapterPlacer.h - Linears with adapters ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linears of a model get an adapter, and which are stored in 4 bits. The
// linears are those of `torch.nn.Linear` in transformers, except the LM head.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_ADAPTERPLACER_H
#define GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_ADAPTERPLACER_H

#include "Description.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <set>

namespace gpucost::configuration {

class AdapterPlacer {
public:
  /// Weights along the inputs that share a scale, and scales that share one, in
  /// bitsandbytes.
  static constexpr int64_t weightsOfScale = 64, scalesOfScale = 256;

  /// Fails if the model has no place for adapters.
  static llvm::Expected<AdapterPlacer> create(const Adapters &adapters,
                                              const Description &arch);

  /// Whether the linear with this path gets an adapter.
  bool adapts(const llvm::Twine &path);
  /// Whether its weight is stored in 4 bits.
  bool storesNarrow(const llvm::Twine &path) const;
  int64_t rank() const { return adapters.rank; }
  LoraBase base() const { return adapters.base; }

  /// Fails if a stated name is no linear of the model.
  llvm::Error checkNames() const;
  std::vector<std::string> notes() const;

private:
  AdapterPlacer(const Adapters &adapters, const Description &arch)
      : adapters(adapters), arch(arch) {}

  Adapters adapters;
  const Description &arch;
  /// The stated names; empty: a group of them.
  std::vector<std::string> names;
  llvm::StringSet<> used;
  /// The last part of the path of each linear, in order.
  llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>>
      known;
};

} // namespace gpucost::configuration

#endif // GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_ADAPTERPLACER_H
