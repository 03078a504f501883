//===- ChoiceOutput.h - Output of choices and pipelines --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_CHOICEOUTPUT_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_CHOICEOUTPUT_H

#include "CommandFlags.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Core/Report/Page.h"

namespace gpucost {

/// Where a choice is written, and how: the flags "o" and "report".
struct ChoiceOutput {
  std::string file, format;
  PageKind kind = PageKind::Optimum;

  /// Fails if a page is requested but cannot be written.
  static llvm::Expected<ChoiceOutput> read(const CommandFlags &flags,
                                           PageKind kind = PageKind::Optimum);
  bool isPage() const { return format == "html"; }
  /// Fails if a page cannot show `count` points, called `noun`.
  llvm::Error checkSize(int64_t count, llvm::StringRef noun) const;

  using Print = llvm::function_ref<void(llvm::raw_ostream &)>;
  using PrintJson =
      llvm::function_ref<void(llvm::raw_ostream &, bool everyPoint)>;
  /// Writes a table or JSON, or a page, whose JSON has every point.
  ExitCode write(llvm::StringRef title, Print printTable,
                 PrintJson printJson) const;
  /// The same; an error if nothing was chosen.
  llvm::Expected<ExitCode> write(const sweep::Optimum &optimum,
                                 llvm::StringRef title, Print printTable,
                                 PrintJson printJson) const;
};

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_CHOICEOUTPUT_H
