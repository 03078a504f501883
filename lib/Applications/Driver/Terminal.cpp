//===- Terminal.cpp - Properties of standard output and error -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terminal.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace gpucost;

bool gpucost::isTerminal() {
  return llvm::sys::Process::StandardOutIsDisplayed();
}

size_t gpucost::terminalWidth() {
  winsize size = {};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 100;
}

bool gpucost::isColorUnwanted() {
  const char *value = std::getenv("NO_COLOR");
  return value && *value;
}

BusyLine::BusyLine(std::string what) : what(printable(what)) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    thread = std::thread([this] { run(); });
}

void BusyLine::run() {
  using std::chrono::milliseconds;
  auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  if (changed.wait_for(lock, milliseconds(1000), [&] { return done; }))
    return;
  while (!done) {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - begin);
    llvm::errs() << '\r'
                 << shorten(what + ", " + std::to_string(seconds.count()) +
                                " s",
                            79);
    llvm::errs().flush();
    changed.wait_for(lock, milliseconds(500), [&] { return done; });
  }
  llvm::errs() << '\r' << std::string(79, ' ') << '\r';
  llvm::errs().flush();
}

void BusyLine::finish() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_all();
  thread.join();
}
