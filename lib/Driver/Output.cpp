//===- Output.cpp - Errors and files of the tool --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "gpucost/Driver/Driver.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;

int gpucost::reportError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "gpu-cost-opt") << message << '\n';
  return static_cast<int>(ExitCode::Failure);
}

int gpucost::reportError(llvm::Error error) {
  return reportError(llvm::toString(std::move(error)));
}

LogicalResult gpucost::printDiagnostic(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    return success();
  llvm::raw_ostream &os = llvm::errs();
  Location loc = diagnostic.getLocation();
  std::string node;
  loc->walk([&](Location inner) {
    if (auto name = dyn_cast<NameLoc>(inner)) {
      if (node.empty())
        node = name.getName().str();
    } else if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      os << file.getFilename().getValue();
      // Line 0 stands for a whole binary file.
      if (node.empty() && file.getLine() != 0)
        os << ':' << file.getLine() << ':' << file.getColumn();
      os << ": ";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    llvm::WithColor::error(os);
    break;
  case DiagnosticSeverity::Warning:
    llvm::WithColor::warning(os);
    break;
  default:
    llvm::WithColor::note(os);
    break;
  }
  if (!node.empty())
    os << "node '" << node << "': ";
  os << diagnostic << '\n';
  return success();
}

int gpucost::writeOutput(
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
  return static_cast<int>(ExitCode::Success);
}
