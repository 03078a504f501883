//===- ResultFile.cpp - Results that survive their process ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/ResultFile.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

ResultFile::~ResultFile() {
  if (descriptor > STDERR_FILENO)
    ::close(descriptor);
}

static llvm::Error systemError(const std::string &what) {
  return llvm::createStringError("cannot " + what + ": " +
                                 std::strerror(errno));
}

llvm::Expected<std::unique_ptr<ResultFile>>
ResultFile::open(const std::string &path, const PointText &text,
                 const Identity &identity, bool restart) {
  std::string header = text.header();
  std::unique_ptr<ResultFile> file(new ResultFile());
  file->path = path;
  if (path == "-") {
    file->descriptor = STDOUT_FILENO;
    if (llvm::Error error = file->append(header))
      return std::move(error);
    return file;
  }
  file->descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file->descriptor < 0)
    return systemError("open '" + path + "'");
  struct stat status;
  if (::fstat(file->descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
    // A pipe or device has no earlier lines.
    if (llvm::Error error = file->append(header))
      return std::move(error);
    return file;
  }
  if (::flock(file->descriptor, LOCK_EX | LOCK_NB) != 0)
    return llvm::createStringError("another process writes to '" + path + "'");
  if (restart && ::ftruncate(file->descriptor, 0) != 0)
    return systemError("empty '" + path + "'");
  file->done.resize(static_cast<size_t>(identity.points));
  if (llvm::Error error = file->readDone(text, identity))
    return std::move(error);
  return file;
}

llvm::Error ResultFile::readDone(const PointText &points,
                                 const Identity &identity) {
  std::string header = points.header();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  // A killed process may have written a part of its last line.
  StringRef whole = text.take_front(text.rfind('\n') + 1);
  StringRef rest = whole;
  // Do not change files of other programs.
  auto refuse = [&](const llvm::Twine &why) {
    return llvm::createStringError(
        "'" + path + "' " + why +
        "; give another file, or --restart to begin again");
  };
  if (!header.empty() && !whole.empty() && !rest.consume_front(header))
    return refuse("is not a result of this sweep");
  // An incomplete first line.
  StringRef begin = header.empty() ? StringRef("{\"point\":") : header;
  if (whole.empty() &&
      begin.take_front(text.size()) != text.take_front(begin.size()))
    return refuse("is not a result of a sweep");
  for (int64_t number = header.empty() ? 1 : 2; !rest.empty(); ++number) {
    auto [line, next] = rest.split('\n');
    rest = next;
    std::optional<PointText::Start> start =
        PointText::readStart(line, points.lineFormat());
    if (!start)
      return refuse("is not a result of a sweep (line " + llvm::Twine(number) +
                    ")");
    if (start->version != identity.version)
      return refuse("is a result of version " + start->version +
                    ", and this is " + identity.version);
    if (start->sweep != identity.sweep || start->point >= identity.points)
      return refuse("is a result of another sweep");
    if (!points.isWhole(line, start->point))
      return refuse("was changed after it was written (line " +
                    llvm::Twine(number) + ")");
    auto bit = done[static_cast<size_t>(start->point)];
    if (bit)
      return refuse("has point " + llvm::Twine(start->point) + " twice (line " +
                    llvm::Twine(number) + ")");
    ++count;
    bit = true;
  }
  auto size = static_cast<off_t>(whole.size());
  if (::ftruncate(descriptor, size) != 0 ||
      ::lseek(descriptor, size, SEEK_SET) < 0)
    return systemError("write '" + path + "'");
  return whole.empty() ? append(header) : llvm::Error::success();
}

llvm::Error ResultFile::append(StringRef lines) {
  while (!lines.empty()) {
    ssize_t written = ::write(descriptor, lines.data(), lines.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("write '" + path + "'");
    lines = lines.drop_front(static_cast<size_t>(written));
  }
  return llvm::Error::success();
}

llvm::Error
sweep::runSweep(const Evaluator &evaluator, const SweepOptions &options,
                const PointText &text, ResultFile *file,
                const std::function<bool(const PointBatch &)> &deliver) {
  llvm::Error error = llvm::Error::success();
  runSweep(
      evaluator, options,
      [&](int64_t point) { return file && file->isDone(point); },
      [&](PointBatch &batch) {
        for (const PointResult &result : batch.results)
          text.append(batch.text, result);
      },
      [&](PointBatch &batch) {
        if (llvm::Error failure =
                file ? file->append(batch.text) : llvm::Error::success()) {
          error = llvm::joinErrors(std::move(error), std::move(failure));
          return false;
        }
        return deliver(batch);
      });
  return error;
}

/// Adds the contents of a file to a hash. For a large file, which contains
/// weights, the hash includes only its size and its first part.
static llvm::Error addFile(const std::string &path, std::string &text) {
  constexpr uint64_t part = 64 << 20;
  uint64_t size = 0;
  auto add = [&](StringRef start) {
    text += "\n" + std::to_string(size) + " " +
            llvm::utohexstr(llvm::xxh3_64bits(start));
    return llvm::Error::success();
  };
  if (isStream(path)) {
    Expected<std::string> content = readInput(path, mostBytesOfData);
    if (!content)
      return toLLVMError(content.error());
    size = content->size();
    return add(StringRef(*content).take_front(part));
  }
  std::error_code error = llvm::sys::fs::file_size(path, size);
  auto start = llvm::MemoryBuffer::getFileSlice(path, std::min(size, part),
                                                /*Offset=*/0,
                                                /*IsVolatile=*/true);
  if (!error)
    error = start.getError();
  if (error)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + error.message());
  return add((*start)->getBuffer());
}

llvm::Expected<std::string> sweep::nameSweep(const Space &space) {
  std::string text = space.describe();
  for (const std::string &model : space.models())
    if (llvm::Error error = addFile(modelFile(model), text))
      return std::move(error);
  for (auto Scenario::*field : {&Scenario::targetFile, &Scenario::coefficients})
    if (const auto &path = space.common().*field)
      if (llvm::Error error = addFile(*path, text))
        return std::move(error);
  for (const char *flag : {"target-file", "coefficients"})
    if (const Axis *axis = space.findAxis(flag))
      for (const std::string &path : axis->texts)
        if (path != "default")
          if (llvm::Error error = addFile(path, text))
            return std::move(error);
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
}
