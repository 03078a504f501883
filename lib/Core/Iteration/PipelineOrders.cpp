//===- PipelineOrders.cpp - Orders of passes in a pipeline ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (X14)

#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include <algorithm>

using namespace gpucost;

using Order = std::vector<PipelinePass>;

/// Forward passes `warmup`, then one forward and one backward pass at a time.
static Order orderOneByOne(int64_t stage, int64_t warmup,
                           int64_t microBatches) {
  Order order;
  for (int64_t i = 0; i < microBatches + warmup; ++i) {
    if (i < microBatches)
      order.push_back({PassKind::Forward, stage, i});
    if (i >= warmup)
      order.push_back({PassKind::Backward, stage, i - warmup});
  }
  return order;
}

/// Megatron-LM: groups of p micro-batches run through one stage of the rank
/// after the other.
static Order orderInterleaved(const PipelineLayout &layout, int64_t rank,
                              int64_t microBatches) {
  int64_t p = layout.ranks, v = layout.perRank, all = microBatches * v;
  int64_t warmup = std::min((p - rank - 1) * 2 + (v - 1) * p, all);
  if (layout.forwardsFirst && microBatches == p)
    warmup = all;
  auto passOf = [&](PassKind kind, int64_t i) {
    int64_t chunk = i % (p * v) / p;
    if (kind == PassKind::Backward)
      chunk = v - 1 - chunk;
    return PipelinePass{kind, chunk * p + rank, i / (p * v) * p + i % p};
  };
  Order order;
  for (int64_t i = 0; i < all + warmup; ++i) {
    if (i < all)
      order.push_back(passOf(PassKind::Forward, i));
    if (i >= warmup)
      order.push_back(passOf(PassKind::Backward, i - warmup));
  }
  return order;
}

/// ZB-H1 (Qi et al. 2024): 1F1B in which rank r computes the gradients of the
/// weights r micro-batches later.
static Order orderZeroBubble(int64_t stage, int64_t warmup,
                             int64_t microBatches) {
  Order order;
  int64_t weights = 0;
  for (const PipelinePass &pass : orderOneByOne(stage, warmup, microBatches)) {
    order.push_back(pass);
    if (pass.kind == PassKind::Backward && pass.microBatch >= stage)
      order.push_back({PassKind::Weights, stage, weights++});
  }
  for (; weights < microBatches; ++weights)
    order.push_back({PassKind::Weights, stage, weights});
  return order;
}

namespace {

/// Places the passes of zb-v one unit of time after the other: a backward pass
/// if one is ready, else a forward pass unless the rank already holds as many
/// activations as with 1F1B, else gradients of weights.
class OrderV {
public:
  OrderV(const PipelineLayout &layout, int64_t microBatches)
      : layout(layout), microBatches(microBatches), orders(layout.ranks),
        forward(layout.stages()), backward(layout.stages()),
        weights(layout.stages()) {}

  std::vector<Order> run() {
    constexpr int64_t passKinds = 3;
    int64_t left = passKinds * microBatches * layout.stages();
    while (left > 0) {
      std::vector<PipelinePass> started;
      for (int64_t rank = 0; rank < layout.ranks; ++rank)
        if (auto pass = choose(rank)) {
          orders[rank].push_back(*pass);
          started.push_back(*pass);
        }
      // Their results are ready at the end of the unit.
      for (const PipelinePass &pass : started)
        ++done(pass.kind)[pass.stage];
      left -= static_cast<int64_t>(started.size());
      if (started.empty())
        return {};
    }
    return orders;
  }

private:
  std::vector<int64_t> &done(PassKind kind) {
    return kind == PassKind::Forward    ? forward
           : kind == PassKind::Backward ? backward
                                        : weights;
  }
  bool isForwardReady(int64_t stage) const {
    return forward[stage] < microBatches &&
           (stage == 0 || forward[stage - 1] > forward[stage]);
  }
  bool isBackwardReady(int64_t stage) const {
    int64_t next = backward[stage];
    return next < forward[stage] &&
           (stage + 1 == layout.stages() || backward[stage + 1] > next);
  }
  std::optional<PipelinePass> choose(int64_t rank) const {
    int64_t first = rank, second = layout.stages() - 1 - rank;
    auto pass = [&](PassKind kind, const std::vector<int64_t> &done,
                    int64_t stage) {
      return PipelinePass{kind, stage, done[stage]};
    };
    // The second stage ends a micro-batch.
    for (int64_t stage : {second, first})
      if (isBackwardReady(stage))
        return pass(PassKind::Backward, backward, stage);
    int64_t held =
        forward[first] - weights[first] + forward[second] - weights[second];
    std::optional<PipelinePass> late;
    for (int64_t stage : {first, second})
      if (weights[stage] < backward[stage])
        late = pass(PassKind::Weights, weights, stage);
    bool isFull = held >= layout.stages();
    if (isFull && late)
      return late;
    if (isForwardReady(second))
      return pass(PassKind::Forward, forward, second);
    if (!isFull && isForwardReady(first))
      return pass(PassKind::Forward, forward, first);
    return late;
  }

  const PipelineLayout &layout;
  int64_t microBatches;
  std::vector<Order> orders;
  /// Passes of each stage that have ended.
  std::vector<int64_t> forward, backward, weights;
};

} // namespace

std::vector<Order> gpucost::orderPasses(const PipelineLayout &layout,
                                        int64_t microBatches) {
  if (layout.trains && layout.schedule == PipelineSchedule::ZeroBubbleV)
    return OrderV(layout, microBatches).run();
  std::vector<Order> orders;
  for (int64_t rank = 0; rank < layout.ranks; ++rank) {
    int64_t warmup = std::min(layout.ranks - 1 - rank, microBatches);
    if (!layout.trains) {
      Order order;
      for (int64_t i = 0; i < microBatches; ++i)
        order.push_back({PassKind::Forward, rank, i});
      orders.push_back(order);
      continue;
    }
    switch (layout.schedule) {
    case PipelineSchedule::GPipe:
      orders.push_back(orderOneByOne(rank, microBatches, microBatches));
      break;
    case PipelineSchedule::OneForwardOneBackward:
      orders.push_back(orderOneByOne(rank, warmup, microBatches));
      break;
    case PipelineSchedule::Interleaved:
      orders.push_back(orderInterleaved(layout, rank, microBatches));
      break;
    case PipelineSchedule::ZeroBubbleH1:
    case PipelineSchedule::ZeroBubbleV:
      orders.push_back(orderZeroBubble(rank, warmup, microBatches));
      break;
    }
  }
  return orders;
}
