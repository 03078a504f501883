//===- Expected.h - A value or an error -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Return type of fallible functions in the libraries without LLVM. No
// exceptions are thrown; test for an error before accessing the value.
// LLVMSupport/Errors.h converts it to llvm::Error.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_EXPECTED_H
#define GPUCOST_CORE_SUPPORT_EXPECTED_H

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gpucost {

/// Reason for the missing value, as a diagnostic.
struct Error {
  std::string message;
};

template <typename T> using Expected = tl::expected<T, Error>;

/// `return fail("expected ...");`
[[gnu::cold]] inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}
/// Forwards the error of another call: `return fail(tiling.error());`
[[gnu::cold]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

/// The value of a call that cannot fail; aborts the program if it does.
template <typename T> T cantFail(Expected<T> expected) {
  if (expected)
    return *std::move(expected);
  std::fprintf(stderr, "unexpected error: %s\n",
               expected.error().message.c_str());
  std::abort();
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_EXPECTED_H
