//===- Tiling.h - Configuration of a launched kernel ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The configuration that the model chooses for one launch, as reports print it.
// Passes that read costs include this header without the model.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_TILING_H
#define GPUCOST_CORE_MODEL_TILING_H

#include "gpucost/Core/Support/Record.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>

namespace gpucost {

/// A kernel of a library; Implementations.h defines its values.
enum class ImplementationKind : uint32_t;

#define GPUCOST_RECORDS "gpucost/Core/Model/Tile.def"
#include "gpucost/Core/Support/DefineRecords.inc"

/// Chosen kernel configuration. Memory-bound kernels have no tile (tile.m 0).
struct Tiling {
  Tile tile;
  int32_t splitK = 1; ///< of K, or of the KV range for attention
  /// Decode: 0 heads of a group together, 1 each head separately; else 0.
  int32_t variant = 0;
  int64_t ctas = 0;
  /// Rounds of `tile.ctasPerSm` CTAs on every SM.
  int64_t waves = 0;
  /// Busy fraction of the SMs: ctas / (SMs * ceil(ctas / SMs)), 0..1.
  double smUtilization = 0;
  /// The kernel that it configures; `None` (0): a tiling by hand.
  ImplementationKind implementation = {};
};

inline bool operator==(const Tiling &a, const Tiling &b) {
  return a.tile == b.tile && a.splitK == b.splitK && a.variant == b.variant &&
         a.ctas == b.ctas && a.waves == b.waves &&
         a.smUtilization == b.smUtilization &&
         a.implementation == b.implementation;
}
inline size_t hash_value(const Tiling &tiling) {
  size_t hash = hash_value(tiling.tile);
  for (int64_t count :
       {int64_t(tiling.splitK), int64_t(tiling.variant), tiling.ctas,
        tiling.waves, int64_t(tiling.implementation)})
    hash = combineHashes(hash, hashField(count));
  return combineHashes(hash, hashField(tiling.smUtilization));
}
template <> struct RecordTraits<Tiling> {
  static constexpr std::string_view mnemonic = "tiling";
  static constexpr std::string_view summary =
      "kernel configuration: implementation, CTA tile, split-K, waves, "
      "sm_utilization";
};
/// The fields of a tiling as printed in its attribute: the tile, then the
/// others.
template <typename T, typename Visitor>
std::enable_if_t<std::is_same_v<std::remove_const_t<T>, Tiling>>
visitFields(T &tiling, Visitor &&visit) {
  using namespace fields;
  static constexpr FieldInfo infos[] = {
      {"tile_m", false, NotNegative, NoNote, "rows of the CTA tile"},
      {"tile_n", false, NotNegative, NoNote, "columns of the CTA tile"},
      {"ctas_per_sm", false, AnyValue, NoNote, "co-resident CTAs of one SM"},
      {"warps", false, AnyValue, NoNote, "of one CTA, on CUDA cores"},
      {"split_k", false, AnyValue, NoNote, "split of K or of the KV range"},
      {"variant", false, AnyValue, NoNote, "path of decode"},
      {"ctas", false, AnyValue, NoNote, "CTAs of the launch"},
      {"waves", false, AnyValue, NoNote, "rounds of CTAs"},
      {"sm_utilization", true, AnyValue, NoNote, "busy fraction of the SMs"},
      {"implementation", false, AnyValue, NoNote, "kernel of a library"}};
  visit(infos[0], tiling.tile.m);
  visit(infos[1], tiling.tile.n);
  visit(infos[2], tiling.tile.ctasPerSm);
  visit(infos[3], tiling.tile.warps);
  visit(infos[4], tiling.splitK);
  visit(infos[5], tiling.variant);
  visit(infos[6], tiling.ctas);
  visit(infos[7], tiling.waves);
  visit(infos[8], tiling.smUtilization);
  visit(infos[9], tiling.implementation);
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_TILING_H
