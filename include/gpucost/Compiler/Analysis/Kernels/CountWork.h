//===- CountWork.h - Work of one kernel -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of one launch that runs given ops, with or without a
// `gpucost.kernel` around them: `gpucost-annotate-work` writes it, and
// CostAnalysis queries it. Nothing here changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>
#include <string>
#include <utility>

namespace gpucost {

/// The ops that one launch runs, in program order, all in one block.
class KernelMembers {
public:
  /// The body of a kernel.
  explicit KernelMembers(KernelOp kernel);
  /// Ops without a kernel around them; values used by other ops are results.
  explicit KernelMembers(llvm::ArrayRef<mlir::Operation *> ops);
  /// Ops of which only `results` leave the kernel.
  KernelMembers(llvm::ArrayRef<mlir::Operation *> ops, mlir::ValueRange results)
      : members(ops.begin(), ops.end()),
        outside(results.begin(), results.end()),
        contained(ops.begin(), ops.end()), isWholeBlock(false) {}

  llvm::ArrayRef<mlir::Operation *> ops() const { return members; }
  /// Values that the kernel writes to memory.
  llvm::ArrayRef<mlir::Value> results() const { return outside; }
  /// Whether a member, or an op in a member, defines `value`.
  bool define(mlir::Value value) const;

private:
  llvm::SmallVector<mlir::Operation *, 4> members;
  llvm::SmallVector<mlir::Value, 4> outside;
  /// The members, unless they are the whole block.
  llvm::SmallPtrSet<mlir::Operation *, 4> contained;
  /// Whether every op of the block is a member.
  bool isWholeBlock;
};

/// The unit of matrix kernels if element types allow several.
struct UnitRules {
  Tf32Mode tensorFloat = Tf32Mode::Off;
  StorageFormat activations = StorageFormat::AsIs;
  /// Whether a compiler generates the row kernels.
  bool generates = false;
  static UnitRules of(const Settings &settings) {
    return {settings.tf32, settings.activations,
            settings.kernels().isGenerated()};
  }
};

/// The results of WorkOpInterface for an op.
struct OpWork {
  CostClass shape = CostClass::Opaque;
  WorkAttr work; ///< null: unknown, or no interface
  bool hasInterface = false;
};
OpWork readWork(mlir::Operation *op);
/// `readWork`, or a cached version of it.
using WorkReader = llvm::function_ref<OpWork(mlir::Operation *)>;

/// Bytes that a kernel reads and writes; nullopt if a shape is unknown.
std::optional<std::pair<int64_t, int64_t>>
borderBytes(const KernelMembers &members, WorkReader read = readWork);

/// The work of one launch, or the op that has none.
struct CountedWork {
  std::optional<KernelWork> work;
  /// Without `work`: the unsupported member; null if nothing launches.
  mlir::Operation *unknown = nullptr;
  /// Number of ops that launch something.
  int64_t members = 0;
};
CountedWork countWork(const KernelMembers &members, const UnitRules &rules,
                      WorkReader read = readWork);

/// Whether `op`, which `countWork` does not support, has tensors so large that
/// its counts are 2^63 or more.
bool isBeyondCounts(mlir::Operation *op);

/// Why `op`, which `countWork` does not support, has no work; null: nothing
/// launches.
std::string reasonOfUnknown(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H
