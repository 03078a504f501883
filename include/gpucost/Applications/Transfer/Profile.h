//===- Profile.h - Measurements on a GPU ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_TRANSFER_PROFILE_H
#define GPUCOST_APPLICATIONS_TRANSFER_PROFILE_H

#include "gpucost/Core/Model/KernelFamily.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost::transfer {

/// One launch of a trace or one row of a table.
struct MeasuredKernel {
  std::string name; ///< of the kernel, or of the model's node
  std::string op;   ///< "aten::addmm", "Gelu"; "" unknown
  /// nullopt if the name does not determine it.
  std::optional<KernelFamily> family;
  std::string shape; ///< as in reports; "" unknown
  std::string tile;  ///< "128x64" if the name contains it
  double timeUs = 0; ///< of one launch
  /// Launches per iteration; 0 if the file does not contain it: all matching
  /// launches.
  int64_t count = 0;
};

/// Kernels of one iteration on one GPU.
struct Profile {
  std::string file;
  std::string device; ///< "NVIDIA A100-SXM4-80GB"; "" unknown
  /// A trace contains all kernels, in the order of their start times; a table
  /// contains some of them, in any order.
  bool isTrace = false;
  int64_t iterations = 1; ///< times are medians over these
  std::vector<MeasuredKernel> kernels;
  /// Times of a trace, us: from the start of one iteration to the start of the
  /// next; the part in which the GPU computes nothing; and the part of that in
  /// which collectives run (exposed communication).
  double iterationUs = 0, idleUs = 0, exposedUs = 0;
};

struct ProfileOptions {
  /// Iterations in a trace without step marks.
  int64_t iterations = 1;
};

/// Reads `contents`: a PyTorch profiler trace (Kineto's Chrome trace JSON),
/// plain or gzipped, or a CSV table. Errors begin with `file`.
llvm::Expected<Profile> readProfile(llvm::StringRef contents,
                                    llvm::StringRef file,
                                    const ProfileOptions &options = {});

/// The family of a kernel by its name, or by the op that launched it; nullopt
/// if both are unknown (lib/Applications/Transfer/KernelNames.def).
std::optional<KernelFamily> familyOfName(llvm::StringRef name,
                                         llvm::StringRef op = "");
/// "128x64" for a name such as "ampere_sgemm_128x64_tn"; "" without one.
std::string tileOfName(llvm::StringRef name);

} // namespace gpucost::transfer

#endif // GPUCOST_APPLICATIONS_TRANSFER_PROFILE_H
