//===- QueryTestModel.cpp - GPU of the query tests ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueryTestModel.h"
#include "StudySets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace gpucost;

const CostModel &querytest::model() { return study::a100(); }

static std::string run(const KernelQueryOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error =
      runKernelQueries(querytest::model(), NumericFormat::BF16, options, os);
  if (!error)
    return text;
  EXPECT_EQ(text, "") << "printed in spite of an error";
  return "error: " + llvm::toString(std::move(error));
}

std::string querytest::runText(llvm::StringRef kernel, llvm::StringRef report) {
  KernelQueryOptions options;
  options.text = kernel.str();
  options.report = report.str();
  return run(options);
}

std::string querytest::runFile(llvm::StringRef content,
                               llvm::StringRef report) {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("gpucost-query", folder));
  llvm::SmallString<128> path = folder;
  llvm::sys::path::append(path, "kernels.csv");
  std::error_code code;
  {
    llvm::raw_fd_ostream file(path, code);
    EXPECT_FALSE(code);
    file << content;
  }
  KernelQueryOptions options;
  options.file = path.str().str();
  options.report = report.str();
  std::string result = run(options);
  llvm::sys::fs::remove(path);
  llvm::sys::fs::remove(folder);
  size_t at = result.find(folder.str().str());
  if (at != std::string::npos)
    result.erase(at, folder.size() + 1);
  return result;
}
