//===- OnceCache.h - Results that several threads share ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SWEEP_ONCECACHE_H
#define GPUCOST_LIB_APPLICATIONS_SWEEP_ONCECACHE_H

#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace gpucost::sweep {

/// Computes each value once, also if several threads request it at the same
/// time, and evicts the least recently used values.
template <typename Key, typename Value> class OnceCache {
public:
  explicit OnceCache(size_t most) : most(most) {}

  /// The value of `key`, computed by `make()` in the first thread that requests
  /// it.
  template <typename Make>
  std::shared_ptr<const Value> get(const Key &key, Make &&make) {
    std::shared_ptr<Entry> entry = find(key);
    std::call_once(entry->once, [&] {
      entry->value = std::make_shared<const Value>(make());
    });
    return entry->value;
  }

private:
  struct Entry {
    std::once_flag once;
    std::shared_ptr<const Value> value;
  };
  using Item = std::pair<Key, std::shared_ptr<Entry>>;

  std::shared_ptr<Entry> find(const Key &key) {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = items.find(key); it != items.end()) {
      recent.splice(recent.begin(), recent, it->second);
      return it->second->second;
    }
    recent.emplace_front(key, std::make_shared<Entry>());
    items.emplace(key, recent.begin());
    if (items.size() > most) {
      items.erase(recent.back().first);
      recent.pop_back();
    }
    return recent.front().second;
  }

  const size_t most;
  std::mutex mutex;
  std::list<Item> recent;
  std::map<Key, typename std::list<Item>::iterator> items;
};

} // namespace gpucost::sweep

#endif // GPUCOST_LIB_APPLICATIONS_SWEEP_ONCECACHE_H
