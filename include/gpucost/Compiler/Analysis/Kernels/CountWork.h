//===- CountWork.h - The work of the ops of one kernel ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one launch has to do that runs given ops, whether a `gpucost.kernel`
// stands around them or not: `gpucost-annotate-work` writes it, CostAnalysis
// asks for it. Nothing here changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include <optional>
#include <string>
#include <utility>

namespace gpucost {

/// The ops that one launch runs, in program order, all in one block.
class KernelMembers {
public:
  /// The body of a kernel.
  explicit KernelMembers(KernelOp kernel);
  /// Ops without a kernel around them. Results are what others use.
  explicit KernelMembers(llvm::ArrayRef<mlir::Operation *> ops);
  /// The same of which only `results` leave the kernel.
  KernelMembers(llvm::ArrayRef<mlir::Operation *> ops, mlir::ValueRange results)
      : members(ops.begin(), ops.end()),
        outside(results.begin(), results.end()), isWholeBlock(false) {}

  llvm::ArrayRef<mlir::Operation *> ops() const { return members; }
  /// What the kernel writes to memory.
  llvm::ArrayRef<mlir::Value> results() const { return outside; }
  /// Whether a member, or an op inside of one, defines `value`.
  bool define(mlir::Value value) const;

private:
  llvm::SmallVector<mlir::Operation *, 4> members;
  llvm::SmallVector<mlir::Value, 4> outside;
  /// Every op of the block is a member.
  bool isWholeBlock;
};

/// Which unit matrix kernels run on where element types leave a choice.
struct UnitRules {
  Tf32Mode tensorFloat = Tf32Mode::Off;
  StorageFormat activations = StorageFormat::AsIs;
  /// A compiler generates the kernels of rows.
  bool generates = false;
  static UnitRules of(const Settings &settings) {
    return {settings.tf32, settings.activations,
            settings.kernels().isGenerated()};
  }
};

/// What an op says of itself (WorkOpInterface).
struct OpWork {
  CostClass shape = CostClass::Opaque;
  WorkAttr work; ///< null: it cannot say, or has no interface
  bool hasInterface = false;
};
OpWork readWork(mlir::Operation *op);
/// `readWork`, or something that remembers its answers.
using WorkReader = llvm::function_ref<OpWork(mlir::Operation *)>;

/// Bytes that cross the border of a kernel, read and written; nullopt when a
/// shape is unknown.
std::optional<std::pair<int64_t, int64_t>>
borderBytes(const KernelMembers &members, WorkReader read = readWork);

/// The work of one launch, or the op that has none.
struct CountedWork {
  std::optional<KernelWork> work;
  /// Without `work`: the member that is not understood; null when there is
  /// nothing that launches.
  mlir::Operation *unknown = nullptr;
  /// Ops that launch something.
  int64_t members = 0;
};
CountedWork countWork(const KernelMembers &members, const UnitRules &rules,
                      WorkReader read = readWork);

/// Why `op`, which `countWork` does not understand, has no work; null: nothing
/// launches.
std::string reasonOfUnknown(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_COUNTWORK_H
