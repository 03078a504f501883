//===- Basics.cpp - Versions, errors, enumerations ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Handles.h"
#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gpucost/Core/Scenario/SettingsText.h"
#include "gpucost/Core/Targets/TargetData.h"
#include <array>
#include <cstdlib>

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// Versions and errors
//===----------------------------------------------------------------------===//

uint32_t gpucostAbiVersion(void) { return GPUCOST_ABI_VERSION; }
const char *gpucostVersion(void) { return GPUCOST_VERSION; }
uint32_t gpucostPreparedVersion(void) {
  return guardValue(0u, [] { return preparedFileVersion(); });
}

const char *gpucostDataVersion(void) {
  static const auto digits = [] {
    std::array<char, 17> text{};
    uint64_t hash = compiledDataHash();
    for (int i = 15; i >= 0; --i, hash >>= 4)
      text[static_cast<size_t>(i)] = "0123456789abcdef"[hash & 15];
    return text;
  }();
  return digits.data();
}

const char *gpucostLastError(void) { return lastErrorText(); }

void gpucostFree(void *memory) { std::free(memory); }

gpucostStatus gpucostSettings(char **json, size_t *size) {
  return guard([&] { return copyText(describeSettings(), json, size); });
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

std::optional<NumericFormat> capi::formatOf(uint32_t format) {
  if (format < 1 || format > getMaxEnumValForNumericFormat() + 1)
    return std::nullopt;
  return static_cast<NumericFormat>(format - 1);
}
#define FORMAT(Case, ...)                                                      \
  static_assert(toC(NumericFormat::Case) == GPUCOST_##Case);
#include "gpucost/Core/Vocabulary/Formats.def"
static_assert(getMaxEnumValForNumericFormat() + 2 == GPUCOST_FORMAT_COUNT);
static_assert(uint32_t(Bound::Host) == GPUCOST_BOUND_HOST &&
              uint32_t(Bound::Network) == GPUCOST_BOUND_NETWORK &&
              uint32_t(Bound::Power) == GPUCOST_BOUND_POWER &&
              uint32_t(Bound::Latency) == GPUCOST_BOUND_LATENCY &&
              uint32_t(Bound::L2) == GPUCOST_BOUND_L2 &&
              uint32_t(Bound::DRAM) == GPUCOST_BOUND_DRAM &&
              uint32_t(Bound::Issue) == GPUCOST_BOUND_ISSUE &&
              uint32_t(Bound::FP32) == GPUCOST_BOUND_FP32 &&
              uint32_t(Bound::Tensor) == GPUCOST_BOUND_TENSOR);
static_assert(uint32_t(Phase::Forward) == GPUCOST_FORWARD &&
              uint32_t(Phase::Backward) == GPUCOST_BACKWARD &&
              uint32_t(Phase::Optimizer) == GPUCOST_OPTIMIZER &&
              uint32_t(Phase::Communication) == GPUCOST_COMMUNICATION);
static_assert(uint32_t(CollectiveKind::AllReduce) + 1 == GPUCOST_ALL_REDUCE &&
              uint32_t(CollectiveKind::FromHost) + 1 == GPUCOST_FROM_HOST);
static_assert(uint32_t(OperandPath::Shared) == GPUCOST_PATH_SHARED &&
              uint32_t(OperandPath::Cache) == GPUCOST_PATH_CACHE);
static_assert(uint32_t(Objective::Energy) == GPUCOST_LEAST_ENERGY &&
              uint32_t(Objective::EnergyDelay) == GPUCOST_LEAST_ENERGY_DELAY);

namespace {

/// Names of a set by value; null where a value has none. All are literals.
struct NameSet {
  uint32_t end = 0;
  const char *(*nameOf)(uint32_t value) = nullptr;
};

/// An enumeration of this project, its values moved up by `First`.
template <typename Enum, uint32_t First = 0> NameSet setOf() {
  uint32_t end = First;
  for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
    end = std::max(end, First + static_cast<uint32_t>(each.value) + 1);
  return {end, [](uint32_t value) -> const char * {
            for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
              if (First + static_cast<uint32_t>(each.value) == value)
                return each.name.data();
            return nullptr;
          }};
}

template <size_t N>
const char *nameIn(const char *const (&names)[N], uint32_t value) {
  return value < N ? names[value] : nullptr;
}

} // namespace

static const char *statusName(uint32_t value) {
  static constexpr const char *names[] = {
      "ok",          "invalid_argument", "not_found",
      "unsupported", "infeasible",       "bad_data",
      "io",          "out_of_memory",    "internal"};
  return nameIn(names, value);
}

static const char *familyName(uint32_t value) {
  static constexpr const char *names[] = {
      nullptr,   "matmul",    "conv2d",      "attention",
      "softmax", "layernorm", "elementwise", "collective"};
  return nameIn(names, value);
}

static const char *elementwiseName(uint32_t value) {
  Span<ElementwiseOp> ops = elementwiseOps();
  return value >= 1 && value <= ops.size() ? ops.data()[value - 1].name.data()
                                           : nullptr;
}

static NameSet setNumber(uint32_t set) {
  static const std::pair<uint32_t, NameSet> sets[] = {
      {GPUCOST_ENUM_STATUS, {GPUCOST_INTERNAL + 1, statusName}},
      {GPUCOST_ENUM_FORMAT, setOf<NumericFormat, 1>()},
      {GPUCOST_ENUM_FAMILY, {GPUCOST_COLLECTIVE + 1, familyName}},
      {GPUCOST_ENUM_COLLECTIVE_OP, setOf<CollectiveKind, 1>()},
      {GPUCOST_ENUM_ELEMENTWISE_OP,
       {static_cast<uint32_t>(elementwiseOps().size()) + 1, elementwiseName}},
      {GPUCOST_ENUM_BOUND, setOf<Bound>()},
      {GPUCOST_ENUM_PHASE, setOf<Phase>()},
      {GPUCOST_ENUM_OPERAND_PATH, setOf<OperandPath>()},
      {GPUCOST_ENUM_OBJECTIVE, setOf<Objective>()},
      {GPUCOST_ENUM_ARCHITECTURE, setOf<Architecture>()},
      {GPUCOST_ENUM_SOFTWARE, setOf<Software>()},
      {GPUCOST_ENUM_RUNTIME, setOf<Runtime>()},
      {GPUCOST_ENUM_ROW_FAMILY, setOf<KernelFamily>()},
      {GPUCOST_ENUM_COVERAGE, setOf<Coverage>()},
      {GPUCOST_ENUM_INTERCONNECT, setOf<InterconnectKind>()},
      {GPUCOST_ENUM_MATRIX_PATH, setOf<MatrixPath>()}};
  for (const auto &[number, names] : sets)
    if (number == set)
      return names;
  return {};
}

const char *gpucostEnumName(uint32_t set, uint32_t value) {
  NameSet names = setNumber(set);
  return names.nameOf ? names.nameOf(value) : nullptr;
}

uint32_t gpucostEnumEnd(uint32_t set) { return setNumber(set).end; }

gpucostStatus gpucostEnumValue(uint32_t set, const char *name,
                               uint32_t *value) {
  return guard([&] {
    require(name && value, "the name or the place for its value is NULL");
    NameSet names = setNumber(set);
    std::string known;
    for (uint32_t i = 0; i < names.end; ++i) {
      const char *each = names.nameOf(i);
      if (each && std::strcmp(each, name) == 0) {
        *value = i;
        return;
      }
      if (each)
        known += concat(known.empty() ? "" : ", ", each);
    }
    refuse(GPUCOST_NOT_FOUND, "unknown name '", name, "', expected ", known);
  });
}
