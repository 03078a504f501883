//===- Terminal.h - What standard output and error are ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_TERMINAL_H
#define GPUCOST_LIB_DRIVER_TERMINAL_H

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace gpucost {

/// Whether standard output is a terminal.
bool isTerminal();
/// Its columns; 100 where they are not known.
size_t terminalWidth();
/// NO_COLOR is set (https://no-color.org).
bool isColorUnwanted();

/// A line on standard error, where that is a terminal, that says after a second
/// what takes so long, and goes when it is done.
class BusyLine {
public:
  explicit BusyLine(std::string what);
  ~BusyLine() { finish(); }
  BusyLine(const BusyLine &) = delete;
  /// Removes the line; others may write now.
  void finish();

private:
  void run();

  std::string what;
  bool done = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread thread;
};

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_TERMINAL_H
