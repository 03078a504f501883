//===- Parallelism.h - How several GPUs share the work ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_PARALLELISM_H
#define GPUCOST_CORE_SCENARIO_PARALLELISM_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// (X9) A plan: "ddp", "zero1", "fsdp", "tp", "tp4.dp2", "tp2.fsdp4", "ep". The
/// GPUs of one tensor parallel group are neighbours. A kind without a number
/// takes all GPUs that the other one leaves.
struct Parallelism {
  /// GPUs that divide the blocks of one model; 0 stands for the rest.
  int64_t tensor = 1;
  /// GPUs with data of their own, each with a model or a part of one.
  int64_t data = 0;
  /// (X11) What the data parallel GPUs divide, after ZeRO: nothing (0), states
  /// of the optimizer (1), gradients too (2), parameters too (3, FSDP).
  int stage = 0;
  /// (X12) The data parallel GPUs divide the experts of each layer of them.
  bool experts = false;

  /// Parameters are divided.
  bool isSharded() const {
    constexpr int fullyShardedStage = 3;
    return stage == fullyShardedStage;
  }

  bool operator==(const Parallelism &other) const {
    return tensor == other.tensor && data == other.data &&
           stage == other.stage && experts == other.experts;
  }
  bool operator!=(const Parallelism &other) const { return !(*this == other); }

  /// The GPUs of a plan with all numbers; nullopt for one that depends on them.
  std::optional<int64_t> gpus() const;
  /// The plan with all numbers; nullopt when it has another number of GPUs.
  std::optional<Parallelism> on(int64_t gpus) const;
};

/// nullopt for what is no plan. `dp` and `ddp` are the same.
std::optional<Parallelism> parseParallelism(std::string_view text);
/// What `parseParallelism` reads back.
std::string toText(const Parallelism &plan);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_PARALLELISM_H
