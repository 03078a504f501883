//===- Terminal.h - Properties of standard output and error -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_TERMINAL_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_TERMINAL_H

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace gpucost {

/// Whether standard output is a terminal.
bool isTerminal();
/// Number of columns; 100 if unknown.
size_t terminalWidth();
/// NO_COLOR is set (https://no-color.org).
bool isColorUnwanted();

/// A progress line on standard error, if that is a terminal. It appears after a
/// second and disappears at the end.
class BusyLine {
public:
  explicit BusyLine(std::string what);
  ~BusyLine() { finish(); }
  BusyLine(const BusyLine &) = delete;
  /// Removes the line, so that other output can follow.
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

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_TERMINAL_H
