//===- Sweep.cpp - Points in several threads ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Sweep.h"
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

using namespace gpucost;
using namespace gpucost::sweep;

/// Points of one batch, at most: few enough for all threads to end together.
static constexpr int64_t batchSize = 64;
/// Batches that may be finished before the first missing one, per thread.
static constexpr int64_t window = 32;
/// Names of preparations to keep. One that is forgotten is taken for a new one:
/// for the time of a batch, no other thread takes points of it.
static constexpr size_t mostMade = 1024;

PointRange sweep::rangeOfShard(int64_t points, const SweepOptions &options) {
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
    /// The first one of its block places the kernels on the GPU.
    bool opensBlock = false;
    /// The preparation that it needs, by Evaluator::preparationOf.
    std::string preparation;
    std::vector<int64_t> operations;
  };
  /// Makes a task of the next points that are not done; false when none are
  /// left, or threads are too far ahead of the one whose turn it is.
  bool plan();
  /// The number in `planned` of the first task that does not have to wait for a
  /// preparation in another thread.
  std::optional<size_t> findReady();
  /// False when no tasks are left.
  bool take(Task &task);
  void hand(const Task &task, PointBatch batch);

  const Evaluator &evaluator;
  const SweepOptions &options;
  const std::function<bool(int64_t)> &isDone;
  const std::function<void(PointBatch &)> &finish;
  const std::function<bool(PointBatch &)> &deliver;
  const PointRange range;

  std::mutex mutex;
  std::condition_variable handed;
  int64_t nextPoint;
  int64_t nextTask = 0, nextDelivery = 0;
  bool stopped = false;
  /// In the order of points; not yet taken by a thread.
  std::deque<Task> planned;
  /// Preparations that a thread is busy with, and the ones made of late.
  std::set<std::string> inTheMaking, made;
  /// Blocks whose first task a thread is busy with.
  std::set<int64_t> opening;
  /// Preparation of the last block that has a task.
  std::pair<int64_t, std::string> lastPreparation{-1, ""};
  /// Finished ahead of their turn.
  std::map<int64_t, PointBatch> waiting;
};

} // namespace

bool SweepRun::plan() {
  if (nextTask >= nextDelivery + window * static_cast<int64_t>(options.jobs))
    return false;
  int64_t blockSize = evaluator.space().blockSize();
  Task task;
  while (nextPoint < range.end && task.operations.empty()) {
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
  task.opensBlock = lastPreparation.first != task.block;
  if (task.opensBlock)
    lastPreparation = {task.block, evaluator.preparationOf(task.block)};
  task.preparation = lastPreparation.second;
  planned.push_back(std::move(task));
  return true;
}

std::optional<size_t> SweepRun::findReady() {
  for (size_t i = 0; i < planned.size() || plan(); ++i) {
    const Task &task = planned[i];
    if (!opening.count(task.block) && !inTheMaking.count(task.preparation))
      return i;
  }
  return std::nullopt;
}

bool SweepRun::take(Task &task) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopped) {
    if (std::optional<size_t> ready = findReady()) {
      auto it = planned.begin() + static_cast<std::ptrdiff_t>(*ready);
      task = std::move(*it);
      planned.erase(it);
      if (!task.preparation.empty() && !made.count(task.preparation))
        inTheMaking.insert(task.preparation);
      if (task.opensBlock)
        opening.insert(task.block);
      return true;
    }
    if (planned.empty() && nextPoint >= range.end)
      return false;
    handed.wait(lock);
  }
  return false;
}

void SweepRun::hand(const Task &task, PointBatch batch) {
  std::lock_guard<std::mutex> lock(mutex);
  if (inTheMaking.erase(task.preparation)) {
    if (made.size() >= mostMade)
      made.clear();
    made.insert(task.preparation);
  }
  if (task.opensBlock)
    opening.erase(task.block);
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
  handed.notify_all();
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

void sweep::runSweep(const Evaluator &evaluator, const SweepOptions &options,
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

void sweep::runSweep(const Evaluator &evaluator, const SweepOptions &options,
                     const std::function<bool(PointBatch &)> &deliver) {
  runSweep(
      evaluator, options, [](int64_t) { return false; }, [](PointBatch &) {},
      deliver);
}
