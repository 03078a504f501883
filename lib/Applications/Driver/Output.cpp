//===- Output.cpp - Errors and files of the tool --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Compiler/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;

ExitCode gpucost::reportError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "gpu-cost-opt");
  // Names of the input may have control characters.
  std::string text = message.str();
  for (llvm::StringRef line :
       llvm::split(llvm::StringRef(text).rtrim('\n'), '\n'))
    llvm::errs() << printable(line) << '\n';
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
  std::string buffer;
  llvm::raw_string_ostream text(buffer);
  llvm::Error error = write(text);
  if (!error)
    error = writeFile(path, buffer);
  return error ? reportError(std::move(error)) : ExitCode::Success;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
gpucost::openInput(const std::string &path, size_t most) {
  Expected<std::string> text = readInput(path, most);
  if (!text)
    return toLLVMError(text.error());
  return llvm::MemoryBuffer::getMemBufferCopy(*text,
                                              path == "-" ? "<stdin>" : path);
}
