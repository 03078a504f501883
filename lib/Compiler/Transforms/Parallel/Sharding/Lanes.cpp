//===- Lanes.cpp - Dimensions that are sharded together -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <numeric>

using namespace gpucost;
using namespace gpucost::sharding;

/// Whether `count` is divisible by `gpus`, or `gpus` by `count`.
static bool fits(int64_t count, int64_t gpus) {
  return count % gpus == 0 || gpus % count == 0;
}

std::optional<HeadCounts> gpucost::sharding::divideHeads(HeadCounts all,
                                                         int64_t gpus,
                                                         bool pads,
                                                         HeadCounts &padded) {
  padded = all;
  if (all.keys <= 0 || all.queries % all.keys)
    return std::nullopt;
  if (all.queries % gpus || !fits(all.keys, gpus)) {
    while (!fits(padded.keys, gpus))
      ++padded.keys;
    int64_t shared = all.queries / all.keys;
    while (padded.keys * shared % gpus)
      ++shared;
    padded.queries = padded.keys * shared;
    if (!pads)
      return std::nullopt;
  }
  return HeadCounts{padded.queries / gpus,
                    std::max<int64_t>(padded.keys / gpus, 1)};
}

Lanes::Lane Lanes::add(int64_t units) {
  Lane lane = static_cast<Lane>(entries.size());
  entries.emplace_back();
  entries.back().units = units;
  parents.push_back(lane);
  componentParents.push_back(lane);
  components.emplace_back();
  return lane;
}

Lanes::Lane Lanes::find(Lane lane) const {
  while (parents[lane] != lane)
    lane = parents[lane];
  return lane;
}

unsigned Lanes::componentOf(Lane lane) const {
  unsigned component = lane;
  while (componentParents[component] != component)
    component = componentParents[component];
  return component;
}

void Lanes::limit(Lane lane, int64_t size) {
  Entry &entry = get(lane);
  entry.units = std::gcd(entry.units, size);
}

void Lanes::join(Lane a, Lane b) {
  unsigned first = componentOf(a), second = componentOf(b);
  if (first == second)
    return;
  componentParents[second] = first;
  Component &kept = components[first], &other = components[second];
  kept.sealed |= other.sealed;
  if (kept.failure.empty())
    kept.failure = other.failure;
  if (kept.contradiction.empty())
    kept.contradiction = other.contradiction;
}

void Lanes::unite(Lane a, Lane b) {
  a = find(a), b = find(b);
  if (a == b)
    return;
  join(a, b);
  parents[b] = a;
  Entry &kept = entries[a], &other = entries[b];
  kept.units = std::gcd(kept.units, other.units);
  kept.heads |= other.heads;
  kept.padded |= other.padded;
  if (kept.parts.empty())
    kept.parts = other.parts, kept.whole = other.whole;
}

void Lanes::link(Lane queries, Lane keys) {
  join(queries, keys);
  setHeads(queries);
  setHeads(keys);
  links.emplace_back(queries, keys);
}

/// Total number of elements in `parts`.
static int64_t
sumOf(const std::vector<std::pair<Lanes::Lane, int64_t>> &parts) {
  int64_t sum = 0;
  for (const auto &part : parts)
    sum = saturatingSum(sum, part.second);
  return sum;
}

void Lanes::addPart(Lane lane, Lane part, int64_t size, int64_t whole) {
  join(lane, part);
  Entry &entry = get(lane);
  entry.whole = whole;
  if (sumOf(entry.parts) < whole) {
    entry.parts.emplace_back(part, size);
    return;
  }
  auto [known, elements] = entry.parts[entry.nextPart++ % entry.parts.size()];
  if (elements == size)
    unite(known, part);
  else
    fail(lane, "its readers need different parts of it");
}

void Lanes::fail(Lane lane, const std::string &reason) {
  std::string &failure = components[componentOf(lane)].failure;
  if (failure.empty())
    failure = reason;
}

void Lanes::contradict(Lane lane, const std::string &reason) {
  std::string &contradiction = components[componentOf(lane)].contradiction;
  if (contradiction.empty())
    contradiction = reason;
}

void Lanes::settleHeads(Lane queries, Lane keys, int64_t gpus, bool pads) {
  Attention attention;
  attention.all = {units(queries), units(keys)};
  attention.local = divideHeads(attention.all, gpus, pads, attention.padded);
  components[componentOf(queries)].attention = attention;
  HeadCounts own = attention.local.value_or(attention.all);
  get(queries).local = own.queries;
  get(keys).local = own.keys;
}

void Lanes::settle(int64_t gpus, bool padHeads) {
  for (Lane lane = 0; lane < entries.size(); ++lane)
    if (find(lane) == lane)
      entries[lane].local = 0;
  for (auto [queries, keys] : links)
    if (find(queries) != find(keys))
      settleHeads(queries, keys, gpus, padHeads);
  for (Lane lane = 0; lane < entries.size(); ++lane) {
    Entry &entry = entries[lane];
    if (find(lane) != lane || entry.local)
      continue;
    if (isSplit(lane)) {
      if (sumOf(entry.parts) != entry.whole)
        fail(lane, "a part of it is not read");
      continue;
    }
    if (entry.heads)
      settleHeads(lane, lane, gpus, padHeads);
    else if (entry.padded || entry.units % gpus == 0)
      entry.local = (entry.units + gpus - 1) / gpus;
    else
      fail(lane, std::to_string(entry.units) +
                     " columns are not divisible by " + std::to_string(gpus));
  }
  for (Lane lane = 0; lane < entries.size(); ++lane)
    if (!components[componentOf(lane)].sealed)
      fail(lane, "no matmul sums over its columns");
}

int64_t Lanes::local(Lane lane, int64_t size) const {
  const Entry &entry = get(lane);
  if (entry.parts.empty())
    return size / entry.units * entry.local;
  int64_t own = 0;
  for (auto [part, elements] : entry.parts)
    own = saturatingSum(own, local(part, elements));
  return size / entry.whole * own;
}
