//===- OpFacts.cpp - Cached work and cost class of ops --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/OpFacts.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"

using namespace mlir;
using namespace gpucost;

OpFacts::Shard &OpFacts::shardOf(Operation *op) {
  constexpr unsigned lowBits = 6;
  return shards[(reinterpret_cast<uintptr_t>(op) >> lowBits) % shards.size()];
}

std::optional<OpFacts::Fact> OpFacts::peek(Operation *op) {
  Shard &shard = shardOf(op);
  std::lock_guard<std::mutex> lock(shard.mutex);
  auto known = shard.facts.find(op);
  return known == shard.facts.end() ? std::nullopt
                                    : std::optional<Fact>(known->second);
}

OpFacts::Fact OpFacts::get(Operation *op) {
  if (std::optional<Fact> known = peek(op))
    return *known;
  Shard &shard = shardOf(op);
  Fact fact;
  fact.own = readWork(op);
  fact.launchesNothing =
      launchesNothing(op, [&](Operation *) { return fact.own.shape; });
  std::lock_guard<std::mutex> lock(shard.mutex);
  shard.facts[op] = fact;
  return fact;
}

void OpFacts::erase(Operation *op) {
  Shard &shard = shardOf(op);
  std::lock_guard<std::mutex> lock(shard.mutex);
  shard.facts.erase(op);
}
