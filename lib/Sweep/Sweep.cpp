//===- Sweep.cpp - Points in several threads ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Sweep/Sweep.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

using namespace gpucost;

/// Points of one batch, at most: few enough for all threads to end together.
static constexpr int64_t batchSize = 64;
/// Batches that may be finished before the first missing one, per thread.
static constexpr int64_t window = 32;

PointRange gpucost::rangeOfShard(int64_t points, const SweepOptions &options) {
  // Both products stay below mostPoints^2.
  auto boundary = [&](int64_t part) { return points * part / options.shards; };
  return {boundary(options.shard - 1), boundary(options.shard)};
}

namespace {

class SweepRun {
public:
  SweepRun(const Evaluator &evaluator, const SweepOptions &options,
           const std::function<bool(int64_t)> &isDone,
           const std::function<void(PointBatch &)> &finish,
           const std::function<bool(PointBatch &)> &deliver)
      : evaluator(evaluator), options(options), isDone(isDone), finish(finish),
        deliver(deliver),
        range(rangeOfShard(evaluator.space().size(), options)),
        nextPoint(range.first) {}

  void work();

private:
  /// A batch to evaluate: points of one block.
  struct Task {
    int64_t number = 0, block = 0;
    std::vector<int64_t> operations;
  };
  /// The next points that are not done; false when none are left.
  bool take(Task &task);
  void hand(const Task &task, PointBatch batch);

  const Evaluator &evaluator;
  const SweepOptions &options;
  const std::function<bool(int64_t)> &isDone;
  const std::function<void(PointBatch &)> &finish;
  const std::function<bool(PointBatch &)> &deliver;
  const PointRange range;

  std::mutex mutex;
  std::condition_variable delivered;
  int64_t nextPoint;
  int64_t nextTask = 0, nextDelivery = 0;
  bool stopped = false;
  /// Finished ahead of their turn.
  std::map<int64_t, PointBatch> waiting;
};

} // namespace

bool SweepRun::take(Task &task) {
  std::unique_lock<std::mutex> lock(mutex);
  // No thread may run far ahead of the one whose turn it is.
  delivered.wait(lock, [&] {
    return stopped || nextTask < nextDelivery + window * static_cast<int64_t>(
                                                             options.jobs);
  });
  int64_t blockSize = evaluator.space().blockSize();
  task.operations.clear();
  while (!stopped && nextPoint < range.end && task.operations.empty()) {
    task.block = nextPoint / blockSize;
    int64_t end = std::min(
        {range.end, (task.block + 1) * blockSize, nextPoint + batchSize});
    for (; nextPoint < end; ++nextPoint)
      if (!isDone(nextPoint))
        task.operations.push_back(nextPoint % blockSize);
  }
  if (task.operations.empty())
    return false;
  task.number = nextTask++;
  return true;
}

void SweepRun::hand(const Task &task, PointBatch batch) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!options.ordered) {
    ++nextDelivery;
    stopped = stopped || !deliver(batch);
  } else {
    waiting.emplace(task.number, std::move(batch));
    for (auto it = waiting.begin();
         it != waiting.end() && it->first == nextDelivery && !stopped;
         it = waiting.erase(it), ++nextDelivery)
      stopped = !deliver(it->second);
  }
  delivered.notify_all();
}

void SweepRun::work() {
  Task task;
  while (take(task)) {
    PointBatch batch;
    batch.results =
        evaluator.evaluate(task.block, task.operations, options.unfitNumbers);
    finish(batch);
    hand(task, std::move(batch));
  }
}

void gpucost::runSweep(const Evaluator &evaluator, const SweepOptions &options,
                       const std::function<bool(int64_t)> &isDone,
                       const std::function<void(PointBatch &)> &finish,
                       const std::function<bool(PointBatch &)> &deliver) {
  SweepRun run(evaluator, options, isDone, finish, deliver);
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.jobs; ++i)
    threads.emplace_back([&] { run.work(); });
  run.work();
  for (std::thread &thread : threads)
    thread.join();
}
