//===- OutputFile.cpp - Writes files as a whole ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpucost;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

static llvm::Error cannotWrite(StringRef path, std::error_code error) {
  return llvm::createStringError(
      (path == "-" ? llvm::Twine("cannot write to standard output")
                   : "cannot write '" + path + "'") +
      ": " + error.message());
}

static std::error_code lastError() { return {errno, std::generic_category()}; }

/// Runs `write` on a stream, and fails if the stream has an error.
static llvm::Error writeTo(llvm::raw_fd_ostream &os, StringRef path,
                           bool closes, Writer write) {
  llvm::Error result = write(os);
  if (closes)
    os.close();
  else
    os.flush();
  std::error_code error = os.error();
  // An error that stays on a stream ends the process.
  os.clear_error();
  if (result)
    return result;
  return error ? cannotWrite(path, error) : llvm::Error::success();
}

/// Whether `status` is the file that `descriptor` is open for: /dev/stdout, or
/// the file to which a shell has redirected it.
static bool isOpenAs(int descriptor, const struct stat &status) {
  struct stat open;
  return ::fstat(descriptor, &open) == 0 && open.st_dev == status.st_dev &&
         open.st_ino == status.st_ino;
}

static llvm::Error writeInPlace(StringRef path, Writer write) {
  int descriptor;
  if (std::error_code error = fs::openFileForWrite(path, descriptor))
    return cannotWrite(path, error);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  return writeTo(os, path, /*closes=*/true, write);
}

/// Replaces the file at `path`, which is not a link, by way of a temporary one.
/// `earlier` is null if there is none.
static llvm::Error replaceFile(StringRef path, const struct stat *earlier,
                               Writer write) {
  llvm::SmallString<256> model(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(model, ".gpu-cost-opt-%%%%%%%%.tmp");
  constexpr unsigned anyPermission = 07777;
  llvm::Expected<fs::TempFile> file =
      earlier ? fs::TempFile::create(model, earlier->st_mode & anyPermission)
              : fs::TempFile::create(model, fs::all_read | fs::all_write);
  if (!file) {
    llvm::consumeError(file.takeError());
    return writeInPlace(path, write);
  }
  auto discard = [&](llvm::Error error) {
    return llvm::joinErrors(std::move(error), file->discard());
  };
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    if (llvm::Error error = writeTo(os, path, /*closes=*/false, write))
      return discard(std::move(error));
  }
  // Only root may give a file to its earlier owner.
  if (earlier && (::fchown(file->FD, earlier->st_uid, earlier->st_gid) != 0 ||
                  ::fchmod(file->FD, earlier->st_mode & anyPermission) != 0))
    errno = 0;
  if (llvm::Error error = file->keep(path))
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error gpucost::writeFile(StringRef path, Writer write) {
  struct stat status;
  std::string name = path.str();
  bool exists = ::stat(name.c_str(), &status) == 0;
  for (auto [descriptor, stream] : {std::pair(STDOUT_FILENO, &llvm::outs()),
                                    std::pair(STDERR_FILENO, &llvm::errs())})
    if ((path == "-" && descriptor == STDOUT_FILENO) ||
        (exists && isOpenAs(descriptor, status)))
      return writeTo(*stream, path, /*closes=*/false, write);
  llvm::SmallString<256> real;
  bool isLink = fs::is_symlink_file(path);
  if (exists && S_ISREG(status.st_mode) && status.st_nlink == 1) {
    // Renaming ignores the permissions of the earlier file.
    if (::access(name.c_str(), W_OK) != 0)
      return cannotWrite(path, lastError());
    if (!fs::real_path(path, real))
      return replaceFile(real, &status, write);
  }
  // The target of a link may not exist yet.
  if (exists || isLink)
    return writeInPlace(path, write);
  return replaceFile(path, nullptr, write);
}

llvm::Error gpucost::writeFile(StringRef path, StringRef text) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
}
