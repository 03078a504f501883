//===- Output.cpp - Errors and files of the tool --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;

ExitCode gpucost::reportError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "gpu-cost-opt") << message << '\n';
  return ExitCode::Failure;
}

ExitCode gpucost::reportError(llvm::Error error) {
  return reportError(llvm::toString(std::move(error)));
}

std::string gpucost::suggestFlag(llvm::StringRef name,
                                 llvm::ArrayRef<llvm::StringRef> flags) {
  // Two letters may be wrong, but no more than half of them.
  llvm::StringRef nearest =
      nearestName(name, flags, std::min<unsigned>(2, name.size() / 2));
  return nearest.empty() ? "" : "; did you mean '--" + nearest.str() + "'?";
}

ExitCode gpucost::writeOutput(
    const std::string &path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  std::string message;
  std::string buffer;
  llvm::raw_string_ostream text(buffer);
  if (llvm::Error error = write(text))
    return reportError(std::move(error));
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return reportError(message);
  file->os() << buffer;
  file->os().flush();
  // Whoever leaves an error on the stream ends the program.
  if (std::error_code error = file->os().error()) {
    file->os().clear_error();
    return reportError("cannot write '" + llvm::Twine(path) +
                       "': " + error.message());
  }
  file->keep();
  return ExitCode::Success;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
gpucost::openInput(const std::string &path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return llvm::createStringError(message);
  return buffer;
}
