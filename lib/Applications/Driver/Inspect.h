//===- Inspect.h - gpu-cost-opt inspect -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents of a model file, without bound dimensions and without a GPU: inputs
// and the symbols in their shapes, ops by type, and whether they have a
// cost rule.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_INSPECT_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_INSPECT_H

#include "gpucost/Applications/Enums.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

struct Inspection {
  struct Input {
    std::string name, type;
    std::vector<std::string> dims; ///< sizes and symbols
  };
  struct Symbol {
    std::string name;
    std::vector<std::string> uses; ///< "input_ids[0]"
  };
  struct Op {
    std::string name;
    int64_t count = 0;
    RuleKind rule = RuleKind::Costed;
  };
  std::string model;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<Input> inputs;
  std::vector<std::string> outputs;
  std::vector<Symbol> symbols;
  std::vector<Op> ops; ///< most frequent first
  int64_t parameterCount = 0, parameterBytes = 0;

  int64_t opCount(bool covered) const;
};

/// Whether reports count an op of this kind as modelled.
bool isCovered(RuleKind rule);

Inspection inspect(mlir::ModuleOp module);
void printTable(const Inspection &inspection, llvm::raw_ostream &os);
void printJson(const Inspection &inspection, llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_INSPECT_H
