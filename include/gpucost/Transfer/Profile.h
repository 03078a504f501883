//===- Profile.h - What somebody measured on a GPU ------------ -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFER_PROFILE_H
#define GPUCOST_TRANSFER_PROFILE_H

#include "gpucost/Model/KernelFamily.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

/// One launch of a trace, or one row of a table.
struct MeasuredKernel {
  std::string name; ///< of the kernel, or of the model's node
  std::string op;   ///< "aten::addmm", "Gelu"; "" unknown
  /// nullopt: the name says nothing.
  std::optional<KernelFamily> family;
  std::string shape; ///< as reports write it; "" unknown
  std::string tile;  ///< "128x64" where the name has it
  double timeUs = 0; ///< of one launch
  /// Launches per iteration; 0 where the file does not say: all that match.
  int64_t count = 0;
};

/// Kernels of one iteration on one GPU.
struct Profile {
  std::string file;
  std::string device; ///< "NVIDIA A100-SXM4-80GB"; "" unknown
  /// A trace: all kernels that ran, in the order of their starts. Else a table
  /// of some of them, in any order.
  bool isTrace = false;
  int64_t iterations = 1; ///< that the times are medians of
  std::vector<MeasuredKernel> kernels;
  /// Of a trace, us: from the start of one iteration to that of the next, how
  /// much of it the GPU computes nothing, and the part of that in which
  /// collectives run: exposed communication.
  double iterationUs = 0, idleUs = 0, exposedUs = 0;
};

struct ProfileOptions {
  /// Iterations in a trace that marks none.
  int64_t iterations = 1;
};

/// Reads a trace of the PyTorch profiler (Chrome trace JSON of Kineto), plain
/// or gzipped, or a CSV table, whichever `contents` are. Errors begin with
/// `file`.
llvm::Expected<Profile> readProfile(llvm::StringRef contents,
                                    llvm::StringRef file,
                                    const ProfileOptions &options = {});

/// The family of a kernel by its name, or by the op that launched it; nullopt
/// where neither says (lib/Transfer/KernelNames.def).
std::optional<KernelFamily> familyOfName(llvm::StringRef name,
                                         llvm::StringRef op = "");
/// "128x64" of a name such as "ampere_sgemm_128x64_tn"; "" without one.
std::string tileOfName(llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_TRANSFER_PROFILE_H
