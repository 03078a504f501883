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

thread_local OpFacts::Recorder *OpFacts::Recorder::current = nullptr;

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
  std::optional<Fact> fact = peek(op);
  if (!fact) {
    fact.emplace();
    fact->own = readWork(op);
    fact->launchesNothing =
        launchesNothing(op, [&](Operation *) { return fact->own.shape; });
    Shard &shard = shardOf(op);
    std::lock_guard<std::mutex> lock(shard.mutex);
    shard.facts[op] = *fact;
  }
  if (!fact->isIdle())
    record(op);
  return *fact;
}

void OpFacts::erase(Operation *op) {
  Shard &shard = shardOf(op);
  std::lock_guard<std::mutex> lock(shard.mutex);
  shard.facts.erase(op);
}
