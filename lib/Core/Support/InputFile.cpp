//===- InputFile.cpp - Reads files, pipes and devices ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/InputFile.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace gpucost;

/// Endless devices are detected after so many bytes.
static constexpr size_t mostBytesOfDevice = size_t(1) << 20;

namespace {
/// Contents of pipes by path, while a `PipeMemory` exists.
struct KnownPipes {
  std::mutex mutex;
  size_t users = 0;
  /// nullopt where they are too large to keep.
  std::map<std::string, std::optional<std::string>> contents;
};
} // namespace

static KnownPipes &knownPipes() {
  static KnownPipes pipes;
  return pipes;
}

PipeMemory::PipeMemory() {
  KnownPipes &pipes = knownPipes();
  std::lock_guard<std::mutex> lock(pipes.mutex);
  ++pipes.users;
}

PipeMemory::~PipeMemory() {
  KnownPipes &pipes = knownPipes();
  std::lock_guard<std::mutex> lock(pipes.mutex);
  if (--pipes.users == 0)
    pipes.contents.clear();
}

bool gpucost::isStream(const std::string &path) {
  struct stat status;
  return path == "-" || (::stat(path.c_str(), &status) == 0 &&
                         !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/// "1 MiB".
static std::string sizeText(size_t bytes) {
  size_t mebibytes = bytes >> 20;
  return mebibytes % 1024 ? concat(mebibytes, " MiB")
                          : concat(mebibytes / 1024, " GiB");
}

/// Reads up to `most` bytes from an open file.
static Expected<std::string> readOpen(int descriptor, const std::string &name,
                                      size_t most) {
  auto cannotRead = [&] {
    return fail(concat("cannot read ", name, ": ",
                       std::generic_category().message(errno)));
  };
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return cannotRead();
  bool isDevice = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  most = isDevice ? std::min(most, mostBytesOfDevice) : most;
  std::string text;
  if (S_ISREG(status.st_mode))
    text.reserve(std::min(most, static_cast<size_t>(status.st_size)) + 1);
  static constexpr size_t part = size_t(1) << 16;
  while (true) {
    size_t size = text.size();
    text.resize(size + part);
    ssize_t count = ::read(descriptor, text.data() + size, part);
    text.resize(size + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return cannotRead();
    if (count == 0)
      return text;
    if (text.size() > most)
      return fail(concat(isDevice ? "the device " : "", name, " has more than ",
                         sizeText(most)));
  }
}

static Expected<std::string> readPath(const std::string &path, size_t most) {
  if (path == "-")
    return readOpen(STDIN_FILENO, "standard input", most);
  std::string name = concat("'", path, "'");
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return fail(concat("cannot read ", name, ": ",
                       std::generic_category().message(errno)));
  Expected<std::string> text = readOpen(descriptor, name, most);
  ::close(descriptor);
  return text;
}

Expected<std::string> gpucost::readInput(const std::string &path, size_t most) {
  if (!isStream(path))
    return readPath(path, most);
  KnownPipes &pipes = knownPipes();
  // Several threads may read one pipe.
  std::lock_guard<std::mutex> lock(pipes.mutex);
  if (auto known = pipes.contents.find(path); known != pipes.contents.end()) {
    if (known->second)
      return *known->second;
    return fail(concat("'", path,
                       "' is a pipe, which can be read only once; give a "
                       "file"));
  }
  Expected<std::string> text = readPath(path, most);
  if (text && pipes.users > 0)
    pipes.contents.emplace(path, text->size() <= mostBytesOfText
                                     ? std::optional(*text)
                                     : std::nullopt);
  return text;
}
