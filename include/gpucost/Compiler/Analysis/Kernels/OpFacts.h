//===- OpFacts.h - Cached work and cost class of single ops -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_OPFACTS_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_OPFACTS_H

#include "gpucost/Compiler/Analysis/Kernels/CountWork.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <mutex>

namespace gpucost {

/// Caches WorkOpInterface results per op. Thread-safe.
class OpFacts {
public:
  /// During its lifetime, collects the ops that this thread examines. Omits
  /// idle ops, because many ops share fills and constants.
  class Recorder {
  public:
    Recorder() : outer(current) { current = this; }
    ~Recorder() { current = outer; }
    Recorder(const Recorder &) = delete;
    llvm::SmallSetVector<mlir::Operation *, 8> ops;

  private:
    Recorder *outer;
    static thread_local Recorder *current;
    friend class OpFacts;
  };
  static bool isRecording() { return Recorder::current; }
  /// Adds `op` to the current recorder, if any.
  static void record(mlir::Operation *op) {
    if (Recorder::current)
      Recorder::current->ops.insert(op);
  }

  struct Fact {
    OpWork own;
    bool launchesNothing = false;
    bool isIdle() const {
      return launchesNothing && own.shape != CostClass::View;
    }
  };
  Fact get(mlir::Operation *op);
  /// The cached fact; an op that is being rewritten cannot be queried.
  std::optional<Fact> peek(mlir::Operation *op);
  void erase(mlir::Operation *op);
  CostClass classOf(mlir::Operation *op) { return get(op).own.shape; }

private:
  struct Shard {
    std::mutex mutex;
    llvm::DenseMap<mlir::Operation *, Fact> facts;
  };
  Shard &shardOf(mlir::Operation *op);
  std::array<Shard, 16> shards;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_OPFACTS_H
