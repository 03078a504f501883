//===- KernelWork.h - What a kernel has to do ---------------------*- C++ -*-==
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launched kernel as the cost model sees it: family, problem shape, exact
// arithmetic and exact compulsory bytes. No IR, no device, no time: the same
// work runs on every GPU. Section "Work" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_KERNELWORK_H
#define GPUCOST_CORE_MODEL_KERNELWORK_H

#include "gpucost/Core/Support/Record.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include <cassert>
#include <cstdint>
#include <string>
#include <variant>

namespace gpucost {

#define GPUCOST_RECORDS "gpucost/Core/Model/Kernel.def"
#include "gpucost/Core/Support/DefineRecords.inc"

namespace detail {
template <typename, typename... Alternatives>
using VariantOf = std::variant<Alternatives...>;
} // namespace detail

/// The shape of a launch: one of the problems in Kernel.def.
#include "gpucost/Core/Support/RecordsOnly.inc"
#define PROBLEM(Struct, mnemonic, doc) , Struct
#define RECORD(Struct, mnemonic, doc)
using Problem = detail::VariantOf<void
#include "gpucost/Core/Model/Kernel.def"
                                  >;
#include "gpucost/Core/Support/EndRecords.inc"
#undef PROBLEM

/// Work of a fused kernel in addition to the problem of its family (W3): other
/// matmuls, arithmetic before and after the main loop, tensors that only its
/// other members read or write. Vectors, such as a bias, and one operation per
/// result are part of any epilogue.
struct FusedCount {
  int64_t tensorFlops = 0, fp32Flops = 0, specialOps = 0;
  int64_t bytes = 0;
};

/// Exact counts of one launch. FLOP = 2 per multiply-add. Bytes are compulsory
/// traffic: each input read once, each output written once.
struct WorkCount {
  int64_t tensorFlops = 0; ///< multiply-adds that tensor cores can take
  int64_t fp32Flops = 0;   ///< other adds, multiplies, compares
  int64_t specialOps = 0;  ///< exp, tanh, rsqrt, ... (SFU results)
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// The fused part of these counts.
  FusedCount fused = {};

  /// Bytes read and written, every operand once.
  double compulsoryBytes() const {
    return static_cast<double>(bytesRead) + static_cast<double>(bytesWritten);
  }
};

/// FLOP of attention per score and element of a head: two products, in the
/// backward pass five.
constexpr int64_t scoreFlops(bool backward) {
  constexpr int64_t forwardFlops = 4, backwardFlops = 10;
  return backward ? backwardFlops : forwardFlops;
}

/// Kernels with known bytes but unknown work count 32-bit elements.
inline constexpr int64_t opaqueBits = 32;
int64_t opaqueElements(int64_t bytes);

/// One launch.
struct KernelWork {
  KernelFamily family = KernelFamily::Opaque;
  InstructionClass instructions = InstructionClass::None;
  /// Format of the matrix unit (matmul, convolution, attention); for the other
  /// families the format of the elements.
  NumericFormat format = NumericFormat::FP32;
  /// Bits of one input and one output element (int4 has 4).
  int64_t inputBits = 32, outputBits = 32;
  /// The alternative that belongs to `family`; see `problemFits`.
  Problem problem;
  WorkCount count;

  /// Bytes of one element in memory, with its share of a block's scale.
  double inputBytes() const { return elementBytes(format, inputBits); }
  double outputBytes() const { return elementBytes(format, outputBits); }
  template <typename P> bool is() const {
    return std::holds_alternative<P>(problem);
  }
  /// A matrix kernel: its equations see the problem, and `count.fused`, but not
  /// the other counts.
  bool isTiled() const;
  /// The problem, which must be a `P`.
  template <typename P> const P &as() const {
    assert(is<P>() && "the problem belongs to another family");
    return *std::get_if<P>(&problem);
  }
  /// The problem if it is a `P`, else null.
  template <typename P> const P *getIf() const {
    return std::get_if<P>(&problem);
  }
  /// The problem to change; a default one if it was not a `P`.
  template <typename P> P &edit() {
    return is<P>() ? *std::get_if<P>(&problem) : problem.emplace<P>();
  }
};

bool operator==(const KernelWork &a, const KernelWork &b);
inline bool operator!=(const KernelWork &a, const KernelWork &b) {
  return !(a == b);
}
size_t hash_value(const KernelWork &work);

template <> struct RecordTraits<KernelWork> {
  static constexpr std::string_view mnemonic = "work";
  static constexpr std::string_view summary =
      "what one launch has to do: shape, exact FLOPs, exact bytes";
};

/// The fields of a work as printed in its attribute: the counts are printed on
/// the same level as the problem.
template <typename Work, typename Visitor>
std::enable_if_t<std::is_same_v<std::remove_const_t<Work>, KernelWork>>
visitFields(Work &work, Visitor &&visit) {
  using namespace fields;
  static constexpr FieldInfo infos[] = {
      {"family", true, AnyValue, NoNote, "kernel family"},
      {"instructions", false, AnyValue, NoNote, "class of its instructions"},
      {"format", true, AnyValue, NoNote, "of the matrix unit or the elements"},
      {"input_bits", false, Positive, NoNote, "of one input element"},
      {"output_bits", false, Positive, NoNote, "of one output element"},
      {"problem", true, AnyValue, NoNote, "shape"},
      {"tensor_flops", false, NotNegative, NoNote, "for a matrix unit"},
      {"fp32_flops", false, NotNegative, NoNote, "other adds, multiplies, ..."},
      {"special_ops", false, NotNegative, NoNote, "special-function results"},
      {"bytes_read", false, NotNegative, NoNote, "compulsory"},
      {"bytes_written", false, NotNegative, NoNote, "compulsory"},
      {"fused_tensor_flops", false, NotNegative, NoNote, "of other members"},
      {"fused_fp32_flops", false, NotNegative, NoNote, "of other members"},
      {"fused_special_ops", false, NotNegative, NoNote, "of other members"},
      {"fused_bytes", false, NotNegative, NoNote, "of other members"}};
  visit(infos[0], work.family);
  visit(infos[1], work.instructions);
  visit(infos[2], work.format);
  visit(infos[3], work.inputBits);
  visit(infos[4], work.outputBits);
  visit(infos[5], work.problem);
  visit(infos[6], work.count.tensorFlops);
  visit(infos[7], work.count.fp32Flops);
  visit(infos[8], work.count.specialOps);
  visit(infos[9], work.count.bytesRead);
  visit(infos[10], work.count.bytesWritten);
  visit(infos[11], work.count.fused.tensorFlops);
  visit(infos[12], work.count.fused.fp32Flops);
  visit(infos[13], work.count.fused.specialOps);
  visit(infos[14], work.count.fused.bytes);
}

/// `problem` is the alternative that works of `family` have.
bool problemFits(KernelFamily family, const Problem &problem);

/// The same bytes as a kernel without a family, for GPUs or coefficients that
/// lack a value that `work` needs.
KernelWork asOpaque(const KernelWork &work);

/// The problem in words, e.g. "m=2048 n=1024 k=1024".
std::string describeProblem(const KernelWork &work);

/// (B13) Whether a copy between a GPU and host memory, not other GPUs.
inline bool isHostCopy(CollectiveKind kind) {
  return kind == CollectiveKind::ToHost || kind == CollectiveKind::FromHost;
}

/// Bytes that each of `worldSize` GPUs sends, and receives, in a collective on
/// `bytes`: (worldSize - 1) / worldSize of them, twice for an all-reduce, all
/// of them in a broadcast and from GPU to GPU; the same however many nodes
/// there are. nullopt when that does not fit. `worldSize` is at least 1.
std::optional<int64_t> collectiveBytes(CollectiveKind kind, int64_t bytes,
                                       int64_t worldSize);

/// Matrix-unit FLOPs of a problem, 2 per multiply-add, exact.
int64_t countFlops(const MatmulProblem &p);
int64_t countFlops(const ConvolutionProblem &p);
/// Both products (five in the backward pass); a causal problem counts only the
/// scores that are computed (half, plus the diagonal: q * (q + 1) / 2 rows for
/// q_len == kv_len).
int64_t countFlops(const AttentionProblem &p);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_KERNELWORK_H
