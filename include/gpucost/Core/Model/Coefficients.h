//===- Coefficients.h - Fitted numbers of the cost model --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fitted coefficients, one struct per equation group, made from
// Coefficients.def. They are read from targets/coefficients/*.mlir; C++
// contains no values. Names follow docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_COEFFICIENTS_H
#define GPUCOST_CORE_MODEL_COEFFICIENTS_H

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Model/Tiling.h"
#include <algorithm>
#include <array>
#include <bitset>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

/// One number per instruction class; that of `None` is 0.
struct InstructionTable
    : std::array<double, getMaxEnumValForInstructionClass() + 1> {
  InstructionTable() { fill(0); }
};
inline bool operator==(const InstructionTable &a, const InstructionTable &b) {
  return std::equal(a.begin(), a.end(), b.begin());
}
/// A record with one field for each class but `None`.
template <> struct RecordTraits<InstructionTable> {
  static constexpr std::string_view mnemonic = "instruction_table";
  static constexpr std::string_view summary = "numbers by instruction class";
};
template <typename Table, typename Visitor>
std::enable_if_t<std::is_same_v<std::remove_const_t<Table>, InstructionTable>>
visitFields(Table &table, Visitor &&visit) {
  static const auto infos = [] {
    std::array<FieldInfo, getMaxEnumValForInstructionClass() + 1> all{};
    for (const auto &each : EnumTraits<InstructionClass>::cases)
      all[static_cast<size_t>(each.value)] = {
          each.name, true, fields::NotNegative, fields::NoNote, ""};
    return all;
  }();
  for (size_t i = 1; i < infos.size(); ++i)
    visit(infos[i], table[i]);
}

struct AttentionTile;
struct VoltagePoint;
struct CollectiveFit;
struct KernelError;
struct ReduceLimit;
struct AllReduceStack;
struct ExchangeStack;
struct TrainingLevel;
struct ServingHost;
struct AttentionCoefficients;
struct DecodeCoefficients;
struct AttentionStack;
struct LowPrecisionGemm;
struct LinearStack;
struct ExpertStack;
struct LatentStack;
struct LatentProductFit;
struct QuantizeStack;
struct SparseStack;
using Tiles = std::vector<Tile>;
using Splits = std::vector<int32_t>;
using AttentionTiles = std::vector<AttentionTile>;
using VoltageCurve = std::vector<VoltagePoint>;
using CollectiveFits = std::vector<CollectiveFit>;
using KernelErrors = std::vector<KernelError>;
using HeadDims = std::vector<int64_t>;
using RowLimits = std::vector<int64_t>;
using CausalSets = std::vector<AttentionCoefficients>;
using DecodeSets = std::vector<DecodeCoefficients>;
using AttentionStacks = std::vector<AttentionStack>;
using LowPrecisionGemms = std::vector<LowPrecisionGemm>;
using LinearStacks = std::vector<LinearStack>;
using ExpertStacks = std::vector<ExpertStack>;
using LatentStacks = std::vector<LatentStack>;
using LatentProducts = std::vector<LatentProductFit>;
using QuantizeStacks = std::vector<QuantizeStack>;
using SparseStacks = std::vector<SparseStack>;
using ReduceLimits = std::vector<ReduceLimit>;
using AllReduceStacks = std::vector<AllReduceStack>;
using ExchangeStacks = std::vector<ExchangeStack>;
using TrainingLevels = std::vector<TrainingLevel>;
using ServingHosts = std::vector<ServingHost>;

#define GPUCOST_WITHOUT_TILE // Tiling.h defines it
#define GPUCOST_RECORDS "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Support/DefineRecords.inc"
#undef GPUCOST_WITHOUT_TILE

/// The half-widths of a class on a board; null if unknown.
const KernelError *findError(const KernelErrors &errors, ErrorClass kind,
                             std::string_view gpu);

/// The one of `sets` whose `headDims` hold `headDim`; null without one.
template <typename Set>
const Set *findForDim(const std::vector<Set> &sets, int64_t headDim) {
  for (const Set &set : sets)
    if (std::find(set.headDims.begin(), set.headDims.end(), headDim) !=
        set.headDims.end())
      return &set;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Groups of a set
//===----------------------------------------------------------------------===//

/// Which targets cannot do without a group; AnyDie: none, and its numbers hold
/// for every die.
enum class GroupUse { Always, TensorFormats, Fp32, Never, AnyDie };

/// One member of `Coefficients`.
struct GroupInfo {
  std::string_view name; ///< "tensor_gemm"
  GroupUse use;
};

/// Calls `visit(GroupInfo, std::optional<Group> &)` for every group, absent
/// ones included.
template <typename Set, typename Visitor>
void forEachGroup(Set &set, Visitor &&visit) {
#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc)
#define GROUP(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use)                                      \
  visit(GroupInfo{keyword, GroupUse::use}, set.member);
#include "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Support/EndRecords.inc"
#undef GROUP
#undef SET
}

/// The groups of a set, in order: `CoefficientGroup::tensorGemm`.
enum class CoefficientGroup {
#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc)
#define GROUP(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use) member,
#include "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Support/EndRecords.inc"
#undef GROUP
#undef SET
  count
};
/// A bit for each `CoefficientGroup`.
using GroupSet = std::bitset<static_cast<size_t>(CoefficientGroup::count)>;
static_assert(GroupSet().size() <=
              std::numeric_limits<unsigned long long>::digits);
template <typename... Groups> constexpr GroupSet groupSet(Groups... members) {
  return GroupSet((0ULL | ... | (1ULL << static_cast<size_t>(members))));
}

/// The groups of attention kernels with several queries.
inline auto attentionGroups(Coefficients &set) {
  return std::array{&set.attentionFull, &set.attentionCausal,
                    &set.attentionCudnn, &set.attentionFlash2,
                    &set.attentionFp32};
}

/// Marks every group without an origin as transferred from `from`, a board
/// other than the predicted one.
void markTransferred(Coefficients &coefficients, const std::string &from);
/// Ratio of `gpu` to `measured` in 16-bit tensor operations per clock and SM;
/// 1 if one of them has none.
double tensorRateShare(const Gpu &gpu, const Gpu &measured);
/// (M17) Numbers that were measured with check bits of ECC among the data in
/// DRAM, for the same memory without them.
void removeInlineEcc(Coefficients &coefficients);
/// Coefficients of `measured` for `gpu`, marked. An SM of fewer tensor
/// operations per clock waits as many cycles for operands as before, in more
/// cycles of products: efficiency 1 / (1 + share (1 / efficiency - 1)). Launch
/// and drain of matrix kernels take as many cycles. Without inline ECC, DRAM is
/// faster (`removeInlineEcc`).
Coefficients transferTo(const Gpu &gpu, const Gpu &measured,
                        Coefficients coefficients, const std::string &from);
/// Gives `coefficients` the groups of `shared` that they lack.
void completeWith(Coefficients &coefficients, const Coefficients &shared);
/// The groups that hold numbers.
GroupSet presentGroups(const Coefficients &coefficients);
std::string_view groupName(CoefficientGroup group);
/// Names of `set`.
std::vector<std::string> namesOf(const GroupSet &set);
/// The groups that are transferred from another die.
GroupSet transferredGroups(const Coefficients &coefficients);
/// "tensor_gemm from L40S, power from A100 PCIe 40GB"; empty when nothing is.
/// With a `format` only the groups that its kernels need, and those of `used`.
std::string
describeTransferred(const Coefficients &coefficients,
                    std::optional<NumericFormat> format = std::nullopt,
                    const GroupSet &used = {});
/// Names of the groups that kernels in `format` need and that are absent.
std::vector<std::string> missingGroups(const Coefficients &coefficients,
                                       NumericFormat format);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_COEFFICIENTS_H
