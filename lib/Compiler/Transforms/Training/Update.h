//===- Update.h - The kernels that update parameters ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/CostModel.md, section "Training", rules (O*).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_UPDATE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_UPDATE_H

#include "TrainingGraph.h"
#include <array>
#include <map>

namespace gpucost::training {

/// Formats of the tensors in the update of one parameter (O6).
struct StateLayout {
  /// Formats of the model weight, the updated weight and the gradient.
  mlir::Type model, updated, gradient;

  StateLayout(mlir::Type element, const Options &options);
};

/// Gradients of one element type that kernels can process together.
struct TensorList {
  llvm::SmallVector<mlir::Value> gradients;
  int64_t elements = 0, chunks = 0;
  void add(mlir::Value gradient, int64_t count);
};

/// What a step of an optimizer covers.
enum class Over : uint8_t {
  All,      ///< the parameters
  Matrices, ///< those of at least two dimensions
  Vectors,  ///< the others
  Rows,     ///< one number for each row of a matrix
  Columns,  ///< and for each column
  Flat      ///< all elements in one tensor
};
constexpr size_t overCount = 6;

/// One kernel: tensors read and written, and tensor lists passed to it (which
/// limit the number of tensors per launch); 0 lists: a kernel for each tensor
/// in all variants. `fresh`: the result is a new list. (O13) `captured`: number
/// of kernels per tensor in a CUDA graph, which replaces the list kernels.
/// `times` 0: once for each pair of tensors in the history (O16).
/// `synchronizes`: the host waits for the result.
struct Step {
  const char *name;
  int64_t reads, writes, lists;
  bool fresh = false;
  int64_t captured = 0;
  Over over = Over::All;
  int64_t times = 1;
  bool synchronizes = false;
};

/// Parameters with the same format, by what steps cover.
class Trainable {
public:
  struct Lists {
    TensorList all;
    std::map<int64_t, TensorList> bySize;
  };

  void add(mlir::Value gradient, llvm::ArrayRef<int64_t> shape, int64_t count);
  const Lists &over(Over part) const {
    return lists[static_cast<size_t>(part)];
  }
  const TensorList &all() const { return over(Over::All).all; }

private:
  void addTo(Over part, mlir::Value gradient, int64_t count);

  std::array<Lists, overCount> lists;
};

/// One step over a list, with `bits` per element in `launches` launches.
mlir::Operation *launchStep(TrainingGraph &graph, llvm::StringRef name,
                            const TensorList &list, int64_t reads,
                            int64_t writes, int64_t bits, int64_t launches);

/// One kernel that reads `read` and writes `written` bytes per element, and
/// additionally reads and writes `more` bytes in total.
void launchMixed(TrainingGraph &graph, llvm::StringRef name,
                 const TensorList &list, int64_t reads, int64_t writes,
                 int64_t read, int64_t written, int64_t launches,
                 int64_t more = 0);

/// The update of parameters with one format by the rule `kind`.
void update(TrainingGraph &graph, const Trainable &group,
            const StateLayout &layout, OptimizerKind kind);

/// (O14) The matrix that Newton and Schulz's iteration orthogonalizes in each
/// gradient of `matrices`, and the update by it. (Muon.cpp)
void orthogonalize(TrainingGraph &graph, const TensorList &matrices,
                   mlir::Type weight);

} // namespace gpucost::training

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_UPDATE_H
